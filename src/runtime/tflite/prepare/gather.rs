//! Operators that pick, scatter and count (`gather.cc`, `gather_nd.cc`, `scatter_nd.cc`, `where.cc`, `unique.cc`,
//! `topk_v2.cc`, `arg_min_max.cc`, `embedding_lookup*.cc`, `sparse_to_dense.cc`, `*segment*.cc`, `matrix_diag.cc`).

use super::shape::{MAX_FOLLOWED_ELEMENTS, axis_of, copy_type, flat, gather_by, index_of};
use super::{Context, Kernel};
use crate::error::Result;
use crate::model::{BuiltinOp, DataType, OpOptions};
use crate::units::TensorId;

/// The kernels of this family.
pub(super) const KERNELS: &[Kernel] = &[
    Kernel::new(BuiltinOp::GATHER, gather),
    Kernel::new(BuiltinOp::GATHER_ND, gather_nd),
    Kernel::new(BuiltinOp::SCATTER_ND, scatter_nd),
    Kernel::new(BuiltinOp::WHERE, where_true),
    Kernel::new(BuiltinOp::UNIQUE, unique),
    Kernel::new(BuiltinOp::TOPK_V2, top_k),
    Kernel::new(BuiltinOp::ARG_MAX, arg),
    Kernel::new(BuiltinOp::ARG_MIN, arg),
    Kernel::new(BuiltinOp::EMBEDDING_LOOKUP, embedding_lookup),
    Kernel::new(BuiltinOp::EMBEDDING_LOOKUP_SPARSE, embedding_lookup_sparse),
    Kernel::new(BuiltinOp::SPARSE_TO_DENSE, sparse_to_dense),
    Kernel::new(BuiltinOp::SEGMENT_SUM, segment_sum),
    Kernel::new(BuiltinOp::UNSORTED_SEGMENT_SUM, unsorted_segment),
    Kernel::new(BuiltinOp::UNSORTED_SEGMENT_MAX, unsorted_segment),
    Kernel::new(BuiltinOp::UNSORTED_SEGMENT_MIN, unsorted_segment),
    Kernel::new(BuiltinOp::UNSORTED_SEGMENT_PROD, unsorted_segment),
    Kernel::new(BuiltinOp::MATRIX_DIAG, matrix_diag),
];

fn gather(context: &mut Context<'_, '_>) -> Result<()> {
    let (input, positions, output) = (context.input(0)?, context.input(1)?, context.output(0)?);
    let OpOptions::Gather { axis, batch_dims } = *context.options() else {
        return Err(context.refuse("the options are missing"));
    };
    copy_type(context, input, output);
    let (dims, picks) = (context.dims(input).to_vec(), context.dims(positions).to_vec());
    let at = axis_of(i64::from(axis), dims.len())
        .ok_or_else(|| context.refuse(&format!("axis {axis}, but the input has {} dims", dims.len())))?;
    let signed = i64::from(batch_dims);
    let from_front = if signed < 0 { signed + i64::try_from(picks.len()).unwrap_or(0) } else { signed };
    let batch = usize::try_from(from_front).ok().filter(|&batch| batch <= at && batch <= picks.len());
    let batch = batch.ok_or_else(|| context.refuse(&format!("batch_dims {batch_dims}")))?;
    context.ensure(dims[..batch] == picks[..batch], "the batch dims differ")?;
    let shape: Vec<i32> = dims[..at].iter().chain(&picks[batch..]).chain(&dims[at + 1..]).copied().collect();
    if !(context.is_constant_or_folded(input) && context.is_constant_or_folded(positions)) {
        return context.resize(output, shape);
    }
    context.set_folded(output);
    context.resize(output, shape.clone())?;
    let (Some(values), Some(indices)) = (context.ints(input), context.ints(positions)) else { return Ok(()) };
    if context.elements(output) > MAX_FOLLOWED_ELEMENTS {
        return Ok(());
    }
    let picked = picks.len() - batch;
    let values = gather_by(&shape, |coordinates| {
        let pick: Vec<usize> = coordinates[..batch].iter().chain(&coordinates[at..at + picked]).copied().collect();
        let index = indices.get(flat(&pick, &picks)).copied().unwrap_or(0);
        let index = usize::try_from(index).unwrap_or(0).min(index_of(dims[at]).saturating_sub(1));
        let from: Vec<usize> = coordinates[..at]
            .iter()
            .copied()
            .chain([index])
            .chain(coordinates[at + picked..].iter().copied())
            .collect();
        values.get(flat(&from, &dims)).copied().unwrap_or(0)
    });
    context.fold_ints(output, &values);
    Ok(())
}

