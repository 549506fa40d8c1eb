//! Reductions (`reduce_common.cc`): besides sums, the reference kernels keep two small index arrays in scratch.

use super::super::machine::{Check, ensure, product};
use super::super::node::{Node, View};
use super::checks::required;
use crate::model::DataType;

/// `PrepareSimple`.
fn simple(node: &mut Node<'_, '_>) -> Check {
    let input = node.input(0)?;
    node.arity(2, 1)?;
    let axis = node.input(1)?;
    ensure(axis.dtype() == DataType::Int32, "the axes are not 32-bit integers")?;
    if input.dtype() == DataType::Int8 {
        node.output(0)?;
    }
    Ok(())
}

fn indices(node: &mut Node<'_, '_>, input: &View<'_>, axis: &View<'_>) -> Check {
    node.scratch("index into the input", product(&[4, input.rank() as u64])?)?;
    node.scratch("resolved axes", product(&[4, axis.elements()?])?)
}

/// `MEAN` and `SUM`.
pub(super) fn mean_or_sum(node: &mut Node<'_, '_>, views: &[Option<View<'_>>]) -> Check {
    let [input, output, axis] = required(views)?;
    if matches!(input.dtype(), DataType::Int8 | DataType::Int16) {
        node.scratch("sums", product(&[4, output.elements()?])?)?;
    }
    indices(node, input, axis)?;
    simple(node)
}

/// `REDUCE_MAX` and `REDUCE_MIN`, whose first two structs the table gives: the rest of `PrepareSimple` follows.
pub(super) fn min_or_max(node: &mut Node<'_, '_>, views: &[Option<View<'_>>]) -> Check {
    let [input, axis] = required(views)?;
    node.arity(2, 1)?;
    ensure(axis.dtype() == DataType::Int32, "the axes are not 32-bit integers")?;
    if input.dtype() == DataType::Int8 {
        node.output(0)?;
    }
    let input = node.input(0)?;
    node.output(0)?;
    let axis = node.input(1)?;
    indices(node, &input, &axis)
}

/// `REDUCE_ALL`.
pub(super) fn all(node: &mut Node<'_, '_>, views: &[Option<View<'_>>]) -> Check {
    let [input, _output, axis] = required(views)?;
    ensure(input.dtype() == DataType::Bool, "the input is not boolean")?;
    simple(node)?;
    indices(node, input, axis)
}
