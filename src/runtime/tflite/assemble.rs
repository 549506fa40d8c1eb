//! Turns the prepared state into a [`Program`]: buffers with place, span and causes; steps through called subgraphs;
//! one pair of arenas for each subgraph.

use super::graph::{Class, Graph, TensorState, World};
use super::lifetimes::Lifetimes;
use crate::error::{Error, ErrorKind, Result};
use crate::limits;
use crate::model::{OpOptions, Operator};
use crate::plan::{Problem, Request};
use crate::runtime::{Arena, ArenaKind, Buffer, Cause, OperatorRef, Origin, Place, Program, Role, StepInfo, TensorRef};
use crate::units::{ArenaId, BufferId, OperatorId, Span, Step, SubgraphId, TensorId};

/// Alignment of offsets when the user chooses none (`kDefaultTensorAlignment`).
const ALIGNMENT: u64 = 64;

/// The program of a prepared model.
pub(super) fn program(world: World<'_>) -> Result<Program> {
    let ids = BufferIds::new(&world);
    let mut buffers = Vec::new();
    for (graph, state) in graphs(&world) {
        let facts = GraphFacts::new(graph, state);
        let file = world.model.subgraph(graph).tensors.len();
        buffers.extend((0..file).map(|tensor| buffer(&world, &ids, &facts, TensorId::from_index(tensor))));
    }
    for (graph, state) in graphs(&world) {
        let facts = GraphFacts::new(graph, state);
        let file = world.model.subgraph(graph).tensors.len();
        buffers.extend(
            (file..state.tensors.len()).map(|tensor| buffer(&world, &ids, &facts, TensorId::from_index(tensor))),
        );
    }
    let mut arenas = Vec::new();
    for (graph, state) in graphs(&world) {
        arenas.push(arena(&world, &ids, graph, state, ArenaKind::Main)?);
        arenas.push(arena(&world, &ids, graph, state, ArenaKind::Persistent)?);
    }
    let mut steps = Vec::new();
    push_steps(&world, &ids, SubgraphId(0), None, 0, &mut steps)?;
    Ok(Program {
        options: world.options.clone(),
        steps,
        first_label: 0,
        buffers,
        arenas,
        micro: None,
        warnings: world.warnings,
    })
}

/// The subgraphs that an operator runs, in the order they run.
pub(super) fn callees(op: &Operator) -> Vec<SubgraphId> {
    match &op.options {
        OpOptions::If { then_subgraph, else_subgraph } => vec![*then_subgraph, *else_subgraph],
        OpOptions::While { cond_subgraph, body_subgraph } => vec![*cond_subgraph, *body_subgraph],
        OpOptions::CallOnce { init_subgraph } => vec![*init_subgraph],
        OpOptions::StablehloComposite { decomposition_subgraph, .. } => vec![*decomposition_subgraph],
        OpOptions::StablehloCase { branches } => branches.clone(),
        _ => Vec::new(),
    }
}

fn graphs<'a>(world: &'a World<'_>) -> impl Iterator<Item = (SubgraphId, &'a Graph)> {
    world.graphs.iter().enumerate().map(|(index, graph)| (SubgraphId::from_index(index), graph))
}

/// The number of each tensor in the program's list of buffers.
struct BufferIds {
    /// For each subgraph: how many tensors it has in the file, the first one's number, the first added one's number.
    graphs: Vec<(usize, usize, usize)>,
}

impl BufferIds {
    fn new(world: &World<'_>) -> BufferIds {
        let file: usize = world.model.subgraphs.iter().map(|subgraph| subgraph.tensors.len()).sum();
        let (mut next, mut next_added) = (0, file);
        let numbers = graphs(world).map(|(id, graph)| {
            let count = world.model.subgraph(id).tensors.len();
            let numbers = (count, next, next_added);
            next += count;
            next_added += graph.tensors.len() - count;
            numbers
        });
        BufferIds { graphs: numbers.collect() }
    }

    fn of(&self, graph: SubgraphId, tensor: TensorId) -> BufferId {
        let (count, first, first_added) = self.graphs[graph.index()];
        let index = tensor.index();
        BufferId::from_index(if index < count { first + index } else { first_added + index - count })
    }
}

/// What is asked of a subgraph once for each tensor, found once.
struct GraphFacts<'a> {
    id: SubgraphId,
    graph: &'a Graph,
    is_input: Vec<bool>,
    is_output: Vec<bool>,
    maker: Vec<Option<u32>>,
    last_reader: Vec<Option<u32>>,
    is_variable: Vec<bool>,
    in_arena: Vec<bool>,
}

