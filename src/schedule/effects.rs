//! Which operators of a subgraph must keep their order beside what their data say: those that touch state.
//!
//! - Reads and writes of one resource (by its name) keep their order; reads among themselves do not matter.
//! - Operators that touch one variable tensor keep their order.
//! - Custom and unknown operators keep their order among themselves, and so do random generators: they may hold
//!   state that the file does not show.
//! - An operator that runs other subgraphs counts as writing every resource, unless nothing down there has effects.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{BuiltinOp, DataType, Model, OpOptions, Operator, Subgraph};
use crate::units::{SubgraphId, TensorId};

/// What an operator can touch besides its tensors.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Thing {
    /// A resource variable, by container and name.
    Variable(String, String),
    /// A hash table, by its id.
    Table(i32),
    /// A resource that comes from another subgraph: it could be any.
    AnyResource,
    /// A variable tensor.
    State(TensorId),
    /// What custom operators may hold.
    Custom,
    /// The random generators' state.
    Random,
    /// Whatever the operators of a called subgraph touch.
    Everything,
}

/// One operator's touches; `true` where it may change the thing.
type Touches = Vec<(Thing, bool)>;

/// The edges `(before, after)` that keep effects in order; `has_effects` is what [`subgraphs_with_effects`] gives.
pub(super) fn edges(model: &Model, id: SubgraphId, has_effects: &[bool]) -> Vec<(usize, usize)> {
    let subgraph = model.subgraph(id);
    let sources = resources(model, subgraph);
    let mut keeper = Keeper::default();
    for (index, op) in subgraph.operators.iter().enumerate() {
        let mut touches = touches(model, subgraph, op, &sources);
        if called(op).into_iter().any(|id| has_effects.get(id.index()).copied().unwrap_or(true)) {
            touches.push((Thing::Everything, true));
        }
        keeper.add(index, touches);
    }
    keeper.edges
}

/// Per subgraph: whether running it does anything but make its outputs.
pub(super) fn subgraphs_with_effects(model: &Model) -> Vec<bool> {
    let count = model.subgraphs.len();
    let mut callers = vec![Vec::new(); count];
    let mut has_effects = vec![false; count];
    for (index, subgraph) in model.subgraphs.iter().enumerate() {
        let sources = resources(model, subgraph);
        for op in &subgraph.operators {
            has_effects[index] |= !touches(model, subgraph, op, &sources).is_empty();
            for id in called(op).into_iter().filter(|id| id.index() < count) {
                callers[id.index()].push(index);
            }
        }
    }
    let mut open: Vec<usize> = (0..count).filter(|index| has_effects[*index]).collect();
    while let Some(index) = open.pop() {
        for caller in &callers[index] {
            if !std::mem::replace(&mut has_effects[*caller], true) {
                open.push(*caller);
            }
        }
    }
    has_effects
}

/// The subgraphs that an operator runs.
pub(super) fn called(op: &Operator) -> Vec<SubgraphId> {
    match &op.options {
        OpOptions::If { then_subgraph, else_subgraph } => vec![*then_subgraph, *else_subgraph],
        OpOptions::While { cond_subgraph, body_subgraph } => vec![*cond_subgraph, *body_subgraph],
        OpOptions::CallOnce { init_subgraph } => vec![*init_subgraph],
        OpOptions::StablehloComposite { decomposition_subgraph, .. } => vec![*decomposition_subgraph],
        OpOptions::StablehloCase { branches } => branches.clone(),
        OpOptions::StablehloReduceWindow { body_subgraph, .. } | OpOptions::StablehloReduce { body_subgraph, .. } => {
            vec![*body_subgraph]
        }
        OpOptions::StablehloScatter { update_computation_subgraph } => vec![*update_computation_subgraph],
        OpOptions::StablehloSort { comparator_subgraph, .. } => vec![*comparator_subgraph],
        OpOptions::Call { subgraph } => vec![SubgraphId(*subgraph)],
        _ => Vec::new(),
    }
}

/// The subgraphs that an operator runs, and those that they run.
pub(super) fn reached(model: &Model, op: &Operator) -> BTreeSet<SubgraphId> {
    let mut reached = BTreeSet::new();
    let mut open = called(op);
    while let Some(id) = open.pop() {
        if id.index() < model.subgraphs.len() && reached.insert(id) {
            open.extend(model.subgraph(id).operators.iter().flat_map(called));
        }
    }
    reached
}

