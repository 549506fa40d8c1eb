//! The driver: starts from quick orders, then asks the decision search at one limit after another, so that the best
//! known peak and the proven bound close in on each other. Counts in states, not in time, so that runs repeat.

use crate::schedule::beam;
use crate::schedule::graph::Graph;
use crate::schedule::greedy;
use crate::schedule::problem::OrderProblem;
use crate::schedule::search::{Preference, Search, Verdict};
use crate::schedule::state::State;
use crate::schedule::window;

/// States the first look at a limit may take; each round takes [`GROWTH`] times as many.
const FIRST_SLICE: u64 = 2_000;
const GROWTH: u64 = 4;
/// States of one look at most: each is remembered, in about 40 bytes.
const MAX_SLICE: u64 = 4_000_000;

/// What is between the bound and the best is cut into this many parts at most before a new round begins.
const FINENESS: u64 = 16;

/// An order, and what is known about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// Operators (indices in the order of the file) as they are to run.
    pub ops: Vec<usize>,
    /// The most bytes alive at once.
    pub peak_bytes: u64,
    /// No order has a smaller peak than this.
    pub bound_bytes: u64,
}

impl Order {
    /// Whether no order is better.
    pub fn is_proven(&self) -> bool {
        self.peak_bytes == self.bound_bytes
    }

    /// Whether it is the order of the file.
    pub fn is_as_given(&self) -> bool {
        self.ops.iter().enumerate().all(|(place, op)| place == *op)
    }
}

/// Solves one problem step by step: between steps the best order so far can be shown, or the work dropped.
#[derive(Debug)]
pub struct Solver<'p> {
    graph: &'p Graph,
    best: Order,
    /// The limits from the first to the second were given up in this round.
    given_up: Option<(u64, u64)>,
    turn: u32,
    slice: u64,
    round: usize,
    search: Option<(u64, Search<'p>)>,
    states: u64,
}

impl<'p> Solver<'p> {
    /// Starts with the quick orders; the file's own wins ties.
    pub fn new(problem: &'p OrderProblem) -> Solver<'p> {
        let graph = problem.graph();
        let given: Vec<usize> = (0..graph.op_count()).collect();
        let peak_bytes = State::peak_of(graph, &given);
        let best = Order { ops: given, peak_bytes, bound_bytes: graph.op_bound() };
        let mut solver =
            Solver { graph, best, given_up: None, turn: 0, slice: FIRST_SLICE, round: 0, search: None, states: 0 };
        if !solver.is_done() {
            solver.offer(greedy::file_order(graph));
            for preference in [Preference::LeastAfter, Preference::LeastMeanwhile, Preference::Latest] {
                solver.offer(greedy::order(graph, preference));
            }
        }
        solver
    }

    /// The best order so far.
    pub fn best(&self) -> &Order {
        &self.best
    }

    /// Sets branched on so far.
    pub fn states(&self) -> u64 {
        self.states
    }

    /// Whether the best order is proven to be so.
    pub fn is_done(&self) -> bool {
        self.best.is_proven()
    }

    /// Works on for about `states` more sets; returns [`Solver::is_done`].
    pub fn step(&mut self, states: u64) -> bool {
        let end = self.states.saturating_add(states);
        while !self.is_done() && self.states < end {
            let (limit, mut search) = match self.search.take() {
                Some(running) => running,
                None => match self.next_limit() {
                    Some(limit) => (limit, Search::new(self.graph, limit, self.preference())),
                    None => continue,
                },
            };
            let before = search.states();
            let until = self.slice.min(before.saturating_add(end - self.states));
            let verdict = search.run(until);
            // A search that ends without branching still counts: else easy rounds would never use up the budget.
            self.states += (search.states() - before).max(1);
            match verdict {
                Verdict::Found(order) => self.offer(order),
                Verdict::Impossible { at_least } => {
                    self.best.bound_bytes = self.best.bound_bytes.max(at_least.min(self.best.peak_bytes));
                }
                Verdict::Open if search.states() >= self.slice => {
                    let (from, up_to) = self.given_up.unwrap_or((limit, limit));
                    self.given_up = Some((from.min(limit), up_to.max(limit)));
                }
                Verdict::Open => self.search = Some((limit, search)),
            }
        }
        self.is_done()
    }

    /// Other orders whose peak is at most `limit_bytes`, where quick searches (of `states` sets each) find some: placed,
    /// one may come out lower than another.
    pub fn others(&self, limit_bytes: u64, states: u64) -> Vec<Vec<usize>> {
        let best = self.best.peak_bytes;
        let highest = limit_bytes.max(best);
        let mut found: Vec<Vec<usize>> = Vec::new();
        for limit in [best, best + (highest - best) / 2, highest] {
            for preference in [Preference::LeastAfter, Preference::LeastMeanwhile, Preference::Latest] {
                if let Verdict::Found(order) = Search::new(self.graph, limit, preference).run(states)
                    && order != self.best.ops
                    && !found.contains(&order)
                {
                    found.push(order);
                }
            }
        }
        found
    }

    /// The next limit to look at. One below the best is where a verdict says most: an order is an improvement, none
    /// is the proof. The bound itself often ends everything at once, and halves close in on hard cases. `None` when
    /// a new round has begun.
    fn next_limit(&mut self) -> Option<u64> {
        self.turn += 1;
        let (lowest, highest) = (self.best.bound_bytes, self.best.peak_bytes - 1);
        let halfway = |low: u64, high: u64| low + (high - low).div_ceil(2);
        let is_worth_it = |part: u64| part > (highest - lowest) / FINENESS;
        match self.given_up {
            None if self.turn == 1 => Some(lowest),
            None if self.turn.is_multiple_of(2) => Some(highest),
            None => Some(halfway(lowest, highest)),
            Some((_, up_to)) if up_to < highest && self.turn.is_multiple_of(2) => Some(highest),
            Some((_, up_to)) if up_to < highest && is_worth_it(highest - up_to) => Some(halfway(up_to, highest)),
            Some((from, _)) if lowest < from && is_worth_it(from - lowest) => Some(lowest + (from - lowest) / 2),
            Some(_) => {
                self.given_up = None;
                self.turn = 0;
                self.round += 1;
                self.slice = (self.slice * GROWTH).min(MAX_SLICE);
                self.improve();
                None
            }
        }
    }

    /// Between rounds: the beam once, then windows around the peak.
    fn improve(&mut self) {
        if self.round == 1
            && let Some(order) = beam::order(self.graph, self.best.peak_bytes - 1)
        {
            self.offer(order);
        }
        let mut order = self.best.ops.clone();
        if window::improve(self.graph, &mut order) {
            self.offer(order);
        }
    }

    fn preference(&self) -> Preference {
        match self.round % 3 {
            0 => Preference::LeastAfter,
            1 => Preference::LeastMeanwhile,
            _ => Preference::Latest,
        }
    }

    fn offer(&mut self, ops: Vec<usize>) {
        let peak_bytes = State::peak_of(self.graph, &ops);
        if peak_bytes < self.best.peak_bytes {
            self.best.ops = ops;
            self.best.peak_bytes = peak_bytes;
        }
    }
}

/// The best order found while branching on at most about `max_states` sets.
pub fn solve(problem: &OrderProblem, max_states: u64) -> Order {
    let mut solver = Solver::new(problem);
    solver.step(max_states);
    solver.best.clone()
}
