//! The `StableHLO` operators that the runtime has kernels for (`stablehlo_*.cc`, `rng_bit_generator.cc`).

use super::{Context, Kernel};
use crate::error::Result;
use crate::model::{BuiltinOp, OpOptions};
use crate::units::TensorId;

/// The kernels of this family.
pub(super) const KERNELS: &[Kernel] = &[
    Kernel::new(BuiltinOp::STABLEHLO_ADD, elementwise),
    Kernel::new(BuiltinOp::STABLEHLO_AND, elementwise),
    Kernel::new(BuiltinOp::STABLEHLO_MULTIPLY, elementwise),
    Kernel::new(BuiltinOp::STABLEHLO_MAXIMUM, elementwise),
    Kernel::new(BuiltinOp::STABLEHLO_MINIMUM, elementwise),
    Kernel::new(BuiltinOp::STABLEHLO_SHIFT_LEFT, elementwise),
    Kernel::new(BuiltinOp::STABLEHLO_SCATTER, scatter),
    Kernel::new(BuiltinOp::STABLEHLO_GATHER, gather),
    Kernel::new(BuiltinOp::STABLEHLO_PAD, pad),
    Kernel::new(BuiltinOp::STABLEHLO_RNG_BIT_GENERATOR, random_bits),
    Kernel::new(BuiltinOp::STABLEHLO_REDUCE_WINDOW, reduce_window).added_at_load(2),
    Kernel::new(BuiltinOp::REDUCE_WINDOW, old_reduce_window),
];

/// Operands must have one shape: nothing broadcasts here.
fn elementwise(context: &mut Context<'_, '_>) -> Result<()> {
    let (first, second, output) = (context.input(0)?, context.input(1)?, context.output(0)?);
    let (dims, other) = (context.dims(first).to_vec(), context.dims(second));
    context.ensure(dims == other, &format!("{dims:?} and {other:?} differ"))?;
    context.resize(output, dims)
}

fn scatter(context: &mut Context<'_, '_>) -> Result<()> {
    let (input, output) = (context.input(0)?, context.output(0)?);
    let dims = context.dims(input).to_vec();
    context.resize(output, dims)
}

/// Offset dims come from the slices, the others from the indices.
fn gather(context: &mut Context<'_, '_>) -> Result<()> {
    let (indices, output) = (context.input(1)?, context.output(0)?);
    let OpOptions::StablehloGather { offset_dims, collapsed_slice_dims, index_vector_dim, slice_sizes, .. } =
        context.options()
    else {
        return Err(context.refuse("the options are missing"));
    };
    let is_in = |list: &[i64], index: usize| list.iter().any(|&entry| usize::try_from(entry) == Ok(index));
    let mut kept = (0..slice_sizes.len()).filter(|&dim| !is_in(collapsed_slice_dims, dim)).map(|dim| slice_sizes[dim]);
    let batch = context.dims(indices).iter().enumerate();
    let mut batch =
        batch.filter(|entry| usize::try_from(*index_vector_dim) != Ok(entry.0)).map(|entry| i64::from(*entry.1));
    let dims = (0..context.rank(output))
        .map(|dim| if is_in(offset_dims, dim) { kept.next() } else { batch.next() })
        .map(|dim| dim.and_then(|dim| i32::try_from(dim).ok()))
        .collect::<Option<Vec<i32>>>();
    let dims = dims.ok_or_else(|| context.refuse("slices and indices do not make up the output's dims"))?;
    context.resize(output, dims)
}

fn whole(context: &Context<'_, '_>, dims: &[i64]) -> Result<Vec<i32>> {
    let converted =
        dims.iter().map(|&dim| i32::try_from(dim).ok().filter(|&dim| dim >= 0)).collect::<Option<Vec<i32>>>();
    converted.ok_or_else(|| context.refuse(&format!("the dims {dims:?}")))
}

/// `dims` with `dilation - 1` elements put between any two.
fn dilated(context: &Context<'_, '_>, dims: &[i32], dilations: &[i64]) -> Result<Vec<i64>> {
    let dims = dims.iter().zip(dilations).map(|(&dim, &dilation)| {
        if dim == 0 { Some(0) } else { (i64::from(dim) - 1).checked_mul(dilation)?.checked_add(1) }
    });
    dims.collect::<Option<Vec<i64>>>().ok_or_else(|| context.refuse("the output is too large"))
}