/// The resource behind each tensor that one of this subgraph's operators makes a handle of.
fn resources(model: &Model, subgraph: &Subgraph) -> BTreeMap<TensorId, Thing> {
    let mut sources = BTreeMap::new();
    for op in &subgraph.operators {
        let thing = match (&op.options, model.code(op).builtin) {
            (OpOptions::VarHandle { container, shared_name }, _) => {
                Thing::Variable(container.clone(), shared_name.clone())
            }
            (OpOptions::Hashtable { table_id, .. }, _) => Thing::Table(*table_id),
            // Without options both fields have their defaults.
            (_, BuiltinOp::VAR_HANDLE) => Thing::Variable(String::new(), String::new()),
            (_, BuiltinOp::HASHTABLE) => Thing::Table(0),
            _ => continue,
        };
        sources.extend(op.outputs.iter().flatten().map(|tensor| (*tensor, thing.clone())));
    }
    sources
}

/// What the operator touches, what it calls left aside.
fn touches(model: &Model, subgraph: &Subgraph, op: &Operator, sources: &BTreeMap<TensorId, Thing>) -> Touches {
    let builtin = model.code(op).builtin;
    let mut touches: Touches = Vec::new();
    for tensor in op.inputs.iter().chain(&op.outputs).flatten() {
        let Some(info) = subgraph.tensors.get(tensor.index()) else { continue };
        if info.is_variable {
            touches.push((Thing::State(*tensor), true));
        }
        if matches!(info.dtype, DataType::Resource | DataType::Variant) && !makes_handles(builtin) {
            let thing = sources.get(tensor).cloned().unwrap_or(Thing::AnyResource);
            touches.push((thing, !only_reads(builtin)));
        }
    }
    match builtin {
        BuiltinOp::RANDOM_STANDARD_NORMAL | BuiltinOp::RANDOM_UNIFORM | BuiltinOp::MULTINOMIAL => {
            touches.push((Thing::Random, true));
        }
        BuiltinOp::CUSTOM | BuiltinOp::STABLEHLO_CUSTOM_CALL | BuiltinOp::DELEGATE => {
            touches.push((Thing::Custom, true));
        }
        BuiltinOp::CALL => touches.push((Thing::Everything, true)),
        _ if !builtin.is_known() => touches.push((Thing::Custom, true)),
        _ => {}
    }
    touches
}

fn makes_handles(builtin: BuiltinOp) -> bool {
    matches!(builtin, BuiltinOp::VAR_HANDLE | BuiltinOp::HASHTABLE)
}

fn only_reads(builtin: BuiltinOp) -> bool {
    matches!(builtin, BuiltinOp::READ_VARIABLE | BuiltinOp::HASHTABLE_FIND | BuiltinOp::HASHTABLE_SIZE)
}

/// Turns touches into edges, operator by operator.
#[derive(Debug, Default)]
struct Keeper {
    edges: Vec<(usize, usize)>,
    /// Per thing: its last writer, and who read it since.
    last: BTreeMap<Thing, (Option<usize>, Vec<usize>)>,
    /// The last operator that may touch everything, and all with effects since.
    barrier: Option<usize>,
    since: Vec<usize>,
}

impl Keeper {
    fn add(&mut self, op: usize, touches: Touches) {
        if touches.is_empty() {
            return;
        }
        // A resource of unknown name may be any: so its users and those of all others keep their order.
        let is_wide = |thing: &Thing| matches!(thing, Thing::Everything | Thing::AnyResource);
        if touches.iter().any(|(thing, _)| is_wide(thing)) {
            self.edges.extend(self.since.drain(..).chain(self.barrier).map(|before| (before, op)));
            self.barrier = Some(op);
            self.last.clear();
            return;
        }
        self.edges.extend(self.barrier.map(|before| (before, op)));
        self.since.push(op);
        for (thing, is_changed) in touches {
            let (writer, readers) = self.last.entry(thing).or_default();
            if is_changed {
                let before = writer.replace(op).into_iter().chain(readers.drain(..));
                self.edges.extend(before.filter(|before| *before != op).map(|before| (before, op)));
            } else {
                self.edges.extend(writer.filter(|before| *before != op).map(|before| (before, op)));
                readers.push(op);
            }
        }
    }
}
