//! Written models: read again, they mean what the old ones meant, with the plan or the order inside.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

#[path = "rewrite/bake.rs"]
mod bake;
#[path = "rewrite/corpus.rs"]
mod corpus;
#[path = "rewrite/real.rs"]
mod real;

use arenascope::error::ErrorKind;
use arenascope::model::{self, BufferData, Model};
use arenascope::rewrite::{Change, OFFLINE_PLAN, OfflinePlan, with_offline_plan, with_order, write};
use arenascope::units::OperatorId;
use support::{DataPlace, graph_text};

/// A plan with another number for every tensor.
fn any_plan(model: &Model) -> OfflinePlan {
    let mut plan = OfflinePlan::online(model);
    for (index, offset) in plan.offsets.iter_mut().flatten().enumerate() {
        *offset = (index % 3 != 0).then_some(16 * index as u64);
    }
    plan
}

/// The offline plan in the model, as the runtime reads it.
fn plan_in(bytes: &[u8]) -> Vec<i32> {
    let model = model::read(bytes).unwrap();
    let entries: Vec<_> = model.metadata.iter().filter(|entry| entry.name == OFFLINE_PLAN).collect();
    assert_eq!(entries.len(), 1, "one plan");
    let BufferData::File(range) = &model.buffers[entries[0].buffer as usize].data else { panic!("no data") };
    assert_eq!(range.start % 4, 0, "numbers are aligned");
    let words = &bytes[usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap()];
    words.chunks_exact(4).map(|word| i32::from_le_bytes(word.try_into().unwrap())).collect()
}

/// What the plan should look like in the file.
fn words_of(plan: &OfflinePlan) -> Vec<i32> {
    let offsets: Vec<i32> = plan
        .offsets
        .iter()
        .flatten()
        .map(|offset| offset.map_or(-1, |offset| i32::try_from(offset).unwrap()))
        .collect();
    let counts = [plan.offsets.len(), offsets.len()].map(|count| i32::try_from(count).unwrap());
    [1, counts[0], counts[1]].into_iter().chain(offsets).collect()
}

/// Writes a plan into the model and looks at the result.
fn check_plan(bytes: &[u8]) -> Vec<u8> {
    let model = model::read(bytes).unwrap();
    let plan = any_plan(&model);
    let written = with_offline_plan(bytes, &model, &plan).unwrap();
    assert_eq!(plan_in(&written), words_of(&plan));
    let tail = &written[written.len() - bytes.len()..];
    let changed = tail.iter().zip(bytes).filter(|(new, old)| new != old).count();
    assert!(written.len() == bytes.len() || changed <= 64, "the old file stands behind the prefix: {changed} changed");
    assert_eq!((written.len() - bytes.len()) % 64, 0, "alignment is kept");
    written
}

const GRAPH: &str = "in x:64\nconst w:8\nop x w -> a:32\nop x -> b:16\nADD a b -> c:32\nout c";
const TWO_GRAPHS: &str = "in x:64\nop x -> y:8\nout y\ngraph other\nin p:4\nconst k:4\nADD p k -> q:4\nout q";

#[test]
fn a_plan_is_added() {
    check_plan(&graph_text::parse(GRAPH).build());
    check_plan(&graph_text::parse(TWO_GRAPHS).build());
}

#[test]
fn other_metadata_stay_and_old_plans_go() {
    let mut model = graph_text::parse(GRAPH);
    model.metadata.push(("min_runtime_version".to_owned(), b"2.3.0".to_vec()));
    model.offline_plan(&[0, -1]);
    model.metadata.push(("other".to_owned(), vec![1, 2, 3]));
    model.offline_plan(&[-1, 0, 0, 0, 0, 0, 0]);
    let written = check_plan(&model.build());
    let names: Vec<String> = model::read(&written).unwrap().metadata.into_iter().map(|entry| entry.name).collect();
    assert_eq!(names, ["min_runtime_version", "other", OFFLINE_PLAN]);
}

#[test]
fn a_plan_of_the_same_length_is_written_over() {
    let first = check_plan(&graph_text::parse(GRAPH).build());
    let second = check_plan(&first);
    assert_eq!(first.len(), second.len(), "writing twice does not grow the file");
    let model = model::read(&second).unwrap();
    let online = with_offline_plan(&second, &model, &OfflinePlan::online(&model)).unwrap();
    assert_eq!(plan_in(&online)[3..], [-1; 5]);
}

#[test]
fn a_plan_whose_buffer_a_tensor_uses_is_not_written_over() {
    let mut model = graph_text::parse(GRAPH);
    model.offline_plan(&[-1; 5]);
    let data = model.metadata[0].1.clone();
    model.graphs[0].tensors[1].data = Some(data.clone());
    let bytes = model.build();
    let written = check_plan(&bytes);
    let read = model::read(&written).unwrap();
    let range = read.constant(&read.main().tensors[1]).unwrap();
    assert_eq!(written[usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap()], data);
}

#[test]
fn data_outside_the_flatbuffer_move_along() {
    let mut model = graph_text::parse(GRAPH);
    model.graphs[0].tensors[1].data = Some((0..8).collect());
    model.data = DataPlace::Behind;
    let bytes = model.build();
    let written = check_plan(&bytes);
    let read = model::read(&written).unwrap();
    let range = read.constant(&read.main().tensors[1]).unwrap();
    let range = usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap();
    assert_eq!(written[range], [0, 1, 2, 3, 4, 5, 6, 7]);
}

