//! Orders of placement: lists of all requests, fixed ones first. Every order is total: what is still tied goes by index.

use std::cmp::Reverse;

use super::{Problem, Request};
use crate::units::{RequestId, Step};

/// All requests, fixed ones first by index, then the others by `key`, least first; ties by index.
fn by_key<K: Ord>(problem: &Problem, key: impl Fn(RequestId, &Request) -> K) -> Vec<RequestId> {
    let ids = || (0..problem.requests().len()).map(RequestId::from_index);
    let is_fixed = |id: &RequestId| problem.request(*id).fixed_offset.is_some();
    let mut order: Vec<_> = ids().filter(is_fixed).collect();
    let mut free: Vec<_> = ids().filter(|id| !is_fixed(id)).collect();
    free.sort_by_cached_key(|&id| key(id, problem.request(id)));
    order.append(&mut free);
    order
}

/// `TFLite`'s order (`CreateTensorAllocationVector` in `tflite/arena_planner.cc`, `LiteRT` f67457790c9c): batch by batch;
/// in each, first what lives from step 0 and is never freed, by index; then the largest; of equal sizes the earliest.
/// What is tied then is left to the C++ library by the runtime, and goes by index here.
pub(super) fn tflite(problem: &Problem) -> Vec<RequestId> {
    by_key(problem, |_, request| {
        let throughout = request.stays && request.live.first() == Step(0);
        let rest = (!throughout).then_some((Reverse(request.size_bytes), request.live.first()));
        (request.batch, rest)
    })
}

/// TFLite-Micro's order (`greedy_memory_planner.cc`, tflite-micro 90b983c2): fixed ones in list order, then by size as
/// rounded, largest first; of equal sizes the *last* in the list first.
pub(super) fn tflm(problem: &Problem) -> Vec<RequestId> {
    let rounded = |request: &Request| request.size_bytes.next_multiple_of(problem.alignment());
    by_key(problem, |id, request| (Reverse(rounded(request)), Reverse(id)))
}

/// By time: the earliest first; of equal ones the largest.
pub(super) fn by_time(problem: &Problem) -> Vec<RequestId> {
    by_key(problem, |_, request| (request.live.first(), Reverse(request.size_bytes)))
}

/// The largest first; of equal ones the longest alive.
pub(super) fn by_size(problem: &Problem) -> Vec<RequestId> {
    by_key(problem, |_, request| (Reverse(request.size_bytes), Reverse(request.live.steps())))
}

/// Those alive at the busiest step first (where the sum of sizes is largest), inside a step the largest first; then the
/// next busiest (Pisarchyk & Lee 2020, "greedy by breadth").
pub(super) fn by_breadth(problem: &Problem) -> Vec<RequestId> {
    let breadth = busiest(problem);
    by_key(problem, |id, request| (breadth[id.index()], Reverse(request.size_bytes)))
}

/// The one that shares steps with the most others first; of equal ones the largest.
pub(super) fn by_conflicts(problem: &Problem) -> Vec<RequestId> {
    let mut firsts: Vec<_> = problem.requests().iter().map(|request| request.live.first()).collect();
    let mut ends: Vec<_> = problem.requests().iter().map(|request| request.live.end()).collect();
    firsts.sort_unstable();
    ends.sort_unstable();
    let conflicts = |request: &Request| {
        let begun = firsts.partition_point(|&first| first < request.live.end());
        let over = ends.partition_point(|&end| end <= request.live.first());
        begun - over
    };
    by_key(problem, |_, request| (Reverse(conflicts(request)), Reverse(request.size_bytes)))
}

/// For each request, the busiest step that it lives at: most live bytes first, then the earliest.
fn busiest(problem: &Problem) -> Vec<(Reverse<u64>, Step)> {
    let mut changes: Vec<(Step, u64, u64)> = Vec::new();
    for request in problem.requests() {
        changes.push((request.live.first(), request.size_bytes, 0));
        changes.push((request.live.end(), 0, request.size_bytes));
    }
    changes.sort_unstable();
    let mut live = 0;
    let mut steps: Vec<(Step, u64)> = Vec::new();
    for chunk in changes.chunk_by(|a, b| a.0 == b.0) {
        live += chunk.iter().map(|change| change.1).sum::<u64>();
        live -= chunk.iter().map(|change| change.2).sum::<u64>();
        steps.push((chunk[0].0, live));
    }
    let peaks = Peaks::new(steps.iter().map(|&(_, live)| live).collect());
    let busiest = problem.requests().iter().map(|request| {
        let at = |step: Step| steps.partition_point(|&(other, _)| other < step);
        let index = peaks.highest(at(request.live.first()), at(request.live.end()));
        (Reverse(steps[index].1), steps[index].0)
    });
    busiest.collect()
}

/// Answers where the highest value of any range stands: a sparse table of the winners of each power-of-two range.
struct Peaks {
    values: Vec<u64>,
    /// `winners[k][i]`: index of the first highest value in `[i, i + 2^k)`.
    winners: Vec<Vec<usize>>,
}

impl Peaks {
    fn new(values: Vec<u64>) -> Peaks {
        let mut peaks = Peaks { winners: vec![(0..values.len()).collect()], values };
        let mut width = 1;
        while 2 * width <= peaks.values.len() {
            let last = &peaks.winners[peaks.winners.len() - 1];
            let next = (0..=peaks.values.len() - 2 * width).map(|i| peaks.better(last[i], last[i + width])).collect();
            peaks.winners.push(next);
            width *= 2;
        }
        peaks
    }

    fn better(&self, a: usize, b: usize) -> usize {
        if self.values[b] > self.values[a] || (self.values[b] == self.values[a] && b < a) { b } else { a }
    }

    /// The index of the first highest value in `[low, high)`, which must not be empty.
    fn highest(&self, low: usize, high: usize) -> usize {
        let level = (high - low).ilog2() as usize;
        self.better(self.winners[level][low], self.winners[level][high - (1 << level)])
    }
}
