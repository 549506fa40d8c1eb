//! What a decoded message means, and what does not fit together: codes with their figures, and the English words for
//! them. Other languages word the codes themselves.

/// What one of TFLite-Micro's messages means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// The plan is made, and does not fit below the tail.
    Head,
    /// As before, in runtimes from before 2022.
    HeadOld,
    /// The table of scratch requests does not fit.
    RequestTable,
    /// Persistent data do not fit above the head.
    Tail,
    /// Temporary structs do not fit.
    Temporary,
    /// An allocation does not fit, in runtimes from before 2021.
    MemoryOld,
    /// The planner's own table has room for so many buffers only.
    PlannerTable(Option<u64>),
    /// The table of lifetimes does not fit.
    Lifetimes,
    /// A temporary buffer was never allocated.
    MissingTemporary,
    /// The offline plan is of another model.
    OfflinePlan,
    /// This operator is not registered.
    NotRegistered(Option<String>),
    /// A custom operator is not registered.
    CustomNotRegistered,
    /// The resolver has no kernel for this operator.
    NoKernel(String),
    /// The resolver is too small.
    ResolverSize,
    /// Float activations with integer weights.
    Hybrid,
    /// An output has an open dim.
    OpenDim,
    /// A kernel gave up.
    KernelFailed,
    /// The first tables could not be made.
    StartFailed,
    /// The application's own line.
    Application,
    /// `AllocateTensors` was called again.
    CalledAgain,
    /// Says for what an allocation was.
    ForWhat,
}

impl Meaning {
    /// Its name for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Meaning::Head => "head",
            Meaning::HeadOld => "head-old",
            Meaning::RequestTable => "request-table",
            Meaning::Tail => "tail",
            Meaning::Temporary => "temporary",
            Meaning::MemoryOld => "memory-old",
            Meaning::PlannerTable(None) => "planner-table",
            Meaning::PlannerTable(Some(_)) => "planner-table-room",
            Meaning::Lifetimes => "lifetimes",
            Meaning::MissingTemporary => "missing-temporary",
            Meaning::OfflinePlan => "offline-plan",
            Meaning::NotRegistered(None) => "some-not-registered",
            Meaning::NotRegistered(Some(_)) => "not-registered",
            Meaning::CustomNotRegistered => "custom-not-registered",
            Meaning::NoKernel(_) => "no-kernel",
            Meaning::ResolverSize => "resolver-size",
            Meaning::Hybrid => "hybrid",
            Meaning::OpenDim => "open-dim",
            Meaning::KernelFailed => "kernel-failed",
            Meaning::StartFailed => "start-failed",
            Meaning::Application => "application",
            Meaning::CalledAgain => "called-again",
            Meaning::ForWhat => "for-what",
        }
    }

    /// The operator or the number that it is about, as the message has it.
    pub fn detail(&self) -> Option<String> {
        match self {
            Meaning::PlannerTable(most) => most.map(|most| most.to_string()),
            Meaning::NotRegistered(op) => op.clone(),
            Meaning::NoKernel(op) => Some(op.clone()),
            _ => None,
        }
    }

    /// In one or two sentences.
    pub fn words(&self) -> String {
        let text = match self {
            Meaning::PlannerTable(most) => return planner_table(*most),
            Meaning::NotRegistered(op) => {
                let op = op.as_deref().unwrap_or("the operator");
                return format!(
                    "{op} is not registered: add it to the MicroMutableOpResolver (and enlarge its template number), or \
                     TFLite-Micro has no kernel for it. A larger arena does not help."
                );
            }
            Meaning::NoKernel(op) => return format!("{op} has no kernel in the resolver."),
            Meaning::CustomNotRegistered => {
                "A custom operator is not registered with AddCustom under the name in the file."
            }
            Meaning::ResolverSize => {
                "The resolver's template number is smaller than the number of operators registered: enlarge it."
            }
            Meaning::Hybrid => {
                "A layer has float activations with integer weights (dynamic-range quantisation): convert with full integer \
                 quantisation, or keep it in float."
            }
            Meaning::OpenDim => "An operator's output has an open dim: convert with fixed input shapes.",
            Meaning::KernelFailed => "The operator's kernel gave up; the reason stands above.",
            Meaning::StartFailed => "The tables for tensors and operators could not be made; the reason stands above.",
            Meaning::Application => "What the application prints after any failure.",
            Meaning::CalledAgain => "AllocateTensors was called again after it had failed.",
            Meaning::ForWhat => "Says for what the allocation above was.",
            _ => return self.memory_words().to_owned(),
        };
        text.to_owned()
    }

    /// Those about memory.
    fn memory_words(&self) -> &'static str {
        match self {
            Meaning::Head => {
                "Everything is prepared and planned, but the planned buffers do not fit below the persistent data. The bytes \
                 missing here are nearly all that is missing."
            }
            Meaning::HeadOld => {
                "The planned buffers do not fit (a runtime from before 2022). The arena must grow by the difference."
            }
            Meaning::RequestTable => "The table of scratch requests does not fit: the arena is far too small.",
            Meaning::Tail => {
                "Persistent data do not fit above the head. Before planning more allocations follow, so more than the missing \
                 bytes will be needed."
            }
            Meaning::Temporary => {
                "The temporary structs of one operator, or the planner's tables, do not fit between head and tail. They are \
                 gone afterwards, but the arena must hold them once; more allocations follow."
            }
            Meaning::Lifetimes => "The table of lifetimes, one entry for each tensor, does not fit while planning.",
            Meaning::MissingTemporary => {
                "A kernel looks for a temporary buffer that was never allocated: an allocation before it failed, or the arena \
                 is too small for it. Look for the first failure above this line."
            }
            Meaning::OfflinePlan => {
                "The offline plan in the file's metadata has not one offset for each tensor of all subgraphs: it was made for \
                 another version of the model."
            }
            _ => "An allocation does not fit (a runtime from before 2021 does not say which memory). More may follow.",
        }
    }
}

fn planner_table(most: Option<u64>) -> String {
    let most = most.map_or_else(String::new, |most| format!(" It has room for {most} buffers."));
    format!(
        "The planner keeps 40 bytes for each planned buffer in what is left of the arena while it plans, and there is not \
         enough left.{most} The arena must grow although the finished plan may need less."
    )
}

/// What does not fit together: the log and the model, or the log and the arena's size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// The log asks for another head than the model gives.
    OtherHead {
        /// Bytes in the log.
        logged: u64,
        /// Bytes of the model.
        planned: u64,
    },
    /// The arena should have been enough.
    LargeEnough {
        /// Bytes of the arena.
        size: u64,
        /// Bytes that are sure to be enough.
        needed: u64,
        /// Bytes that the arena must be aligned to.
        alignment: u64,
    },
}

impl Doubt {
    /// In one sentence.
    pub fn words(&self) -> String {
        match self {
            Doubt::OtherHead { logged, planned } => format!(
                "the log asks for a head of {logged} bytes, but this model, kernels and options give {planned}: another model, \
                 other kernels or another version may be on the device"
            ),
            Doubt::LargeEnough { size, needed, alignment } => format!(
                "an arena of {size} bytes should be enough for this model ({needed} needed): check kernels, struct sizes and \
                 that the arena is aligned to {alignment} bytes"
            ),
        }
    }
}
