//! Turns a model's bytes and an offline plan or an order of operators into a `.tflite` with that inside.
//!
//! No byte of the old file is lost or moved against its neighbours. `FlatBuffer` references are relative and lead
//! forward, so what is new goes in front:
//!
//! ```text
//! new file  ┌──────────────────────┬──────────────────────────────────────────────┬───────────────┐
//!           │ prefix: root, lists, │ the old file, its old root no longer used    │ appended data │
//!           │ metadata, the plan   │ (operators permuted in place)                │               │
//!           └─────────┬────────────┴───▲──────────────────────────────────────────┴───────────────┘
//!                     └────────────────┘ references lead forward to the old parts
//! ```
//!
//! The prefix is a multiple of 64 bytes, so all data keep their alignment. What counts from the start of the file
//! (data outside the `FlatBuffer`, the directory of an appended zip) is moved by its length.

mod bake;
mod cpp;
mod figures;
mod offline;
mod order;
mod outside;
mod plan;
mod prefix;
mod raw;
mod same;
mod zip;

pub use bake::{BakeOptions, Baked, Phase, Progress, bake, without_offline_plan};
pub use cpp::{buffer_plan, constants};
pub use figures::{Figures, own_strategy};
pub use plan::{OFFLINE_PLAN, OfflinePlan};

use crate::error::{Error, ErrorKind, Result};
use crate::limits;
use crate::model::{self, Model};
use crate::units::OperatorId;

/// What is to be written into a model.
#[derive(Clone, Copy, Debug, Default)]
pub struct Change<'a> {
    /// The plan for TFLite-Micro's metadata; replaces any that is there.
    pub plan: Option<&'a OfflinePlan>,
    /// Per subgraph: its operators as they are to run. Subgraphs beyond the list keep their order.
    pub orders: Option<&'a [Vec<OperatorId>]>,
}

/// The model's bytes with `change` inside; everything else keeps its meaning, which is checked on the result.
///
/// # Errors
/// When the change does not fit the model, or the file uses something that would not survive it.
pub fn write(bytes: &[u8], model: &Model, change: Change<'_>) -> Result<Vec<u8>> {
    if model.file_bytes != bytes.len() as u64 {
        let message = format!("the model was read from {} bytes, not from these {}", model.file_bytes, bytes.len());
        return Err(Error::new(ErrorKind::BadOption, message));
    }
    let mut written = bytes.to_vec();
    if let Some(orders) = change.orders {
        let has_plan = model.metadata.iter().any(|entry| entry.name == OFFLINE_PLAN);
        if order::permute(&mut written, model, orders)? && has_plan && change.plan.is_none() {
            let message = "the model has an offline plan, which is wrong for another order of operators";
            return Err(Error::new(ErrorKind::Refused, message).with_hint("write a new plan with the order"));
        }
    }
    let mut prefix_bytes = 0;
    if let Some(plan) = change.plan {
        plan.check(model)?;
        if !plan::overwrite(&mut written, model, plan) {
            let prefix = prefix::with_plan(&written, model, plan)?;
            prefix_bytes = prefix.len();
            check_length(prefix_bytes + written.len())?;
            outside::shift(&mut written, model, prefix_bytes as u64)?;
            written.splice(0..0, prefix);
        }
    }
    let again = model::read(&written)?;
    same::check(bytes, model, &written, &again, &change, prefix_bytes as u64)?;
    Ok(written)
}

/// The model's bytes with an offline plan for TFLite-Micro in the metadata.
pub fn with_offline_plan(bytes: &[u8], model: &Model, plan: &OfflinePlan) -> Result<Vec<u8>> {
    write(bytes, model, Change { plan: Some(plan), orders: None })
}

/// The model's bytes with the operators of each subgraph in the order given.
pub fn with_order(bytes: &[u8], model: &Model, orders: &[Vec<OperatorId>]) -> Result<Vec<u8>> {
    write(bytes, model, Change { plan: None, orders: Some(orders) })
}

fn check_length(len: usize) -> Result<()> {
    if len as u64 <= limits::MAX_MODEL_BYTES {
        return Ok(());
    }
    let message = format!("with the plan the model would have {len} bytes, the most is {}", limits::MAX_MODEL_BYTES);
    Err(Error::new(ErrorKind::TooLarge, message))
}
