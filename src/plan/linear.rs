//! Plans without reuse: every request at an address of its own. Knows nothing of time.

use super::{Plan, Problem};

/// A running sum in index order, each offset aligned. Fixed requests lie where they must, all others above them.
/// TFLite-Micro's linear planner (`linear_memory_planner.cc`, tflite-micro 90b983c2) does the same without fixed ones.
pub(super) fn plan(problem: &Problem) -> Plan {
    let fixed_end = |request: &super::Request| request.fixed_offset.map(|offset| offset + request.size_bytes);
    let mut top = problem.requests().iter().filter_map(fixed_end).max().unwrap_or(0);
    let offsets = problem.requests().iter().map(|request| {
        request.fixed_offset.unwrap_or_else(|| {
            let offset = top.next_multiple_of(problem.alignment());
            top = offset + request.size_bytes;
            offset
        })
    });
    let offsets = offsets.collect();
    Plan::from_offsets(problem, offsets)
}
