//! Builds `.tflite` bytes from plain values, for tests and for the samples: [`Model`] → [`Model::build`] → bytes.
//! Small graphs can be written as text, see [`graph_text`]. Needs the crates `arenascope` and `flatbuffers` only.
//!
//! ```
//! let mut graph = Graph::new("main");
//! let x = graph.input("x", &[1, 8], DataType::Float32);
//! let w = graph.constant("w", &[4, 8], DataType::Float32, vec![0; 4 * 8 * 4]);
//! let y = graph.tensor("y", &[1, 4], DataType::Float32);
//! graph.op(Op::new(BuiltinOp::FULLY_CONNECTED, &[x, w, OMITTED], &[y]));
//! graph.outputs = vec![y];
//! let bytes = Model::new(vec![graph]).build();
//! ```
#![allow(dead_code, unreachable_pub, reason = "each user includes the whole and takes a part")]

mod encode;
mod encode_graph_options;
mod encode_options;
mod encode_stablehlo;
pub mod graph_text;
pub mod litertlm;

use arenascope::model::{BuiltinOp, DataType, OpOptions};

/// The index of an omitted optional tensor.
pub const OMITTED: i32 = -1;

/// A whole model.
#[derive(Clone, Debug)]
pub struct Model {
    /// Schema version, 3 in real models.
    pub version: u32,
    /// The file identifier.
    pub identifier: [u8; 4],
    /// Free text.
    pub description: String,
    /// Subgraphs, the main one first.
    pub graphs: Vec<Graph>,
    /// Entry points.
    pub signatures: Vec<Signature>,
    /// Metadata by name.
    pub metadata: Vec<(String, Vec<u8>)>,
    /// Where constant data lie.
    pub data: DataPlace,
}

/// Where constant data lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataPlace {
    /// Inside the FlatBuffer.
    Inline,
    /// Behind it, named by offset (as models above 2 GB do).
    Behind,
}

/// One subgraph.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// Its name.
    pub name: String,
    /// Tensors; ids are indices into this list.
    pub tensors: Vec<Tensor>,
    /// Graph inputs.
    pub inputs: Vec<i32>,
    /// Graph outputs.
    pub outputs: Vec<i32>,
    /// Operators in order of execution.
    pub ops: Vec<Op>,
}

/// One tensor.
#[derive(Clone, Debug)]
pub struct Tensor {
    /// Its name.
    pub name: String,
    /// Its dims; `None` leaves the field out.
    pub shape: Option<Vec<i32>>,
    /// Its `shape_signature`.
    pub shape_signature: Option<Vec<i32>>,
    /// The field `has_rank`.
    pub has_rank: bool,
    /// Element type.
    pub dtype: DataType,
    /// Constant data; tensors with equal data share a buffer as converters do.
    pub data: Option<Vec<u8>>,
    /// Names this buffer instead of the one that `data` gives.
    pub buffer: Option<u32>,
    /// State.
    pub is_variable: bool,
    /// Quantisation.
    pub quantization: Option<Quantization>,
    /// Stored sparsely (an empty sparsity table).
    pub is_sparse: bool,
}

/// Quantisation, in full.
#[derive(Clone, Debug, Default)]
pub struct Quantization {
    /// Scales: one, or one per channel.
    pub scales: Vec<f32>,
    /// Zero points, as many.
    pub zero_points: Vec<i64>,
    /// The dimension that the scales run along.
    pub dimension: i32,
}

/// One operator.
#[derive(Clone, Debug)]
pub struct Op {
    /// Which.
    pub builtin: BuiltinOp,
    /// A custom operator's name.
    pub custom_name: Option<String>,
    /// Its version.
    pub version: i32,
    /// Tensors read.
    pub inputs: Vec<i32>,
    /// Tensors written.
    pub outputs: Vec<i32>,
    /// Intermediate tensors.
    pub intermediates: Vec<i32>,
    /// Options; `Custom` and `Unknown` are not written.
    pub options: OpOptions,
    /// Options without a counterpart in `OpOptions`: union number and (field id, value) of its floats.
    pub raw_options: Option<(u8, Vec<(u16, f32)>)>,
    /// A custom operator's options.
    pub custom_options: Option<Vec<u8>>,
}

/// An entry point.
#[derive(Clone, Debug)]
pub struct Signature {
    /// Its key.
    pub key: String,
    /// Its subgraph.
    pub graph: u32,
    /// Inputs by name.
    pub inputs: Vec<(String, u32)>,
    /// Outputs by name.
    pub outputs: Vec<(String, u32)>,
}

