//! What a kernel sees and may do while it is prepared: its node, its tensors, and changes to them.

use super::super::bytes;
use super::super::graph::{Class, Data, Graph, TensorState, World};
use crate::error::{Error, ErrorKind, Result, Warning};
use crate::limits;
use crate::model::{DataType, OpOptions, Operator, OperatorCode, Quantization};
use crate::units::{SubgraphId, TensorId};

/// One node being prepared.
#[derive(Debug)]
pub(in super::super) struct Context<'w, 'm> {
    pub(super) world: &'w mut World<'m>,
    pub(super) graph: SubgraphId,
    pub(super) node: usize,
}

/// Facts.
impl<'w, 'm> Context<'w, 'm> {
    /// The context of a node of a subgraph.
    pub(in super::super) fn new(world: &'w mut World<'m>, graph: SubgraphId, node: usize) -> Context<'w, 'm> {
        Context { world, graph, node }
    }

    /// The whole model's state, for kernels that run other subgraphs.
    pub(in super::super) fn world(&mut self) -> &mut World<'m> {
        self.world
    }

    /// The subgraph's state.
    pub(in super::super) fn graph(&self) -> &Graph {
        self.world.graph(self.graph)
    }

    /// Subgraph and node.
    pub(in super::super) fn place(&self) -> (SubgraphId, usize) {
        (self.graph, self.node)
    }

    /// The operator in the file.
    pub(in super::super) fn op(&self) -> &'m Operator {
        &self.world.model.subgraph(self.graph).operators[self.node]
    }

    /// The operator's code.
    pub(in super::super) fn code(&self) -> &'m OperatorCode {
        self.world.model.code(self.op())
    }

    /// The operator's name.
    pub(in super::super) fn op_name(&self) -> &'m str {
        self.world.model.op_name(self.op())
    }

    /// The operator's options.
    pub(in super::super) fn options(&self) -> &'m OpOptions {
        &self.op().options
    }

    /// How many inputs the node lists, omitted ones included.
    pub(in super::super) fn input_count(&self) -> usize {
        self.graph().nodes[self.node].inputs.len()
    }

    /// How many outputs the node lists, omitted ones included.
    pub(in super::super) fn output_count(&self) -> usize {
        self.graph().nodes[self.node].outputs.len()
    }

    /// Input `index`; `None` when it is omitted or not listed.
    pub(in super::super) fn optional_input(&self, index: usize) -> Option<TensorId> {
        self.graph().nodes[self.node].inputs.get(index).copied().flatten()
    }

    /// Output `index`; `None` when it is omitted or not listed.
    pub(in super::super) fn optional_output(&self, index: usize) -> Option<TensorId> {
        self.graph().nodes[self.node].outputs.get(index).copied().flatten()
    }

    /// Input `index`, which must be there.
    pub(in super::super) fn input(&self, index: usize) -> Result<TensorId> {
        self.optional_input(index).ok_or_else(|| self.refuse(&format!("input {index} is missing")))
    }

    /// Output `index`, which must be there.
    pub(in super::super) fn output(&self, index: usize) -> Result<TensorId> {
        self.optional_output(index).ok_or_else(|| self.refuse(&format!("output {index} is missing")))
    }

    /// A tensor's state.
    pub(in super::super) fn tensor(&self, id: TensorId) -> &TensorState {
        self.graph().tensor(id)
    }

    /// A tensor's dims.
    pub(in super::super) fn dims(&self, id: TensorId) -> &[i32] {
        &self.tensor(id).dims
    }

    /// How many dims a tensor has.
    pub(in super::super) fn rank(&self, id: TensorId) -> usize {
        self.dims(id).len()
    }

    /// One dim; an error when the tensor has fewer.
    pub(in super::super) fn dim(&self, id: TensorId, index: usize) -> Result<i32> {
        let dims = self.dims(id);
        dims.get(index)
            .copied()
            .ok_or_else(|| self.refuse(&format!("tensor {id} has {} dims, not {}", dims.len(), index + 1)))
    }

    /// How many elements a tensor has.
    pub(in super::super) fn elements(&self, id: TensorId) -> u64 {
        bytes::elements(self.dims(id)).unwrap_or(0)
    }

    /// The product of dims as a dim; an error when it passes `i32` or one is negative.
    pub(in super::super) fn product(&self, dims: &[i32]) -> Result<i32> {
        let product = bytes::elements(dims).and_then(|product| i32::try_from(product).ok());
        product.ok_or_else(|| self.refuse(&format!("the product of {dims:?} is too large")))
    }

    /// A tensor's element type; `None` for a temporary that is not set up.
    pub(in super::super) fn dtype(&self, id: TensorId) -> Option<DataType> {
        self.tensor(id).dtype
    }

    /// Whether a tensor has this element type.
    pub(in super::super) fn is(&self, id: TensorId, dtype: DataType) -> bool {
        self.dtype(id) == Some(dtype)
    }

    /// A tensor's quantisation in the file; `None` for temporaries and where there is none.
    pub(in super::super) fn quantization(&self, id: TensorId) -> Option<&'m Quantization> {
        let tensor = self.world.model.subgraph(self.graph).tensors.get(id.index())?;
        tensor.quantization.as_ref().filter(|quantization| quantization.scales > 0)
    }

    /// Whether a tensor is a variable.
    pub(in super::super) fn is_variable(&self, id: TensorId) -> bool {
        self.graph().variables.contains(&id)
    }

    /// `HasUnspecifiedDimension`: the file's `shape_signature` leaves a dim open.
    pub(in super::super) fn has_open_dim(&self, id: TensorId) -> bool {
        let tensor = self.world.model.subgraph(self.graph).tensors.get(id.index());
        tensor.is_some_and(|tensor| tensor.shape_signature.contains(&-1))
    }

    /// Whether a tensor of the file is stored sparsely.
    pub(in super::super) fn is_sparse(&self, id: TensorId) -> bool {
        self.world.model.subgraph(self.graph).tensors.get(id.index()).is_some_and(|tensor| tensor.is_sparse)
    }

    /// `IsConstantTensor`: in the file.
    pub(in super::super) fn is_constant(&self, id: TensorId) -> bool {
        self.tensor(id).class == Class::File
    }

    /// `IsConstantOrPersistentTensor`: in the file, or computed while preparing.
    pub(in super::super) fn is_constant_or_folded(&self, id: TensorId) -> bool {
        self.tensor(id).is_constant()
    }

    /// `IsDynamicTensor`: on the heap, sized while running.
    pub(in super::super) fn is_dynamic(&self, id: TensorId) -> bool {
        self.tensor(id).class == Class::Dynamic
    }

    /// A tensor's contents, when they are known.
    pub(in super::super) fn contents(&self, id: TensorId) -> Option<&[u8]> {
        let tensor = self.tensor(id);
        let bytes = match &tensor.data {
            Data::None | Data::Untracked => return None,
            Data::File(range) => self.world.bytes.get(range.clone())?,
            Data::Folded(bytes) => bytes,
        };
        bytes.get(..usize::try_from(tensor.bytes).ok()?)
    }

    /// A tensor's values as whole numbers, when they are known and of a whole-number type.
    pub(in super::super) fn ints(&self, id: TensorId) -> Option<Vec<i64>> {
        let bytes = self.contents(id).filter(|_| self.elements(id) <= limits::MAX_VALUES as u64)?;
        Some(match self.dtype(id)? {
            DataType::Int8 => bytes.iter().map(|&byte| i64::from(byte.cast_signed())).collect(),
            DataType::UInt8 | DataType::Bool => bytes.iter().map(|&byte| i64::from(byte)).collect(),
            DataType::Int16 => chunks(bytes).map(|chunk| i64::from(i16::from_le_bytes(chunk))).collect(),
            DataType::UInt16 => chunks(bytes).map(|chunk| i64::from(u16::from_le_bytes(chunk))).collect(),
            DataType::Int32 => chunks(bytes).map(|chunk| i64::from(i32::from_le_bytes(chunk))).collect(),
            DataType::UInt32 => chunks(bytes).map(|chunk| i64::from(u32::from_le_bytes(chunk))).collect(),
            DataType::Int64 => chunks(bytes).map(i64::from_le_bytes).collect(),
            _ => return None,
        })
    }

    /// A tensor's values as dims, when they are known: int32 or int64, each within `i32`.
    pub(in super::super) fn dims_in(&self, id: TensorId) -> Option<Vec<i32>> {
        self.ints(id)?.into_iter().map(|value| i32::try_from(value).ok()).collect()
    }

    /// A tensor's values as floats, when they are known and of type float32.
    pub(in super::super) fn floats(&self, id: TensorId) -> Option<Vec<f32>> {
        let bytes = self.contents(id)?;
        self.is(id, DataType::Float32).then(|| chunks(bytes).map(f32::from_le_bytes).collect())
    }

    /// The error of a kernel that refuses this node.
    pub(in super::super) fn refuse(&self, message: &str) -> Error {
        super::refused(self, message)
    }

    /// `TF_LITE_ENSURE`: an error with `message` unless `holds`.
    pub(in super::super) fn ensure(&self, holds: bool, message: &str) -> Result<()> {
        if holds { Ok(()) } else { Err(self.refuse(message)) }
    }
}

