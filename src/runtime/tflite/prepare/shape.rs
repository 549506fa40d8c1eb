//! Operators that make or change shapes (`shape.cc`, `rank.cc`, `reshape.cc`, `expand_dims.cc`, `squeeze.cc`,
//! `bitcast.cc`, `broadcast_args.cc`, `broadcast_to.cc`, `tile.cc`, `fill.cc`, `range.cc`, `transpose.cc`,
//! `one_hot.cc`). Several of them are computed while preparing when their inputs are constant.

use super::super::bytes;
use super::super::lifetimes::InPlace;
use super::{Context, Kernel};
use crate::error::Result;
use crate::model::{BuiltinOp, DataType, OpOptions};
use crate::units::TensorId;

/// The kernels of this family.
pub(super) const KERNELS: &[Kernel] = &[
    Kernel::new(BuiltinOp::SHAPE, shape),
    Kernel::new(BuiltinOp::RANK, rank),
    Kernel::new(BuiltinOp::RESHAPE, reshape).in_place(InPlace::Same),
    Kernel::new(BuiltinOp::EXPAND_DIMS, expand_dims).in_place(InPlace::Same),
    Kernel::new(BuiltinOp::SQUEEZE, squeeze).in_place(InPlace::Same),
    Kernel::new(BuiltinOp::BITCAST, bitcast).in_place(InPlace::Same),
    Kernel::new(BuiltinOp::BROADCAST_ARGS, broadcast_args),
    Kernel::new(BuiltinOp::BROADCAST_TO, broadcast_to),
    Kernel::new(BuiltinOp::TILE, tile),
    Kernel::new(BuiltinOp::FILL, fill),
    Kernel::new(BuiltinOp::RANGE, range),
    Kernel::new(BuiltinOp::TRANSPOSE, transpose),
    Kernel::new(BuiltinOp::ONE_HOT, one_hot),
];

/// Elements of a folded tensor whose values are followed; larger ones do not decide shapes.
pub(super) const MAX_FOLLOWED_ELEMENTS: u64 = 4096;
/// Dims that TRANSPOSE takes.
const MAX_TRANSPOSE_RANK: usize = 8;

fn shape(context: &mut Context<'_, '_>) -> Result<()> {
    let (input, output) = (context.input(0)?, context.output(0)?);
    let OpOptions::Shape { out_type } = *context.options() else {
        return Err(context.refuse("the options are missing"));
    };
    let known = matches!(out_type, DataType::Int32 | DataType::Int64);
    context.ensure(known, "the output must be int32 or int64")?;
    context.set_type(output, out_type);
    context.set_folded(output);
    let dims = context.dims(input).to_vec();
    context.resize(output, vec![i32::try_from(dims.len()).unwrap_or(i32::MAX)])?;
    let values: Vec<i64> = dims.into_iter().map(i64::from).collect();
    context.fold_ints(output, &values);
    Ok(())
}

fn rank(context: &mut Context<'_, '_>) -> Result<()> {
    let (input, output) = (context.input(0)?, context.output(0)?);
    context.set_type(output, DataType::Int32);
    context.set_folded(output);
    context.resize(output, Vec::new())?;
    let rank = i64::try_from(context.rank(input)).unwrap_or(i64::MAX);
    context.fold_ints(output, &[rank]);
    Ok(())
}

fn reshape(context: &mut Context<'_, '_>) -> Result<()> {
    let inputs = context.input_count();
    context.ensure(inputs == 1 || inputs == 2, "needs one or two inputs")?;
    let (input, output) = (context.input(0)?, context.output(0)?);
    if context.is(output, DataType::String) {
        return Ok(());
    }
    if inputs == 2 && !context.is_constant_or_folded(context.input(1)?) {
        if context.tensor(output).class == super::super::graph::Class::Arena {
            let bytes = context.tensor(input).bytes;
            context.set_bytes(output, bytes);
        }
        context.end_batch();
        return Ok(());
    }
    let constant = context.is_constant_or_folded(input);
    if constant {
        context.set_folded(output);
    }
    let Some(dims) = reshaped(context, input)? else {
        return context.resize_as_in_file(output);
    };
    context.resize(output, dims)?;
    if let Some(contents) = context.contents(input).filter(|_| constant).map(<[u8]>::to_vec) {
        context.fold(output, contents);
    }
    Ok(())
}

