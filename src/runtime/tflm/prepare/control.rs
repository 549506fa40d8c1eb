//! Control flow and resource variables.

use super::super::machine::{Check, Stop, ensure, product};
use super::super::node::{Node, View};
use super::super::types;
use crate::model::{DataType, OpOptions};

/// `IF`, `WHILE`, `CALL_ONCE`: `condition` is the first input of an `IF`.
pub(super) fn call(node: &mut Node<'_, '_>, condition: Option<&View<'_>>) -> Check {
    let (inputs, outputs) = (node.op.inputs.len(), node.op.outputs.len());
    match *node.options() {
        OpOptions::If { then_subgraph, .. } => {
            let condition = condition.ok_or_else(|| Stop::new("the condition is missing"))?;
            ensure(condition.dtype() == DataType::Bool, "the condition is not boolean")?;
            ensure(condition.elements()? == 1, "the condition is not one element")?;
            let fits = node.subgraph_arity(then_subgraph) == (inputs - 1, outputs);
            ensure(fits, "the branch has another number of inputs or outputs")
        }
        OpOptions::While { cond_subgraph, body_subgraph } => {
            let (condition_inputs, _) = node.subgraph_arity(cond_subgraph);
            let fits = condition_inputs == inputs && node.subgraph_arity(body_subgraph) == (inputs, inputs);
            ensure(fits && inputs == outputs, "the loop's subgraphs have another number of inputs or outputs")
        }
        OpOptions::CallOnce { .. } => node.arity(0, 0),
        _ => Err(Stop::crash("the file does not say which subgraph to call")),
    }
}

/// `VAR_HANDLE`: gives its output an id, by container and name.
pub(super) fn var_handle(node: &mut Node<'_, '_>) -> Check {
    let (container, name) = match node.options() {
        OpOptions::VarHandle { container, shared_name } => (container.clone(), shared_name.clone()),
        _ => (String::new(), String::new()),
    };
    let resources = &mut node.machine.resources;
    let found = resources.iter().position(|(own, own_name, _)| *own == container && *own_name == name);
    let id = found.unwrap_or(resources.len());
    if found.is_none() {
        if node.machine.options.resource_variables.is_some_and(|limit| id >= limit as usize) {
            return Err(Stop::says(
                "the application's table of resource variables is too small",
                format!("Failed to allocate resource variable. Maximum resource variable count ({id}) reached."),
            ));
        }
        resources.push((container, name, false));
    }
    let output = node.output_ref(0).ok_or_else(|| Stop::crash("VAR_HANDLE has no output"))?;
    node.machine.handles.insert(output, id);
    Ok(())
}

/// `ASSIGN_VARIABLE`: the first one whose handle is known allocates the variable.
pub(super) fn assign_variable(node: &mut Node<'_, '_>, value: Option<&View<'_>>) -> Check {
    node.arity(2, 0)?;
    let handle = node.input_ref(0).ok_or_else(|| Stop::crash("the handle is missing"))?;
    let dtype = node.machine.tensor(handle).dtype;
    ensure(matches!(dtype, DataType::Resource | DataType::Int32), "the handle is neither a resource nor an integer")?;
    ensure(types::elements(node.machine.dims(handle)) == Some(1), "the handle is not one element")?;
    let value = value.ok_or_else(|| Stop::crash("the value is missing"))?;
    let id = match node.machine.handles.get(&handle) {
        Some(id) => Some(*id),
        None => node.machine.constant(handle).and_then(|data| {
            let word = data.get(..4)?.try_into().ok()?;
            usize::try_from(i32::from_le_bytes(word)).ok()
        }),
    };
    let Some(id) = id else { return Ok(()) };
    // The struct's `bytes` are those of the file's shape, whatever a kernel has made of the dims since.
    let bytes = types::bytes(value.dtype(), &value.tensor.shape).map_or_else(|| product(&[u64::MAX, 2]), Ok)?;
    let known = node.machine.resources.len();
    let Some((_, _, allocated)) = node.machine.resources.get_mut(id) else {
        return Err(Stop::says(
            format!("resource variable {id} does not exist; there are {known}"),
            format!("Attempting to read non-existent resource variable {id}"),
        ));
    };
    if !*allocated {
        *allocated = true;
        node.persistent("resource variable", bytes);
    }
    Ok(())
}
