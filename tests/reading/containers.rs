//! Containers: whatever is wrapped around a model comes off; what is none says what it is.

use std::io::{Cursor, Write};

use arenascope::container::{self, Candidate, Contents, Manifest, PlanBuffer, PlanFigures, PlanFile, PlanSource};
use arenascope::error::{Error, ErrorKind};
use zip::CompressionMethod;
use zip::write::SimpleFileOptions;

use crate::support::graph_text;
use crate::support::litertlm::litertlm;

fn model() -> Vec<u8> {
    graph_text::parse("in a:16\nop a -> b:32\nout b").build()
}

fn other_model() -> Vec<u8> {
    graph_text::parse("in a:8\nADD a a -> b:8\nout b").build()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zip(files: &[(&str, &[u8])], method: CompressionMethod) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        writer.start_file(*name, SimpleFileOptions::default().compression_method(method)).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn stored(files: &[(&str, &[u8])]) -> Vec<u8> {
    zip(files, CompressionMethod::Stored)
}

/// C source as `xxd -i` writes it.
fn c_source(name: &str, bytes: &[u8]) -> String {
    let numbers: Vec<String> = bytes.iter().map(|byte| format!("{byte:#04x}")).collect();
    let lines: Vec<String> = numbers.chunks(12).map(|line| format!("  {}", line.join(", "))).collect();
    format!("unsigned char {name}[] = {{\n{}\n}};\nunsigned int {name}_len = {};\n", lines.join(",\n"), bytes.len())
}

/// A model in every wrapping, for the mutation test.
pub(crate) fn wrapped(model: &[u8]) -> Vec<Vec<u8>> {
    let inner = stored(&[("inside.tflite", model)]);
    vec![
        gzip(model),
        zip(&[("a.txt", b"text"), ("a.task", &inner), ("m.tflite", model)], CompressionMethod::Deflated),
        inner,
        litertlm(&[(3, Some("tf_lite_embedder"), model), (4, None, b"tokens")]),
        c_source("g_model", model).into_bytes(),
        br#"{ "arenascope_plan": 1, "buffers": [ { "size": 4, "first_step": 0, "last_step": 1, "offset": 0 } ] }"#
            .to_vec(),
    ]
}

fn open(bytes: &[u8], name: &str) -> Vec<Candidate> {
    match container::open(bytes, Some(name)).unwrap_or_else(|error| panic!("{name}: {error}")) {
        Contents::Models(candidates) => candidates,
        other => panic!("{name}: {other:?}"),
    }
}

/// Checks the names of the models found, their wrapping, and that each unwraps to the bytes expected.
fn check(bytes: &[u8], name: &str, expected: &[(&str, &str, &[u8])]) {
    let found = open(bytes, name);
    let names: Vec<_> = found.iter().map(|one| (one.name.as_str(), one.wrapping())).collect();
    let expected_names: Vec<_> = expected.iter().map(|(name, wrapping, _)| (*name, (*wrapping).to_owned())).collect();
    assert_eq!(names, expected_names, "{name}");
    for (one, (_, _, inner)) in found.iter().zip(expected) {
        assert_eq!(one.bytes(bytes).unwrap(), *inner, "{name}: {}", one.name);
        assert_eq!(one.size_bytes, inner.len() as u64, "{name}: {}", one.name);
    }
}

#[test]
fn wrappings_come_off() {
    let (a, b) = (model(), other_model());
    check(&a, "a.tflite", &[("a.tflite", "", &a)]);
    check(&gzip(&a), "a.tflite.gz", &[("a.tflite", "gzip", &a)]);
    for method in [CompressionMethod::Stored, CompressionMethod::Deflated] {
        let both = zip(&[("readme.txt", b"hello"), ("x/a.tflite", &a), ("TF_LITE_PREFILL_DECODE", &b)], method);
        check(&both, "both.zip", &[("x/a.tflite", "zip", &a), ("TF_LITE_PREFILL_DECODE", "zip", &b)]);
        let task = zip(&[("hand.task", &both), ("c.tflite", &a)], method);
        let expected: [(&str, &str, &[u8]); 3] = [
            ("hand.task!x/a.tflite", "zip, zip", &a),
            ("hand.task!TF_LITE_PREFILL_DECODE", "zip, zip", &b),
            ("c.tflite", "zip", &a),
        ];
        check(&task, "gesture.task", &expected);
    }
    check(&gzip(&stored(&[("a.lite", &a)])), "a.zip.gz", &[("a.zip!a.lite", "gzip, zip", &a)]);
    let source = c_source("g_model", &b);
    check(
        &stored(&[("src/model.cc", source.as_bytes())]),
        "arduino.zip",
        &[("src/model.cc!g_model", "zip, C array", &b)],
    );
}

#[test]
fn litertlm_sections_are_found() {
    let (a, b) = (model(), other_model());
    let file =
        litertlm(&[(5, None, b"proto"), (3, Some("tf_lite_embedder"), &a), (3, None, &b), (7, None, b"weights")]);
    check(&file, "gemma.litertlm", &[("tf_lite_embedder", "litertlm", &a), ("section 2", "litertlm", &b)]);
    let cut = &file[..file.len() - 20_000];
    let error = open(cut, "cut")[1].bytes(cut).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Damaged, "{error}");
}

