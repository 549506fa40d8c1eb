//! The exact search: can all items of an instance be placed below a capacity? Depth first, on an explicit stack, so that
//! it can stop and go on after any node. Knows nothing of how capacities, orders and limits are chosen.
//!
//! - Items are placed bottom up, each at the lowest offset that the placed ones leave it (`low`), in *canonical* order: by
//!   offset, then by rank. So each set of positions is met once.
//! - An item may not be placed at or above an offset below which another would still fit as a whole.
//! - An item passed over is *barred* from its offset; it can only come to lie higher if an unplaced one comes to lie below
//!   it. The least it can rise to is its `lift`; with nobody to lift it the branch is dead.
//! - Every section must hold its unplaced items above the least offset any of them can have. A *witness*, an item low
//!   enough, shows that; another is sought only when the witness fails.
//! - An item that is in nobody's way is placed without alternatives.
//! - Where no unplaced item crosses from one section to the next, the two sides are solved each on its own.

use super::instance::Instance;

/// How a run of the search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// All items have their place.
    Solved,
    /// There is no way to place them all below the capacity.
    Impossible,
    /// The nodes allowed are used up; it can go on.
    Paused,
}

/// A range of sections that nobody unplaced crosses into or out of, and the canonical key from which its items go on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    pub(super) first: u32,
    pub(super) end: u32,
    pub(super) offset: u32,
    pub(super) rank: u32,
}

/// A range of sections that explains something: nothing placed outside it has to do with it. Empty when `first >= end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) first: u32,
    pub(super) end: u32,
}

impl Window {
    pub(super) const EMPTY: Window = Window { first: u32::MAX, end: 0 };

    /// The smallest window that holds both.
    pub(super) fn hull(self, other: Window) -> Window {
        Window { first: self.first.min(other.first), end: self.end.max(other.end) }
    }

    /// Whether the two share a section.
    pub(super) fn meets(self, other: Window) -> bool {
        self.first < other.end && other.first < self.end
    }
}

/// A choice: which item of a range comes next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) range: Range,
    /// Where its candidates start in `candidates`, and the one to try next.
    pub(super) candidates: usize,
    pub(super) next: usize,
    /// Where the ranges left by its present candidate start in `ranges`, and the one to solve next.
    pub(super) ranges: usize,
    pub(super) next_range: usize,
    /// Length of the trail before its present candidate.
    pub(super) trail: usize,
    /// Whether its present candidate is in nobody's way.
    pub(super) is_free: bool,
    /// Whether the failure of its last candidate stands for those not tried.
    pub(super) is_settled: bool,
    /// The highest offset a candidate may have, and what explains that.
    pub(super) most: u32,
    pub(super) most_why: Window,
}

/// What must be put back: an item's values, or its place (`low` is `PLACED`).
#[derive(Clone, Copy, Debug)]
pub(super) struct Undo {
    pub(super) item: u32,
    pub(super) low: u32,
    pub(super) least: u32,
    pub(super) why: Window,
}

/// Marks a trail entry of a placed item.
pub(super) const PLACED: u32 = u32::MAX;

/// The state of a search. Offsets and sizes are in units of the instance.
#[derive(Clone, Debug)]
pub(super) struct Search {
    /// The place of an item among those at the same offset.
    pub(super) rank: Vec<u32>,
    /// The highest offset of each item.
    pub(super) limit: Vec<u32>,
    /// The end of the highest placed item that each unplaced one meets: where it would be placed.
    pub(super) low: Vec<u32>,
    /// What is known of the least offset of each unplaced item: `low`, or more where it was lifted.
    pub(super) least: Vec<u32>,
    /// What explains the `least` of each unplaced item.
    pub(super) why: Vec<Window>,
    /// What explains the last failure.
    pub(super) conflict: Window,
    /// Offset of each placed item.
    pub(super) offset: Vec<u32>,
    /// Unplaced items, as bits.
    pub(super) open: Vec<u64>,
    /// For each section: the capacity less the sizes of its unplaced items.
    pub(super) room: Vec<u32>,
    /// For each section: how many unplaced items live in it.
    pub(super) count: Vec<u32>,
    /// For each section: how many unplaced items live in it and in the one before.
    pub(super) crossing: Vec<u32>,
    /// For each section: the item that last showed that it can hold its unplaced ones.
    pub(super) witness: Vec<u32>,
    pub(super) frames: Vec<Frame>,
    pub(super) candidates: Vec<u32>,
    /// For each candidate that failed: what explains that.
    pub(super) conflicts: Vec<Window>,
    pub(super) ranges: Vec<Range>,
    pub(super) trail: Vec<Undo>,
    /// Nodes since the start.
    pub(super) nodes: u64,
    pub(super) is_hopeless: bool,
    /// For each section: how often it had no room.
    pub(super) trouble: Vec<u32>,
}

