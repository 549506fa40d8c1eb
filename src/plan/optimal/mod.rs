//! The optimal strategy: the lowest plan of many greedy ones, then an exact search that goes on, a slice at a time, until
//! its plan is proven to be as low as any, or the caller has enough. Knows nothing of clocks or threads; always gives the
//! same for the same budget.
//!
//! - *Parts*: where nobody free lives over a step, the problem falls into parts that are solved each alone.
//! - *Seeds*: greedy plans by many orders; the lowest of each part is kept.
//! - *Ladder*: the exact search (`search`) is asked for plans at several heights between the bound and the best plan
//!   (`ladder`), with ever more nodes. A success lowers the best plan; an exhausted search raises the bound.
//!
//! Fixed requests are obstacles. `Request::batch` and `Request::stays` are ignored: they say how one runtime goes about it.

mod bits;
mod conflict;
mod instance;
mod ladder;
mod moves;
mod ranks;
mod search;

use super::{Plan, Problem, Strategy, Violation, linear, lower_bound, plan, validate};
use crate::units::{RequestId, Step};
use instance::Instance;
use ladder::{Finding, Ladder, Target};

/// How far a [`Solver`] has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Height of the best plan so far, in bytes.
    pub best_bytes: u64,
    /// No plan is lower than this.
    pub bound_bytes: u64,
    /// Nodes of the search so far.
    pub nodes: u64,
    /// Whether there is nothing more to do: the plan is proven optimal, low enough for the capacity asked for, or that
    /// capacity is proven too small, or the problem is too large for the search.
    pub is_done: bool,
}

impl Progress {
    /// Whether no plan can be lower than the best one.
    pub fn is_proven(&self) -> bool {
        self.best_bytes <= self.bound_bytes
    }
}

/// A part of the problem: requests that hang together in time.
#[derive(Clone, Debug)]
struct Part {
    /// Its free requests.
    ids: Vec<RequestId>,
    /// Height of its best plan.
    best_bytes: u64,
    /// Ready for the search; `None` before the first time, or when it is too large.
    work: Option<(Instance, Ladder)>,
    is_too_large: bool,
}

/// A search for the lowest plan of a problem, in steps.
///
/// ```
/// use arenascope::plan::{Problem, Request, Solver};
/// use arenascope::units::{Span, Step};
///
/// let request = |size, first, end| Request::new(size, Span::new(Step(first), Step(end)).unwrap());
/// let problem = Problem::new(vec![request(48, 0, 2), request(16, 1, 3), request(48, 2, 4)], 16)?;
/// let mut solver = Solver::new(&problem);
/// while !solver.step(1_000).is_done {}
/// assert_eq!(solver.plan().height_bytes, 64);
/// assert!(solver.progress().is_proven());
/// # Ok::<(), arenascope::error::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Solver {
    problem: Problem,
    fixed: Vec<RequestId>,
    parts: Vec<Part>,
    best: Plan,
    bound_bytes: u64,
    capacity: Option<u64>,
    seeds: usize,
    nodes: u64,
}

impl Solver {
    /// A search for the lowest plan.
    pub fn new(problem: &Problem) -> Solver {
        Solver::with_capacity(problem, None)
    }

    /// A search that is done as soon as a plan takes at most `capacity` bytes.
    pub fn to_capacity(problem: &Problem, capacity: u64) -> Solver {
        Solver::with_capacity(problem, Some(capacity))
    }

    fn with_capacity(problem: &Problem, capacity: Option<u64>) -> Solver {
        let ids = (0..problem.requests().len()).map(RequestId::from_index);
        let (fixed, free): (Vec<_>, Vec<_>) = ids.partition(|&id| problem.request(id).fixed_offset.is_some());
        let best = linear::plan(problem);
        let parts = split(problem, free).into_iter().map(|ids| Part {
            best_bytes: height(problem, &ids, &best.offsets),
            ids,
            work: None,
            is_too_large: false,
        });
        Solver {
            parts: parts.collect(),
            bound_bytes: lower_bound(problem).height_bytes,
            best,
            problem: problem.clone(),
            fixed,
            capacity,
            seeds: 0,
            nodes: 0,
        }
    }

    /// The best plan so far.
    pub fn plan(&self) -> &Plan {
        &self.best
    }

    /// How far it has come.
    pub fn progress(&self) -> Progress {
        let proven = self.best.height_bytes <= self.bound_bytes;
        let is_seeded = self.seeds >= SEEDS.len();
        let reached = self
            .capacity
            .is_some_and(|capacity| self.best.height_bytes <= capacity || (is_seeded && self.bound_bytes > capacity));
        let is_done = proven || reached || (is_seeded && self.next_part().is_none());
        Progress { best_bytes: self.best.height_bytes, bound_bytes: self.bound_bytes, nodes: self.nodes, is_done }
    }

    /// Works for about `nodes` nodes of the search, or one greedy plan, and says how far it has come.
    pub fn step(&mut self, nodes: u64) -> Progress {
        if self.progress().is_done {
            return self.progress();
        }
        if let Some(&seed) = SEEDS.get(self.seeds) {
            self.seeds += 1;
            self.take_seed(seed);
            return self.progress();
        }
        let stop = self.nodes.saturating_add(nodes.max(1));
        while self.nodes < stop && !self.progress().is_done {
            self.work(stop - self.nodes);
        }
        self.progress()
    }

