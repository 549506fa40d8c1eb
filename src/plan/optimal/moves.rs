//! What one node of the search does to its state, and how that is taken back. Knows nothing of the order of nodes.

use super::bits::{Ones, index, masked};
use super::instance::Instance;
use super::search::{Frame, PLACED, Range, Search, Undo, Window};

impl Search {
    /// Whether `item` is unplaced.
    fn is_open(&self, item: usize) -> bool {
        self.open[item / 64] >> (item % 64) & 1 == 1
    }

    /// Places `item` at its lowest offset; whether all it meets can still lie below their limits.
    pub(super) fn place(&mut self, instance: &Instance, item: usize) -> bool {
        let size = instance.size[item];
        let top = self.low[item] + size;
        self.offset[item] = self.low[item];
        self.trail.push(Undo { item: index(item), low: PLACED, least: 0, why: Window::EMPTY });
        self.open[item / 64] &= !(1 << (item % 64));
        let (first, end) = (instance.first[item] as usize, instance.end[item] as usize);
        for section in first..end {
            self.room[section] += size;
            self.count[section] -= 1;
        }
        for crossing in &mut self.crossing[first + 1..end] {
            *crossing -= 1;
        }
        let mut fits = true;
        let mut is_free = true;
        let (row, base) = instance.meets.row(item);
        for (word, &bits) in (base..).zip(row) {
            for other in Ones::new(bits & self.open[word], word) {
                if self.low[other] < top {
                    is_free = false;
                    let low = instance.allowed(other, top);
                    self.raise_low(instance, other, low);
                    if self.least[other] > self.limit[other] {
                        self.conflict = self.why[other];
                        fits = false;
                    }
                }
            }
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.is_free = is_free;
        }
        fits
    }

    /// Raises where an unplaced item would be placed.
    fn raise_low(&mut self, instance: &Instance, item: usize, low: u32) {
        self.note(item);
        self.low[item] = low;
        if low >= self.least[item] {
            self.least[item] = low;
            self.why[item] = instance.window(item);
        }
    }

    /// Raises what is known of the least offset of an unplaced item.
    fn raise_least(&mut self, item: usize, least: u32, why: Window) {
        self.note(item);
        self.least[item] = least;
        self.why[item] = why;
    }

    /// Notes an item's values before they change.
    fn note(&mut self, item: usize) {
        let (low, least, why) = (self.low[item], self.least[item], self.why[item]);
        self.trail.push(Undo { item: index(item), low, least, why });
    }

    /// Takes back everything since the trail had `length` entries.
    pub(super) fn undo(&mut self, instance: &Instance, length: usize) {
        while self.trail.len() > length {
            let Some(Undo { item, low, least, why }) = self.trail.pop() else { return };
            let item = item as usize;
            if low != PLACED {
                self.low[item] = low;
                self.least[item] = least;
                self.why[item] = why;
                continue;
            }
            self.open[item / 64] |= 1 << (item % 64);
            let (first, end) = (instance.first[item] as usize, instance.end[item] as usize);
            for section in first..end {
                self.room[section] -= instance.size[item];
                self.count[section] += 1;
            }
            for crossing in &mut self.crossing[first + 1..end] {
                *crossing += 1;
            }
        }
    }

    /// Whether, after `item` was placed in `range`, those passed over can still be lifted and every section has room.
    pub(super) fn is_consistent(&mut self, instance: &Instance, range: Range, item: usize) -> bool {
        let key = (self.offset[item], self.rank[item]);
        self.lift_barred(instance, range, key) && self.has_room(instance, range)
    }

    /// Lifts each unplaced item whose place comes before `key`; `false` when one cannot be lifted.
    fn lift_barred(&mut self, instance: &Instance, range: Range, key: (u32, u32)) -> bool {
        let (low, high) = instance.items(range.first, range.end);
        for word in low / 64..high.div_ceil(64) {
            for item in Ones::new(masked(&self.open, word, low, high), word) {
                if self.low[item] < key.0 || (self.low[item] == key.0 && self.rank[item] < key.1) {
                    let (lift, why) = self.lift(instance, item, key.0);
                    if lift > self.limit[item] {
                        self.conflict = why;
                        return false;
                    }
                    if lift > self.least[item] {
                        self.raise_least(item, instance.allowed(item, lift), why);
                    }
                }
            }
        }
        true
    }

