//! Turns a `Model` and options into a [`Program`]: steps (through called subgraphs), and buffers with size, span,
//! place, aliases, and the cause of each. Knows models, and of `plan` only the shape of a `Problem`.
//!
//! One [`Program`] describes what a runtime would do with a model before anything is placed. Its arenas are
//! handed to a planner as `plan::Problem`s.

pub mod edit;
pub mod tflite;
pub mod tflm;

use crate::error::{Result, Warning};
use crate::model::{DataType, Model};
use crate::plan::Problem;
use crate::units::{ArenaId, BufferId, OperatorId, Span, Step, SubgraphId, TensorId};

/// Which runtime is modelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RuntimeKind {
    /// `TFLite` (`LiteRT`), builtin kernels, no delegate.
    Tflite,
    /// TFLite-Micro.
    Tflm,
}

/// Which TFLite-Micro kernels run; decides scratch and persistent bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kernels {
    /// The reference kernels.
    Reference,
    /// CMSIS-NN in plain C (Cortex-M0, M3).
    CmsisNn,
    /// CMSIS-NN with DSP instructions (M4, M7, M33).
    CmsisNnDsp,
    /// CMSIS-NN with MVE instructions (M55, M85).
    CmsisNnMve,
}

/// Sizes of TFLite-Micro's structs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Abi {
    /// A 64-bit host.
    Lp64,
    /// A 32-bit target with 4-byte enums (Xtensa, RISC-V, x86-32).
    Ilp32,
    /// arm-none-eabi with 1-byte enums.
    Arm,
}

/// A tensor of a subgraph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TensorRef {
    /// The subgraph.
    pub subgraph: SubgraphId,
    /// The tensor in it.
    pub tensor: TensorId,
}

/// An operator of a subgraph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OperatorRef {
    /// The subgraph.
    pub subgraph: SubgraphId,
    /// The operator in it.
    pub op: OperatorId,
}

/// New dims for one input of the main subgraph, as `ResizeInputTensor` takes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resize {
    /// The input tensor.
    pub tensor: TensorId,
    /// Its new dims.
    pub dims: Vec<i32>,
}

/// What the user chose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The runtime.
    pub runtime: RuntimeKind,
    /// Alignment in bytes of offsets; `None`: the runtime's own (64 or 16).
    pub alignment: Option<u64>,
    /// Keep every tensor to the end (`preserve_all_tensors`).
    pub preserve_all_tensors: bool,
    /// New input dims (`TFLite` only).
    pub resize: Vec<Resize>,
    /// Tensors that the user binds to own memory (custom allocation).
    pub external: Vec<TensorRef>,
    /// TFLite-Micro's kernels.
    pub kernels: Kernels,
    /// TFLite-Micro's struct sizes.
    pub abi: Abi,
    /// What else is said about a TFLite-Micro build.
    pub micro: tflm::MicroOptions,
}

impl Options {
    /// The defaults for a runtime: its own alignment, nothing preserved, reference kernels, 32-bit structs.
    pub fn new(runtime: RuntimeKind) -> Options {
        Options {
            runtime,
            alignment: None,
            preserve_all_tensors: false,
            resize: Vec::new(),
            external: Vec::new(),
            kernels: Kernels::Reference,
            abi: Abi::Ilp32,
            micro: tflm::MicroOptions::default(),
        }
    }
}

/// What the runtime that `options` name would do with the model whose bytes are `bytes`.
pub fn program(model: &Model, bytes: &[u8], options: &Options) -> Result<Program> {
    match options.runtime {
        RuntimeKind::Tflite => tflite::program(model, bytes, options),
        RuntimeKind::Tflm => tflm::program(model, bytes, options),
    }
}

/// Bytes of a tensor of this type and these dims as `runtime` counts them; `None` when it has no size there.
pub fn tensor_bytes(runtime: RuntimeKind, dtype: DataType, dims: &[i32]) -> Option<u64> {
    match runtime {
        RuntimeKind::Tflite => tflite::tensor_bytes(dtype, dims),
        RuntimeKind::Tflm => tflm::tensor_bytes(dtype, dims),
    }
}

