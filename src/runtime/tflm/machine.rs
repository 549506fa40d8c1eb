//! The state while `AllocateTensors` is played through: dims that kernels rewrite, data pointers they set, and the
//! events so far; and how a kernel gives up.

use std::collections::BTreeMap;

use super::micro::{Category, Event, MicroOptions, Refusal, Stage, TailAllocation};
use super::tables::Structs;
use crate::model::{Model, Tensor};
use crate::runtime::{Abi, Kernels, OperatorRef, TensorRef};

/// Why a kernel gives up.
#[derive(Debug)]
pub(super) struct Stop {
    /// The reason in our words.
    pub(super) reason: String,
    /// A line the runtime prints before it says which node failed.
    pub(super) line: Option<String>,
    /// It crashes (or aborts) instead of returning an error.
    pub(super) crashes: bool,
}

impl Stop {
    /// The kernel returns an error.
    pub(super) fn new(reason: impl Into<String>) -> Stop {
        Stop { reason: reason.into(), line: None, crashes: false }
    }

    /// The kernel returns an error after it has printed `line`.
    pub(super) fn says(reason: impl Into<String>, line: impl Into<String>) -> Stop {
        Stop { line: Some(line.into()), ..Stop::new(reason) }
    }

    /// The kernel crashes or aborts.
    pub(super) fn crash(reason: impl Into<String>) -> Stop {
        Stop { crashes: true, ..Stop::new(reason) }
    }
}

/// What a step of preparing gives.
pub(super) type Check<T = ()> = Result<T, Stop>;

/// `Ok` when `holds`, else the kernel returns an error for `reason`.
pub(super) fn ensure(holds: bool, reason: &str) -> Check {
    if holds { Ok(()) } else { Err(Stop::new(reason)) }
}

/// One scratch buffer that a kernel asked for.
#[derive(Clone, Debug)]
pub(super) struct Scratch {
    /// The operator it serves.
    pub(super) op: OperatorRef,
    /// Bytes before rounding; may be 0.
    pub(super) bytes: u64,
    /// What for.
    pub(super) what: &'static str,
}

/// The state of the whole allocation.
#[derive(Debug)]
pub(super) struct Machine<'m> {
    /// The model.
    pub(super) model: &'m Model,
    /// The model's bytes, for constants that kernels look at.
    pub(super) bytes: &'m [u8],
    /// The kernels that run.
    pub(super) kernels: Kernels,
    /// The ABI.
    pub(super) abi: Abi,
    /// Struct sizes under that ABI.
    pub(super) structs: Structs,
    /// Alignment of kernel allocations.
    pub(super) alignment: u64,
    /// What else the user says.
    pub(super) options: &'m MicroOptions,
    /// What happened so far.
    pub(super) events: Vec<Event>,
    /// Scratch buffers asked for so far.
    pub(super) scratch: Vec<Scratch>,
    /// Variables by container and name, in order of their ids, with whether their bytes are allocated.
    pub(super) resources: Vec<(String, String, bool)>,
    /// The id behind each handle tensor that a `VAR_HANDLE` has set.
    pub(super) handles: BTreeMap<TensorRef, usize>,
    /// Dims that a kernel has rewritten.
    dims: BTreeMap<TensorRef, Vec<i32>>,
}

impl<'m> Machine<'m> {
    /// A fresh machine.
    pub(super) fn new(
        model: &'m Model,
        bytes: &'m [u8],
        kernels: Kernels,
        abi: Abi,
        alignment: u64,
        options: &'m MicroOptions,
    ) -> Machine<'m> {
        Machine {
            model,
            bytes,
            kernels,
            abi,
            structs: Structs::of(abi),
            alignment,
            options,
            events: Vec::new(),
            scratch: Vec::new(),
            resources: Vec::new(),
            handles: BTreeMap::new(),
            dims: BTreeMap::new(),
        }
    }

    /// The tensor as the file has it.
    pub(super) fn tensor(&self, at: TensorRef) -> &'m Tensor {
        let model = self.model;
        &model.subgraph(at.subgraph).tensors[at.tensor.index()]
    }

    /// Its dims now: as in the file, unless a kernel has rewritten them.
    pub(super) fn dims(&self, at: TensorRef) -> &[i32] {
        self.dims.get(&at).map_or(self.tensor(at).shape.as_slice(), Vec::as_slice)
    }

    /// Rewrites a tensor's dims.
    pub(super) fn set_dims(&mut self, at: TensorRef, dims: Vec<i32>) {
        self.dims.insert(at, dims);
    }

    /// Whether its data lie in the file.
    pub(super) fn is_constant(&self, at: TensorRef) -> bool {
        self.model.micro_constant(self.tensor(at)).is_some()
    }

    /// A constant's bytes.
    pub(super) fn constant(&self, at: TensorRef) -> Option<&'m [u8]> {
        let range = self.model.micro_constant(self.tensor(at))?;
        self.bytes.get(usize::try_from(range.start).ok()?..usize::try_from(range.end).ok()?)
    }

    /// A tail allocation.
    pub(super) fn tail(&mut self, stage: Stage, category: Category, what: &'static str, bytes: u64, alignment: u64) {
        let allocation = TailAllocation { stage, category, op: None, what, tensor: None, bytes, alignment };
        self.events.push(Event::Tail(allocation));
    }

    /// A tail allocation for an operator.
    pub(super) fn tail_for(
        &mut self,
        op: OperatorRef,
        stage: Stage,
        category: Category,
        what: &'static str,
        (bytes, alignment): (u64, u64),
    ) {
        let allocation = TailAllocation { stage, category, op: Some(op), what, tensor: None, bytes, alignment };
        self.events.push(Event::Tail(allocation));
    }
}

/// The refusal of a whole model for a kernel's [`Stop`].
pub(super) fn refusal(model: &Model, at: OperatorRef, stop: Stop) -> Refusal {
    let name = model.op_name(&model.subgraph(at.subgraph).operators[at.op.index()]);
    let mut log: Vec<String> = stop.line.into_iter().collect();
    if !stop.crashes {
        log.push(format!("Node {name} (number {}) failed to prepare with status 1", at.op));
    }
    Refusal { stage: Stage::Prepare, op: Some(at), reason: stop.reason, log, crashes: stop.crashes }
}

/// A product of lengths in bytes, or an error when it is beyond all memories.
pub(super) fn product(factors: &[u64]) -> Check<u64> {
    let product = factors.iter().try_fold(1_u64, |product, factor| product.checked_mul(*factor));
    product
        .filter(|bytes| *bytes <= crate::limits::MAX_BYTES)
        .ok_or_else(|| Stop::new("a buffer would be larger than any memory"))
}
