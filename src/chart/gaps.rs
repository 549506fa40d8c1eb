//! Finds the free rectangles of a placed arena: bytes below its height that nothing uses, over runs of steps.
//!
//! - Sweep over the steps at which something is born or dies.
//! - Keep how often each byte is covered as runs of equal cover; in a valid plan a birth or death changes one run.
//! - After the events of a step compare the free runs with the gaps still open, where something changed:
//!   what is no longer free ends here, what is newly free begins here.

use std::collections::BTreeMap;

use crate::chart::scene::SceneBox;
use crate::units::{Span, Step};

/// Changes of cover after which the search ends: only boxes that collide by the thousand (a broken plan) reach it,
/// and there gaps say nothing.
const MAX_CHANGES: usize = 20_000_000;

/// Why bytes are free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GapKind {
    /// Smaller than the alignment, below a box: nothing could be placed there.
    Padding,
    /// Between, or below, boxes.
    Enclosed,
    /// Above the highest box of these steps.
    Headroom,
}

/// A free rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// During these steps.
    pub steps: Span,
    /// From this offset.
    pub offset_bytes: u64,
    /// This many bytes.
    pub size_bytes: u64,
    /// Why.
    pub kind: GapKind,
}

impl Gap {
    /// The first byte behind it.
    pub fn end_bytes(&self) -> u64 {
        self.offset_bytes + self.size_bytes
    }
}

/// All gaps below `height`, by first step, then by offset.
pub(super) fn find(boxes: &[SceneBox], ticks: u32, height: u64, alignment: u64) -> Vec<Gap> {
    if ticks == 0 || height == 0 {
        return Vec::new();
    }
    let mut events: Vec<(Step, bool, u32)> = Vec::with_capacity(boxes.len() * 2);
    for (id, item) in boxes.iter().enumerate() {
        events.push((item.live.end(), false, id as u32));
        events.push((item.live.first(), true, id as u32));
    }
    events.sort_unstable();
    let mut sweep =
        Sweep { cover: BTreeMap::from([(0, 0), (height, 1)]), open: BTreeMap::new(), gaps: Vec::new(), changes: 0 };
    sweep.open.insert(0, (height, Step(0)));
    let mut at = 0;
    while at < events.len() && sweep.changes < MAX_CHANGES {
        let step = events[at].0;
        let from = at;
        while at < events.len() && events[at].0 == step {
            let (_, born, id) = events[at];
            let item = &boxes[id as usize];
            sweep.change(item.offset_bytes, item.end_bytes().min(height), born);
            at += 1;
        }
        for (_, _, id) in &events[from..at] {
            let item = &boxes[*id as usize];
            sweep.settle(item.offset_bytes, item.end_bytes().min(height), step);
        }
    }
    let open: Vec<u64> = sweep.open.keys().copied().collect();
    for low in open {
        sweep.close(low, Step(ticks));
    }
    let mut found = sweep.gaps;
    for gap in &mut found {
        gap.kind = if gap.end_bytes() == height {
            GapKind::Headroom
        } else if gap.size_bytes < alignment {
            GapKind::Padding
        } else {
            GapKind::Enclosed
        };
    }
    found.sort_unstable_by_key(|gap| (gap.steps, gap.offset_bytes));
    found
}

struct Sweep {
    /// Start of each run of equally covered bytes, and how many boxes cover it; ends with a run at the height.
    cover: BTreeMap<u64, u32>,
    /// Gaps whose end in time is not yet known: low byte, high byte, first step.
    open: BTreeMap<u64, (u64, Step)>,
    gaps: Vec<Gap>,
    changes: usize,
}

impl Sweep {
    /// Covers `[low, high)` once more, or once less.
    fn change(&mut self, low: u64, high: u64, born: bool) {
        self.split(low);
        self.split(high);
        for (_, count) in self.cover.range_mut(low..high) {
            *count = if born { *count + 1 } else { *count - 1 };
            self.changes += 1;
        }
        self.join(low);
        self.join(high);
    }

    /// Makes a run start at `byte`.
    fn split(&mut self, byte: u64) {
        if let Some((start, count)) = self.cover.range(..=byte).next_back().map(|(start, count)| (*start, *count))
            && start != byte
        {
            self.cover.insert(byte, count);
        }
    }

    /// Joins the run at `byte` with the one before it when they are covered alike.
    fn join(&mut self, byte: u64) {
        let before = self.cover.range(..byte).next_back().map(|(_, count)| *count);
        if before.is_some() && before == self.cover.get(&byte).copied() {
            self.cover.remove(&byte);
        }
    }

    /// Ends and begins gaps in and beside `[low, high)`, where something changed at `step`.
    fn settle(&mut self, low: u64, high: u64, step: Step) {
        let before = self.open.range(..low).next_back().map(|(start, _)| *start);
        let touched: Vec<u64> =
            before.into_iter().chain(self.open.range(low..=high).map(|(start, _)| *start)).collect();
        for start in touched {
            let (end, _) = self.open[&start];
            if self.free_end(start) != Some(end) {
                self.close(start, step);
            }
        }
        let before = self.cover.range(..low).next_back().map(|(start, _)| *start);
        let runs: Vec<u64> = before.into_iter().chain(self.cover.range(low..=high).map(|(start, _)| *start)).collect();
        for start in runs {
            if let Some(end) = self.free_end(start) {
                self.open.entry(start).or_insert((end, step));
            }
        }
    }

    /// The end of the free run that starts at `start`, if there is one.
    fn free_end(&self, start: u64) -> Option<u64> {
        let mut runs = self.cover.range(start..);
        match (runs.next(), runs.next()) {
            (Some((low, 0)), Some((high, _))) if *low == start => Some(*high),
            _ => None,
        }
    }

    fn close(&mut self, low: u64, step: Step) {
        if let Some((high, first)) = self.open.remove(&low)
            && let Some(steps) = Span::new(first, step)
        {
            self.gaps.push(Gap { steps, offset_bytes: low, size_bytes: high - low, kind: GapKind::Enclosed });
        }
    }
}
