//! What-ifs in the report: what there was before them, what they lead to, and the same ones for a plan file.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::Result;
use crate::plan::Plan;
use crate::report::words::{bytes_exact, grouped, step_words};
use crate::report::{Analysis, table};
use crate::runtime::edit::{self, Done, Effect};
use crate::runtime::tflm::{self, ArenaNeeds};
use crate::runtime::{Program, Role, RuntimeKind};
use crate::simulate::{Clobber, Layout, Proof, Timeline};
use crate::units::{ArenaId, BufferId, RequestId, Span, Step};

/// Names in one sentence; the rest is counted.
const NAMED: usize = 3;

/// What there was before the what-ifs, and what they did.
#[derive(Clone, Debug, PartialEq)]
pub struct WhatIf {
    /// The program without them.
    pub program: Program,
    /// Its plans, by the same planners.
    pub plans: Vec<Plan>,
    /// Its whole arena for TFLite-Micro.
    pub needs: Option<ArenaNeeds>,
    /// What was done.
    pub done: Vec<Done>,
}

/// The figures of a plan that a what-if is held against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figures {
    /// Planned bytes of the main arena.
    pub arena_bytes: u64,
    /// The smallest arena for TFLite-Micro, when it is known.
    pub minimum_arena_bytes: Option<u64>,
    /// The size to set: TFLite-Micro's safe one, else the planned bytes.
    pub set_bytes: u64,
    /// The fullest step.
    pub peak: Option<PeakFigure>,
}

/// The fullest step of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeakFigure {
    /// Its position in the execution.
    pub step: Option<Step>,
    /// Its operator's index.
    pub op_index: Option<u32>,
    /// Its operator's name.
    pub op: Option<String>,
    /// Bytes alive.
    pub live_bytes: u64,
}

impl Figures {
    /// The figures of `program` with these plans.
    pub(super) fn new(program: &Program, plans: &[Plan], needs: Option<&ArenaNeeds>) -> Figures {
        let arena_bytes = plans.first().map_or(0, |plan| plan.height_bytes);
        let timeline = Timeline::new(program, plans);
        let peak = if program.arenas.is_empty() { None } else { timeline.peak(ArenaId(0)) };
        Figures {
            arena_bytes,
            minimum_arena_bytes: needs.map(|needs| needs.minimum_arena_bytes),
            set_bytes: needs.map_or(arena_bytes, |needs| needs.recommended_bytes(0)),
            peak: peak.map(|peak| {
                let info = peak.step.and_then(|step| timeline.info(step));
                PeakFigure {
                    step: peak.step,
                    op_index: info.and_then(|info| info.op).map(|op| op.0),
                    op: info.map(|info| info.name.clone()),
                    live_bytes: peak.live_bytes,
                }
            }),
        }
    }
}

impl WhatIf {
    /// What was there, planned, and what was done to it.
    pub(super) fn new(program: Program, plans: Vec<Plan>, done: Vec<Done>) -> WhatIf {
        let head_bytes = plans.first().map_or(0, |plan| plan.height_bytes);
        let needs = program.micro.as_ref().and_then(|micro| tflm::arena_needs(micro, head_bytes));
        WhatIf { program, plans, needs, done }
    }

    /// The figures without the what-ifs.
    pub fn figures(&self) -> Figures {
        Figures::new(&self.program, &self.plans, self.needs.as_ref())
    }

    /// The what-ifs of the main arena for the plan file of [`to_base_plan`](crate::report::to_base_plan), opened again.
    ///
    /// # Errors
    /// When the plan file would have too many steps.
    pub fn plan_edits(&self) -> Result<Vec<String>> {
        let Some(arena) = self.program.arenas.first() else { return Ok(Vec::new()) };
        let main = self.done.iter().filter(|done| done.arena == ArenaId(0));
        let text = |done: &Done| {
            let change = match done.effect {
                Effect::Bytes(bytes) => format!("bytes={bytes}"),
                Effect::Last(tick) => {
                    let moment = table::moment_in_plan_file(&arena.problem, tick)?;
                    format!("last={}", i64::from(moment.0) + self.program.first_label)
                }
                Effect::Keep => String::from("keep"),
                Effect::Outside => String::from("outside"),
            };
            Ok(format!("{}:{change}", self.program.buffer(done.root).reference()))
        };
        main.map(text).collect()
    }