fn gather_nd(context: &mut Context<'_, '_>) -> Result<()> {
    let (params, indices, output) = (context.input(0)?, context.input(1)?, context.output(0)?);
    copy_type(context, params, output);
    let (dims, picks) = (context.dims(params), context.dims(indices));
    let Some((&depth, outer)) = picks.split_last() else { return Err(context.refuse("the indices have no dims")) };
    let depth = usize::try_from(depth).ok().filter(|&depth| depth <= dims.len() && !dims.is_empty());
    let depth = depth.ok_or_else(|| context.refuse(&format!("indices {picks:?} do not pick from {dims:?}")))?;
    let shape = outer.iter().chain(&dims[depth..]).copied().collect();
    context.resize(output, shape)
}

/// The output takes the dims that an input holds as values.
pub(super) fn by_values(context: &mut Context<'_, '_>, shape: TensorId, output: TensorId) -> Result<()> {
    if !context.is_constant_or_folded(shape) {
        context.set_dynamic(output);
        return Ok(());
    }
    match context.dims_in(shape) {
        Some(dims) => context.resize(output, dims),
        None => context.resize_as_in_file(output),
    }
}

fn scatter_nd(context: &mut Context<'_, '_>) -> Result<()> {
    let (updates, shape, output) = (context.input(1)?, context.input(2)?, context.output(0)?);
    copy_type(context, updates, output);
    by_values(context, shape, output)
}

fn sparse_to_dense(context: &mut Context<'_, '_>) -> Result<()> {
    let (shape, values, output) = (context.input(1)?, context.input(2)?, context.output(0)?);
    copy_type(context, values, output);
    by_values(context, shape, output)
}

fn where_true(context: &mut Context<'_, '_>) -> Result<()> {
    let (condition, output) = (context.input(0)?, context.output(0)?);
    context.set_type(output, DataType::Int64);
    if !context.is_constant_or_folded(condition) {
        context.set_dynamic(output);
        return Ok(());
    }
    let count = match (context.ints(condition), context.floats(condition)) {
        (Some(values), _) => values.into_iter().filter(|&value| value != 0).count(),
        (None, Some(values)) => values.into_iter().filter(|&value| value != 0.0).count(),
        (None, None) => return context.resize_as_in_file(output),
    };
    let dims = [count, context.rank(condition)].map(|dim| i32::try_from(dim).unwrap_or(i32::MAX));
    context.resize(output, dims.to_vec())
}

fn unique(context: &mut Context<'_, '_>) -> Result<()> {
    let (input, values, indices) = (context.input(0)?, context.output(0)?, context.output(1)?);
    context.ensure(context.rank(input) == 1, "the input must be a vector")?;
    context.set_dynamic(values);
    let dims = context.dims(input).to_vec();
    context.resize(indices, dims)
}

fn top_k(context: &mut Context<'_, '_>) -> Result<()> {
    let (input, k, values, indices) = (context.input(0)?, context.input(1)?, context.output(0)?, context.output(1)?);
    if !context.is_constant_or_folded(k) || context.has_open_dim(input) {
        context.set_dynamic(indices);
        context.set_dynamic(values);
        return Ok(());
    }
    let Some(k) = context.dims_in(k).and_then(|values| values.first().copied()) else {
        context.resize_as_in_file(indices)?;
        return context.resize_as_in_file(values);
    };
    let mut dims = context.dims(input).to_vec();
    let Some(last) = dims.last_mut() else { return Err(context.refuse("the input has no dims")) };
    let width = *last;
    *last = k.max(0);
    context.ensure(k <= width, &format!("k is {k}, but the last dim is {width}"))?;
    copy_type(context, input, values);
    context.resize(indices, dims.clone())?;
    context.resize(values, dims)
}

