//! `FULLY_CONNECTED` and `BATCH_MATMUL` (`fully_connected.cc`, `batch_matmul.cc`).

use super::super::graph::Class;
use super::convolution::is_hybrid;
use super::{Context, Kernel};
use crate::error::{Result, Warning};
use crate::model::{BuiltinOp, DataType, OpOptions};
use crate::units::TensorId;

/// The kernels of this family.
pub(super) const KERNELS: &[Kernel] =
    &[Kernel::new(BuiltinOp::FULLY_CONNECTED, fully_connected), Kernel::new(BuiltinOp::BATCH_MATMUL, batch_matmul)];

/// Tensors that `FULLY_CONNECTED` adds, used or not.
const FULLY_CONNECTED_TENSORS: usize = 6;
/// Tensors that `BATCH_MATMUL` adds, used or not.
const BATCH_MATMUL_TENSORS: usize = 7;
/// Rows and columns of weights that the 4-bit kernel takes at once (`optimized_4bit`).
const BLOCK: (i32, i32) = (4, 32);
/// Rows of data that the 4-bit kernel takes at once on x86.
const MAX_ROWS: i32 = 4;

fn fully_connected(context: &mut Context<'_, '_>) -> Result<()> {
    for slot in 0..FULLY_CONNECTED_TENSORS {
        context.own_tensor(slot, "unused");
    }
    let OpOptions::FullyConnected { keep_num_dims, .. } = *context.options() else {
        return Err(context.refuse("the options are missing"));
    };
    let (input, filter, output) = (context.input(0)?, context.input(1)?, context.output(0)?);
    context.ensure(context.rank(filter) == 2, "the weights must have two dims")?;
    let (units, cols) = (context.dim(filter, 0)?, context.dim(filter, 1)?);
    let input_dims = context.dims(input).to_vec();
    let keep = |context: &Context<'_, '_>, batches: i32| -> Result<Vec<i32>> {
        if !keep_num_dims {
            return Ok(vec![batches, units]);
        }
        let Some((_, outer)) = input_dims.split_last() else {
            return Err(context.refuse("the input has no dims to keep"));
        };
        Ok(outer.iter().copied().chain([units]).collect())
    };
    if cols == 0 {
        let outer = &input_dims[..input_dims.len().saturating_sub(1)];
        let batches = context.product(outer)?;
        let dims = keep(context, batches)?;
        return context.resize(output, dims);
    }
    let size = context.product(&input_dims)?;
    context.ensure(cols > 0, "the weights have a negative dim")?;
    let batches = size / cols;
    context.ensure(
        !keep_num_dims || input_dims.last() == Some(&cols),
        "the input's last dim is not that of the weights",
    )?;
    let dims = keep(context, batches)?;
    let hybrid = is_hybrid(context, input, filter, &[DataType::UInt8, DataType::Int8, DataType::Int4, DataType::Int2]);
    if hybrid {
        if takes_four_bits(context, filter, size, batches) {
            four_bits(context, units, cols, batches)?;
        } else {
            hybrid_temporaries(context, input, filter, batches)?;
        }
    }
    context.resize(output, dims)
}

fn takes_four_bits(context: &Context<'_, '_>, filter: TensorId, size: i32, batches: i32) -> bool {
    let units = context.dims(filter)[0];
    context.is(filter, DataType::Int4)
        && context.is_constant(filter)
        && batches != 0
        && (size / batches) % 2 == 0
        && units >= BLOCK.0
        && size / batches >= BLOCK.1
}

/// Temporaries of the 4-bit kernel: data in blocks.
fn four_bits(context: &mut Context<'_, '_>, units: i32, cols: i32, batches: i32) -> Result<()> {
    let mut rows_at_once = MAX_ROWS;
    while rows_at_once > 1 && batches < rows_at_once {
        rows_at_once /= 2;
    }
    let round_up = |value: i32, multiple: i32| {
        let blocks = (i64::from(value) + i64::from(multiple) - 1) / i64::from(multiple);
        i32::try_from(blocks * i64::from(multiple)).map_err(|_| context.refuse("the weights are too large"))
    };
    let (rows, cols, units) = (round_up(batches, rows_at_once)?, round_up(cols, BLOCK.1)?, round_up(units, BLOCK.0)?);
    context.temporary(0, "quantised input", DataType::Int8, vec![rows, cols])?;
    context.temporary(1, "scaling factors", DataType::Float32, vec![rows])?;
    context.temporary(2, "accumulators", DataType::Int32, vec![rows, units])?;
    context.temporary(3, "input offsets", DataType::Int32, vec![rows])?;
    Ok(())
}

