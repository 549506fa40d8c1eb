//! Small graphs as text, one line each, for tests:
//!
//! ```text
//! in  a:16            # the skip keeps `a` alive over two ops
//! op  a   -> b:32
//! op  a b -> c:16
//! out c
//! ```
//!
//! - `in`, `const`, `var` declare tensors; an operator's line declares those on its right that are new.
//! - A tensor is `name:16` (16 bytes, int8) or `name:f32[1,8]`; later just `name`, and `_` is an omitted one.
//! - `op` is a custom operator named `op`; any builtin operator can stand in its place by its name: `ADD a b -> c:16`.
//! - `out` lists graph outputs. `graph NAME` begins another subgraph.

use arenascope::model::{BuiltinOp, DataType};

use super::{Graph, Model, OMITTED, Op, Tensor};

/// The model that the text describes.
///
/// # Panics
/// When the text is wrong: it is part of a test.
pub fn parse(text: &str) -> Model {
    let mut graphs = vec![Graph::new("main")];
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or_default().trim();
        let mut words = line.split_whitespace();
        let Some(first) = words.next() else { continue };
        if first == "graph" {
            graphs.push(Graph::new(words.next().unwrap_or_default()));
            continue;
        }
        if let Some(graph) = graphs.last_mut() {
            statement(graph, first, &words.collect::<Vec<_>>(), line);
        }
    }
    Model::new(graphs)
}

fn statement(graph: &mut Graph, first: &str, words: &[&str], line: &str) {
    match first {
        "in" => {
            let ids = declare(graph, words, line);
            graph.inputs.extend(ids);
        }
        "const" => {
            for id in declare(graph, words, line) {
                let tensor = &mut graph.tensors[usize::try_from(id).unwrap_or_default()];
                tensor.data = Some(vec![0; bytes_of(tensor)]);
            }
        }
        "var" => {
            for id in declare(graph, words, line) {
                graph.tensors[usize::try_from(id).unwrap_or_default()].is_variable = true;
            }
        }
        "out" => {
            let ids: Vec<i32> = words.iter().map(|word| find(graph, word, line)).collect();
            graph.outputs.extend(ids);
        }
        name => {
            let mut sides = words.split(|word| *word == "->");
            let (Some(inputs), Some(outputs), None) = (sides.next(), sides.next(), sides.next()) else {
                panic!("`{line}`: expected `{name} inputs -> outputs`");
            };
            let inputs: Vec<i32> = inputs.iter().map(|word| find(graph, word, line)).collect();
            let outputs = declare(graph, outputs, line);
            graph.op(op(name, &inputs, &outputs, line));
        }
    }
}

fn op(name: &str, inputs: &[i32], outputs: &[i32], line: &str) -> Op {
    if name == "op" {
        return Op::custom("op", inputs, outputs);
    }
    let builtin = BuiltinOp::ALL.iter().copied().find(|builtin| builtin.name() == name);
    Op::new(builtin.unwrap_or_else(|| panic!("`{line}`: no operator {name}")), inputs, outputs)
}

/// The tensors named, each found or, with a size behind its name, added.
fn declare(graph: &mut Graph, words: &[&str], line: &str) -> Vec<i32> {
    words
        .iter()
        .map(|word| match word.split_once(':') {
            Some((name, size)) => {
                let (dtype, shape) = parse_size(size).unwrap_or_else(|| panic!("`{line}`: `{size}` is no size"));
                graph.add(Tensor::new(name, &shape, dtype))
            }
            None => find(graph, word, line),
        })
        .collect()
}

fn find(graph: &Graph, name: &str, line: &str) -> i32 {
    if name == "_" {
        return OMITTED;
    }
    let index = graph.tensors.iter().position(|tensor| tensor.name == name);
    index.and_then(|index| i32::try_from(index).ok()).unwrap_or_else(|| panic!("`{line}`: no tensor {name}"))
}

/// `16` or `f32[1,8]`.
fn parse_size(size: &str) -> Option<(DataType, Vec<i32>)> {
    let Some((dtype, dims)) = size.split_once('[') else {
        return Some((DataType::Int8, vec![size.parse().ok()?]));
    };
    let dtype = match dtype {
        "f32" => DataType::Float32,
        "f16" => DataType::Float16,
        "i64" => DataType::Int64,
        "i32" => DataType::Int32,
        "i16" => DataType::Int16,
        "i8" => DataType::Int8,
        "u8" => DataType::UInt8,
        "i4" => DataType::Int4,
        "bool" => DataType::Bool,
        "str" => DataType::String,
        "res" => DataType::Resource,
        _ => return None,
    };
    let dims = dims.strip_suffix(']')?;
    let dims = dims.split(',').filter(|dim| !dim.is_empty()).map(|dim| dim.trim().parse().ok());
    Some((dtype, dims.collect::<Option<_>>()?))
}

/// Bytes of a tensor with a fixed element size; elements below 8 bits are packed.
fn bytes_of(tensor: &Tensor) -> usize {
    let elements: i32 = tensor.shape.iter().flatten().product();
    let bits = tensor.dtype.bits().unwrap_or(0) as usize;
    (usize::try_from(elements).unwrap_or(0) * bits).div_ceil(8)
}
