//! Turns a program and its plans into what changes from step to step: births, deaths, live bytes, the peak.
//!
//! Two clocks meet here. A *step* is a position in the execution, through called subgraphs. A *tick* is the time of
//! one arena. A step has one tick of the arena that is running; a tick has no step (never visited), one, or several
//! (its subgraph is called again).

use crate::plan::{self, Plan};
use crate::runtime::{Program, StepInfo};
use crate::simulate::Layout;
use crate::units::{ArenaId, BufferId, RequestId, Span, Step};

/// The fullest moment of an arena.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peak {
    /// The first tick at which the most bytes are alive.
    pub tick: Step,
    /// The first step with that tick; `None` when no step visits it.
    pub step: Option<Step>,
    /// How many bytes are alive.
    pub live_bytes: u64,
    /// Whose they are, largest first, ties by request; roots only, not those who share with them.
    pub buffers: Vec<BufferId>,
}

/// What changes from tick to tick in one arena.
#[derive(Clone, Debug)]
struct ArenaTime {
    /// Live bytes by tick.
    live_bytes: Vec<u64>,
    /// Buffers with the tick they are born at, sorted.
    births: Vec<(Step, BufferId)>,
    /// Buffers with the last tick they are needed at, sorted.
    deaths: Vec<(Step, BufferId)>,
    /// Requests by offset, then by index.
    by_offset: Vec<RequestId>,
    /// Buffers that share another's bytes in place.
    aliases: Vec<BufferId>,
    /// Steps that run in this arena, by tick, then by step.
    steps: Vec<(Step, Step)>,
}

/// A program and its plans, with the indexes that answer for every step.
#[derive(Clone, Debug)]
pub struct Timeline<'a> {
    pub(super) program: &'a Program,
    pub(super) plans: &'a [Plan],
    layout: Layout,
    arenas: Vec<ArenaTime>,
    /// For each step, the first step behind everything that it calls.
    call_ends: Vec<Step>,
}

impl<'a> Timeline<'a> {
    /// The timeline of `program` with one plan for each of its arenas.
    ///
    /// # Panics
    /// When there is not one plan for each arena: a bug of ours.
    pub fn new(program: &'a Program, plans: &'a [Plan]) -> Timeline<'a> {
        let layout = Layout::new(program, plans);
        let arenas = arena_times(program, plans, &layout);
        Timeline { program, plans, layout, arenas, call_ends: call_ends(&program.steps) }
    }

    /// The places of the buffers.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// What runs at `step`.
    pub fn info(&self, step: Step) -> Option<&'a StepInfo> {
        self.program.steps.get(step.index())
    }

    /// Bytes alive at `tick` of `arena`.
    pub fn live_bytes(&self, arena: ArenaId, tick: Step) -> u64 {
        self.arenas[arena.index()].live_bytes.get(tick.index()).copied().unwrap_or(0)
    }

    /// Buffers of `arena` whose bytes are needed from `tick` on; those that share in place included.
    pub fn born(&self, arena: ArenaId, tick: Step) -> impl Iterator<Item = BufferId> + '_ {
        at_tick(&self.arenas[arena.index()].births, tick)
    }

    /// Buffers of `arena` whose bytes are needed at `tick` for the last time.
    pub fn dies(&self, arena: ArenaId, tick: Step) -> impl Iterator<Item = BufferId> + '_ {
        at_tick(&self.arenas[arena.index()].deaths, tick)
    }

    /// The requests of `arena` by offset, then by index.
    pub fn by_offset(&self, arena: ArenaId) -> &[RequestId] {
        &self.arenas[arena.index()].by_offset
    }

    /// Buffers of `arena` that share another's bytes in place.
    pub fn aliases(&self, arena: ArenaId) -> &[BufferId] {
        &self.arenas[arena.index()].aliases
    }

    /// The first step at `tick` of `arena`.
    pub fn first_step(&self, arena: ArenaId, tick: Step) -> Option<Step> {
        let steps = &self.arenas[arena.index()].steps;
        let at = steps.partition_point(|(other, _)| *other < tick);
        steps.get(at).filter(|(other, _)| *other == tick).map(|(_, step)| *step)
    }

    /// The last step at `tick` of `arena`, that is the last of what the last operator there calls.
    pub fn last_step(&self, arena: ArenaId, tick: Step) -> Option<Step> {
        let steps = &self.arenas[arena.index()].steps;
        let behind = steps.partition_point(|(other, _)| *other <= tick);
        let (_, step) = steps.get(behind.checked_sub(1)?).filter(|(other, _)| *other == tick)?;
        self.call_end(*step).0.checked_sub(1).map(Step)
    }

    /// The first and the last step of a buffer's life, through what its steps call; `None` when the execution
    /// visits neither end.
    pub fn steps_of(&self, arena: ArenaId, live: Span) -> Option<(Step, Step)> {
        Some((self.first_step(arena, live.first())?, self.last_step(arena, live.last())?))
    }

    /// The first step behind `step` and everything that it calls.
    pub fn call_end(&self, step: Step) -> Step {
        self.call_ends.get(step.index()).copied().unwrap_or(step)
    }

    /// The fullest moment of `arena`; `None` when it holds nothing.
    pub fn peak(&self, arena: ArenaId) -> Option<Peak> {
        let live_bytes = &self.arenas[arena.index()].live_bytes;
        let most = live_bytes.iter().copied().max().filter(|bytes| *bytes > 0)?;
        let tick = Step::from_index(live_bytes.iter().position(|bytes| *bytes == most)?);
        let held = self.program.arena(arena);
        let requests = held.problem.requests();
        let mut alive: Vec<_> =
            requests.iter().zip(&held.buffers).filter(|(asked, _)| asked.live.contains(tick)).collect();
        // By what a buffer holds, where the runtime rounds what it asks for; stable: ties stay in order of request.
        let held_bytes = |buffer: &BufferId| self.program.buffer(*buffer).size_bytes;
        alive.sort_by_key(|(asked, buffer)| std::cmp::Reverse((asked.size_bytes, held_bytes(buffer))));
        let buffers = alive.into_iter().map(|(_, buffer)| *buffer).collect();
        Some(Peak { tick, step: self.first_step(arena, tick), live_bytes: most, buffers })
    }

    /// Bytes of all arenas in use at `step`: the running subgraph's and those of its callers, each in full height.
    pub fn stack_bytes(&self, step: Step) -> u64 {
        let mut bytes = 0;
        let mut seen: Vec<ArenaId> = Vec::new();
        let mut next = self.info(step);
        while let Some(info) = next {
            if !seen.contains(&info.arena) {
                seen.push(info.arena);
                bytes += self.plans.get(info.arena.index()).map_or(0, |plan| plan.height_bytes);
            }
            next = info.caller.and_then(|caller| self.info(caller));
        }
        bytes
    }
}

