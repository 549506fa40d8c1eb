//! Turns a [`Model`] into FlatBuffer bytes.

use arenascope::model::BuiltinOp;
use arenascope::schema as fb;
use flatbuffers::{FlatBufferBuilder, ForwardsUOffset, Push, Vector, WIPOffset};

use super::encode_options::{self, Options};
use super::{DataPlace, Graph, Model, Op, Quantization, Signature, Tensor};

pub(super) type Builder = FlatBufferBuilder<'static>;
type Tables<T> = Option<WIPOffset<Vector<'static, ForwardsUOffset<T>>>>;

/// Offsets that stand in the place of real ones until the FlatBuffer's length is known; recognisable and unlikely.
const OFFSET_MARK: u64 = 0x7ea5_e000_0000_0000;

/// The buffers and operator codes gathered so far; equal ones are shared.
struct Lists {
    buffers: Vec<Vec<u8>>,
    codes: Vec<(BuiltinOp, Option<String>, i32)>,
}

pub(super) fn model(model: &Model) -> Vec<u8> {
    let mut fbb = Builder::new();
    // Buffer 0 is empty by convention.
    let mut lists = Lists { buffers: vec![Vec::new()], codes: Vec::new() };
    let graphs: Vec<_> = model.graphs.iter().map(|one| graph(&mut fbb, &mut lists, one)).collect();
    let signatures: Vec<_> = model.signatures.iter().map(|one| signature(&mut fbb, one)).collect();
    let metadata: Vec<_> = model
        .metadata
        .iter()
        .map(|(name, data)| {
            let buffer = lists.buffer(data.clone());
            let name = text(&mut fbb, name);
            fb::Metadata::create(&mut fbb, &fb::MetadataArgs { name, buffer })
        })
        .collect();
    let codes: Vec<_> = lists.codes.iter().map(|code| operator_code(&mut fbb, code)).collect();
    let buffers: Vec<_> =
        (0..).zip(&lists.buffers).map(|(index, data)| buffer(&mut fbb, model.data, index, data)).collect();
    let args = fb::ModelArgs {
        version: model.version,
        operator_codes: tables(&mut fbb, &codes),
        subgraphs: tables(&mut fbb, &graphs),
        description: text(&mut fbb, &model.description),
        buffers: tables(&mut fbb, &buffers),
        metadata_buffer: None,
        metadata: if metadata.is_empty() { None } else { tables(&mut fbb, &metadata) },
        signature_defs: if signatures.is_empty() { None } else { tables(&mut fbb, &signatures) },
    };
    let root = fb::Model::create(&mut fbb, &args);
    fb::finish_model_buffer(&mut fbb, root);
    let mut bytes = fbb.finished_data().to_vec();
    if let Some(place) = bytes.get_mut(4..8) {
        place.copy_from_slice(&model.identifier);
    }
    if model.data == DataPlace::Behind { append_data(bytes, &lists.buffers) } else { bytes }
}

/// Puts the buffers' data behind the FlatBuffer, 16-byte aligned, and their offsets in the marks' places.
fn append_data(mut bytes: Vec<u8>, buffers: &[Vec<u8>]) -> Vec<u8> {
    let tables = bytes.len();
    for (index, data) in (0_u64..).zip(buffers) {
        if data.is_empty() {
            continue;
        }
        bytes.resize(bytes.len().next_multiple_of(16), 0);
        let mark = (OFFSET_MARK + index).to_le_bytes();
        let place = bytes.windows(8).take(tables).position(|window| window == mark);
        let offset = (bytes.len() as u64).to_le_bytes();
        if let Some(place) = place.and_then(|place| bytes.get_mut(place..place + 8)) {
            place.copy_from_slice(&offset);
        }
        bytes.extend_from_slice(data);
    }
    bytes
}

fn buffer(fbb: &mut Builder, place: DataPlace, index: u64, data: &[u8]) -> WIPOffset<fb::Buffer<'static>> {
    let (data, offset, size) = match place {
        // Buffer 0 has no data; others may have data of no bytes.
        _ if index == 0 => (None, 0, 0),
        DataPlace::Behind if data.is_empty() => (None, 0, 0),
        DataPlace::Inline => (Some(fbb.create_vector(data)), 0, 0),
        DataPlace::Behind => (None, OFFSET_MARK + index, data.len() as u64),
    };
    fb::Buffer::create(fbb, &fb::BufferArgs { data, offset, size })
}

impl Lists {
    fn buffer(&mut self, data: Vec<u8>) -> u32 {
        let known = self.buffers.iter().skip(1).position(|known| *known == data);
        let index = known.map_or(self.buffers.len(), |index| index + 1);
        if known.is_none() {
            self.buffers.push(data);
        }
        u32::try_from(index).unwrap_or(u32::MAX)
    }

    fn code(&mut self, op: &Op) -> u32 {
        let code = (op.builtin, op.custom_name.clone(), op.version);
        let index = self.codes.iter().position(|known| *known == code).unwrap_or(self.codes.len());
        if index == self.codes.len() {
            self.codes.push(code);
        }
        u32::try_from(index).unwrap_or(u32::MAX)
    }
}

fn operator_code(
    fbb: &mut Builder,
    (builtin, custom_name, version): &(BuiltinOp, Option<String>, i32),
) -> WIPOffset<fb::OperatorCode<'static>> {
    let custom_code = custom_name.as_deref().and_then(|name| text(fbb, name));
    // Old readers look at the narrow field; 127 sends them to the wide one.
    let deprecated_builtin_code = i8::try_from(builtin.0.min(127)).unwrap_or(127);
    let args =
        fb::OperatorCodeArgs { deprecated_builtin_code, custom_code, version: *version, builtin_code: builtin.0 };
    fb::OperatorCode::create(fbb, &args)
}

