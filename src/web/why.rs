//! Why a box lies where it does: the planner's own trace, for the page to put into words. Requests are boxes, by index.

use serde::Serialize;

use crate::error::{Error, ErrorKind, Result};
use crate::plan::{self, GapTried, Reason};
use crate::report::Analysis;
use crate::units::RequestId;

/// One gap that was tried.
#[derive(Debug, Serialize)]
struct GapValue {
    start: u64,
    offset: u64,
    end: u64,
    below: Option<u32>,
    above: u32,
    fits: bool,
}

/// The trace: see `Why` in `www/types.d.ts`.
#[derive(Debug, Default, Serialize)]
struct WhyValue {
    kind: &'static str,
    planner: &'static str,
    offset: u64,
    turn: usize,
    turns: usize,
    gaps: Vec<GapValue>,
    taken: Option<usize>,
    below: Option<u32>,
    chain: Vec<u32>,
}

/// The trace of a box of the main arena as JSON; `None` for a box that no planner placed.
pub(super) fn json(analysis: &Analysis, id: u32) -> Result<Option<String>> {
    let (Some(arena), Some(plan)) = (analysis.program.arenas.first(), analysis.plans.first()) else { return Ok(None) };
    let strategy = analysis.arenas.first().and_then(|arena| arena.strategy);
    let Some(strategy) = strategy.filter(|_| (id as usize) < plan.offsets.len()) else { return Ok(None) };
    let found = plan::trace(&arena.problem, strategy, plan, RequestId(id));
    let value = WhyValue { planner: strategy.name(), offset: found.offset, ..value_of(found.reason) };
    let text = serde_json::to_string(&value).map_err(|error| Error::new(ErrorKind::TooLarge, error.to_string()))?;
    Ok(Some(text))
}

fn value_of(reason: Reason) -> WhyValue {
    match reason {
        Reason::Fixed => WhyValue { kind: "fixed", ..WhyValue::default() },
        Reason::Follows(before) => WhyValue { kind: "follows", below: before.map(|id| id.0), ..WhyValue::default() },
        Reason::Rests(chain) => {
            let chain = chain.into_iter().map(|id| id.0).collect();
            WhyValue { kind: "rests", chain, ..WhyValue::default() }
        }
        Reason::Placed { turn, turns, gaps, taken, below } => WhyValue {
            kind: "placed",
            turn,
            turns,
            gaps: gaps.into_iter().map(gap_value).collect(),
            taken,
            below: below.map(|id| id.0),
            ..WhyValue::default()
        },
    }
}

fn gap_value(gap: GapTried) -> GapValue {
    let GapTried { start, offset, end, below, above, fits } = gap;
    GapValue { start, offset, end, below: below.map(|id| id.0), above: above.0, fits }
}