/// What a buffer is in the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Input of its subgraph.
    Input,
    /// Output of its subgraph.
    Output,
    /// Made and read inside.
    Intermediate,
    /// Data in the file.
    Constant,
    /// State.
    Variable,
    /// A `TFLite` kernel's temporary tensor.
    Temporary,
    /// A TFLite-Micro kernel's scratch buffer.
    Scratch,
}

/// Which memory a buffer lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// The arena this product draws.
    Arena,
    /// `TFLite`'s persistent arena; TFLite-Micro's tail.
    Persistent,
    /// A heap block of its own.
    Heap,
    /// The model file.
    File,
    /// Memory the user provides.
    External,
    /// Nowhere: it has no bytes.
    None,
}

/// Where a buffer comes from; its name in reports is [`Buffer::reference`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// A tensor of the file.
    Tensor(TensorRef),
    /// A `TFLite` kernel's temporary, under the interpreter's own tensor index.
    Temporary {
        /// The operator it serves.
        op: OperatorRef,
        /// The interpreter's tensor index in that subgraph.
        index: u32,
    },
    /// A TFLite-Micro scratch buffer, by order of request over the whole model.
    Scratch {
        /// The operator it serves.
        op: OperatorRef,
        /// Order of request.
        index: u32,
    },
}

/// Why a buffer has its span, place or size: facts that views put into words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A graph input: `TFLite` keeps it to the end; TFLite-Micro until its last reader.
    GraphInput,
    /// A graph output: kept to the end of its subgraph.
    GraphOutput,
    /// Kept for this last reader.
    LastReader(OperatorRef),
    /// Made by this operator.
    MadeBy(OperatorRef),
    /// Nobody reads it.
    NeverRead,
    /// Nobody makes or reads it.
    NeverUsed,
    /// Everything is preserved, by option.
    PreserveAll,
    /// Shares the bytes of the buffer it aliases.
    SharesWith(BufferId),
    /// State: never freed.
    Variable,
    /// Its offset comes from the file's offline plan.
    OfflinePlan,
    /// Its shape depends on data: it lies on the heap, with a size that is assumed.
    DynamicShape,
    /// Computed while preparing, since its inputs are constant.
    ConstantFolded,
    /// Asked for by this operator's kernel.
    Kernel(OperatorRef),
    /// The user made a change up.
    WhatIf,
}

/// One tensor, temporary or scratch buffer.
#[derive(Clone, Debug, PartialEq)]
pub struct Buffer {
    /// Where it comes from.
    pub origin: Origin,
    /// The tensor's name, or what the kernel uses the buffer for.
    pub name: String,
    /// Element type; `None` for raw scratch.
    pub dtype: Option<DataType>,
    /// Dims after preparing; a scratch buffer has its bytes as the one dim.
    pub shape: Vec<i32>,
    /// Bytes before any rounding; `None` when not knowable (custom or dynamic outputs).
    pub size_bytes: Option<u64>,
    /// What it is in the graph.
    pub role: Role,
    /// Which memory it lies in.
    pub place: Place,
    /// The arena it lies in, when `place` is `Arena` or `Persistent` and that arena is planned.
    pub arena: Option<ArenaId>,
    /// When it keeps its bytes, on the clock of its arena ([`StepInfo::tick`]); `None` for constants and the unused.
    pub live: Option<Span>,
    /// The buffer whose bytes it shares in place (the root of the chain).
    pub alias_of: Option<BufferId>,
    /// The facts behind it, most important first.
    pub causes: Vec<Cause>,
}

/// The subgraph that a name in reports begins with (`s1:t3`; none: the main one), and the rest of it.
pub fn split_reference(name: &str) -> Option<(SubgraphId, &str)> {
    match name.strip_prefix('s').and_then(|rest| rest.split_once(':')) {
        Some((subgraph, rest)) => Some((SubgraphId(subgraph.parse().ok()?), rest)),
        None => Some((SubgraphId(0), name)),
    }
}

