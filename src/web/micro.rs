//! TFLite-Micro's whole arena for the page: sizes to set, how it fills, whether it fits, what the file's own plan is
//! worth. See the types of the same names in `www/types-micro.d.ts`.

use std::collections::BTreeMap;

use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::error::{Error, ErrorKind, Result};
use crate::report::{Analysis, abi_name, kernels_name};
use crate::runtime::tflm::{self, ArenaNeeds, Arenas, BOARDS, Condition};
use crate::runtime::{OperatorRef, RuntimeKind};
use crate::units::{ArenaId, BufferId, Step};

/// Margins that the page offers, in percent.
const MARGINS: [u64; 6] = [0, 2, 5, 10, 20, 50];

/// A size to set.
#[derive(Debug, Serialize)]
struct MarginValue {
    percent: u64,
    bytes: u64,
    line: String,
}

/// The arena at one moment of `AllocateTensors`.
#[derive(Debug, Serialize)]
struct MomentValue {
    stage: &'static str,
    subgraph: Option<u32>,
    op: Option<u32>,
    name: String,
    head: u64,
    temp_end: u64,
    tail: u64,
}

/// Allocations from the tail that follow each other in one moment and are of one kind.
#[derive(Debug, Serialize)]
struct PieceValue {
    moment: usize,
    kind: usize,
    /// From the arena's end down to this piece.
    above: u64,
    bytes: u64,
    count: u64,
    what: &'static str,
    op: Option<u32>,
}

/// Whether the arena fits the budget.
#[derive(Debug, Serialize)]
struct FitValue {
    budget: u64,
    needed: u64,
    short: u64,
    step: Option<u32>,
    buffer: Option<u32>,
}

/// Two living buffers over each other, by the file's own plan.
#[derive(Debug, Serialize)]
struct OverlapValue {
    buffers: [u32; 2],
    steps: [Option<u32>; 2],
    first_byte: u64,
    bytes: u64,
    in_place: bool,
}

/// What is known of the file's own plan.
#[derive(Debug, Serialize)]
struct OfflineValue {
    placed: u64,
    left: u64,
    height: u64,
    greedy: u64,
    overlaps: Vec<OverlapValue>,
    unaligned: Vec<u32>,
}

/// What TFLite-Micro's arena is made of; the sizes are missing when the model is refused.
#[derive(Debug, Serialize)]
struct MicroValue {
    minimum: Option<u64>,
    safe: Option<u64>,
    head: u64,
    tail: Option<u64>,
    margins: Vec<MarginValue>,
    deciding: Option<&'static str>,
    deciding_op: Option<u32>,
    deciding_name: String,
    /// With two arenas: the persistent one, and the other.
    apart: Option<[u64; 2]>,
    kinds: Vec<&'static str>,
    moments: Vec<MomentValue>,
    pieces: Vec<PieceValue>,
    fit: Option<FitValue>,
    offline: Option<OfflineValue>,
}

/// The part of a budget that is left for the head, where the picture shows only the head.
pub(super) fn head_budget(analysis: &Analysis, budget: Option<u64>) -> Option<u64> {
    let said = analysis.source.as_ref().and_then(|source| source.figures.persistent_bytes);
    let said = said.filter(|_| analysis.settings.runtime == RuntimeKind::Tflm).unwrap_or(0);
    let tail = analysis.needs.as_ref().map_or(said, |needs| needs.tail_bytes);
    budget.map(|budget| budget.saturating_sub(tail))
}

/// TFLite-Micro's arena as JSON; `null` for `TFLite`.
pub(super) fn json(analysis: &Analysis, budget: Option<u64>) -> Result<String> {
    written(&value(analysis, budget)?)
}

pub(super) fn written<T: Serialize>(value: &T) -> Result<String> {
    serde_json::to_string(value).map_err(|error| Error::new(ErrorKind::TooLarge, error.to_string()))
}

fn value(analysis: &Analysis, budget: Option<u64>) -> Result<Option<MicroValue>> {
    let Some(micro) = &analysis.program.micro else { return Ok(None) };
    let names = op_names(analysis);
    let needs = analysis.needs.as_ref();
    let deciding = needs.and_then(|needs| needs.conditions.iter().find(|need| need.condition == needs.deciding));
    let deciding_op = deciding.and_then(|need| need.op);
    let (moments, pieces) = filling(analysis, &names);
    Ok(Some(MicroValue {
        minimum: needs.map(|needs| needs.minimum_arena_bytes),
        safe: needs.map(|needs| needs.safe_arena_bytes),
        head: analysis.arena_bytes(),
        tail: needs.map(|needs| needs.tail_bytes),
        margins: needs.map(margins).unwrap_or_default(),
        deciding: deciding.map(|need| condition_name(need.condition)),
        deciding_op: deciding_op.map(|op| op.op.0),
        deciding_name: deciding_op.and_then(|op| names.get(&op).cloned()).unwrap_or_default(),
        apart: {
            let two = tflm::Micro { arenas: Arenas::Two, ..micro.clone() };
            tflm::arena_needs(&two, analysis.arena_bytes()).and_then(|needs| needs.two_arenas)
        },
        kinds: tflm::Category::ALL.iter().map(|category| category.name()).collect(),
        moments,
        pieces,
        fit: needs.zip(budget).map(|(needs, budget)| fit(analysis, needs, budget)),
        offline: offline(analysis)?,
    }))
}

