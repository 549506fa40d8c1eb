//! What surrounds a buffer, and what a step needs, for the page to put into words. Steps by their place in the execution,
//! buffers by their index. See the types of the same names in `www/types-explain.d.ts`.

use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::report::Analysis;
use crate::simulate::{Between, Needs, Neighbour, Surroundings, Timeline};
use crate::units::{ArenaId, BufferId, Span, Step};
use crate::web::micro::written;
use crate::web::{Analysed, failure};

/// Longer lists end in a count.
const MAX_LISTED: usize = 200;

/// What lies next to a buffer.
#[derive(Debug, Serialize)]
struct NeighbourValue {
    buffer: Option<u32>,
    gap: u64,
    between: &'static str,
    first: Option<u32>,
    last: Option<u32>,
}

/// What surrounds a buffer.
#[derive(Debug, Serialize)]
struct SurroundingsValue {
    buffer: u32,
    held: u64,
    rounding: u64,
    /// The last step at which its bytes are held.
    until: Option<u32>,
    held_for: Option<u32>,
    below: Vec<NeighbourValue>,
    above: Vec<NeighbourValue>,
    free_below: u64,
    is_padding: bool,
    free_above: u64,
    over: Vec<u32>,
    sharers: Vec<u32>,
    share_count: usize,
}

/// One buffer alive at a step.
#[derive(Debug, Serialize)]
struct AliveValue {
    buffer: u32,
    bytes: u64,
    read: bool,
    written: bool,
    scratch: bool,
    next: Option<u32>,
}

/// What a step needs of its arena.
#[derive(Debug, Serialize)]
struct NeedsValue {
    step: u32,
    live: u64,
    alone: u64,
    waiting: u64,
    born: Option<u64>,
    freed: Option<u64>,
    arena: u64,
    /// What the arena is higher than what is alive; below 0 where tensors lie over each other.
    above: i64,
    bound: u64,
    optimal: Option<bool>,
    count: usize,
    alive: Vec<AliveValue>,
}

#[wasm_bindgen]
impl Analysed {
    /// What surrounds a buffer, as JSON; `null` when it lies in no planned arena.
    ///
    /// # Errors
    /// When the answer cannot be written.
    pub fn surroundings(&self, buffer: u32) -> Result<String, JsValue> {
        let timeline = self.analysis.timeline();
        let known = (buffer as usize) < self.analysis.program.buffers.len();
        let found = known.then(|| timeline.surroundings(BufferId(buffer))).flatten();
        let value = found.map(|found| surroundings(&timeline, BufferId(buffer), &found));
        written(&value).map_err(|error| failure::thrown(&error))
    }

    /// What a step needs of its arena, as JSON; `null` behind the last step.
    ///
    /// # Errors
    /// When the answer cannot be written.
    pub fn needs(&self, step: u32) -> Result<String, JsValue> {
        let value = self.analysis.timeline().needs_at(Step(step)).map(|found| needs(&self.analysis, &found));
        written(&value).map_err(|error| failure::thrown(&error))
    }
}

fn surroundings(timeline: &Timeline<'_>, buffer: BufferId, found: &Surroundings) -> SurroundingsValue {
    let arena = found.placed.arena;
    let neighbours = |list: &[Neighbour]| list.iter().map(|near| neighbour(timeline, arena, near)).collect();
    let sharers = timeline.sharers(buffer);
    SurroundingsValue {
        buffer: buffer.0,
        held: found.size_bytes,
        rounding: found.rounding_bytes,
        until: steps(timeline, arena, found.held).1,
        held_for: found.held_for.map(|id| id.0),
        below: neighbours(&found.below),
        above: neighbours(&found.above),
        free_below: found.free_below_bytes,
        is_padding: found.is_padding_below,
        free_above: found.free_above_bytes,
        over: found.over.iter().take(MAX_LISTED).map(|id| id.0).collect(),
        share_count: sharers.len(),
        sharers: sharers.into_iter().take(MAX_LISTED).map(|id| id.0).collect(),
    }
}

fn neighbour(timeline: &Timeline<'_>, arena: ArenaId, near: &Neighbour) -> NeighbourValue {
    let (first, last) = steps(timeline, arena, near.ticks);
    NeighbourValue {
        buffer: near.buffer.map(|id| id.0),
        gap: near.gap_bytes,
        between: match near.between {
            Between::Nothing => "nothing",
            Between::Padding => "padding",
            Between::Free => "free",
        },
        first,
        last,
    }
}

/// The first and the last step at which ticks are visited.
fn steps(timeline: &Timeline<'_>, arena: ArenaId, ticks: Span) -> (Option<u32>, Option<u32>) {
    let place = |step: Option<Step>| step.map(|step| step.0);
    (place(timeline.first_step(arena, ticks.first())), place(timeline.last_step(arena, ticks.last())))
}

fn signed(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

fn needs(analysis: &Analysis, found: &Needs) -> NeedsValue {
    let arena = analysis.arenas.get(found.arena.index());
    let alive = found.alive.iter().take(MAX_LISTED).map(|item| AliveValue {
        buffer: item.buffer.0,
        bytes: item.bytes,
        read: item.is_read,
        written: item.is_written,
        scratch: item.is_scratch,
        next: item.next.map(|step| step.0),
    });
    NeedsValue {
        step: found.step.0,
        live: found.live_bytes,
        alone: found.alone_bytes,
        waiting: found.waiting_bytes,
        born: found.moved.map(|moved| moved.born_bytes),
        freed: found.moved.map(|moved| moved.freed_bytes),
        arena: found.height_bytes,
        above: signed(found.height_bytes).saturating_sub(signed(found.live_bytes)),
        bound: arena.map_or(0, |arena| arena.bound.height_bytes),
        optimal: arena.and_then(|arena| arena.optimal),
        count: found.alive.len(),
        alive: alive.collect(),
    }
}