/// RESHAPE's new dims with −1 resolved; `None` when they are not followed.
fn reshaped(context: &Context<'_, '_>, input: TensorId) -> Result<Option<Vec<i32>>> {
    let by_tensor = match context.optional_input(1) {
        Some(shape) if context.rank(shape) == 1 && context.is(shape, DataType::Int32) => Some(shape),
        _ => None,
    };
    let mut dims = match (by_tensor, context.options()) {
        (Some(shape), _) => match context.dims_in(shape) {
            Some(dims) => dims,
            None => return Ok(None),
        },
        (None, OpOptions::Reshape { new_shape }) if new_shape.as_slice() != [0] => new_shape.clone(),
        (None, _) => Vec::new(),
    };
    resolve(context, input, &mut dims)?;
    Ok(Some(dims))
}

/// Replaces the one −1 by what is left of the input's elements, and checks the count.
fn resolve(context: &Context<'_, '_>, input: TensorId, dims: &mut [i32]) -> Result<()> {
    let elements = context.elements(input);
    let open: Vec<usize> = (0..dims.len()).filter(|&axis| dims[axis] == -1).collect();
    context.ensure(open.len() <= 1, "the new shape has more than one -1")?;
    let known: Vec<i32> = dims.iter().copied().filter(|&dim| dim != -1).collect();
    let product = bytes::elements(&known).ok_or_else(|| context.refuse("the new shape has a negative dim"))?;
    if let Some(&axis) = open.first() {
        let open_dim = elements.checked_div(product).unwrap_or(0);
        dims[axis] = i32::try_from(open_dim).map_err(|_| context.refuse("the new shape is too large"))?;
    }
    let asked = bytes::elements(dims).unwrap_or(0);
    context.ensure(asked == elements, &format!("{elements} elements cannot take the shape {dims:?}"))
}

fn expand_dims(context: &mut Context<'_, '_>) -> Result<()> {
    let (input, axis, output) = (context.input(0)?, context.input(1)?, context.output(0)?);
    copy_type(context, input, output);
    if !context.is_constant_or_folded(axis) {
        context.set_dynamic(output);
        return Ok(());
    }
    let Some(value) = context.ints(axis).and_then(|values| values.first().copied()) else {
        return context.resize_as_in_file(output);
    };
    let mut dims = context.dims(input).to_vec();
    let at = axis_of(value, dims.len() + 1).ok_or_else(|| context.refuse(&format!("axis {value} is out of range")))?;
    dims.insert(at, 1);
    context.resize(output, dims)
}

fn squeeze(context: &mut Context<'_, '_>) -> Result<()> {
    let (input, output) = (context.input(0)?, context.output(0)?);
    let dims = context.dims(input).to_vec();
    let asked = match context.options() {
        OpOptions::Squeeze { dims } => dims.as_slice(),
        _ => &[],
    };
    let mut drop: Vec<bool> = dims.iter().map(|&dim| asked.is_empty() && dim == 1).collect();
    for &axis in asked {
        let at = axis_of(i64::from(axis), dims.len()).filter(|&at| dims[at] == 1);
        drop[at.ok_or_else(|| context.refuse(&format!("dim {axis} is not 1")))?] = true;
    }
    let kept = dims.iter().zip(&drop).filter(|entry| !entry.1).map(|entry| *entry.0).collect();
    context.resize(output, kept)
}

fn bitcast(context: &mut Context<'_, '_>) -> Result<()> {
    let (input, output) = (context.input(0)?, context.output(0)?);
    let bits = |id| context.dtype(id).and_then(bytes::element_bits).map(|bits| bits.div_ceil(8));
    let (Some(from), Some(to)) = (bits(input), bits(output)) else {
        return Err(context.refuse("the types have no size"));
    };
    let mut dims = context.dims(input).to_vec();
    if from > to {
        dims.push(i32::try_from(from / to).unwrap_or(i32::MAX));
    } else if from < to {
        let last = dims.pop();
        let whole = last.is_some_and(|last| u64::try_from(last).is_ok_and(|last| last == to / from));
        context.ensure(whole, "the last dim does not hold one element of the output's type")?;
    }
    context.resize(output, dims)
}

fn broadcast_args(context: &mut Context<'_, '_>) -> Result<()> {
    let (first, second, output) = (context.input(0)?, context.input(1)?, context.output(0)?);
    context.ensure(context.rank(first) == 1 && context.rank(second) == 1, "the shapes must be vectors")?;
    let count = context.dim(first, 0)?.max(context.dim(second, 0)?);
    if !(context.is_constant_or_folded(first) && context.is_constant_or_folded(second)) {
        return context.resize(output, vec![count]);
    }
    context.set_folded(output);
    context.resize(output, vec![count])?;
    if let (Some(first), Some(second)) = (context.dims_in(first), context.dims_in(second)) {
        let dims = super::binary::broadcast(&first, &second)
            .ok_or_else(|| context.refuse(&format!("{first:?} and {second:?} do not broadcast")))?;
        let values: Vec<i64> = dims.into_iter().map(i64::from).collect();
        context.fold_ints(output, &values);
    }
    Ok(())
}

