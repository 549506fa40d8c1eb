//! Models and programs as order problems, and orders put into models.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::Result;
use crate::model::{Model, Operator};
use crate::runtime::{ArenaKind, Origin, Program, Role, RuntimeKind};
use crate::schedule::effects;
use crate::schedule::problem::{OrderOp, OrderProblem, OrderTensor};
use crate::units::{BufferId, OperatorId, SubgraphId, TensorId, align_up};

/// The operators of one subgraph as an order problem: bytes as the runtime counts them in its arena, edges as the
/// model's data, state and calls ask.
///
/// Orders change more than the bytes counted here (what is placed where, what a callee's tensors overlap), so a found
/// order must be judged by making the program anew: see [`reordered`].
pub fn problem_of(model: &Model, program: &Program, id: SubgraphId) -> Result<OrderProblem> {
    let operators = &model.subgraph(id).operators;
    let memory = Memory::of(model, program, id);
    let roots = |list: &[Option<TensorId>]| {
        let places = list.iter().flatten().filter_map(|tensor| memory.of_tensor.get(tensor).copied());
        places.collect::<BTreeSet<usize>>().into_iter().collect::<Vec<_>>()
    };
    let mut ops: Vec<OrderOp> = Vec::with_capacity(operators.len());
    let mut is_made = vec![false; memory.tensors.len()];
    for (index, op) in operators.iter().enumerate() {
        let inputs = roots(&op.inputs);
        // What shares an input's bytes is not made here: its bytes were there before.
        let outputs = roots(&op.outputs).into_iter().filter(|root| !std::mem::replace(&mut is_made[*root], true));
        let outputs = outputs.filter(|root| !inputs.contains(root)).collect();
        let calls = memory.called.get(&OperatorId::from_index(index)).copied().unwrap_or(0);
        let scratch_bytes = memory.scratch.get(index).copied().unwrap_or(0) + calls;
        ops.push(OrderOp { inputs, outputs, scratch_bytes });
    }
    let mut edges = data_edges(operators);
    edges.extend(effects::edges(model, id, &effects::subgraphs_with_effects(model)));
    OrderProblem::new(memory.tensors, ops, edges)
}

/// The model with the operators of each subgraph in the order given; subgraphs beyond the list keep theirs.
///
/// # Panics
/// When an order is no permutation of its subgraph's operators: a bug of ours.
pub fn reordered(model: &Model, orders: &[Vec<OperatorId>]) -> Model {
    let mut model = model.clone();
    for (subgraph, order) in model.subgraphs.iter_mut().zip(orders) {
        assert_eq!(subgraph.operators.len(), order.len(), "an order names each operator once");
        subgraph.operators = order.iter().map(|op| subgraph.operators[op.index()].clone()).collect();
    }
    model
}

/// What a subgraph's operators make and read in its arena.
struct Memory {
    tensors: Vec<OrderTensor>,
    /// Where the bytes of a tensor are counted; absent when they are not in the arena.
    of_tensor: BTreeMap<TensorId, usize>,
    /// Bytes of temporaries and scratch per operator.
    scratch: Vec<u64>,
    /// Bytes of the subgraphs that an operator runs, where they share the arena.
    called: BTreeMap<OperatorId, u64>,
}

