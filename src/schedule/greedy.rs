//! Orders found without searching: good ones to start from.

use std::cmp::Reverse;

use crate::schedule::graph::Graph;
use crate::schedule::search::Preference;
use crate::schedule::state::State;

/// The file's order, but with lazy operators run only when they are needed.
pub(super) fn file_order(graph: &Graph) -> Vec<usize> {
    let mut state = State::new(graph);
    for op in (0..graph.op_count()).filter(|op| !graph.is_lazy[*op]) {
        state.run(op);
    }
    state.whole_order()
}

/// Always the ready operator that looks best: one that needs no new peak and leaves no more bytes than before, else
/// by `preference`.
pub(super) fn order(graph: &Graph, preference: Preference) -> Vec<usize> {
    let mut state = State::new(graph);
    let mut peak = graph.start_peak;
    while !state.is_done() {
        let before = state.bytes();
        let mut best = None;
        for at in 0..state.ready().len() {
            let op = state.ready()[at];
            let probe = state.probe(op);
            let is_safe = probe.transient <= peak && probe.after <= before;
            let rank = match preference {
                Preference::LeastAfter => (probe.after, probe.transient, Reverse(0), op),
                Preference::LeastMeanwhile => (probe.transient, probe.after, Reverse(0), op),
                Preference::Latest => (0, 0, Reverse(op), op),
            };
            let candidate = (!is_safe, rank);
            if best.is_none_or(|known| candidate < known) {
                best = Some(candidate);
            }
        }
        if let Some((_, (.., op))) = best {
            peak = state.run(op).max(peak);
        }
    }
    state.whole_order()
}
