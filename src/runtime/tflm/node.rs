//! One operator while its kernel prepares: the tensors as it sees them, and the allocations it can make.

use super::machine::{Check, Machine, Scratch, Stop, product};
use super::micro::{Category, Event, Stage, TempAllocation};
use super::tables::{REQUESTS_PER_OP, Structs};
use super::types;
use crate::model::{DataType, OpOptions, Operator, Tensor};
use crate::runtime::{Kernels, OperatorRef, TensorRef};
use crate::units::{SubgraphId, TensorId};

/// A tensor as a kernel sees it through its temporary struct.
#[derive(Clone, Debug)]
pub(super) struct View<'m> {
    /// Which tensor.
    pub(super) at: TensorRef,
    /// The file's tensor.
    pub(super) tensor: &'m Tensor,
    /// Its dims now.
    pub(super) dims: Vec<i32>,
    /// Its data lie in the file.
    pub(super) constant: bool,
}

impl View<'_> {
    /// Element type.
    pub(super) fn dtype(&self) -> DataType {
        self.tensor.dtype
    }

    /// How many dims.
    pub(super) fn rank(&self) -> usize {
        self.dims.len()
    }

    /// The dim `index`, or an error: kernels read beyond the list there.
    pub(super) fn dim(&self, index: usize) -> Check<i32> {
        let rank = self.rank();
        let missing = || Stop::crash(format!("the kernel reads dim {index} of a tensor of {rank} dims"));
        self.dims.get(index).copied().ok_or_else(missing)
    }

    /// The dim `index` as a length.
    pub(super) fn len(&self, index: usize) -> Check<u64> {
        u64::try_from(self.dim(index)?).map_err(|_| Stop::new("a dim is negative"))
    }

    /// The number of elements.
    pub(super) fn elements(&self) -> Check<u64> {
        types::elements(&self.dims).ok_or_else(|| Stop::new("a dim is negative, or the tensor is too large"))
    }

    /// How many scales it carries; 0: the runtime takes it as not quantised.
    pub(super) fn scales(&self) -> u64 {
        types::scales(self.tensor)
    }

    /// Whether the runtime takes it as quantised.
    pub(super) fn is_quantized(&self) -> bool {
        self.scales() > 0
    }

    /// The first scale.
    pub(super) fn scale(&self) -> f32 {
        let scale = self.tensor.quantization.as_ref().and_then(|quantization| quantization.first_scale);
        if self.is_quantized() { scale.unwrap_or(0.0) } else { 0.0 }
    }

    /// The first zero point.
    pub(super) fn zero_point(&self) -> i64 {
        let zero = self.tensor.quantization.as_ref().and_then(|quantization| quantization.first_zero_point);
        if self.is_quantized() { zero.unwrap_or(0) } else { 0 }
    }
}

/// One operator while its kernel prepares.
#[derive(Debug)]
pub(super) struct Node<'a, 'm> {
    /// Everything else.
    pub(super) machine: &'a mut Machine<'m>,
    /// Which operator.
    pub(super) at: OperatorRef,
    /// The operator.
    pub(super) op: &'m Operator,
}

