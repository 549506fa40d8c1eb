//! Turns a [`Problem`] (sizes and spans, nothing of models) into a [`Plan`] (offsets). One file per planner.
//! Knows units and errors; knows nothing of models or runtimes.

mod problem;

pub use problem::{Plan, Problem, Request};

use crate::error::{Error, ErrorKind, Result};

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