/// Changes.
impl Context<'_, '_> {
    fn tensor_mut(&mut self, id: TensorId) -> &mut TensorState {
        self.world.graph_mut(self.graph).tensor_mut(id)
    }

    /// `ResizeTensor`: new dims, and bytes by them. A tensor of the file keeps its dims or is an error.
    pub(in super::super) fn resize(&mut self, id: TensorId, dims: Vec<i32>) -> Result<()> {
        let tensor = self.tensor(id);
        if tensor.class == Class::File {
            return self
                .ensure(tensor.dims == dims, &format!("tensor {id} lies in the file and cannot take dims {dims:?}"));
        }
        let size = match tensor.dtype {
            Some(dtype) if bytes::is_heap_type(dtype) => 0,
            Some(dtype) => bytes::tensor_bytes(dtype, &dims).ok_or_else(|| self.too_large(id, &dims))?,
            None => return Err(self.refuse(&format!("tensor {id} has no type"))),
        };
        let tensor = self.tensor_mut(id);
        tensor.assumed = false;
        tensor.dims = dims;
        tensor.bytes = size;
        Ok(())
    }

    fn too_large(&self, id: TensorId, dims: &[i32]) -> Error {
        let mut error = self.refuse(&format!("tensor {id} cannot have dims {dims:?}"));
        if dims.iter().all(|&dim| dim >= 0) {
            error.kind = ErrorKind::TooLarge;
        }
        error
    }

