//! What no plan can beat: the largest sum of sizes alive at one step, plainly and with alignment. Knows no planner.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::cover::Cover;
use super::{Problem, Request};
use crate::units::{RequestId, Step};

/// Bounds below the height of every plan of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The largest sum of bytes alive at one step. Where fixed requests lie over each other, shared bytes count once.
    pub live_bytes: u64,
    /// The first step at which so much is alive; `None` when there are no requests.
    pub live_step: Option<Step>,
    /// The bound that counts alignment and fixed ends too; never below `live_bytes`.
    ///
    /// At a step, every free request but the topmost takes its size rounded up, so at least the sum of the rounded
    /// sizes less the largest rounding is needed; and what is fixed must end below the height.
    pub height_bytes: u64,
    /// The first step at which that is needed.
    pub height_step: Option<Step>,
}

/// The bounds of `problem`.
pub fn lower_bound(problem: &Problem) -> Bound {
    let mut sweep = Sweep::new(problem);
    let mut bound = Bound { live_bytes: 0, live_step: None, height_bytes: 0, height_step: None };
    for (step, births, deaths) in moments(problem) {
        for id in deaths {
            sweep.remove(problem.request(id));
        }
        if births.is_empty() {
            continue;
        }
        for id in births {
            sweep.insert(problem.request(id));
        }
        let live = sweep.live_bytes();
        if live > bound.live_bytes || bound.live_step.is_none() {
            (bound.live_bytes, bound.live_step) = (live, Some(step));
        }
        let height = sweep.height_bytes(step);
        if height > bound.height_bytes || bound.height_step.is_none() {
            (bound.height_bytes, bound.height_step) = (height, Some(step));
        }
    }
    bound
}

/// Bytes alive at each of the first `steps` steps. Where fixed requests lie over each other, shared bytes count once.
pub fn live_bytes(problem: &Problem, steps: u32) -> Vec<u64> {
    let mut sweep = Sweep::new(problem);
    let mut live = vec![0; steps as usize];
    // Between two moments nothing changes: the live bytes of one last to the next.
    let mut from = 0;
    let mut bytes = 0;
    for (step, births, deaths) in moments(problem) {
        if let Some(same) = live.get_mut(from..step.index()) {
            same.fill(bytes);
        }
        for id in deaths {
            sweep.remove(problem.request(id));
        }
        for id in births {
            sweep.insert(problem.request(id));
        }
        (from, bytes) = (step.index(), sweep.live_bytes());
    }
    live
}

/// Each step at which something is born or dies: the step, the born, the dead; deaths come before births.
fn moments(problem: &Problem) -> Vec<(Step, Vec<RequestId>, Vec<RequestId>)> {
    let mut events: Vec<(Step, bool, RequestId)> = Vec::with_capacity(2 * problem.requests().len());
    for (index, request) in problem.requests().iter().enumerate() {
        let id = RequestId::from_index(index);
        events.push((request.live.first(), true, id));
        events.push((request.live.end(), false, id));
    }
    events.sort_unstable();
    let same_step = |a: &(Step, bool, RequestId), b: &(Step, bool, RequestId)| a.0 == b.0;
    let ids = |chunk: &[(Step, bool, RequestId)], birth: bool| {
        chunk.iter().filter(|event| event.1 == birth).map(|event| event.2).collect()
    };
    events.chunk_by(same_step).map(|chunk| (chunk[0].0, ids(chunk, true), ids(chunk, false))).collect()
}

/// What is alive at the moment of the sweep.
struct Sweep {
    alignment: u64,
    /// Bytes of the free ones.
    free_bytes: u64,
    /// Bytes of the free ones, each rounded up.
    free_rounded: u64,
    /// Bytes under fixed ones.
    fixed: Cover,
    /// The same in whole multiples of the alignment.
    fixed_rounded: Cover,
    /// Fixed ones whose offset is no multiple of the alignment: a free one's rounding may lie under them.
    unaligned_fixed: usize,
    /// Rounding of each one alive, largest first, with its end; the dead are dropped when they come up.
    roundings: BinaryHeap<(u64, Reverse<Step>)>,
    /// End of each fixed one alive, as above.
    fixed_ends: BinaryHeap<(u64, Reverse<Step>)>,
}

impl Sweep {
    fn new(problem: &Problem) -> Sweep {
        let alignment = problem.alignment();
        let fixed = problem.requests().iter().filter_map(|request| Some(interval(request, request.fixed_offset?)));
        let points: Vec<_> = fixed.flat_map(|(start, end)| [start, end]).collect();
        let rounded = points.iter().flat_map(|point| [point - point % alignment, point.next_multiple_of(alignment)]);
        let rounded = Cover::new(rounded.collect());
        Sweep {
            alignment,
            free_bytes: 0,
            free_rounded: 0,
            fixed: Cover::new(points),
            fixed_rounded: rounded,
            unaligned_fixed: 0,
            roundings: BinaryHeap::new(),
            fixed_ends: BinaryHeap::new(),
        }
    }

    fn insert(&mut self, request: &Request) {
        let rounded = request.size_bytes.next_multiple_of(self.alignment);
        let end_step = Reverse(request.live.end());
        self.roundings.push((rounded - request.size_bytes, end_step));
        if let Some(offset) = request.fixed_offset {
            let (start, end) = interval(request, offset);
            self.fixed.insert(start, end);
            self.fixed_rounded.insert(start - start % self.alignment, end.next_multiple_of(self.alignment));
            self.unaligned_fixed += usize::from(!start.is_multiple_of(self.alignment));
            self.fixed_ends.push((end, end_step));
        } else {
            self.free_bytes += request.size_bytes;
            self.free_rounded += rounded;
        }
    }

    fn remove(&mut self, request: &Request) {
        if let Some(offset) = request.fixed_offset {
            let (start, end) = interval(request, offset);
            self.fixed.remove(start, end);
            self.fixed_rounded.remove(start - start % self.alignment, end.next_multiple_of(self.alignment));
            self.unaligned_fixed -= usize::from(!start.is_multiple_of(self.alignment));
        } else {
            self.free_bytes -= request.size_bytes;
            self.free_rounded -= request.size_bytes.next_multiple_of(self.alignment);
        }
    }

    fn live_bytes(&self) -> u64 {
        self.free_bytes + self.fixed.covered_bytes()
    }

    fn height_bytes(&mut self, step: Step) -> u64 {
        let rounding = top_alive(&mut self.roundings, step);
        let fixed_end = top_alive(&mut self.fixed_ends, step);
        let live = self.live_bytes().max(fixed_end);
        if self.unaligned_fixed > 0 {
            return live;
        }
        live.max(self.free_rounded + self.fixed_rounded.covered_bytes() - rounding)
    }
}

/// The bytes a fixed request takes.
fn interval(request: &Request, offset: u64) -> (u64, u64) {
    (offset, offset + request.size_bytes)
}

/// The largest value of one still alive at `step`; 0 when there is none.
fn top_alive(heap: &mut BinaryHeap<(u64, Reverse<Step>)>, step: Step) -> u64 {
    while let Some(&(value, Reverse(end))) = heap.peek() {
        if end > step {
            return value;
        }
        heap.pop();
    }
    0
}
