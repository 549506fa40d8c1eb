//! TFLite-Micro's offline plan: a list of offsets in the metadata, one per tensor of the whole model.
//!
//! As `tensorflow/lite/micro/micro_allocation_info.cc` reads it (tflite-micro 90b983c2): 32-bit numbers: a version and
//! a number of subgraphs (both not looked at), the number of tensors, and per tensor its offset in the arena, or −1
//! where the runtime is to place it.

use crate::error::{Error, ErrorKind, Result};
use crate::model::{BufferData, Model};
use crate::rewrite::raw;

/// The metadata's name.
pub const OFFLINE_PLAN: &str = "OfflineMemoryAllocation";

/// Where the runtime is to place the tensor itself.
const ONLINE: i32 = -1;

/// Numbers before the offsets.
const HEADER: usize = 3;

/// Offsets for all tensors of all subgraphs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfflinePlan {
    /// Per subgraph, per tensor: its offset, or `None` where the runtime is to place it.
    pub offsets: Vec<Vec<Option<u64>>>,
}

impl OfflinePlan {
    /// A plan that leaves every tensor of the model to the runtime.
    pub fn online(model: &Model) -> OfflinePlan {
        OfflinePlan { offsets: model.subgraphs.iter().map(|subgraph| vec![None; subgraph.tensors.len()]).collect() }
    }

    /// The plan must have one entry per tensor, with offsets that the format can hold.
    pub(super) fn check(&self, model: &Model) -> Result<()> {
        let given = self.offsets.iter().map(Vec::len);
        if !given.eq(model.subgraphs.iter().map(|subgraph| subgraph.tensors.len())) {
            return Err(Error::new(ErrorKind::BadOption, "the plan does not have one offset per tensor of the model"));
        }
        match self.offsets.iter().flatten().flatten().find(|offset| i32::try_from(**offset).is_err()) {
            Some(offset) => {
                let message = format!("offset {offset}: an offline plan's numbers end at {}", i32::MAX);
                Err(Error::new(ErrorKind::TooLarge, message))
            }
            None => Ok(()),
        }
    }

    /// The metadata's bytes.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let offsets = self.offsets.iter().flatten().map(|offset| match offset {
            // `check` has seen that it fits.
            Some(offset) => i32::try_from(*offset).unwrap_or(ONLINE),
            None => ONLINE,
        });
        let count = |len: usize| i32::try_from(len).unwrap_or(i32::MAX);
        let tensors = self.offsets.iter().map(Vec::len).sum();
        let header = [1, count(self.offsets.len()), count(tensors)];
        debug_assert_eq!(header.len(), HEADER, "what the offsets follow");
        header.into_iter().chain(offsets).flat_map(i32::to_le_bytes).collect()
    }
}

/// Writes the plan over the one that is there, if there is exactly one, of the same length, that nothing else uses.
pub(super) fn overwrite(bytes: &mut [u8], model: &Model, plan: &OfflinePlan) -> bool {
    let mut entries = model.metadata.iter().filter(|entry| entry.name == OFFLINE_PLAN);
    let (Some(entry), None) = (entries.next(), entries.next()) else { return false };
    let users = model.metadata.iter().filter(|other| other.buffer == entry.buffer).count();
    let tensors = model.subgraphs.iter().flat_map(|subgraph| &subgraph.tensors);
    if users != 1 || tensors.into_iter().any(|tensor| tensor.buffer == entry.buffer) {
        return false;
    }
    let data = |buffer: u32| model.buffers.get(buffer as usize).map(|buffer| &buffer.data);
    let Some(BufferData::File(range)) = data(entry.buffer) else { return false };
    let is_shared = model.buffers.iter().enumerate().any(|(index, other)| {
        let overlaps = |other: &std::ops::Range<u64>| other.start < range.end && range.start < other.end;
        index != entry.buffer as usize && matches!(&other.data, BufferData::File(other) if overlaps(other))
    });
    let new = plan.to_bytes();
    let Ok(start) = usize::try_from(range.start) else { return false };
    !is_shared && range.end - range.start == new.len() as u64 && raw::put(bytes, start, &new).is_ok()
}
