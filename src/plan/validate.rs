//! Judges a plan without knowing how it was made: shares no code with the planners.

use std::collections::BTreeMap;
use std::fmt;

use super::cover::Cover;
use super::{Plan, Problem};
use crate::units::{RequestId, Step};

/// Why a plan is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Violation {
    /// The plan has not one offset per request.
    Count {
        /// Requests of the problem.
        requests: usize,
        /// Offsets of the plan.
        offsets: usize,
    },
    /// A fixed request does not lie where it must.
    Moved {
        /// The request.
        request: RequestId,
        /// Where it must lie.
        fixed_offset: u64,
        /// Where it lies.
        offset: u64,
    },
    /// A free request's offset is no multiple of the alignment.
    Misaligned {
        /// The request.
        request: RequestId,
        /// Its offset.
        offset: u64,
        /// The problem's alignment in bytes.
        alignment: u64,
    },
    /// A request ends above the capacity (or above what can be counted).
    AboveCapacity {
        /// The request.
        request: RequestId,
        /// Its end in bytes.
        end: u64,
        /// The capacity in bytes.
        capacity: u64,
    },
    /// The plan's height is not the end of its highest request.
    Height {
        /// What the plan says.
        stated: u64,
        /// The end of the highest request.
        actual: u64,
    },
    /// Two requests share a step and a byte; at least one of them was free to lie elsewhere.
    Overlap {
        /// The one with the lower index.
        a: RequestId,
        /// The other.
        b: RequestId,
    },
    /// Two *fixed* requests share a step and a byte, which an offline plan may do on purpose. Reported only when
    /// nothing else is wrong.
    FixedOverlap {
        /// The one with the lower index.
        a: RequestId,
        /// The other.
        b: RequestId,
    },
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Violation::Count { requests, offsets } => write!(f, "{offsets} offsets, but there are {requests} buffers"),
            Violation::Moved { request, fixed_offset, offset } => {
                write!(f, "buffer {request}: offset {offset}, but it is fixed at {fixed_offset}")
            }
            Violation::Misaligned { request, offset, alignment } => {
                write!(f, "buffer {request}: offset {offset}, but it must be a multiple of {alignment}")
            }
            Violation::AboveCapacity { request, end, capacity } => {
                write!(f, "buffer {request}: ends at {end}, above the capacity of {capacity} bytes")
            }
            Violation::Height { stated, actual } => {
                write!(f, "height {stated}, but the highest buffer ends at {actual}")
            }
            Violation::Overlap { a, b } => write!(f, "buffers {a} and {b} overlap in time and space"),
            Violation::FixedOverlap { a, b } => write!(f, "fixed buffers {a} and {b} overlap in time and space"),
        }
    }
}

impl std::error::Error for Violation {}

/// Checks that `plan` has an offset for each request of `problem`, aligned, unmoved where fixed, below `capacity` bytes,
/// without two that share a step and a byte, and that it states its height rightly.
///
/// # Errors
/// The first violation found; [`Violation::FixedOverlap`] only when there is no other.
pub fn validate(problem: &Problem, plan: &Plan, capacity: Option<u64>) -> Result<(), Violation> {
    if plan.offsets.len() != problem.requests().len() {
        return Err(Violation::Count { requests: problem.requests().len(), offsets: plan.offsets.len() });
    }
    let capacity = capacity.unwrap_or(u64::MAX);
    let mut highest = 0;
    for (index, (request, &offset)) in problem.requests().iter().zip(&plan.offsets).enumerate() {
        let id = RequestId::from_index(index);
        match request.fixed_offset {
            Some(fixed_offset) if fixed_offset != offset => {
                return Err(Violation::Moved { request: id, fixed_offset, offset });
            }
            None if !offset.is_multiple_of(problem.alignment()) => {
                return Err(Violation::Misaligned { request: id, offset, alignment: problem.alignment() });
            }
            _ => (),
        }
        match offset.checked_add(request.size_bytes) {
            Some(end) if end <= capacity => highest = highest.max(end),
            end => return Err(Violation::AboveCapacity { request: id, end: end.unwrap_or(u64::MAX), capacity }),
        }
    }
    if highest != plan.height_bytes {
        return Err(Violation::Height { stated: plan.height_bytes, actual: highest });
    }
    Sweep::new(problem, plan).run()
}

