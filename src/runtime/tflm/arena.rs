//! Which arena is needed: folds over the events of `AllocateTensors` with the planned height of the head.
//!
//! Four conditions must hold (`single_arena_buffer_allocator.cc`, `micro_allocator.cc`, tflite-micro 90b983c2):
//!
//! - A: until all kernels are prepared, the tail stays above the head, which holds a table of scratch requests.
//! - B: the temporary structs of each node fit between that head and the tail.
//! - C: the planner's tables fit between that head and the tail.
//! - D: the planned head fits below the tail, and so do the structs of inputs and outputs.
//!
//! Alignment is on absolute addresses and the tail grows down from the end, so what is lost by alignment depends on the
//! arena's size modulo the alignment: each remainder is tried.

use super::micro::{Arenas, Category, Event, Micro, Planner, Stage};
use super::tables::{GREEDY_BYTES_PER_BUFFER, Structs};
use crate::runtime::OperatorRef;

/// What must hold for `AllocateTensors` to succeed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Condition {
    /// A: the tail meets the table of scratch requests.
    Tail,
    /// B: one operator's temporary structs.
    Temporaries,
    /// C: the planner's tables.
    Planning,
    /// D: the planned head below the whole tail.
    Final,
}

impl Condition {
    /// All conditions, in order.
    pub const ALL: [Condition; 4] = [Condition::Tail, Condition::Temporaries, Condition::Planning, Condition::Final];

    /// Its letter.
    pub fn letter(self) -> char {
        match self {
            Condition::Tail => 'A',
            Condition::Temporaries => 'B',
            Condition::Planning => 'C',
            Condition::Final => 'D',
        }
    }

    /// What it says, as the end of "the arena's size is decided by …".
    pub fn words(self) -> &'static str {
        match self {
            Condition::Tail => "the persistent data beside the table of scratch requests, before anything is planned",
            Condition::Temporaries => "the temporary tensor structs while one operator is prepared",
            Condition::Planning => "the planner's own tables while it plans",
            Condition::Final => "the planned buffers and the persistent data together",
        }
    }
}

/// What one condition needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConditionNeed {
    /// Which one.
    pub condition: Condition,
    /// The arena that it needs, in bytes, for the remainder of the minimum.
    pub bytes: u64,
    /// The operator that needs most, where there is one.
    pub op: Option<OperatorRef>,
}

/// The arena's figures for one plan of the head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArenaNeeds {
    /// Planned bytes.
    pub head_bytes: u64,
    /// Persistent bytes in an arena whose size is a multiple of the alignment.
    pub tail_bytes: u64,
    /// What `arena_used_bytes()` returns there.
    pub used_bytes: u64,
    /// The smallest arena, from an aligned address, with which `AllocateTensors` succeeds.
    pub minimum_arena_bytes: u64,
    /// The smallest arena with which it also does not overwrite its own temporary structs; at least the minimum.
    pub safe_arena_bytes: u64,
    /// What decides the safe size.
    pub deciding: Condition,
    /// What each condition needs, in order.
    pub conditions: Vec<ConditionNeed>,
    /// Persistent bytes asked for, by category, without what alignment adds; in the order of [`Category::ALL`].
    pub categories: Vec<(Category, u64)>,
    /// Persistent bytes lost to alignment.
    pub alignment_bytes: u64,
    /// With two arenas: the smallest persistent and the smallest non-persistent one.
    pub two_arenas: Option<[u64; 2]>,
}

impl ArenaNeeds {
    /// A size to set: the safe minimum, `margin_percent` more, rounded up to the alignment of the runtime.
    pub fn recommended_bytes(&self, margin_percent: u64) -> u64 {
        let safe = self.safe_arena_bytes;
        let margin = safe.saturating_mul(margin_percent.min(1000)).div_ceil(100);
        safe.saturating_add(margin).next_multiple_of(super::ALIGNMENT)
    }

    /// The line to paste into firmware, with a margin.
    pub fn constant_line(&self, margin_percent: u64) -> String {
        format!("constexpr int kTensorArenaSize = {};", self.recommended_bytes(margin_percent))
    }

    /// What decides the size, as a sentence.
    pub fn deciding_words(&self) -> String {
        let need = self.conditions.iter().find(|need| need.condition == self.deciding);
        let place = need
            .and_then(|need| need.op)
            .map_or_else(String::new, |op| format!(" (operator {} of subgraph {})", op.op, op.subgraph));
        format!("the arena's size is decided by {}{place}", self.deciding.words())
    }
}