fn arg(context: &mut Context<'_, '_>) -> Result<()> {
    let (input, axis, output) = (context.input(0)?, context.input(1)?, context.output(0)?);
    if let OpOptions::ArgMinMax { output_type } = *context.options() {
        context.set_type(output, output_type);
    }
    context.ensure(context.elements(axis) == 1, "the axis must be one number")?;
    if !context.is_constant_or_folded(axis) {
        context.set_dynamic(output);
        return Ok(());
    }
    let Some(value) = context.ints(axis).and_then(|values| values.first().copied()) else {
        return context.resize_as_in_file(output);
    };
    let mut dims = context.dims(input).to_vec();
    let at = axis_of(value, dims.len())
        .ok_or_else(|| context.refuse(&format!("axis {value}, but the input has {} dims", dims.len())))?;
    dims.remove(at);
    context.resize(output, dims)
}

fn embedding_lookup(context: &mut Context<'_, '_>) -> Result<()> {
    let (lookup, value, output) = (context.input(0)?, context.input(1)?, context.output(0)?);
    let mut dims = context.dims(value).to_vec();
    context.ensure(dims.len() >= 2 && context.rank(lookup) == 1, "needs a vector of ids and a table of two dims")?;
    dims[0] = context.dim(lookup, 0)?;
    context.resize(output, dims)
}

fn embedding_lookup_sparse(context: &mut Context<'_, '_>) -> Result<()> {
    let output = context.output(0)?;
    context.set_dynamic(output);
    Ok(())
}

fn segment_sum(context: &mut Context<'_, '_>) -> Result<()> {
    let (data, ids, output) = (context.input(0)?, context.input(1)?, context.output(0)?);
    if !(context.is_constant_or_folded(data) && context.is_constant_or_folded(ids)) {
        context.set_dynamic(output);
        return Ok(());
    }
    let Some(ids) = context.dims_in(ids) else { return context.resize_as_in_file(output) };
    let mut dims = context.dims(data).to_vec();
    let segments = ids.iter().max().map_or(Some(0), |&last| last.checked_add(1));
    let Some((first, segments)) = dims.first_mut().zip(segments) else {
        return Err(context.refuse("the data have no dims"));
    };
    *first = segments;
    context.resize(output, dims)
}

fn unsorted_segment(context: &mut Context<'_, '_>) -> Result<()> {
    let (data, ids, count, output) = (context.input(0)?, context.input(1)?, context.input(2)?, context.output(0)?);
    let known = context.is_constant_or_folded(ids) && context.is_constant_or_folded(count);
    if context.is_dynamic(data) || !known {
        context.set_dynamic(output);
        return Ok(());
    }
    let (dims, prefix) = (context.dims(data), context.dims(ids));
    context.ensure(dims.starts_with(prefix), &format!("ids of {prefix:?} do not go with data of {dims:?}"))?;
    let Some(count) = context.dims_in(count).and_then(|values| values.first().copied()) else {
        return context.resize_as_in_file(output);
    };
    let shape = [count].into_iter().chain(dims[prefix.len()..].iter().copied()).collect();
    context.resize(output, shape)
}

fn matrix_diag(context: &mut Context<'_, '_>) -> Result<()> {
    let (input, output) = (context.input(0)?, context.output(0)?);
    copy_type(context, input, output);
    let mut dims = context.dims(input).to_vec();
    let Some(&last) = dims.last() else { return Err(context.refuse("the input has no dims")) };
    dims.push(last);
    context.resize(output, dims)
}
