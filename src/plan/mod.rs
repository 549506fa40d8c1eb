//! Turns a [`Problem`] (sizes and spans, nothing of models) into a [`Plan`] (offsets). One file per planner.
//! Knows units and errors; knows nothing of models or runtimes.

mod bound;
mod cover;
pub mod csv;
mod greedy;
mod linear;
mod optimal;
mod order;
mod problem;
mod trace;
mod validate;

pub use bound::{Bound, live_bytes, lower_bound};
pub use optimal::{Progress, Solution, Solver, solve};
pub use problem::{Plan, Problem, Request};
pub use trace::{GapTried, Reason, Trace, alive_at, rests_on, reuse_candidates, trace};
pub use validate::{Violation, validate};

use crate::error::{Error, ErrorKind, Result};
use crate::limits;
use greedy::{Choice, Fit, Recipe};

/// A way to place requests. Names on the command line are those of [`Strategy::name`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// `TFLite`'s own: best fit by size (`tflite/arena_planner.cc`, `tflite/simple_memory_arena.cc`).
    Tflite,
    /// TFLite-Micro's own: first fit by size (`greedy_memory_planner.cc`).
    Tflm,
    /// Each request at an address of its own, in index order.
    NoReuse,
    /// TFLite-Micro's linear planner: a running sum in index order; as no-reuse, but fixed offsets are refused.
    Linear,
    /// First gap that fits, requests by time.
    FirstFit,
    /// Smallest gap that fits, requests by time.
    BestFit,
    /// Largest first.
    BySize,
    /// Busiest step first, inside it largest first.
    ByBreadth,
    /// Most conflicts first.
    ByConflicts,
    /// A portfolio closed by an exact search; see `optimal`.
    Optimal,
}

impl Strategy {
    /// All strategies in the order they are shown.
    pub const ALL: &[Strategy] = &[
        Strategy::Tflite,
        Strategy::Tflm,
        Strategy::NoReuse,
        Strategy::Linear,
        Strategy::FirstFit,
        Strategy::BestFit,
        Strategy::BySize,
        Strategy::ByBreadth,
        Strategy::ByConflicts,
        Strategy::Optimal,
    ];

    /// The strategy's name in options and reports.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::Tflite => "tflite",
            Strategy::Tflm => "tflm",
            Strategy::NoReuse => "no-reuse",
            Strategy::Linear => "linear",
            Strategy::FirstFit => "first-fit",
            Strategy::BestFit => "best-fit",
            Strategy::BySize => "by-size",
            Strategy::ByBreadth => "by-breadth",
            Strategy::ByConflicts => "by-conflicts",
            Strategy::Optimal => "optimal",
        }
    }

    /// The strategy of that name.
    pub fn from_name(name: &str) -> Result<Strategy> {
        Strategy::ALL.iter().copied().find(|strategy| strategy.name() == name).ok_or_else(|| {
            let names: Vec<_> = Strategy::ALL.iter().map(|strategy| strategy.name()).collect();
            Error::new(ErrorKind::BadOption, format!("planner {name:?} is not known"))
                .with_hint(format!("choose one of runtime, {}", names.join(", ")))
        })
    }
}

/// Places every request of `problem` by `strategy`. Fixed requests keep their offsets, even where they overlap each other.
///
/// The plan is valid (see [`validate`]), but for what fixed requests force: they may overlap each other, and
/// [`Strategy::Tflm`] places unaligned above an unaligned one, as the runtime does.
pub fn plan(problem: &Problem, strategy: Strategy) -> Plan {
    if strategy == Strategy::Optimal {
        return optimal::best_plan(problem);
    }
    match recipe(problem, strategy) {
        Some(recipe) => greedy::plan(problem, &recipe),
        None => linear::plan(problem),
    }
}

/// Whether `strategy` can be used for `problem` at all by the runtime it belongs to. [`plan`] makes a plan in any case.
///
/// # Errors
/// TFLite-Micro's linear planner takes no offline plan and at most 1,024 buffers
/// (`linear_memory_planner.cc`, tflite-micro 90b983c2).
pub fn check_supported(problem: &Problem, strategy: Strategy) -> Result<()> {
    if strategy != Strategy::Linear {
        return Ok(());
    }
    if let Some(index) = problem.requests().iter().position(|request| request.fixed_offset.is_some()) {
        let message = format!("buffer {index} has a fixed offset, which the linear planner does not take");
        return Err(Error::new(ErrorKind::Refused, message).with_hint("choose planner tflm"));
    }
    let count = problem.requests().len();
    if count > limits::MAX_LINEAR_BUFFERS {
        let message = format!("{count} buffers, but the linear planner takes at most {}", limits::MAX_LINEAR_BUFFERS);
        return Err(Error::new(ErrorKind::Refused, message).with_hint("choose planner tflm"));
    }
    Ok(())
}

/// What the greedy strategy does; `None` for those without reuse.
fn recipe(problem: &Problem, strategy: Strategy) -> Option<Recipe> {
    let (order, choice, fit) = match strategy {
        Strategy::NoReuse | Strategy::Linear | Strategy::Optimal => return None,
        Strategy::Tflite => (order::tflite(problem), Choice::SmallestUnaligned, Fit::AlignOffset),
        Strategy::Tflm => (order::tflm(problem), Choice::First, Fit::RoundSize),
        Strategy::FirstFit => (order::by_time(problem), Choice::First, Fit::AlignOffset),
        Strategy::BestFit => (order::by_time(problem), Choice::Smallest, Fit::AlignOffset),
        Strategy::BySize => (order::by_size(problem), Choice::Smallest, Fit::AlignOffset),
        Strategy::ByBreadth => (order::by_breadth(problem), Choice::Smallest, Fit::AlignOffset),
        Strategy::ByConflicts => (order::by_conflicts(problem), Choice::First, Fit::AlignOffset),
    };
    Some(Recipe { order, choice, fit })
}
