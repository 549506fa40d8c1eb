//! An `OrderProblem` made ready for searching: adjacency in flat lists, and which operators can always wait.

use crate::schedule::problem::{OrderOp, OrderTensor};

/// A list of lists of indices, in two flat vectors.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    starts: Vec<usize>,
    items: Vec<usize>,
}

impl Lists {
    pub(super) fn of(&self, index: usize) -> &[usize] {
        &self.items[self.starts[index]..self.starts[index + 1]]
    }

    /// The lists, each sorted and without repeats.
    fn sorted(mut lists: Vec<Vec<usize>>) -> Lists {
        for list in &mut lists {
            list.sort_unstable();
            list.dedup();
        }
        Lists::as_given(&lists)
    }

    fn as_given(lists: &[Vec<usize>]) -> Lists {
        let mut flat = Lists { starts: vec![0], items: Vec::new() };
        for list in lists {
            flat.items.extend_from_slice(list);
            flat.starts.push(flat.items.len());
        }
        flat
    }

    /// The same relation read the other way: `b` lists `a` wherever `a` listed `b`.
    fn reversed(&self, count: usize) -> Lists {
        let mut lists = vec![Vec::new(); count];
        for index in 0..self.starts.len() - 1 {
            for item in self.of(index) {
                lists[*item].push(index);
            }
        }
        Lists::as_given(&lists)
    }
}

/// The problem as the search sees it.
///
/// Some operators are *lazy*: they read nothing that lives in the arena (or only what other lazy operators made), so
/// to run them right before the first operator that needs them is never worse. The search orders only the others;
/// running one *pulls* the lazy operators it needs.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    /// Bytes per tensor.
    pub(super) sizes: Vec<u64>,
    /// Per tensor: alive to the end.
    pub(super) is_kept: Vec<bool>,
    /// Per tensor: how many operators read it.
    pub(super) readers: Vec<u32>,
    /// Per operator: tensors read.
    pub(super) inputs: Lists,
    /// Per operator: tensors made.
    pub(super) outputs: Lists,
    /// Per operator: bytes of outputs and scratch.
    pub(super) needs: Vec<u64>,
    /// Per operator: operators that must run before it.
    pub(super) before: Lists,
    /// Per operator: whether it can always wait.
    pub(super) is_lazy: Vec<bool>,
    /// Per eager operator: lazy ones it pulls, in running order.
    pub(super) pulls: Lists,
    /// Per eager operator: eager ones that must run before it, also through lazy ones.
    pub(super) eager_before: Lists,
    /// Per eager operator: eager ones that wait for it.
    pub(super) eager_after: Lists,
    /// Bytes alive before anything runs, with inputs that nobody reads.
    pub(super) start_peak: u64,
    /// Bytes alive when the first operator is about to run.
    pub(super) start_bytes: u64,
}

impl Graph {
    pub(super) fn new(touches: Touches, ops: &[OrderOp]) -> Graph {
        let Touches { inputs, outputs, before, sizes, is_kept, is_made } = touches;
        let mut readers = vec![0_u32; sizes.len()];
        for op in 0..ops.len() {
            inputs.of(op).iter().for_each(|tensor| readers[*tensor] += 1);
        }
        let at_start = |alive: &dyn Fn(usize) -> bool| -> u64 {
            (0..sizes.len()).filter(|tensor| !is_made[*tensor] && alive(*tensor)).map(|tensor| sizes[tensor]).sum()
        };
        let made = |op: usize| outputs.of(op).iter().map(|tensor| sizes[*tensor]).sum::<u64>();
        let needs = ops.iter().enumerate().map(|(index, op)| made(index) + op.scratch_bytes).collect();
        let start_peak = at_start(&|_| true);
        let start_bytes = at_start(&|tensor| readers[tensor] > 0 || is_kept[tensor]);
        let mut graph = Graph {
            sizes,
            is_kept,
            readers,
            inputs,
            outputs,
            needs,
            before,
            is_lazy: Vec::new(),
            pulls: Lists::default(),
            eager_before: Lists::default(),
            eager_after: Lists::default(),
            start_peak,
            start_bytes,
        };
        graph.is_lazy = graph.lazy_ops();
        graph.link_eager();
        graph
    }

    pub(super) fn op_count(&self) -> usize {
        self.needs.len()
    }

    /// No order can need less: an operator's inputs and outputs are alive together, and so are all graph inputs,
    /// and all that is kept.
    pub(super) fn op_bound(&self) -> u64 {
        let of = |op: usize| self.needs[op] + self.inputs.of(op).iter().map(|tensor| self.sizes[*tensor]).sum::<u64>();
        let kept: u64 = self.sizes.iter().zip(&self.is_kept).filter(|(_, kept)| **kept).map(|(size, _)| size).sum();
        (0..self.op_count()).map(of).max().unwrap_or(0).max(self.start_peak).max(kept)
    }

