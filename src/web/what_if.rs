//! What a changed plan is held against, for the page: the file's own plan by the runtime's own rules. See `WhatIf` in
//! `www/types.d.ts`.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::error::Result;
use crate::model::DataType;
use crate::report::{self, Analysis, Figures, Settings};
use crate::runtime::{Buffer, edit};
use crate::web::micro::written;

#[derive(Debug, Serialize)]
struct PeakValue {
    /// The position of the step, or nothing when none visits it.
    step: Option<u32>,
    op_index: Option<u32>,
    op: Option<String>,
    live: u64,
}

#[derive(Debug, Serialize)]
struct WhatIfValue {
    /// The what-ifs, as the settings give them.
    edits: Vec<String>,
    /// Planned bytes without any change.
    arena: u64,
    /// The size to set without any change.
    set: u64,
    /// The size to set now.
    now: u64,
    peak: Option<PeakValue>,
    /// What the changed buffers were.
    targets: Vec<TargetValue>,
}

#[derive(Debug, Serialize)]
struct TargetValue {
    #[serde(rename = "ref")]
    reference: String,
    bytes: Option<u64>,
    dtype: Option<&'static str>,
    last: Option<i64>,
}

/// What `analysis` (of `bytes`) is held against, as JSON; `null` when nothing is changed.
pub(super) fn json(bytes: &[u8], analysis: &Analysis) -> Result<String> {
    let settings = &analysis.settings;
    let own =
        Settings { edits: Vec::new(), planner: None, alignment: None, preserve_all_tensors: false, ..settings.clone() };
    if own == *settings {
        return Ok(String::from("null"));
    }
    let only_edits = Settings { edits: settings.edits.clone(), ..own.clone() };
    let base = match &analysis.what_if {
        Some(what_if) if only_edits == *settings => what_if.figures(),
        _ => report::analyse(bytes, &analysis.name, &own)?.figures(),
    };
    written(&value(analysis, base))
}

fn value(analysis: &Analysis, base: Figures) -> WhatIfValue {
    WhatIfValue {
        edits: analysis.settings.edits.iter().map(ToString::to_string).collect(),
        arena: base.arena_bytes,
        set: base.set_bytes,
        now: analysis.figures().set_bytes,
        peak: base.peak.map(|peak| PeakValue {
            step: peak.step.map(|step| step.0),
            op_index: peak.op_index,
            op: peak.op,
            live: peak.live_bytes,
        }),
        targets: targets(analysis),
    }
}

/// What the buffers that the what-ifs name were without them.
fn targets(analysis: &Analysis) -> Vec<TargetValue> {
    let Some(what_if) = &analysis.what_if else { return Vec::new() };
    let program = &what_if.program;
    let named: BTreeSet<&str> = analysis.settings.edits.iter().map(|edit| edit.target.as_str()).collect();
    let value = |buffer: &Buffer| {
        let reference = Some(buffer.reference()).filter(|reference| named.contains(reference.as_str()))?;
        let arena = buffer.arena.or(buffer.alias_of.and_then(|root| program.buffer(root).arena));
        let last = arena.zip(buffer.live).map(|(arena, live)| edit::label_of(program, arena, live.last()));
        Some(TargetValue { reference, bytes: buffer.size_bytes, dtype: buffer.dtype.map(DataType::name), last })
    };
    program.buffers.iter().filter_map(value).collect()
}
