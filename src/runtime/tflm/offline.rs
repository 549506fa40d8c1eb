//! The offline plan that a model can carry in its metadata (`micro_allocation_info.cc`, tflite-micro 90b983c2):
//! little-endian 32-bit words: version, number of subgraphs, n, then n offsets, one for every tensor of every subgraph
//! in order, −1 where the runtime shall plan.

use super::micro::{Refusal, Stage};
use crate::model::{BufferData, Model};
use crate::runtime::TensorRef;
use crate::units::{SubgraphId, TensorId};

/// The name of the metadata entry.
pub const METADATA_NAME: &str = "OfflineMemoryAllocation";

/// An offline plan, one offset a tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfflinePlan {
    /// Offsets of all tensors, subgraph by subgraph; −1: planned by the runtime.
    pub offsets: Vec<i32>,
    /// Index of each subgraph's first tensor in `offsets`.
    starts: Vec<usize>,
}

impl OfflinePlan {
    /// The offset of a tensor, unless the runtime shall plan it.
    pub fn offset(&self, tensor: TensorRef) -> Option<i32> {
        let start = *self.starts.get(tensor.subgraph.index())?;
        self.offsets.get(start + tensor.tensor.index()).copied().filter(|offset| *offset != -1)
    }

    /// The offset that `AllocateVariables` looks at for a variable: it takes the tensor's index inside its subgraph
    /// for one over all subgraphs (`micro_allocator.cc`), which is the wrong entry from the second subgraph on.
    pub(super) fn offset_as_variable(&self, tensor: TensorId) -> Option<i32> {
        self.offsets.get(tensor.index()).copied().filter(|offset| *offset != -1)
    }
}

/// The model's offline plan: the last entry of that name. `Err` when the runtime refuses it.
pub(super) fn read(model: &Model, bytes: &[u8]) -> Result<Option<OfflinePlan>, Refusal> {
    let mut plan = None;
    for metadata in model.metadata.iter().filter(|entry| entry.name == METADATA_NAME) {
        let words = words(model, bytes, metadata.buffer);
        let Some(&count) = words.get(2) else {
            return Err(refusal("the offline plan in the metadata is cut short", true));
        };
        let mut starts = Vec::with_capacity(model.subgraphs.len());
        let mut tensors = 0;
        for index in 0..model.subgraphs.len() {
            starts.push(tensors);
            tensors += model.subgraph(SubgraphId::from_index(index)).tensors.len();
        }
        if usize::try_from(count) != Ok(tensors) {
            let log = format!("Nbr of offline buffer offsets ({count}) in metadata not equal nbr tensors ({tensors})");
            let reason = format!(
                "the offline plan in the metadata has {count} offsets, but the model has {tensors} tensors in all \
                 subgraphs together, and each needs one"
            );
            return Err(Refusal { log: vec![log], ..refusal(reason, false) });
        }
        let Some(offsets) = words.get(3..3 + tensors) else {
            return Err(refusal("the offline plan in the metadata is shorter than it says", true));
        };
        plan = Some(OfflinePlan { offsets: offsets.to_vec(), starts });
    }
    Ok(plan)
}

fn refusal(reason: impl Into<String>, crashes: bool) -> Refusal {
    Refusal { stage: Stage::Plan, op: None, reason: reason.into(), log: Vec::new(), crashes }
}

/// A buffer's bytes as words; a rest of fewer than four bytes is dropped.
fn words(model: &Model, bytes: &[u8], buffer: u32) -> Vec<i32> {
    let Some(buffer) = model.buffers.get(buffer as usize) else { return Vec::new() };
    let BufferData::File(range) = &buffer.data else { return Vec::new() };
    let range = usize::try_from(range.start).ok().zip(usize::try_from(range.end).ok());
    let data = range.and_then(|(start, end)| bytes.get(start..end)).unwrap_or_default();
    data.chunks_exact(4).filter_map(|word| word.try_into().ok().map(i32::from_le_bytes)).collect()
}
