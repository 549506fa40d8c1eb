//! Finds the box at a step and a byte, the boxes alive at a step, and neighbours by offset.
//!
//! A segment tree over steps: each box is listed in the `O(log steps)` nodes that together make its span, each
//! node's list sorted by offset. A step's boxes are the lists on the way from its leaf to the root; in each list a
//! binary search finds the place, and a running maximum of ends says how far back a colliding box can reach.

use crate::chart::scene::SceneBox;
use crate::units::Step;

/// The index of one scene's boxes.
#[derive(Clone, Debug)]
pub(super) struct Index {
    leaves: usize,
    ticks: u32,
    /// Where each node's list starts in `ids`; one more than nodes.
    pub(super) starts: Vec<u32>,
    pub(super) ids: Vec<u32>,
    /// The largest end among this and all earlier entries of the node's list.
    pub(super) reach: Vec<u64>,
    /// The box's place in the order of painting.
    rank: Vec<u32>,
}

impl Index {
    /// The index of boxes that are painted in the order `paint_order`.
    pub(super) fn new(boxes: &[SceneBox], paint_order: &[u32], ticks: u32) -> Index {
        let leaves = (ticks.max(1) as usize).next_power_of_two();
        let mut by_offset: Vec<u32> = (0..boxes.len() as u32).collect();
        by_offset.sort_by_key(|id| boxes[*id as usize].offset_bytes);
        let mut starts = vec![0_u32; leaves * 2 + 1];
        for item in boxes {
            each_node(leaves, item, |node| starts[node + 1] += 1);
        }
        for node in 1..starts.len() {
            starts[node] += starts[node - 1];
        }
        let mut next = starts.clone();
        let total = starts[leaves * 2] as usize;
        let (mut ids, mut reach) = (vec![0_u32; total], vec![0_u64; total]);
        for id in by_offset {
            let item = &boxes[id as usize];
            each_node(leaves, item, |node| {
                let at = next[node] as usize;
                ids[at] = id;
                reach[at] =
                    if next[node] > starts[node] { reach[at - 1].max(item.end_bytes()) } else { item.end_bytes() };
                next[node] += 1;
            });
        }
        Index { leaves, ticks, starts, ids, reach, rank: ranks(paint_order) }
    }

    /// The index from its own lists; nothing when they do not belong together. `paint_order` and `ids` hold indexes of
    /// boxes only.
    pub(super) fn from_lists(lists: (Vec<u32>, Vec<u32>, Vec<u64>), paint_order: &[u32], ticks: u32) -> Option<Index> {
        let (starts, ids, reach) = lists;
        let leaves = (ticks.max(1) as usize).next_power_of_two();
        let sound = starts.len() == leaves * 2 + 1
            && starts.is_sorted()
            && starts.last().is_some_and(|end| *end as usize == ids.len())
            && ids.len() == reach.len();
        sound.then(|| Index { leaves, ticks, starts, ids, reach, rank: ranks(paint_order) })
    }

    /// The lists on the way from a step's leaf to the root.
    fn lists(&self, step: Step) -> impl Iterator<Item = std::ops::Range<usize>> {
        let inside = step.0 < self.ticks;
        let leaf = if inside { self.leaves + step.index() } else { 0 };
        std::iter::successors(Some(leaf).filter(|_| inside), |node| Some(node / 2).filter(|node| *node > 0))
            .map(|node| self.starts[node] as usize..self.starts[node + 1] as usize)
    }

    pub(super) fn at(&self, boxes: &[SceneBox], step: Step, byte: u64) -> Option<u32> {
        let mut best: Option<u32> = None;
        for list in self.lists(step) {
            let first = list.start;
            let begun = self.ids[list].partition_point(|id| boxes[*id as usize].offset_bytes <= byte);
            for at in (first..first + begun).rev() {
                if self.reach[at] <= byte {
                    break;
                }
                let id = self.ids[at];
                let hit = boxes[id as usize].end_bytes() > byte;
                if hit && best.is_none_or(|best| self.rank[best as usize] < self.rank[id as usize]) {
                    best = Some(id);
                }
            }
        }
        best
    }

    pub(super) fn alive(&self, step: Step) -> Vec<u32> {
        self.lists(step).flat_map(|list| self.ids[list].iter().copied()).collect()
    }

    pub(super) fn next_above(&self, boxes: &[SceneBox], step: Step, from: Option<u32>) -> Option<u32> {
        let key = |id: u32| (boxes[id as usize].offset_bytes, id);
        let next = |list: std::ops::Range<usize>| {
            let ids = &self.ids[list];
            let at = from.map_or(0, |from| ids.partition_point(|id| key(*id) <= key(from)));
            ids.get(at).copied()
        };
        self.lists(step).filter_map(next).min_by_key(|id| key(*id))
    }

    pub(super) fn next_below(&self, boxes: &[SceneBox], step: Step, from: Option<u32>) -> Option<u32> {
        let key = |id: u32| (boxes[id as usize].offset_bytes, id);
        let next = |list: std::ops::Range<usize>| {
            let ids = &self.ids[list];
            let at = from.map_or(ids.len(), |from| ids.partition_point(|id| key(*id) < key(from)));
            ids.get(at.checked_sub(1)?).copied()
        };
        self.lists(step).filter_map(next).max_by_key(|id| key(*id))
    }
}

/// The place of each box in the order of painting.
fn ranks(paint_order: &[u32]) -> Vec<u32> {
    let mut rank = vec![0_u32; paint_order.len()];
    for (place, id) in paint_order.iter().enumerate() {
        rank[*id as usize] = place as u32;
    }
    rank
}

/// Calls `visit` for the nodes that together cover the box's span.
fn each_node(leaves: usize, item: &SceneBox, mut visit: impl FnMut(usize)) {
    let (mut low, mut high) = (item.live.first().index() + leaves, item.live.end().index() + leaves);
    while low < high {
        if low % 2 == 1 {
            visit(low);
            low += 1;
        }
        if high % 2 == 1 {
            high -= 1;
            visit(high);
        }
        low /= 2;
        high /= 2;
    }
}
