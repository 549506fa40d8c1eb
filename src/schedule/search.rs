//! The decision search: is there an order in which no more than `limit` bytes are ever alive? Depth first, resumable.
//!
//! - *Safe move*: an operator that fits and leaves no more bytes than before runs at once. Exact: moved to the front
//!   of any good order it leaves every later moment no fuller (submodularity, see `schedule`).
//! - *Safe chain*: so does a chain of operators, each waiting for the one before, as soon as its end leaves no more
//!   bytes than its start (and so no more than any moment inside).
//! - Else branch, by net change and then by the bytes alive meanwhile, and remember each set seen: it led nowhere,
//!   whatever order reached it.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

use crate::schedule::graph::Graph;
use crate::schedule::state::State;

/// How the search stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// An order within the limit.
    Found(Vec<usize>),
    /// There is none; any order needs at least this many bytes.
    Impossible { at_least: u64 },
    /// Not known yet.
    Open,
}

/// In which order branches are tried; other orders find other solutions when the search is cut short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Preference {
    /// Least bytes afterwards, then least meanwhile.
    LeastAfter,
    /// Least bytes meanwhile, then afterwards.
    LeastMeanwhile,
    /// Latest in the file: follows a branch to its end before it starts the next.
    Latest,
}

/// A search for one limit, with its own stack.
#[derive(Debug)]
pub(super) struct Search<'g> {
    state: State<'g>,
    limit: u64,
    preference: Preference,
    /// Sets that lead nowhere, or are being explored.
    seen: HashSet<u128, BuildHasherDefault<LowBits>>,
    stack: Vec<Branching>,
    /// The least number of bytes that was ever above the limit.
    overflow: u64,
    is_started: bool,
}

/// A set with several ways on.
#[derive(Debug)]
struct Branching {
    mark: usize,
    ways: Vec<usize>,
    next: usize,
}

impl<'g> Search<'g> {
    pub(super) fn new(graph: &'g Graph, limit: u64, preference: Preference) -> Search<'g> {
        Search {
            state: State::new(graph),
            limit,
            preference,
            seen: HashSet::default(),
            stack: Vec::new(),
            overflow: u64::MAX,
            is_started: false,
        }
    }

    /// How many sets were branched on.
    pub(super) fn states(&self) -> u64 {
        self.seen.len() as u64
    }

    /// Goes on until a verdict, or until `max_states` sets have been branched on since the start.
    pub(super) fn run(&mut self, max_states: u64) -> Verdict {
        if !self.is_started {
            self.is_started = true;
            if self.enter() {
                return Verdict::Found(self.state.whole_order());
            }
        }
        while self.states() < max_states {
            let Some(top) = self.stack.last_mut() else {
                return Verdict::Impossible { at_least: self.overflow };
            };
            self.state.undo_to(top.mark);
            let Some(way) = top.ways.get(top.next).copied() else {
                self.stack.pop();
                continue;
            };
            top.next += 1;
            self.state.run(way);
            if self.enter() {
                return Verdict::Found(self.state.whole_order());
            }
        }
        Verdict::Open
    }

    /// Makes all safe moves, then branches unless the set was seen before. Returns whether everything has run.
    fn enter(&mut self) -> bool {
        while self.safe_move() || self.safe_chain() {}
        if self.state.is_done() {
            return true;
        }
        if self.seen.insert(self.state.key()) {
            let ways = self.ways();
            self.stack.push(Branching { mark: self.state.log().len(), ways, next: 0 });
        }
        false
    }

    fn safe_move(&mut self) -> bool {
        let before = self.state.bytes();
        for at in 0..self.state.ready().len() {
            let op = self.state.ready()[at];
            let probe = self.state.probe(op);
            if probe.transient <= self.limit && probe.after <= before {
                self.state.run(op);
                return true;
            }
        }
        false
    }

    /// Follows each ready operator along the operators it enables until the bytes are down to where they were.
    fn safe_chain(&mut self) -> bool {
        let (start, mark) = (self.state.bytes(), self.state.log().len());
        // Undoing shuffles the ready list, so walk over a copy.
        for mut op in self.state.ready().to_vec() {
            loop {
                let probe = self.state.probe(op);
                if probe.transient > self.limit {
                    break;
                }
                let ready_before = self.state.ready().len() - 1;
                self.state.run(op);
                if probe.after <= start {
                    return true;
                }
                match self.state.ready().get(ready_before..) {
                    Some([next]) => op = *next,
                    _ => break,
                }
            }
            self.state.undo_to(mark);
        }
        false
    }

    /// The ready operators that fit, in the order in which to try them.
    fn ways(&mut self) -> Vec<usize> {
        let mut ways = Vec::new();
        for at in 0..self.state.ready().len() {
            let op = self.state.ready()[at];
            let probe = self.state.probe(op);
            if probe.transient <= self.limit {
                ways.push((probe, op));
            } else {
                self.overflow = self.overflow.min(probe.transient);
            }
        }
        match self.preference {
            Preference::LeastAfter => ways.sort_unstable_by_key(|(probe, op)| (probe.after, probe.transient, *op)),
            Preference::LeastMeanwhile => ways.sort_unstable_by_key(|(probe, op)| (probe.transient, probe.after, *op)),
            Preference::Latest => ways.sort_unstable_by_key(|(_, op)| std::cmp::Reverse(*op)),
        }
        ways.into_iter().map(|(_, op)| op).collect()
    }
}

/// Keys are random words already: their low half is hash enough.
#[derive(Default)]
struct LowBits(u64);

impl Hasher for LowBits {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 << 8) | u64::from(*byte);
        }
    }

    fn write_u128(&mut self, key: u128) {
        #[expect(clippy::cast_possible_truncation, reason = "the low half is what is wanted")]
        let low = key as u64;
        self.0 = low;
    }
}