    /// What the what-ifs lead to in the edited program, as sentences with what each is about. Bytes that are lost because the
    /// user said so are taken out of `proof`: they are no fault of the plan.
    pub(super) fn consequences(&self, program: &Program, plans: &[Plan], proof: &mut Proof) -> Vec<(String, String)> {
        let ended = Ended::new(self, program, plans);
        let (asked, faults): (Vec<Clobber>, Vec<Clobber>) =
            std::mem::take(&mut proof.clobbers).into_iter().partition(|clobber| ended.explains(clobber));
        proof.clobbers = faults;
        proof.in_place.retain(|found| !ended.is_late(Some(found.step)));
        let mut found = ended.readers();
        // Who reads too late is named already.
        let is_new = |clobber: &&Clobber| !ended.is_late(clobber.needed_at) && !ended.is_late(clobber.written_at);
        let lost = asked.iter().filter(is_new);
        found.extend(lost.map(|clobber| (clobber.message(program), program.buffer(clobber.victim).reference())));
        found
    }
}

/// Buffers whose bytes end before somebody is done with them.
struct Ended<'a> {
    program: &'a Program,
    plans: &'a [Plan],
    /// Roots that were given another end, with their arena.
    roots: BTreeMap<BufferId, ArenaId>,
    /// Roots with an offset of the file's own, which grew or live longer.
    fixed: BTreeSet<BufferId>,
    /// The request of each root of an arena.
    requests: BTreeMap<BufferId, RequestId>,
}

