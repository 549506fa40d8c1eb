//! Candidates for another order of a whole model's operators, subgraph by subgraph.

use crate::error::Result;
use crate::model::Model;
use crate::runtime::Program;
use crate::schedule::{Solver, problem_of};
use crate::units::{OperatorId, SubgraphId};

/// Sets branched on between two reports: a few milliseconds.
const STEP_STATES: u64 = 500;

/// Operators above which only the best order is a candidate: each one more is placed in full.
const MAX_OTHERS_OPS: usize = 3_000;

/// How far the search for one subgraph is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderProgress {
    /// The subgraph.
    pub subgraph: SubgraphId,
    /// The lowest peak so far, in bytes.
    pub best_bytes: u64,
    /// No order has a lower peak.
    pub bound_bytes: u64,
    /// Sets branched on so far.
    pub states: u64,
}

/// What a search over a whole model found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelOrders {
    /// Orders of all subgraphs that could be better than the file's, best guess first: with a lower peak, or (see
    /// [`search_model`]) with one below the height that is to be beaten. Which is lowest when placed is for a planner to
    /// say.
    pub candidates: Vec<Vec<Vec<OperatorId>>>,
    /// The peak of the main subgraph's best order, and the bound that no order beats, in bytes as
    /// [`problem_of`] counts them.
    pub peak_bytes: u64,
    /// No order of the main subgraph has a lower peak.
    pub bound_bytes: u64,
}

/// Looks for orders with a lower peak, with at most about `states` sets branched on per subgraph. Where a planner does
/// not reach the peak, another order no better by its peak may still be placed lower: orders of the main subgraph with a
/// peak below `height_bytes` (what the given order takes when placed) are candidates too. `go_on` is told how far the
/// work is and says whether to work on.
pub fn search_model(
    model: &Model,
    program: &Program,
    height_bytes: u64,
    states: u64,
    go_on: &mut dyn FnMut(&OrderProgress) -> bool,
) -> Result<ModelOrders> {
    let given = |id: SubgraphId| (0..model.subgraph(id).operators.len()).map(OperatorId::from_index).collect();
    let subgraphs = (0..model.subgraphs.len()).map(SubgraphId::from_index);
    let mut best_of_all: Vec<Vec<OperatorId>> = subgraphs.clone().map(given).collect();
    let mut others: Vec<(SubgraphId, Vec<OperatorId>)> = Vec::new();
    let mut found = ModelOrders { candidates: Vec::new(), peak_bytes: 0, bound_bytes: 0 };
    let mut is_better = false;
    for id in subgraphs {
        let problem = problem_of(model, program, id)?;
        let mut solver = Solver::new(&problem);
        loop {
            let (best, states_so_far) = (solver.best(), solver.states());
            let (best_bytes, bound_bytes) = (best.peak_bytes, best.bound_bytes);
            let progress = OrderProgress { subgraph: id, best_bytes, bound_bytes, states: states_so_far };
            if solver.is_done() || states_so_far >= states || !go_on(&progress) {
                break;
            }
            solver.step(STEP_STATES);
        }
        let best = solver.best();
        if id == SubgraphId(0) {
            (found.peak_bytes, found.bound_bytes) = (best.peak_bytes, best.bound_bytes);
        }
        let limit = if id == SubgraphId(0) { height_bytes.saturating_sub(1) } else { 0 };
        if !best.is_as_given() {
            is_better = true;
            best_of_all[id.index()] = ids(&best.ops);
        }
        if (!best.is_as_given() || best.peak_bytes <= limit) && problem.ops().len() <= MAX_OTHERS_OPS {
            others.extend(solver.others(limit, STEP_STATES).iter().map(|ops| (id, ids(ops))));
        }
    }
    if is_better {
        found.candidates.push(best_of_all.clone());
    }
    for (id, order) in others {
        let mut other = best_of_all.clone();
        other[id.index()] = order;
        if !found.candidates.contains(&other) {
            found.candidates.push(other);
        }
    }
    Ok(found)
}

fn ids(ops: &[usize]) -> Vec<OperatorId> {
    ops.iter().map(|op| OperatorId::from_index(*op)).collect()
}
