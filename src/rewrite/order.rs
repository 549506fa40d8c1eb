//! Permutes a subgraph's list of operators in place: each slot gets the reference to another operator's table.

use std::collections::BTreeMap;

use crate::error::{Error, ErrorKind, Result};
use crate::model::Model;
use crate::rewrite::raw::{self, field};
use crate::units::OperatorId;

/// Edges between operators by their index, which another order would turn into nonsense
/// (`kModelControlDependenciesMetadataKey` in `metadata_util.h`, `LiteRT` f67457790c9c).
const CONTROL_DEPENDENCIES: &str = "model_control_dependencies";

/// Puts the operators of each subgraph in the order given; returns whether that is another order.
pub(super) fn permute(bytes: &mut [u8], model: &Model, orders: &[Vec<OperatorId>]) -> Result<bool> {
    check(model, orders)?;
    if orders.iter().all(|order| is_as_given(order)) {
        return Ok(false);
    }
    if model.metadata.iter().any(|entry| entry.name == CONTROL_DEPENDENCIES) {
        let message = "the model names operators by their place (metadata model_control_dependencies)";
        return Err(Error::new(ErrorKind::Refused, message).in_field("metadata"));
    }
    let root = raw::root(bytes)?;
    let Some(subgraphs) = raw::list_at(bytes, root, field::MODEL_SUBGRAPHS)? else { return Ok(false) };
    // Two subgraphs may share one list: it can have one order only.
    let mut done: BTreeMap<usize, &[OperatorId]> = BTreeMap::new();
    for (index, (order, table)) in orders.iter().zip(subgraphs.targets(bytes)?).enumerate() {
        let Some(list) = raw::list_at(bytes, table, field::SUBGRAPH_OPERATORS)? else { continue };
        if let Some(known) = done.insert(list.first, order) {
            if known != order.as_slice() {
                let message = format!("subgraph {index} shares its list of operators with another");
                return Err(Error::new(ErrorKind::Refused, message).at(list.first as u64));
            }
            continue;
        }
        let targets = list.targets(bytes)?;
        for (place, op) in order.iter().enumerate() {
            let target = *targets.get(op.index()).ok_or_else(|| raw::damaged(list.first))?;
            let slot = list.slot(place);
            let distance = target.checked_sub(slot).and_then(|distance| u32::try_from(distance).ok());
            let distance = distance.ok_or_else(|| {
                let message = format!("operator {op} lies before its slot in the list");
                Error::new(ErrorKind::Refused, message).at(slot as u64)
            })?;
            raw::put(bytes, slot, &distance.to_le_bytes())?;
        }
    }
    Ok(true)
}

/// Whether the order is the file's.
fn is_as_given(order: &[OperatorId]) -> bool {
    order.iter().enumerate().all(|(place, op)| op.index() == place)
}

/// Each order must be a permutation of its subgraph's operators.
fn check(model: &Model, orders: &[Vec<OperatorId>]) -> Result<()> {
    if orders.len() > model.subgraphs.len() {
        let message = format!("{} orders, but the model has {} subgraphs", orders.len(), model.subgraphs.len());
        return Err(Error::new(ErrorKind::BadOption, message));
    }
    for (index, (order, subgraph)) in orders.iter().zip(&model.subgraphs).enumerate() {
        let mut sorted = order.clone();
        sorted.sort_unstable();
        if sorted.len() != subgraph.operators.len() || !is_as_given(&sorted) {
            let message = format!("the order of subgraph {index} does not name each of its operators once");
            return Err(Error::new(ErrorKind::BadOption, message));
        }
    }
    Ok(())
}
