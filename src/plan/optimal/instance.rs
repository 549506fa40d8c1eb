//! One part of a problem, made ready for the search: sizes in whole units, time in sections, and who meets whom.
//! Knows nothing of how the search goes about.

use super::super::{Problem, Request};
use super::search::Window;
use crate::units::{RequestId, Step};

/// Most words of the tables of who meets whom; above that a part is left to the greedy planners.
const MAX_TABLE_WORDS: usize = 1 << 23;

/// Some fixed requests in a section, as units that nothing free can begin in or cross.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) start: u32,
    pub(super) end: u32,
}

/// Rows of bits, each stored from its first word that is not 0 to its last.
#[derive(Clone, Debug, Default)]
pub(super) struct BitRows {
    words: Vec<u64>,
    /// For each row: where it starts in `words`, and the index of the first word.
    rows: Vec<(usize, usize)>,
}

impl BitRows {
    /// Adds a row whose bits are set for the indices in `[low, high)` that `has` accepts.
    fn push(&mut self, low: usize, high: usize, has: impl Fn(usize) -> bool) {
        let first = low / 64;
        self.rows.push((self.words.len(), first));
        let base = self.words.len();
        self.words.resize(base + high.div_ceil(64).saturating_sub(first), 0);
        for index in (low..high).filter(|&index| has(index)) {
            self.words[base + index / 64 - first] |= 1 << (index % 64);
        }
    }

    /// The words of `row` and the index of the first.
    pub(super) fn row(&self, row: usize) -> (&[u64], usize) {
        let (start, first) = self.rows[row];
        let end = self.rows.get(row + 1).map_or(self.words.len(), |next| next.0);
        (&self.words[start..end], first)
    }
}

/// A part of a problem: free requests that hang together in time, and what is fixed beside them.
///
/// Time is cut into *sections*: steps at which no other step has all that is alive there and more (maximal cliques). A
/// request takes the sections `[first, end)`. Items are sorted by `first`, so those alive in a range of sections that nobody
/// crosses have neighbouring indices.
#[derive(Clone, Debug, Default)]
pub(super) struct Instance {
    /// The request behind each item.
    pub(super) ids: Vec<RequestId>,
    /// Size of each item in bytes.
    pub(super) bytes: Vec<u64>,
    /// Size of each item in units, rounded up.
    pub(super) size: Vec<u32>,
    /// First section of each item.
    pub(super) first: Vec<u32>,
    /// Section after the last of each item.
    pub(super) end: Vec<u32>,
    /// How many steps each item lives.
    pub(super) steps: Vec<u32>,
    /// The item before this one with the same span and size, if any: the two can be exchanged.
    pub(super) twin: Vec<Option<u32>>,
    /// Bytes of a unit: offsets are multiples of it.
    pub(super) unit: u64,
    /// How many sections there are.
    pub(super) sections: usize,
    /// For each section and one more: the first item that begins there or later.
    pub(super) begins: Vec<u32>,
    /// For each item: the items that share a section with it.
    pub(super) meets: BitRows,
    /// For each section: the items alive in it.
    pub(super) alive: BitRows,
    /// For each section: its blocks, by start; empty when nothing is fixed.
    pub(super) blocks: Vec<Vec<Block>>,
    /// For each item: the offsets in units, `[start, end)`, that what is fixed forbids; by start; empty when nothing is
    /// fixed.
    pub(super) forbidden: Vec<Vec<Block>>,
}

