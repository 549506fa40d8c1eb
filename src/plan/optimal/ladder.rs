//! Which capacity is tried with which order for how long: the control of the search in one part of a problem.
//!
//! - *Rungs*: the bound itself, where most problems end, then heights between it and the best plan, and just below the best
//!   plan, in turn; or only the height asked for.
//! - *Rounds*: each tries every plain order, then as many *learned* ones, which begin where earlier searches failed most;
//!   each round allows twice the nodes of the one before. At the lowest rung plain orders go on where they stopped, learned
//!   ones begin anew: a search that began badly rarely recovers, so many short ones beat a long one.

use super::instance::Instance;
use super::ranks::{self, ORDERS};
use super::search::{Outcome, Search};

/// What a slice of work found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Finding {
    /// Nothing yet.
    Nothing,
    /// A better plan: the offset in bytes of each item.
    Better(Vec<u64>),
    /// No plan has at most this many bytes.
    Impossible(u64),
}

/// Rounds after which the lowest rung, still out of reach, gets a smaller share.
const PATIENT_ROUNDS: u32 = 5;

/// What is sought: a plan of at most `best - 1` bytes, down to `bound`, or only one of at most `goal` bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub(super) bound: u64,
    pub(super) best: u64,
    pub(super) goal: Option<u64>,
}

impl Target {
    /// The capacities to try; the lowest is the first.
    fn rungs(self) -> Vec<u64> {
        if let Some(goal) = self.goal {
            return vec![goal];
        }
        let gap = self.best - self.bound;
        let part = |eighths: u64| self.bound + gap / 8 * eighths;
        let mut rungs = vec![self.bound];
        if gap >= 8 {
            rungs.extend([4, 2, 6, 1, 3].map(part));
        }
        if gap > 1 {
            rungs.push(self.best - 1);
        }
        rungs
    }
}

/// A search at work.
#[derive(Clone, Debug)]
struct Run {
    search: Search,
    capacity: u64,
    /// Its turn ends when it has this many nodes.
    stop: u64,
    /// Whether it tries the lowest rung; only those are learned from.
    is_lowest: bool,
    /// The plain order it tries there, where it may go on later.
    resumes_as: Option<usize>,
}

/// The work on one part.
#[derive(Clone, Debug)]
pub(super) struct Ladder {
    round: u32,
    /// Which order of the round is tried next, and at which rung.
    turn: usize,
    rung: usize,
    /// Moves on with the turns, so that every rung comes up.
    upper: usize,
    running: Option<Run>,
    /// For each plain order: its search at the lowest rung, and the capacity it tries.
    resting: Vec<Option<(Search, u64)>>,
    /// For each section: its share in the failures so far, later ones counting more.
    trouble: Vec<f64>,
}

impl Ladder {
    pub(super) fn new(instance: &Instance) -> Ladder {
        Ladder {
            round: 0,
            turn: 0,
            rung: 0,
            upper: 0,
            running: None,
            resting: vec![None; ORDERS],
            trouble: vec![0.0; instance.sections],
        }
    }

    /// Works for up to `budget` nodes; the nodes used and what came of it.
    pub(super) fn work(&mut self, instance: &Instance, target: Target, budget: u64) -> (u64, Finding) {
        let is_stale = |run: &Run| run.capacity < target.bound || run.capacity >= target.best;
        let mut run = match self.running.take() {
            Some(run) if !is_stale(&run) => run,
            _ => self.next(instance, target),
        };
        let before = run.search.nodes();
        let outcome = run.search.run(instance, budget.min(run.stop.saturating_sub(before)).max(1));
        let used = (run.search.nodes() - before).max(1);
        let finding = match outcome {
            Outcome::Solved => {
                let offsets = run.search.offsets().iter().map(|&offset| u64::from(offset) * instance.unit);
                Finding::Better(offsets.collect())
            }
            Outcome::Impossible => Finding::Impossible(run.capacity),
            Outcome::Paused => {
                if run.search.nodes() < run.stop {
                    self.running = Some(run);
                } else {
                    self.rest(run);
                }
                Finding::Nothing
            }
        };
        (used, finding)
    }

    /// Learns from a search whose turn is over, and puts it by if it may go on.
    fn rest(&mut self, run: Run) {
        if run.is_lowest {
            let failures: u32 = run.search.trouble().iter().sum();
            for (trouble, &failed) in self.trouble.iter_mut().zip(run.search.trouble()) {
                *trouble = *trouble * 0.9 + f64::from(failed) / f64::from(failures.max(1));
            }
        }
        if let Some(order) = run.resumes_as {
            self.resting[order] = Some((run.search, run.capacity));
        }
    }

    /// The next search.
    fn next(&mut self, instance: &Instance, target: Target) -> Run {
        let rungs = target.rungs();
        // For each order the lowest rung, then one or two of the others in turn.
        let others = if self.round < PATIENT_ROUNDS { 1 } else { 2 };
        if self.rung > others.min(rungs.len() - 1) {
            self.rung = 0;
            self.turn += 1;
            self.upper += others;
        }
        if self.turn >= 3 * ORDERS {
            self.turn = 0;
            self.round += 1;
        }
        let rung = if self.rung == 0 { 0 } else { 1 + (self.upper + self.rung) % (rungs.len() - 1) };
        let capacity = rungs[rung];
        self.rung += 1;
        let limit = (instance.len() as u64) << self.round.min(40);
        let plain = (self.turn < ORDERS).then_some(self.turn);
        let resumes_as = plain.filter(|_| rung == 0);
        let rested = resumes_as.and_then(|order| self.resting[order].take()).filter(|rested| rested.1 == capacity);
        let search = match (rested, plain) {
            (Some((search, _)), _) => search,
            (None, Some(order)) => Search::new(instance, ranks::plain(instance, order), capacity),
            (None, None) => {
                let ranks = ranks::learned(instance, self.turn - ORDERS, self.round, &self.trouble);
                Search::new(instance, ranks, capacity)
            }
        };
        Run { stop: search.nodes() + limit, search, capacity, is_lowest: rung == 0, resumes_as }
    }
}
