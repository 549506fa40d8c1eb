//! Windowed improvement: the operators around the peak are ordered anew by the exact search, the others stay.

use crate::schedule::graph::Graph;
use crate::schedule::problem::{OrderOp, OrderProblem, OrderTensor};
use crate::schedule::search::{Preference, Search, Verdict};
use crate::schedule::state::State;

/// Operators in a window, smallest first.
const SIZES: [usize; 3] = [16, 28, 48];
/// Sets the search may branch on per window.
const MAX_STATES: u64 = 1_500;

/// Lowers the peak of `order` as far as windows can; `false` when they cannot.
pub(super) fn improve(graph: &Graph, order: &mut [usize]) -> bool {
    let mut is_better = false;
    while lower_all_peaks(graph, order) {
        is_better = true;
    }
    is_better
}

/// Gets every step of the highest peak below it.
fn lower_all_peaks(graph: &Graph, order: &mut [usize]) -> bool {
    let (peak, _) = highest(graph, order);
    if peak <= graph.op_bound() {
        return false;
    }
    loop {
        let (height, at) = highest(graph, order);
        if height < peak {
            return true;
        }
        if !lower_at(graph, order, at, peak - 1) {
            return false;
        }
    }
}

/// Reorders some window that holds step `at` so that it stays within `limit` bytes.
fn lower_at(graph: &Graph, order: &mut [usize], at: usize, limit: u64) -> bool {
    for size in SIZES.map(|size| size.min(order.len())) {
        for before in [size / 2, size / 5, size - size / 5] {
            let start = at.saturating_sub(before).min(order.len() - size);
            let window = start..start + size;
            if !window.contains(&at) {
                continue;
            }
            let Some(problem) = problem_of(graph, order, window.clone()) else { return false };
            let mut search = Search::new(problem.graph(), limit, Preference::LeastAfter);
            if problem.graph().op_bound() > limit {
                continue;
            }
            if let Verdict::Found(inner) = search.run(MAX_STATES) {
                let ops: Vec<usize> = inner.into_iter().map(|op| order[start + op]).collect();
                order[window].copy_from_slice(&ops);
                return true;
            }
        }
    }
    false
}

/// The highest peak and the first step that has it.
fn highest(graph: &Graph, order: &[usize]) -> (u64, usize) {
    let transients = State::transients_of(graph, order);
    let peak = transients.iter().copied().max().unwrap_or(0);
    (peak, transients.iter().position(|transient| *transient == peak).unwrap_or(0))
}

/// The window as a problem of its own: what is alive across it is one kept tensor.
fn problem_of(graph: &Graph, order: &[usize], window: std::ops::Range<usize>) -> Option<OrderProblem> {
    let ops = &order[window.clone()];
    let mut local_op = vec![None; graph.op_count()];
    ops.iter().enumerate().for_each(|(local, op)| local_op[*op] = Some(local));
    let mut local_tensor = vec![None; graph.sizes.len()];
    let mut readers_inside = vec![0_u32; graph.sizes.len()];
    let mut is_made_inside = vec![false; graph.sizes.len()];
    let mut touched = Vec::new();
    for op in ops {
        for tensor in graph.inputs.of(*op).iter().chain(graph.outputs.of(*op)) {
            if local_tensor[*tensor].is_none() {
                local_tensor[*tensor] = Some(touched.len());
                touched.push(*tensor);
            }
        }
        graph.inputs.of(*op).iter().for_each(|tensor| readers_inside[*tensor] += 1);
        graph.outputs.of(*op).iter().for_each(|tensor| is_made_inside[*tensor] = true);
    }
    let before = State::after(graph, &order[..window.start]);
    let is_kept = |tensor: usize| graph.is_kept[tensor] || before.readers_left(tensor) > readers_inside[tensor];
    let mut tensors: Vec<OrderTensor> = touched
        .iter()
        .map(|tensor| OrderTensor { size_bytes: graph.sizes[*tensor], is_kept: is_kept(*tensor) })
        .collect();
    let entering: u64 =
        touched.iter().filter(|tensor| !is_made_inside[**tensor]).map(|tensor| graph.sizes[*tensor]).sum();
    tensors.push(OrderTensor { size_bytes: before.bytes().checked_sub(entering)?, is_kept: true });
    let local = |list: &[usize]| list.iter().filter_map(|tensor| local_tensor[*tensor]).collect::<Vec<_>>();
    let inner = ops.iter().map(|op| {
        let made: u64 = graph.outputs.of(*op).iter().map(|tensor| graph.sizes[*tensor]).sum();
        let (inputs, outputs) = (local(graph.inputs.of(*op)), local(graph.outputs.of(*op)));
        OrderOp { inputs, outputs, scratch_bytes: graph.needs[*op] - made }
    });
    let edges = ops.iter().enumerate().flat_map(|(later, op)| {
        graph.before.of(*op).iter().filter_map(|earlier| local_op[*earlier]).map(move |earlier| (earlier, later))
    });
    let edges = edges.collect();
    OrderProblem::new(tensors, inner.collect(), edges).ok()
}
