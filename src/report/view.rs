//! The JSON report: twins of the core's types with the keys of the format, and their writing. `SCHEMA` is raised when a
//! change breaks a reader.

use serde::Serialize;

use crate::error::{Error, ErrorKind, Result, Warning};
use crate::report::micro::{self, MicroView};
use crate::report::{Analysis, Facts, abi_name, json, kernels_name, runtime_name};
use crate::runtime::{Buffer, Options, Place, Role, RuntimeKind};
use crate::units::{ArenaId, BufferId, Step, SubgraphId};

/// Version of the report's format.
pub const SCHEMA: u32 = 1;
/// JSON numbers above are not exact in JavaScript.
const MAX_SAFE: u64 = 1 << 53;

/// The whole report.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the keys are those of the report's format, and say it")]
pub struct Report {
    pub schema: u32,
    pub tool: String,
    pub model: ModelView,
    pub options: OptionsView,
    pub arena_bytes: u64,
    pub persistent_bytes: Option<u64>,
    pub heap_bytes: Option<u64>,
    pub minimum_arena_bytes: Option<u64>,
    pub used_bytes: Option<u64>,
    pub lower_bound_bytes: u64,
    pub optimal: Option<bool>,
    pub peak: Option<PeakView>,
    pub steps: Vec<StepView>,
    pub buffers: Vec<BufferView>,
    pub warnings: Vec<WarningView>,
    pub stack: Option<StackView>,
    pub micro: Option<MicroView>,
}

/// The model in short.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the keys are those of the report's format, and say it")]
pub struct ModelView {
    pub name: String,
    pub bytes: u64,
    pub sha256: String,
    pub subgraphs: usize,
    pub ops: usize,
    pub tensors: usize,
}

/// The options that the report was made with. What the runtime does not have is `null`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the keys are those of the report's format, and say it")]
pub struct OptionsView {
    pub runtime: &'static str,
    pub planner: &'static str,
    pub alignment: u64,
    pub preserve_all_tensors: bool,
    pub resize: Vec<ResizeView>,
    pub external: Vec<String>,
    pub kernels: Option<&'static str>,
    pub abi: Option<&'static str>,
    /// What-ifs; left out when there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<String>,
}

/// New dims of one input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the keys are those of the report's format, and say it")]
pub struct ResizeView {
    #[serde(rename = "ref")]
    pub reference: String,
    pub shape: Vec<i32>,
}

/// The fullest step of the main arena.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the keys are those of the report's format, and say it")]
pub struct PeakView {
    pub step: i64,
    pub op_index: Option<u32>,
    pub op: Option<String>,
    pub live_bytes: u64,
    pub tensors: Vec<String>,
}

/// The deepest sum of `TFLite`'s arenas along a call stack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the keys are those of the report's format, and say it")]
pub struct StackView {
    pub step: i64,
    pub arena_bytes: u64,
}

/// One step of the execution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the keys are those of the report's format, and say it")]
pub struct StepView {
    pub step: i64,
    pub subgraph: u32,
    pub op_index: Option<u32>,
    pub op: String,
    pub live_bytes: u64,
    pub born: Vec<String>,
    pub dies: Vec<String>,
}

/// One tensor, temporary or scratch buffer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the keys are those of the report's format, and say it")]
pub struct BufferView {
    #[serde(rename = "ref")]
    pub reference: String,
    pub subgraph: u32,
    pub index: u32,
    pub name: String,
    pub dtype: Option<&'static str>,
    pub shape: Vec<i32>,
    pub bytes: Option<u64>,
    pub role: &'static str,
    pub place: &'static str,
    pub offset: Option<u64>,
    pub first_step: Option<i64>,
    pub last_step: Option<i64>,
    pub alias_of: Option<String>,
    pub share_count: u64,
}

/// Something odd but readable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the keys are those of the report's format, and say it")]
pub struct WarningView {
    pub code: &'static str,
    pub message: String,
    #[serde(rename = "ref")]
    pub reference: Option<String>,
    pub byte_offset: Option<u64>,
}

