//! Says what bytes are by how they begin. Names are for people who dropped the wrong file.

use crate::container::litertlm;

/// What bytes seem to be.
pub(super) enum Kind {
    /// A TensorFlow Lite model, by its identifier.
    Tflite,
    Gzip,
    Zip,
    LiteRtLm,
    /// Text of some kind, still to be looked at.
    Text,
    /// Something else that we can name: what it is, and what to do, if anything.
    Named(&'static str, Option<&'static str>),
    /// Bytes that say nothing about themselves.
    Unknown,
}

/// Formats by the bytes at an offset: what it is, and what to do.
const MAGICS: &[(usize, &[u8], &str, Option<&str>)] = &[
    (0, b"\x89PNG", "a PNG image", None),
    (0, b"\xff\xd8\xff", "a JPEG image", None),
    (0, b"GIF8", "a GIF image", None),
    (0, b"%PDF", "a PDF document", None),
    (0, b"\x89HDF\r\n\x1a\n", "a Keras model in HDF5 format", Some(CONVERT_KERAS)),
    (0, b"GGUF", "a GGUF model (llama.cpp)", Some(OTHER_RUNTIME)),
    (0, b"\x93NUMPY", "a NumPy array", None),
    (0, b"\x7fELF", "a program or library (ELF)", Some(FIRMWARE)),
    (0, b"MZ", "a Windows program", None),
    (0, b"\0asm", "a WebAssembly module", None),
    (0, b"BZh", "a bzip2 archive", Some(UNPACK)),
    (0, b"\xfd7zXZ\0", "an xz archive", Some(UNPACK)),
    (0, b"\x28\xb5\x2f\xfd", "a Zstandard archive", Some(UNPACK)),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", Some(UNPACK)),
    (0, b"Rar!", "a RAR archive", Some(UNPACK)),
    (257, b"ustar", "a tar archive", Some(UNPACK)),
    (0, b"\xff\xfe", "text in UTF-16", Some("save it as UTF-8 first")),
    (0, b"\xfe\xff", "text in UTF-16", Some("save it as UTF-8 first")),
    (0, b"SQLite format 3", "an SQLite database", None),
    (4, b"ORTM", "an ONNX Runtime model (.ort)", Some(OTHER_RUNTIME)),
    (4, b"ET12", "an ExecuTorch model (.pte)", Some(OTHER_RUNTIME)),
    (4, b"MNN ", "an MNN model", Some(OTHER_RUNTIME)),
    (0, b"ML\xefR", "MLIR bytecode", Some("convert it to a .tflite model first")),
    (0, b"\x80\x02", "a Python pickle (an old PyTorch file?)", Some(OTHER_RUNTIME)),
];

const CONVERT_KERAS: &str = "convert it with tf.lite.TFLiteConverter.from_keras_model first";
const CONVERT_SAVED: &str = "convert the folder it lies in with tf.lite.TFLiteConverter.from_saved_model first";
const CONVERT_GRAPH: &str = "convert it with tf.compat.v1.lite.TFLiteConverter.from_frozen_graph first";
const OTHER_RUNTIME: &str = "only TensorFlow Lite models can be opened";
const UNPACK: &str = "unpack it and open the model inside";
const FIRMWARE: &str = "open the model that was linked into it, or the C array it was made from";

const TABLE: &str = "a table of buffers has commas between its columns, a first line that names them, \
id,lower,upper,size and perhaps offset, and a line for each buffer";

/// How many bytes decide whether something is text.
const TEXT_SAMPLE: usize = 4096;

/// What `bytes` seem to be.
pub(super) fn kind(bytes: &[u8]) -> Kind {
    if bytes.get(4..8) == Some(b"TFL3") {
        return Kind::Tflite;
    }
    if bytes.starts_with(b"\x1f\x8b") {
        return Kind::Gzip;
    }
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
        return Kind::Zip;
    }
    if bytes.starts_with(litertlm::MAGIC) {
        return Kind::LiteRtLm;
    }
    let named = MAGICS.iter().find(|(at, magic, ..)| bytes.get(*at..).is_some_and(|rest| rest.starts_with(magic)));
    if let Some(&(_, _, what, hint)) = named {
        return Kind::Named(what, hint);
    }
    if is_safetensors(bytes) {
        return Kind::Named("a safetensors file: weights without a graph", Some(OTHER_RUNTIME));
    }
    if is_saved_model(bytes) {
        return Kind::Named("a TensorFlow SavedModel (saved_model.pb)", Some(CONVERT_SAVED));
    }
    if is_graph_def(bytes) {
        return Kind::Named("a frozen TensorFlow graph (.pb)", Some(CONVERT_GRAPH));
    }
    if is_onnx(bytes) {
        return Kind::Named("an ONNX model", Some("convert it to a .tflite model first"));
    }
    if is_text(bytes) { Kind::Text } else { Kind::Unknown }
}