    /// The least offset of a barred `item`, and what explains it: the end of the lowest unplaced item that can come below
    /// it; `u32::MAX` for none. From now on nothing is placed below `offset`.
    fn lift(&self, instance: &Instance, item: usize, offset: u32) -> (u32, Window) {
        let top = self.low[item] + instance.size[item];
        let mut lift = u32::MAX;
        let mut why = instance.window(item);
        let (row, base) = instance.meets.row(item);
        for (word, &bits) in (base..).zip(row) {
            for other in Ones::new(bits & self.open[word], word) {
                let least = self.least[other].max(offset);
                if least < top {
                    lift = lift.min(least + instance.size[other]);
                }
                why = why.hull(self.why_at_least(instance, other, top));
            }
        }
        (lift, why)
    }

    /// Whether each section of `range` can hold its unplaced items above the least offset of any of them.
    pub(super) fn has_room(&mut self, instance: &Instance, range: Range) -> bool {
        (range.first as usize..range.end as usize).all(|section| {
            self.count[section] == 0
                || self.is_witness(instance, section, self.witness[section] as usize)
                || self.find_witness(instance, section)
        })
    }

    /// Whether `item`, alive in `section`, shows that its unplaced items have room.
    fn is_witness(&self, instance: &Instance, section: usize, item: usize) -> bool {
        let least = self.least[item];
        self.is_open(item) && least + instance.blocked(section, least) <= self.room[section]
    }

    /// Seeks another witness for `section`.
    fn find_witness(&mut self, instance: &Instance, section: usize) -> bool {
        let (row, base) = instance.alive.row(section);
        for (word, &bits) in (base..).zip(row) {
            for item in Ones::new(bits & self.open[word], word) {
                if self.is_witness(instance, section, item) {
                    self.witness[section] = index(item);
                    return true;
                }
            }
        }
        self.explain_section(instance, section);
        false
    }

    /// Appends to `ranges` the pieces of `range` that nobody unplaced crosses and somebody unplaced lives in, after a
    /// change in the sections `[first, end)`.
    pub(super) fn split(&mut self, instance: &Instance, range: Range, first: u32, end: u32) {
        let mut start = range.first;
        let length = self.ranges.len();
        for cut in first + 1..=end {
            let is_end = cut == end;
            if !is_end && self.crossing[cut as usize] > 0 {
                continue;
            }
            let piece = Range { first: start, end: if is_end { range.end } else { cut }, ..range };
            start = cut;
            let (low, high) = instance.items(piece.first, piece.end);
            if self.any_open(low, high) {
                self.ranges.push(piece);
            }
        }
        // The smallest first: where it fails, the others need not be looked at.
        self.ranges[length..].sort_by_key(|piece| {
            let (low, high) = instance.items(piece.first, piece.end);
            high - low
        });
    }

    /// Whether an item of `[low, high)` is unplaced.
    fn any_open(&self, low: usize, high: usize) -> bool {
        (low / 64..high.div_ceil(64)).any(|word| masked(&self.open, word, low, high) != 0)
    }

    /// Pushes a frame for `range` with its candidates.
    pub(super) fn open_range(&mut self, instance: &Instance, range: Range) {
        let start = self.candidates.len();
        self.frames.push(Frame {
            range,
            candidates: start,
            next: start,
            ranges: self.ranges.len(),
            next_range: self.ranges.len(),
            trail: self.trail.len(),
            is_free: false,
            is_settled: false,
            most: 0,
            most_why: Window::EMPTY,
        });
        let (low, high) = instance.items(range.first, range.end);
        let mut most = u32::MAX;
        let mut most_why = Window::EMPTY;
        for section in range.first as usize..range.end as usize {
            if self.count[section] > 0 && self.room[section] < most {
                most = self.room[section];
                most_why = Window { first: index(section), end: index(section) + 1 };
            }
        }
        let words = low / 64..high.div_ceil(64);
        for word in words.clone() {
            for item in Ones::new(masked(&self.open, word, low, high), word) {
                let end = self.low[item] + instance.size[item];
                if end <= most {
                    most = end - 1;
                    most_why = instance.window(item);
                }
            }
        }
        for word in words {
            for item in Ones::new(masked(&self.open, word, low, high), word) {
                let offset = self.low[item];
                let is_next = (offset, self.rank[item]) > (range.offset, range.rank);
                let is_lifted = self.least[item] > offset;
                if offset <= most
                    && is_next
                    && !is_lifted
                    && !instance.twin[item].is_some_and(|twin| self.is_open(twin as usize))
                {
                    self.candidates.push(index(item));
                }
            }
        }
        if let Some(frame) = self.frames.last_mut() {
            (frame.most, frame.most_why) = (most, most_why);
        }
        self.conflicts.resize(self.candidates.len(), Window::EMPTY);
        let (low, rank) = (&self.low, &self.rank);
        self.candidates[start..].sort_unstable_by_key(|&item| (low[item as usize], rank[item as usize]));
    }
}