fn graph(fbb: &mut Builder, lists: &mut Lists, graph: &Graph) -> WIPOffset<fb::SubGraph<'static>> {
    let tensors: Vec<_> = graph.tensors.iter().map(|one| tensor(fbb, lists, one)).collect();
    let operators: Vec<_> = graph.ops.iter().map(|one| operator(fbb, lists, one)).collect();
    let args = fb::SubGraphArgs {
        tensors: tables(fbb, &tensors),
        inputs: numbers(fbb, &graph.inputs),
        outputs: numbers(fbb, &graph.outputs),
        operators: tables(fbb, &operators),
        name: text(fbb, &graph.name),
    };
    fb::SubGraph::create(fbb, &args)
}

fn tensor(fbb: &mut Builder, lists: &mut Lists, tensor: &Tensor) -> WIPOffset<fb::Tensor<'static>> {
    let buffer = tensor.data.as_ref().map_or(0, |data| lists.buffer(data.clone()));
    let args = fb::TensorArgs {
        shape: tensor.shape.as_deref().and_then(|dims| numbers(fbb, dims)),
        type_: tensor.dtype.number(),
        buffer: tensor.buffer.unwrap_or(buffer),
        name: text(fbb, &tensor.name),
        quantization: tensor.quantization.as_ref().map(|one| quantization(fbb, one)),
        is_variable: tensor.is_variable,
        sparsity: tensor.is_sparse.then(|| fb::SparsityParameters::create(fbb, &fb::SparsityParametersArgs {})),
        shape_signature: tensor.shape_signature.as_deref().and_then(|dims| numbers(fbb, dims)),
        has_rank: tensor.has_rank,
        external_buffer: 0,
    };
    fb::Tensor::create(fbb, &args)
}

fn quantization(fbb: &mut Builder, one: &Quantization) -> WIPOffset<fb::QuantizationParameters<'static>> {
    let args = fb::QuantizationParametersArgs {
        scale: numbers(fbb, &one.scales),
        zero_point: numbers(fbb, &one.zero_points),
        quantized_dimension: one.dimension,
        ..fb::QuantizationParametersArgs::default()
    };
    fb::QuantizationParameters::create(fbb, &args)
}

fn operator(fbb: &mut Builder, lists: &mut Lists, op: &Op) -> WIPOffset<fb::Operator<'static>> {
    let options = match &op.raw_options {
        Some((union_type, floats)) => Options::first(fb::BuiltinOptions(*union_type), raw_table(fbb, floats)),
        None => encode_options::options(fbb, op.builtin, &op.options),
    };
    let args = fb::OperatorArgs {
        opcode_index: lists.code(op),
        inputs: numbers(fbb, &op.inputs),
        outputs: numbers(fbb, &op.outputs),
        builtin_options_type: options.first_type,
        builtin_options: options.first,
        custom_options: op.custom_options.as_ref().map(|data| fbb.create_vector(data)),
        intermediates: if op.intermediates.is_empty() { None } else { numbers(fbb, &op.intermediates) },
        large_custom_options_offset: 0,
        large_custom_options_size: 0,
        builtin_options_2_type: options.second_type,
        builtin_options_2: options.second,
    };
    fb::Operator::create(fbb, &args)
}

/// A table of floats by field id.
fn raw_table(fbb: &mut Builder, floats: &[(u16, f32)]) -> WIPOffset<flatbuffers::UnionWIPOffset> {
    let start = fbb.start_table();
    for &(id, value) in floats {
        fbb.push_slot_always(flatbuffers::field_index_to_field_offset(id), value);
    }
    let table = fbb.end_table(start);
    WIPOffset::new(table.value())
}

fn signature(fbb: &mut Builder, one: &Signature) -> WIPOffset<fb::SignatureDef<'static>> {
    let mut side = |list: &[(String, u32)]| {
        let maps: Vec<_> = list
            .iter()
            .map(|(name, tensor_index)| {
                let name = text(fbb, name);
                fb::TensorMap::create(fbb, &fb::TensorMapArgs { name, tensor_index: *tensor_index })
            })
            .collect();
        tables(fbb, &maps)
    };
    let (inputs, outputs) = (side(&one.inputs), side(&one.outputs));
    let signature_key = text(fbb, &one.key);
    fb::SignatureDef::create(fbb, &fb::SignatureDefArgs { inputs, outputs, signature_key, subgraph_index: one.graph })
}

/// Text with a zero behind it, as the runtimes ask for; the schema declares it as bytes.
#[expect(clippy::unnecessary_wraps, reason = "the generated argument structs want an option")]
pub(super) fn text(fbb: &mut Builder, text: &str) -> Option<WIPOffset<Vector<'static, u8>>> {
    Some(WIPOffset::new(fbb.create_string(text).value()))
}

/// A list of numbers.
#[expect(clippy::unnecessary_wraps, reason = "the generated argument structs want an option")]
pub(super) fn numbers<T: Push + Copy + 'static>(
    fbb: &mut Builder,
    values: &[T],
) -> Option<WIPOffset<Vector<'static, T::Output>>> {
    Some(fbb.create_vector(values))
}

#[expect(clippy::unnecessary_wraps, reason = "the generated argument structs want an option")]
fn tables<T: 'static>(fbb: &mut Builder, list: &[WIPOffset<T>]) -> Tables<T> {
    Some(fbb.create_vector(list))
}