/// Text by its sample: no zeros, hardly any control characters.
fn is_text(bytes: &[u8]) -> bool {
    let sample = &bytes[..bytes.len().min(TEXT_SAMPLE)];
    let odd = |byte: &&u8| byte.is_ascii_control() && !b"\t\r\n\x0c".contains(byte);
    !sample.contains(&0) && sample.iter().filter(odd).count() <= sample.len() / 100
}

/// A header length in 8 bytes, then a JSON object.
fn is_safetensors(bytes: &[u8]) -> bool {
    bytes.get(8..10) == Some(b"{\"") && bytes.get(3..8) == Some(&[0; 5])
}

/// The fields of TensorFlow's `SavedModel`: its schema version, which is 1, then a message, which begins with one of its
/// low fields. ONNX has text there.
fn is_saved_model(bytes: &[u8]) -> bool {
    let Some(rest) = bytes.strip_prefix(b"\x08\x01\x12") else { return false };
    let length = rest.iter().take(5).position(|byte| byte & 0x80 == 0);
    length.and_then(|last| rest.get(last + 1)).is_some_and(|tag| matches!(tag, 0x0a | 0x12 | 0x1a | 0x22 | 0x2a))
}

/// The fields of TensorFlow's `GraphDef`: a node, and in it its name and its operation as text.
fn is_graph_def(bytes: &[u8]) -> bool {
    /// The text of the field `tag` and what stands behind it.
    fn text(bytes: &[u8], tag: u8) -> Option<(&[u8], &[u8])> {
        let (&[found, length], rest) = bytes.split_first_chunk::<2>()?;
        let is_short = found == tag && length > 0 && length < 0x80;
        is_short.then(|| rest.split_at_checked(usize::from(length)))?
    }
    let Some(rest) = bytes.strip_prefix(b"\x0a") else { return false };
    let Some(last) = rest.iter().take(5).position(|byte| byte & 0x80 == 0) else { return false };
    let node = rest.get(last + 1..).unwrap_or_default();
    let op = text(node, 0x0a).filter(|(name, _)| name.is_ascii()).and_then(|(_, rest)| text(rest, 0x12));
    op.is_some_and(|(op, _)| op.iter().all(u8::is_ascii_alphanumeric))
}

/// The fields of ONNX's `ModelProto`: `ir_version` (a small number), then text such as the producer's name.
fn is_onnx(bytes: &[u8]) -> bool {
    matches!(bytes, [0x08, version, 0x12, ..] if *version < 0x20)
}

/// What a text is, when it is none of the kinds we read: name and hint.
pub(super) fn text_kind(bytes: &[u8]) -> (&'static str, Option<&'static str>) {
    let start: Vec<u8> = trimmed(bytes).iter().take(64).map(u8::to_ascii_lowercase).collect();
    if start.starts_with(b"<!doctype html") || start.starts_with(b"<html") || start.starts_with(b"<head") {
        let hint = "a download often ends in an error or login page: fetch the raw file again";
        ("a web page (HTML), not a model", Some(hint))
    } else if start.starts_with(b"version https://git-lfs") {
        ("a Git LFS pointer, not the model itself", Some("run `git lfs pull`, then open the file again"))
    } else if start.starts_with(b"<?xml") || start.starts_with(b"<svg") || start.starts_with(b"<") {
        ("an XML file", None)
    } else if is_rows(trimmed(bytes)) {
        ("a table, but not one of buffers", Some(TABLE))
    } else {
        ("a text file without a model in it", Some("C source must hold the model as an array of numbers"))
    }
}

/// Whether the first lines are rows of one width, at least three columns, with numbers in some of them.
fn is_rows(text: &[u8]) -> bool {
    const LINES: usize = 4;
    let sample = String::from_utf8_lossy(&text[..text.len().min(TEXT_SAMPLE)]).into_owned();
    let is_cut = text.len() > TEXT_SAMPLE;
    let mut lines: Vec<&str> = sample.lines().map(str::trim).filter(|line| !line.is_empty()).take(LINES + 1).collect();
    if is_cut || lines.len() > LINES {
        lines.pop();
    }
    let is_number = |cell: &str| !cell.trim().is_empty() && cell.trim().bytes().all(|byte| byte.is_ascii_digit());
    let has = |separator: char| {
        let mut widths = lines.iter().map(|line| line.split(separator).count());
        let width = widths.next().unwrap_or(0);
        width >= 3
            && widths.all(|other| other == width)
            && lines
                .iter()
                .skip(usize::from(lines.len() > 1))
                .all(|line| line.split(separator).filter(|cell| is_number(cell)).count() >= 2)
    };
    [',', ';', '\t', '|'].into_iter().any(has)
}

/// The bytes behind a byte order mark and blanks.
pub(super) fn trimmed(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start()
}