    /// The highest part that can still be improved: of those that stand above the bound.
    fn next_part(&self) -> Option<usize> {
        let open =
            self.parts.iter().enumerate().filter(|(_, part)| part.best_bytes > self.bound_bytes && !part.is_too_large);
        open.max_by_key(|&(index, part)| (part.best_bytes, std::cmp::Reverse(index))).map(|(index, _)| index)
    }

    /// Keeps of a greedy plan what is better than what there is.
    fn take_seed(&mut self, seed: Strategy) {
        let made = plan(&self.problem, seed);
        if matches!(validate(&self.problem, &made, None), Err(Violation::Misaligned { .. })) {
            return;
        }
        for index in 0..self.parts.len() {
            let ids = &self.parts[index].ids;
            let offsets: Vec<_> = ids.iter().map(|id| made.offsets[id.index()]).collect();
            self.improve(index, &offsets);
        }
    }

    /// Takes these offsets for the part's requests if they are lower.
    fn improve(&mut self, index: usize, offsets: &[u64]) {
        let part = &mut self.parts[index];
        let ends = part.ids.iter().zip(offsets).map(|(&id, offset)| offset + self.problem.request(id).size_bytes);
        let height = ends.max().unwrap_or(0);
        if height < part.best_bytes {
            part.best_bytes = height;
            let mut all = std::mem::take(&mut self.best.offsets);
            for (id, &offset) in part.ids.iter().zip(offsets) {
                all[id.index()] = offset;
            }
            self.best = Plan::from_offsets(&self.problem, all);
        }
    }

    /// One slice of the exact search.
    fn work(&mut self, budget: u64) {
        let Some(index) = self.next_part() else { return };
        let part = &mut self.parts[index];
        if part.work.is_none() {
            let Some(instance) = Instance::new(&self.problem, part.ids.clone(), &self.fixed) else {
                part.is_too_large = true;
                return;
            };
            part.ids.clone_from(&instance.ids);
            let ladder = Ladder::new(&instance);
            part.work = Some((instance, ladder));
        }
        let target = Target { bound: self.bound_bytes, best: part.best_bytes, goal: self.capacity };
        let Some((instance, ladder)) = &mut part.work else { return };
        let (nodes, finding) = ladder.work(instance, target, budget);
        self.nodes += nodes;
        match finding {
            Finding::Nothing => (),
            Finding::Better(offsets) => self.improve(index, &offsets),
            Finding::Impossible(capacity) => self.bound_bytes = self.bound_bytes.max(capacity + 1),
        }
    }
}

/// The greedy planners asked first.
const SEEDS: [Strategy; 7] = [
    Strategy::Tflm,
    Strategy::BySize,
    Strategy::ByBreadth,
    Strategy::ByConflicts,
    Strategy::FirstFit,
    Strategy::BestFit,
    Strategy::Tflite,
];

/// How many nodes [`plan`] may take: well below a second, also in a browser.
const PLAN_NODES: u64 = 100_000;

/// The best plan within a fixed number of nodes; for more, or to know whether it is proven, use a [`Solver`].
pub(super) fn best_plan(problem: &Problem) -> Plan {
    let mut solver = Solver::new(problem);
    while solver.nodes < PLAN_NODES && !solver.step(PLAN_NODES - solver.nodes).is_done {}
    solver.best
}

/// What [`solve`] found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The best plan.
    pub plan: Plan,
    /// How good it is known to be.
    pub progress: Progress,
}

/// Seeks the lowest plan, or one of at most `capacity` bytes, until it is found and proven or `go_on`, asked every few
/// milliseconds, says `false`: a clock, a cancel button, a progress bar.
pub fn solve(problem: &Problem, capacity: Option<u64>, mut go_on: impl FnMut(&Progress) -> bool) -> Solution {
    let mut solver = Solver::with_capacity(problem, capacity);
    loop {
        let progress = solver.step(SLICE_NODES);
        if progress.is_done || !go_on(&progress) {
            return Solution { plan: solver.best, progress };
        }
    }
}

/// Nodes between two questions of [`solve`].
const SLICE_NODES: u64 = 2_000;

/// The end of the highest of `ids`.
fn height(problem: &Problem, ids: &[RequestId], offsets: &[u64]) -> u64 {
    ids.iter().map(|&id| offsets[id.index()] + problem.request(id).size_bytes).max().unwrap_or(0)
}

/// Cuts `ids` where none of them lives over a step.
fn split(problem: &Problem, mut ids: Vec<RequestId>) -> Vec<Vec<RequestId>> {
    ids.sort_by_key(|&id| (problem.request(id).live.first(), id));
    let mut parts: Vec<Vec<RequestId>> = Vec::new();
    let mut end = Step(0);
    for id in ids {
        let live = problem.request(id).live;
        match parts.last_mut() {
            Some(part) if live.first() < end => part.push(id),
            _ => parts.push(vec![id]),
        }
        end = end.max(live.end());
    }
    parts
}
