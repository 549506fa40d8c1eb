//! Why TFLite and TFLite-Micro need different amounts for one file: the difference split by reason, each in bytes, summing
//! up exactly. One change after the other is made to TFLite's problem until it is TFLite-Micro's, and each is planned.

use std::collections::BTreeMap;

use crate::error::Result;
use crate::plan::{self, Problem, Request, Strategy};
use crate::runtime::tflm::{self, Category};
use crate::runtime::{Arena, ArenaKind, Origin, Program, Role};
use crate::units::{BufferId, Span, Step};

/// One reason for a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// TFLite's kernels have temporary tensors in the arena (im2col and others); TFLite-Micro's do not.
    Temporaries,
    /// TFLite lets some operators work in place.
    SharedInPlace,
    /// TFLite keeps the graph's inputs to the end.
    InputsKept,
    /// TFLite aligns offsets to 64 bytes, TFLite-Micro rounds sizes up to 16.
    Alignment,
    /// The two planners place the same buffers differently.
    Planner,
    /// Other buffers or lifetimes: tensors that nobody uses, called subgraphs, constants worked out beforehand.
    OtherBuffers,
    /// TFLite-Micro's kernels ask for scratch.
    Scratch,
    /// TFLite's other arenas: state, called subgraphs.
    OtherArenas,
    /// TFLite-Micro keeps its own structs in the arena.
    Structs(Category),
    /// TFLite-Micro loses bytes between its structs.
    StructAlignment,
    /// TFLite-Micro needs more while it prepares and plans than when it runs (or a few bytes less by alignment).
    WhilePreparing,
}

impl Reason {
    /// The reason as a sentence.
    pub fn words(self) -> String {
        match self {
            Reason::Temporaries => "TFLite's kernels have temporary tensors in the arena".to_owned(),
            Reason::SharedInPlace => "TFLite lets operators work in place, TFLite-Micro never does".to_owned(),
            Reason::InputsKept => "TFLite keeps the inputs to the end, TFLite-Micro until their last reader".to_owned(),
            Reason::Alignment => "TFLite aligns offsets to 64 bytes, TFLite-Micro rounds sizes up to 16".to_owned(),
            Reason::Planner => "the planners place the same buffers differently".to_owned(),
            Reason::OtherBuffers => {
                "other buffers and lifetimes: unused tensors, called subgraphs, folded constants".to_owned()
            }
            Reason::Scratch => "TFLite-Micro's kernels ask for scratch".to_owned(),
            Reason::OtherArenas => "TFLite has further arenas for state and called subgraphs".to_owned(),
            Reason::Structs(category) => format!("TFLite-Micro keeps in its arena: {}", category.name()),
            Reason::StructAlignment => "TFLite-Micro aligns its persistent data to 16 bytes".to_owned(),
            Reason::WhilePreparing => "TFLite-Micro needs room while preparing and planning".to_owned(),
        }
    }
}

/// The two runtimes beside each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// All arenas of TFLite.
    pub tflite_bytes: u64,
    /// TFLite-Micro's smallest arena; only its head when it refuses the model.
    pub tflm_bytes: u64,
    /// The figure of TFLite-Micro is its whole arena.
    pub complete: bool,
    /// The reasons with their bytes, none 0; they sum up to TFLite-Micro's figure minus TFLite's.
    pub reasons: Vec<(Reason, i64)>,
}

/// Splits the difference between `tflite` and `tflm`, programs of one model.
///
/// # Errors
/// When a problem on the way passes all limits.
pub fn compare(tflite: &Program, tflm: &Program) -> Result<Comparison> {
    let mut ledger = Ledger::default();
    let (Some(from), Some(to)) = (tflite.arenas.first(), tflm.arenas.first()) else {
        return Ok(Comparison { tflite_bytes: 0, tflm_bytes: 0, complete: false, reasons: Vec::new() });
    };
    let main = height(&from.problem, Strategy::Tflite);
    let others: u64 = tflite.arenas.iter().skip(1).map(|arena| height(&arena.problem, Strategy::Tflite)).sum();
    ledger.start(main + others);
    ledger.to(Reason::OtherArenas, main);
    let alignment = from.problem.alignment();
    let mut requests = without_temporaries(tflite, from);
    ledger.to(Reason::Temporaries, planned(&requests, alignment, Strategy::Tflite)?);
    share_nothing(tflite, from, &mut requests);
    ledger.to(Reason::SharedInPlace, planned(&requests, alignment, Strategy::Tflite)?);
    release_inputs(tflite, &mut requests);
    ledger.to(Reason::InputsKept, planned(&requests, alignment, Strategy::Tflite)?);
    for (_, request) in &mut requests {
        request.size_bytes = request.size_bytes.next_multiple_of(tflm::ALIGNMENT);
    }
    ledger.to(Reason::Alignment, planned(&requests, tflm::ALIGNMENT, Strategy::Tflite)?);
    ledger.to(Reason::Planner, planned(&requests, tflm::ALIGNMENT, Strategy::Tflm)?);
    let strategy = if tflm.options.preserve_all_tensors { Strategy::Linear } else { Strategy::Tflm };
    let own: Vec<(BufferId, Request)> = to.buffers.iter().copied().zip(to.problem.requests().iter().copied()).collect();
    let tensors: Vec<_> = own.iter().filter(|(id, _)| tflm.buffer(*id).role != Role::Scratch).copied().collect();
    ledger.to(Reason::OtherBuffers, planned(&tensors, to.problem.alignment(), strategy)?);
    let head = height(&to.problem, strategy);
    ledger.to(Reason::Scratch, head);
    let complete = structs(tflm, head, &mut ledger);
    Ok(Comparison { tflite_bytes: main + others, tflm_bytes: ledger.now, complete, reasons: ledger.reasons })
}

