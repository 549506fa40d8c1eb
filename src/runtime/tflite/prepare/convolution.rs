//! `CONV_2D` and `DEPTHWISE_CONV_2D` (`conv.cc`, `depthwise_conv.cc`).

use super::super::graph::Class;
use super::window::{Axis, output_size};
use super::{Context, Kernel};
use crate::error::Result;
use crate::model::{BuiltinOp, DataType, OpOptions, Padding, Pair};
use crate::units::TensorId;

/// The kernels of this family.
pub(super) const KERNELS: &[Kernel] =
    &[Kernel::new(BuiltinOp::CONV_2D, conv_2d), Kernel::new(BuiltinOp::DEPTHWISE_CONV_2D, depthwise_conv_2d)];

/// What both convolutions are told.
struct Window {
    padding: Padding,
    stride: Pair,
    dilation: Pair,
}

/// Slots of `CONV_2D`'s tensors.
mod conv_slot {
    pub(super) const IM2COL: usize = 0;
    pub(super) const INPUT_QUANTIZED: usize = 1;
    pub(super) const SCALING_FACTORS: usize = 2;
    pub(super) const ACCUMULATORS: usize = 3;
    pub(super) const INPUT_OFFSETS: usize = 4;
    pub(super) const ROW_SUMS: usize = 5;
}

fn conv_2d(context: &mut Context<'_, '_>) -> Result<()> {
    let OpOptions::Conv2D { padding, stride, dilation, .. } = *context.options() else {
        return Err(context.refuse("the options are missing"));
    };
    context.ensure(context.input_count() == 3, "needs three inputs: data, weights, bias")?;
    let (input, filter, output) = (context.input(0)?, context.input(1)?, context.output(0)?);
    context.input(2)?;
    let window = Window { padding, stride, dilation };
    let [batches, out_h, out_w, _] = output_dims(context, input, filter, &window)?;
    let filter_dims = context.dims(filter).to_vec();
    let (channels_out, depth) = (filter_dims[0], filter_dims[3]);
    context.ensure(
        depth > 0 && context.dim(input, 3)? % depth == 0,
        "the input's channels are no multiple of the weights'",
    )?;
    let groups = context.dim(input, 3)? / depth;

    let hybrid = is_hybrid(context, input, filter, &[DataType::UInt8, DataType::Int8, DataType::Int4]);
    let per_channel = hybrid
        && (context.is(filter, DataType::Int8) || context.is(filter, DataType::Int4))
        && context.quantization(filter).is_some_and(|quantization| quantization.scales_differ);
    let pointwise = [stride.w, stride.h, dilation.w, dilation.h, filter_dims[1], filter_dims[2]] == [1; 6];
    // All tensors are added before any is set up: the numbers follow this order.
    if !pointwise {
        context.own_tensor(conv_slot::IM2COL, "im2col");
    }
    if hybrid {
        context.own_tensor(conv_slot::INPUT_QUANTIZED, "quantised input");
        context.own_tensor(conv_slot::SCALING_FACTORS, "scaling factors");
        context.own_tensor(conv_slot::ACCUMULATORS, "accumulators");
    }
    if per_channel {
        context.own_tensor(conv_slot::INPUT_OFFSETS, "input offsets");
        context.own_tensor(conv_slot::ROW_SUMS, "row sums");
    }
    context.resize(output, vec![batches, out_h, out_w, channels_out])?;
    if !pointwise {
        let dtype = match (hybrid, context.dtype(filter)) {
            (true, Some(DataType::UInt8)) => DataType::UInt8,
            (true, _) => DataType::Int8,
            (false, _) => context.dtype(input).unwrap_or(DataType::Float32),
        };
        let depth = context.product(&filter_dims[1..])?;
        context.temporary(conv_slot::IM2COL, "im2col", dtype, vec![batches, out_h, out_w, depth])?;
    }
    if hybrid {
        let dims = context.dims(input).to_vec();
        let rows = context.product(&[batches, dims[1], dims[2], groups])?;
        let pixels = context.product(&[batches, out_h, out_w])?;
        context.temporary(conv_slot::INPUT_QUANTIZED, "quantised input", DataType::Int8, dims)?;
        context.temporary(conv_slot::SCALING_FACTORS, "scaling factors", DataType::Float32, vec![rows])?;
        context.temporary(conv_slot::ACCUMULATORS, "accumulators", DataType::Int32, vec![channels_out, pixels])?;
        if per_channel {
            context.temporary(conv_slot::INPUT_OFFSETS, "input offsets", DataType::Int32, vec![rows])?;
            let slot = conv_slot::ROW_SUMS;
            context.temporary_in(Class::Persistent, slot, "row sums", DataType::Int32, vec![channels_out])?;
        }
    }
    Ok(())
}

fn depthwise_conv_2d(context: &mut Context<'_, '_>) -> Result<()> {
    let OpOptions::DepthwiseConv2D { padding, stride, dilation, .. } = *context.options() else {
        return Err(context.refuse("the options are missing"));
    };
    let (input, filter, output) = (context.input(0)?, context.input(1)?, context.output(0)?);
    let window = Window { padding, stride, dilation };
    let [batches, out_h, out_w, _] = output_dims(context, input, filter, &window)?;
    context.ensure(context.dim(filter, 0)? == 1, "the weights' first dim is not 1")?;
    let channels_out = context.dim(filter, 3)?;
    context
        .ensure(channels_out % context.dim(input, 3)? == 0, "the weights' channels are no multiple of the input's")?;
    if is_hybrid(context, input, filter, &[DataType::Int8]) {
        for (slot, purpose) in ["quantised input", "scaling factors", "input offsets"].into_iter().enumerate() {
            context.own_tensor(slot, purpose);
        }
        let dims = context.dims(input).to_vec();
        context.temporary(0, "quantised input", DataType::Int8, dims)?;
        context.temporary(1, "scaling factors", DataType::Float32, vec![batches])?;
        context.temporary(2, "input offsets", DataType::Int32, vec![batches])?;
    }
    context.resize(output, vec![batches, out_h, out_w, channels_out])
}

/// Float data with quantised weights.
pub(super) fn is_hybrid(context: &Context<'_, '_>, input: TensorId, filter: TensorId, weights: &[DataType]) -> bool {
    context.is(input, DataType::Float32) && context.dtype(filter).is_some_and(|dtype| weights.contains(&dtype))
}

/// Batches, height and width of the output, and the input's channels.
fn output_dims(context: &Context<'_, '_>, input: TensorId, filter: TensorId, window: &Window) -> Result<[i32; 4]> {
    let four = context.rank(input) == 4 && context.rank(filter) == 4;
    context.ensure(four, "input and weights must have four dims")?;
    let (image, kernel) = (context.dims(input), context.dims(filter));
    context.ensure(image[1..].iter().chain(kernel).all(|&dim| dim > 0), "a dim of input or weights is not positive")?;
    let axis = |image, kernel, stride, dilation| {
        let axis = Axis { image, kernel, stride, dilation };
        output_size(window.padding, &axis).ok_or_else(|| context.refuse("the window does not fit"))
    };
    let height = axis(image[1], kernel[1], window.stride.h, window.dilation.h)?;
    let width = axis(image[2], kernel[2], window.stride.w, window.dilation.w)?;
    Ok([image[0], height, width, image[3]])
}