fn at_tick(sorted: &[(Step, BufferId)], tick: Step) -> impl Iterator<Item = BufferId> + '_ {
    let start = sorted.partition_point(|(other, _)| *other < tick);
    sorted.iter().skip(start).take_while(move |(other, _)| *other == tick).map(|(_, buffer)| *buffer)
}

fn arena_times(program: &Program, plans: &[Plan], layout: &Layout) -> Vec<ArenaTime> {
    let mut times: Vec<_> = program
        .arenas
        .iter()
        .zip(plans)
        .map(|(arena, plan)| {
            let requests = arena.problem.requests();
            let mut by_offset: Vec<_> = (0..requests.len()).map(RequestId::from_index).collect();
            by_offset.sort_by_key(|request| (plan.offsets[request.index()], *request));
            ArenaTime {
                live_bytes: plan::live_bytes(&arena.problem, arena.ticks),
                births: Vec::new(),
                deaths: Vec::new(),
                by_offset,
                aliases: Vec::new(),
                steps: Vec::new(),
            }
        })
        .collect();
    for (index, buffer) in program.buffers.iter().enumerate() {
        let id = BufferId::from_index(index);
        if let (Some(placed), Some(live)) = (layout.place(id), buffer.live) {
            let time = &mut times[placed.arena.index()];
            time.births.push((live.first(), id));
            time.deaths.push((live.last(), id));
            if program.arena(placed.arena).buffers[placed.request.index()] != id {
                time.aliases.push(id);
            }
        }
    }
    for (index, info) in program.steps.iter().enumerate() {
        times[info.arena.index()].steps.push((info.tick, Step::from_index(index)));
    }
    for time in &mut times {
        time.births.sort_unstable();
        time.deaths.sort_unstable();
        time.steps.sort_unstable();
    }
    times
}

/// For each step the first step behind everything that it calls: itself and all later steps below it.
fn call_ends(steps: &[StepInfo]) -> Vec<Step> {
    let mut ends: Vec<_> = (1..=steps.len()).map(Step::from_index).collect();
    for (index, info) in steps.iter().enumerate().rev() {
        // Callees come after their caller, so a step's end is final when the walk arrives at it.
        if let Some(caller) = info.caller.filter(|caller| caller.index() < index) {
            ends[caller.index()] = ends[caller.index()].max(ends[index]);
        }
    }
    ends
}
