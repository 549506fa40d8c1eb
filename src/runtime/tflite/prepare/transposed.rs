//! `TRANSPOSE_CONV`, `CONV_3D` and `CONV_3D_TRANSPOSE` (`transpose_conv.cc`, `conv3d.cc`, `conv3d_transpose.cc`).

use super::super::graph::Class;
use super::window::{Axis, output_size};
use super::{Context, Kernel};
use crate::error::Result;
use crate::model::{BuiltinOp, DataType, OpOptions};
use crate::units::TensorId;

/// The kernels of this family.
pub(super) const KERNELS: &[Kernel] = &[
    Kernel::new(BuiltinOp::TRANSPOSE_CONV, transpose_conv),
    Kernel::new(BuiltinOp::CONV_3D, conv_3d),
    Kernel::new(BuiltinOp::CONV_3D_TRANSPOSE, conv_3d_transpose),
];

/// Slots of `TRANSPOSE_CONV`'s tensors.
mod slot {
    pub(super) const COL2IM: usize = 0;
    pub(super) const WEIGHTS: usize = 1;
    pub(super) const ACCUMULATORS: usize = 2;
    pub(super) const INPUT_QUANTIZED: usize = 3;
    pub(super) const SCALING_FACTORS: usize = 4;
    pub(super) const INPUT_OFFSETS: usize = 5;
}

fn transpose_conv(context: &mut Context<'_, '_>) -> Result<()> {
    let OpOptions::TransposeConv { quantized_bias_type, .. } = *context.options() else {
        return Err(context.refuse("the options are missing"));
    };
    let (shape, weights, input) = (context.input(0)?, context.input(1)?, context.input(2)?);
    let output = context.output(0)?;
    let four = context.rank(input) == 4 && context.rank(weights) == 4;
    context.ensure(four && context.rank(shape) == 1, "data and weights must have four dims, the shape one")?;
    context.ensure(
        context.dims(input)[3] == context.dims(weights)[3],
        "the input's channels are not those of the weights",
    )?;
    let integer = matches!(context.dtype(input), Some(DataType::UInt8 | DataType::Int8 | DataType::Int16));
    let hybrid = context.is(input, DataType::Float32) && context.is(weights, DataType::Int8);
    // All tensors are added before any is set up: the numbers follow this order.
    context.own_tensor(slot::COL2IM, "col2im");
    context.own_tensor(slot::WEIGHTS, "transposed weights");
    if integer {
        context.own_tensor(slot::ACCUMULATORS, "accumulators");
    }
    if hybrid {
        context.own_tensor(slot::INPUT_QUANTIZED, "quantised input");
        context.own_tensor(slot::SCALING_FACTORS, "scaling factors");
        context.own_tensor(slot::INPUT_OFFSETS, "input offsets");
    }
    let known = context.is_constant(shape);
    let (image, kernel) = (context.dims(input).to_vec(), context.dims(weights).to_vec());
    let rows = context.product(&image[1..3])?;
    let columns = context.product(&kernel[..3])?;
    let dtype = if context.is(input, DataType::Float32) { DataType::Float32 } else { DataType::Int32 };
    on_heap(context, slot::COL2IM, "col2im", dtype, known.then(|| vec![rows, columns]))?;
    if known {
        let dims = output_dims(context, shape)?;
        context.resize(output, dims)?;
    } else {
        context.set_dynamic(output);
    }
    let transposed = context.is_constant(weights).then(|| vec![kernel[1], kernel[2], kernel[0], kernel[3]]);
    let dtype = context.dtype(weights).unwrap_or(DataType::Float32);
    on_heap(context, slot::WEIGHTS, "transposed weights", dtype, transposed)?;
    if integer {
        let dtype = match (quantized_bias_type, context.dtype(input)) {
            (DataType::Int32 | DataType::Int64, Some(DataType::Int16)) => quantized_bias_type,
            (_, Some(DataType::Int16)) => DataType::Int64,
            _ => DataType::Int32,
        };
        let dims = if known { Some(output_dims(context, shape)?) } else { None };
        on_heap(context, slot::ACCUMULATORS, "accumulators", dtype, dims)?;
    }
    if hybrid {
        context.ensure(image[3] > 0, "the input has no channels")?;
        let rows = context.product(&image)? / image[3];
        context.temporary(slot::INPUT_QUANTIZED, "quantised input", DataType::Int8, image)?;
        context.temporary(slot::SCALING_FACTORS, "scaling factors", DataType::Float32, vec![rows])?;
        context.temporary(slot::INPUT_OFFSETS, "input offsets", DataType::Int32, vec![rows])?;
    }
    Ok(())
}

