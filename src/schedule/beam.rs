//! Beam search: of all sets with equally many operators run, only the emptiest few are followed.

use std::collections::BTreeMap;

use crate::schedule::graph::Graph;
use crate::schedule::state::State;

/// Above this many operators a state is too big to be copied thousands of times.
const MAX_OPS: usize = 2_000;
/// Bytes alive decide; more than this many sets of one size are not followed.
const MAX_WIDTH: usize = 400;
/// States times operators: what one search may copy.
const MAX_COPIED: usize = 200_000;

/// An order whose peak is at most `limit` bytes, if the beam meets one.
pub(super) fn order(graph: &Graph, limit: u64) -> Option<Vec<usize>> {
    let count = graph.op_count();
    if count > MAX_OPS {
        return None;
    }
    let width = (MAX_COPIED / count.max(1)).clamp(8, MAX_WIDTH);
    let mut levels: BTreeMap<usize, Vec<State<'_>>> = BTreeMap::new();
    let mut first = State::new(graph);
    settle(&mut first, limit);
    levels.insert(first.log().len(), vec![first]);
    while let Some((_, mut states)) = levels.pop_first() {
        thin(&mut states, width);
        for mut state in states {
            if state.is_done() {
                return Some(state.whole_order());
            }
            for op in state.ready().to_vec() {
                if state.probe(op).transient <= limit {
                    let mut next = state.clone();
                    next.run(op);
                    settle(&mut next, limit);
                    let level = levels.entry(next.log().len()).or_default();
                    level.push(next);
                    if level.len() > 4 * width {
                        thin(level, width);
                    }
                }
            }
        }
    }
    None
}

/// Keeps the `width` emptiest states, each set once.
fn thin(states: &mut Vec<State<'_>>, width: usize) {
    states.sort_by_key(|state| (state.bytes(), state.key()));
    states.dedup_by_key(|state| state.key());
    states.truncate(width);
}

/// Runs everything that fits and leaves no more bytes than before.
fn settle(state: &mut State<'_>, limit: u64) {
    let mut at = 0;
    while let Some(op) = state.ready().get(at).copied() {
        let before = state.bytes();
        let probe = state.probe(op);
        if probe.transient <= limit && probe.after <= before {
            state.run(op);
            at = 0;
        } else {
            at += 1;
        }
    }
}
