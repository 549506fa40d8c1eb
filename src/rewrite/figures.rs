//! What a program takes, with the runtime's own planner. Knows nothing of rewriting.

use crate::plan::{self, Strategy};
use crate::runtime::{ArenaKind, Program, RuntimeKind, tflm};
use crate::simulate;

/// What a model takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figures {
    /// TFLite-Micro: planned bytes (the head). `TFLite`: the arenas of all subgraphs together.
    pub arena_bytes: u64,
    /// TFLite-Micro: the smallest arena with which it loads.
    pub minimum_arena_bytes: Option<u64>,
}

impl Figures {
    /// With the runtime's own planner.
    pub(super) fn of(program: &Program) -> Figures {
        let arena_bytes = heights(program);
        let needs = program.micro.as_ref().and_then(|micro| tflm::arena_needs(micro, arena_bytes));
        let minimum_arena_bytes = needs.map(|needs| needs.minimum_arena_bytes);
        Figures { arena_bytes, minimum_arena_bytes }
    }
}

/// The runtime's own planner.
pub fn own_strategy(program: &Program) -> Strategy {
    match program.options.runtime {
        RuntimeKind::Tflite => Strategy::Tflite,
        RuntimeKind::Tflm if program.options.preserve_all_tensors => Strategy::Linear,
        RuntimeKind::Tflm => Strategy::Tflm,
    }
}

/// Heights of all main arenas together, with the runtime's own planner.
pub(super) fn heights(program: &Program) -> u64 {
    let strategy = own_strategy(program);
    let arenas = program.arenas.iter().filter(|arena| arena.kind == ArenaKind::Main);
    arenas.map(|arena| plan::plan(&arena.problem, strategy).height_bytes).sum()
}

/// What no plans of these arenas can beat together.
pub(super) fn bound(program: &Program) -> u64 {
    let arenas = program.arenas.iter().filter(|arena| arena.kind == ArenaKind::Main);
    arenas.map(|arena| plan::lower_bound(&arena.problem).height_bytes).sum()
}

/// Bytes still needed that would be overwritten, with the runtime's own planner.
pub(super) fn clobbers(program: &Program) -> usize {
    let strategy = own_strategy(program);
    let plans: Vec<_> = program.arenas.iter().map(|arena| plan::plan(&arena.problem, strategy)).collect();
    simulate::prove(program, &plans).clobbers.len()
}
