//! Makes an offline plan for TFLite-Micro out of a solved placement: what may be fixed, and what height the runtime
//! then reaches.
//!
//! - Scratch cannot be fixed. The runtime places it by first fit between what is fixed, largest first. One scratch
//!   buffer per operator always finds the place that the solver kept free for it, or a lower one. Several of one
//!   operator find theirs when the solver kept them together: so they are also tried as one block.
//! - While it places variables, the runtime takes a tensor's index inside its subgraph for one over all subgraphs
//!   (`micro_allocator.cc`, `AllocateVariables`, tflite-micro 90b983c2): where a branch has a variable of index i, the
//!   main subgraph's tensor i is left to the runtime, else the variable would get no memory.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::Result;
use crate::model::Model;
use crate::plan::{self, Plan, Problem, Request, Solver, Strategy};
use crate::rewrite::plan::OfflinePlan;
use crate::runtime::{Arena, OperatorRef, Origin, Program};
use crate::units::{RequestId, Span};

/// An offline plan, and what it gives.
#[derive(Clone, Debug)]
pub(super) struct Offline {
    pub(super) plan: OfflinePlan,
    /// The height that the runtime reaches with it.
    pub(super) height_bytes: u64,
    /// The height that the solver reached when it was free to place everything.
    pub(super) solved_bytes: u64,
    /// No placement of these buffers is lower.
    pub(super) bound_bytes: u64,
}

/// The best offline plan for the head of `program`. `go_on` is told the best height and the bound, and says whether
/// to work on.
pub(super) fn best(
    model: &Model,
    program: &Program,
    nodes: u64,
    go_on: &mut dyn FnMut(u64, u64, u64) -> bool,
) -> Result<Option<Offline>> {
    let Some(arena) = program.arenas.first() else { return Ok(None) };
    let may_fix = fixable(model, program, arena);
    let whole = solve(&arena.problem, nodes, go_on);
    let mut offline = judged(model, program, arena, &may_fix, &whole.plan.offsets)?;
    offline.solved_bytes = whole.plan.height_bytes;
    offline.bound_bytes = whole.bound_bytes;
    if offline.height_bytes > whole.plan.height_bytes
        && let Some(blocks) = Blocks::of(program, arena)?
    {
        let solved = solve(&blocks.problem, nodes, go_on);
        let other = judged(model, program, arena, &may_fix, &blocks.offsets(&solved.plan))?;
        if other.height_bytes < offline.height_bytes {
            offline = Offline { solved_bytes: offline.solved_bytes, bound_bytes: offline.bound_bytes, ..other };
        }
    }
    Ok(Some(offline))
}

struct Solved {
    plan: Plan,
    bound_bytes: u64,
}

/// Nodes of one step: a few milliseconds.
const STEP_NODES: u64 = 2_000;

fn solve(problem: &Problem, nodes: u64, go_on: &mut dyn FnMut(u64, u64, u64) -> bool) -> Solved {
    let mut solver = Solver::new(problem);
    loop {
        let progress = solver.step(STEP_NODES);
        let wants_more = go_on(progress.best_bytes, progress.bound_bytes, progress.nodes);
        if progress.is_done || progress.nodes >= nodes || !wants_more {
            return Solved { plan: solver.plan().clone(), bound_bytes: progress.bound_bytes };
        }
    }
}

/// Per request: whether its offset may stand in the plan.
fn fixable(model: &Model, program: &Program, arena: &Arena) -> Vec<bool> {
    let branches = model.subgraphs.iter().skip(1);
    let left_out: BTreeSet<usize> = branches
        .flat_map(|branch| branch.tensors.iter().enumerate().filter(|(_, tensor)| tensor.is_variable))
        .map(|(index, _)| index)
        .collect();
    // The entries are counted over all subgraphs, so those of the first one come first.
    let mut starts = Vec::with_capacity(model.subgraphs.len());
    let mut count = 0;
    for subgraph in &model.subgraphs {
        starts.push(count);
        count += subgraph.tensors.len();
    }
    let may_fix = |origin: &Origin| match origin {
        Origin::Tensor(at) => !left_out.contains(&(starts[at.subgraph.index()] + at.tensor.index())),
        Origin::Temporary { .. } | Origin::Scratch { .. } => false,
    };
    arena.buffers.iter().map(|buffer| may_fix(&program.buffer(*buffer).origin)).collect()
}

/// The plan with these offsets, with the height that the runtime's own planner reaches around what is fixed.
fn judged(model: &Model, program: &Program, arena: &Arena, may_fix: &[bool], offsets: &[u64]) -> Result<Offline> {
    let mut plan = OfflinePlan::online(model);
    let mut requests = arena.problem.requests().to_vec();
    for (index, request) in requests.iter_mut().enumerate() {
        request.fixed_offset = may_fix[index].then_some(offsets[index]);
        if let (Some(offset), Origin::Tensor(at)) = (request.fixed_offset, program.buffer(arena.buffers[index]).origin)
        {
            plan.offsets[at.subgraph.index()][at.tensor.index()] = Some(offset);
        }
    }
    let problem = Problem::new(requests, arena.problem.alignment())?;
    let height_bytes = plan::plan(&problem, Strategy::Tflm).height_bytes;
    Ok(Offline { plan, height_bytes, solved_bytes: height_bytes, bound_bytes: 0 })
}

/// The arena's problem with all scratch of one operator as one block.
struct Blocks {
    problem: Problem,
    /// Per request of the arena: the request that stands for it, and its offset inside that.
    stands_for: Vec<(RequestId, u64)>,
}

impl Blocks {
    /// `None` when no operator has more than one scratch buffer.
    fn of(program: &Program, arena: &Arena) -> Result<Option<Blocks>> {
        let mut requests: Vec<Request> = Vec::new();
        let mut stands_for = Vec::new();
        let mut blocks: BTreeMap<(OperatorRef, Span), RequestId> = BTreeMap::new();
        let mut is_worth_it = false;
        for (request, buffer) in arena.problem.requests().iter().zip(&arena.buffers) {
            let block = match program.buffer(*buffer).origin {
                Origin::Scratch { op, .. } => blocks.get(&(op, request.live)).copied(),
                Origin::Tensor(_) | Origin::Temporary { .. } => None,
            };
            if let Some(block) = block {
                is_worth_it = true;
                let whole = &mut requests[block.index()];
                stands_for.push((block, whole.size_bytes));
                whole.size_bytes += request.size_bytes;
                continue;
            }
            let id = RequestId::from_index(requests.len());
            if let Origin::Scratch { op, .. } = program.buffer(*buffer).origin {
                blocks.insert((op, request.live), id);
            }
            stands_for.push((id, 0));
            requests.push(*request);
        }
        let problem = Problem::new(requests, arena.problem.alignment())?;
        Ok(is_worth_it.then_some(Blocks { problem, stands_for }))
    }

    fn offsets(&self, plan: &Plan) -> Vec<u64> {
        self.stands_for.iter().map(|(block, inside)| plan.offsets[block.index()] + inside).collect()
    }
}
