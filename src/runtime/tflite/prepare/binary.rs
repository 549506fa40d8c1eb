//! Element by element over two or more inputs that broadcast (`add.cc`, `sub.cc`, `mul.cc`, `div.cc`, `pow.cc`,
//! `maximum_minimum.cc`, `comparisons.cc`, `logical.cc`, `select.cc`, `add_n.cc` …).

use super::super::graph::Class;
use super::super::lifetimes::InPlace;
use super::shape::{MAX_FOLLOWED_ELEMENTS, copy_type, flat, gather_by};
use super::{Context, Kernel};
use crate::error::Result;
use crate::model::{BuiltinOp, DataType};
use crate::units::TensorId;

/// The kernels of this family.
pub(super) const KERNELS: &[Kernel] = &[
    Kernel::new(BuiltinOp::ADD, arithmetic).in_place(InPlace::Either),
    Kernel::new(BuiltinOp::SUB, arithmetic).in_place(InPlace::Either),
    Kernel::new(BuiltinOp::MUL, multiply).in_place(InPlace::Either),
    Kernel::new(BuiltinOp::DIV, arithmetic).in_place(InPlace::Either),
    Kernel::new(BuiltinOp::POW, arithmetic),
    Kernel::new(BuiltinOp::MAXIMUM, arithmetic),
    Kernel::new(BuiltinOp::MINIMUM, arithmetic),
    Kernel::new(BuiltinOp::FLOOR_DIV, arithmetic),
    Kernel::new(BuiltinOp::FLOOR_MOD, arithmetic),
    Kernel::new(BuiltinOp::SQUARED_DIFFERENCE, arithmetic),
    Kernel::new(BuiltinOp::ATAN2, arithmetic),
    Kernel::new(BuiltinOp::BITWISE_XOR, arithmetic),
    Kernel::new(BuiltinOp::RIGHT_SHIFT, arithmetic),
    Kernel::new(BuiltinOp::LOGICAL_OR, arithmetic),
    Kernel::new(BuiltinOp::LOGICAL_AND, arithmetic),
    Kernel::new(BuiltinOp::EQUAL, compare),
    Kernel::new(BuiltinOp::NOT_EQUAL, compare),
    Kernel::new(BuiltinOp::LESS, compare),
    Kernel::new(BuiltinOp::LESS_EQUAL, compare),
    Kernel::new(BuiltinOp::GREATER, compare),
    Kernel::new(BuiltinOp::GREATER_EQUAL, compare),
    Kernel::new(BuiltinOp::SELECT, select),
    Kernel::new(BuiltinOp::SELECT_V2, select_v2),
    Kernel::new(BuiltinOp::ADD_N, add_n).added_at_load(1),
];

/// The dims of two operands element by element (`CalculateShapeForBroadcast`); `None` when they do not go together.
pub(super) fn broadcast(first: &[i32], second: &[i32]) -> Option<Vec<i32>> {
    let rank = first.len().max(second.len());
    let dim = |dims: &[i32], axis: usize| (axis + dims.len()).checked_sub(rank).map_or(1, |at| dims[at]);
    (0..rank)
        .map(|axis| match (dim(first, axis), dim(second, axis)) {
            (a, b) if a != b && a != 1 && b != 1 => None,
            (a, b) if a == 0 || b == 0 => Some(0),
            (a, b) => Some(a.max(b)),
        })
        .collect()
}

fn broadcast_inputs(context: &Context<'_, '_>, first: TensorId, second: TensorId) -> Result<Vec<i32>> {
    let (first, second) = (context.dims(first), context.dims(second));
    broadcast(first, second).ok_or_else(|| context.refuse(&format!("{first:?} and {second:?} do not broadcast")))
}

fn same_types(context: &Context<'_, '_>, first: TensorId, second: TensorId) -> Result<()> {
    context.ensure(context.dtype(first) == context.dtype(second), "the inputs' types differ")
}

fn arithmetic(context: &mut Context<'_, '_>) -> Result<()> {
    let (first, second, output) = (context.input(0)?, context.input(1)?, context.output(0)?);
    same_types(context, first, second)?;
    copy_type(context, second, output);
    let dims = broadcast_inputs(context, first, second)?;
    context.resize(output, dims)
}

