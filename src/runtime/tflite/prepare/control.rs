//! Operators that run other subgraphs (`if.cc`, `while.cc`, `call_once.cc`, `stablehlo_composite.cc`,
//! `stablehlo_case.cc`). Preparing them prepares what they run.

use super::super::allocate::allocate;
use super::super::bytes;
use super::super::graph::{Class, Graph};
use super::{Context, Kernel};
use crate::error::{Result, Warning};
use crate::model::{BuiltinOp, DataType, OpOptions};
use crate::units::{SubgraphId, TensorId};

/// The kernels of this family.
pub(super) const KERNELS: &[Kernel] = &[
    Kernel::new(BuiltinOp::IF, prepare_if),
    Kernel::new(BuiltinOp::WHILE, prepare_while),
    Kernel::new(BuiltinOp::CALL_ONCE, call_once),
    Kernel::new(BuiltinOp::STABLEHLO_COMPOSITE, composite),
    Kernel::new(BuiltinOp::STABLEHLO_CASE, case),
];

fn prepare_if(context: &mut Context<'_, '_>) -> Result<()> {
    let OpOptions::If { then_subgraph, else_subgraph } = *context.options() else {
        return Err(context.refuse("the options are missing"));
    };
    let condition = context.input(0)?;
    let boolean = context.is(condition, DataType::Bool) && context.elements(condition) == 1;
    context.ensure(boolean, "the condition is not one bool")?;
    branches(context, &[then_subgraph, else_subgraph], 1)
}

fn composite(context: &mut Context<'_, '_>) -> Result<()> {
    let OpOptions::StablehloComposite { decomposition_subgraph, .. } = *context.options() else {
        return Err(context.refuse("the options are missing"));
    };
    branches(context, &[decomposition_subgraph], 0)
}

fn case(context: &mut Context<'_, '_>) -> Result<()> {
    let OpOptions::StablehloCase { branches: subgraphs } = context.options() else {
        return Err(context.refuse("the options are missing"));
    };
    let index = context.input(0)?;
    let number = context.is(index, DataType::Int32) && context.elements(index) == 1;
    context.ensure(number && !subgraphs.is_empty(), "the branch's index is not one int32")?;
    branches(context, subgraphs, 1)
}

/// Prepares all branches, of which one will run with the node's inputs behind the first `skip`: they take the
/// inputs' bytes. Outputs have the branches' dims when those agree, else they are dynamic.
fn branches(context: &mut Context<'_, '_>, subgraphs: &[SubgraphId], skip: usize) -> Result<()> {
    for &subgraph in subgraphs {
        check_arity(context, subgraph, skip)?;
    }
    for &subgraph in subgraphs {
        remove_unused_inputs(context.world().graph_mut(subgraph));
    }
    for &subgraph in subgraphs {
        copy_shapes(context, subgraph, skip)?;
    }
    let mut dynamic = false;
    for &subgraph in subgraphs {
        bind_inputs(context.world().graph_mut(subgraph));
        allocate(context.world(), subgraph)?;
        dynamic |= context.world().graph(subgraph).has_dynamic;
    }
    let shapes: Vec<Vec<Vec<i32>>> =
        subgraphs.iter().map(|&subgraph| output_dims(context.world().graph(subgraph))).collect();
    dynamic |= shapes.iter().any(|other| *other != shapes[0]);
    for (index, dims) in shapes.into_iter().next().into_iter().flatten().enumerate() {
        let Some(output) = context.optional_output(index) else { continue };
        if dynamic {
            context.set_dynamic(output);
        } else {
            context.resize(output, dims)?;
        }
    }
    Ok(())
}

fn prepare_while(context: &mut Context<'_, '_>) -> Result<()> {
    let OpOptions::While { cond_subgraph: cond, body_subgraph: body } = *context.options() else {
        return Err(context.refuse("the options are missing"));
    };
    let count = context.input_count();
    context.ensure(context.output_count() == count, "the numbers of inputs and outputs differ")?;
    context.ensure(cond != body, "condition and body are the same subgraph")?;
    check_arity(context, body, 0)?;
    let (inputs, outputs) = (context.world().graph(cond).inputs.len(), context.world().graph(cond).outputs.len());
    context.ensure(inputs == count && outputs == 1, "the condition's inputs or outputs do not fit")?;

    remove_unused_inputs(context.world().graph_mut(cond));
    copy_shapes(context, cond, 0)?;
    allocate(context.world(), cond)?;
    copy_shapes(context, body, 0)?;
    drop_unchanged_outputs(context, body);
    bind_inputs(context.world().graph_mut(body));
    allocate(context.world(), body)?;
    let dynamic = context.world().graph(body).has_dynamic || body_changes_shape(context.world().graph(body));
    let dims = output_dims(context.world().graph(body));
    for (index, dims) in dims.into_iter().enumerate() {
        let Some(output) = context.optional_output(index) else { continue };
        if dynamic {
            context.set_dynamic(output);
        } else {
            context.resize(output, dims)?;
        }
    }
    Ok(())
}