#[test]
fn c_arrays_are_decoded() {
    let (a, b) = (model(), other_model());
    let two = format!("#include <stdint.h>\n{}// {{1,2}}\n{}", c_source("first", &a), c_source("second", &b));
    check(two.as_bytes(), "models.h", &[("first", "C array", &a), ("second", "C array", &b)]);

    let list = |bytes: &[u8]| bytes.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    let signed: Vec<String> = a.iter().map(|byte| byte.cast_signed().to_string()).collect();
    let words: Vec<String> =
        a.chunks(4).map(|word| format!("0x{:08X}u", u32::from_le_bytes(word.try_into().unwrap()))).collect();
    for (name, source) in [
        ("aligned", format!("alignas(16) const unsigned char g_model[{}] = {{{},}};", a.len(), list(&a))),
        ("attribute", format!("const unsigned char g_model[] __attribute__((aligned(4))) = {{{}}};", list(&a))),
        ("progmem", format!("const uint8_t g_model[] PROGMEM = {{ /* {{0}} */ {} }};", list(&a))),
        (
            "macro",
            format!("DATA_ALIGN_ATTRIBUTE\nconst char *x = \"{{1}}\"; uint8_t g_model[] = {{\n{}\n}};", list(&a)),
        ),
        ("signed", format!("const int8_t g_model[] = {{{}}};", signed.join(", "))),
        ("words", format!("static const uint32_t g_model[] = {{{}}};", words.join(", "))),
        ("std::array", format!("constexpr std::array<uint8_t, {}> g_model = {{{}}};", a.len(), list(&a))),
    ] {
        check(source.as_bytes(), name, &[("g_model", "C array", &a)]);
    }
    check(list(&a).as_bytes(), "model.inc", &[("", "C array", &a)]);
}

#[test]
fn one_of_several_is_chosen() {
    let (a, b) = (model(), other_model());
    let file = stored(&[("x/a.tflite", &a), ("y/b.tflite", &b)]);
    let models = open(&file, "both.zip");
    for (name, index) in [("x/a.tflite", 0), ("y/b.tflite", 1), ("b.tflite", 1), ("#1", 0), ("#2", 1)] {
        assert_eq!(container::choose(&models, Some(name)).unwrap(), &models[index], "{name}");
    }
    for name in [None, Some("c.tflite"), Some("#0"), Some("#3")] {
        let error = container::choose(&models, name).unwrap_err();
        assert_eq!(error.kind, ErrorKind::BadOption);
        assert!(error.hint.as_deref().unwrap_or_default().contains("x/a.tflite, y/b.tflite"), "{error}");
    }
    assert_eq!(container::choose(&models[..1], None).unwrap(), &models[0]);
}

fn refuse(bytes: &[u8], name: &str) -> Error {
    container::open(bytes, Some(name)).expect_err(name)
}

#[test]
fn a_table_of_another_form_is_told_what_one_of_buffers_needs() {
    for text in ["id;lower;upper;size\na;0;2;10\n", "a,0,2,10\nb,1,3,20\n", "a\t0\t2\t10"] {
        let hint = refuse(text.as_bytes(), "table.csv").hint.unwrap_or_default();
        assert!(
            hint.contains("id,lower,upper,size") && hint.contains("commas") && !hint.contains("C source"),
            "{text}: {hint}"
        );
    }
    for text in ["one, two, three words\nand, so, on\n", "const int a = 3;\nint b = 4;\n", "hello"] {
        let hint = refuse(text.as_bytes(), "text.csv").hint.unwrap_or_default();
        assert!(hint.contains("C source"), "{text}: {hint}");
    }
}

