//! What `AllocateTensors` does with an arena, as values: one [`Event`] after the other, from the first struct to the
//! last. Knows nothing of kernels; `arena` folds over it.

use super::offline::OfflinePlan;
use crate::runtime::{Abi, OperatorRef, TensorRef};

/// What else the user says about a TFLite-Micro build. The default is a plain build with the greedy planner.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MicroOptions {
    /// The size of the table of resource variables that the application makes; `None`: one entry for each variable of
    /// the model, and no table at all when the model has none.
    pub resource_variables: Option<u32>,
    /// How the library was built.
    pub build: Build,
    /// How the arena is handed over.
    pub arenas: Arenas,
    /// What kernels that are not TFLite-Micro's own allocate; by operator name, custom or builtin. For a builtin
    /// operator this comes on top of what its kernel takes.
    pub kernels: Vec<KernelNeeds>,
}

/// How the TFLite-Micro library was built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent build flags, not a state")]
pub struct Build {
    /// `USE_TFLM_COMPRESSION`, as in the Python wheel: some structs are larger.
    pub compression: bool,
    /// `KERNELS_OPTIMIZED_FOR_SIZE`: some CMSIS-NN sums are scratch instead of persistent.
    pub for_size: bool,
    /// Built by armclang instead of gcc: CMSIS-NN picks other paths.
    pub armclang: bool,
    /// The application uses `RecordingMicroAllocator`, which is larger itself.
    pub recording: bool,
}

/// How the arena is handed over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arenas {
    /// One block: head and tail grow towards each other.
    #[default]
    One,
    /// Two blocks, as in `MicroAllocator::Create(persistent, …, non_persistent, …)`.
    Two,
}

/// What a kernel allocates that is not among TFLite-Micro's own, as the user gives it, for each of its operators.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelNeeds {
    /// The operator's name: `MY_OP`, `CONV_2D`.
    pub op: String,
    /// Scratch buffers it asks for, in bytes.
    pub scratch_bytes: Vec<u64>,
    /// Persistent allocations it makes, in bytes.
    pub persistent_bytes: Vec<u64>,
}

/// Which planner TFLite-Micro's interpreter uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Planner {
    /// `GreedyMemoryPlanner`, the default.
    Greedy,
    /// `LinearMemoryPlanner`, for `preserve_all_tensors`.
    Linear,
}

/// The stages of `AllocateTensors`, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// The interpreter and its allocator are made.
    Create,
    /// Tables for subgraphs, tensors and operators.
    Start,
    /// Parameters of each operator are read from the file.
    Parse,
    /// Each kernel's `Init`.
    Init,
    /// Each kernel's `Prepare`.
    Prepare,
    /// Lifetimes, variables and the plan of the head.
    Plan,
    /// Structs of the model's inputs and outputs.
    Finish,
}

impl Stage {
    /// The stage in words.
    pub fn words(self) -> &'static str {
        match self {
            Stage::Create => "creating the interpreter",
            Stage::Start => "starting the allocation",
            Stage::Parse => "reading the operators' parameters",
            Stage::Init => "initialising kernels",
            Stage::Prepare => "preparing kernels",
            Stage::Plan => "planning the head",
            Stage::Finish => "making the inputs' and outputs' structs",
        }
    }
}

/// What a tail allocation is for; the legend of the arena's picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// Allocator and planner objects.
    Runtime,
    /// `TfLiteEvalTensor` of every tensor.
    EvalTensors,
    /// Node and registration of every operator, and the table of subgraphs.
    Nodes,
    /// The operators' parameter structs.
    Parameters,
    /// The kernels' own data.
    Kernels,
    /// Resource variables.
    Resources,
    /// Handles of scratch buffers.
    Scratch,
    /// Variable tensors (state).
    Variables,
    /// `TfLiteTensor` of the model's inputs and outputs.
    InputsOutputs,
}

