//! Finds fields in a model's bytes and overwrites them; builds tables that the model builder is too honest for.

use arenascope::schema;
use flatbuffers::{FlatBufferBuilder, Table, VOffsetT, WIPOffset};

/// `bytes` with the field of a table overwritten; the field must be there.
pub(crate) fn with_field(
    bytes: &[u8],
    table: impl for<'a> Fn(schema::Model<'a>) -> Table<'a>,
    field: VOffsetT,
    value: &[u8],
) -> Vec<u8> {
    let table = table(schema::root_as_model(bytes).unwrap());
    let at = table.vtable().get(field);
    assert_ne!(at, 0, "the field is absent");
    let place = table.loc() + usize::from(at);
    let mut patched = bytes.to_vec();
    patched[place..place + value.len()].copy_from_slice(value);
    patched
}

/// `bytes` with the first occurrence of `old` overwritten by `new`, which is as long.
pub(crate) fn with_bytes(bytes: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    assert_eq!(old.len(), new.len());
    let at = bytes.windows(old.len()).position(|window| window == old).expect("the bytes are there");
    let mut patched = bytes.to_vec();
    patched[at..at + new.len()].copy_from_slice(new);
    patched
}

/// A model of `graphs` times one subgraph, which has `tensors` times one tensor: small in the file, huge unfolded.
pub(crate) fn bomb(graphs: usize, tensors: usize) -> Vec<u8> {
    let mut fbb = FlatBufferBuilder::new();
    let tensor = schema::Tensor::create(&mut fbb, &schema::TensorArgs::default());
    let tensors = fbb.create_vector(&vec![tensor; tensors]);
    let args = schema::SubGraphArgs { tensors: Some(tensors), ..schema::SubGraphArgs::default() };
    let graph = schema::SubGraph::create(&mut fbb, &args);
    finish(fbb, graph, graphs)
}

/// A model whose tensors all have the same long name.
pub(crate) fn name_bomb(tensors: usize, name_bytes: usize) -> Vec<u8> {
    let mut fbb = FlatBufferBuilder::new();
    let name = fbb.create_vector(&vec![b'n'; name_bytes]);
    let args = schema::TensorArgs { name: Some(name), ..schema::TensorArgs::default() };
    let tensor = schema::Tensor::create(&mut fbb, &args);
    let tensors = fbb.create_vector(&vec![tensor; tensors]);
    let args = schema::SubGraphArgs { tensors: Some(tensors), ..schema::SubGraphArgs::default() };
    let graph = schema::SubGraph::create(&mut fbb, &args);
    finish(fbb, graph, 1)
}

/// A model of one operator whose options have a type without a value, or a value without a type.
pub(crate) fn lone_union(has_type: bool) -> Vec<u8> {
    let mut fbb = FlatBufferBuilder::new();
    let code = schema::OperatorCode::create(&mut fbb, &schema::OperatorCodeArgs::default());
    let options = schema::ArithmeticOptions::create(&mut fbb, &schema::ArithmeticOptionsArgs::default());
    let start = fbb.start_table();
    if has_type {
        fbb.push_slot_always(schema::Operator::VT_BUILTIN_OPTIONS_TYPE, schema::BuiltinOptions::Add);
    } else {
        fbb.push_slot_always(schema::Operator::VT_BUILTIN_OPTIONS, options);
    }
    let operator = fbb.end_table(start);
    let operators = fbb.create_vector(&[WIPOffset::<schema::Operator<'_>>::new(operator.value())]);
    let args = schema::SubGraphArgs { operators: Some(operators), ..schema::SubGraphArgs::default() };
    let graph = schema::SubGraph::create(&mut fbb, &args);
    let codes = fbb.create_vector(&[code]);
    let buffers = fbb.create_vector::<WIPOffset<schema::Buffer<'_>>>(&[]);
    let graphs = fbb.create_vector(&[graph]);
    let args = schema::ModelArgs {
        version: 3,
        operator_codes: Some(codes),
        subgraphs: Some(graphs),
        buffers: Some(buffers),
        ..schema::ModelArgs::default()
    };
    let root = schema::Model::create(&mut fbb, &args);
    schema::finish_model_buffer(&mut fbb, root);
    fbb.finished_data().to_vec()
}

/// A model without the list of buffers.
pub(crate) fn no_buffers() -> Vec<u8> {
    let mut fbb = FlatBufferBuilder::new();
    let graph = schema::SubGraph::create(&mut fbb, &schema::SubGraphArgs::default());
    let graphs = fbb.create_vector(&[graph]);
    let args = schema::ModelArgs { version: 3, subgraphs: Some(graphs), ..schema::ModelArgs::default() };
    let root = schema::Model::create(&mut fbb, &args);
    schema::finish_model_buffer(&mut fbb, root);
    fbb.finished_data().to_vec()
}

fn finish<'a>(mut fbb: FlatBufferBuilder<'a>, graph: WIPOffset<schema::SubGraph<'a>>, graphs: usize) -> Vec<u8> {
    let buffer = schema::Buffer::create(&mut fbb, &schema::BufferArgs::default());
    let buffers = fbb.create_vector(&[buffer]);
    let graphs = fbb.create_vector(&vec![graph; graphs]);
    let args = schema::ModelArgs {
        version: 3,
        subgraphs: Some(graphs),
        buffers: Some(buffers),
        ..schema::ModelArgs::default()
    };
    let root = schema::Model::create(&mut fbb, &args);
    schema::finish_model_buffer(&mut fbb, root);
    fbb.finished_data().to_vec()
}
