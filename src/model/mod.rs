//! Turns bytes into an owned, verified [`Model`] with warnings. Weights are ranges, never copied.
//! Knows the schema; knows nothing of runtimes or plans.
//!
//! Every index in a [`Model`] has been checked: operators name tensors that exist (or omit them), tensors name
//! buffers that exist, buffers lie inside the file, control flow names subgraphs that exist.

mod constant;
mod data_type;
mod op;
mod options;
mod read;
mod read_graph;
mod read_options;
mod read_stablehlo;
mod verify;

use std::ops::Range;

pub use op::BuiltinOp;
pub use options::{Activation, OpOptions, Padding, Pair};
pub use read::read;

use crate::error::Warning;
use crate::units::{OperatorId, SubgraphId, TensorId};

/// A tensor's element type, by the schema's names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum DataType {
    Float32,
    Float16,
    Int32,
    UInt8,
    Int64,
    String,
    Bool,
    Int16,
    Complex64,
    Int8,
    Float64,
    Complex128,
    UInt64,
    Resource,
    Variant,
    UInt32,
    UInt16,
    Int4,
    BFloat16,
    Int2,
    UInt4,
    Float8E4M3Fn,
    Float8E5M2,
    /// A number that this version's schema does not know.
    Unknown(i8),
}

/// Quantisation, as far as it matters for memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Quantization {
    /// How many scales: 0 not quantised, 1 per tensor, more per channel.
    pub scales: u32,
    /// How many zero points.
    pub zero_points: u32,
    /// The first scale, for the display.
    pub first_scale: Option<f32>,
    /// The first zero point, for the display and for kernels that treat symmetric quantisation apart.
    pub first_zero_point: Option<i64>,
    /// Whether some scale differs from the first: `TFLite`'s hybrid convolutions are per channel only then.
    pub scales_differ: bool,
    /// Whether all zero points are 0.
    pub symmetric: bool,
    /// The dimension that the scales run along.
    pub dimension: i32,
    /// `min`/`max` are given.
    pub has_min_max: bool,
    /// A details table (custom or blockwise) is given; its union type.
    pub details: u8,
    /// Block size of a blockwise quantisation, else 0.
    pub block_size: i32,
}

/// Where a tensor's constant data lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BufferData {
    /// The buffer holds nothing.
    Empty,
    /// The data lie at these bytes of the model's bytes (inline, or by offset behind the FlatBuffer). The range is
    /// empty where the file holds data of no bytes, which is another thing than no data: to `TFLite` it is a constant.
    File(Range<u64>),
}

/// One of the model's buffers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelBuffer {
    /// Where its data lie.
    pub data: BufferData,
    /// Whether they lie outside the FlatBuffer, named by offset: `TFLite` reads such data, TFLite-Micro takes the
    /// buffer for an empty one.
    pub is_outside: bool,
}

/// One tensor as the file describes it.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent fields of the file, not a state")]
pub struct Tensor {
    /// Its name; any text, also hostile.
    pub name: String,
    /// Dims as in the field `shape`; empty for a scalar or when the shape is absent.
    pub shape: Vec<i32>,
    /// Whether the field `shape` exists at all.
    pub has_shape: bool,
    /// Dims as in `shape_signature`: −1 where the size is open; empty when absent.
    pub shape_signature: Vec<i32>,
    /// The field `has_rank`.
    pub has_rank: bool,
    /// Element type.
    pub dtype: DataType,
    /// Index into [`Model::buffers`].
    pub buffer: u32,
    /// State that survives between runs.
    pub is_variable: bool,
    /// Quantisation, when there is any.
    pub quantization: Option<Quantization>,
    /// Stored sparsely.
    pub is_sparse: bool,
    /// Offset of the tensor's table in the model's bytes.
    pub byte_offset: u64,
}

/// Which operator: builtin or custom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorCode {
    /// The builtin operator; [`BuiltinOp::CUSTOM`] for custom ones.
    /// This is the larger of the old and the new field, as the runtimes take it.
    pub builtin: BuiltinOp,
    /// The field `builtin_code` alone.
    pub builtin_code: i32,
    /// The field `deprecated_builtin_code` alone.
    pub deprecated_builtin_code: i8,
    /// A custom operator's name.
    pub custom_name: Option<String>,
    /// The operator's version.
    pub version: i32,
}

