//! Which bytes are covered, while intervals come and go, even when they overlap each other. Knows nothing of time.

/// A set of byte intervals `[start, end)` over known end points, with counts, so that an interval can be taken out again.
///
/// A segment tree over the elementary intervals between end points: a node knows how often it is covered as a whole and
/// how many bytes of it are covered at all.
#[derive(Debug)]
pub(super) struct Cover {
    /// The end points, ascending, without repeats.
    points: Vec<u64>,
    /// How often each node is covered as a whole by an interval that does not cover its parent.
    counts: Vec<u32>,
    /// Covered bytes of each node.
    bytes: Vec<u64>,
}

impl Cover {
    /// An empty set, ready for intervals that begin and end at `points` only.
    pub(super) fn new(mut points: Vec<u64>) -> Cover {
        points.sort_unstable();
        points.dedup();
        let leaves = points.len().saturating_sub(1).max(1).next_power_of_two();
        Cover { points, counts: vec![0; 2 * leaves], bytes: vec![0; 2 * leaves] }
    }

    /// Bytes covered by at least one interval.
    pub(super) fn covered_bytes(&self) -> u64 {
        self.bytes.get(1).copied().unwrap_or(0)
    }

    /// Puts `[start, end)` in.
    pub(super) fn insert(&mut self, start: u64, end: u64) {
        self.change(start, end, 1);
    }

    /// Takes `[start, end)`, put in before, out again.
    pub(super) fn remove(&mut self, start: u64, end: u64) {
        self.change(start, end, -1);
    }

    /// Whether any byte of `[start, end)` is covered; any two numbers will do.
    pub(super) fn touches(&self, start: u64, end: u64) -> bool {
        let first = self.points.partition_point(|&point| point <= start).saturating_sub(1);
        let last = self.points.partition_point(|&point| point < end).min(self.points.len().saturating_sub(1));
        start < end && first < last && self.any(1, 0, self.counts.len() / 2, first, last)
    }

    /// The index of an end point.
    fn index(&self, point: u64) -> usize {
        self.points.partition_point(|&other| other < point)
    }

    fn change(&mut self, start: u64, end: u64, by: i32) {
        let (first, last) = (self.index(start), self.index(end));
        if first < last {
            self.change_node(1, 0, self.counts.len() / 2, first, last, by);
        }
    }

    /// Changes node `node`, which spans `width` elementary intervals from `low`. Depth: 32 at most.
    fn change_node(&mut self, node: usize, low: usize, width: usize, first: usize, last: usize, by: i32) {
        if last <= low || low + width <= first {
            return;
        }
        if first <= low && low + width <= last {
            self.counts[node] = self.counts[node].saturating_add_signed(by);
        } else {
            let half = width / 2;
            self.change_node(2 * node, low, half, first, last, by);
            self.change_node(2 * node + 1, low + half, half, first, last, by);
        }
        self.bytes[node] = if self.counts[node] > 0 {
            let end = (low + width).min(self.points.len() - 1);
            self.points[end].saturating_sub(self.points[low.min(end)])
        } else if width > 1 {
            self.bytes[2 * node] + self.bytes[2 * node + 1]
        } else {
            0
        };
    }

    /// Whether anything below `node` is covered inside `[first, last)`. Depth: 32 at most.
    fn any(&self, node: usize, low: usize, width: usize, first: usize, last: usize) -> bool {
        if last <= low || low + width <= first || self.bytes[node] == 0 {
            return false;
        }
        if self.counts[node] > 0 || (first <= low && low + width <= last) {
            return true;
        }
        let half = width / 2;
        self.any(2 * node, low, half, first, last) || self.any(2 * node + 1, low + half, half, first, last)
    }
}

#[cfg(test)]
mod tests {
    use super::Cover;

    #[test]
    fn counts_overlapping_intervals_once() {
        let mut cover = Cover::new(vec![0, 10, 5, 20, 30, 40]);
        cover.insert(0, 10);
        cover.insert(5, 20);
        cover.insert(30, 40);
        assert_eq!(cover.covered_bytes(), 30);
        assert!(cover.touches(19, 25) && cover.touches(0, 1) && cover.touches(25, 31));
        assert!(!cover.touches(20, 30) && !cover.touches(40, 99) && !cover.touches(7, 7));
        cover.remove(5, 20);
        assert_eq!(cover.covered_bytes(), 20);
        assert!(!cover.touches(10, 30) && cover.touches(9, 10));
    }

    #[test]
    fn is_empty_without_points() {
        let cover = Cover::new(Vec::new());
        assert_eq!(cover.covered_bytes(), 0);
        assert!(!cover.touches(0, 1));
    }
}
