//! Random graphs, against all orders: permutation by permutation up to 6 operators, set by set up to 10.

use arenascope::schedule::{OrderOp, OrderProblem, OrderTensor, solve};
use proptest::prelude::*;

/// Any graph of up to `max_ops` operators: outputs of its own, inputs from anything made before (or from nobody),
/// scratch, zero sizes, kept tensors, unread outputs, repeats, sometimes a tensor made twice, and extra edges.
fn graphs(max_ops: usize) -> impl Strategy<Value = OrderProblem> {
    let op = (
        prop::collection::vec(any::<prop::sample::Index>(), 0..4),
        1..3_usize,
        prop_oneof![4 => Just(0_u64), 1 => 1..40_u64],
        prop::collection::vec((prop_oneof![1 => Just(0_u64), 9 => 1..50_u64], prop::bool::weighted(0.1)), 2),
        prop::option::weighted(0.03, any::<prop::sample::Index>()),
    );
    let inputs = prop::collection::vec((1..50_u64, prop::bool::weighted(0.1)), 0..3);
    let edges = prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 0..3);
    (inputs, prop::collection::vec(op, 1..=max_ops), edges).prop_map(|(inputs, ops, edges)| {
        let tensor = |(size_bytes, is_kept): (u64, bool)| OrderTensor { size_bytes, is_kept };
        let mut tensors: Vec<OrderTensor> = inputs.into_iter().map(tensor).collect();
        let mut list = Vec::new();
        for (reads, outputs, scratch_bytes, made, again) in ops {
            let inputs: Vec<usize> =
                reads.iter().filter(|_| !tensors.is_empty()).map(|read| read.index(tensors.len())).collect();
            let mut written: Vec<usize> = (tensors.len()..tensors.len() + outputs).collect();
            written.extend(again.filter(|_| !tensors.is_empty()).map(|index| index.index(tensors.len())));
            tensors.extend(made.into_iter().take(outputs).map(tensor));
            list.push(OrderOp { inputs, outputs: written, scratch_bytes });
        }
        let edges = edges
            .into_iter()
            .map(|(a, b)| (a.index(list.len()), b.index(list.len())))
            .map(|(a, b)| (a.min(b), a.max(b)))
            .filter(|(a, b)| a < b)
            .collect();
        OrderProblem::new(tensors, list, edges).unwrap()
    })
}

/// The best peak of all permutations, by the public counting alone.
fn best_of_permutations(problem: &OrderProblem, order: &mut Vec<usize>, best: &mut u64) {
    let count = problem.ops().len();
    if order.len() == count {
        *best = problem.peak_bytes(order).map_or(*best, |peak| peak.min(*best));
        return;
    }
    for op in 0..count {
        if !order.contains(&op) {
            order.push(op);
            best_of_permutations(problem, order, best);
            order.pop();
        }
    }
}

/// What is alive after a set of operators, and what an operator adds, written down naively.
struct Naive<'p> {
    problem: &'p OrderProblem,
    is_state: Vec<bool>,
    before: Vec<u32>,
}

impl<'p> Naive<'p> {
    fn new(problem: &'p OrderProblem) -> Naive<'p> {
        let (ops, tensors) = (problem.ops(), problem.tensors());
        let touches = |op: usize, tensor: usize| ops[op].inputs.contains(&tensor) || ops[op].outputs.contains(&tensor);
        let makers = |tensor: usize| (0..ops.len()).filter(move |op| ops[*op].outputs.contains(&tensor));
        let is_state: Vec<bool> = (0..tensors.len())
            .map(|tensor| {
                let first_made = makers(tensor).next();
                let read_early =
                    (0..ops.len()).any(|op| ops[op].inputs.contains(&tensor) && first_made.is_some_and(|by| op <= by));
                makers(tensor).count() > 1 || read_early
            })
            .collect();
        let mut before = vec![0_u32; ops.len()];
        for (earlier, later) in problem.edges() {
            before[*later] |= 1 << earlier;
        }
        let writes = |op: usize, tensor: usize| ops[op].outputs.contains(&tensor);
        for (later, mask) in before.iter_mut().enumerate() {
            for earlier in 0..later {
                let by_data = (0..tensors.len()).any(|tensor| {
                    let both = touches(earlier, tensor) && touches(later, tensor);
                    both && (is_state[tensor] || writes(earlier, tensor))
                });
                *mask |= u32::from(by_data) << earlier;
            }
        }
        Naive { problem, is_state, before }
    }

    fn alive(&self, done: u32, running: Option<usize>) -> u64 {
        let ops = self.problem.ops();
        let has = |op: usize| done & (1 << op) != 0;
        let mut bytes = running.map_or(0, |op| ops[op].scratch_bytes);
        for (id, tensor) in self.problem.tensors().iter().enumerate() {
            let made_by = (0..ops.len()).find(|op| ops[*op].outputs.contains(&id));
            let is_made = self.is_state[id] || made_by.is_none_or(has);
            let still_read = (0..ops.len()).any(|op| ops[op].inputs.contains(&id) && !has(op));
            let is_touched = running.is_some_and(|op| ops[op].outputs.contains(&id));
            let is_alive = is_made && (self.is_state[id] || tensor.is_kept || still_read);
            bytes += if is_alive || is_touched { tensor.size_bytes } else { 0 };
        }
        bytes
    }

    fn start(&self) -> u64 {
        let ops = self.problem.ops();
        let is_made = |id: usize| !self.is_state[id] && ops.iter().any(|op| op.outputs.contains(&id));
        let tensors = self.problem.tensors().iter().enumerate();
        tensors.filter(|(id, _)| !is_made(*id)).map(|(_, tensor)| tensor.size_bytes).sum()
    }

    /// The best peak, by dynamic programming over all sets.
    fn best(&self) -> u64 {
        let count = self.problem.ops().len();
        let mut peaks = vec![u64::MAX; 1 << count];
        peaks[0] = self.start();
        for done in 0..1_u32 << count {
            let so_far = peaks[done as usize];
            for op in (0..count).filter(|op| so_far < u64::MAX && done & (1 << op) == 0) {
                if self.before[op] & !done == 0 {
                    let next = (done | 1 << op) as usize;
                    let after = self.alive(done | 1 << op, None);
                    peaks[next] = peaks[next].min(so_far.max(self.alive(done, Some(op))).max(after));
                }
            }
        }
        peaks[(1 << count) - 1]
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn equals_all_sets_up_to_ten_operators(problem in graphs(10)) {
        let order = solve(&problem, 100_000);
        prop_assert_eq!(problem.peak_bytes(&order.ops), Some(order.peak_bytes));
        prop_assert_eq!(order.peak_bytes, Naive::new(&problem).best());
        prop_assert!(order.is_proven());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn equals_all_permutations_up_to_six_operators(problem in graphs(6)) {
        let mut best = u64::MAX;
        best_of_permutations(&problem, &mut Vec::new(), &mut best);
        prop_assert_eq!(solve(&problem, 100_000).peak_bytes, best);
    }
}
