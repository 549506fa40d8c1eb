//! Facts about the offline plan that a file carries: what it places, where it lays two living buffers over each other, and
//! what the runtime's own planner would need without it.

use crate::error::Result;
use crate::plan::{self, Plan, Problem, Request, Strategy};
use crate::runtime::Program;
use crate::units::{BufferId, RequestId, Step};

/// Two buffers that share bytes while both are alive. Tools do so on purpose to mark operators that work in place; else
/// one overwrites the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// The buffers; at least one of them is placed by the file.
    pub buffers: [BufferId; 2],
    /// The first and last step at which both are alive.
    pub steps: [Step; 2],
    /// First shared byte.
    pub first_byte: u64,
    /// How many bytes they share.
    pub bytes: u64,
    /// They meet only at one step, where one is read and the other written: an operator working in place.
    pub in_place: bool,
}

/// What is known of the offline plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfflineFacts {
    /// Buffers that the file places.
    pub placed: u64,
    /// Buffers left to the runtime.
    pub left: u64,
    /// The head with this plan.
    pub height_bytes: u64,
    /// The head when the runtime plans everything.
    pub greedy_bytes: u64,
    /// Living buffers over each other.
    pub overlaps: Vec<Overlap>,
    /// Buffers whose offset is no multiple of the alignment.
    pub unaligned: Vec<BufferId>,
}

/// The same problem with every offset free; `None` when none is fixed.
pub fn without_fixed_offsets(problem: &Problem) -> Option<Problem> {
    let requests = problem.requests();
    requests.iter().any(|request| request.fixed_offset.is_some()).then_some(())?;
    let free = requests.iter().map(|request| Request { fixed_offset: None, ..*request }).collect();
    // Within the limits, as the problem itself is.
    Problem::new(free, problem.alignment()).ok()
}

/// The facts about `program`'s offline plan under `plan`; `None` when the file carries none.
///
/// # Errors
/// When the problem without fixed offsets passes all limits.
pub fn offline_facts(program: &Program, plan: &Plan) -> Result<Option<OfflineFacts>> {
    let is_offline = program.micro.as_ref().is_some_and(|micro| micro.offline.is_some());
    let (true, Some(arena)) = (is_offline, program.arenas.first()) else { return Ok(None) };
    let requests = arena.problem.requests();
    let free = requests.iter().map(|request| Request { fixed_offset: None, ..*request }).collect();
    let greedy = plan::plan(&Problem::new(free, arena.problem.alignment())?, Strategy::Tflm);
    let fixed = |index: &usize| requests[*index].fixed_offset.is_some();
    let placed = (0..requests.len()).filter(fixed).count() as u64;
    let unaligned = (0..requests.len())
        .filter(|index| {
            requests[*index].fixed_offset.is_some_and(|offset| !offset.is_multiple_of(arena.problem.alignment()))
        })
        .filter_map(|index| arena.buffers.get(index).copied())
        .collect();
    Ok(Some(OfflineFacts {
        placed,
        left: requests.len() as u64 - placed,
        height_bytes: plan.height_bytes,
        greedy_bytes: greedy.height_bytes,
        overlaps: overlaps(program, plan),
        unaligned,
    }))
}

/// All pairs of living buffers that share bytes, at least one of them placed by the file; by step, then by buffer.
fn overlaps(program: &Program, plan: &Plan) -> Vec<Overlap> {
    let Some(arena) = program.arenas.first() else { return Vec::new() };
    let end = |id: RequestId| plan.offsets[id.index()] + arena.problem.request(id).size_bytes;
    let mut by_offset: Vec<RequestId> = (0..plan.offsets.len()).map(RequestId::from_index).collect();
    by_offset.sort_by_key(|id| (plan.offsets[id.index()], *id));
    let mut found = Vec::new();
    for (position, lower) in by_offset.iter().enumerate() {
        for upper in by_offset[position + 1..].iter().take_while(|upper| plan.offsets[upper.index()] < end(*lower)) {
            let (a, b) = (arena.problem.request(*lower), arena.problem.request(*upper));
            if !a.live.overlaps(b.live) || (a.fixed_offset.is_none() && b.fixed_offset.is_none()) {
                continue;
            }
            let steps = [a.live.first().max(b.live.first()), a.live.last().min(b.live.last())];
            let mut buffers = [arena.buffers[lower.index()], arena.buffers[upper.index()]];
            buffers.sort_unstable();
            let first_byte = plan.offsets[upper.index()];
            let bytes = end(*lower).min(end(*upper)) - first_byte;
            let in_place = steps[0] == steps[1] && is_in_place(program, steps[0], buffers);
            found.push(Overlap { buffers, steps, first_byte, bytes, in_place });
        }
    }
    found.sort_by_key(|overlap| (overlap.steps, overlap.buffers));
    found
}

/// Whether one of the buffers is only read and the other only written at that step.
fn is_in_place(program: &Program, step: Step, [a, b]: [BufferId; 2]) -> bool {
    let Some(info) = program.steps.get(step.index()) else { return false };
    let only_read = |buffer| info.reads.contains(&buffer) && !info.writes.contains(&buffer);
    let only_written = |buffer| info.writes.contains(&buffer) && !info.reads.contains(&buffer);
    (only_read(a) && only_written(b)) || (only_read(b) && only_written(a))
}
