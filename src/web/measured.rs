//! What a device says, and what another runtime would: messages decoded, printed plans and logs laid beside ours, the
//! two runtimes compared. See the types of the same names in `www/types-micro.d.ts`.

use serde::Serialize;
use wasm_bindgen::prelude::*;

use super::micro::{stage_name, written};
use super::{Analysed, failure};
use crate::advise::compare::{self, Reason};
use crate::error::Error;
use crate::report::{self, Analysis, Settings};
use crate::runtime::RuntimeKind;
use crate::runtime::tflm::{self, ArenaNeeds, Diagnosis, Difference, Doubt, PlanLine, Progress, Trouble};

/// One message that was understood.
#[derive(Debug, Serialize)]
struct FindingValue {
    line: usize,
    trouble: &'static str,
    stage: Option<&'static str>,
    meaning: &'static str,
    detail: Option<String>,
    requested: Option<u64>,
    available: Option<u64>,
    missing: Option<u64>,
}

/// What pasted messages say.
#[derive(Debug, Serialize)]
struct DiagnosisValue {
    findings: Vec<FindingValue>,
    progress: Vec<&'static str>,
    at_least: Option<u64>,
    exact: Option<u64>,
    doubts: Vec<DoubtValue>,
}

/// What does not fit together.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
enum DoubtValue {
    OtherHead { logged: u64, planned: u64 },
    LargeEnough { size: u64, needed: u64, alignment: u64 },
}

/// One figure that differs.
#[derive(Debug, Serialize)]
struct DifferenceValue {
    what: String,
    buffer: Option<u32>,
    planned: Option<i64>,
    measured: Option<i64>,
}

/// One box of a printed plan; both ends of its life count.
#[derive(Debug, Serialize)]
struct BoxValue {
    id: u64,
    buffer: Option<u32>,
    size: u64,
    offset: i64,
    first: i64,
    last: i64,
}

/// A pasted plan or log beside ours.
#[derive(Debug, Serialize)]
struct MeasuredValue {
    kind: &'static str,
    lines: usize,
    differences: Vec<DifferenceValue>,
    planned: Vec<BoxValue>,
    measured: Vec<BoxValue>,
}

/// The two runtimes beside each other.
#[derive(Debug, Serialize)]
struct ContrastValue {
    tflite: u64,
    tflm: u64,
    /// What to set for TFLite-Micro, when it loads the model.
    set: Option<u64>,
    complete: bool,
    reasons: Vec<ReasonValue>,
}

#[derive(Debug, Serialize)]
struct ReasonValue {
    key: &'static str,
    kind: Option<&'static str>,
    bytes: i64,
}

#[wasm_bindgen]
impl Analysed {
    /// What TFLite-Micro's `PrintMemoryPlan` prints.
    ///
    /// # Errors
    /// When the analysis is not of TFLite-Micro.
    pub fn memory_plan(&self) -> Result<String, JsValue> {
        report::to_memory_plan(&self.analysis).map_err(|error| failure::thrown(&error))
    }

    /// A pasted plan or log beside ours, as JSON.
    ///
    /// # Errors
    /// When the answer cannot be written.
    pub fn measure(&self, text: &str) -> Result<String, JsValue> {
        written(&measured(&self.analysis, text)).map_err(|error| failure::thrown(&error))
    }

    /// What pasted messages mean for this model, as JSON.
    ///
    /// # Errors
    /// When the answer cannot be written.
    pub fn decode(&self, log: &str, arena_size: Option<u32>) -> Result<String, JsValue> {
        let text = decoded(log, arena_size, self.analysis.needs.as_ref());
        text.map_err(|error| failure::thrown(&error))
    }

    /// The two runtimes beside each other for the same bytes, as JSON.
    ///
    /// # Errors
    /// As [`super::analyse`].
    pub fn contrast(&self, bytes: &[u8]) -> Result<String, JsValue> {
        let text = contrasted(&self.analysis, bytes).and_then(|value| written(&value));
        text.map_err(|error| failure::thrown(&error))
    }
}

/// What pasted messages mean, without a model, as JSON.
///
/// # Errors
/// When the answer cannot be written.
#[wasm_bindgen]
pub fn decode(log: &str, arena_size: Option<u32>) -> Result<String, JsValue> {
    decoded(log, arena_size, None).map_err(|error| failure::thrown(&error))
}

fn decoded(log: &str, arena_size: Option<u32>, needs: Option<&ArenaNeeds>) -> Result<String, Error> {
    let diagnosis: Diagnosis = tflm::decode(log, arena_size.map(u64::from), needs);
    let findings = diagnosis.findings.into_iter().map(|finding| FindingValue {
        line: finding.line,
        trouble: trouble_name(finding.trouble),
        stage: finding.stage.map(stage_name),
        meaning: finding.meaning.code(),
        detail: finding.meaning.detail(),
        requested: finding.requested,
        available: finding.available,
        missing: finding.missing,
    });
    written(&DiagnosisValue {
        findings: findings.collect(),
        progress: diagnosis.progress.into_iter().map(progress_name).collect(),
        at_least: diagnosis.at_least_bytes,
        exact: diagnosis.exact_bytes,
        doubts: diagnosis.doubts.iter().map(doubt).collect(),
    })
}

