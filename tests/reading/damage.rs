//! Every kind of damage: one clear error with its place, or a model with a warning.

use std::time::{Duration, Instant};

use arenascope::error::{Error, ErrorKind};
use arenascope::model::{self, BuiltinOp, DataType, OpOptions};
use arenascope::schema;
use arenascope::units::SubgraphId;

use crate::patch;
use crate::support::{DataPlace, Graph, Model, Op, Signature, Tensor, graph_text};

const NET: &str = "
    in    x:f32[1,4]
    const w:f32[2,4]
    op    x w -> y:f32[1,2]
    ADD   y y -> z:f32[1,2]
    out   z";

fn net() -> Vec<u8> {
    graph_text::parse(NET).build()
}

/// The error that reading gives, fast.
fn refuse(bytes: &[u8]) -> Error {
    let start = Instant::now();
    let error = model::read(bytes).expect_err("damage is refused");
    // A second, and room for a build without optimisation on a busy machine.
    let most = Duration::from_secs(if cfg!(debug_assertions) { 10 } else { 1 });
    assert!(start.elapsed() < most, "took {:?}", start.elapsed());
    error
}

/// Checks that reading fails in this way: kind, field path, and a part of the sentence.
fn check(name: &str, bytes: &[u8], kind: ErrorKind, path: &str, part: &str) {
    let error = refuse(bytes);
    assert_eq!((error.kind, error.path.as_deref().unwrap_or_default()), (kind, path), "{name}: {error}");
    assert!(error.message.contains(part), "{name}: {error}");
    let inside = error.offset.is_none_or(|offset| offset <= bytes.len() as u64);
    assert!(inside, "{name}: the offset lies outside the file: {error}");
}