impl<'m> Node<'_, 'm> {
    fn reference(&self, tensor: TensorId) -> TensorRef {
        TensorRef { subgraph: self.at.subgraph, tensor }
    }

    /// The kernels that run.
    pub(super) fn kernels(&self) -> Kernels {
        self.machine.kernels
    }

    /// Whether the reference kernels run.
    pub(super) fn is_reference(&self) -> bool {
        self.machine.kernels == Kernels::Reference
    }

    /// Its options.
    pub(super) fn options(&self) -> &'m OpOptions {
        &self.op.options
    }

    /// The tensor behind input `index`, unless it is omitted.
    pub(super) fn input_ref(&self, index: usize) -> Option<TensorRef> {
        self.op.inputs.get(index).copied().flatten().map(|tensor| self.reference(tensor))
    }

    /// The tensor behind output `index`, unless it is omitted.
    pub(super) fn output_ref(&self, index: usize) -> Option<TensorRef> {
        self.op.outputs.get(index).copied().flatten().map(|tensor| self.reference(tensor))
    }

    /// The struct of input `index`; the kernel fails without it.
    pub(super) fn input(&mut self, index: usize) -> Check<View<'m>> {
        self.maybe_input(index)?.ok_or_else(|| Stop::new(format!("input {index} is missing")))
    }

    /// The struct of input `index`, if it is there.
    pub(super) fn maybe_input(&mut self, index: usize) -> Check<Option<View<'m>>> {
        self.input_ref(index).map(|at| self.view(at)).transpose()
    }

    /// The struct of output `index`; the kernel fails without it.
    pub(super) fn output(&mut self, index: usize) -> Check<View<'m>> {
        let Some(at) = self.output_ref(index) else {
            return Err(Stop::new(format!("output {index} is missing")));
        };
        self.view(at)
    }

    /// Makes the temporary structs of a tensor: `TfLiteTensor`, and when it is quantised its quantisation and a copy
    /// of its zero points, one per scale.
    fn view(&mut self, at: TensorRef) -> Check<View<'m>> {
        let tensor = self.machine.tensor(at);
        let structs = self.machine.structs;
        let mut temp = |bytes, alignment, is_zero_points| {
            let allocation = TempAllocation { op: self.at, tensor: at, is_zero_points, bytes, alignment };
            self.machine.events.push(Event::Temp(allocation));
        };
        temp(structs.tensor, structs.pointer, false);
        if types::element_bytes(tensor.dtype).is_none() {
            let line = "Failed to populate a temp TfLiteTensor struct from flatbuffer data!";
            return Err(Stop::says(format!("tensors of type {} are not supported", types::name(tensor.dtype)), line));
        }
        let scales = types::scales(tensor);
        if scales > 0 {
            temp(structs.quantization, structs.pointer, false);
            temp(Structs::int_array(scales), 4, true);
        }
        let constant = self.machine.is_constant(at);
        Ok(View { at, tensor, dims: self.machine.dims(at).to_vec(), constant })
    }

    /// Makes temporary structs in the order of `list`: `i0` input 0, `o0` output 0, `i2?` only if it is there.
    pub(super) fn views(&mut self, list: &str) -> Check<Vec<Option<View<'m>>>> {
        let mut views = Vec::new();
        for word in list.split_ascii_whitespace() {
            let optional = word.ends_with('?');
            let index: usize = word.trim_matches(['i', 'o', '?']).parse().unwrap_or(0);
            views.push(match (word.starts_with('i'), optional) {
                (true, true) => self.maybe_input(index)?,
                (true, false) => Some(self.input(index)?),
                (false, _) => Some(self.output(index)?),
            });
        }
        Ok(views)
    }

    /// A persistent allocation of the kernel's.
    pub(super) fn persistent(&mut self, what: &'static str, bytes: u64) {
        let alignment = self.machine.alignment;
        self.machine.tail_for(self.at, Stage::Prepare, Category::Kernels, what, (bytes, alignment));
    }

    /// A persistent allocation of the kernel's `Init`.
    pub(super) fn init_data(&mut self, what: &'static str, bytes: u64) {
        let alignment = self.machine.alignment;
        self.machine.tail_for(self.at, Stage::Init, Category::Kernels, what, (bytes, alignment));
    }

    /// A persistent array of `len` elements of `size` bytes.
    pub(super) fn persistent_array(&mut self, what: &'static str, len: u64, size: u64) -> Check {
        let bytes = product(&[len, size])?;
        self.persistent(what, bytes);
        Ok(())
    }

    /// A scratch buffer; the thirteenth of one operator is refused.
    pub(super) fn scratch(&mut self, what: &'static str, bytes: u64) -> Check {
        let own = self.machine.scratch.iter().rev().take_while(|scratch| scratch.op == self.at).count() as u64;
        if own >= REQUESTS_PER_OP {
            let limit = REQUESTS_PER_OP;
            return Err(Stop::says(
                format!("the kernel asks for more than {limit} scratch buffers"),
                format!("Scratch buffer request exceeds limit per operator ({limit})"),
            ));
        }
        self.machine.scratch.push(Scratch { op: self.at, bytes, what });
        Ok(())
    }

    /// Copies a tensor's dims to the tail, so that the kernel can rewrite them (`CreateWritableTensorDimsWithCopy`).
    pub(super) fn rewrite_dims(&mut self, view: &View<'_>, dims: Vec<i32>) {
        let bytes = Structs::int_array(view.rank() as u64);
        self.persistent("dims of the output", bytes);
        self.machine.set_dims(view.at, dims);
    }

    /// A constant's elements as 32-bit integers (64-bit ones are narrowed); `None` when it is no such constant.
    pub(super) fn integers(&self, view: &View<'_>) -> Option<Vec<i64>> {
        let data = self.machine.constant(view.at)?;
        let count = usize::try_from(types::elements(&view.dims)?).ok()?;
        match view.dtype() {
            DataType::Int32 => data
                .chunks_exact(4)
                .take(count)
                .map(|word| Some(i64::from(i32::from_le_bytes(word.try_into().ok()?))))
                .collect(),
            DataType::Int64 => {
                data.chunks_exact(8).take(count).map(|word| Some(i64::from_le_bytes(word.try_into().ok()?))).collect()
            }
            _ => None,
        }
    }

    /// Whether the operator has exactly so many inputs and outputs.
    pub(super) fn arity(&self, inputs: usize, outputs: usize) -> Check {
        let (has_in, has_out) = (self.op.inputs.len(), self.op.outputs.len());
        if has_in == inputs && has_out == outputs {
            return Ok(());
        }
        Err(Stop::new(format!("it has {has_in} inputs and {has_out} outputs, but {inputs} and {outputs} are expected")))
    }

    /// How many inputs and outputs a subgraph has.
    pub(super) fn subgraph_arity(&self, subgraph: SubgraphId) -> (usize, usize) {
        let subgraph = self.machine.model.subgraph(subgraph);
        (subgraph.inputs.len(), subgraph.outputs.len())
    }
}
