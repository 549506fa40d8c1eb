//! Turns bytes into a verified root table, or the verifier's finding into an [`Error`] with field path and offset.
//!
//! - A FlatBuffer may name one part many times, so a small file can unfold to a huge tree. The limits are fitted to
//!   the file: what an honest file of this length can hold, with room to spare.
//! - The file identifier is not asked for here: TFLite-Micro does not look at it, and the reader warns.

use flatbuffers::{ErrorTraceDetail, InvalidFlatbuffer, VerifierOptions};

use crate::error::{Error, ErrorKind, Result};
use crate::limits;
use crate::schema;

/// The file identifier of the format, at bytes 4 to 7.
pub(super) const IDENTIFIER: &[u8] = b"TFL3";

/// The root table of `bytes`, verified.
pub(super) fn root(bytes: &[u8]) -> Result<schema::Model<'_>> {
    if bytes.is_empty() {
        return Err(Error::new(ErrorKind::NotAModel, "the file is empty").at(0));
    }
    if bytes.len() as u64 > limits::MAX_MODEL_BYTES {
        let message = format!("the model has {} bytes, the most is {}", bytes.len(), limits::MAX_MODEL_BYTES);
        return Err(Error::new(ErrorKind::TooLarge, message));
    }
    if bytes.len() < MIN_MODEL_BYTES {
        let count = if bytes.len() == 1 { String::from("1 byte is") } else { format!("{} bytes are", bytes.len()) };
        let message = format!("{count} too few for a model");
        return Err(Error::new(ErrorKind::NotAModel, message).at(0));
    }
    let options = verifier_options(bytes.len());
    schema::root_as_model_with_opts(&options, bytes).map_err(|invalid| error_from(&invalid, bytes))
}

/// Root offset and identifier: no model is shorter.
const MIN_MODEL_BYTES: usize = 8;

/// The verifier's limits for a file of `len` bytes.
fn verifier_options(len: usize) -> VerifierOptions {
    VerifierOptions {
        max_depth: limits::MAX_TABLE_DEPTH,
        // A table has at least 4 bytes of its own and 4 of the offset that leads to it; tables shared by many
        // (one quantisation for all tensors) count as often as they are named.
        max_tables: (len / 4).min(limits::MAX_TABLES),
        // The verifier counts each field about twice, and each table's shared layout again.
        max_apparent_size: len.saturating_mul(16).clamp(1 << 16, isize::MAX.unsigned_abs()),
        ignore_missing_null_terminator: true,
    }
}

/// Whether the bytes carry the format's identifier.
pub(super) fn has_identifier(bytes: &[u8]) -> bool {
    bytes.get(4..8) == Some(IDENTIFIER)
}

/// The error for bytes that neither carry the identifier nor can be read without it.
pub(super) fn not_a_model(bytes: &[u8]) -> Error {
    let found = bytes.get(4..8).unwrap_or_default().escape_ascii();
    let message = format!("not a TensorFlow Lite model: bytes 4 to 7 are \"{found}\", expected \"TFL3\"");
    Error::new(ErrorKind::NotAModel, message).at(4)
}

/// The error for what the verifier found.
fn error_from(invalid: &InvalidFlatbuffer, bytes: &[u8]) -> Error {
    if !has_identifier(bytes) {
        return not_a_model(bytes);
    }
    let (message, offset, trace) = match invalid {
        InvalidFlatbuffer::RangeOutOfBounds { range, error_trace } => {
            let message = format!(
                "needs the bytes {:#x} to {:#x}, but the file ends at {:#x}",
                range.start,
                range.end,
                bytes.len()
            );
            (message, range.start, error_trace)
        }
        InvalidFlatbuffer::SignedOffsetOutOfBounds { soffset, position, error_trace } => (
            format!("the table's layout should lie {soffset} bytes before it, which is outside the file"),
            *position,
            error_trace,
        ),
        InvalidFlatbuffer::Unaligned { position, unaligned_type, error_trace } => (
            format!("offset {position:#x} is not aligned for a value of type {unaligned_type}"),
            *position,
            error_trace,
        ),
        InvalidFlatbuffer::MissingRequiredField { required, error_trace } => {
            (format!("the field {required} is missing"), 0, error_trace)
        }
        InvalidFlatbuffer::InconsistentUnion { field, field_type, error_trace } => {
            (format!("only one of {field} and {field_type} is there"), 0, error_trace)
        }
        InvalidFlatbuffer::Utf8Error { range, error_trace, .. } => {
            ("the text is not UTF-8".to_owned(), range.start, error_trace)
        }
        InvalidFlatbuffer::MissingNullTerminator { range, error_trace } => {
            ("the text has no zero behind it".to_owned(), range.start, error_trace)
        }
        InvalidFlatbuffer::TooManyTables | InvalidFlatbuffer::ApparentSizeTooLarge => {
            let message = "the same parts are named over and over: the file would unfold to far more than its length";
            return Error::new(ErrorKind::TooLarge, message).at(0);
        }
        InvalidFlatbuffer::DepthLimitReached => {
            return Error::new(ErrorKind::Damaged, "tables are nested deeper than the format allows").at(0);
        }
    };
    let details = error_trace_path(trace.as_ref());
    // The innermost detail is the reference that leads astray; without one it is the place itself.
    let place = trace.as_ref().first().map_or(offset, position);
    let mut error = Error::new(ErrorKind::Damaged, message)
        .at(place as u64)
        .with_hint("the file is cut short or damaged: convert or download it again");
    if !details.is_empty() {
        error = error.in_field(details);
    }
    error
}

/// The field path of a trace, which lists the innermost detail first.
fn error_trace_path(trace: &[ErrorTraceDetail]) -> String {
    let mut path = String::new();
    for detail in trace.iter().rev() {
        match detail {
            ErrorTraceDetail::VectorElement { index, .. } => {
                path.push('[');
                path.push_str(&index.to_string());
                path.push(']');
            }
            ErrorTraceDetail::TableField { field_name, .. } => {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(field_name);
            }
            // As in `BuiltinOptions2::Slice`: the union is named after its field.
            ErrorTraceDetail::UnionVariant { variant, .. } => path.push_str(match variant.split("::").next() {
                Some("BuiltinOptions") => ".builtin_options",
                Some("BuiltinOptions2") => ".builtin_options_2",
                _ => ".details",
            }),
        }
    }
    path
}

fn position(detail: &ErrorTraceDetail) -> usize {
    match detail {
        ErrorTraceDetail::VectorElement { position, .. }
        | ErrorTraceDetail::TableField { position, .. }
        | ErrorTraceDetail::UnionVariant { position, .. } => *position,
    }
}