/// One operator. Its inputs, outputs and intermediates are checked indices; `None` is an omitted optional one (−1).
#[derive(Clone, Debug, PartialEq)]
pub struct Operator {
    /// Index into [`Model::operator_codes`].
    pub code: u32,
    /// Tensors read, in order.
    pub inputs: Vec<Option<TensorId>>,
    /// Tensors written, in order.
    pub outputs: Vec<Option<TensorId>>,
    /// The kernel's intermediate tensors, in order.
    pub intermediates: Vec<Option<TensorId>>,
    /// Its options.
    pub options: OpOptions,
    /// Offset of the operator's table in the model's bytes.
    pub byte_offset: u64,
}

/// One graph: tensors, and operators in order of execution.
#[derive(Clone, Debug, PartialEq)]
pub struct Subgraph {
    /// Its name, maybe empty.
    pub name: String,
    /// All its tensors.
    pub tensors: Vec<Tensor>,
    /// Graph inputs (`None` for −1).
    pub inputs: Vec<Option<TensorId>>,
    /// Graph outputs (`None` for −1).
    pub outputs: Vec<Option<TensorId>>,
    /// Operators in order of execution.
    pub operators: Vec<Operator>,
}

/// A named entry point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// Its key, as in `serving_default`.
    pub key: String,
    /// The subgraph it runs.
    pub subgraph: SubgraphId,
    /// Names of inputs with their tensors.
    pub inputs: Vec<(String, TensorId)>,
    /// Names of outputs with their tensors.
    pub outputs: Vec<(String, TensorId)>,
}

/// A named piece of metadata in one of the buffers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metadata {
    /// Its name.
    pub name: String,
    /// Index into [`Model::buffers`].
    pub buffer: u32,
}

/// A whole model, owned, every index checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// The schema version in the file.
    pub version: u32,
    /// Free text.
    pub description: String,
    /// Operators used.
    pub operator_codes: Vec<OperatorCode>,
    /// Subgraphs; the first is the main one, and there is at least one.
    pub subgraphs: Vec<Subgraph>,
    /// Buffers; number 0 is empty by convention.
    pub buffers: Vec<ModelBuffer>,
    /// Entry points.
    pub signatures: Vec<Signature>,
    /// Named metadata.
    pub metadata: Vec<Metadata>,
    /// Bytes of the file.
    pub file_bytes: u64,
    /// Odd but readable.
    pub warnings: Vec<Warning>,
}

impl Model {
    /// The main subgraph.
    ///
    /// # Panics
    /// Never for a model from [`read`]: it has at least one subgraph.
    pub fn main(&self) -> &Subgraph {
        self.subgraph(SubgraphId(0))
    }

    /// The subgraph `id`.
    ///
    /// # Panics
    /// When `id` is not of this model.
    pub fn subgraph(&self, id: SubgraphId) -> &Subgraph {
        &self.subgraphs[id.index()]
    }

    /// The code of an operator of this model.
    ///
    /// # Panics
    /// When the operator is not of this model.
    pub fn code(&self, op: &Operator) -> &OperatorCode {
        &self.operator_codes[op.code as usize]
    }

    /// The operator's name: `CONV_2D`, or a custom operator's own name.
    pub fn op_name(&self, op: &Operator) -> &str {
        let code = self.code(op);
        match &code.custom_name {
            Some(name) if code.builtin == BuiltinOp::CUSTOM => name,
            _ => code.builtin.name(),
        }
    }

    /// The bytes range of a tensor's constant data as `TFLite` finds them: maybe empty, and never in buffer 0
    /// (`InterpreterBuilder::ParseTensors`, `tflite/core/interpreter_builder.cc`, LiteRT f67457790c9c).
    pub fn constant(&self, tensor: &Tensor) -> Option<Range<u64>> {
        match &self.buffers[tensor.buffer as usize].data {
            BufferData::File(range) if tensor.buffer != 0 => Some(range.clone()),
            _ => None,
        }
    }

    /// The same as TFLite-Micro finds them: inside the FlatBuffer, never empty, in any buffer
    /// (`GetFlatbufferTensorBuffer`, `micro_allocator.cc`, tflite-micro 90b983c2).
    pub fn micro_constant(&self, tensor: &Tensor) -> Option<Range<u64>> {
        let buffer = &self.buffers[tensor.buffer as usize];
        match &buffer.data {
            BufferData::File(range) if !buffer.is_outside && !range.is_empty() => Some(range.clone()),
            _ => None,
        }
    }

    /// All operators of a subgraph with their ids.
    pub fn operators(&self, id: SubgraphId) -> impl Iterator<Item = (OperatorId, &Operator)> {
        self.subgraph(id).operators.iter().enumerate().map(|(index, op)| (OperatorId::from_index(index), op))
    }
}