#[test]
fn everything_else_says_what_it_is() {
    let numpy = stored(&[("arr_0.npy", b"\x93NUMPY")]);
    let saved = stored(&[("m/saved_model.pb", b"pb"), ("m/variables/variables.index", b"")]);
    let numbers = c_source("table", &[7; 100]);
    for (name, bytes, kind, part) in [
        ("empty", &b""[..], ErrorKind::NotAModel, "the file is empty"),
        ("page", b"\n<!DOCTYPE HTML><html>", ErrorKind::NotAModel, "a web page"),
        ("lfs", b"version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 2\n", ErrorKind::NotAModel, "Git LFS"),
        ("png", b"\x89PNG\r\n\x1a\n....", ErrorKind::NotAModel, "a PNG image"),
        ("h5", b"\x89HDF\r\n\x1a\n....", ErrorKind::NotAModel, "a Keras model"),
        ("onnx", b"\x08\x07\x12\x07pytorch", ErrorKind::NotAModel, "an ONNX model"),
        ("old onnx", b"\x08\x01\x12\x07pytorch", ErrorKind::NotAModel, "an ONNX model"),
        ("saved_model.pb", b"\x08\x01\x12\xb0\x10\n\xa2\x10\n\x0e", ErrorKind::NotAModel, "a TensorFlow SavedModel"),
        ("frozen.pb", b"\n\x15\n\x05input\x12\x0bPlaceholder", ErrorKind::NotAModel, "a frozen TensorFlow graph"),
        ("safetensors", b"\x10\0\0\0\0\0\0\0{\"a\":{}}      ", ErrorKind::NotAModel, "safetensors"),
        ("text", b"hello", ErrorKind::NotAModel, "a text file"),
        (
            "semicolons",
            b"id;lower;upper;size\na;0;2;10\nb;1;3;20\n",
            ErrorKind::NotAModel,
            "a table, but not one of buffers",
        ),
        ("no header", b"a,0,2,10\nb,1,3,20\n", ErrorKind::NotAModel, "a table, but not one of buffers"),
        ("other columns", b"name,from,to,bytes\na,0,2,10\n", ErrorKind::NotAModel, "a table, but not one of buffers"),
        ("json", b"{\"a\": 1}", ErrorKind::NotAModel, "a JSON file"),
        ("report", b"{\"schema\": 1, \"tool\": \"arenascope 0.1.0\"}", ErrorKind::NotAModel, "a report"),
        ("gzip of a picture", &gzip(b"\x89PNG"), ErrorKind::NotAModel, "a PNG image"),
        ("cut gzip", &gzip(&model())[..40], ErrorKind::Damaged, "gzip data"),
        ("cut zip", &numpy[..30], ErrorKind::Damaged, "zip archive"),
        ("numpy", &numpy, ErrorKind::NotAModel, "a NumPy archive: 1 file,"),
        ("saved model", &saved, ErrorKind::NotAModel, "a TensorFlow SavedModel"),
        ("numbers", numbers.as_bytes(), ErrorKind::NotAModel, "C source with 1 array of"),
        ("litertlm", &litertlm(&[(4, None, b"tokens")]), ErrorKind::NotAModel, "without a TensorFlow Lite model"),
    ] {
        let error = refuse(bytes, name);
        assert_eq!(error.kind, kind, "{name}: {error}");
        assert!(error.message.contains(part), "{name}: {error}");
    }
}

#[test]
fn compressed_bombs_are_refused() {
    let zeros = vec![0; 1 << 20];
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    for _ in 0..600 {
        encoder.write_all(&zeros).unwrap();
    }
    let bomb = encoder.finish().unwrap();
    assert_eq!(refuse(&bomb, "bomb.gz").kind, ErrorKind::TooLarge);
    // Inside an archive they are passed over together, not one by one.
    let names: Vec<String> = (0..50).map(|index| format!("{index}.gz")).collect();
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &bomb[..])).collect();
    assert_eq!(refuse(&stored(&files), "bombs.zip").kind, ErrorKind::NotAModel);
}

