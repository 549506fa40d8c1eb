//! What the page needs besides the report: where steps stand in the chart, who reads and writes, why a buffer is where
//! it is. Everything by position: steps by their place in the execution, buffers and boxes by their index.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::container::PlanSource;
use crate::error::{Error, ErrorKind, Result};
use crate::report::{Analysis, Facts};
use crate::runtime::{Cause, OperatorRef, Origin, TensorRef};
use crate::simulate::Timeline;
use crate::units::{ArenaId, BufferId, Step};

/// Positions are small; this one says none.
const NONE: i64 = -1;
/// More large boxes than this nobody reads.
const MAX_UNSHARED: usize = 20;

/// One fact behind a buffer, for the page to put into words.
#[derive(Debug, Serialize)]
struct CauseNote {
    /// What kind of fact.
    kind: &'static str,
    /// The step of the operator it is about, or −1.
    step: i64,
    /// The buffer it is about, or −1.
    buffer: i64,
}

/// The notes: see the fields of the same names in `www/types.d.ts`.
#[derive(Debug, Serialize)]
struct Notes {
    columns: Vec<i64>,
    peak: i64,
    reads: Vec<Vec<u32>>,
    writes: Vec<Vec<u32>>,
    scratch: Vec<Vec<u32>>,
    boxes: Vec<i64>,
    first: Vec<i64>,
    last: Vec<i64>,
    causes: Vec<Vec<CauseNote>>,
    members: Vec<Vec<u32>>,
    alone: Vec<u64>,
    unshared: Vec<u32>,
    sparse: Vec<u32>,
    source: Option<SourceNote>,
    overwritten: Option<OverwrittenNote>,
}

/// The first write of the plan that destroys bytes still needed, and how many there are.
#[derive(Debug, Serialize)]
struct OverwrittenNote {
    count: usize,
    writer: u32,
    victim: u32,
    /// The step that writes, or −1: before the first one.
    step: i64,
    /// The step that needs what is lost, or −1: when the run has ended.
    needed: i64,
    first_byte: u64,
    bytes: u64,
}

fn overwritten(analysis: &Analysis) -> Option<OverwrittenNote> {
    let clobbers = &analysis.proof.clobbers;
    let first = clobbers.first()?;
    let place = |step: Option<Step>| step.map_or(NONE, |step| i64::from(step.0));
    Some(OverwrittenNote {
        count: clobbers.len(),
        writer: first.writer.0,
        victim: first.victim.0,
        step: place(first.written_at),
        needed: place(first.needed_at),
        first_byte: first.bytes.start,
        bytes: first.bytes.end - first.bytes.start,
    })
}

/// What a plan file says of the model that it was made from; nothing here was checked.
#[derive(Debug, Serialize)]
struct SourceNote {
    sha256: String,
    bytes: u64,
    ops: u64,
    tensors: u64,
    runtime: String,
    /// What was changed before it was planned.
    what_if: Vec<String>,
    set: Option<u64>,
    minimum: Option<u64>,
    used: Option<u64>,
    persistent: Option<u64>,
    heap: Option<u64>,
}

impl From<&PlanSource> for SourceNote {
    fn from(source: &PlanSource) -> SourceNote {
        let PlanSource { sha256, model_bytes, ops, tensors, runtime, figures, what_if, .. } = source.clone();
        SourceNote {
            sha256,
            bytes: model_bytes,
            ops,
            tensors,
            runtime,
            what_if,
            set: figures.set_bytes,
            minimum: figures.minimum_bytes,
            used: figures.used_bytes,
            persistent: figures.persistent_bytes,
            heap: figures.heap_bytes,
        }
    }
}

/// The notes of an analysis as JSON.
pub(super) fn json(analysis: &Analysis) -> Result<String> {
    let notes = notes(analysis);
    serde_json::to_string(&notes).map_err(|error| Error::new(ErrorKind::TooLarge, error.to_string()))
}

fn notes(analysis: &Analysis) -> Notes {
    let facts = Facts::new(analysis);
    let (program, timeline) = (&analysis.program, &facts.timeline);
    let main = ArenaId(0);
    let requests = program.arenas.first().map_or(&[][..], |arena| &arena.buffers);
    let box_of: BTreeMap<BufferId, usize> = requests.iter().enumerate().map(|(index, id)| (*id, index)).collect();
    let mut members: Vec<Vec<u32>> = requests.iter().map(|id| vec![id.0]).collect();
    let mut boxes = Vec::with_capacity(program.buffers.len());
    for (index, buffer) in program.buffers.iter().enumerate() {
        let id = BufferId::from_index(index);
        let found = box_of.get(&buffer.alias_of.unwrap_or(id)).copied();
        if let (Some(found), Some(_)) = (found, buffer.alias_of) {
            members[found].push(id.0);
        }
        boxes.push(found.map_or(NONE, position));
    }
    let steps_by_op = steps_by_op(analysis);
    let ids = |list: &[BufferId]| list.iter().map(|id| id.0).collect();
    let lives = program.buffers.iter().map(|buffer| {
        let arena = buffer.arena.or(buffer.alias_of.and_then(|root| program.buffer(root).arena)).unwrap_or(main);
        let live = buffer.live.filter(|_| !program.arenas.is_empty());
        live.map_or((NONE, NONE), |live| life(timeline, arena, live.first(), live.last()))
    });
    let (first, last) = lives.unzip();
    Notes {
        columns: program.steps.iter().map(|s| if s.arena == main { i64::from(s.tick.0) } else { NONE }).collect(),
        peak: peak(analysis, timeline),
        reads: program.steps.iter().map(|step| ids(&step.reads)).collect(),
        writes: program.steps.iter().map(|step| ids(&step.writes)).collect(),
        scratch: program.steps.iter().map(|step| ids(&step.scratch)).collect(),
        boxes,
        first,
        last,
        causes: program
            .buffers
            .iter()
            .map(|buffer| buffer.causes.iter().map(|cause| note(cause, &steps_by_op)).collect())
            .collect(),
        alone: timeline.alone_bytes(),
        unshared: unshared(analysis, &facts, &members),
        sparse: sparse(analysis),
        members,
        source: analysis.source.as_ref().map(SourceNote::from),
        overwritten: overwritten(analysis),
    }
}

