//! Turns a step into the picture of its arena: what lies where, what is free, and what the step does.

use std::ops::Range;

use crate::simulate::Timeline;
use crate::units::{ArenaId, BufferId, RequestId, Step, align_up};

/// One piece of the arena that is in use.
///
/// ```text
/// offset ▲ ├────────────┤ offset + size    ┐ padding: the runtime rounded the size up
///        │ ├────────────┤ offset + used    ┘
///        │ │   buffer   │
///        │ ├────────────┤ offset
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The request that holds the bytes.
    pub request: RequestId,
    /// The buffer behind it.
    pub buffer: BufferId,
    /// Buffers alive now that share the bytes in place, by id.
    pub sharers: Vec<BufferId>,
    /// Offset in the arena.
    pub offset_bytes: u64,
    /// Bytes it holds, as the runtime rounds them.
    pub size_bytes: u64,
    /// Bytes it needs.
    pub used_bytes: u64,
}

impl Slot {
    /// The bytes it holds, from the arena's start.
    pub fn bytes(&self) -> Range<u64> {
        self.offset_bytes..self.offset_bytes + self.size_bytes
    }
}

/// Why bytes between two slots are free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GapKind {
    /// Only alignment keeps them free.
    Padding,
    /// A smaller buffer could lie there now.
    Free,
    /// They lie above everything alive now, below the arena's height.
    Above,
}

/// Free bytes of the arena.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Which.
    pub bytes: Range<u64>,
    /// Why.
    pub kind: GapKind,
}

/// The arena of the running subgraph at one step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The step.
    pub step: Step,
    /// The arena of the running subgraph.
    pub arena: ArenaId,
    /// The time on that arena's clock.
    pub tick: Step,
    /// Buffers whose bytes are needed from here on.
    pub born: Vec<BufferId>,
    /// Buffers read.
    pub read: Vec<BufferId>,
    /// Buffers written.
    pub written: Vec<BufferId>,
    /// Temporaries and scratch used.
    pub scratch: Vec<BufferId>,
    /// Buffers whose bytes are needed here for the last time.
    pub dies: Vec<BufferId>,
    /// What lies where, by offset.
    pub slots: Vec<Slot>,
    /// What is free, by offset.
    pub gaps: Vec<Gap>,
    /// The sum of the slots' sizes.
    pub live_bytes: u64,
    /// The arena's height over all steps.
    pub height_bytes: u64,
}

impl Frame {
    /// Bytes that are free only because of alignment, between slots and inside them.
    pub fn padding_bytes(&self) -> u64 {
        let between: u64 = self.gaps.iter().filter(|gap| gap.kind == GapKind::Padding).map(gap_bytes).sum();
        between + self.slots.iter().map(|slot| slot.size_bytes - slot.used_bytes).sum::<u64>()
    }

    /// Bytes below the highest slot that a smaller buffer could take now.
    pub fn free_bytes(&self) -> u64 {
        self.gaps.iter().filter(|gap| gap.kind == GapKind::Free).map(gap_bytes).sum()
    }
}

fn gap_bytes(gap: &Gap) -> u64 {
    gap.bytes.end - gap.bytes.start
}

impl Timeline<'_> {
    /// The arena at `step`; `None` behind the last step.
    pub fn frame_at(&self, step: Step) -> Option<Frame> {
        let info = self.info(step)?;
        let slots = self.slots_at(info.arena, info.tick);
        let height_bytes = self.plans[info.arena.index()].height_bytes;
        let alignment = self.program.arena(info.arena).problem.alignment();
        Some(Frame {
            step,
            arena: info.arena,
            tick: info.tick,
            born: self.born(info.arena, info.tick).collect(),
            read: info.reads.clone(),
            written: info.writes.clone(),
            scratch: info.scratch.clone(),
            dies: self.dies(info.arena, info.tick).collect(),
            gaps: gaps(&slots, height_bytes, alignment),
            live_bytes: slots.iter().map(|slot| slot.size_bytes).sum(),
            height_bytes,
            slots,
        })
    }

    /// All frames in order.
    pub fn frames(&self) -> impl Iterator<Item = Frame> + '_ {
        (0..self.program.steps.len()).filter_map(|index| self.frame_at(Step::from_index(index)))
    }

    /// What lies in `arena` at `tick`, by offset.
    pub fn slots_at(&self, arena: ArenaId, tick: Step) -> Vec<Slot> {
        let held = self.program.arena(arena);
        let plan = &self.plans[arena.index()];
        let sharers = self.sharers_at(arena, tick);
        self.by_offset(arena)
            .iter()
            .map(|request| (*request, held.problem.request(*request)))
            .filter(|(_, asked)| asked.live.contains(tick))
            .map(|(request, asked)| {
                let buffer = held.buffers[request.index()];
                let start = sharers.partition_point(|(root, _)| *root < buffer);
                let own = sharers.iter().skip(start).take_while(|(root, _)| *root == buffer);
                Slot {
                    request,
                    buffer,
                    sharers: own.map(|(_, sharer)| *sharer).collect(),
                    offset_bytes: plan.offsets[request.index()],
                    size_bytes: asked.size_bytes,
                    used_bytes: self.layout().place(buffer).map_or(asked.size_bytes, |placed| placed.size_bytes),
                }
            })
            .collect()
    }

    /// Aliases in `arena` that are alive at `tick`, each behind its root, sorted.
    fn sharers_at(&self, arena: ArenaId, tick: Step) -> Vec<(BufferId, BufferId)> {
        let mut sharers: Vec<_> = self
            .aliases(arena)
            .iter()
            .filter(|id| self.program.buffer(**id).live.is_some_and(|live| live.contains(tick)))
            .filter_map(|id| Some((self.program.buffer(*id).alias_of?, *id)))
            .collect();
        sharers.sort_unstable();
        sharers
    }
}

/// The free bytes between `slots` (by offset) and up to `height`.
fn gaps(slots: &[Slot], height: u64, alignment: u64) -> Vec<Gap> {
    let mut gaps = Vec::new();
    // The end of what lies below; slots of a bad plan may overlap.
    let mut end = 0;
    for slot in slots {
        if slot.offset_bytes > end {
            let is_padding = align_up(end, alignment) == Some(slot.offset_bytes);
            let kind = if is_padding { GapKind::Padding } else { GapKind::Free };
            gaps.push(Gap { bytes: end..slot.offset_bytes, kind });
        }
        end = end.max(slot.bytes().end);
    }
    if height > end {
        gaps.push(Gap { bytes: end..height, kind: GapKind::Above });
    }
    gaps
}
