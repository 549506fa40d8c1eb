//! One small model for each operator that TFLite-Micro registers, in the types that its kernel treats apart. What the
//! Python wheel gives for them lies in `tests/golden/tflm_generated.jsonl`; `BLESS=1 cargo xtask parity tflm` asks it anew.

use arenascope::model::{BuiltinOp, DataType};

use crate::generated_ops::{CUSTOM, PLAIN, with_options};
use crate::support::{Graph, Model, OMITTED, Op, Quantization, Tensor};

/// A model's name and bytes.
pub(crate) type Named = (String, Vec<u8>);

/// A tensor in words: `i8[1,4]` an activation, `=` a constant of zeros, `=1,2` one of these numbers, `@0.5` or `@0.5/-128`
/// quantised with that scale and zero point, `@0.5*3` with that scale three times, `!` a variable; `_` an omitted one.
fn tensor(graph: &mut Graph, word: &str) -> i32 {
    if word == "_" {
        return OMITTED;
    }
    let (kind, rest) = word.split_once('[').unwrap();
    let (dims, rest) = rest.split_once(']').unwrap();
    let dtype = match kind {
        "f32" => DataType::Float32,
        "i4" => DataType::Int4,
        "i8" => DataType::Int8,
        "i16" => DataType::Int16,
        "i32" => DataType::Int32,
        "i64" => DataType::Int64,
        "u8" => DataType::UInt8,
        "u32" => DataType::UInt32,
        "u64" => DataType::UInt64,
        "bool" => DataType::Bool,
        other => panic!("unknown type {other}"),
    };
    let shape: Vec<i32> = dims.split(',').filter(|dim| !dim.is_empty()).map(|dim| dim.parse().unwrap()).collect();
    let name = format!("t{}", graph.tensors.len());
    let mut tensor = Tensor::new(&name, &shape, dtype);
    tensor.is_variable = rest.contains('!');
    if let Some((_, text)) = rest.split_once('@') {
        let text = text.split(['=', '!']).next().unwrap();
        let (text, count) = text.split_once('*').map_or((text, 1), |(text, count)| (text, count.parse().unwrap()));
        let (scale, zero) = text.split_once('/').unwrap_or((text, "0"));
        tensor.quantization = Some(Quantization {
            scales: vec![scale.parse().unwrap(); count],
            zero_points: vec![zero.parse().unwrap(); count],
            dimension: 0,
        });
    }
    if let Some((_, numbers)) = rest.split_once('=') {
        tensor.data = Some(data(dtype, &shape, numbers));
    }
    graph.add(tensor)
}

/// Constant data: the numbers given, or zeros.
fn data(dtype: DataType, shape: &[i32], numbers: &str) -> Vec<u8> {
    let width = match dtype {
        DataType::Float32 | DataType::Int32 | DataType::UInt32 => 4,
        DataType::Int16 => 2,
        DataType::Int64 | DataType::UInt64 => 8,
        _ => 1,
    };
    if numbers.is_empty() {
        let elements: i32 = shape.iter().product();
        return vec![0; usize::try_from(elements).unwrap() * width];
    }
    let number = |text: &str| text.parse::<i64>().unwrap().to_le_bytes()[..width].to_vec();
    numbers.split(',').flat_map(number).collect()
}

/// A model of one operator: `inputs -> outputs`.
pub(crate) fn one(op: Op, tensors: &str) -> Vec<u8> {
    let mut graph = Graph::new("main");
    let (inputs, outputs) = tensors.split_once("->").unwrap();
    let inputs: Vec<i32> = inputs.split_whitespace().map(|word| tensor(&mut graph, word)).collect();
    let outputs: Vec<i32> = outputs.split_whitespace().map(|word| tensor(&mut graph, word)).collect();
    let is_input = |id: &&i32| {
        let tensor = usize::try_from(**id).ok().map(|index| &graph.tensors[index]);
        tensor.is_some_and(|tensor| tensor.data.is_none() && !tensor.is_variable)
    };
    graph.inputs = inputs.iter().filter(is_input).copied().collect();
    graph.outputs.clone_from(&outputs);
    graph.op(Op { inputs, outputs, ..op });
    Model::new(vec![graph]).build()
}

fn builtin(op: BuiltinOp) -> Op {
    Op::new(op, &[], &[])
}

/// A model of one custom operator: `inputs -> outputs`.
pub(crate) fn custom(name: &str, options: &[(&str, u32)], tensors: &str) -> Vec<u8> {
    one(Op { custom_options: Some(flexbuffer(options)), ..Op::custom(name, &[], &[]) }, tensors)
}

/// All models.
pub(crate) fn models() -> Vec<Named> {
    let mut all = Vec::new();
    for (op, tensors) in PLAIN {
        all.push((name(*op, tensors), one(builtin(*op), tensors)));
    }
    for (op, options, tensors) in with_options() {
        all.push((name(op, tensors), one(builtin(op).with(options), tensors)));
    }
    for (name, options, tensors) in CUSTOM {
        all.push((format!("{:03}_{name}", all.len()), custom(name, options, tensors)));
    }
    for (index, (name, _)) in all.iter_mut().enumerate() {
        *name = format!("{index:03}_{}", name.trim_start_matches(|c: char| c.is_ascii_digit() || c == '_'));
    }
    all
}

fn name(op: BuiltinOp, tensors: &str) -> String {
    let first = tensors.split('[').next().unwrap_or_default();
    format!("{}_{}", op.name(), first.trim())
}

/// A `FlexBuffer` map of numbers, keys in order, everything four bytes wide.
fn flexbuffer(entries: &[(&str, u32)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut keys = Vec::new();
    for (key, _) in entries {
        keys.push(bytes.len());
        bytes.extend_from_slice(key.as_bytes());
        bytes.push(0);
    }
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    let word = |value: usize| u32::try_from(value).unwrap().to_le_bytes();
    bytes.extend_from_slice(&word(entries.len()));
    let keys_at = bytes.len();
    for key in keys {
        let back = word(bytes.len() - key);
        bytes.extend_from_slice(&back);
    }
    let back = word(bytes.len() - keys_at);
    bytes.extend_from_slice(&back);
    bytes.extend_from_slice(&word(4));
    bytes.extend_from_slice(&word(entries.len()));
    let values_at = bytes.len();
    for (_, value) in entries {
        bytes.extend_from_slice(&value.to_le_bytes());
    }
    // Each value is an integer of four bytes.
    bytes.extend(entries.iter().map(|_| (1 << 2) | 2));
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    let back = word(bytes.len() - values_at);
    bytes.extend_from_slice(&back);
    bytes.extend_from_slice(&[(9 << 2) | 2, 4]);
    bytes
}
