//! Recorded facts of the real runtime, one model a line, and how a program is laid beside them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use arenascope::model;
use arenascope::plan::{self, Strategy};
use arenascope::runtime::tflm::{self, ArenaNeeds, Micro, Stage};
use arenascope::runtime::{Abi, Kernels, Options, Origin, Place, Program, RuntimeKind};
use arenascope::units::BufferId;
use serde::Deserialize;

/// What the real runtime gave for one model.
#[derive(Debug, Deserialize)]
pub(crate) struct Facts {
    pub(crate) file: Option<String>,
    pub(crate) sha256: String,
    pub(crate) source: String,
    pub(crate) variants: BTreeMap<String, Variant>,
}

/// What one build gave.
#[derive(Debug, Deserialize)]
pub(crate) struct Variant {
    pub(crate) error: Option<String>,
    #[serde(default)]
    pub(crate) head: u64,
    #[serde(default)]
    pub(crate) tail: u64,
    #[serde(default)]
    pub(crate) used: u64,
    #[serde(default)]
    pub(crate) min_arena: u64,
    pub(crate) min_arena_strict: Option<u64>,
    #[serde(default)]
    pub(crate) buffers: Vec<RecordedBuffer>,
    pub(crate) persistent: Option<Vec<RecordedTail>>,
}

/// Reference, bytes, planned size, first, last, offline offset, offset.
type RecordedBuffer = (String, u64, u64, i64, i64, Option<i64>, i64);

/// Phase, subgraph, operator, its name, bytes, alignment.
type RecordedTail = (String, i64, i64, String, u64, u64);

/// The options of a recorded build.
pub(crate) fn options(variant: &str) -> Options {
    let (abi, kernels) = match variant {
        "64" => (Abi::Lp64, Kernels::Reference),
        "32" => (Abi::Ilp32, Kernels::Reference),
        "64c" => (Abi::Lp64, Kernels::CmsisNn),
        "32c" => (Abi::Ilp32, Kernels::CmsisNn),
        "m4" => (Abi::Arm, Kernels::Reference),
        "m4c" => (Abi::Arm, Kernels::CmsisNnDsp),
        "m55c" => (Abi::Arm, Kernels::CmsisNnMve),
        other => panic!("unknown build {other}"),
    };
    Options { abi, kernels, ..Options::new(RuntimeKind::Tflm) }
}

/// The options of the Python wheel: a 64-bit host, reference kernels, built with compression; by default its interpreter
/// records allocations.
pub(crate) fn wheel() -> Options {
    let mut options = options("64");
    options.micro.build.compression = true;
    options.micro.build.recording = true;
    options
}

/// A program with its plan and needs.
pub(crate) struct Planned {
    pub(crate) program: Program,
    pub(crate) plan: plan::Plan,
    pub(crate) needs: Option<ArenaNeeds>,
}

impl Planned {
    pub(crate) fn micro(&self) -> &Micro {
        self.program.micro.as_ref().expect("a TFLite-Micro program")
    }
}

/// Reads a model and plans it.
pub(crate) fn planned(bytes: &[u8], options: &Options) -> arenascope::error::Result<Planned> {
    let model = model::read(bytes)?;
    let program = tflm::program(&model, bytes, options)?;
    let strategy = if options.preserve_all_tensors { Strategy::Linear } else { Strategy::Tflm };
    let plan = plan::plan(&program.arenas[0].problem, strategy);
    let needs = tflm::arena_needs(program.micro.as_ref().expect("a TFLite-Micro program"), plan.height_bytes);
    Ok(Planned { program, plan, needs })
}

/// Differences between `planned` and the recorded facts, in words; empty when all is equal.
pub(crate) fn differences(planned: &Planned, variant: &Variant) -> Vec<String> {
    let mut found = Vec::new();
    let Some(needs) = &planned.needs else {
        let refusal = planned.micro().refusal.as_ref().expect("a refusal");
        return vec![format!("refused, but the runtime loads it: {} {:?}", refusal.reason, refusal.op)];
    };
    buffers(planned, variant, &mut found);
    let mut figure = |name: &str, got: u64, expected: u64, tolerance: u64| {
        if got.abs_diff(expected) > tolerance {
            found.push(format!("{name}: {got}, but the runtime says {expected}"));
        }
    };
    figure("head", needs.head_bytes, variant.head, 0);
    figure("tail", needs.tail_bytes, variant.tail, 0);
    figure("used", needs.used_bytes, variant.used, 0);
    figure("minimum arena", needs.minimum_arena_bytes, variant.min_arena, 15);
    if let Some(strict) = variant.min_arena_strict {
        figure("safe arena", needs.safe_arena_bytes, strict, 15);
    }
    if let Some(persistent) = &variant.persistent {
        tail(planned.micro(), persistent, &mut found);
    }
    found
}