    /// An operator may wait when
    /// - all its inputs with bytes were made by operators that may wait, and
    /// - it leaves no fewer bytes than before, so that waiting holds nothing up, and
    /// - what it takes beyond what stays (scratch, unread outputs, inputs that may die here) is no more than each
    ///   operator that needs it takes anyway: then at that later moment it fits whenever that operator fits.
    fn lazy_ops(&self) -> Vec<bool> {
        let after = self.before.reversed(self.op_count());
        let mut maker = vec![None; self.sizes.len()];
        for op in 0..self.op_count() {
            self.outputs.of(op).iter().for_each(|tensor| maker[*tensor] = Some(op));
        }
        let mut is_lazy = vec![false; self.op_count()];
        for op in 0..self.op_count() {
            let made_lazily = |tensor: &usize| self.sizes[*tensor] == 0 || maker[*tensor].is_some_and(|by| is_lazy[by]);
            let dies_here = |tensor: &usize| {
                !self.is_kept[*tensor] && !after.of(op).iter().any(|later| self.inputs.of(*later).contains(tensor))
            };
            let inputs_lost: u64 =
                self.inputs.of(op).iter().filter(|tensor| dies_here(tensor)).map(|tensor| self.sizes[*tensor]).sum();
            let stays = |tensor: &usize| self.is_kept[*tensor] || self.readers[*tensor] > 0;
            let outputs_kept: u64 =
                self.outputs.of(op).iter().filter(|tensor| stays(tensor)).map(|tensor| self.sizes[*tensor]).sum();
            let beyond = self.needs[op] - outputs_kept + inputs_lost;
            let room = after.of(op).iter().map(|later| self.needs[*later]).min().unwrap_or(0);
            is_lazy[op] = self.inputs.of(op).iter().all(made_lazily) && inputs_lost <= outputs_kept && beyond <= room;
        }
        is_lazy
    }

    /// Fills `pulls`, `eager_before` and `eager_after`.
    fn link_eager(&mut self) {
        let count = self.op_count();
        let (mut pulls, mut before) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        let mut seen = vec![usize::MAX; count];
        for op in (0..count).filter(|op| !self.is_lazy[*op]) {
            let mut stack = self.before.of(op).to_vec();
            while let Some(earlier) = stack.pop() {
                if seen[earlier] == op {
                    continue;
                }
                seen[earlier] = op;
                if self.is_lazy[earlier] {
                    pulls[op].push(earlier);
                    stack.extend_from_slice(self.before.of(earlier));
                } else {
                    before[op].push(earlier);
                }
            }
        }
        // The file's order is a running order, so sorting by index is enough for the pulled ones.
        self.pulls = Lists::sorted(pulls);
        self.eager_before = Lists::sorted(before);
        self.eager_after = self.eager_before.reversed(count);
    }
}

/// Who touches what, with state (see `OrderProblem::new`) turned into bytes that are always alive.
#[derive(Debug)]
pub(super) struct Touches {
    inputs: Lists,
    outputs: Lists,
    before: Lists,
    sizes: Vec<u64>,
    is_kept: Vec<bool>,
    is_made: Vec<bool>,
}

impl Touches {
    pub(super) fn new(tensors: &[OrderTensor], ops: &[OrderOp], edges: &[(usize, usize)]) -> Touches {
        let is_state = state_tensors(tensors.len(), ops);
        let mut before = vec![Vec::new(); ops.len()];
        for (earlier, later) in edges {
            before[*later].push(*earlier);
        }
        let mut last_touch = vec![None; tensors.len()];
        let mut maker = vec![None; tensors.len()];
        for (index, op) in ops.iter().enumerate() {
            for tensor in op.inputs.iter().chain(&op.outputs) {
                if is_state[*tensor] {
                    before[index].extend(last_touch[*tensor].filter(|earlier| *earlier != index));
                    last_touch[*tensor] = Some(index);
                } else {
                    before[index].extend(maker[*tensor]);
                }
            }
            op.outputs.iter().for_each(|tensor| maker[*tensor] = Some(index));
        }
        let plain = |list: &[usize]| list.iter().copied().filter(|tensor| !is_state[*tensor]).collect::<Vec<_>>();
        Touches {
            inputs: Lists::sorted(ops.iter().map(|op| plain(&op.inputs)).collect()),
            outputs: Lists::sorted(ops.iter().map(|op| plain(&op.outputs)).collect()),
            before: Lists::sorted(before),
            sizes: tensors.iter().map(|tensor| tensor.size_bytes).collect(),
            is_kept: tensors.iter().zip(&is_state).map(|(tensor, state)| tensor.is_kept || *state).collect(),
            is_made: maker.iter().zip(&is_state).map(|(maker, state)| maker.is_some() && !state).collect(),
        }
    }
}

/// Which tensors are made more than once, or read before (or while) they are made.
fn state_tensors(count: usize, ops: &[OrderOp]) -> Vec<bool> {
    let (mut is_state, mut is_made, mut is_read) = (vec![false; count], vec![false; count], vec![false; count]);
    for op in ops {
        op.inputs.iter().for_each(|tensor| is_read[*tensor] = true);
        for tensor in &op.outputs {
            is_state[*tensor] |= is_made[*tensor] || is_read[*tensor];
            is_made[*tensor] = true;
        }
    }
    is_state
}