fn broadcast_to(context: &mut Context<'_, '_>) -> Result<()> {
    let (input, shape, output) = (context.input(0)?, context.input(1)?, context.output(0)?);
    if !context.is_constant_or_folded(shape) {
        context.set_dynamic(output);
        return Ok(());
    }
    context.ensure(context.rank(shape) == 1, "the shape must be a vector")?;
    let Some(dims) = context.dims_in(shape) else { return context.resize_as_in_file(output) };
    let from = context.dims(input);
    let fits = dims
        .len()
        .checked_sub(from.len())
        .is_some_and(|extra| from.iter().zip(&dims[extra..]).all(|(&from, &to)| from == 1 || from == to));
    context.ensure(fits, &format!("{from:?} does not broadcast to {dims:?}"))?;
    context.resize(output, dims)
}

fn tile(context: &mut Context<'_, '_>) -> Result<()> {
    let (input, multipliers, output) = (context.input(0)?, context.input(1)?, context.output(0)?);
    if !context.is_constant_or_folded(multipliers) {
        context.set_dynamic(output);
        return Ok(());
    }
    let constant = context.is_constant_or_folded(input);
    if constant {
        context.set_folded(output);
    }
    let Some(times) = context.dims_in(multipliers) else { return context.resize_as_in_file(output) };
    let from = context.dims(input).to_vec();
    context.ensure(times.len() == from.len(), "needs one multiplier for each dim")?;
    let dims = from.iter().zip(&times).map(|(&dim, &times)| dim.checked_mul(times)).collect::<Option<Vec<i32>>>();
    let dims = dims.ok_or_else(|| context.refuse("the output is too large"))?;
    context.resize(output, dims.clone())?;
    if let Some(values) = context.ints(input).filter(|_| constant && context.elements(output) <= MAX_FOLLOWED_ELEMENTS)
    {
        let values = gather_by(&dims, |at| {
            let within: Vec<usize> = at.iter().zip(&from).map(|(&at, &dim)| at % index_of(dim).max(1)).collect();
            values.get(flat(&within, &from)).copied().unwrap_or(0)
        });
        context.fold_ints(output, &values);
    }
    Ok(())
}

fn fill(context: &mut Context<'_, '_>) -> Result<()> {
    let (dims, value, output) = (context.input(0)?, context.input(1)?, context.output(0)?);
    context.ensure(context.rank(dims) == 1, "the dims must be a vector")?;
    context.ensure(context.rank(value) == 0, "the value must be a scalar")?;
    copy_type(context, value, output);
    if !context.is_constant_or_folded(dims) {
        context.set_dynamic(output);
        return Ok(());
    }
    let Some(dims) = context.dims_in(dims) else { return context.resize_as_in_file(output) };
    context.ensure(dims.iter().all(|&dim| dim >= 0), &format!("the dims {dims:?} must not be negative"))?;
    context.resize(output, dims)
}

fn range(context: &mut Context<'_, '_>) -> Result<()> {
    let (start, limit, delta, output) = (context.input(0)?, context.input(1)?, context.input(2)?, context.output(0)?);
    copy_type(context, start, output);
    if ![start, limit, delta].into_iter().all(|id| context.is_constant_or_folded(id)) {
        context.set_dynamic(output);
        return Ok(());
    }
    context.set_folded(output);
    if context.is(start, DataType::Float32) {
        return float_range(context, [start, limit, delta], output);
    }
    let first = |id| context.ints(id).and_then(|values| values.first().copied());
    let (Some(start), Some(limit), Some(delta)) = (first(start), first(limit), first(delta)) else {
        return context.resize_as_in_file(output);
    };
    context.ensure(delta != 0, "the step is 0")?;
    let forward = (delta > 0) == (start <= limit) || start == limit;
    context.ensure(forward, &format!("from {start} to {limit} by {delta} never ends"))?;
    let count = limit.abs_diff(start).div_ceil(delta.unsigned_abs());
    let dim = i32::try_from(count).map_err(|_| context.refuse("the output is too large"))?;
    context.resize(output, vec![dim])?;
    if count <= MAX_FOLLOWED_ELEMENTS {
        let values: Vec<i64> = (0..i64::from(dim)).map(|step| start.wrapping_add(step.wrapping_mul(delta))).collect();
        context.fold_ints(output, &values);
    }
    Ok(())
}