impl Model {
    /// A model of these subgraphs and nothing else.
    pub fn new(graphs: Vec<Graph>) -> Model {
        Model {
            version: 3,
            identifier: *b"TFL3",
            description: String::new(),
            graphs,
            signatures: Vec::new(),
            metadata: Vec::new(),
            data: DataPlace::Inline,
        }
    }

    /// Adds TFLite-Micro's offline plan: an offset for every tensor of every subgraph, −1 to plan it online.
    pub fn offline_plan(&mut self, offsets: &[i32]) {
        let count = i32::try_from(offsets.len()).unwrap_or(i32::MAX);
        let words = [1, 0, count].into_iter().chain(offsets.iter().copied());
        let bytes = words.flat_map(i32::to_le_bytes).collect();
        self.metadata.push(("OfflineMemoryAllocation".to_owned(), bytes));
    }

    /// The model's bytes.
    pub fn build(&self) -> Vec<u8> {
        encode::model(self)
    }
}

impl Graph {
    /// An empty subgraph.
    pub fn new(name: &str) -> Graph {
        Graph { name: name.to_owned(), ..Graph::default() }
    }

    /// Adds a tensor and gives its id.
    pub fn add(&mut self, tensor: Tensor) -> i32 {
        self.tensors.push(tensor);
        i32::try_from(self.tensors.len() - 1).unwrap_or(i32::MAX)
    }

    /// Adds an activation.
    pub fn tensor(&mut self, name: &str, shape: &[i32], dtype: DataType) -> i32 {
        self.add(Tensor::new(name, shape, dtype))
    }

    /// Adds an activation that is a graph input.
    pub fn input(&mut self, name: &str, shape: &[i32], dtype: DataType) -> i32 {
        let id = self.tensor(name, shape, dtype);
        self.inputs.push(id);
        id
    }

    /// Adds a constant.
    pub fn constant(&mut self, name: &str, shape: &[i32], dtype: DataType, data: Vec<u8>) -> i32 {
        self.add(Tensor { data: Some(data), ..Tensor::new(name, shape, dtype) })
    }

    /// Adds a constant list of 32-bit numbers.
    pub fn constant_i32(&mut self, name: &str, values: &[i32]) -> i32 {
        let count = i32::try_from(values.len()).unwrap_or(i32::MAX);
        self.constant(name, &[count], DataType::Int32, values.iter().flat_map(|value| value.to_le_bytes()).collect())
    }

    /// Adds a variable.
    pub fn variable(&mut self, name: &str, shape: &[i32], dtype: DataType) -> i32 {
        self.add(Tensor { is_variable: true, ..Tensor::new(name, shape, dtype) })
    }

    /// Quantises a tensor that was added before: one scale, or one per channel along `dimension`, all zero points 0.
    pub fn quantize(&mut self, tensor: i32, scales: &[f32], dimension: i32) {
        let tensor = usize::try_from(tensor).ok().and_then(|index| self.tensors.get_mut(index));
        if let Some(tensor) = tensor {
            let zero_points = vec![0; scales.len()];
            tensor.quantization = Some(Quantization { scales: scales.to_vec(), zero_points, dimension });
        }
    }

    /// Adds an operator.
    pub fn op(&mut self, op: Op) {
        self.ops.push(op);
    }
}

impl Tensor {
    /// An activation.
    pub fn new(name: &str, shape: &[i32], dtype: DataType) -> Tensor {
        Tensor {
            name: name.to_owned(),
            shape: Some(shape.to_vec()),
            shape_signature: None,
            has_rank: false,
            dtype,
            data: None,
            buffer: None,
            is_variable: false,
            quantization: None,
            is_sparse: false,
        }
    }
}

impl Op {
    /// A builtin operator without options.
    pub fn new(builtin: BuiltinOp, inputs: &[i32], outputs: &[i32]) -> Op {
        Op {
            builtin,
            custom_name: None,
            version: 1,
            inputs: inputs.to_vec(),
            outputs: outputs.to_vec(),
            intermediates: Vec::new(),
            options: OpOptions::None,
            raw_options: None,
            custom_options: None,
        }
    }

    /// A custom operator.
    pub fn custom(name: &str, inputs: &[i32], outputs: &[i32]) -> Op {
        Op { custom_name: Some(name.to_owned()), ..Op::new(BuiltinOp::CUSTOM, inputs, outputs) }
    }

    /// The same operator with options.
    #[must_use]
    pub fn with(self, options: OpOptions) -> Op {
        Op { options, ..self }
    }

    /// The same operator with options that `OpOptions` does not have, as SOFTMAX's beta: `with_raw(9, &[(0, 1.0)])`.
    #[must_use]
    pub fn with_raw(self, union_type: u8, floats: &[(u16, f32)]) -> Op {
        Op { raw_options: Some((union_type, floats.to_vec())), ..self }
    }
}
