//! The last look at a written file: beside the change, it must mean what the old one meant, weight by weight.

use crate::error::{Error, ErrorKind, Result};
use crate::model::{BufferData, Metadata, Model, OpOptions, Operator, Subgraph, Tensor};
use crate::rewrite::Change;
use crate::rewrite::plan::OFFLINE_PLAN;

/// Compares the model `new` (read from `new_bytes`) with `old`; `shift` is the length of the prefix.
///
/// # Errors
/// When they differ: a bug of ours, told as an error so that no wrong model leaves this program.
pub(super) fn check(
    old_bytes: &[u8],
    old: &Model,
    new_bytes: &[u8],
    new: &Model,
    change: &Change<'_>,
    shift: u64,
) -> Result<()> {
    let is_kept = |what: &str, holds: bool| {
        let message = format!("the written model differs in {what}: please report this");
        if holds { Ok(()) } else { Err(Error::new(ErrorKind::Refused, message)) }
    };
    is_kept("its version or description", old.version == new.version && old.description == new.description)?;
    is_kept("its operator codes", old.operator_codes == new.operator_codes)?;
    is_kept("its signatures", old.signatures == new.signatures)?;
    is_kept("the number of subgraphs", old.subgraphs.len() == new.subgraphs.len())?;
    for (index, (before, after)) in old.subgraphs.iter().zip(&new.subgraphs).enumerate() {
        let order = change.orders.and_then(|orders| orders.get(index));
        let operators: Vec<Operator> = match order {
            Some(order) => order.iter().map(|op| moved_operator(&before.operators[op.index()], shift)).collect(),
            None => before.operators.iter().map(|op| moved_operator(op, shift)).collect(),
        };
        let tensors = before.tensors.iter().map(|tensor| moved_tensor(tensor, shift)).collect();
        let expected = Subgraph { tensors, operators, ..before.clone() };
        is_kept(&format!("subgraph {index}"), expected == *after)?;
    }
    let is_plan = |entry: &&Metadata| change.plan.is_some() && entry.name == OFFLINE_PLAN;
    let others = |model: &Model| model.metadata.iter().filter(|entry| !is_plan(entry)).cloned().collect::<Vec<_>>();
    is_kept("its metadata", others(old) == others(new))?;
    let plan_buffers: Vec<u32> = old.metadata.iter().filter(is_plan).map(|entry| entry.buffer).collect();
    for (index, before) in old.buffers.iter().enumerate() {
        let is_the_plan = u32::try_from(index).is_ok_and(|index| plan_buffers.contains(&index));
        let after = new.buffers.get(index).map(|buffer| data(new_bytes, &buffer.data));
        is_kept(&format!("buffer {index}"), is_the_plan || after == Some(data(old_bytes, &before.data)))?;
    }
    if let Some(plan) = change.plan {
        let entries: Vec<&Metadata> = new.metadata.iter().filter(is_plan).collect();
        let buffer = entries.first().and_then(|entry| new.buffers.get(entry.buffer as usize));
        let written = buffer.and_then(|buffer| data(new_bytes, &buffer.data));
        is_kept("its plan", entries.len() == 1 && written == Some(plan.to_bytes().as_slice()))?;
    }
    Ok(())
}

fn data<'a>(bytes: &'a [u8], data: &BufferData) -> Option<&'a [u8]> {
    match data {
        BufferData::Empty => None,
        BufferData::File(range) => {
            let ends = (usize::try_from(range.start).ok()?, usize::try_from(range.end).ok()?);
            bytes.get(ends.0..ends.1)
        }
    }
}

fn moved_operator(op: &Operator, shift: u64) -> Operator {
    let options = match &op.options {
        OpOptions::Custom { bytes } => OpOptions::Custom { bytes: bytes.start + shift..bytes.end + shift },
        others => others.clone(),
    };
    Operator { byte_offset: op.byte_offset + shift, options, ..op.clone() }
}

fn moved_tensor(tensor: &Tensor, shift: u64) -> Tensor {
    Tensor { byte_offset: tensor.byte_offset + shift, ..tensor.clone() }
}