/// The report of `analysis` as JSON, with a line for each step, buffer and warning.
///
/// # Errors
/// When a number is too large to be exact in JSON.
pub fn to_json(analysis: &Analysis) -> Result<String> {
    json::write(&report(analysis)?)
}

/// The report of `analysis`.
///
/// # Errors
/// When a number is too large to be exact in JSON.
pub fn report(analysis: &Analysis) -> Result<Report> {
    let facts = Facts::new(analysis);
    let report = Report {
        schema: SCHEMA,
        tool: concat!("arenascope ", env!("CARGO_PKG_VERSION")).to_owned(),
        model: model_view(analysis),
        options: options_view(analysis),
        arena_bytes: analysis.arena_bytes(),
        persistent_bytes: analysis.persistent_bytes(),
        heap_bytes: analysis.heap_bytes(),
        minimum_arena_bytes: analysis.minimum_arena_bytes(),
        used_bytes: analysis.used_bytes(),
        lower_bound_bytes: analysis.arenas.first().map_or(0, |arena| arena.bound.live_bytes),
        optimal: analysis.arenas.first().and_then(|arena| arena.optimal),
        peak: peak_view(analysis, &facts),
        steps: (0..analysis.program.steps.len()).map(|index| step_view(analysis, &facts, index)).collect(),
        buffers: (0..analysis.program.buffers.len()).map(|index| buffer_view(analysis, &facts, index)).collect(),
        warnings: analysis.warnings.iter().map(WarningView::from).collect(),
        stack: analysis.stack_peak().map(|(step, arena_bytes)| StackView { step: facts.step_label(step), arena_bytes }),
        micro: micro::view(analysis),
    };
    check_exact(&report)?;
    Ok(report)
}

/// Checks that every byte count is exact as a JSON number.
fn check_exact(report: &Report) -> Result<()> {
    let of_buffers = report.buffers.iter().flat_map(|buffer| [buffer.bytes, buffer.offset]);
    let of_steps = report.steps.iter().map(|step| Some(step.live_bytes));
    let of_all = [Some(report.arena_bytes), report.persistent_bytes, report.heap_bytes, report.minimum_arena_bytes];
    match of_all.into_iter().chain(of_buffers).chain(of_steps).flatten().find(|number| *number > MAX_SAFE) {
        None => Ok(()),
        Some(number) => {
            let message = format!("{number} bytes, but only numbers up to {MAX_SAFE} are exact in JSON");
            Err(Error::new(ErrorKind::TooLarge, message))
        }
    }
}

fn model_view(analysis: &Analysis) -> ModelView {
    let subgraphs = analysis.model.as_ref().map_or(&[][..], |model| &model.subgraphs);
    let tensors: usize = subgraphs.iter().map(|graph| graph.tensors.len()).sum();
    ModelView {
        name: analysis.name.clone(),
        bytes: analysis.file_bytes,
        sha256: analysis.sha256.clone(),
        subgraphs: subgraphs.len(),
        ops: subgraphs.iter().map(|graph| graph.operators.len()).sum(),
        tensors: if analysis.model.is_some() { tensors } else { analysis.program.buffers.len() },
    }
}

fn options_view(analysis: &Analysis) -> OptionsView {
    let Options { runtime, preserve_all_tensors, kernels, abi, ref resize, ref external, .. } =
        analysis.program.options;
    let is_micro = runtime == RuntimeKind::Tflm;
    let reference = |subgraph: SubgraphId, tensor| {
        if subgraph.0 == 0 { format!("t{tensor}") } else { format!("s{subgraph}:t{tensor}") }
    };
    OptionsView {
        runtime: runtime_name(runtime),
        planner: analysis.planner_name(),
        alignment: analysis.program.arenas.first().map_or(1, |arena| arena.problem.alignment()),
        preserve_all_tensors,
        resize: resize
            .iter()
            .map(|resize| ResizeView { reference: format!("t{}", resize.tensor), shape: resize.dims.clone() })
            .collect(),
        external: external.iter().map(|tensor| reference(tensor.subgraph, tensor.tensor)).collect(),
        kernels: is_micro.then(|| kernels_name(kernels)),
        abi: is_micro.then(|| abi_name(abi)),
        edits: analysis.settings.edits.iter().map(ToString::to_string).collect(),
    }
}