/// Temporaries for float data with quantised weights.
fn hybrid_temporaries(context: &mut Context<'_, '_>, input: TensorId, filter: TensorId, batches: i32) -> Result<()> {
    let units = context.dims(filter)[0];
    let dims = context.dims(input).to_vec();
    context.temporary(0, "quantised input", DataType::Int8, dims)?;
    context.temporary(1, "scaling factors", DataType::Float32, vec![batches])?;
    context.temporary(2, "accumulators", DataType::Int32, vec![units, batches])?;
    context.temporary(3, "input offsets", DataType::Int32, vec![batches])?;
    context.temporary_in(Class::Persistent, 4, "row sums", DataType::Int32, vec![units])?;
    if context.is_sparse(filter) {
        let message = "FULLY_CONNECTED: the ledger of sparse weights is not counted";
        context.warn(Warning::new("temporaries-not-counted", message));
    }
    Ok(())
}

fn batch_matmul(context: &mut Context<'_, '_>) -> Result<()> {
    for slot in 0..BATCH_MATMUL_TENSORS {
        context.own_tensor(slot, "unused");
    }
    let OpOptions::BatchMatMul { adj_x, adj_y, .. } = *context.options() else {
        return Err(context.refuse("the options are missing"));
    };
    let (lhs, rhs, output) = (context.input(0)?, context.input(1)?, context.output(0)?);
    let (lhs_dims, rhs_dims) = (context.dims(lhs).to_vec(), context.dims(rhs).to_vec());
    let ranks = 2..=5;
    context.ensure(
        ranks.contains(&lhs_dims.len()) && ranks.contains(&rhs_dims.len()),
        "inputs must have two to five dims",
    )?;
    matmul_temporaries(context, lhs, rhs, (adj_x, adj_y))?;

    let rank = lhs_dims.len().max(rhs_dims.len());
    let extended =
        |dims: &[i32]| -> Vec<i32> { std::iter::repeat_n(1, rank - dims.len()).chain(dims.iter().copied()).collect() };
    let (a, b) = (extended(&lhs_dims), extended(&rhs_dims));
    let mut dims = Vec::with_capacity(rank);
    for (&a, &b) in a.iter().zip(&b).take(rank - 2) {
        context.ensure(a == b || a == 1 || b == 1, "the batch dims do not broadcast")?;
        dims.push(if a == 1 { b } else { a });
    }
    let (rows, depth_a) = if adj_x { (a[rank - 1], a[rank - 2]) } else { (a[rank - 2], a[rank - 1]) };
    let (depth_b, cols) = if adj_y { (b[rank - 1], b[rank - 2]) } else { (b[rank - 2], b[rank - 1]) };
    context.ensure(depth_a == depth_b, "the inner dims differ")?;
    dims.extend([rows, cols]);
    context.resize(output, dims)
}

fn matmul_temporaries(
    context: &mut Context<'_, '_>,
    lhs: TensorId,
    rhs: TensorId,
    adjoint: (bool, bool),
) -> Result<()> {
    let transposed = |dims: &[i32]| {
        let mut dims = dims.to_vec();
        let rank = dims.len();
        dims.swap(rank - 2, rank - 1);
        dims
    };
    let (lhs_dims, rhs_dims) = (context.dims(lhs).to_vec(), context.dims(rhs).to_vec());
    let (lhs_type, rhs_type) = (context.dtype(lhs), context.dtype(rhs));
    let (Some(lhs_type), Some(rhs_type)) = (lhs_type, rhs_type) else {
        return Err(context.refuse("an input has no type"));
    };
    context.temporary(0, "transposed left side", lhs_type, transposed(&lhs_dims))?;
    let class = if context.is_constant(rhs) { Class::Persistent } else { Class::Arena };
    context.temporary_in(class, 1, "transposed right side", rhs_type, transposed(&rhs_dims))?;
    if lhs_type == DataType::Float32 && rhs_type == DataType::Int8 {
        let (lhs_rank, rhs_rank) = (lhs_dims.len(), rhs_dims.len());
        let rows = if adjoint.0 { lhs_dims[lhs_rank - 1] } else { lhs_dims[lhs_rank - 2] };
        let units = if adjoint.1 { rhs_dims[rhs_rank - 2] } else { rhs_dims[rhs_rank - 1] };
        let batches = context.product(&lhs_dims[..lhs_rank - 2])?;
        let matrices = context.product(&rhs_dims[..rhs_rank - 2])?;
        let scales = context.product(&[batches, rows])?;
        let sums = context.product(&[matrices, units])?;
        context.temporary(2, "quantised input", rhs_type, lhs_dims)?;
        context.temporary(3, "scaling factors", DataType::Float32, vec![scales])?;
        context.temporary(4, "accumulators", DataType::Int32, vec![units, rows])?;
        context.temporary(5, "input offsets", DataType::Int32, vec![scales])?;
        context.temporary_in(Class::Persistent, 6, "row sums", DataType::Int32, vec![sums])?;
    }
    Ok(())
}