fn doubt(doubt: &Doubt) -> DoubtValue {
    match *doubt {
        Doubt::OtherHead { logged, planned } => DoubtValue::OtherHead { logged, planned },
        Doubt::LargeEnough { size, needed, alignment } => DoubtValue::LargeEnough { size, needed, alignment },
    }
}

fn trouble_name(trouble: Trouble) -> &'static str {
    match trouble {
        Trouble::Head => "head",
        Trouble::Tail => "tail",
        Trouble::Temporary => "temporary",
        Trouble::PlannerTables => "planner-tables",
        Trouble::Memory => "memory",
        Trouble::MissingTemporary => "missing-temporary",
        Trouble::MissingOperator => "missing-operator",
        Trouble::ResolverFull => "resolver-full",
        Trouble::Refused => "refused",
        Trouble::OfflinePlan => "offline-plan",
        Trouble::Consequence => "consequence",
    }
}

fn progress_name(progress: Progress) -> &'static str {
    match progress {
        Progress::Further => "further",
        Progress::Closer => "closer",
        Progress::Elsewhere => "elsewhere",
        Progress::Same => "same",
        Progress::Back => "back",
    }
}

fn measured(analysis: &Analysis, text: &str) -> MeasuredValue {
    let nothing =
        || MeasuredValue { kind: "none", lines: 0, differences: Vec::new(), planned: Vec::new(), measured: Vec::new() };
    let program = &analysis.program;
    let lines = tflm::read_memory_plan(text);
    if let (Some(plan), false) = (analysis.plans.first(), lines.is_empty()) {
        let ours = tflm::plan_lines(program, plan);
        let buffer_of = |id: u64| ours.iter().find(|(_, line)| line.id == id).map(|(buffer, _)| buffer.0);
        return MeasuredValue {
            kind: "plan",
            lines: lines.len(),
            differences: differences(tflm::compare_memory_plan(program, plan, &lines)),
            planned: ours.iter().map(|(buffer, line)| box_of(Some(buffer.0), line)).collect(),
            measured: lines.iter().map(|line| box_of(buffer_of(line.id), line)).collect(),
        };
    }
    let (Some(log), Some(micro), Some(needs)) = (tflm::read_recording(text), &program.micro, &analysis.needs) else {
        return nothing();
    };
    let lines = log.kinds.len();
    let differences = differences(tflm::compare_recording(micro, needs, &log));
    MeasuredValue { kind: "recording", lines, differences, ..nothing() }
}

fn differences(found: Vec<Difference>) -> Vec<DifferenceValue> {
    let value = |difference: Difference| DifferenceValue {
        what: difference.what,
        buffer: difference.buffer.map(|id| id.0),
        planned: difference.planned,
        measured: difference.measured,
    };
    found.into_iter().map(value).collect()
}

fn box_of(buffer: Option<u32>, line: &PlanLine) -> BoxValue {
    let PlanLine { id, size, offset, first_used, last_used } = *line;
    BoxValue { id, buffer, size, offset, first: first_used, last: last_used }
}

/// Both runtimes with their own defaults; kernels and struct sizes are those chosen.
fn contrasted(analysis: &Analysis, bytes: &[u8]) -> Result<ContrastValue, Error> {
    let chosen = &analysis.settings;
    let base = |runtime| Settings { inner: chosen.inner.clone(), ..Settings::new(runtime) };
    let micro = Settings { kernels: chosen.kernels, abi: chosen.abi, ..base(RuntimeKind::Tflm) };
    let tflm = report::analyse(bytes, &analysis.name, &micro)?;
    let tflite = report::analyse(bytes, &analysis.name, &base(RuntimeKind::Tflite))?;
    let found = compare::compare(&tflite.program, &tflm.program)?;
    Ok(ContrastValue {
        tflite: found.tflite_bytes,
        tflm: found.tflm_bytes,
        set: tflm.needs.as_ref().map(|needs| needs.recommended_bytes(0)),
        complete: found.complete,
        reasons: found.reasons.iter().map(|(reason, bytes)| reason_value(*reason, *bytes)).collect(),
    })
}

fn reason_value(reason: Reason, bytes: i64) -> ReasonValue {
    let (key, kind) = match reason {
        Reason::Temporaries => ("temporaries", None),
        Reason::SharedInPlace => ("in-place", None),
        Reason::InputsKept => ("inputs-kept", None),
        Reason::Alignment => ("alignment", None),
        Reason::Planner => ("planner", None),
        Reason::OtherBuffers => ("other-buffers", None),
        Reason::Scratch => ("scratch", None),
        Reason::OtherArenas => ("other-arenas", None),
        Reason::Structs(category) => ("structs", Some(category.name())),
        Reason::StructAlignment => ("struct-alignment", None),
        Reason::WhilePreparing => ("preparing", None),
    };
    ReasonValue { key, kind, bytes }
}
