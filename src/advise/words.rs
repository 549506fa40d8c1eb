//! Tensors and operators in words.

use crate::model::Model;
use crate::runtime::{OperatorRef, Program};
use crate::units::BufferId;

/// Characters of a tensor's name that are shown: names of whole scopes run over lines.
const MAX_NAME: usize = 48;

/// `t31 "block_2/relu" (36864 B)`.
pub(super) fn buffer(program: &Program, id: BufferId) -> String {
    let buffer = program.buffer(id);
    let bytes = buffer.size_bytes.map(|bytes| format!(" ({bytes} B)")).unwrap_or_default();
    let name = clean(&buffer.name);
    if name.is_empty() {
        return format!("{}{bytes}", buffer.reference());
    }
    format!("{} \"{name}\"{bytes}", buffer.reference())
}

/// `CONV_2D (op 14)`.
pub(super) fn op(model: &Model, op: OperatorRef) -> String {
    let subgraph = model.subgraph(op.subgraph);
    let name = subgraph.operators.get(op.op.index()).map_or("operator", |operator| model.op_name(operator));
    let place = if op.subgraph.0 == 0 { String::new() } else { format!(" of subgraph {}", op.subgraph) };
    format!("{} (op {}{place})", clean(name), op.op)
}

/// `a`, `a and b`, `a, b and 3 more`.
pub(super) fn list(items: &[String], most: usize) -> String {
    let shown = items.len().min(most);
    match (items.len() - shown, items.get(..shown).unwrap_or_default()) {
        (0, [all @ .., last]) if !all.is_empty() => format!("{} and {last}", all.join(", ")),
        (0, shown) => shown.concat(),
        (rest, shown) => format!("{} and {rest} more", shown.join(", ")),
    }
}

/// A name on one line, cut to length from the front: the end of a scoped name says most.
fn clean(name: &str) -> String {
    let name: String = name.chars().map(|one| if one.is_control() { ' ' } else { one }).collect();
    let count = name.chars().count();
    if count <= MAX_NAME {
        return name;
    }
    let tail: String = name.chars().skip(count - (MAX_NAME - 1)).collect();
    format!("…{tail}")
}