#[test]
fn operators_are_permuted() {
    let bytes = graph_text::parse(GRAPH).build();
    let model = model::read(&bytes).unwrap();
    let orders = [[1, 0, 2].map(OperatorId).to_vec()];
    let written = with_order(&bytes, &model, &orders).unwrap();
    assert_eq!(written.len(), bytes.len());
    let read = model::read(&written).unwrap();
    let places: Vec<u64> = read.main().operators.iter().map(|op| op.byte_offset).collect();
    let expected: Vec<u64> = [1, 0, 2].map(|op: usize| model.main().operators[op].byte_offset).to_vec();
    assert_eq!(places, expected);
    let back = with_order(&written, &read, &orders).unwrap();
    assert_eq!(back, bytes, "the same swap again gives the old file");
}

#[test]
fn plan_and_order_together() {
    let bytes = graph_text::parse(TWO_GRAPHS).build();
    let model = model::read(&bytes).unwrap();
    let plan = any_plan(&model);
    let orders = [vec![OperatorId(0)], vec![OperatorId(0)]];
    let written = write(&bytes, &model, Change { plan: Some(&plan), orders: Some(&orders) }).unwrap();
    assert_eq!(plan_in(&written), words_of(&plan));
}

#[test]
fn no_change_is_no_change() {
    let bytes = graph_text::parse(GRAPH).build();
    let model = model::read(&bytes).unwrap();
    assert_eq!(write(&bytes, &model, Change::default()).unwrap(), bytes);
    assert_eq!(with_order(&bytes, &model, &[]).unwrap(), bytes);
}

#[test]
fn what_does_not_fit_is_refused() {
    let bytes = graph_text::parse(GRAPH).build();
    let model = model::read(&bytes).unwrap();
    let kind = |orders: &[Vec<OperatorId>]| with_order(&bytes, &model, orders).unwrap_err().kind;
    assert_eq!(kind(&[vec![OperatorId(0)]]), ErrorKind::BadOption, "too short");
    assert_eq!(kind(&[[0, 0, 1].map(OperatorId).to_vec()]), ErrorKind::BadOption, "twice");
    assert_eq!(kind(&[[0, 1, 2].map(OperatorId).to_vec(), Vec::new()]), ErrorKind::BadOption, "too many");
    let mut plan = any_plan(&model);
    plan.offsets[0][0] = Some(1 << 31);
    assert_eq!(with_offline_plan(&bytes, &model, &plan).unwrap_err().kind, ErrorKind::TooLarge);
    plan.offsets[0].pop();
    assert_eq!(with_offline_plan(&bytes, &model, &plan).unwrap_err().kind, ErrorKind::BadOption);
    let other = graph_text::parse(TWO_GRAPHS).build();
    let kind = with_offline_plan(&other, &model, &any_plan(&model)).unwrap_err().kind;
    assert_eq!(kind, ErrorKind::BadOption, "another file's bytes");
}

#[test]
fn an_order_without_a_new_plan_is_refused_where_there_is_an_old_one() {
    let mut model = graph_text::parse(GRAPH);
    model.offline_plan(&[-1; 5]);
    let bytes = model.build();
    let model = model::read(&bytes).unwrap();
    let orders = [[1, 0, 2].map(OperatorId).to_vec()];
    assert_eq!(with_order(&bytes, &model, &orders).unwrap_err().kind, ErrorKind::Refused);
    let plan = any_plan(&model);
    assert!(write(&bytes, &model, Change { plan: Some(&plan), orders: Some(&orders) }).is_ok());
}

#[test]
fn operators_that_metadata_name_by_place_stay() {
    let mut model = graph_text::parse(GRAPH);
    model.metadata.push(("model_control_dependencies".to_owned(), vec![1, 0]));
    let bytes = model.build();
    let model = model::read(&bytes).unwrap();
    let given: Vec<OperatorId> = (0..3).map(OperatorId).collect();
    assert!(with_order(&bytes, &model, &[given]).is_ok(), "the given order changes nothing");
    let swapped = [1, 0, 2].map(OperatorId).to_vec();
    assert_eq!(with_order(&bytes, &model, &[swapped]).unwrap_err().kind, ErrorKind::Refused);
}

/// A model with a zip behind it, as metadata tools write it: positions count from the start of the file.
fn with_zip(model: &[u8], counts_from_start: bool) -> Vec<u8> {
    use std::io::{Seek, SeekFrom, Write};
    let mut cursor = std::io::Cursor::new(if counts_from_start { model.to_vec() } else { Vec::new() });
    cursor.seek(SeekFrom::End(0)).unwrap();
    let options = zip::write::SimpleFileOptions::default();
    let mut writer = zip::ZipWriter::new(cursor);
    for (name, text) in [("labels.txt", "cat\ndog\n"), ("vocab.txt", "one two")] {
        writer.start_file(name, options).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.set_comment("a comment");
    let archive = writer.finish().unwrap().into_inner();
    if counts_from_start { archive } else { [model, &archive].concat() }
}

#[test]
fn an_appended_zip_stays_readable() {
    let model = graph_text::parse(GRAPH).build();
    for counts_from_start in [true, false] {
        let bytes = with_zip(&model, counts_from_start);
        let written = check_plan(&bytes);
        assert!(written.len() > bytes.len());
        let mut archive = zip::ZipArchive::new(std::io::Cursor::new(&written)).unwrap();
        let mut text = String::new();
        std::io::Read::read_to_string(&mut archive.by_name("labels.txt").unwrap(), &mut text).unwrap();
        assert_eq!(text, "cat\ndog\n");
        assert_eq!(archive.len(), 2);
        let first = if counts_from_start { 0 } else { written.len() as u64 - (bytes.len() - model.len()) as u64 };
        assert_eq!(archive.offset(), first, "positions count from where they counted before");
    }
}