impl Search {
    /// A search for a plan of at most `capacity` bytes; `ranks` orders items at the same offset, each number once.
    pub(super) fn new(instance: &Instance, ranks: Vec<u32>, capacity: u64) -> Search {
        let count = instance.len();
        let mut search = Search {
            rank: ranks,
            limit: Vec::with_capacity(count),
            low: vec![0; count],
            least: vec![0; count],
            why: (0..count).map(|item| instance.window(item)).collect(),
            conflict: Window::EMPTY,
            offset: vec![0; count],
            open: vec![0; count.div_ceil(64)],
            room: vec![0; instance.sections],
            count: vec![0; instance.sections],
            crossing: vec![0; instance.sections],
            witness: vec![0; instance.sections],
            frames: Vec::new(),
            candidates: Vec::new(),
            conflicts: Vec::new(),
            ranges: Vec::new(),
            trail: Vec::new(),
            nodes: 0,
            is_hopeless: false,
            trouble: vec![0; instance.sections],
        };
        search.start(instance, capacity);
        search
    }

    /// Nodes since the start.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// For each section: how often it had no room.
    pub(super) fn trouble(&self) -> &[u32] {
        &self.trouble
    }

    /// Offset in units of each item, once solved.
    pub(super) fn offsets(&self) -> &[u32] {
        &self.offset
    }

    /// Sets everything up, with all items unplaced.
    fn start(&mut self, instance: &Instance, capacity: u64) {
        for item in 0..instance.len() {
            self.open[item / 64] |= 1 << (item % 64);
            self.low[item] = instance.allowed(item, 0);
            self.least[item] = self.low[item];
            let limit = instance.limit(item, capacity);
            self.is_hopeless |= limit.is_none_or(|limit| limit < self.low[item]);
            self.limit.push(limit.unwrap_or(0));
            let sections = instance.first[item] as usize..instance.end[item] as usize;
            for section in sections.clone() {
                self.count[section] += 1;
                // An item's end at its limit; the topmost may be rounded down.
                self.room[section] = self.room[section].max(self.limit[item] + instance.size[item]);
            }
            for crossing in &mut self.crossing[sections.start + 1..sections.end] {
                *crossing += 1;
            }
        }
        for (room, total) in self.room.iter_mut().zip(instance.totals()) {
            self.is_hopeless |= total > *room;
            *room = room.saturating_sub(total);
        }
        let end = u32::try_from(instance.sections).unwrap_or(u32::MAX);
        let whole = Range { first: 0, end, offset: 0, rank: 0 };
        self.is_hopeless |= !self.has_room(instance, whole);
        // A root with no choice of its own: when its ranges cannot be solved, nothing can.
        let root = Frame {
            range: whole,
            candidates: 0,
            next: 0,
            ranges: 0,
            next_range: 0,
            trail: 0,
            is_free: true,
            is_settled: false,
            most: 0,
            most_why: Window::EMPTY,
        };
        self.frames.push(root);
        self.split(instance, whole, 0, end);
        self.descend(instance);
    }

    /// Goes on for up to `budget` nodes.
    pub(super) fn run(&mut self, instance: &Instance, budget: u64) -> Outcome {
        let stop = self.nodes.saturating_add(budget);
        while !self.is_hopeless {
            let Some(frame) = self.frames.last_mut() else { return Outcome::Solved };
            if frame.next == self.candidates.len() || frame.is_settled {
                self.fail(instance);
                continue;
            }
            if self.nodes >= stop {
                return Outcome::Paused;
            }
            self.nodes += 1;
            let (range, item) = (frame.range, self.candidates[frame.next] as usize);
            frame.next += 1;
            if self.place(instance, item) && self.is_consistent(instance, range, item) {
                let next = Range { offset: self.offset[item], rank: self.rank[item], ..range };
                self.split(instance, next, instance.first[item], instance.end[item]);
                self.descend(instance);
            } else {
                self.reject(instance, item);
            }
        }
        Outcome::Impossible
    }

    /// Opens the next range that waits to be solved; with none left, the search is solved and no frames remain.
    fn descend(&mut self, instance: &Instance) {
        while let Some(frame) = self.frames.last_mut() {
            if let Some(&range) = self.ranges.get(frame.next_range) {
                frame.next_range += 1;
                self.open_range(instance, range);
                return;
            }
            self.candidates.truncate(frame.candidates);
            self.conflicts.truncate(frame.candidates);
            self.ranges.truncate(frame.ranges);
            self.frames.pop();
        }
    }

    /// Gives up the top frame, whose candidates have all failed, and with it its parent's present candidate.
    fn fail(&mut self, instance: &Instance) {
        self.explain(instance);
        if let Some(frame) = self.frames.pop() {
            self.candidates.truncate(frame.candidates);
            self.conflicts.truncate(frame.candidates);
        }
        match self.frames.last() {
            Some(frame) if frame.next > frame.candidates => {
                let item = self.candidates[frame.next - 1] as usize;
                self.reject(instance, item);
            }
            // The root has no candidates.
            _ => self.is_hopeless = true,
        }
    }

    /// Takes back the top frame's present candidate `item`. The others need not be tried when it was in nobody's way, nor
    /// when it has nothing to do with the conflict, which then stands whatever comes next.
    fn reject(&mut self, instance: &Instance, item: usize) {
        let Some(frame) = self.frames.last_mut() else { return };
        self.ranges.truncate(frame.ranges);
        frame.next_range = frame.ranges;
        self.conflicts[frame.next - 1] = self.conflict;
        frame.is_settled = frame.is_free || !self.conflict.meets(instance.window(item));
        let length = frame.trail;
        self.undo(instance, length);
    }
}
