//! Why a request lies where it does: its turn in the planner's order, the gaps that were tried, who blocked each, and
//! the one taken; or, where no planner's walk tells, what it rests on. Facts only; views put them into words.

use super::greedy::{self, Gap, Spot};
use super::{Plan, Problem, Strategy, recipe};
use crate::units::{RequestId, Step};

/// Why a request lies at its offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The request.
    pub request: RequestId,
    /// Its offset in bytes.
    pub offset: u64,
    /// How it came there.
    pub reason: Reason,
}

/// How a request came to its offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It is not ours to choose.
    Fixed,
    /// It follows the one before it, without reuse; `None`: it is the first.
    Follows(Option<RequestId>),
    /// A greedy planner placed it.
    Placed {
        /// How many were placed before it.
        turn: usize,
        /// How many are placed in all.
        turns: usize,
        /// The gaps it met, from the bottom, up to where the planner stopped looking.
        gaps: Vec<GapTried>,
        /// The gap taken, as an index; `None`: none was, and it lies on top of all that it shares a step with.
        taken: Option<usize>,
        /// What it rests on; `None`: the bottom of the arena.
        below: Option<RequestId>,
    },
    /// A search placed it as low as the others allow: what it rests on, then what that rests on, down to the bottom.
    Rests(Vec<RequestId>),
}

/// A space between two placed requests that share steps with the new one, or below the lowest of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GapTried {
    /// Where it starts in bytes, before alignment.
    pub start: u64,
    /// Where the request would lie in it.
    pub offset: u64,
    /// Where it ends; below `start` where placed requests lie behind each other.
    pub end: u64,
    /// The request that ends at `start`; `None`: the bottom of the arena.
    pub below: Option<RequestId>,
    /// The request that begins at `end` and so blocks the gap.
    pub above: RequestId,
    /// Whether the request fits.
    pub fits: bool,
}

/// Why request `id` lies where `plan`, made by `strategy`, put it.
///
/// # Panics
/// When `id` is not of `problem`, or `plan` was made for another problem.
pub fn trace(problem: &Problem, strategy: Strategy, plan: &Plan, id: RequestId) -> Trace {
    let offset = plan.offsets[id.index()];
    let reason = if problem.request(id).fixed_offset.is_some() {
        Reason::Fixed
    } else {
        match recipe(problem, strategy) {
            Some(recipe) => placed(greedy::find(problem, &recipe, id), recipe.order.len()),
            None if strategy == Strategy::Optimal => Reason::Rests(rests_on(problem, plan, id)),
            None => {
                let before = (0..id.0).rev().map(RequestId);
                Reason::Follows(before.into_iter().find(|&other| problem.request(other).fixed_offset.is_none()))
            }
        }
    };
    Trace { request: id, offset, reason }
}

/// The reason as the walk found it.
fn placed((turn, gaps, spot): (usize, Vec<Gap>, Spot), turns: usize) -> Reason {
    let tried = |gap: Gap| {
        let Gap { start, offset, end, below, above, fits } = gap;
        GapTried { start, offset, end, below, above, fits }
    };
    Reason::Placed { turn, turns, gaps: gaps.into_iter().map(tried).collect(), taken: spot.gap, below: spot.below }
}

/// What request `id` rests on, then what that rests on, and so on to the bottom of the arena: each one shares a step
/// with the one above it and ends where that begins, but for alignment. Ends early where one rests on nothing. Of several
/// the highest is named, then the lowest index.
///
/// # Panics
/// When `id` is not of `problem`, or `plan` was made for another problem.
pub fn rests_on(problem: &Problem, plan: &Plan, id: RequestId) -> Vec<RequestId> {
    let mut chain = Vec::new();
    let mut top = id;
    while let Some(below) = support(problem, plan, top) {
        chain.push(below);
        top = below;
    }
    chain
}

/// The one that `id` rests on. Its offset is lower, so chains end.
fn support(problem: &Problem, plan: &Plan, id: RequestId) -> Option<RequestId> {
    let (offset, live) = (plan.offsets[id.index()], problem.request(id).live);
    let ids = (0..problem.requests().len()).map(RequestId::from_index);
    let end = |other: RequestId| plan.offsets[other.index()] + problem.request(other).size_bytes;
    let below = ids.filter(|&other| {
        let lower = plan.offsets[other.index()] < offset;
        lower && problem.request(other).live.overlaps(live) && end(other) <= offset
    });
    let highest = below.max_by_key(|&other| (end(other), std::cmp::Reverse(other)))?;
    (end(highest).next_multiple_of(problem.alignment()) >= offset).then_some(highest)
}

/// For each request, those that share no step with it, so that they could lie over the same bytes: its candidates for
/// reuse, by index.
pub fn reuse_candidates(problem: &Problem, id: RequestId) -> Vec<RequestId> {
    let live = problem.request(id).live;
    let ids = (0..problem.requests().len()).map(RequestId::from_index);
    ids.filter(|&other| !problem.request(other).live.overlaps(live)).collect()
}

/// The requests alive at `step`, by index.
pub fn alive_at(problem: &Problem, step: Step) -> Vec<RequestId> {
    let ids = (0..problem.requests().len()).map(RequestId::from_index);
    ids.filter(|&id| problem.request(id).live.contains(step)).collect()
}
