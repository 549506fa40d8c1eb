//! Turns a buffer into what surrounds it: who lies directly below and above it during its life, what is free between,
//! what rounding takes, and who uses its bytes at other times.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::simulate::{Placed, Timeline};
use crate::units::{BufferId, RequestId, Span, Step, align_up};

/// What is between a buffer and its neighbour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Between {
    /// Nothing: they touch.
    Nothing,
    /// Bytes that only alignment keeps free.
    Padding,
    /// Bytes in which something could lie.
    Free,
}

/// What lies next to a buffer, during the whole of its life or a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Neighbour {
    /// The buffer, a root; `None`: the bottom or the top of the arena.
    pub buffer: Option<BufferId>,
    /// Bytes between the two.
    pub gap_bytes: u64,
    /// What these bytes are.
    pub between: Between,
    /// The first and the last tick at which they are neighbours; others may lie between in the meantime.
    pub ticks: Span,
}

/// What surrounds the bytes that a buffer holds.
///
/// ```text
/// offset ▲  above   ├────────┤        free_above: the least gap of the whole life
///        │          ┌────────┐ offset + size   ┐ rounding
///        │          │ buffer │ offset + used   ┘
///        │          └────────┘ offset
///        │  below ├───┤├─────┤        free_below: the least gap of the whole life
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Surroundings {
    /// Where the buffer lies.
    pub placed: Placed,
    /// Bytes it holds, as the runtime rounds.
    pub size_bytes: u64,
    /// Bytes held behind those it needs, because the runtime rounds sizes up.
    pub rounding_bytes: u64,
    /// When its bytes are held; longer than its own life when others share them in place.
    pub held: Span,
    /// Who shares its bytes in place and needs them last; `None`: itself.
    pub held_for: Option<BufferId>,
    /// What lies directly below, highest first.
    pub below: Vec<Neighbour>,
    /// What lies directly above, lowest first.
    pub above: Vec<Neighbour>,
    /// Bytes directly below it that nobody uses during its whole life.
    pub free_below_bytes: u64,
    /// Whether those are there only because of alignment.
    pub is_padding_below: bool,
    /// Bytes directly above it that nobody uses during its whole life.
    pub free_above_bytes: u64,
    /// Others that hold one of its bytes at the same time: none in a sound plan.
    pub over: Vec<BufferId>,
}

