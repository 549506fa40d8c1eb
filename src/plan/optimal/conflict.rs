//! Why a node of the search failed: a window of time such that nothing placed outside it had to do with it.
//!
//! A window `W` explains a failure when it would happen again whatever else is placed outside `W`, as long as the items
//! placed inside lie as they do and what comes later comes later in canonical order. So a choice outside `W` need not be
//! taken back one candidate at a time: the search goes straight back to the last choice inside.

use super::bits::{Ones, masked};
use super::instance::Instance;
use super::search::{Search, Window};

impl Search {
    /// What explains that an unplaced `item` does not lie below `offset`, as far as that is known.
    pub(super) fn why_at_least(&self, instance: &Instance, item: usize, offset: u32) -> Window {
        if self.low[item] >= offset { instance.window(item) } else { self.why[item] }
    }

    /// Explains why `section` has no room.
    pub(super) fn explain_section(&mut self, instance: &Instance, section: usize) {
        let room = self.room[section];
        self.trouble[section] += 1;
        let mut why = Window::EMPTY;
        let (row, base) = instance.alive.row(section);
        for (word, &bits) in (base..).zip(row) {
            for item in Ones::new(bits & self.open[word], word) {
                why = why.hull(self.why_at_least(instance, item, room + 1));
            }
        }
        self.conflict = why;
    }

    /// Explains why no item can come next in the range of the top frame.
    ///
    /// A window explains it when, of the unplaced items that live in it, none can come first: each is a candidate that failed
    /// for reasons inside the window, or no candidate for reasons inside the window. Where the last candidate's failure
    /// stands for what comes after it, only those before it matter.
    pub(super) fn explain(&mut self, instance: &Instance) {
        let Some(&frame) = self.frames.last() else { return };
        let tried = frame.candidates..frame.next;
        let last = (frame.next > frame.candidates).then(|| self.candidates[frame.next - 1] as usize);
        let (low, high) = instance.items(frame.range.first, frame.range.end);
        let mut conflict = match last {
            Some(_) => self.conflicts[frame.next - 1],
            None => instance.window(self.first_open(low, high)),
        };
        let until = match last {
            Some(last) if frame.is_settled => (self.low[last], self.rank[last]),
            _ => (u32::MAX, u32::MAX),
        };
        loop {
            let before = conflict;
            for index in tried.clone() {
                let window = instance.window(self.candidates[index] as usize);
                if before.meets(window) {
                    conflict = conflict.hull(window).hull(self.conflicts[index]);
                }
            }
            for word in low / 64..high.div_ceil(64) {
                for item in Ones::new(masked(&self.open, word, low, high), word) {
                    let window = instance.window(item);
                    if !before.meets(window) || (self.low[item], self.rank[item]) >= until {
                        continue;
                    }
                    if self.least[item] > self.low[item] {
                        conflict = conflict.hull(self.why[item]);
                    } else if self.low[item] > frame.most {
                        conflict = conflict.hull(window).hull(frame.most_why);
                    }
                }
            }
            if conflict == before {
                break;
            }
        }
        self.conflict = conflict;
    }

    /// The first unplaced item of `[low, high)`, which has one.
    fn first_open(&self, low: usize, high: usize) -> usize {
        let mut words = low / 64..high.div_ceil(64);
        let found = words.find_map(|word| Ones::new(masked(&self.open, word, low, high), word).next());
        found.unwrap_or(low)
    }
}