/// The largest boxes of the main arena of whose bytes nobody makes use at another time, by bytes, ties by request.
fn unshared(analysis: &Analysis, facts: &Facts<'_>, members: &[Vec<u32>]) -> Vec<u32> {
    let requests = analysis.program.arenas.first().map_or(&[][..], |arena| arena.problem.requests());
    let is_alone = |members: &[u32]| members.iter().all(|id| facts.buffer(BufferId(*id)).share_count == 0);
    let boxes = requests.iter().zip(members).enumerate().filter(|(_, (_, members))| is_alone(members));
    let mut boxes: Vec<(u64, usize)> = boxes.map(|(index, (asked, _))| (asked.size_bytes, index)).collect();
    boxes.sort_unstable_by_key(|(bytes, index)| (std::cmp::Reverse(*bytes), *index));
    boxes.into_iter().take(MAX_UNSHARED).filter_map(|(_, index)| u32::try_from(index).ok()).collect()
}

/// The tensors that the file stores sparsely.
fn sparse(analysis: &Analysis) -> Vec<u32> {
    let Some(model) = &analysis.model else { return Vec::new() };
    let is_sparse = |origin: Origin| match origin {
        Origin::Tensor(TensorRef { subgraph, tensor }) => {
            let graph = model.subgraphs.get(subgraph.index());
            graph.and_then(|graph| graph.tensors.get(tensor.index())).is_some_and(|tensor| tensor.is_sparse)
        }
        Origin::Temporary { .. } | Origin::Scratch { .. } => false,
    };
    let buffers = analysis.program.buffers.iter().enumerate();
    buffers.filter(|(_, buffer)| is_sparse(buffer.origin)).map(|(index, _)| BufferId::from_index(index).0).collect()
}

fn position(index: usize) -> i64 {
    i64::try_from(index).unwrap_or(NONE)
}

fn peak(analysis: &Analysis, timeline: &Timeline<'_>) -> i64 {
    if analysis.program.arenas.is_empty() {
        return NONE;
    }
    let peak = timeline.peak(ArenaId(0)).and_then(|peak| peak.step);
    peak.map_or(NONE, |step| i64::from(step.0))
}

/// The first and last position at which a life's ticks are visited.
fn life(timeline: &Timeline<'_>, arena: ArenaId, first: Step, last: Step) -> (i64, i64) {
    let place = |step: Option<Step>| step.map_or(NONE, |step| i64::from(step.0));
    (place(timeline.first_step(arena, first)), place(timeline.last_step(arena, last)))
}

/// The first step at which each operator runs.
fn steps_by_op(analysis: &Analysis) -> BTreeMap<OperatorRef, i64> {
    let mut steps = BTreeMap::new();
    for (index, step) in analysis.program.steps.iter().enumerate() {
        if let Some(op) = step.op {
            steps.entry(OperatorRef { subgraph: step.subgraph, op }).or_insert(position(index));
        }
    }
    steps
}

fn note(cause: &Cause, steps: &BTreeMap<OperatorRef, i64>) -> CauseNote {
    let plain = |kind| CauseNote { kind, step: NONE, buffer: NONE };
    let at = |kind, op: &OperatorRef| CauseNote { kind, step: steps.get(op).copied().unwrap_or(NONE), buffer: NONE };
    match cause {
        Cause::GraphInput => plain("graph-input"),
        Cause::GraphOutput => plain("graph-output"),
        Cause::LastReader(op) => at("last-reader", op),
        Cause::MadeBy(op) => at("made-by", op),
        Cause::NeverRead => plain("never-read"),
        Cause::NeverUsed => plain("never-used"),
        Cause::PreserveAll => plain("preserve-all"),
        Cause::SharesWith(buffer) => CauseNote { kind: "shares-with", step: NONE, buffer: i64::from(buffer.0) },
        Cause::Variable => plain("variable"),
        Cause::OfflinePlan => plain("offline-plan"),
        Cause::DynamicShape => plain("dynamic-shape"),
        Cause::ConstantFolded => plain("constant-folded"),
        Cause::Kernel(op) => at("kernel", op),
        Cause::WhatIf => plain("what-if"),
    }
}