/// Checks that reading succeeds with one warning of this code, about that part of the model.
fn warn(name: &str, bytes: &[u8], code: &str, about: Option<&str>) -> model::Model {
    let model = model::read(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    let codes: Vec<_> = model.warnings.iter().map(|warning| (warning.code, warning.about.as_deref())).collect();
    assert_eq!(codes, [(code, about)], "{name}");
    assert!(model.warnings[0].byte_offset.is_some(), "{name}: the warning has no place");
    model
}

#[test]
fn nothing_and_noise_are_no_models() {
    for (name, bytes) in [("empty", &b""[..]), ("short", b"TFL3"), ("html", b"<!DOCTYPE html><html></html>")] {
        assert_eq!(refuse(bytes).kind, ErrorKind::NotAModel, "{name}");
    }
    check("zeros", &[0; 64], ErrorKind::NotAModel, "", "expected \"TFL3\"");
    check("identifier only", b"\x08\0\0\0TFL3", ErrorKind::Damaged, "", "the file ends at 0x8");
}

#[test]
fn every_cut_is_told() {
    let bytes = net();
    for len in 0..bytes.len() {
        match model::read(&bytes[..len]) {
            Ok(_) => assert!(len + 4 > bytes.len(), "cut to {len} of {} bytes and read", bytes.len()),
            Err(error) if len < 8 => assert_eq!(error.kind, ErrorKind::NotAModel, "{len}: {error}"),
            Err(error) => {
                assert_eq!(error.kind, ErrorKind::Damaged, "{len}: {error}");
                assert!(error.offset.is_some_and(|offset| offset <= len as u64), "{len}: {error}");
            }
        }
    }
}

#[test]
fn indices_out_of_range_name_their_field() {
    let mut text = graph_text::parse(NET);
    text.graphs[0].tensors[2].buffer = Some(9);
    let path = "subgraphs[0].tensors[2].buffer";
    check("buffer", &text.build(), ErrorKind::Damaged, path, "buffer 9, but the model has 2 buffers");

    let field = schema::Operator::VT_OPCODE_INDEX;
    let code = patch::with_field(&net(), operator_table, field, &77_u32.to_le_bytes());
    check("code", &code, ErrorKind::Damaged, "subgraphs[0].operators[1].opcode_index", "operator code 77");

    for (index, name) in [(4, "one too far"), (-2, "negative"), (i32::MAX, "huge"), (i32::MIN, "least")] {
        let mut text = graph_text::parse(NET);
        text.graphs[0].ops[1].inputs[1] = index;
        check(
            name,
            &text.build(),
            ErrorKind::Damaged,
            "subgraphs[0].operators[1].inputs[1]",
            &format!("tensor {index}"),
        );
    }
    let mut text = graph_text::parse(NET);
    text.graphs[0].outputs.push(99);
    check("graph output", &text.build(), ErrorKind::Damaged, "subgraphs[0].outputs[1]", "has 4 tensors");
}

fn operator_table(model: schema::Model<'_>) -> flatbuffers::Table<'_> {
    model.subgraphs().unwrap().get(0).operators().unwrap().get(1)._tab
}

#[test]
fn control_flow_names_subgraphs_that_exist() {
    let options = OpOptions::While { cond_subgraph: SubgraphId(0), body_subgraph: SubgraphId(7) };
    let mut graph = Graph::new("main");
    graph.op(Op::new(BuiltinOp::WHILE, &[], &[]).with(options));
    let path = "subgraphs[0].operators[0].builtin_options.body_subgraph_index";
    check("body", &Model::new(vec![graph]).build(), ErrorKind::Damaged, path, "subgraph 7, but the model has 1");
}

#[test]
fn models_without_their_lists() {
    check("no subgraphs", &Model::new(Vec::new()).build(), ErrorKind::Damaged, "subgraphs", "no subgraphs");
    check("no buffers", &patch::no_buffers(), ErrorKind::Damaged, "buffers", "no buffers");
}

#[test]
fn counts_beyond_the_file_are_refused() {
    let text = graph_text::parse("in x:f32[77,66,55]\nout x");
    let bytes = text.build();
    let dims: Vec<u8> = [3, 77, 66, 55].iter().flat_map(|dim: &i32| dim.to_le_bytes()).collect();
    for count in [4_000_000_u32, u32::MAX] {
        let mut more = dims.clone();
        more[..4].copy_from_slice(&count.to_le_bytes());
        let patched = patch::with_bytes(&bytes, &dims, &more);
        check("count", &patched, ErrorKind::Damaged, "subgraphs[0].tensors[0].shape", "the file ends at");
    }
    let rank = Tensor::new("x", &[1; 65], DataType::Int8);
    let mut graph = Graph::new("main");
    graph.add(rank);
    check("rank", &Model::new(vec![graph]).build(), ErrorKind::TooLarge, "subgraphs[0].tensors[0].shape", "65 dims");
}

#[test]
fn bombs_fail_fast() {
    for (graphs, tensors) in [(1000, 1000), (8000, 8000), (40_000, 2), (2, 40_000)] {
        let bytes = patch::bomb(graphs, tensors);
        let error = refuse(&bytes);
        assert_eq!(error.kind, ErrorKind::TooLarge, "{graphs} × {tensors}: {error}");
    }
    let error = refuse(&patch::name_bomb(20_000, 1 << 20));
    assert_eq!(error.kind, ErrorKind::TooLarge, "{error}");
}

#[test]
fn shared_parts_are_no_bomb() {
    // Honest files share, too: one name for all tensors, one tensor table for many.
    assert_eq!(model::read(&patch::bomb(1, 100)).unwrap().main().tensors.len(), 100);
    assert_eq!(model::read(&patch::name_bomb(100, 20)).unwrap().main().tensors[99].name.len(), 20);
}

#[test]
fn data_cut_off_behind_the_model() {
    let text = Model { data: DataPlace::Behind, ..graph_text::parse(NET) };
    let bytes = text.build();
    let error = refuse(&bytes[..bytes.len() - 1]);
    assert_eq!((error.kind, error.path.as_deref()), (ErrorKind::Damaged, Some("buffers[1]")), "{error}");
}

#[test]
fn odd_but_readable() {
    let identifier = Model { identifier: *b"TFLX", ..graph_text::parse(NET) };
    warn("identifier", &identifier.build(), "wrong-identifier", None);

    let version = Model { version: 2, ..graph_text::parse(NET) };
    assert_eq!(warn("version", &version.build(), "schema-version", None).version, 2);

    let negative = graph_text::parse("in x:f32[1,-3]\nout x").build();
    assert_eq!(warn("negative dim", &negative, "negative-dim", Some("t0")).main().tensors[0].shape, [1, -3]);

    let huge = graph_text::parse("in x:f32[2147483647,2147483647,2147483647]\nout x").build();
    assert_eq!(model::read(&huge).unwrap().warnings, []);

    let mut future = graph_text::parse(NET);
    future.graphs[0].ops[1].builtin = BuiltinOp(999);
    let model = warn("future operator", &future.build(), "unknown-op", None);
    assert_eq!(model.code(&model.main().operators[1]).builtin, BuiltinOp(999));

    let mut kind = graph_text::parse(NET);
    kind.graphs[0].tensors[3].dtype = DataType::Unknown(99);
    warn("element type", &kind.build(), "unknown-type", Some("t3"));

    let mut nameless = graph_text::parse(NET);
    nameless.graphs[0].ops[0].custom_name = None;
    warn("custom operator without a name", &nameless.build(), "custom-op-without-name", None);

    let mut union = graph_text::parse(NET);
    union.graphs[0].ops[1] = union.graphs[0].ops[1].clone().with_raw(200, &[(0, 1.0)]);
    let model = model::read(&union.build()).unwrap();
    assert_eq!(model.main().operators[1].options, OpOptions::Unknown { union_type: 200 });
}

#[test]
fn lone_halves_of_a_union_are_no_options() {
    for has_type in [true, false] {
        let model = model::read(&patch::lone_union(has_type)).unwrap();
        assert_eq!(model.main().operators[0].options, OpOptions::None);
    }
}

#[test]
fn loose_ends_are_left_out() {
    let mut text = graph_text::parse(NET);
    let signature = |graph, tensor| Signature {
        key: format!("{graph} {tensor}"),
        graph,
        inputs: vec![("x".to_owned(), tensor)],
        outputs: Vec::new(),
    };
    text.signatures = vec![signature(0, 0), signature(5, 0), signature(0, 50)];
    text.metadata.push(("min_runtime_version".to_owned(), b"1.5.0".to_vec()));
    let bytes = text.build();
    let model = model::read(&bytes).unwrap();
    let keys: Vec<_> = model.signatures.iter().map(|signature| signature.key.as_str()).collect();
    assert_eq!(keys, ["0 0"]);
    let codes: Vec<_> = model.warnings.iter().map(|warning| warning.code).collect();
    assert_eq!(codes, ["bad-signature", "bad-signature"]);

    let patched = patch::with_field(&bytes, metadata_table, schema::Metadata::VT_BUFFER, &70_u32.to_le_bytes());
    let model = model::read(&patched).unwrap();
    assert_eq!(model.metadata, []);
    assert_eq!(model.warnings.last().map(|warning| warning.code), Some("bad-metadata"));
}

fn metadata_table(model: schema::Model<'_>) -> flatbuffers::Table<'_> {
    model.metadata().unwrap().get(0)._tab
}

#[test]
fn hostile_names_are_only_text() {
    let long = "x".repeat(1 << 20);
    for name in ["<script>alert(1)</script>", "\0", "../../etc", "\u{202e}gnp.exe", "a\nb", "", long.as_str()] {
        let mut graph = Graph::new(name);
        graph.input(name, &[1], DataType::Int8);
        graph.op(Op::custom(name, &[0], &[]));
        let model = model::read(&Model::new(vec![graph]).build()).unwrap();
        assert_eq!(model.main().tensors[0].name, name);
        assert_eq!(model.op_name(&model.main().operators[0]), name);
        assert_eq!(model.warnings, []);
    }
    let bytes = graph_text::parse("in name_to_break:1\nout name_to_break").build();
    let broken = patch::with_bytes(&bytes, b"name_to_break", b"name\xff\xfeo_break");
    let model = warn("not UTF-8", &broken, "text-not-utf8", None);
    assert_eq!(model.main().tensors[0].name, "name\u{fffd}\u{fffd}o_break");
}

#[test]
fn warnings_of_one_kind_are_counted_not_listed() {
    let mut graph = Graph::new("main");
    for _ in 0..500 {
        graph.tensor("x", &[-1], DataType::Int8);
    }
    let model = model::read(&Model::new(vec![graph]).build()).unwrap();
    assert_eq!(model.warnings.len(), 21);
    assert_eq!(model.warnings[20].message, "480 more warnings of this kind");
}
