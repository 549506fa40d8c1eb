//! Facts about the buffers of an analysis that need the whole of it: place, steps, sharing. Every view takes them from
//! here, so that no two say different things.

use crate::report::Analysis;
use crate::report::share::{self, Area};
use crate::runtime::{Place, Program, RuntimeKind};
use crate::simulate::Timeline;
use crate::units::{ArenaId, BufferId, Step, SubgraphId};

/// What the report says of one buffer beyond what the program says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BufferFacts {
    /// Offset in its arena; `None` when it has no place in a planned one.
    pub offset_bytes: Option<u64>,
    /// First and last step, both inclusive, as the report counts them (see [`Facts::step_label`]); `None` when it has
    /// no life, or lives in a subgraph that is never run.
    pub steps: Option<(i64, i64)>,
    /// How many other buffers lie over at least one of the same bytes at another time.
    pub share_count: u64,
}

/// The facts of all buffers, and the timeline they come from.
#[derive(Clone, Debug)]
pub struct Facts<'a> {
    analysis: &'a Analysis,
    /// The timeline of the analysis.
    pub timeline: Timeline<'a>,
    buffers: Vec<BufferFacts>,
    /// The first arena of each subgraph that has one: its clock tells the subgraph's time.
    clocks: Vec<Option<ArenaId>>,
}

impl<'a> Facts<'a> {
    /// The facts of `analysis`.
    pub fn new(analysis: &'a Analysis) -> Facts<'a> {
        let timeline = analysis.timeline();
        let program = &analysis.program;
        let mut buffers = vec![BufferFacts::default(); program.buffers.len()];
        let mut facts = Facts { analysis, timeline, buffers: Vec::new(), clocks: clocks(program) };
        let mut areas: Vec<Vec<(usize, Area)>> = vec![Vec::new(); program.arenas.len()];
        for (index, buffer) in program.buffers.iter().enumerate() {
            let placed = facts.timeline.layout().place(BufferId::from_index(index));
            let arena = placed.map(|placed| placed.arena).or(buffer.arena);
            let arena = arena.or_else(|| facts.main_arena_of(BufferId::from_index(index)));
            if let (Some(arena), Some(live)) = (arena, buffer.live) {
                buffers[index].steps = facts.labels(arena, live.first(), live.last());
            }
            if let Some(placed) = placed {
                buffers[index].offset_bytes = Some(placed.offset_bytes);
                if let (Some(live), false) = (buffer.live, placed.size_bytes == 0) {
                    areas[placed.arena.index()].push((index, Area { bytes: placed.bytes(), live }));
                }
            }
        }
        for (indexes, areas) in areas.into_iter().map(|pairs| pairs.into_iter().unzip::<_, _, Vec<_>, Vec<_>>()) {
            for (index, count) in indexes.into_iter().zip(share::share_counts(&areas)) {
                buffers[index].share_count = count;
            }
        }
        facts.buffers = buffers;
        facts
    }

    /// The facts of `buffer`.
    pub fn buffer(&self, buffer: BufferId) -> BufferFacts {
        self.buffers.get(buffer.index()).copied().unwrap_or_default()
    }

    /// The number by which a step is printed: for TFLite-Micro its allocation scope, else its position in the
    /// execution.
    pub fn step_label(&self, step: Step) -> i64 {
        match (self.analysis.program.options.runtime, self.timeline.info(step)) {
            (RuntimeKind::Tflm, Some(info)) => self.tick_label(info.tick),
            _ => i64::from(step.0),
        }
    }

    fn tick_label(&self, tick: Step) -> i64 {
        i64::from(tick.0) + self.analysis.program.first_label
    }

    /// The labels of a life between two ticks of `arena`.
    fn labels(&self, arena: ArenaId, first: Step, last: Step) -> Option<(i64, i64)> {
        if self.analysis.program.options.runtime == RuntimeKind::Tflm {
            return Some((self.tick_label(first), self.tick_label(last)));
        }
        let step = |step: Option<Step>| step.map(|step| i64::from(step.0));
        let arena = self.clock(arena);
        match (step(self.timeline.first_step(arena, first)), step(self.timeline.last_step(arena, last))) {
            (Some(first), Some(last)) => Some((first, last)),
            // A main subgraph without operators has a clock of one tick but no step.
            _ if arena == ArenaId(0) && self.analysis.program.steps.is_empty() => Some((0, 0)),
            _ => None,
        }
    }

    /// The arena whose steps tell the time of `arena`: its subgraph's main one.
    fn clock(&self, arena: ArenaId) -> ArenaId {
        self.clock_of(self.analysis.program.arena(arena).subgraph).unwrap_or(arena)
    }

    fn clock_of(&self, subgraph: SubgraphId) -> Option<ArenaId> {
        self.clocks.get(subgraph.index()).copied().flatten()
    }

    /// The main arena of the subgraph of a buffer that lies in none, for its time.
    fn main_arena_of(&self, buffer: BufferId) -> Option<ArenaId> {
        let program = &self.analysis.program;
        let buffer = program.buffer(buffer);
        if matches!(buffer.place, Place::File | Place::None) {
            return None;
        }
        // TFLite-Micro has one arena, and one clock, for all subgraphs.
        self.clock_of(buffer.subgraph()).or((!program.arenas.is_empty()).then_some(ArenaId(0)))
    }

    /// How the peak of the main arena is printed.
    pub fn peak_label(&self, tick: Step, step: Option<Step>) -> i64 {
        match (self.analysis.program.options.runtime, step) {
            (RuntimeKind::Tflite, Some(step)) => i64::from(step.0),
            _ => self.tick_label(tick),
        }
    }
}

/// The first arena of each subgraph.
fn clocks(program: &Program) -> Vec<Option<ArenaId>> {
    let count = program.arenas.iter().map(|arena| arena.subgraph.index() + 1).max().unwrap_or(0);
    let mut clocks = vec![None; count];
    for (index, arena) in program.arenas.iter().enumerate() {
        clocks[arena.subgraph.index()].get_or_insert(ArenaId::from_index(index));
    }
    clocks
}