/// A WHILE output that the body only hands through and nobody reads is not made at all.
fn drop_unchanged_outputs(context: &mut Context<'_, '_>, body: SubgraphId) {
    let readers = context.graph().reader_counts();
    for index in 0..context.output_count() {
        let Some(output) = context.optional_output(index) else { continue };
        let graph = context.world().graph(body);
        let through = graph.inputs[index].filter(|_| graph.inputs[index] == graph.outputs[index]);
        let Some(input) = through.filter(|_| readers[output.index()] == 0) else { continue };
        if graph.tensor(input).dtype.is_some_and(|dtype| !bytes::is_heap_type(dtype)) {
            context.drop_output(index);
        }
    }
}

/// Whether a pass through the body would change some dims; a scalar and one element count as the same.
fn body_changes_shape(body: &Graph) -> bool {
    let leading = |dims: &[i32]| i64::from(dims.first().copied().unwrap_or(0));
    body.inputs.iter().zip(&body.outputs).any(|(input, output)| {
        let (Some(input), Some(output)) = (input, output) else { return false };
        let (input, output) = (&body.tensor(*input).dims, &body.tensor(*output).dims);
        input != output && leading(input) + leading(output) != 1
    })
}

/// Preparing it only looks: the subgraph is planned and run at the first run, and its arena is let go after it.
fn call_once(context: &mut Context<'_, '_>) -> Result<()> {
    let OpOptions::CallOnce { init_subgraph } = *context.options() else {
        return Err(context.refuse("the options are missing"));
    };
    let (graph, _) = context.place();
    context.ensure(graph != init_subgraph, "it would call its own subgraph")?;
    let init = context.world().graph(init_subgraph);
    let closed = init.inputs.is_empty() && init.outputs.is_empty();
    context.ensure(closed && context.input_count() == 0, "the subgraph has inputs or outputs")?;
    if context.world().graph(init_subgraph).placed.is_some() {
        return Ok(());
    }
    if let Err(error) = allocate(context.world(), init_subgraph) {
        let message = format!("CALL_ONCE: the first run will fail, for subgraph {init_subgraph} is refused: {error}");
        context.warn(Warning::new("unplanned-subgraph", message));
    }
    Ok(())
}

fn check_arity(context: &mut Context<'_, '_>, subgraph: SubgraphId, skip: usize) -> Result<()> {
    let (inputs, outputs) = (context.input_count(), context.output_count());
    let callee = context.world().graph(subgraph);
    let fits = callee.inputs.len() + skip == inputs && callee.outputs.len() == outputs;
    context.ensure(fits, &format!("the inputs or outputs of subgraph {subgraph} do not fit"))
}

/// `RemoveUnusedInputs`: inputs that nobody in the subgraph reads get no bytes.
fn remove_unused_inputs(graph: &mut Graph) {
    let readers = graph.reader_counts();
    for index in 0..graph.inputs.len() {
        if let Some(input) = graph.inputs[index].filter(|input| readers[input.index()] == 0) {
            graph.tensor_mut(input).bytes = 0;
            graph.inputs[index] = None;
        }
    }
}

/// Gives the callee's inputs the dims and types of the node's inputs behind the first `skip`.
fn copy_shapes(context: &mut Context<'_, '_>, subgraph: SubgraphId, skip: usize) -> Result<()> {
    for index in 0..context.input_count().saturating_sub(skip) {
        let Some(to) = context.world().graph(subgraph).inputs[index] else { continue };
        let from = context.input(index + skip)?;
        let (dims, dtype) = (context.dims(from).to_vec(), context.dtype(from));
        let target = context.world().graph_mut(subgraph).tensor_mut(to);
        if target.class != Class::File {
            target.bytes = target.dtype.and_then(|dtype| bytes::tensor_bytes(dtype, &dims)).unwrap_or(0);
            target.dims = dims;
        }
        target.dtype = dtype;
    }
    Ok(())
}

/// The callee's inputs take the bytes of the caller's tensors.
fn bind_inputs(graph: &mut Graph) {
    let inputs: Vec<TensorId> = graph.inputs.iter().flatten().copied().collect();
    for input in inputs {
        let tensor = graph.tensor_mut(input);
        if !matches!(tensor.dtype, Some(DataType::Resource | DataType::Variant)) {
            tensor.class = Class::Custom;
        }
    }
}

fn output_dims(graph: &Graph) -> Vec<Vec<i32>> {
    let dims = |output: &Option<TensorId>| output.map_or_else(Vec::new, |output| graph.tensor(output).dims.clone());
    graph.outputs.iter().map(dims).collect()
}