impl Memory {
    fn of(model: &Model, program: &Program, id: SubgraphId) -> Memory {
        let operators = &model.subgraph(id).operators;
        let is_micro = program.options.runtime == RuntimeKind::Tflm;
        let mut memory = Memory {
            tensors: Vec::new(),
            of_tensor: BTreeMap::new(),
            scratch: vec![0; operators.len()],
            called: BTreeMap::new(),
        };
        let is_its_arena =
            |arena: &&crate::runtime::Arena| arena.kind == ArenaKind::Main && (is_micro || arena.subgraph == id);
        let Some(arena) = program.arenas.iter().find(is_its_arena) else { return memory };
        let mut of_buffer: BTreeMap<BufferId, usize> = BTreeMap::new();
        let outputs: BTreeSet<TensorId> = model.subgraph(id).outputs.iter().flatten().copied().collect();
        // Tensors that nobody touches take bytes, but no order changes when.
        let ends = model.subgraph(id).inputs.iter().chain(&model.subgraph(id).outputs);
        let touched = operators.iter().flat_map(|op| op.inputs.iter().chain(&op.outputs));
        let touched: BTreeSet<TensorId> = ends.chain(touched).flatten().copied().collect();
        for (request, buffer_id) in arena.problem.requests().iter().zip(&arena.buffers) {
            let buffer = program.buffer(*buffer_id);
            let size_bytes = align_up(request.size_bytes, arena.problem.alignment()).unwrap_or(request.size_bytes);
            match buffer.origin {
                Origin::Tensor(tensor) if tensor.subgraph == id && touched.contains(&tensor.tensor) => {
                    of_buffer.insert(*buffer_id, memory.tensors.len());
                    let is_kept = request.stays || outputs.contains(&tensor.tensor) || buffer.role == Role::Variable;
                    memory.tensors.push(OrderTensor { size_bytes, is_kept });
                }
                Origin::Temporary { op, .. } | Origin::Scratch { op, .. } if op.subgraph == id => {
                    if let Some(scratch) = memory.scratch.get_mut(op.op.index()) {
                        *scratch += size_bytes;
                    }
                }
                _ => {}
            }
        }
        for (index, buffer) in program.buffers.iter().enumerate() {
            let Origin::Tensor(tensor) = buffer.origin else { continue };
            let root = buffer.alias_of.unwrap_or(BufferId::from_index(index));
            if let Some(place) = of_buffer.get(&root).filter(|_| tensor.subgraph == id) {
                memory.of_tensor.insert(tensor.tensor, *place);
                memory.tensors[*place].is_kept |= outputs.contains(&tensor.tensor);
            }
        }
        if is_micro {
            memory.count_calls(model, program, operators);
        }
        memory
    }

    /// In TFLite-Micro called subgraphs lie in the same arena: their own peak counts while the operator runs.
    fn count_calls(&mut self, model: &Model, program: &Program, operators: &[Operator]) {
        let Some(arena) = program.arenas.first() else { return };
        for (index, op) in operators.iter().enumerate() {
            let reached = effects::reached(model, op);
            if reached.is_empty() {
                continue;
            }
            let inside = arena.problem.requests().iter().zip(&arena.buffers);
            let inside = inside.filter(|(_, buffer)| reached.contains(&program.buffer(**buffer).subgraph()));
            // Births and deaths, deaths first where they meet.
            let mut changes: Vec<(u32, bool, u64)> = Vec::new();
            for (request, _) in inside {
                changes.push((request.live.first().0, true, request.size_bytes));
                changes.push((request.live.end().0, false, request.size_bytes));
            }
            changes.sort_unstable();
            let (mut alive, mut peak) = (0_u64, 0);
            for (_, is_birth, bytes) in changes {
                alive = if is_birth { alive + bytes } else { alive - bytes };
                peak = alive.max(peak);
            }
            self.called.insert(OperatorId::from_index(index), peak);
        }
    }
}

/// Who needs whose output, and who must not overwrite what is still to be read.
fn data_edges(operators: &[Operator]) -> Vec<(usize, usize)> {
    let mut edges = Vec::new();
    let mut maker: BTreeMap<TensorId, usize> = BTreeMap::new();
    let mut readers: BTreeMap<TensorId, Vec<usize>> = BTreeMap::new();
    for (index, op) in operators.iter().enumerate() {
        let reads = op.inputs.iter().chain(&op.intermediates).flatten().copied().collect::<BTreeSet<_>>();
        let writes = op.outputs.iter().chain(&op.intermediates).flatten().copied().collect::<BTreeSet<_>>();
        for tensor in reads {
            edges.extend(maker.get(&tensor).map(|maker| (*maker, index)));
            readers.entry(tensor).or_default().push(index);
        }
        for tensor in writes {
            let before = readers.remove(&tensor).unwrap_or_default();
            let before = before.into_iter().chain(maker.insert(tensor, index)).filter(|before| *before != index);
            edges.extend(before.map(|before| (before, index)));
        }
    }
    edges
}