fn margins(needs: &ArenaNeeds) -> Vec<MarginValue> {
    let margin =
        |percent| MarginValue { percent, bytes: needs.recommended_bytes(percent), line: needs.constant_line(percent) };
    MARGINS.into_iter().map(margin).collect()
}

fn condition_name(condition: Condition) -> &'static str {
    match condition {
        Condition::Tail => "tail",
        Condition::Temporaries => "temporaries",
        Condition::Planning => "planning",
        Condition::Final => "final",
    }
}

fn op_names(analysis: &Analysis) -> BTreeMap<OperatorRef, String> {
    let steps = analysis.program.steps.iter();
    steps.filter_map(|step| Some((OperatorRef { subgraph: step.subgraph, op: step.op? }, step.name.clone()))).collect()
}

pub(super) fn stage_name(stage: tflm::Stage) -> &'static str {
    match stage {
        tflm::Stage::Create => "create",
        tflm::Stage::Start => "start",
        tflm::Stage::Parse => "parse",
        tflm::Stage::Init => "init",
        tflm::Stage::Prepare => "prepare",
        tflm::Stage::Plan => "plan",
        tflm::Stage::Finish => "finish",
    }
}

fn filling(analysis: &Analysis, names: &BTreeMap<OperatorRef, String>) -> (Vec<MomentValue>, Vec<PieceValue>) {
    let Some(micro) = &analysis.program.micro else { return (Vec::new(), Vec::new()) };
    let cursor = tflm::cursor(micro, analysis.arena_bytes());
    let moments = cursor.moments.iter().map(|moment| MomentValue {
        stage: stage_name(moment.stage),
        subgraph: moment.op.map(|op| op.subgraph.0),
        op: moment.op.map(|op| op.op.0),
        name: moment.op.and_then(|op| names.get(&op).cloned()).unwrap_or_default(),
        head: moment.head_bytes,
        temp_end: moment.temp_end_bytes,
        tail: moment.tail_bytes,
    });
    let mut pieces: Vec<PieceValue> = Vec::new();
    for piece in &cursor.pieces {
        let kind = tflm::Category::ALL.iter().position(|category| *category == piece.category).unwrap_or(0);
        match pieces.last_mut() {
            Some(last) if (last.moment, last.kind) == (piece.moment, kind) => {
                last.bytes += piece.bytes;
                last.count += 1;
            }
            _ => pieces.push(PieceValue {
                moment: piece.moment,
                kind,
                above: piece.above_bytes,
                bytes: piece.bytes,
                count: 1,
                what: piece.what,
                op: piece.op.map(|op| op.op.0),
            }),
        }
    }
    (moments.collect(), pieces)
}

/// The first position at which a tick of the main arena is visited.
fn position(analysis: &Analysis, tick: Step) -> Option<u32> {
    analysis.timeline().first_step(ArenaId(0), tick).map(|step| step.0)
}

fn fit(analysis: &Analysis, needs: &ArenaNeeds, budget: u64) -> FitValue {
    let Some(plan) = analysis.plans.first() else {
        let needed = needs.recommended_bytes(0);
        return FitValue { budget, needed, short: needed.saturating_sub(budget), step: None, buffer: None };
    };
    let found = tflm::fit(budget, needs, &analysis.program, plan);
    FitValue {
        budget,
        needed: found.needed_bytes,
        short: found.short_bytes,
        step: found.first_unplaced.and_then(|(tick, _)| position(analysis, tick)),
        buffer: found.first_unplaced.map(|(_, buffer)| buffer.0),
    }
}

fn offline(analysis: &Analysis) -> Result<Option<OfflineValue>> {
    let Some(plan) = analysis.plans.first() else { return Ok(None) };
    let facts = tflm::offline_facts(&analysis.program, plan)?;
    Ok(facts.map(|facts| OfflineValue {
        placed: facts.placed,
        left: facts.left,
        height: facts.height_bytes,
        greedy: facts.greedy_bytes,
        overlaps: facts
            .overlaps
            .iter()
            .map(|overlap| OverlapValue {
                buffers: overlap.buffers.map(|BufferId(id)| id),
                steps: overlap.steps.map(|tick| position(analysis, tick)),
                first_byte: overlap.first_byte,
                bytes: overlap.bytes,
                in_place: overlap.in_place,
            })
            .collect(),
        unaligned: facts.unaligned.iter().map(|id| id.0).collect(),
    }))
}

/// A board as the page lists it.
#[derive(Debug, Serialize)]
struct BoardValue {
    id: &'static str,
    name: &'static str,
    chip: &'static str,
    ram: u64,
    block: Option<u64>,
    external: Option<u64>,
    budget: u64,
    abi: &'static str,
    kernels: &'static str,
    source: &'static str,
}

/// All boards, as JSON.
#[wasm_bindgen]
pub fn boards() -> String {
    let list: Vec<BoardValue> = BOARDS
        .iter()
        .map(|board| BoardValue {
            id: board.id,
            name: board.name,
            chip: board.chip,
            ram: board.ram_bytes,
            block: board.block_bytes,
            external: board.external_ram_bytes,
            budget: board.budget_bytes(),
            abi: abi_name(board.abi),
            kernels: kernels_name(board.kernels),
            source: board.source,
        })
        .collect();
    written(&list).unwrap_or_else(|_| String::from("[]"))
}