/// Bytes reached so far, and what led there.
#[derive(Default)]
struct Ledger {
    now: u64,
    reasons: Vec<(Reason, i64)>,
}

impl Ledger {
    fn start(&mut self, bytes: u64) {
        self.now = bytes;
    }

    /// Books the way from the last figure to `bytes` under `reason`.
    fn to(&mut self, reason: Reason, bytes: u64) {
        // Figures are below `limits::MAX_BYTES`, so both fit.
        let difference = i64::try_from(bytes).unwrap_or(i64::MAX) - i64::try_from(self.now).unwrap_or(i64::MAX);
        if difference != 0 {
            self.reasons.push((reason, difference));
        }
        self.now = bytes;
    }
}

/// TFLite-Micro's structs on top of the head; whether they are known.
fn structs(tflm: &Program, head: u64, ledger: &mut Ledger) -> bool {
    let Some(needs) = tflm.micro.as_ref().and_then(|micro| tflm::arena_needs(micro, head)) else { return false };
    let mut total = head;
    for (category, bytes) in &needs.categories {
        total += bytes;
        ledger.to(Reason::Structs(*category), total);
    }
    ledger.to(Reason::StructAlignment, needs.used_bytes);
    ledger.to(Reason::WhilePreparing, needs.minimum_arena_bytes);
    true
}

fn height(problem: &Problem, strategy: Strategy) -> u64 {
    plan::plan(problem, strategy).height_bytes
}

fn planned(requests: &[(BufferId, Request)], alignment: u64, strategy: Strategy) -> Result<u64> {
    let requests = requests.iter().map(|(_, request)| *request).collect();
    Ok(height(&Problem::new(requests, alignment)?, strategy))
}

fn without_temporaries(program: &Program, arena: &Arena) -> Vec<(BufferId, Request)> {
    let all = arena.buffers.iter().copied().zip(arena.problem.requests().iter().copied());
    all.filter(|(id, _)| !matches!(program.buffer(*id).origin, Origin::Temporary { .. })).collect()
}

/// When each buffer of an arena is first and last touched.
fn touched(program: &Program, arena: &Arena) -> BTreeMap<BufferId, Span> {
    let mut touched: BTreeMap<BufferId, Span> = BTreeMap::new();
    let steps = program.steps.iter().filter(|step| step.subgraph == arena.subgraph);
    for step in steps {
        let here = Span::from_inclusive(step.tick, step.tick);
        for buffer in step.reads.iter().chain(&step.writes) {
            touched.entry(*buffer).and_modify(|span| *span = span.hull(here)).or_insert(here);
        }
    }
    touched
}

/// Gives each buffer that shares another's bytes bytes of its own, and cuts the other back to its own use.
fn share_nothing(program: &Program, arena: &Arena, requests: &mut Vec<(BufferId, Request)>) {
    debug_assert_eq!(arena.kind, ArenaKind::Main, "the first arena is the main one");
    let touched = touched(program, arena);
    let planned: BTreeMap<BufferId, usize> = requests.iter().enumerate().map(|(index, (id, _))| (*id, index)).collect();
    let own_span = |id: BufferId, live: Span| -> Span {
        let buffer = program.buffer(id);
        let used = touched.get(&id).copied().unwrap_or(live);
        let first = if buffer.role == Role::Input { live.first() } else { used.first() };
        let end = if matches!(buffer.role, Role::Input | Role::Output) { live.end() } else { used.end() };
        Span::new(first, end.max(Step(first.0 + 1))).unwrap_or(live)
    };
    for (index, buffer) in program.buffers.iter().enumerate() {
        let id = BufferId::from_index(index);
        let Some(root) = buffer.alias_of.and_then(|root| planned.get(&root).copied()) else { continue };
        let Some(bytes) = buffer.size_bytes.filter(|bytes| *bytes > 0) else { continue };
        let (root_id, mut request) = requests[root];
        let whole = request.live;
        request.size_bytes = bytes;
        request.live = own_span(id, buffer.live.unwrap_or(whole));
        requests.push((id, request));
        requests[root].1.live = own_span(root_id, whole);
    }
}

/// Lets go of the graph's inputs after their last reader.
fn release_inputs(program: &Program, requests: &mut [(BufferId, Request)]) {
    let Some(arena) = program.arenas.first() else { return };
    let touched = touched(program, arena);
    for (id, request) in requests.iter_mut().filter(|(id, _)| program.buffer(*id).role == Role::Input) {
        let end = touched.get(id).map_or(Step(request.live.first().0 + 1), |span| span.end());
        request.live = Span::new(request.live.first(), end).unwrap_or(request.live);
        request.stays = false;
    }
}