#[test]
fn plan_files_come_back() {
    let plan = PlanFile {
        name: "two <b>buffers</b>".to_owned(),
        alignment: 16,
        steps: vec!["CONV_2D".to_owned()],
        buffers: vec![
            PlanBuffer {
                name: "A".to_owned(),
                size_bytes: 1 << 40,
                last_step: 1,
                offset: Some(0),
                is_fixed: true,
                stays: true,
                reference: "s1:t3".to_owned(),
                dtype: "int8".to_owned(),
                shape: vec![1, -1, 48],
                role: "scratch".to_owned(),
                own_bytes: Some(40),
                ..PlanBuffer::default()
            },
            PlanBuffer { size_bytes: 1, first_step: 7, last_step: 7, batch: 3, ..PlanBuffer::default() },
        ],
        first_label: -2,
        step_ops: vec![Some(14), None],
        source: Some(PlanSource {
            sha256: "ab".repeat(32),
            model_bytes: 300_568,
            ops: 31,
            tensors: 89,
            runtime: "tflm".to_owned(),
            preserve_all_tensors: true,
            what_if: vec!["t31:bytes=4096".to_owned()],
            figures: PlanFigures { set_bytes: Some(84_112), heap_bytes: Some(0), ..PlanFigures::default() },
            ..PlanSource::default()
        }),
    };
    assert_eq!(container::open(plan.to_json().as_bytes(), None), Ok(Contents::Plan(Box::new(plan))));
}

#[test]
fn what_a_plan_file_only_shows_is_passed_over_when_it_is_odd() {
    let odd = r#"{"arenascope_plan": 1, "first_label": 1e40, "step_ops": [-1, "two", 4294967296, 3], "source": {"sha256": "short",
        "bytes": -1, "ops": "many", "set": 1e30, "runtime": 7, "what_if": [7, "", null]}, "buffers": [{"name": "A", "size": 1, "first_step": 0,
        "last_step": 0, "ref": 5, "dtype": [], "shape": [1, "x"], "role": null}]}"#;
    let Ok(Contents::Plan(plan)) = container::open(odd.as_bytes(), None) else { panic!("refused") };
    let buffer = PlanBuffer { name: "A".to_owned(), size_bytes: 1, ..PlanBuffer::default() };
    assert_eq!(plan.buffers, [buffer]);
    assert_eq!((plan.first_label, plan.step_ops.clone()), (0, vec![None, None, None, Some(3)]));
    assert_eq!(plan.source, Some(PlanSource::default()));
}

#[test]
fn bad_plan_files_name_the_field() {
    let buffer = |fields: &str| format!(r#"{{"arenascope_plan": 1, "buffers": [{{"name": "A", {fields}}}]}}"#);
    for (text, path) in [
        (r#"{"arenascope_plan": 2}"#.to_owned(), "arenascope_plan"),
        (r#"{"arenascope_plan": 1}"#.to_owned(), "buffers"),
        (r#"{"arenascope_plan": 1, "alignment": 0, "buffers": []}"#.to_owned(), "alignment"),
        (buffer(r#""size": 1, "first_step": 0"#), "buffers[0].last_step"),
        (buffer(r#""size": 1, "first_step": 3, "last_step": 2"#), "buffers[0].last_step"),
        (buffer(r#""size": 0, "first_step": 0, "last_step": 0"#), "buffers[0].size"),
        (buffer(r#""size": 1e30, "first_step": 0, "last_step": 0"#), "buffers[0].size"),
        (buffer(r#""size": 1, "first_step": 0, "last_step": 0, "offset": -1"#), "buffers[0].offset"),
        (buffer(r#""size": 1, "first_step": 0, "last_step": 99999999"#), "buffers[0].last_step"),
    ] {
        let error = refuse(text.as_bytes(), &text);
        assert_eq!(error.path.as_deref(), Some(path), "{text}: {error}");
    }
    assert_eq!(refuse(br#"{"arenascope_plan": 1, "#, "cut").kind, ErrorKind::Damaged);
}

#[test]
fn manifests_and_tables_are_told_apart() {
    let manifest = br#"{"type": "micro", "wake_word": "Hey", "model": "hey.tflite", "version": 2,
        "micro": {"probability_cutoff": 0.97, "tensor_arena_size": 22860}}"#;
    let expected = Manifest {
        wake_word: Some("Hey".to_owned()),
        model: Some("hey.tflite".to_owned()),
        tensor_arena_size: Some(22860),
    };
    assert_eq!(container::open(manifest, Some("hey.json")), Ok(Contents::Manifest(expected)));
    for table in ["id,lower,upper,size\n0,1,2,3\n", "\u{feff}ID, Lower, Upper, Size, Offset\r\n"] {
        assert_eq!(container::open(table.as_bytes(), None), Ok(Contents::PlanCsv), "{table}");
    }
}