/// The arena's figures when the head is planned `head_bytes` high; `None` when TFLite-Micro refuses the model.
pub fn arena_needs(micro: &Micro, head_bytes: u64) -> Option<ArenaNeeds> {
    if micro.refusal.is_some() {
        return None;
    }
    // Alignments above this one are no real build's: one remainder stands for all.
    let remainders = if micro.alignment <= 64 { micro.alignment } else { 1 };
    let mut best: Option<(u64, Fold)> = None;
    let mut safe: Option<(u64, Fold)> = None;
    for remainder in 0..remainders {
        let fold = Fold::over(micro, head_bytes, remainder);
        let (minimum, strict) = (fold.minimum(), fold.strict());
        if best.as_ref().is_none_or(|(bytes, _)| minimum < *bytes) {
            best = Some((minimum, fold.clone()));
        }
        if safe.as_ref().is_none_or(|(bytes, _)| strict < *bytes) {
            safe = Some((strict, fold));
        }
    }
    let (minimum_arena_bytes, _) = best?;
    let (safe_arena_bytes, fold) = safe?;
    let aligned = Fold::over(micro, head_bytes, 0);
    let categories = categories(micro);
    let asked: u64 = categories.iter().map(|(_, bytes)| bytes).sum();
    let conditions = fold.conditions();
    let deciding = conditions.iter().max_by_key(|need| need.bytes).map_or(Condition::Final, |need| need.condition);
    Some(ArenaNeeds {
        head_bytes,
        tail_bytes: aligned.tail,
        used_bytes: head_bytes + aligned.tail,
        minimum_arena_bytes,
        safe_arena_bytes,
        deciding,
        conditions,
        alignment_bytes: aligned.tail.saturating_sub(asked),
        categories,
        two_arenas: (micro.arenas == Arenas::Two).then(|| two_arenas(micro, &aligned)),
    })
}

fn categories(micro: &Micro) -> Vec<(Category, u64)> {
    let of = |category| micro.tail().filter(|tail| tail.category == category).map(|tail| tail.bytes).sum();
    Category::ALL.iter().map(|category| (*category, of(*category))).collect()
}

/// With two arenas nothing meets: the persistent one ends at an aligned address, the other holds head and temporaries.
fn two_arenas(micro: &Micro, aligned: &Fold) -> [u64; 2] {
    [aligned.tail.next_multiple_of(micro.alignment), aligned.highest]
}

/// The state of the arena for one remainder of its size.
#[derive(Clone, Debug)]
pub(super) struct Fold {
    alignment: u64,
    remainder: u64,
    /// Bytes in use at the low end.
    pub(super) head: u64,
    /// End of the temporaries.
    pub(super) temp: u64,
    /// Bytes in use at the high end.
    pub(super) tail: u64,
    /// Where the planner's tables end while it plans.
    pub(super) tables_end: u64,
    /// Highest end of head, temporaries and tables: what they need by themselves.
    highest: u64,
    needs: [(u64, Option<OperatorRef>); 4],
    /// What the safe rule adds to B: temporaries and the tail after the node's own allocations do not meet.
    safe: (u64, Option<OperatorRef>),
    /// Bytes at the end of the last temporary that no kernel looks at any more once it allocates from the tail, when
    /// that is a copy of zero points: those, and the field (with padding) before them. The tail may come down over them.
    harmless: u64,
}

impl Fold {
    /// An empty arena whose size leaves `remainder` when divided by the alignment.
    pub(super) fn empty(micro: &Micro, head_bytes: u64, remainder: u64) -> Fold {
        Fold {
            alignment: micro.alignment,
            remainder,
            head: 0,
            temp: 0,
            tail: 0,
            tables_end: 0,
            highest: head_bytes,
            needs: [(0, None); 4],
            safe: (0, None),
            harmless: 0,
        }
    }

    fn over(micro: &Micro, head_bytes: u64, remainder: u64) -> Fold {
        let mut fold = Fold::empty(micro, head_bytes, remainder);
        let structs = Structs::of(micro.abi);
        for event in &micro.events {
            fold.step(micro, &structs, head_bytes, event);
        }
        fold
    }

