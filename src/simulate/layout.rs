//! Turns a program and its plans into the place of each buffer, aliases included.

use std::ops::Range;

use crate::plan::Plan;
use crate::runtime::Program;
use crate::units::{ArenaId, BufferId, RequestId};

/// Where a buffer lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The arena.
    pub arena: ArenaId,
    /// The request that holds its bytes: its own, or that of the buffer it shares with.
    pub request: RequestId,
    /// Offset in the arena.
    pub offset_bytes: u64,
    /// Bytes it needs, before the runtime rounds.
    pub size_bytes: u64,
}

impl Placed {
    /// The bytes it needs, from the arena's start.
    pub fn bytes(&self) -> Range<u64> {
        self.offset_bytes..self.offset_bytes + self.size_bytes
    }
}

/// The place of each buffer of a program.
#[derive(Clone, Debug)]
pub struct Layout {
    places: Vec<Option<Placed>>,
}

impl Layout {
    /// The places that `plans` (one for each arena, in order) give to the buffers of `program`.
    ///
    /// # Panics
    /// When there is not one plan for each arena and one offset for each of its requests: a bug of ours.
    pub fn new(program: &Program, plans: &[Plan]) -> Layout {
        assert_eq!(program.arenas.len(), plans.len(), "one plan for each arena");
        let mut places: Vec<Option<Placed>> = vec![None; program.buffers.len()];
        for (index, (arena, plan)) in program.arenas.iter().zip(plans).enumerate() {
            assert_eq!(arena.buffers.len(), plan.offsets.len(), "one offset for each request");
            let requests = arena.problem.requests();
            for (request, ((buffer, offset), asked)) in
                arena.buffers.iter().zip(&plan.offsets).zip(requests).enumerate()
            {
                places[buffer.index()] = Some(Placed {
                    arena: ArenaId::from_index(index),
                    request: RequestId::from_index(request),
                    offset_bytes: *offset,
                    size_bytes: program.buffer(*buffer).size_bytes.unwrap_or(asked.size_bytes).min(asked.size_bytes),
                });
            }
        }
        for (index, buffer) in program.buffers.iter().enumerate() {
            if let (None, Some(root)) = (places[index], buffer.alias_of) {
                places[index] = places[root.index()]
                    .map(|placed| Placed { size_bytes: buffer.size_bytes.unwrap_or(placed.size_bytes), ..placed });
            }
        }
        Layout { places }
    }

    /// Where `buffer` lies; `None` when it has no place in a planned arena.
    pub fn place(&self, buffer: BufferId) -> Option<Placed> {
        self.places.get(buffer.index()).copied().flatten()
    }
}
