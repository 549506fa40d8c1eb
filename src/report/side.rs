//! What a comparison reads of one report: from an analysis, or from the JSON that was written of it.

use serde::Deserialize;

use crate::error::{Error, ErrorKind, Result};
use crate::report::{Analysis, view};

/// The keys of the JSON format that a comparison reads.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[expect(missing_docs, reason = "the keys are those of the report's format, and say it")]
pub struct Side {
    pub model: SideModel,
    pub arena_bytes: u64,
    pub persistent_bytes: Option<u64>,
    pub heap_bytes: Option<u64>,
    pub minimum_arena_bytes: Option<u64>,
    pub lower_bound_bytes: u64,
    pub micro: Option<SideMicro>,
    pub peak: Option<SidePeak>,
    pub steps: Vec<SideStep>,
    pub buffers: Vec<SideBuffer>,
}

/// The model.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[expect(missing_docs, reason = "the keys are those of the report's format, and say it")]
pub struct SideModel {
    pub sha256: String,
}

/// TFLite-Micro's part.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[expect(missing_docs, reason = "the keys are those of the report's format, and say it")]
pub struct SideMicro {
    pub recommended_arena_bytes: Option<u64>,
}

/// The fullest step.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[expect(missing_docs, reason = "the keys are those of the report's format, and say it")]
pub struct SidePeak {
    pub step: i64,
    pub op_index: Option<u32>,
    pub live_bytes: u64,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[expect(missing_docs, reason = "the keys are those of the report's format, and say it")]
pub struct SideStep {
    pub step: i64,
    pub subgraph: u32,
    pub op_index: Option<u32>,
    pub op: String,
}

/// One buffer.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[expect(missing_docs, reason = "the keys are those of the report's format, and say it")]
pub struct SideBuffer {
    #[serde(rename = "ref")]
    pub reference: String,
    pub name: String,
    pub bytes: Option<u64>,
    pub place: String,
    pub offset: Option<u64>,
    pub first_step: Option<i64>,
    pub last_step: Option<i64>,
}

impl Side {
    /// The side of a report in JSON, as [`crate::report::to_json`] wrote it.
    ///
    /// # Errors
    /// When the text is no such report.
    pub fn from_json(text: &str) -> Result<Side> {
        serde_json::from_str(text).map_err(|error| Error::new(ErrorKind::Damaged, format!("not a report: {error}")))
    }

    /// The side of an analysis.
    ///
    /// # Errors
    /// As [`crate::report::to_json`].
    pub fn of(analysis: &Analysis) -> Result<Side> {
        Ok(Side::from(view::report(analysis)?))
    }

    /// Bytes that an array for this plan should have: with TFLite-Micro all of the arena, else what is planned.
    pub(super) fn to_set_bytes(&self) -> u64 {
        let whole = self.micro.as_ref().and_then(|micro| micro.recommended_arena_bytes);
        whole.or(self.minimum_arena_bytes).unwrap_or(self.arena_bytes)
    }

    pub(super) fn has_ops(&self) -> bool {
        self.steps.iter().any(|step| step.op_index.is_some())
    }
}

impl From<view::Report> for Side {
    fn from(report: view::Report) -> Side {
        let step = |step: view::StepView| SideStep {
            step: step.step,
            subgraph: step.subgraph,
            op_index: step.op_index,
            op: step.op,
        };
        let buffer = |buffer: view::BufferView| SideBuffer {
            reference: buffer.reference,
            name: buffer.name,
            bytes: buffer.bytes,
            place: buffer.place.to_owned(),
            offset: buffer.offset,
            first_step: buffer.first_step,
            last_step: buffer.last_step,
        };
        let peak =
            |peak: view::PeakView| SidePeak { step: peak.step, op_index: peak.op_index, live_bytes: peak.live_bytes };
        Side {
            model: SideModel { sha256: report.model.sha256 },
            arena_bytes: report.arena_bytes,
            persistent_bytes: report.persistent_bytes,
            heap_bytes: report.heap_bytes,
            minimum_arena_bytes: report.minimum_arena_bytes,
            lower_bound_bytes: report.lower_bound_bytes,
            micro: report.micro.map(|micro| SideMicro { recommended_arena_bytes: micro.recommended_arena_bytes }),
            peak: report.peak.map(peak),
            steps: report.steps.into_iter().map(step).collect(),
            buffers: report.buffers.into_iter().map(buffer).collect(),
        }
    }
}
