//! Operators that cut, join and pad (`slice.cc`, `strided_slice.cc`, `split.cc`, `split_v.cc`, `concatenation.cc`,
//! `pack.cc`, `unpack.cc`, `dynamic_update_slice.cc`, `pad.cc`, `mirror_pad.cc`, `dilate.cc`).

use super::super::lifetimes::InPlace;
use super::shape::{MAX_FOLLOWED_ELEMENTS, axis_of, copy_type, flat, gather_by, index_of};
use super::strided::strided_slice;
use super::{Context, Kernel};
use crate::error::Result;
use crate::model::{BuiltinOp, DataType, OpOptions};
use crate::units::TensorId;

/// The kernels of this family.
pub(super) const KERNELS: &[Kernel] = &[
    Kernel::new(BuiltinOp::SLICE, slice),
    Kernel::new(BuiltinOp::STRIDED_SLICE, strided_slice),
    Kernel::new(BuiltinOp::SPLIT, split),
    Kernel::new(BuiltinOp::SPLIT_V, split_v),
    Kernel::new(BuiltinOp::CONCATENATION, concatenation),
    Kernel::new(BuiltinOp::PACK, pack),
    Kernel::new(BuiltinOp::UNPACK, unpack),
    Kernel::new(BuiltinOp::DYNAMIC_UPDATE_SLICE, dynamic_update_slice).in_place(InPlace::First),
    Kernel::new(BuiltinOp::PAD, pad),
    Kernel::new(BuiltinOp::PADV2, pad),
    Kernel::new(BuiltinOp::MIRROR_PAD, mirror_pad),
    Kernel::new(BuiltinOp::DILATE, dilate),
];

/// SLICE keeps the output's shape of the file unless it has an open dim or no dims at all.
fn slice(context: &mut Context<'_, '_>) -> Result<()> {
    let (input, begin, size, output) = (context.input(0)?, context.input(1)?, context.input(2)?, context.output(0)?);
    let vectors = context.rank(begin) == 1 && context.rank(size) == 1;
    context.ensure(vectors && context.elements(begin) == context.elements(size), "begin and size must be as long")?;
    if !context.has_open_dim(output) && context.rank(output) > 0 {
        return Ok(());
    }
    let constant = context.is_constant_or_folded(begin) && context.is_constant_or_folded(size);
    if !constant || context.has_open_dim(input) {
        context.set_dynamic(output);
        return Ok(());
    }
    let (Some(begins), Some(sizes)) = (context.ints(begin), context.ints(size)) else {
        return context.resize_as_in_file(output);
    };
    let mut dims = Vec::new();
    for ((&dim, begin), size) in context.dims(input).iter().zip(begins).zip(sizes) {
        let size = if size == -1 { i64::from(dim) - begin } else { size };
        let fits = size >= 0 && begin.checked_add(size).is_some_and(|end| end <= i64::from(dim));
        context.ensure(fits, &format!("begin {begin} and size {size} do not fit a dim of {dim}"))?;
        dims.push(i32::try_from(size).unwrap_or(i32::MAX));
    }
    context.resize(output, dims)
}

fn split(context: &mut Context<'_, '_>) -> Result<()> {
    let (axis, input) = (context.input(0)?, context.input(1)?);
    if !start_outputs(context, input, &[axis])? {
        return Ok(());
    }
    let OpOptions::Split { num_splits } = *context.options() else {
        return Err(context.refuse("the options are missing"));
    };
    let Some(at) = axis_value(context, axis, input)? else { return outputs_as_in_file(context) };
    let mut dims = context.dims(input).to_vec();
    let even = num_splits > 0 && dims[at] % num_splits == 0;
    context.ensure(even, &format!("dim {} cannot be split evenly by {num_splits}", dims[at]))?;
    dims[at] /= num_splits;
    for index in 0..context.output_count() {
        let output = context.output(index)?;
        context.resize(output, dims.clone())?;
    }
    Ok(())
}

fn split_v(context: &mut Context<'_, '_>) -> Result<()> {
    let (input, sizes, axis) = (context.input(0)?, context.input(1)?, context.input(2)?);
    if !start_outputs(context, input, &[sizes, axis])? {
        return Ok(());
    }
    let (Some(at), Some(sizes)) = (axis_value(context, axis, input)?, context.dims_in(sizes)) else {
        return outputs_as_in_file(context);
    };
    let whole = context.dims(input)[at];
    let sum: i64 = sizes.iter().filter(|&&size| size != -1).map(|&size| i64::from(size)).sum();
    let open = sizes.iter().filter(|&&size| size == -1).count();
    let rest = i64::from(whole) - sum;
    let fits = sizes.len() == context.output_count() && (open == 0 && rest == 0 || open == 1 && rest >= 0);
    context.ensure(fits, &format!("the sizes {sizes:?} do not split a dim of {whole}"))?;
    for (index, size) in sizes.into_iter().enumerate() {
        let output = context.output(index)?;
        let mut dims = context.dims(input).to_vec();
        dims[at] = if size == -1 { i32::try_from(rest).unwrap_or(0) } else { size };
        context.resize(output, dims)?;
    }
    Ok(())
}

