//! What-ifs: an arena's problem changed a little, planned again by the runtime's own planner.

use std::collections::{BTreeMap, BTreeSet};

use crate::plan::{self, Plan, Problem, Request, Strategy};
use crate::runtime::Arena;
use crate::units::{BufferId, RequestId, Span, Step};

/// The arena as it is, and how it is planned.
pub(super) struct Base<'a> {
    pub(super) arena: &'a Arena,
    pub(super) strategy: Strategy,
    pub(super) plan: Plan,
    /// No plan of this order is lower.
    pub(super) bound_bytes: u64,
    /// The step at which that much is alive.
    pub(super) peak: Option<Step>,
    /// The request of each buffer that has one.
    request_of: BTreeMap<BufferId, RequestId>,
}

impl<'a> Base<'a> {
    pub(super) fn new(arena: &'a Arena, strategy: Strategy) -> Base<'a> {
        let bound = plan::lower_bound(&arena.problem);
        let of = |(index, buffer): (usize, &BufferId)| (*buffer, RequestId::from_index(index));
        Base {
            arena,
            strategy,
            plan: plan::plan(&arena.problem, strategy),
            bound_bytes: bound.height_bytes,
            peak: bound.height_step.or(bound.live_step),
            request_of: arena.buffers.iter().enumerate().map(of).collect(),
        }
    }

    /// The request of a buffer that is planned in this arena.
    pub(super) fn request(&self, buffer: BufferId) -> Option<(RequestId, &Request)> {
        let id = *self.request_of.get(&buffer)?;
        Some((id, self.arena.problem.request(id)))
    }

    /// Buffers alive at the peak, largest first.
    pub(super) fn at_peak(&self) -> Vec<BufferId> {
        let Some(peak) = self.peak else { return Vec::new() };
        let mut ids = plan::alive_at(&self.arena.problem, peak);
        ids.sort_by_key(|id| (std::cmp::Reverse(self.arena.problem.request(*id).size_bytes), *id));
        ids.into_iter().map(|id| self.arena.buffers[id.index()]).collect()
    }

    /// The heights after the changes, when the bound falls too: else what is saved is a planner's luck, and better had
    /// by a better plan.
    pub(super) fn try_out(&self, change: &WhatIf) -> Option<u64> {
        let problem = change.applied(&self.arena.problem)?;
        if plan::lower_bound(&problem).height_bytes >= self.bound_bytes {
            return None;
        }
        let height = plan::plan(&problem, self.strategy).height_bytes;
        (height < self.plan.height_bytes).then_some(height)
    }
}

/// Changes to a problem.
#[derive(Clone, Debug, Default)]
pub(super) struct WhatIf {
    /// New sizes.
    pub(super) sizes: BTreeMap<RequestId, u64>,
    /// New spans.
    pub(super) spans: BTreeMap<RequestId, Span>,
    /// Requests that are gone.
    pub(super) gone: BTreeSet<RequestId>,
    /// Requests more.
    pub(super) more: Vec<Request>,
}

impl WhatIf {
    /// One request with another size.
    pub(super) fn resized(id: RequestId, bytes: u64) -> WhatIf {
        WhatIf { sizes: BTreeMap::from([(id, bytes)]), ..WhatIf::default() }
    }

    fn applied(&self, problem: &Problem) -> Option<Problem> {
        let mut requests = Vec::with_capacity(problem.requests().len() + self.more.len());
        for (index, request) in problem.requests().iter().enumerate() {
            let id = RequestId::from_index(index);
            let size_bytes = self.sizes.get(&id).copied().unwrap_or(request.size_bytes);
            if self.gone.contains(&id) || size_bytes == 0 {
                continue;
            }
            let live = self.spans.get(&id).copied().unwrap_or(request.live);
            requests.push(Request { size_bytes, live, ..*request });
        }
        requests.extend_from_slice(&self.more);
        Problem::new(requests, problem.alignment()).ok()
    }
}