impl Buffer {
    /// Its name in reports: `t3`, `s1:t3`, `tmp12`, `s1:tmp12`, `scratch0`.
    pub fn reference(&self) -> String {
        let prefix = |subgraph: SubgraphId| if subgraph.0 == 0 { String::new() } else { format!("s{subgraph}:") };
        match self.origin {
            Origin::Tensor(tensor) => format!("{}t{}", prefix(tensor.subgraph), tensor.tensor),
            Origin::Temporary { op, index } => format!("{}tmp{index}", prefix(op.subgraph)),
            Origin::Scratch { index, .. } => format!("scratch{index}"),
        }
    }

    /// The subgraph it belongs to.
    pub fn subgraph(&self) -> SubgraphId {
        match self.origin {
            Origin::Tensor(tensor) => tensor.subgraph,
            Origin::Temporary { op, .. } | Origin::Scratch { op, .. } => op.subgraph,
        }
    }

    /// Its index as the report gives it: the tensor's, the interpreter's, or the order of request.
    pub fn index(&self) -> u32 {
        match self.origin {
            Origin::Tensor(tensor) => tensor.tensor.0,
            Origin::Temporary { index, .. } | Origin::Scratch { index, .. } => index,
        }
    }
}

/// One step of the execution, through called subgraphs. A step's number is its index in [`Program::steps`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepInfo {
    /// The subgraph that is running.
    pub subgraph: SubgraphId,
    /// The operator; `None` where TFLite-Micro's time advances without one (start, entering a subgraph).
    pub op: Option<OperatorId>,
    /// The operator's name, or `START`, `ENTER`.
    pub name: String,
    /// The arena of the running subgraph.
    pub arena: ArenaId,
    /// The time on that arena's clock.
    pub tick: Step,
    /// The step of the calling operator (IF, WHILE …), when inside a called subgraph.
    pub caller: Option<Step>,
    /// Buffers read here.
    pub reads: Vec<BufferId>,
    /// Buffers written here.
    pub writes: Vec<BufferId>,
    /// Temporaries and scratch used here.
    pub scratch: Vec<BufferId>,
}

/// What an arena holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArenaKind {
    /// Buffers that are reused over time.
    Main,
    /// State and other buffers that stay.
    Persistent,
}

/// One arena: what is to be placed, on its own clock.
#[derive(Clone, Debug, PartialEq)]
pub struct Arena {
    /// The subgraph it belongs to (TFLite-Micro: 0, for all of them).
    pub subgraph: SubgraphId,
    /// What it holds.
    pub kind: ArenaKind,
    /// What a planner has to place.
    pub problem: Problem,
    /// The buffer behind each request of the problem, in the same order. Aliases have no request: they share
    /// their root's, whose span covers them.
    pub buffers: Vec<BufferId>,
    /// How many ticks its clock has.
    pub ticks: u32,
}

/// What a runtime would do with a model, before anything is placed.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// The options it was made with.
    pub options: Options,
    /// The execution, step by step.
    pub steps: Vec<StepInfo>,
    /// What is added to an arena tick to print it: −1 for TFLite-Micro models that hold buffers which are never
    /// visited (their scope is −1), else 0.
    pub first_label: i64,
    /// Every tensor of the main subgraph in file order, then those of the other subgraphs, then temporaries and
    /// scratch. A [`BufferId`] indexes this list.
    pub buffers: Vec<Buffer>,
    /// The arenas; the first is the main subgraph's (TFLite-Micro: the head).
    pub arenas: Vec<Arena>,
    /// TFLite-Micro's part: what lies in the tail and what is needed on the way. `None` for `TFLite`.
    pub micro: Option<tflm::Micro>,
    /// Odd but readable, and what is not modelled.
    pub warnings: Vec<Warning>,
}

impl Program {
    /// The buffer `id`.
    ///
    /// # Panics
    /// When `id` is not of this program.
    pub fn buffer(&self, id: BufferId) -> &Buffer {
        &self.buffers[id.index()]
    }

    /// The arena `id`.
    ///
    /// # Panics
    /// When `id` is not of this program.
    pub fn arena(&self, id: ArenaId) -> &Arena {
        &self.arenas[id.index()]
    }
}