/// Types of the outputs; `false` when the deciders are not constant and all outputs became dynamic.
fn start_outputs(context: &mut Context<'_, '_>, input: TensorId, deciders: &[TensorId]) -> Result<bool> {
    let known = deciders.iter().all(|&id| context.is_constant_or_folded(id));
    for index in 0..context.output_count() {
        let output = context.output(index)?;
        copy_type(context, input, output);
        if !known {
            context.set_dynamic(output);
        }
    }
    Ok(known)
}

fn outputs_as_in_file(context: &mut Context<'_, '_>) -> Result<()> {
    for index in 0..context.output_count() {
        let output = context.output(index)?;
        context.resize_as_in_file(output)?;
    }
    Ok(())
}

fn axis_value(context: &Context<'_, '_>, axis: TensorId, input: TensorId) -> Result<Option<usize>> {
    let Some(value) = context.ints(axis).and_then(|values| values.first().copied()) else { return Ok(None) };
    let rank = context.rank(input);
    let at =
        axis_of(value, rank).ok_or_else(|| context.refuse(&format!("axis {value}, but the input has {rank} dims")))?;
    Ok(Some(at))
}

fn concatenation(context: &mut Context<'_, '_>) -> Result<()> {
    let OpOptions::Concatenation { axis, .. } = *context.options() else {
        return Err(context.refuse("the options are missing"));
    };
    let count = context.input_count();
    let inputs = (0..count).map(|index| context.input(index)).collect::<Result<Vec<_>>>()?;
    let output = context.output(0)?;
    let Some(&first) = inputs.first() else { return Err(context.refuse("needs an input")) };
    let constant = inputs.iter().all(|&id| context.is_constant_or_folded(id));
    if context.rank(first) == 0 {
        context.ensure(axis == 0 || axis == -1, &format!("axis {axis} for scalars"))?;
        context.ensure(constant && axis == 0, "scalars must be constant")?;
        context.set_folded(output);
        context.resize(output, vec![i32::try_from(count).unwrap_or(i32::MAX)])?;
        fold_joined(context, &inputs, output, 0);
        return Ok(());
    }
    let dims = context.dims(first).to_vec();
    let at = axis_of(i64::from(axis), dims.len())
        .ok_or_else(|| context.refuse(&format!("axis {axis}, but the inputs have {} dims", dims.len())))?;
    let mut sum = 0_i32;
    for &input in &inputs {
        let other = context.dims(input);
        let alike = other.len() == dims.len() && (0..dims.len()).all(|axis| axis == at || other[axis] == dims[axis]);
        context.ensure(alike, &format!("{dims:?} and {other:?} do not join along axis {at}"))?;
        sum = sum.checked_add(other[at]).ok_or_else(|| context.refuse("the output is too large"))?;
    }
    let mut joined = dims;
    joined[at] = sum;
    if constant {
        context.set_folded(output);
        context.resize(output, joined)?;
        fold_joined(context, &inputs, output, at);
        return Ok(());
    }
    context.resize(output, joined)
}

/// The values of constants joined along `axis`.
fn fold_joined(context: &mut Context<'_, '_>, inputs: &[TensorId], output: TensorId, axis: usize) {
    if context.elements(output) > MAX_FOLLOWED_ELEMENTS {
        return;
    }
    let Some(parts) = inputs.iter().map(|&id| context.ints(id)).collect::<Option<Vec<_>>>() else { return };
    let shapes: Vec<Vec<i32>> =
        inputs.iter().map(|&id| if context.rank(id) == 0 { vec![1] } else { context.dims(id).to_vec() }).collect();
    let dims = context.dims(output).to_vec();
    let values = gather_by(&dims, |at| {
        let mut within = at.to_vec();
        for (part, shape) in parts.iter().zip(&shapes) {
            let length = index_of(shape[axis]);
            if within[axis] < length {
                return part.get(flat(&within, shape)).copied().unwrap_or(0);
            }
            within[axis] -= length;
        }
        0
    });
    context.fold_ints(output, &values);
}

fn pack(context: &mut Context<'_, '_>) -> Result<()> {
    let OpOptions::Pack { values_count, axis } = *context.options() else {
        return Err(context.refuse("the options are missing"));
    };
    let (first, output) = (context.input(0)?, context.output(0)?);
    let mut dims = context.dims(first).to_vec();
    for index in 1..context.input_count() {
        let other = context.dims(context.input(index)?);
        context.ensure(other == dims, &format!("input {index} has dims {other:?}, input 0 has {dims:?}"))?;
    }
    let at = axis_of(i64::from(axis), dims.len() + 1).ok_or_else(|| context.refuse(&format!("axis {axis}")))?;
    dims.insert(at, values_count);
    context.resize(output, dims)
}

