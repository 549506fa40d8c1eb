//! A set of operators that have run, and the bytes alive after it: the one place where bytes are counted.

use crate::schedule::graph::Graph;

/// What running an operator would do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Probe {
    /// The most bytes alive meanwhile.
    pub(super) transient: u64,
    /// Bytes alive afterwards.
    pub(super) after: u64,
}

/// The operators that have run so far, in their order, and what is alive now.
#[derive(Clone, Debug)]
pub(super) struct State<'g> {
    graph: &'g Graph,
    /// Per tensor: readers still to come.
    readers_left: Vec<u32>,
    /// Per operator: whether it has run.
    has_run: Vec<bool>,
    /// Per eager operator: eager ones it still waits for.
    waits_for: Vec<u32>,
    /// Eager operators that could run now; unordered.
    ready: Vec<usize>,
    /// Per eager operator: its place in `ready`, or `usize::MAX`.
    ready_at: Vec<usize>,
    /// What has run, lazy operators included.
    log: Vec<usize>,
    bytes: u64,
    key: u128,
}

impl<'g> State<'g> {
    pub(super) fn new(graph: &'g Graph) -> State<'g> {
        let count = graph.op_count();
        let waits_for: Vec<u32> =
            (0..count).map(|op| u32::try_from(graph.eager_before.of(op).len()).unwrap_or(u32::MAX)).collect();
        let mut state = State {
            graph,
            readers_left: graph.readers.clone(),
            has_run: vec![false; count],
            waits_for,
            ready: Vec::new(),
            ready_at: vec![usize::MAX; count],
            log: Vec::with_capacity(count),
            bytes: graph.start_bytes,
            key: 0,
        };
        for op in (0..count).filter(|op| !graph.is_lazy[*op]) {
            if state.waits_for[op] == 0 {
                state.add_ready(op);
            }
        }
        state
    }

    /// Bytes alive while each operator of an order runs.
    pub(super) fn transients_of(graph: &Graph, order: &[usize]) -> Vec<u64> {
        let mut state = State::new(graph);
        order.iter().map(|op| state.count_in(*op)).collect()
    }

    /// The peak of a whole order that respects the graph.
    pub(super) fn peak_of(graph: &Graph, order: &[usize]) -> u64 {
        State::transients_of(graph, order).into_iter().max().unwrap_or(0).max(graph.start_peak)
    }

    /// What is alive after exactly these operators, in a state that is good for counting only.
    pub(super) fn after(graph: &'g Graph, order: &[usize]) -> State<'g> {
        let mut state = State::new(graph);
        for op in order {
            state.count_in(*op);
        }
        state
    }

    /// Readers of a tensor that are still to come.
    pub(super) fn readers_left(&self, tensor: usize) -> u32 {
        self.readers_left[tensor]
    }

    /// What has run, lazy operators included.
    pub(super) fn log(&self) -> &[usize] {
        &self.log
    }

    /// Bytes alive between two operators.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// A hash of the set of eager operators that have run (128 bits, one random word per operator).
    pub(super) fn key(&self) -> u128 {
        self.key
    }

    /// Eager operators that could run now, in no particular order.
    pub(super) fn ready(&self) -> &[usize] {
        &self.ready
    }

    /// Whether all eager operators have run.
    pub(super) fn is_done(&self) -> bool {
        self.ready.is_empty()
    }

    /// The most bytes alive while `op` (and the lazy operators it pulls) would run, and the bytes alive after it.
    pub(super) fn probe(&mut self, op: usize) -> Probe {
        let mark = self.log.len();
        let transient = self.count_in_with_pulled(op);
        let after = self.bytes;
        self.count_out_to(mark);
        Probe { transient, after }
    }

    /// Runs the ready operator `op` and the lazy ones it pulls; returns the most bytes alive meanwhile.
    pub(super) fn run(&mut self, op: usize) -> u64 {
        let transient = self.count_in_with_pulled(op);
        self.key ^= word(op);
        self.drop_ready(op);
        let graph = self.graph;
        for later in graph.eager_after.of(op) {
            self.waits_for[*later] -= 1;
            if self.waits_for[*later] == 0 {
                self.add_ready(*later);
            }
        }
        transient
    }

    /// Takes back everything that ran after the log had `mark` entries.
    pub(super) fn undo_to(&mut self, mark: usize) {
        let graph = self.graph;
        for at in (mark..self.log.len()).rev() {
            let op = self.log[at];
            if !graph.is_lazy[op] {
                self.key ^= word(op);
                for later in graph.eager_after.of(op) {
                    if self.waits_for[*later] == 0 {
                        self.drop_ready(*later);
                    }
                    self.waits_for[*later] += 1;
                }
                self.add_ready(op);
            }
        }
        self.count_out_to(mark);
    }

    /// The log, and behind it the lazy operators that nobody pulled.
    pub(super) fn whole_order(&self) -> Vec<usize> {
        let rest = (0..self.graph.op_count()).filter(|op| self.graph.is_lazy[*op] && !self.has_run[*op]);
        self.log.iter().copied().chain(rest).collect()
    }

    /// Counts in `op` and the lazy operators it pulls; returns the most bytes alive meanwhile.
    fn count_in_with_pulled(&mut self, op: usize) -> u64 {
        let graph = self.graph;
        let mut transient = 0;
        for lazy in graph.pulls.of(op) {
            if !self.has_run[*lazy] {
                transient = self.count_in(*lazy).max(transient);
            }
        }
        self.count_in(op).max(transient)
    }

    /// Counts one operator in; returns the bytes alive while it runs.
    fn count_in(&mut self, op: usize) -> u64 {
        let graph = self.graph;
        let transient = self.bytes + graph.needs[op];
        for tensor in graph.outputs.of(op) {
            if graph.readers[*tensor] > 0 || graph.is_kept[*tensor] {
                self.bytes += graph.sizes[*tensor];
            }
        }
        for tensor in graph.inputs.of(op) {
            self.readers_left[*tensor] -= 1;
            if self.readers_left[*tensor] == 0 && !graph.is_kept[*tensor] {
                self.bytes -= graph.sizes[*tensor];
            }
        }
        self.has_run[op] = true;
        self.log.push(op);
        transient
    }

    fn count_out_to(&mut self, mark: usize) {
        let graph = self.graph;
        for op in self.log.drain(mark..).rev() {
            self.has_run[op] = false;
            for tensor in graph.inputs.of(op) {
                if self.readers_left[*tensor] == 0 && !graph.is_kept[*tensor] {
                    self.bytes += graph.sizes[*tensor];
                }
                self.readers_left[*tensor] += 1;
            }
            for tensor in graph.outputs.of(op) {
                if graph.readers[*tensor] > 0 || graph.is_kept[*tensor] {
                    self.bytes -= graph.sizes[*tensor];
                }
            }
        }
    }

    fn add_ready(&mut self, op: usize) {
        self.ready_at[op] = self.ready.len();
        self.ready.push(op);
    }

    fn drop_ready(&mut self, op: usize) {
        let at = std::mem::replace(&mut self.ready_at[op], usize::MAX);
        self.ready.swap_remove(at);
        if let Some(moved) = self.ready.get(at) {
            self.ready_at[*moved] = at;
        }
    }
}

/// The operator's random word (Zobrist hashing), made by splitmix64 from its index so that runs repeat.
fn word(op: usize) -> u128 {
    let mix = |seed: u64| {
        let z = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let seed = 2 * op as u64 + 1;
    (u128::from(mix(seed)) << 64) | u128::from(mix(seed + 1))
}