impl<'a> Ended<'a> {
    fn new(what_if: &WhatIf, program: &'a Program, plans: &'a [Plan]) -> Ended<'a> {
        let mut requests = BTreeMap::new();
        for arena in &program.arenas {
            let of = |(index, buffer): (usize, &BufferId)| (*buffer, RequestId::from_index(index));
            requests.extend(arena.buffers.iter().enumerate().map(of));
        }
        let is_end = |done: &&Done| matches!(done.effect, Effect::Last(_));
        let is_fixed = |done: &&Done| {
            let asked = program.arenas.get(done.arena.index()).zip(requests.get(&done.root));
            asked.is_some_and(|(arena, request)| arena.problem.request(*request).fixed_offset.is_some())
        };
        Ended {
            program,
            plans,
            roots: what_if.done.iter().filter(is_end).map(|done| (done.root, done.arena)).collect(),
            fixed: what_if.done.iter().filter(is_fixed).map(|done| done.root).collect(),
            requests,
        }
    }

    fn root(&self, id: BufferId) -> BufferId {
        self.program.buffer(id).alias_of.unwrap_or(id)
    }

    fn is_ended(&self, id: BufferId) -> bool {
        self.roots.contains_key(&self.root(id))
    }

    /// Whether bytes are lost because of a what-if.
    fn explains(&self, clobber: &Clobber) -> bool {
        let touches = |id: &BufferId| self.is_ended(*id) || self.fixed.contains(&self.root(*id));
        [clobber.victim, clobber.writer].iter().any(touches)
            || self.is_late(clobber.written_at)
            || self.is_late(clobber.needed_at)
    }

    /// Whether an ended buffer is used at `step`, after its end: what its operator does there has no meaning.
    fn is_late(&self, step: Option<Step>) -> bool {
        let Some(info) = step.and_then(|step| self.program.steps.get(step.index())) else { return false };
        let mut used = info.reads.iter().chain(&info.writes).chain(&info.scratch);
        used.any(|id| {
            let root = self.root(*id);
            let arena = self.roots.get(&root).map(|arena| self.program.arena(*arena));
            let asked = arena.zip(self.requests.get(&root)).map(|(arena, request)| arena.problem.request(*request));
            asked.is_some_and(|asked| info.tick >= asked.live.end())
        })
    }

    /// Who still uses an ended buffer, and what lies there by then.
    fn readers(&self) -> Vec<(String, String)> {
        let layout = Layout::new(self.program, self.plans);
        let mut found = Vec::new();
        for (root, arena) in &self.roots {
            let (Some(request), Some(placed)) = (self.requests.get(root), layout.place(*root)) else { continue };
            let held = self.program.arena(*arena);
            let live = held.problem.request(*request).live;
            let end = edit::label_of(self.program, *arena, live.last());
            let steps = self.program.steps.iter().filter(|s| s.subgraph == held.subgraph && s.tick >= live.end());
            let mut seen = BTreeSet::new();
            for info in steps {
                let lists = [(&info.reads, "reads"), (&info.writes, "writes"), (&info.scratch, "uses")];
                let used = lists
                    .iter()
                    .find_map(|(list, verb)| list.iter().find(|id| self.root(**id) == *root).map(|id| (*id, *verb)));
                let Some((id, verb)) = used.filter(|_| seen.insert(info.tick)) else { continue };
                let reference = self.program.buffer(id).reference();
                let over = self.over(*arena, placed.bytes(), live.end(), info.tick);
                let op = step_words(info);
                found.push((format!("{op} {verb} {reference} after its end at step {end}; by then {over}"), reference));
            }
            found.extend(self.output(*root, live, *arena));
        }
        found
    }

    /// An output of the graph that ends before the run does.
    fn output(&self, root: BufferId, live: Span, arena: ArenaId) -> Option<(String, String)> {
        let buffer = self.program.buffer(root);
        let is_cut = buffer.role == Role::Output && live.end().0 < self.program.arena(arena).ticks;
        let end = edit::label_of(self.program, arena, live.last());
        let reference = buffer.reference();
        is_cut.then(|| {
            (
                format!("{reference} is an output, which is read when the run is over, but it ends at step {end}"),
                reference,
            )
        })
    }

    /// What has been put over `bytes` from the tick `from` to the tick `to`.
    fn over(&self, arena: ArenaId, bytes: std::ops::Range<u64>, from: Step, to: Step) -> String {
        let (held, plan) = (self.program.arena(arena), &self.plans[arena.index()]);
        let Some(time) = Span::new(from, Step(to.0 + 1)) else { return String::from("nothing lies there") };
        let requests = held.problem.requests().iter().zip(&held.buffers).zip(&plan.offsets);
        let there = requests.filter(|((asked, _), offset)| {
            asked.live.overlaps(time) && **offset < bytes.end && bytes.start < **offset + asked.size_bytes
        });
        let names: Vec<String> = there.map(|((_, id), _)| self.program.buffer(*id).reference()).collect();
        match names.as_slice() {
            [] => String::from("nothing else has been put there"),
            [one] => format!("{one} has been put there"),
            many => {
                let more = many.len().saturating_sub(NAMED);
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                let shown = many.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
                format!("{shown}{more} have been put there")
            }
        }
    }
}

/// The line of a text report about its what-ifs; `None` without any.
pub(super) fn line_of(analysis: &Analysis) -> Option<String> {
    let before = analysis.what_if.as_ref()?.figures();
    let now = analysis.figures();
    let edits: Vec<String> =
        analysis.settings.edits.iter().map(|edit| crate::report::clean(&edit.to_string())).collect();
    let is_micro = analysis.program.options.runtime == RuntimeKind::Tflm && analysis.needs.is_some();
    let what = if is_micro { "arena to set" } else { "arena" };
    let change = match now.set_bytes.checked_sub(before.set_bytes) {
        Some(0) => String::from("unchanged"),
        Some(more) => format!("{} more{}", bytes_exact(more), percent(more, before.set_bytes)),
        None => {
            let less = before.set_bytes - now.set_bytes;
            format!("{} less{}", bytes_exact(less), percent(less, before.set_bytes))
        }
    };
    Some(format!("what-if, not this file's own plan: {}; {what} {change}", edits.join(", ")))
}

/// ` (18 %)`; nothing of 0.
fn percent(part: u64, whole: u64) -> String {
    let tenths = part.saturating_mul(1000).checked_div(whole);
    tenths.map_or_else(String::new, |tenths| format!(" ({}.{} %)", grouped(tenths / 10), tenths % 10))
}