fn unpack(context: &mut Context<'_, '_>) -> Result<()> {
    let OpOptions::Unpack { num, axis } = *context.options() else {
        return Err(context.refuse("the options are missing"));
    };
    let input = context.input(0)?;
    let mut dims = context.dims(input).to_vec();
    let at = axis_of(i64::from(axis), dims.len()).ok_or_else(|| context.refuse(&format!("axis {axis}")))?;
    let removed = dims.remove(at);
    context.ensure(removed == num, &format!("{num} outputs for a dim of {removed}"))?;
    for index in 0..context.output_count() {
        let output = context.output(index)?;
        context.resize(output, dims.clone())?;
    }
    Ok(())
}

fn dynamic_update_slice(context: &mut Context<'_, '_>) -> Result<()> {
    let (operand, update, start, output) =
        (context.input(0)?, context.input(1)?, context.input(2)?, context.output(0)?);
    let (dims, part) = (context.dims(operand).to_vec(), context.dims(update));
    let fits = part.len() == dims.len() && part.iter().zip(&dims).all(|(part, dim)| part <= dim);
    context.ensure(fits, &format!("an update of {part:?} does not fit {dims:?}"))?;
    let starts = context.rank(start) == 1 && context.dim(start, 0)? == i32::try_from(dims.len()).unwrap_or(-1);
    context.ensure(starts, "needs one start for each dim")?;
    copy_type(context, operand, output);
    context.resize(output, dims)
}

/// What is added before and after each dim; `None` when it is not followed.
fn paddings(context: &Context<'_, '_>, input: TensorId) -> Result<Option<Vec<(i64, i64)>>> {
    let matrix = context.input(1)?;
    let rank = context.rank(input);
    let shaped = context.rank(matrix) == 2 && context.elements(matrix) == 2 * rank as u64;
    context.ensure(shaped, &format!("needs {rank} pairs of paddings"))?;
    let Some(values) = context.ints(matrix) else { return Ok(None) };
    Ok(Some(values.as_chunks::<2>().0.iter().map(|&[before, after]| (before, after)).collect()))
}

fn padded(context: &Context<'_, '_>, dims: &[i32], paddings: &[(i64, i64)]) -> Result<Vec<i32>> {
    let sums = dims.iter().zip(paddings).map(|(&dim, &(before, after))| {
        let sum = i64::from(dim).checked_add(before)?.checked_add(after)?;
        i32::try_from(sum).ok().filter(|&sum| sum >= 0 && before >= 0 && after >= 0)
    });
    sums.collect::<Option<Vec<i32>>>()
        .ok_or_else(|| context.refuse(&format!("{dims:?} cannot be padded by {paddings:?}")))
}

fn pad(context: &mut Context<'_, '_>) -> Result<()> {
    let (input, output) = (context.input(0)?, context.output(0)?);
    let matrix = context.input(1)?;
    if context.rank(input) == 0 || !context.is_constant_or_folded(matrix) {
        context.set_dynamic(output);
        return Ok(());
    }
    let Some(paddings) = paddings(context, input)? else { return context.resize_as_in_file(output) };
    let dims = padded(context, context.dims(input), &paddings)?;
    context.resize(output, dims)
}

fn mirror_pad(context: &mut Context<'_, '_>) -> Result<()> {
    let (input, output) = (context.input(0)?, context.output(0)?);
    let matrix = context.input(1)?;
    if !context.is_constant_or_folded(matrix) {
        context.set_dynamic(output);
        return Ok(());
    }
    let reflect = matches!(context.options(), OpOptions::MirrorPad { mode: 0 });
    let Some(paddings) = paddings(context, input)? else { return context.resize_as_in_file(output) };
    let limit = |dim: i32| i64::from(dim) - i64::from(reflect);
    let fits = context.dims(input).iter().zip(&paddings).all(|(&dim, pair)| pair.0.max(pair.1) <= limit(dim));
    context.ensure(fits, &format!("{:?} cannot be mirrored by {paddings:?}", context.dims(input)))?;
    let dims = padded(context, context.dims(input), &paddings)?;
    context.resize(output, dims)
}

/// DILATE asks for constants of the file, not for folded ones.
fn dilate(context: &mut Context<'_, '_>) -> Result<()> {
    let (input, dilations, output) = (context.input(0)?, context.input(1)?, context.output(0)?);
    context.ensure(context.rank(input) > 0, "the input has no dims")?;
    context.ensure(context.is(dilations, DataType::Int32), "the dilations must be int32")?;
    if !context.is_constant(dilations) {
        context.set_dynamic(output);
        return Ok(());
    }
    let Some(factors) = context.dims_in(dilations) else { return context.resize_as_in_file(output) };
    let dims = context.dims(input).iter().zip(&factors).map(|(&dim, &factor)| {
        if dim == 0 { Some(0) } else { (dim - 1).checked_mul(factor)?.checked_add(1).filter(|&dim| dim >= 0) }
    });
    let dims = dims.collect::<Option<Vec<i32>>>().ok_or_else(|| context.refuse("the output is too large"))?;
    context.resize(output, dims)
}