/// MUL computes the product of constants while preparing.
fn multiply(context: &mut Context<'_, '_>) -> Result<()> {
    let (first, second, output) = (context.input(0)?, context.input(1)?, context.output(0)?);
    same_types(context, first, second)?;
    let dims = broadcast_inputs(context, first, second)?;
    if !(context.is_constant_or_folded(first) && context.is_constant_or_folded(second)) {
        return context.resize(output, dims);
    }
    context.set_folded(output);
    context.resize(output, dims.clone())?;
    if context.elements(output) > MAX_FOLLOWED_ELEMENTS {
        return Ok(());
    }
    let (Some(a), Some(b)) = (context.ints(first), context.ints(second)) else { return Ok(()) };
    let (a_dims, b_dims) = (context.dims(first).to_vec(), context.dims(second).to_vec());
    let pick = |values: &[i64], from: &[i32], at: &[usize]| {
        let within = &at[at.len() - from.len()..];
        let within: Vec<usize> = within.iter().zip(from).map(|(&at, &dim)| if dim == 1 { 0 } else { at }).collect();
        values.get(flat(&within, from)).copied().unwrap_or(0)
    };
    let values = gather_by(&dims, |at| pick(&a, &a_dims, at).wrapping_mul(pick(&b, &b_dims, at)));
    context.fold_ints(output, &values);
    Ok(())
}

fn compare(context: &mut Context<'_, '_>) -> Result<()> {
    let (first, second, output) = (context.input(0)?, context.input(1)?, context.output(0)?);
    same_types(context, first, second)?;
    context.set_type(output, DataType::Bool);
    let dims = broadcast_inputs(context, first, second)?;
    context.resize(output, dims)
}

fn select(context: &mut Context<'_, '_>) -> Result<()> {
    select_in(context, |context, [condition, yes, no]| {
        let low_rank = context.rank(condition) == 0
            || (context.rank(condition) == 1 && context.dims(condition).first() == context.dims(yes).first());
        context.ensure(low_rank && context.dims(yes) == context.dims(no), "the shapes of the inputs differ")?;
        Ok(context.dims(yes).to_vec())
    })
}

fn select_v2(context: &mut Context<'_, '_>) -> Result<()> {
    select_in(context, |context, [condition, yes, no]| {
        let dims = broadcast_inputs(context, yes, no)?;
        let condition = context.dims(condition);
        broadcast(condition, &dims)
            .ok_or_else(|| context.refuse(&format!("{condition:?} and {dims:?} do not broadcast")))
    })
}

fn select_in(
    context: &mut Context<'_, '_>,
    mixed: impl Fn(&Context<'_, '_>, [TensorId; 3]) -> Result<Vec<i32>>,
) -> Result<()> {
    let (condition, yes, no, output) = (context.input(0)?, context.input(1)?, context.input(2)?, context.output(0)?);
    context.ensure(context.is(condition, DataType::Bool), "the condition must be bool")?;
    same_types(context, yes, no)?;
    copy_type(context, yes, output);
    let inputs = [condition, yes, no];
    let single = |id| context.elements(id) == 1;
    let dims = if inputs.into_iter().chain([output]).all(single) {
        context.dims(output).to_vec()
    } else if context.dims(condition) == context.dims(yes) && context.dims(yes) == context.dims(no) {
        context.dims(yes).to_vec()
    } else {
        mixed(context, inputs)?
    };
    context.resize(output, dims)
}

/// With one thread the scratch holds one sum.
fn add_n(context: &mut Context<'_, '_>) -> Result<()> {
    let (first, output) = (context.input(0)?, context.output(0)?);
    context.ensure(context.input_count() >= 2, "needs two inputs at least")?;
    let dims = context.dims(first).to_vec();
    for index in 1..context.input_count() {
        let same = context.dims(context.input(index)?) == dims;
        context.ensure(same, &format!("input {index} has another shape than input 0"))?;
    }
    copy_type(context, first, output);
    let Some(dtype) = context.dtype(first) else { return Err(context.refuse("input 0 has no type")) };
    let count = context.product(&dims)?;
    context.temporary_in(Class::Arena, 0, "sum", dtype, vec![count])?;
    context.resize(output, dims)
}