/// A sweep over time. Free requests alive, being disjoint, lie in an ordered map; fixed ones, which may overlap each
/// other, in a [`Cover`].
struct Sweep<'a> {
    problem: &'a Problem,
    plan: &'a Plan,
    free: BTreeMap<u64, (u64, RequestId)>,
    fixed: Cover,
    fixed_overlap: Option<Violation>,
}

impl<'a> Sweep<'a> {
    fn new(problem: &'a Problem, plan: &'a Plan) -> Sweep<'a> {
        let fixed = problem.requests().iter().filter_map(|request| Some((request.fixed_offset?, request.size_bytes)));
        let points = fixed.flat_map(|(offset, size)| [offset, offset + size]).collect();
        Sweep { problem, plan, free: BTreeMap::new(), fixed: Cover::new(points), fixed_overlap: None }
    }

    fn run(mut self) -> Result<(), Violation> {
        let mut events: Vec<(Step, bool, RequestId)> = Vec::new();
        for (index, request) in self.problem.requests().iter().enumerate() {
            let id = RequestId::from_index(index);
            events.push((request.live.end(), false, id)); // sorts before births at the same step
            events.push((request.live.first(), true, id));
        }
        events.sort_unstable();
        for (_, is_birth, id) in events {
            let (offset, end) = self.interval(id);
            match (self.problem.request(id).fixed_offset, is_birth) {
                (None, true) => self.add_free(id, offset, end)?,
                (None, false) => drop(self.free.remove(&offset)),
                (Some(_), true) => self.add_fixed(id, offset, end)?,
                (Some(_), false) => self.fixed.remove(offset, end),
            }
        }
        self.fixed_overlap.map_or(Ok(()), Err)
    }

    fn interval(&self, id: RequestId) -> (u64, u64) {
        let offset = self.plan.offsets[id.index()];
        (offset, offset + self.problem.request(id).size_bytes)
    }

    /// A free request alive that shares a byte with `[offset, end)`: the last to begin below `end`, if any.
    fn free_over(&self, offset: u64, end: u64) -> Option<RequestId> {
        let (_, &(other_end, other)) = self.free.range(..end).next_back()?;
        (other_end > offset).then_some(other)
    }

    fn add_free(&mut self, id: RequestId, offset: u64, end: u64) -> Result<(), Violation> {
        if let Some(other) = self.free_over(offset, end) {
            return Err(Violation::Overlap { a: id.min(other), b: id.max(other) });
        }
        if self.fixed.touches(offset, end) {
            let other = self.fixed_partner(id);
            return Err(Violation::Overlap { a: id.min(other), b: id.max(other) });
        }
        self.free.insert(offset, (end, id));
        Ok(())
    }

    fn add_fixed(&mut self, id: RequestId, offset: u64, end: u64) -> Result<(), Violation> {
        if let Some(other) = self.free_over(offset, end) {
            return Err(Violation::Overlap { a: id.min(other), b: id.max(other) });
        }
        if self.fixed_overlap.is_none() && self.fixed.touches(offset, end) {
            let other = self.fixed_partner(id);
            self.fixed_overlap = Some(Violation::FixedOverlap { a: id.min(other), b: id.max(other) });
        }
        self.fixed.insert(offset, end);
        Ok(())
    }

    /// The first fixed request that shares a step and a byte with `id`; called once, when there is one.
    fn fixed_partner(&self, id: RequestId) -> RequestId {
        let (offset, end) = self.interval(id);
        let live = self.problem.request(id).live;
        let ids = (0..self.problem.requests().len()).map(RequestId::from_index);
        let shares = |&other: &RequestId| {
            let request = self.problem.request(other);
            let (other_offset, other_end) = self.interval(other);
            let in_time = request.fixed_offset.is_some() && other != id && request.live.overlaps(live);
            in_time && other_offset < end && offset < other_end
        };
        ids.into_iter().find(shares).unwrap_or(id)
    }
}