/// Negative edges crop.
fn pad(context: &mut Context<'_, '_>) -> Result<()> {
    let (input, output) = (context.input(0)?, context.output(0)?);
    let OpOptions::StablehloPad { edge_padding_low, edge_padding_high, interior_padding } = context.options() else {
        return Err(context.refuse("the options are missing"));
    };
    let rank = context.rank(input);
    let fits = [edge_padding_low, edge_padding_high, interior_padding].iter().all(|list| list.len() == rank);
    context.ensure(fits, &format!("needs {rank} paddings"))?;
    let dilations: Vec<i64> = interior_padding.iter().map(|padding| padding.saturating_add(1)).collect();
    let inner = dilated(context, context.dims(input), &dilations)?;
    let edges = edge_padding_low.iter().zip(edge_padding_high);
    let dims: Vec<i64> =
        inner.iter().zip(edges).map(|(&dim, (&low, &high))| dim.saturating_add(low).saturating_add(high)).collect();
    let dims = whole(context, &dims)?;
    context.resize(output, dims)
}

/// The outputs keep the shapes of the file.
fn random_bits(context: &mut Context<'_, '_>) -> Result<()> {
    let state = context.input(0)?;
    let (key, output) = (context.output(0)?, context.output(1)?);
    context.ensure(context.dims(key) == context.dims(state), "the new state has another shape than the old one")?;
    for tensor in [key, output] {
        let dims = context.dims(tensor).to_vec();
        context.resize(tensor, dims)?;
    }
    Ok(())
}

/// How often a window fits along each dim.
fn positions(dims: &[i64], window: &[i64], strides: &[i64], dilations: &[i64]) -> Option<Vec<i64>> {
    let along = dims.iter().zip(window).zip(strides).zip(dilations);
    along
        .map(|(((&dim, &window), &stride), &dilation)| {
            let reach = (window.checked_sub(1)?).checked_mul(dilation)?.checked_add(1)?;
            if stride <= 0 || dilation <= 0 || window <= 0 {
                return None;
            }
            Some(if dim < reach { 0 } else { (dim - reach) / stride + 1 })
        })
        .collect()
}

fn reduce_window(context: &mut Context<'_, '_>) -> Result<()> {
    let (input, output) = (context.input(0)?, context.output(0)?);
    let OpOptions::StablehloReduceWindow {
        window_dimensions,
        window_strides,
        base_dilations,
        window_dilations,
        padding,
        ..
    } = context.options()
    else {
        return Err(context.refuse("the options are missing"));
    };
    let rank = context.rank(input);
    let lists = [window_dimensions, window_strides, base_dilations, window_dilations];
    let fits = lists.iter().all(|list| list.len() == rank) && padding.len() == 2 * rank;
    context.ensure(fits, &format!("needs options for {rank} dims"))?;
    let spread = dilated(context, context.dims(input), base_dilations)?;
    let edges = padding.as_chunks::<2>().0;
    let padded: Vec<i64> =
        spread.iter().zip(edges).map(|(&dim, [low, high])| dim.saturating_add(*low).saturating_add(*high)).collect();
    let dims = positions(&padded, window_dimensions, window_strides, window_dilations)
        .ok_or_else(|| context.refuse("the window cannot move"))?;
    let Some(dtype) = context.dtype(input) else { return Err(context.refuse("the input has no type")) };
    let (spread, padded, dims) = (whole(context, &spread)?, whole(context, &padded)?, whole(context, &dims)?);
    context.temporary(0, "dilated input", dtype, spread)?;
    context.temporary(1, "padded input", dtype, padded)?;
    context.resize(output, dims)
}

/// The deprecated form takes its window from constant inputs and needs no temporaries.
fn old_reduce_window(context: &mut Context<'_, '_>) -> Result<()> {
    let (input, output) = (context.input(0)?, context.output(0)?);
    let ids: [TensorId; 3] = [context.input(2)?, context.input(3)?, context.input(4)?];
    context.ensure(ids.into_iter().all(|id| context.is_constant(id)), "the window must be constant")?;
    let [Some(window), Some(strides), Some(dilations)] = ids.map(|id| context.ints(id)) else {
        return context.resize_as_in_file(output);
    };
    let dims: Vec<i64> = context.dims(input).iter().map(|&dim| i64::from(dim)).collect();
    let dims =
        positions(&dims, &window, &strides, &dilations).ok_or_else(|| context.refuse("the window cannot move"))?;
    let dims = whole(context, &dims)?;
    context.resize(output, dims)
}