impl Category {
    /// All categories in the order they are shown.
    pub const ALL: &[Category] = &[
        Category::Runtime,
        Category::Nodes,
        Category::EvalTensors,
        Category::Parameters,
        Category::Kernels,
        Category::Resources,
        Category::Scratch,
        Category::Variables,
        Category::InputsOutputs,
    ];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Category::Runtime => "runtime objects",
            Category::EvalTensors => "eval tensors",
            Category::Nodes => "nodes and registrations",
            Category::Parameters => "operator parameters",
            Category::Kernels => "kernel data",
            Category::Resources => "resource variables",
            Category::Scratch => "scratch handles",
            Category::Variables => "variable tensors",
            Category::InputsOutputs => "input and output structs",
        }
    }
}

/// One allocation from the tail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TailAllocation {
    /// When it is made.
    pub stage: Stage,
    /// What it is for.
    pub category: Category,
    /// The operator it serves, if any.
    pub op: Option<OperatorRef>,
    /// What it holds, in a few words.
    pub what: &'static str,
    /// The tensor it serves, if any.
    pub tensor: Option<TensorRef>,
    /// Bytes asked for.
    pub bytes: u64,
    /// Alignment of its address.
    pub alignment: u64,
}

/// One allocation above the head that is gone when its operator (or the planning) is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TempAllocation {
    /// The operator being prepared.
    pub op: OperatorRef,
    /// The tensor whose struct it is.
    pub tensor: TensorRef,
    /// It is the copy of its zero points.
    pub is_zero_points: bool,
    /// Bytes asked for.
    pub bytes: u64,
    /// Alignment of its address.
    pub alignment: u64,
}

/// One thing that `AllocateTensors` does with the arena.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Takes bytes from the tail, downwards.
    Tail(TailAllocation),
    /// Sets the head to a table of that many scratch requests.
    Requests {
        /// Entries of the table.
        entries: u64,
        /// The operator that has been prepared, if any; all temporaries are gone now.
        after: Option<OperatorRef>,
    },
    /// Takes bytes above the head, upwards.
    Temp(TempAllocation),
    /// Plans the head with temporary tables above the table of requests.
    Planning,
    /// Drops the tables; the head becomes the planned bytes.
    Planned,
}

/// Why TFLite-Micro does not load the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// When it stops.
    pub stage: Stage,
    /// The operator at which it stops, if any.
    pub op: Option<OperatorRef>,
    /// The reason in our words.
    pub reason: String,
    /// The lines it prints, as far as we know them.
    pub log: Vec<String>,
    /// It does not say so but crashes, or writes where it must not.
    pub crashes: bool,
}

/// What TFLite-Micro needs besides the planned head: the tail, and temporary allocations on the way.
#[derive(Clone, Debug, PartialEq)]
pub struct Micro {
    /// The ABI whose struct sizes are used.
    pub abi: Abi,
    /// The planner.
    pub planner: Planner,
    /// One block or two.
    pub arenas: Arenas,
    /// Alignment of kernel allocations and of everything in the head.
    pub alignment: u64,
    /// Everything `AllocateTensors` does, in order. Ends early when the model is refused.
    pub events: Vec<Event>,
    /// Subgraphs of the model.
    pub subgraphs: u64,
    /// Tensors of all subgraphs.
    pub tensors: u64,
    /// Scratch buffers asked for.
    pub scratch_requests: u64,
    /// Buffers handed to the planner; scratch buffers of 0 bytes count.
    pub planned_buffers: u64,
    /// The offline plan in the file, if there is one.
    pub offline: Option<OfflinePlan>,
    /// Why TFLite-Micro does not load the model; `None` when it does.
    pub refusal: Option<Refusal>,
    /// Operators whose own needs are not known, by name, each once; the figures are lower bounds then.
    pub unknown_ops: Vec<String>,
}

impl Micro {
    /// The tail allocations, in order.
    pub fn tail(&self) -> impl Iterator<Item = &TailAllocation> {
        self.events.iter().filter_map(|event| match event {
            Event::Tail(allocation) => Some(allocation),
            _ => None,
        })
    }
}