impl Instance {
    /// The part of `problem` with the free requests `ids`, all `fixed` ones beside them; `None` when it is too large for the
    /// search (see `MAX_TABLE_WORDS`) or its sums pass 31 bits even in the largest possible units.
    pub(super) fn new(problem: &Problem, mut ids: Vec<RequestId>, fixed: &[RequestId]) -> Option<Instance> {
        let unit = unit(problem, &ids, fixed);
        let total: u64 = ids.iter().map(|&id| problem.request(id).size_bytes.div_ceil(unit)).sum();
        let tops = fixed.iter().map(|&id| fixed_interval(problem.request(id)).1 / unit + 1);
        if total.checked_add(tops.max().unwrap_or(0))? >= u64::from(u32::MAX / 4) {
            return None;
        }
        ids.sort_by_key(|&id| (problem.request(id).live.first(), problem.request(id).live.end(), id));
        let moments = section_steps(problem, ids.iter().chain(fixed));
        let mut instance = Instance { unit, sections: moments.len(), ..Instance::default() };
        for &id in &ids {
            let request = problem.request(id);
            let at = |step: Step| moments.partition_point(|&moment| moment < step);
            instance.bytes.push(request.size_bytes);
            instance.size.push(u32::try_from(request.size_bytes.div_ceil(unit)).ok()?);
            instance.first.push(u32::try_from(at(request.live.first())).ok()?);
            instance.end.push(u32::try_from(at(request.live.end())).ok()?);
            instance.steps.push(request.live.steps());
        }
        instance.ids = ids;
        instance.find_twins();
        instance.fill_tables()?;
        if !fixed.is_empty() {
            instance.add_fixed(problem, fixed, &moments)?;
        }
        Some(instance)
    }

    /// The sections of `item`.
    pub(super) fn window(&self, item: usize) -> Window {
        Window { first: self.first[item], end: self.end[item] }
    }

    /// The items that begin in the sections `[first, end)`, as a range of indices.
    pub(super) fn items(&self, first: u32, end: u32) -> (usize, usize) {
        (self.begins[first as usize] as usize, self.begins[end as usize] as usize)
    }

    /// How many items there are.
    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    /// Links each item to the one before it with the same sections and bytes.
    fn find_twins(&mut self) {
        let mut order: Vec<usize> = (0..self.len()).collect();
        let key = |&item: &usize| (self.first[item], self.end[item], self.bytes[item], item);
        order.sort_by_key(key);
        self.twin = vec![None; self.len()];
        for pair in order.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            if (self.first[a], self.end[a], self.bytes[a]) == (self.first[b], self.end[b], self.bytes[b]) {
                self.twin[b] = u32::try_from(a).ok();
            }
        }
    }

    /// Fills `begins`, `alive` and `meets`; `None` when they would be too large.
    fn fill_tables(&mut self) -> Option<()> {
        let count = self.len();
        let begins = |section: usize| self.first.partition_point(|&first| (first as usize) < section);
        self.begins = (0..=self.sections).map(|section| u32::try_from(begins(section)).ok()).collect::<Option<_>>()?;
        // The first item alive in each section.
        let mut lowest = vec![count; self.sections];
        let mut painted = 0;
        for item in 0..count {
            let from = painted.max(self.first[item] as usize);
            for slot in lowest.iter_mut().take(self.end[item] as usize).skip(from) {
                *slot = item;
            }
            painted = painted.max(self.end[item] as usize);
        }
        let mut words = 0;
        for (&lowest, &high) in lowest.iter().zip(&self.begins[1..]) {
            words += (high as usize).saturating_sub(lowest) / 64 + 1;
        }
        for item in 0..count {
            let (first, end) = (self.first[item] as usize, self.end[item] as usize);
            words += (self.begins[end] as usize - lowest[first]) / 64 + 1;
        }
        if words > MAX_TABLE_WORDS {
            return None;
        }
        let (firsts, ends) = (&self.first, &self.end);
        for (section, (&lowest, &high)) in lowest.iter().zip(&self.begins[1..]).enumerate() {
            let high = high as usize;
            self.alive.push(lowest.min(high), high, |item| ends[item] as usize > section);
        }
        for item in 0..count {
            let (first, end) = (firsts[item], ends[item]);
            let high = self.begins[end as usize] as usize;
            self.meets.push(lowest[first as usize], high, |other| other != item && ends[other] > first);
        }
        Some(())
    }

    /// Fills `blocks` and `forbidden`.
    fn add_fixed(&mut self, problem: &Problem, fixed: &[RequestId], moments: &[Step]) -> Option<()> {
        let unit = self.unit;
        self.blocks = vec![Vec::new(); self.sections];
        self.forbidden = vec![Vec::new(); self.len()];
        for &id in fixed {
            let request = problem.request(id);
            let (start, end) = fixed_interval(request);
            let at = |step: Step| moments.partition_point(|&moment| moment < step);
            let (first, last) = (at(request.live.first()), at(request.live.end()));
            let top = u32::try_from(end.div_ceil(unit)).ok()?;
            let block = Block { start: u32::try_from(start.div_ceil(unit)).ok()?, end: top };
            for blocks in &mut self.blocks[first..last] {
                blocks.push(block);
            }
            for item in 0..self.len() {
                if (self.first[item] as usize) < last && first < self.end[item] as usize {
                    // Offset `o` clashes when o·unit < end and o·unit + bytes > start.
                    let low = start.checked_sub(self.bytes[item]).map_or(0, |room| room / unit + 1);
                    self.forbidden[item].push(Block { start: u32::try_from(low).ok()?, end: top });
                }
            }
        }
        for list in self.blocks.iter_mut().chain(&mut self.forbidden) {
            merge(list);
        }
        Some(())
    }

    /// The lowest offset of `item` at or above `offset` that what is fixed allows.
    pub(super) fn allowed(&self, item: usize, offset: u32) -> u32 {
        let Some(list) = self.forbidden.get(item) else { return offset };
        let at = list.partition_point(|block| block.end <= offset);
        // Merged blocks do not touch, so one step is enough.
        match list.get(at) {
            Some(block) if block.start <= offset => block.end,
            _ => offset,
        }
    }

    /// Units of `section` at or above `floor` that are blocked.
    pub(super) fn blocked(&self, section: usize, floor: u32) -> u32 {
        let Some(list) = self.blocks.get(section) else { return 0 };
        let at = list.partition_point(|block| block.end <= floor);
        list[at..].iter().map(|block| block.end - block.start.max(floor)).sum()
    }

    /// The highest offset in units at which `item` still ends within `capacity` bytes.
    pub(super) fn limit(&self, item: usize, capacity: u64) -> Option<u32> {
        let room = capacity.checked_sub(self.bytes[item])? / self.unit;
        Some(u32::try_from(room).unwrap_or(u32::MAX / 4).min(u32::MAX / 4))
    }

    /// The sum of the sizes alive in each section, in units.
    pub(super) fn totals(&self) -> Vec<u32> {
        let mut totals = vec![0; self.sections];
        for item in 0..self.len() {
            for total in &mut totals[self.first[item] as usize..self.end[item] as usize] {
                *total += self.size[item];
            }
        }
        totals
    }
}