fn peak_view(analysis: &Analysis, facts: &Facts<'_>) -> Option<PeakView> {
    if analysis.program.arenas.is_empty() {
        return None;
    }
    let peak = facts.timeline.peak(ArenaId(0))?;
    let info = peak.step.and_then(|step| facts.timeline.info(step));
    Some(PeakView {
        step: facts.peak_label(peak.tick, peak.step),
        op_index: info.and_then(|info| info.op).map(|op| op.0),
        op: info.map(|info| info.name.clone()),
        live_bytes: peak.live_bytes,
        tensors: peak.buffers.iter().map(|id| analysis.program.buffer(*id).reference()).collect(),
    })
}

fn step_view(analysis: &Analysis, facts: &Facts<'_>, index: usize) -> StepView {
    let info = &analysis.program.steps[index];
    let reference = |id: BufferId| analysis.program.buffer(id).reference();
    StepView {
        step: facts.step_label(Step::from_index(index)),
        subgraph: info.subgraph.0,
        op_index: info.op.map(|op| op.0),
        op: info.name.clone(),
        live_bytes: facts.timeline.live_bytes(info.arena, info.tick),
        born: facts.timeline.born(info.arena, info.tick).map(reference).collect(),
        dies: facts.timeline.dies(info.arena, info.tick).map(reference).collect(),
    }
}

fn buffer_view(analysis: &Analysis, facts: &Facts<'_>, index: usize) -> BufferView {
    let buffer: &Buffer = &analysis.program.buffers[index];
    let known = facts.buffer(BufferId::from_index(index));
    BufferView {
        reference: buffer.reference(),
        subgraph: buffer.subgraph().0,
        index: buffer.index(),
        name: buffer.name.clone(),
        dtype: buffer.dtype.map(crate::model::DataType::name),
        shape: buffer.shape.clone(),
        bytes: buffer.size_bytes,
        role: role_name(buffer.role),
        place: place_name(buffer.place),
        offset: known.offset_bytes,
        first_step: known.steps.map(|(first, _)| first),
        last_step: known.steps.map(|(_, last)| last),
        alias_of: buffer.alias_of.map(|root| analysis.program.buffer(root).reference()),
        share_count: known.share_count,
    }
}

impl From<&Warning> for WarningView {
    fn from(warning: &Warning) -> WarningView {
        WarningView {
            code: warning.code,
            message: warning.message.clone(),
            reference: warning.about.clone(),
            byte_offset: warning.byte_offset,
        }
    }
}

/// A role's name in reports.
pub fn role_name(role: Role) -> &'static str {
    match role {
        Role::Input => "input",
        Role::Output => "output",
        Role::Intermediate => "intermediate",
        Role::Constant => "constant",
        Role::Variable => "variable",
        Role::Temporary => "temporary",
        Role::Scratch => "scratch",
    }
}

/// The role of that name.
pub(super) fn role_from_name(name: &str) -> Option<Role> {
    let all =
        [Role::Input, Role::Output, Role::Intermediate, Role::Constant, Role::Variable, Role::Temporary, Role::Scratch];
    all.into_iter().find(|role| role_name(*role) == name)
}

/// A place's name in reports.
pub fn place_name(place: Place) -> &'static str {
    match place {
        Place::Arena => "arena",
        Place::Persistent => "persistent",
        Place::Heap => "heap",
        Place::File => "file",
        Place::External => "external",
        Place::None => "none",
    }
}