impl<'a> GraphFacts<'a> {
    fn new(id: SubgraphId, graph: &'a Graph) -> GraphFacts<'a> {
        let count = graph.tensors.len();
        let mut facts = GraphFacts {
            id,
            graph,
            is_input: vec![false; count],
            is_output: vec![false; count],
            maker: vec![None; count],
            last_reader: vec![None; count],
            is_variable: vec![false; count],
            in_arena: vec![false; count],
        };
        graph.inputs.iter().flatten().for_each(|tensor| facts.is_input[tensor.index()] = true);
        graph.outputs.iter().flatten().for_each(|tensor| facts.is_output[tensor.index()] = true);
        graph.variables.iter().for_each(|tensor| facts.is_variable[tensor.index()] = true);
        for (index, node) in (0_u32..).zip(&graph.nodes) {
            node.inputs.iter().flatten().for_each(|tensor| facts.last_reader[tensor.index()] = Some(index));
            node.outputs.iter().flatten().for_each(|tensor| facts.maker[tensor.index()] = Some(index));
        }
        for placed in graph.placed.iter().flatten() {
            facts.in_arena[placed.tensor.index()] = true;
        }
        facts
    }

    fn ticks(&self) -> u32 {
        ticks(self.graph)
    }

    fn operator(&self, node: u32) -> OperatorRef {
        OperatorRef { subgraph: self.id, op: OperatorId(node) }
    }
}

fn ticks(graph: &Graph) -> u32 {
    u32::try_from(graph.nodes.len()).unwrap_or(u32::MAX - 1).max(1)
}

/// The root whose bytes a tensor takes, when both lie in the same arena.
fn alias(facts: &GraphFacts<'_>, lifetimes: &Lifetimes, tensor: TensorId) -> Option<TensorId> {
    let root = lifetimes.root(tensor);
    let (state, root_state) = (facts.graph.tensor(tensor), facts.graph.tensor(root));
    let same_arena = state.class == root_state.class && matches!(state.class, Class::Arena | Class::Persistent);
    (root != tensor && same_arena && state.bytes > 0 && facts.in_arena[root.index()]).then_some(root)
}

fn buffer(world: &World<'_>, ids: &BufferIds, facts: &GraphFacts<'_>, tensor: TensorId) -> Buffer {
    let state = facts.graph.tensor(tensor);
    let described = world.model.subgraph(facts.id).tensors.get(tensor.index());
    let root = facts.graph.lifetimes.as_ref().and_then(|lifetimes| alias(facts, lifetimes, tensor));
    let place = place(facts, state, tensor, root.is_some());
    let arena = match place {
        Place::Arena => Some(arena_id(facts.id, ArenaKind::Main)),
        Place::Persistent => Some(arena_id(facts.id, ArenaKind::Persistent)),
        _ => None,
    };
    let live = live(facts, state, tensor, root.is_some());
    let alias_of = root.map(|root| ids.of(facts.id, root));
    Buffer {
        origin: match state.added {
            Some((op, _)) => Origin::Temporary { op: OperatorRef { subgraph: facts.id, op }, index: tensor.0 },
            None => Origin::Tensor(TensorRef { subgraph: facts.id, tensor }),
        },
        name: match (state.added, described) {
            (Some((_, purpose)), _) => purpose.to_owned(),
            (None, described) => described.map_or_else(String::new, |tensor| tensor.name.clone()),
        },
        dtype: state.dtype,
        shape: state.dims.clone(),
        size_bytes: size(state),
        role: role(facts, state, tensor),
        place,
        arena,
        live: if matches!(place, Place::File | Place::None) { None } else { live },
        alias_of,
        causes: causes(world, facts, state, tensor, alias_of),
    }
}

fn size(state: &TensorState) -> Option<u64> {
    let heap_type = state.dtype.is_some_and(super::bytes::is_heap_type);
    if heap_type && state.class != Class::File { None } else { Some(state.bytes) }
}

fn role(facts: &GraphFacts<'_>, state: &TensorState, tensor: TensorId) -> Role {
    let index = tensor.index();
    if state.added.is_some() {
        Role::Temporary
    } else if state.class == Class::File {
        Role::Constant
    } else if facts.is_variable[tensor.index()] {
        Role::Variable
    } else if facts.is_input[index] {
        Role::Input
    } else if facts.is_output[index] {
        Role::Output
    } else {
        Role::Intermediate
    }
}

fn place(facts: &GraphFacts<'_>, state: &TensorState, tensor: TensorId, shares: bool) -> Place {
    let placed = shares || facts.in_arena[tensor.index()];
    match state.class {
        Class::File => Place::File,
        Class::Arena if placed => Place::Arena,
        Class::Persistent if placed => Place::Persistent,
        Class::Dynamic | Class::Folded => Place::Heap,
        Class::Custom => Place::External,
        Class::Arena | Class::Persistent | Class::Unset => Place::None,
    }
}

/// When a tensor keeps its bytes: as the planner has it; for one that shares, from its birth to its own last reader.
fn live(facts: &GraphFacts<'_>, state: &TensorState, tensor: TensorId, shares: bool) -> Option<Span> {
    let index = tensor.index();
    let lifetimes = facts.graph.lifetimes.as_ref()?;
    let first = (*lifetimes.first.get(index)?)?;
    let end = facts.ticks() - 1;
    let last = match state.class {
        Class::Persistent => end,
        _ if shares && !facts.is_output[index] => facts.last_reader[index].unwrap_or(end),
        _ => lifetimes.last.get(index).copied().flatten().unwrap_or(end),
    };
    Some(Span::from_inclusive(Step(first), Step(last.max(first))))
}

fn causes(
    world: &World<'_>,
    facts: &GraphFacts<'_>,
    state: &TensorState,
    tensor: TensorId,
    alias_of: Option<BufferId>,
) -> Vec<Cause> {
    let index = tensor.index();
    let mut causes = Vec::new();
    if let Some((op, _)) = state.added {
        causes.push(Cause::Kernel(OperatorRef { subgraph: facts.id, op }));
    }
    causes.extend(alias_of.map(Cause::SharesWith));
    match state.class {
        Class::File => return causes,
        Class::Dynamic => causes.push(Cause::DynamicShape),
        Class::Folded => causes.push(Cause::ConstantFolded),
        _ => {}
    }
    if facts.is_variable[tensor.index()] {
        causes.push(Cause::Variable);
    }
    if facts.is_input[index] {
        causes.push(Cause::GraphInput);
    }
    if facts.is_output[index] {
        causes.push(Cause::GraphOutput);
    }
    if world.options.preserve_all_tensors {
        causes.push(Cause::PreserveAll);
    }
    causes.extend(facts.maker[index].map(|node| Cause::MadeBy(facts.operator(node))));
    match facts.last_reader[index] {
        Some(node) => causes.push(Cause::LastReader(facts.operator(node))),
        None if state.added.is_some() || facts.is_output[index] => {}
        None if facts.maker[index].is_some() || facts.is_input[index] => causes.push(Cause::NeverRead),
        None => causes.push(Cause::NeverUsed),
    }
    causes
}

fn arena_id(graph: SubgraphId, kind: ArenaKind) -> ArenaId {
    ArenaId(2 * graph.0 + u32::from(kind == ArenaKind::Persistent))
}

fn arena(world: &World<'_>, ids: &BufferIds, id: SubgraphId, graph: &Graph, kind: ArenaKind) -> Result<Arena> {
    let ticks = ticks(graph);
    let (mut requests, mut buffers) = (Vec::new(), Vec::new());
    for placed in graph.placed.iter().flatten().filter(|placed| placed.persistent == (kind == ArenaKind::Persistent)) {
        let last = placed.last.unwrap_or(ticks - 1).max(placed.first);
        let live = Span::from_inclusive(Step(placed.first), Step(last));
        requests.push(Request::new(placed.bytes, live).in_batch(placed.batch).staying(placed.stays));
        buffers.push(ids.of(id, placed.tensor));
    }
    let problem = Problem::new(requests, world.options.alignment.unwrap_or(ALIGNMENT))?;
    Ok(Arena { subgraph: id, kind, problem, buffers, ticks })
}

/// Appends the steps of a subgraph; after a calling operator those of the subgraphs that it runs, each once.
fn push_steps(
    world: &World<'_>,
    ids: &BufferIds,
    id: SubgraphId,
    caller: Option<Step>,
    depth: usize,
    steps: &mut Vec<StepInfo>,
) -> Result<()> {
    if depth > limits::MAX_CALL_DEPTH {
        let message = format!("calls between subgraphs nest deeper than {}", limits::MAX_CALL_DEPTH);
        return Err(Error::new(ErrorKind::TooLarge, message).in_field(format!("subgraphs[{id}]")));
    }
    for ((op_id, op), node) in world.model.operators(id).zip(&world.graph(id).nodes) {
        let most = world.model.main().operators.len() + limits::MAX_CALLED_OPERATORS;
        if steps.len() >= most {
            return Err(Error::new(ErrorKind::TooLarge, format!("the execution has more than {most} steps")));
        }
        let buffers =
            |tensors: &[Option<TensorId>]| tensors.iter().flatten().map(|&tensor| ids.of(id, tensor)).collect();
        let step = Step::from_index(steps.len());
        steps.push(StepInfo {
            subgraph: id,
            op: Some(op_id),
            name: world.model.op_name(op).to_owned(),
            arena: arena_id(id, ArenaKind::Main),
            tick: Step(op_id.0),
            caller,
            reads: buffers(&node.inputs),
            writes: buffers(&node.outputs),
            scratch: node.temporaries.iter().map(|&tensor| ids.of(id, tensor)).collect(),
        });
        for callee in callees(op) {
            push_steps(world, ids, callee, Some(step), depth + 1, steps)?;
        }
    }
    Ok(())
}