/// The bytes a fixed request takes; nothing for a free one.
fn fixed_interval(request: &Request) -> (u64, u64) {
    let start = request.fixed_offset.unwrap_or(0);
    (start, start + request.size_bytes)
}

/// The largest unit in which nothing is lost: the alignment, or more when all sizes and fixed offsets are multiples of more.
fn unit(problem: &Problem, ids: &[RequestId], fixed: &[RequestId]) -> u64 {
    let alignment = problem.alignment();
    let sizes = ids.iter().map(|&id| problem.request(id).size_bytes);
    let ends = fixed.iter().flat_map(|&id| {
        let (start, end) = fixed_interval(problem.request(id));
        [start, end]
    });
    let common = sizes.chain(ends).fold(0, gcd);
    if common != 0 && common.is_multiple_of(alignment) { common } else { alignment }
}

/// The greatest common divisor; `gcd(0, b)` is `b`.
fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// A step of each section, ascending: the last step at which something is born before the next death.
fn section_steps<'a>(problem: &Problem, ids: impl Iterator<Item = &'a RequestId>) -> Vec<Step> {
    let mut events = Vec::new();
    for &id in ids {
        let live = problem.request(id).live;
        events.push((live.end(), false));
        events.push((live.first(), true));
    }
    events.sort_unstable();
    let mut steps = Vec::new();
    let mut born = None;
    for (step, is_birth) in events {
        if is_birth {
            born = Some(step);
        } else if let Some(step) = born.take() {
            steps.push(step);
        }
    }
    steps
}

/// Sorts blocks by start and joins those that overlap or touch.
fn merge(blocks: &mut Vec<Block>) {
    blocks.retain(|block| block.start < block.end);
    blocks.sort_by_key(|block| (block.start, block.end));
    blocks.dedup_by(|next, kept| {
        let joins = next.start <= kept.end;
        if joins {
            kept.end = kept.end.max(next.end);
        }
        joins
    });
}