/// A temporary on the heap; without dims it is sized while running.
fn on_heap(
    context: &mut Context<'_, '_>,
    slot: usize,
    purpose: &'static str,
    dtype: DataType,
    dims: Option<Vec<i32>>,
) -> Result<()> {
    if let Some(dims) = dims {
        context.temporary_in(Class::Dynamic, slot, purpose, dtype, dims)?;
    } else {
        let tensor = context.own_tensor(slot, purpose);
        context.use_temporary(tensor);
        context.set_type(tensor, dtype);
        context.set_dynamic(tensor);
    }
    Ok(())
}

fn output_dims(context: &Context<'_, '_>, shape: TensorId) -> Result<Vec<i32>> {
    context.ensure(context.is(shape, DataType::Int32), "the output's shape must be int32")?;
    context.dims_in(shape).ok_or_else(|| context.refuse("the output's shape is not known"))
}

fn conv_3d(context: &mut Context<'_, '_>) -> Result<()> {
    let OpOptions::Conv3D { padding, stride, dilation, .. } = *context.options() else {
        return Err(context.refuse("the options are missing"));
    };
    let (input, filter, output) = (context.input(0)?, context.input(1)?, context.output(0)?);
    let five = context.rank(input) == 5 && context.rank(filter) == 5;
    context.ensure(five, "input and weights must have five dims")?;
    let (image, kernel) = (context.dims(input).to_vec(), context.dims(filter).to_vec());
    context.ensure(image[4] == kernel[3], "the input's channels are not those of the weights")?;
    let mut dims = vec![image[0]];
    for axis in 0..3 {
        let window =
            Axis { image: image[axis + 1], kernel: kernel[axis], stride: stride[axis], dilation: dilation[axis] };
        dims.push(output_size(padding, &window).ok_or_else(|| context.refuse("the window does not fit"))?);
    }
    let mut columns = dims.clone();
    dims.push(kernel[4]);
    context.resize(output, dims)?;
    if stride != [1; 3] || dilation != [1; 3] || kernel[..3] != [1; 3] {
        columns.push(context.product(&kernel[..4])?);
        let dtype = context.dtype(input).unwrap_or(DataType::Float32);
        context.temporary(0, "im2col", dtype, columns)?;
    }
    Ok(())
}

fn conv_3d_transpose(context: &mut Context<'_, '_>) -> Result<()> {
    let OpOptions::Conv3D { dilation, .. } = *context.options() else {
        return Err(context.refuse("the options are missing"));
    };
    let (shape, filter, input) = (context.input(0)?, context.input(1)?, context.input(2)?);
    let output = context.output(0)?;
    let five = context.rank(input) == 5 && context.rank(filter) == 5;
    context.ensure(five, "input and weights must have five dims")?;
    let known = context.is_constant_or_folded(shape);
    if known {
        let dims = output_dims(context, shape)?;
        context.resize(output, dims)?;
    } else {
        context.set_dynamic(output);
    }
    if dilation.iter().all(|&dilation| dilation <= 1) {
        let (image, kernel) = (context.dims(input).to_vec(), context.dims(filter).to_vec());
        let rows = context.product(&image[1..4])?;
        let columns = context.product(&kernel[..4])?;
        on_heap(context, 0, "col2im", DataType::Float32, known.then(|| vec![rows, columns]))?;
    }
    Ok(())
}