/// What is known of a planned buffer: bytes, planned size, first and last scope, offset.
type Placed = (u64, u64, i64, i64, i64);

fn buffers(planned: &Planned, variant: &Variant, found: &mut Vec<String>) {
    let program = &planned.program;
    let arena = &program.arenas[0];
    let mut ours: BTreeMap<String, Vec<Placed>> = BTreeMap::new();
    let offsets: BTreeMap<_, _> = arena.buffers.iter().zip(&planned.plan.offsets).collect();
    for (index, buffer) in program.buffers.iter().enumerate().filter(|(_, buffer)| buffer.place == Place::Arena) {
        let Some(live) = buffer.live else { continue };
        let label = |tick: u32| i64::from(tick) + program.first_label;
        let bytes = buffer.size_bytes.unwrap_or(u64::MAX);
        // A buffer of 0 bytes lies at 0 and is no request.
        let offset = offsets.get(&BufferId::from_index(index)).map_or(0, |offset| i64::try_from(**offset).unwrap());
        let placed = (bytes, bytes.next_multiple_of(16), label(live.first().0), label(live.last().0), offset);
        ours.entry(name(&buffer.origin)).or_default().push(placed);
    }
    let mut theirs: BTreeMap<String, Vec<Placed>> = BTreeMap::new();
    for (reference, bytes, size, first, last, _, offset) in &variant.buffers {
        theirs.entry(reference.clone()).or_default().push((*bytes, *size, *first, *last, *offset));
    }
    for (reference, placed) in &theirs {
        match ours.remove(reference) {
            None => found.push(format!("{reference} is not planned")),
            Some(own) if own != *placed => found.push(format!("{reference}: {own:?}, but the runtime has {placed:?}")),
            Some(_) => {}
        }
    }
    found.extend(ours.keys().map(|reference| format!("{reference} is planned, but the runtime does not")));
}

/// A buffer's name in the recorded facts; the scratch buffers of one operator share theirs.
fn name(origin: &Origin) -> String {
    match origin {
        Origin::Tensor(at) => format!("s{}:t{}", at.subgraph, at.tensor),
        Origin::Scratch { op, .. } => format!("scratch:s{}:n{}", op.subgraph, op.op),
        Origin::Temporary { .. } => unreachable!("TFLite-Micro has no temporaries"),
    }
}

fn tail(micro: &Micro, persistent: &[RecordedTail], found: &mut Vec<String>) {
    let phase = |stage: Stage| match stage {
        Stage::Create => "boot",
        Stage::Start => "start",
        Stage::Parse => "parse",
        Stage::Init => "init",
        Stage::Prepare => "prepare",
        Stage::Plan => "plan",
        Stage::Finish => "post",
    };
    let ours: Vec<_> = micro
        .tail()
        .map(|tail| {
            let op = tail.op.map_or((-1, -1), |op| (i64::from(op.subgraph.0), i64::from(op.op.0)));
            (phase(tail.stage).to_owned(), op.0, op.1, tail.bytes, tail.alignment)
        })
        .collect();
    let theirs: Vec<_> = persistent
        .iter()
        .map(|(phase, subgraph, op, _, bytes, alignment)| (phase.clone(), *subgraph, *op, *bytes, *alignment))
        .collect();
    if ours == theirs {
        return;
    }
    let index = ours.iter().zip(&theirs).position(|(own, their)| own != their).unwrap_or(ours.len().min(theirs.len()));
    let mut text = format!("persistent allocation {index} of {}/{}: ", ours.len(), theirs.len());
    let _ = write!(text, "{:?}, but the runtime has {:?}", ours.get(index), theirs.get(index));
    found.push(text);
}