fn float_range(context: &mut Context<'_, '_>, inputs: [TensorId; 3], output: TensorId) -> Result<()> {
    let values = inputs.map(|id| context.floats(id).and_then(|values| values.first().copied()));
    let [Some(start), Some(limit), Some(delta)] = values else { return context.resize_as_in_file(output) };
    context.ensure(delta != 0.0, "the step is 0")?;
    let count = ((limit - start) / delta).abs().ceil();
    let fits = count.is_finite() && count < 2_147_483_648.0;
    context.ensure(fits, "the output is too large")?;
    #[expect(clippy::cast_possible_truncation, reason = "a whole number below 2^31, checked above")]
    let dim = count as i32;
    context.resize(output, vec![dim])
}

fn transpose(context: &mut Context<'_, '_>) -> Result<()> {
    let (input, permutation, output) = (context.input(0)?, context.input(1)?, context.output(0)?);
    let rank = context.rank(input);
    context.ensure(rank <= MAX_TRANSPOSE_RANK, "takes at most 8 dims")?;
    if !context.is_constant_or_folded(permutation) {
        context.set_dynamic(output);
        return Ok(());
    }
    let Some(axes) = context.ints(permutation) else { return context.resize_as_in_file(output) };
    context.ensure(axes.len() == rank, &format!("{} axes for {rank} dims", axes.len()))?;
    let dims = context.dims(input);
    let permuted = axes.iter().map(|&axis| axis_of(axis, rank).map(|at| dims[at])).collect::<Option<Vec<i32>>>();
    let permuted = permuted.ok_or_else(|| context.refuse(&format!("axes {axes:?} for {rank} dims")))?;
    context.resize(output, permuted)
}

fn one_hot(context: &mut Context<'_, '_>) -> Result<()> {
    let (indices, depth, on, output) = (context.input(0)?, context.input(1)?, context.input(2)?, context.output(0)?);
    let axis = match *context.options() {
        OpOptions::OneHot { axis } => axis,
        _ => 0,
    };
    copy_type(context, on, output);
    let rank = context.rank(indices) + 1;
    let at = if axis == -1 { Some(rank - 1) } else { usize::try_from(axis).ok().filter(|&at| at < rank) };
    let at = at.ok_or_else(|| context.refuse(&format!("axis {axis}, but the output has {rank} dims")))?;
    context.ensure(context.elements(depth) == 1, "the depth must be one number")?;
    if !context.is_constant_or_folded(depth) {
        context.set_dynamic(output);
        return Ok(());
    }
    let Some(depth) = context.dims_in(depth).and_then(|values| values.first().copied()) else {
        return context.resize_as_in_file(output);
    };
    context.ensure(depth >= 0, &format!("the depth is {depth}"))?;
    let mut dims = context.dims(indices).to_vec();
    dims.insert(at, depth);
    context.resize(output, dims)
}

/// Gives `to` the element type of `from`.
pub(super) fn copy_type(context: &mut Context<'_, '_>, from: TensorId, to: TensorId) {
    if let Some(dtype) = context.dtype(from) {
        context.set_type(to, dtype);
    }
}

/// An axis counted from the front or, when negative, from the back; `None` when it is out of range.
pub(super) fn axis_of(axis: i64, rank: usize) -> Option<usize> {
    let signed = i64::try_from(rank).ok()?;
    usize::try_from(if axis < 0 { axis + signed } else { axis }).ok().filter(|&at| at < rank)
}

/// A dim as a length; negative ones count as 0.
pub(super) fn index_of(dim: i32) -> usize {
    usize::try_from(dim).unwrap_or(0)
}

/// The position of an element in row-major order.
pub(super) fn flat(at: &[usize], dims: &[i32]) -> usize {
    at.iter().zip(dims).fold(0, |sum, (&at, &dim)| sum * index_of(dim) + at)
}

/// The values of a tensor with `dims`, each computed from its coordinates, in row-major order.
pub(super) fn gather_by(dims: &[i32], value: impl Fn(&[usize]) -> i64) -> Vec<i64> {
    let count = dims.iter().map(|&dim| index_of(dim)).product();
    let mut at = vec![0; dims.len()];
    let mut values = Vec::with_capacity(count);
    for _ in 0..count {
        values.push(value(&at));
        for axis in (0..dims.len()).rev() {
            at[axis] += 1;
            if at[axis] < index_of(dims[axis]) {
                break;
            }
            at[axis] = 0;
        }
    }
    values
}