    /// Does what one event does with the arena.
    pub(super) fn step(&mut self, micro: &Micro, structs: &Structs, head_bytes: u64, event: &Event) {
        match event {
            Event::Tail(allocation) => {
                let lowest = self.tail + allocation.bytes;
                self.tail = lowest + self.gap_below(lowest, allocation.alignment);
                let condition = if allocation.stage == Stage::Finish { Condition::Final } else { Condition::Tail };
                self.need(condition, self.head + self.tail, allocation.op);
            }
            Event::Requests { entries, after } => {
                if let Some(op) = after {
                    self.end_of_node(*op);
                }
                self.head = entries * structs.scratch_request;
                self.temp = self.head;
                self.harmless = 0;
                self.highest = self.highest.max(self.head);
                if after.is_none() {
                    self.need(Condition::Tail, self.head + self.tail, None);
                }
            }
            Event::Temp(temp) => {
                let start = self.temp.next_multiple_of(temp.alignment);
                let end = start + temp.bytes;
                self.temp = end;
                self.harmless = if temp.is_zero_points { temp.bytes + structs.pointer } else { 0 };
                self.highest = self.highest.max(end);
                self.need(Condition::Temporaries, end + self.tail, Some(temp.op));
            }
            Event::Planning => {
                let offsets = self.head.next_multiple_of(structs.pointer) + structs.pointer * micro.subgraphs;
                let entries = micro.tensors + micro.scratch_requests;
                self.temp = offsets + structs.allocation_info * entries;
                self.need(Condition::Planning, self.temp + self.tail, None);
            }
            Event::Planned => self.planned(micro, head_bytes),
        }
    }

    fn planned(&mut self, micro: &Micro, head_bytes: u64) {
        // The linear planner keeps its offsets in its own object, and takes whatever is left of the arena for its work.
        if micro.planner == Planner::Greedy {
            let tables = self.temp.next_multiple_of(self.alignment) + GREEDY_BYTES_PER_BUFFER * micro.planned_buffers;
            let lost = self.gap_below(self.tail, self.alignment);
            self.tables_end = tables;
            self.highest = self.highest.max(tables);
            self.need(Condition::Planning, tables + self.tail + lost, None);
        } else {
            self.tables_end = self.temp;
            self.highest = self.highest.max(self.temp);
        }
        self.head = head_bytes;
        self.temp = head_bytes;
        self.need(Condition::Final, self.head + self.tail, None);
    }

    /// Bytes from the address `used` bytes below the arena's end down to the next multiple of `alignment`.
    fn gap_below(&self, used: u64, alignment: u64) -> u64 {
        // The end is `remainder` above a multiple of the largest alignment.
        let alignment = alignment.max(1);
        (self.remainder % alignment + alignment - used % alignment) % alignment
    }

    fn need(&mut self, condition: Condition, bytes: u64, op: Option<OperatorRef>) {
        let need = &mut self.needs[condition as usize];
        if bytes > need.0 {
            *need = (bytes, op);
        }
    }

    fn end_of_node(&mut self, op: OperatorRef) {
        let bytes = self.temp + self.tail;
        if bytes > self.safe.0 {
            self.safe = (bytes, Some(op));
        }
        self.need(Condition::Temporaries, bytes - self.harmless, Some(op));
    }

    /// The smallest size of this remainder that is at least `bytes`.
    fn fitting(&self, bytes: u64) -> u64 {
        bytes + (self.remainder + self.alignment - bytes % self.alignment) % self.alignment
    }

    /// The smallest size with which every allocation succeeds. (When the tail has come down below the temporaries, the
    /// runtime's unsigned difference lets further ones pass; such sizes work by accident, if at all, and do not count.)
    fn minimum(&self) -> u64 {
        self.fitting(self.needs.iter().map(|(bytes, _)| *bytes).max().unwrap_or(0))
    }

    /// The smallest size with which nothing is overwritten either.
    fn strict(&self) -> u64 {
        self.fitting(self.minimum().max(self.safe.0))
    }

    fn conditions(&self) -> Vec<ConditionNeed> {
        let of = |condition: Condition| {
            let own = self.needs[condition as usize];
            let is_safe = condition == Condition::Temporaries && self.safe.0 > own.0;
            let (bytes, op) = if is_safe { self.safe } else { own };
            ConditionNeed { condition, bytes, op }
        };
        Condition::ALL.iter().map(|condition| of(*condition)).collect()
    }
}
