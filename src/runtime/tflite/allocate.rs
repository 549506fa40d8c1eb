//! What `AllocateTensors` and the run after it do to one subgraph: prepare the operators batch by batch, and after each
//! batch hand its tensors to the arenas (`tflite/core/subgraph.cc`, `LiteRT` f67457790c9c).

use super::graph::{Class, World};
use super::lifetimes::{InPlace, Lifetimes};
use super::prepare;
use crate::error::{Error, ErrorKind, Result, Warning};
use crate::limits;
use crate::units::SubgraphId;

/// Prepares and plans a subgraph from its first operator; what lies in its arenas is then in `placed`.
///
/// A batch ends with the first operator that has an output on the heap. The real run goes on when that operator has
/// been evaluated; here the shapes of the file stand for what it would give.
pub(super) fn allocate(world: &mut World<'_>, id: SubgraphId) -> Result<()> {
    if world.calls.contains(&id) || world.calls.len() >= limits::MAX_CALL_DEPTH {
        let message = format!("subgraph {id} calls itself, or calls nest deeper than {}", limits::MAX_CALL_DEPTH);
        return Err(Error::new(ErrorKind::Refused, message).in_field(format!("subgraphs[{id}]")));
    }
    world.calls.push(id);
    let done = allocate_batches(world, id);
    world.calls.pop();
    done
}

fn allocate_batches(world: &mut World<'_>, id: SubgraphId) -> Result<()> {
    let nodes = world.graph(id).nodes.len();
    let dynamic_output = world.graph(id).outputs.iter().flatten().any(|&tensor| is_dynamic(world, id, tensor.index()));
    world.graph_mut(id).has_dynamic = dynamic_output;
    let in_place: Vec<InPlace> =
        world.model.operators(id).map(|(_, op)| prepare::in_place(world.model.code(op).builtin)).collect();
    let preserve_all = world.options.preserve_all_tensors;
    let mut placed = Vec::new();
    let mut start = 0;
    for batch in 0_u32.. {
        let end = prepare_batch(world, id, start, batch > 0)?;
        let graph = world.graph_mut(id);
        let mut lifetimes = graph.lifetimes.take().unwrap_or_else(|| Lifetimes::plan(graph, &in_place, preserve_all));
        placed.extend(lifetimes.execute(graph, start..end.max(start + 1), batch, preserve_all));
        graph.lifetimes = Some(lifetimes);
        start = end;
        if start >= nodes {
            break;
        }
        assume_outputs(world, id, start - 1);
    }
    world.graph_mut(id).placed = Some(placed);
    Ok(())
}

/// Prepares operators from `start` on; gives the end of the batch. In a later batch the shapes stand on what the file
/// says of earlier outputs; where these do not fit together, the operator's outputs are taken as in the file too.
fn prepare_batch(world: &mut World<'_>, id: SubgraphId, start: usize, assumed: bool) -> Result<usize> {
    let nodes = world.graph(id).nodes.len();
    for node in start..nodes {
        match prepare::prepare(world, id, node) {
            Ok(()) => {}
            Err(error) if assumed && error.kind != ErrorKind::TooLarge => doubt(world, id, &error),
            Err(error) => return Err(error),
        }
        let outputs = world.graph(id).nodes[node].outputs.clone();
        let ends_batch = world.graph(id).nodes[node].ends_batch;
        if ends_batch || outputs.iter().flatten().any(|tensor| is_dynamic(world, id, tensor.index())) {
            world.graph_mut(id).has_dynamic = true;
            return Ok(node + 1);
        }
    }
    Ok(nodes)
}

/// Says, once a subgraph, that the file's shapes do not fit together.
fn doubt(world: &mut World<'_>, id: SubgraphId, error: &Error) {
    let start =
        format!("subgraph {id}: the shapes in the file, assumed where they depend on data, do not fit together: ");
    if !world.warnings.iter().any(|warning| warning.message.starts_with(&start)) {
        world.warnings.push(Warning::new("assumed-shape", format!("{start}{error}")));
    }
}

fn is_dynamic(world: &World<'_>, id: SubgraphId, tensor: usize) -> bool {
    world.graph(id).tensors[tensor].class == Class::Dynamic
}

/// Gives dynamic outputs of a node the shapes of the file, marked as assumed; says so at a subgraph's first.
fn assume_outputs(world: &mut World<'_>, id: SubgraphId, node: usize) {
    let start = format!("subgraph {id}: from here on shapes depend on data");
    if !world.warnings.iter().any(|warning| warning.message.starts_with(&start)) {
        let name = world.model.op_name(&world.model.subgraph(id).operators[node]);
        let message = format!("{start}: operator {node} ({name}); what follows is planned with the shapes in the file");
        world.warnings.push(Warning::new("dynamic-shape", message));
    }
    let file = &world.model.subgraph(id).tensors;
    let outputs = world.graph(id).nodes[node].outputs.clone();
    for output in outputs.into_iter().flatten() {
        let tensor = world.graph_mut(id).tensor_mut(output);
        if tensor.class != Class::Dynamic {
            continue;
        }
        tensor.assumed = true;
        if let Some(described) = file.get(output.index()) {
            tensor.dims.clone_from(&described.shape);
            tensor.bytes = tensor.dtype.and_then(|dtype| super::bytes::tensor_bytes(dtype, &tensor.dims)).unwrap_or(0);
        }
    }
}
