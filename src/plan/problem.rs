//! What is to be placed, and a placement: [`Problem`] and [`Plan`], both plain values.

use crate::error::{Error, ErrorKind, Result};
use crate::limits;
use crate::units::{RequestId, Span, align_up};

/// One buffer to be placed.
///
/// ```text
/// offset ▲          ┌────────────┐ offset + size
///        │          │  request   │
///        │          └────────────┘ offset (a multiple of the problem's alignment)
///        └──────────┴────────────┴──▶ step
///               first           end
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Bytes it needs; never 0. Already rounded where the runtime rounds.
    pub size_bytes: u64,
    /// When it needs them.
    pub live: Span,
    /// Its offset in bytes when that is not ours to choose (an offline plan); may be unaligned, may overlap others.
    pub fixed_offset: Option<u64>,
    /// `TFLite` plans again after each operator whose output shape depends on data: requests of batch `n` are
    /// placed around those of lower batches that are still alive. 0 everywhere else. Only the tflite planner cares.
    pub batch: u32,
    /// `TFLite` never frees it (inputs, outputs, variables, what nobody reads), which is more than being alive at
    /// the last step: those that also live from step 0 are placed first. Only the tflite planner cares.
    pub stays: bool,
}

impl Request {
    /// A request whose offset is free, in batch 0.
    pub fn new(size_bytes: u64, live: Span) -> Request {
        Request { size_bytes, live, fixed_offset: None, batch: 0, stays: false }
    }

    /// The same request at an offset that is not ours to choose.
    #[must_use]
    pub fn fixed_at(mut self, offset: u64) -> Request {
        self.fixed_offset = Some(offset);
        self
    }

    /// The same request in a later batch.
    #[must_use]
    pub fn in_batch(mut self, batch: u32) -> Request {
        self.batch = batch;
        self
    }

    /// The same request, freed (`false`) or never freed (`true`).
    #[must_use]
    pub fn staying(mut self, stays: bool) -> Request {
        self.stays = stays;
        self
    }
}

/// A set of buffers to be placed in one arena. The order of requests is meaningful: runtimes break ties by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    requests: Vec<Request>,
    alignment: u64,
}

impl Problem {
    /// A problem whose offsets must be multiples of `alignment` bytes (at least 1).
    ///
    /// # Errors
    /// When there are too many requests, a size is 0, an alignment is 0, or the aligned sum of all sizes (or a fixed
    /// end) passes `limits::MAX_BYTES`; so planners may add plainly.
    pub fn new(requests: Vec<Request>, alignment: u64) -> Result<Problem> {
        if requests.len() > limits::MAX_REQUESTS {
            let message = format!("{} buffers, but at most {} can be planned", requests.len(), limits::MAX_REQUESTS);
            return Err(Error::new(ErrorKind::TooLarge, message));
        }
        if alignment == 0 || alignment > limits::MAX_ALIGNMENT {
            let message = format!("alignment {alignment}, but it must be 1 to {}", limits::MAX_ALIGNMENT);
            return Err(Error::new(ErrorKind::BadOption, message));
        }
        let mut sum = 0_u64;
        for (index, request) in requests.iter().enumerate() {
            if request.size_bytes == 0 {
                return Err(Error::new(ErrorKind::BadOption, format!("buffer {index} has no bytes to place")));
            }
            let end = request.fixed_offset.unwrap_or(0).checked_add(request.size_bytes);
            let sum_with = align_up(request.size_bytes, alignment).and_then(|size| sum.checked_add(size));
            match (end, sum_with) {
                (Some(end), Some(total)) if end <= limits::MAX_BYTES && total <= limits::MAX_BYTES => sum = total,
                _ => {
                    let message = format!("buffer {index}: the sizes add up to more than {} bytes", limits::MAX_BYTES);
                    return Err(Error::new(ErrorKind::TooLarge, message));
                }
            }
        }
        Ok(Problem { requests, alignment })
    }

    /// The requests, in order; a [`RequestId`] indexes them.
    pub fn requests(&self) -> &[Request] {
        &self.requests
    }

    /// The request `id`.
    ///
    /// # Panics
    /// When `id` is not of this problem.
    pub fn request(&self, id: RequestId) -> &Request {
        &self.requests[id.index()]
    }

    /// All offsets that are ours to choose are multiples of this many bytes.
    pub fn alignment(&self) -> u64 {
        self.alignment
    }
}

/// An offset for each request of a [`Problem`], in the same order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Offset in bytes of each request.
    pub offsets: Vec<u64>,
    /// The end of the highest request: the bytes the arena needs. 0 when there are no requests.
    pub height_bytes: u64,
}

impl Plan {
    /// The plan with these offsets; its height is computed.
    ///
    /// # Panics
    /// When there is not one offset per request: a bug of ours.
    pub fn from_offsets(problem: &Problem, offsets: Vec<u64>) -> Plan {
        assert_eq!(problem.requests.len(), offsets.len(), "one offset per request");
        let height_bytes = problem
            .requests
            .iter()
            .zip(&offsets)
            .map(|(request, offset)| offset + request.size_bytes)
            .max()
            .unwrap_or(0);
        Plan { offsets, height_bytes }
    }
}
