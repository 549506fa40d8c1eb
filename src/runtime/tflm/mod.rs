//! How TFLite-Micro lays out its tensor arena (tflite-micro 90b983c2, CMSIS-NN 4ab83cc3).
//!
//! ```text
//! low address                                                                            high address
//! ┌─────────────── head ───────────────┬──── temporary ────▶          ◀────────────── tail ──────────────┐
//! │ planned tensors and scratch,       │ structs while preparing,     │ structs, kernel data, variables,  │
//! │ reused over time                   │ tables while planning; gone  │ in order of allocation; stays     │
//! └────────────────────────────────────┴──────────────────────────────┴───────────────────────────────────┘
//! ```
//!
//! [`program`] gives the buffers of the head and, as [`Micro`], every other allocation in order; [`arena_needs`] folds
//! over them with a planned height and says what arena is needed, and what decides it.

mod arena;
mod assemble;
mod boards;
mod cursor;
mod decode;
mod kernels;
mod machine;
mod meaning;
mod memory_plan;
mod micro;
mod node;
mod offline;
mod offline_facts;
mod play;
mod prepare;
mod recording;
mod resolver;
mod tables;
mod timeline;
mod types;

pub use arena::{ArenaNeeds, Condition, ConditionNeed, arena_needs};
pub use assemble::{ALIGNMENT, program};
pub use boards::{BOARDS, Board, Fit, board, fit};
pub use cursor::{Cursor, Moment, Piece, cursor};
pub use decode::{Diagnosis, Finding, Progress, Trouble, decode};
pub use meaning::{Doubt, Meaning};
pub use memory_plan::{Difference, PlanLine, compare_memory_plan, plan_lines, print_memory_plan, read_memory_plan};
pub use micro::{
    Arenas, Build, Category, Event, KernelNeeds, Micro, MicroOptions, Planner, Refusal, Stage, TailAllocation,
    TempAllocation,
};
pub use offline::{METADATA_NAME, OfflinePlan};
pub use offline_facts::{OfflineFacts, Overlap, offline_facts, without_fixed_offsets};
pub use recording::{Recorded, RecordingLog, compare_recording, read_recording};
pub use resolver::{Registration, Registrations, registrations};

/// Bytes of a tensor of this type and these dims; `None` when its allocator has no size for it. 4-bit integers count a
/// whole byte.
pub fn tensor_bytes(dtype: crate::model::DataType, dims: &[i32]) -> Option<u64> {
    types::bytes(dtype, dims)
}

/// The refusal of more buffers than the linear planner can hold.
fn linear_limit(planned_buffers: u64) -> Option<Refusal> {
    let limit = tables::LINEAR_MAX_BUFFERS;
    (planned_buffers > limit).then(|| Refusal {
        stage: Stage::Plan,
        op: None,
        reason: format!("the linear planner holds at most {limit} buffers, but the model has {planned_buffers}"),
        log: vec![format!("Too many buffers (max is {limit})")],
        crashes: false,
    })
}