    /// Gives a tensor an element type; its bytes change only when it is resized.
    pub(in super::super) fn set_type(&mut self, id: TensorId, dtype: DataType) {
        self.tensor_mut(id).dtype = Some(dtype);
    }

    /// Says where a tensor lies, without touching its dims.
    pub(in super::super) fn set_class(&mut self, id: TensorId, class: Class) {
        self.tensor_mut(id).class = class;
    }

    /// Says how many bytes a tensor takes, whatever its dims.
    pub(in super::super) fn set_bytes(&mut self, id: TensorId, bytes: u64) {
        self.tensor_mut(id).bytes = bytes;
    }

    /// `SetTensorToDynamic`: on the heap, sized while running.
    pub(in super::super) fn set_dynamic(&mut self, id: TensorId) {
        let tensor = self.tensor_mut(id);
        tensor.class = Class::Dynamic;
        tensor.data = Data::None;
    }

    /// `SetTensorToPersistentRo`, with contents that are not followed; see [`Context::fold`].
    pub(in super::super) fn set_folded(&mut self, id: TensorId) {
        let tensor = self.tensor_mut(id);
        tensor.class = Class::Folded;
        tensor.data = Data::Untracked;
    }

    /// The contents of a folded tensor, little-endian; resize it first. Contents of another length are not kept.
    pub(in super::super) fn fold(&mut self, id: TensorId, contents: Vec<u8>) {
        let tensor = self.tensor_mut(id);
        if contents.len() as u64 == tensor.bytes {
            tensor.data = Data::Folded(contents);
        }
    }

    /// The contents of a folded tensor of a whole-number type, from its values.
    pub(in super::super) fn fold_ints(&mut self, id: TensorId, values: &[i64]) {
        let contents: Option<Vec<u8>> = match self.dtype(id) {
            Some(DataType::Int8 | DataType::UInt8 | DataType::Bool) => {
                Some(values.iter().map(|value| value.to_le_bytes()[0]).collect())
            }
            Some(DataType::Int16 | DataType::UInt16) => Some(low_bytes(values, 2)),
            Some(DataType::Int32 | DataType::UInt32) => Some(low_bytes(values, 4)),
            Some(DataType::Int64 | DataType::UInt64) => Some(low_bytes(values, 8)),
            _ => None,
        };
        if let Some(contents) = contents {
            self.fold(id, contents);
        }
    }

    /// Drops an output from the node (`kTfLiteOptionalTensor`).
    pub(in super::super) fn drop_output(&mut self, index: usize) {
        let node = self.node;
        if let Some(output) = self.world.graph_mut(self.graph).nodes[node].outputs.get_mut(index) {
            *output = None;
        }
    }

    /// Resizes an output to the dims of the file, since the values that decide them are not followed here.
    pub(in super::super) fn resize_as_in_file(&mut self, id: TensorId) -> Result<()> {
        let file = self.world.model.subgraph(self.graph).tensors.get(id.index());
        let dims = file.map_or_else(|| self.dims(id).to_vec(), |tensor| tensor.shape.clone());
        let message = format!("{}: the shape of tensor {id} is taken from the file", self.op_name());
        self.warn(Warning::new("assumed-shape", message).about(self.reference(id)));
        self.resize(id, dims)
    }

    /// A tensor's name in reports.
    fn reference(&self, id: TensorId) -> String {
        if self.graph.0 == 0 { format!("t{id}") } else { format!("s{}:t{id}", self.graph) }
    }

    /// `kTfLiteOutputShapeNotKnown`: the batch ends here although no output is on the heap.
    pub(in super::super) fn end_batch(&mut self) {
        let node = self.node;
        self.world.graph_mut(self.graph).nodes[node].ends_batch = true;
    }

    /// Tells the user something.
    pub(in super::super) fn warn(&mut self, warning: Warning) {
        let room = self.world.warnings.len() < limits::MAX_WARNINGS;
        if room && !self.world.warnings.iter().any(|known| known.message == warning.message) {
            self.world.warnings.push(warning);
        }
    }
}

/// The low bytes of each value.
fn low_bytes(values: &[i64], count: usize) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes().into_iter().take(count)).collect()
}

fn chunks<const N: usize>(bytes: &[u8]) -> impl Iterator<Item = [u8; N]> + '_ {
    bytes.as_chunks::<N>().0.iter().copied()
}