impl Timeline<'_> {
    /// What surrounds `buffer`; `None` when it has no place in a planned arena.
    pub fn surroundings(&self, buffer: BufferId) -> Option<Surroundings> {
        let placed = self.layout().place(buffer)?;
        let arena = self.program.arena(placed.arena);
        let plan = self.plans.get(placed.arena.index())?;
        let asked = arena.problem.request(placed.request);
        let low = plan.offsets[placed.request.index()];
        let (high, alignment) = (low + asked.size_bytes, arena.problem.alignment());
        let Around { under, upper, over } = self.around(placed, low..high);
        let below = self.nearest(placed, under, low);
        let above = self.nearest(placed, upper, plan.height_bytes.saturating_sub(high));
        let fills_below = |gap: u64| align_up(low - gap, alignment) == Some(low);
        let fills_above = |gap: u64| align_up(high, alignment) == Some(high + gap);
        let neighbour = |near: &Near, is_padding: bool| Neighbour {
            buffer: near.request.map(|id| arena.buffers[id.index()]),
            gap_bytes: near.gap_bytes,
            between: match near.gap_bytes {
                0 => Between::Nothing,
                _ if is_padding => Between::Padding,
                _ => Between::Free,
            },
            ticks: near.ticks,
        };
        let least = |list: &[Near]| list.iter().map(|near| near.gap_bytes).min().unwrap_or(0);
        let free_below_bytes = least(&below);
        Some(Surroundings {
            placed,
            size_bytes: asked.size_bytes,
            rounding_bytes: asked.size_bytes.saturating_sub(placed.size_bytes),
            held: asked.live,
            held_for: self.held_for(buffer, placed),
            below: below.iter().map(|near| neighbour(near, fills_below(near.gap_bytes))).collect(),
            above: (above.iter())
                .map(|near| neighbour(near, near.request.is_some() && fills_above(near.gap_bytes)))
                .collect(),
            free_below_bytes,
            is_padding_below: free_below_bytes > 0 && fills_below(free_below_bytes),
            free_above_bytes: least(&above),
            over,
        })
    }

    /// Who is alive together with `placed`, whose bytes are `bytes`: below, above, and over the same bytes.
    fn around(&self, placed: Placed, bytes: Range<u64>) -> Around {
        let arena = self.program.arena(placed.arena);
        let offsets = &self.plans[placed.arena.index()].offsets;
        let live = arena.problem.request(placed.request).live;
        let mut around = Around::default();
        for (index, (other, start)) in arena.problem.requests().iter().zip(offsets).enumerate() {
            let id = RequestId::from_index(index);
            if id == placed.request || !other.live.overlaps(live) {
                continue;
            }
            let end = start + other.size_bytes;
            if end <= bytes.start {
                around.under.push((bytes.start - end, id));
            } else if *start >= bytes.end {
                around.upper.push((start - bytes.end, id));
            } else {
                around.over.push(arena.buffers[index]);
            }
        }
        around
    }

    /// Which of `candidates` (with their distances) is nearest at each moment of the life of `placed`; where none is, the
    /// arena's edge at the distance `edge`. Nearest first, ties by request.
    fn nearest(&self, placed: Placed, mut candidates: Vec<(u64, RequestId)>, edge: u64) -> Vec<Near> {
        let problem = &self.program.arena(placed.arena).problem;
        let life = problem.request(placed.request).live;
        candidates.sort_unstable();
        let mut open = OpenTime::new(life);
        let mut found = Vec::new();
        for (gap_bytes, id) in candidates {
            if let Some(ticks) = open.take(problem.request(id).live) {
                found.push(Near { request: Some(id), gap_bytes, ticks });
            }
        }
        if let Some(ticks) = open.take(life) {
            found.push(Near { request: None, gap_bytes: edge, ticks });
        }
        found
    }

    /// Who of those that share the bytes of `buffer` needs them last, when that is later than `buffer` itself does.
    fn held_for(&self, buffer: BufferId, placed: Placed) -> Option<BufferId> {
        let end = |id: BufferId| self.program.buffer(id).live.map(Span::end);
        let root = self.program.arena(placed.arena).buffers[placed.request.index()];
        let sharers = self.aliases(placed.arena).iter().copied();
        let all = sharers.filter(|id| self.program.buffer(*id).alias_of == Some(root)).chain([root]);
        let last = all.max_by_key(|id| (end(*id), std::cmp::Reverse(*id)))?;
        (end(last) > end(buffer)).then_some(last)
    }

    /// Buffers of the same arena that lie over at least one byte that `buffer` needs, at other times only: by birth,
    /// then by id.
    pub fn sharers(&self, buffer: BufferId) -> Vec<BufferId> {
        let Some((placed, live)) = self.layout().place(buffer).zip(self.program.buffer(buffer).live) else {
            return Vec::new();
        };
        let bytes = placed.bytes();
        let ids = (0..self.program.buffers.len()).map(BufferId::from_index).filter(|id| *id != buffer);
        let mut sharers: Vec<(Step, BufferId)> = ids
            .filter_map(|id| {
                let other = self.layout().place(id).filter(|other| other.arena == placed.arena)?;
                let (held, at) = (other.bytes(), self.program.buffer(id).live?);
                let meets = held.start.max(bytes.start) < held.end.min(bytes.end);
                (meets && !at.overlaps(live)).then_some((at.first(), id))
            })
            .collect();
        sharers.sort_unstable();
        sharers.into_iter().map(|(_, id)| id).collect()
    }
}

/// Those alive together with a request: with their distance below and above, and over it.
#[derive(Debug, Default)]
struct Around {
    under: Vec<(u64, RequestId)>,
    upper: Vec<(u64, RequestId)>,
    over: Vec<BufferId>,
}

/// A candidate that is the nearest at some time.
#[derive(Clone, Copy, Debug)]
struct Near {
    request: Option<RequestId>,
    gap_bytes: u64,
    ticks: Span,
}

/// The parts of a life that have no neighbour yet: first tick and end of each.
#[derive(Debug)]
struct OpenTime(BTreeMap<u32, u32>);

impl OpenTime {
    fn new(life: Span) -> OpenTime {
        OpenTime(BTreeMap::from([(life.first().0, life.end().0)]))
    }

    /// Takes what is open of `span`; gives the smallest span around it, or `None` when nothing was open.
    fn take(&mut self, span: Span) -> Option<Span> {
        let (first, end) = (span.first().0, span.end().0);
        let from = self.0.range(..=first).next_back().map_or(first, |(start, _)| *start);
        let parts: Vec<(u32, u32)> = self.0.range(from..end).map(|(start, stop)| (*start, *stop)).collect();
        let mut taken: Option<Span> = None;
        for (start, stop) in parts {
            let Some(part) = Span::new(Step(start.max(first)), Step(stop.min(end))) else { continue };
            self.0.remove(&start);
            if start < part.first().0 {
                self.0.insert(start, part.first().0);
            }
            if part.end().0 < stop {
                self.0.insert(part.end().0, stop);
            }
            taken = Some(taken.map_or(part, |so_far| so_far.hull(part)));
        }
        taken
    }
}
