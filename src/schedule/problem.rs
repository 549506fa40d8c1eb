//! What is to be ordered: [`OrderProblem`], a plain value, and the peak of an order of it.

use std::fmt;

use crate::error::{Error, ErrorKind, Result};
use crate::limits;
use crate::schedule::graph::{Graph, Touches};
use crate::schedule::state::State;

/// A block of bytes that operators make and read.
///
/// It is alive from the operator that has it as an output (from the start, when none has) to the last operator that
/// has it as an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderTensor {
    /// Bytes it takes, rounded as the runtime rounds.
    pub size_bytes: u64,
    /// Stays alive to the end: a graph output, or whatever the runtime never frees.
    pub is_kept: bool,
}

/// One operator: indices into [`OrderProblem::tensors`], and what its kernel takes meanwhile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrderOp {
    /// Tensors read; repeats count once.
    pub inputs: Vec<usize>,
    /// Tensors made.
    pub outputs: Vec<usize>,
    /// Bytes needed only while it runs.
    pub scratch_bytes: u64,
}

/// Operators in the order of the file, and what any other order must respect.
#[derive(Clone)]
pub struct OrderProblem {
    tensors: Vec<OrderTensor>,
    ops: Vec<OrderOp>,
    edges: Vec<(usize, usize)>,
    graph: Graph,
}

impl OrderProblem {
    /// A problem; each edge `(before, after)` is an order that must stay beside that of the data.
    ///
    /// A tensor that is made more than once, or read before it is made, is taken as state: alive all the time, and
    /// the operators that touch it keep their order.
    ///
    /// # Errors
    /// When an index is out of range, an edge runs against the order of the file, or the sizes add up to more than
    /// `limits::MAX_BYTES`; so all sums of sizes fit.
    pub fn new(tensors: Vec<OrderTensor>, ops: Vec<OrderOp>, edges: Vec<(usize, usize)>) -> Result<OrderProblem> {
        let refuse = |message: String| Err(Error::new(ErrorKind::BadOption, message));
        let mut sum = 0_u64;
        for size in tensors.iter().map(|tensor| tensor.size_bytes).chain(ops.iter().map(|op| op.scratch_bytes)) {
            sum = match sum.checked_add(size) {
                Some(total) if total <= limits::MAX_BYTES => total,
                _ => return refuse(format!("the sizes add up to more than {} bytes", limits::MAX_BYTES)),
            };
        }
        for (index, op) in ops.iter().enumerate() {
            if let Some(tensor) = op.inputs.iter().chain(&op.outputs).find(|tensor| **tensor >= tensors.len()) {
                return refuse(format!("op {index}: tensor {tensor}, but there are {} tensors", tensors.len()));
            }
        }
        if let Some((before, after)) = edges.iter().find(|(before, after)| before >= after || *after >= ops.len()) {
            return refuse(format!("edge {before} -> {after} does not run forward among {} ops", ops.len()));
        }
        let graph = Graph::new(Touches::new(&tensors, &ops, &edges), &ops);
        Ok(OrderProblem { tensors, ops, edges, graph })
    }

    /// The tensors.
    pub fn tensors(&self) -> &[OrderTensor] {
        &self.tensors
    }

    /// The operators, in the order of the file.
    pub fn ops(&self) -> &[OrderOp] {
        &self.ops
    }

    /// The extra edges.
    pub fn edges(&self) -> &[(usize, usize)] {
        &self.edges
    }

    /// The most bytes alive at once when the operators run in this order, or `None` when it is no order of this
    /// problem: not a permutation, or against the data or an edge.
    pub fn peak_bytes(&self, order: &[usize]) -> Option<u64> {
        let graph = &self.graph;
        if order.len() != graph.op_count() {
            return None;
        }
        let mut position = vec![usize::MAX; graph.op_count()];
        for (place, op) in order.iter().enumerate() {
            let slot = position.get_mut(*op)?;
            if *slot != usize::MAX {
                return None;
            }
            *slot = place;
        }
        let is_sound = |op: usize| graph.before.of(op).iter().all(|before| position[*before] < position[op]);
        (0..graph.op_count()).all(is_sound).then(|| State::peak_of(graph, order))
    }

    /// What the search works on.
    pub(super) fn graph(&self) -> &Graph {
        &self.graph
    }
}

impl fmt::Debug for OrderProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The graph is derived from the rest.
        let OrderProblem { tensors, ops, edges, graph: _ } = self;
        f.debug_struct("OrderProblem").field("tensors", tensors).field("ops", ops).field("edges", edges).finish()
    }
}
