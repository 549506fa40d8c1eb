//! Convolutions and pooling.

use super::super::machine::{Check, Stop, ensure, product};
use super::super::node::{Node, View};
use super::checks::{HYBRID, required};
use super::cmsis::{self, Conv, Target};
use crate::model::{BuiltinOp, DataType, OpOptions, Padding, Pair};

/// The versions of CMSIS-NN's functions that the node's build calls.
pub(super) fn target(node: &Node<'_, '_>) -> Target {
    Target { kernels: node.kernels(), armclang: node.machine.options.build.armclang }
}

/// Padding before the image along one axis (`ComputePaddingHeightWidth`).
fn padding_before(padding: Padding, stride: i32, dilation: i32, image: u64, filter: u64) -> u64 {
    let (stride, dilation) = (u64::try_from(stride).unwrap_or(0), u64::try_from(dilation).unwrap_or(0));
    if stride == 0 || filter == 0 {
        return 0;
    }
    let effective = (filter - 1).saturating_mul(dilation).saturating_add(1);
    let output = match padding {
        Padding::Same => image.saturating_add(stride - 1) / stride,
        Padding::Valid => image.saturating_add(stride).saturating_sub(effective) / stride,
    };
    let covered = output.saturating_sub(1).saturating_mul(stride).saturating_add(effective);
    covered.saturating_sub(image) / 2
}

struct Options {
    padding: Padding,
    stride: Pair,
    dilation: Pair,
}

fn options(node: &Node<'_, '_>) -> Options {
    match node.options() {
        OpOptions::Conv2D { padding, stride, dilation, .. }
        | OpOptions::DepthwiseConv2D { padding, stride, dilation, .. } => {
            Options { padding: *padding, stride: *stride, dilation: *dilation }
        }
        _ => Options { padding: Padding::Same, stride: Pair { h: 0, w: 0 }, dilation: Pair { h: 1, w: 1 } },
    }
}

/// Whether the kernel takes an input of this type with weights of that.
fn check_types(input: DataType, filter: DataType) -> Check {
    let fits = matches!(
        (input, filter),
        (DataType::Float32, DataType::Float32)
            | (DataType::Int16, DataType::Int8)
            | (DataType::Int8, DataType::Int8 | DataType::Int4)
    );
    if fits { Ok(()) } else { Err(Stop::says(format!("input is {input:?}, but the weights are {filter:?}"), HYBRID)) }
}

/// Whether the weights carry one scale or one per output channel.
fn check_scales(filter: &View<'_>, channels: u64) -> Check {
    ensure(filter.is_quantized(), "the weights are not quantised, but the input is")?;
    ensure(
        filter.scales() == 1 || filter.scales() == channels,
        "the weights have neither one scale nor one per channel",
    )
}

/// `CalculateOpDataConv` and its depthwise twin: input, weights, bias if there is one, output once more.
fn op_data(node: &mut Node<'_, '_>, input_index: usize, bias_index: usize) -> Check {
    let inputs = node.op.inputs.len();
    ensure(inputs == bias_index || inputs == bias_index + 1, "the number of inputs is not that of a convolution")?;
    ensure(node.op.outputs.len() == 1, "a convolution has one output")?;
    let input = node.input(input_index)?;
    node.input(1)?;
    node.maybe_input(bias_index)?;
    node.output(0)?;
    ensure(input.dtype() == DataType::Float32 || input.is_quantized(), "the input is not quantised")
}

/// The two arrays of one multiplier and one shift per output channel.
fn per_channel(node: &mut Node<'_, '_>, channels: u64) -> Check {
    node.persistent_array("multiplier per channel", channels, 4)?;
    node.persistent_array("shift per channel", channels, 4)
}

/// `CONV_2D` and `DEPTHWISE_CONV_2D`.
pub(super) fn prepare(node: &mut Node<'_, '_>, op: BuiltinOp, views: &[Option<View<'_>>]) -> Check {
    if node.is_reference() { reference(node, op, views) } else { with_cmsis(node, op, views) }
}

fn reference(node: &mut Node<'_, '_>, op: BuiltinOp, views: &[Option<View<'_>>]) -> Check {
    let [output, input, filter] = required(views)?;
    let depthwise = op == BuiltinOp::DEPTHWISE_CONV_2D;
    if !depthwise {
        ensure(input.dtype() == output.dtype(), "input and output have different types")?;
        check_types(input.dtype(), filter.dtype())?;
    }
    let channels = filter.len(if depthwise { 3 } else { 0 })?;
    for view in [input, output, filter] {
        view.dim(2)?;
    }
    per_channel(node, channels)?;
    let quantized_input = match input.dtype() {
        DataType::Int8 => true,
        DataType::Int16 => !depthwise,
        _ => false,
    };
    if quantized_input {
        check_scales(filter, channels)?;
    }
    let int4 = filter.dtype() == DataType::Int4;
    if depthwise {
        let same = input.dtype() == filter.dtype();
        if !same {
            check_types(input.dtype(), filter.dtype())?;
        }
        unpacked(node, filter, int4)?;
        return op_data(node, 0, 2);
    }
    op_data(node, 0, 2)?;
    unpacked(node, filter, int4)
}

/// Reference kernels unpack 4-bit weights into scratch.
pub(super) fn unpacked(node: &mut Node<'_, '_>, filter: &View<'_>, int4: bool) -> Check {
    if int4 { node.scratch("unpacked 4-bit weights", filter.elements()?) } else { Ok(()) }
}

fn with_cmsis(node: &mut Node<'_, '_>, op: BuiltinOp, views: &[Option<View<'_>>]) -> Check {
    let [input, filter, output] = required(views)?;
    let depthwise = op == BuiltinOp::DEPTHWISE_CONV_2D;
    ensure(input.dtype() == output.dtype(), "input and output have different types")?;
    if !matches!(input.dtype(), DataType::Float32 | DataType::Int16 | DataType::Int8) {
        return Err(Stop::says(
            format!("inputs of type {:?} are not supported", input.dtype()),
            "Input data type not supported",
        ));
    }
    check_types(input.dtype(), filter.dtype())?;
    if !depthwise {
        ensure([input, filter, output].iter().all(|view| view.rank() == 4), "a tensor has not four dims")?;
        let (channels, depth) = (input.len(3)?, filter.len(3)?);
        ensure(depth > 0 && channels % depth == 0, "the input's channels are no multiple of the weights'")?;
        ensure(input.dim(0)? == output.dim(0)?, "input and output have different batches")?;
    }
    let quantized = input.dtype() != DataType::Float32;
    let channels = filter.len(if depthwise { 3 } else { 0 })?;
    if quantized {
        if depthwise {
            check_scales(filter, channels)?;
        }
        per_channel(node, channels)?;
    }
    op_data(node, 0, 2)?;
    let conv = as_cmsis(node, depthwise, input, filter, output)?;
    let target = target(node);
    let bytes = match (input.dtype(), depthwise) {
        (DataType::Int8, false) => cmsis::convolve_wrapper_s8(target, &conv)?,
        (DataType::Int16, false) => cmsis::convolve_s16(target, &conv)?,
        (DataType::Int8, true) => {
            cmsis::depthwise_wrapper(target, input.len(0)?, &conv, filter.dtype() == DataType::Int4)?
        }
        _ => 0,
    };
    if bytes > 0 { node.scratch("im2col and kernel buffer", bytes) } else { Ok(()) }
}

fn as_cmsis(
    node: &Node<'_, '_>,
    depthwise: bool,
    input: &View<'_>,
    filter: &View<'_>,
    output: &View<'_>,
) -> Check<Conv> {
    let Options { padding, stride, dilation } = options(node);
    let input = [input.len(1)?, input.len(2)?, input.len(3)?];
    let last = if depthwise { output.len(3)? } else { filter.len(3)? };
    let filter = [filter.len(1)?, filter.len(2)?, last];
    let padding = [
        padding_before(padding, stride.h, dilation.h, input[0], filter[0]),
        padding_before(padding, stride.w, dilation.w, input[1], filter[1]),
    ];
    Ok(Conv { input, filter, output_width: output.len(2)?, stride, dilation, padding })
}

/// `TRANSPOSE_CONV`: inputs are the output's shape, weights, input, bias.
pub(super) fn transpose(node: &mut Node<'_, '_>, views: &[Option<View<'_>>]) -> Check {
    let [output, input, filter] = required(views)?;
    let (data, weights) = (input.dtype(), filter.dtype());
    if node.is_reference() {
        if data != weights && (data, weights) != (DataType::Int16, DataType::Int8) {
            return Err(Stop::says(format!("input is {data:?}, but the weights are {weights:?}"), HYBRID));
        }
    } else {
        ensure(data == output.dtype(), "input and output have different types")?;
        ensure(weights != DataType::Int4, "4-bit weights are not supported")?;
        check_types(data, weights)?;
    }
    let channels = filter.len(0)?;
    per_channel(node, channels)?;
    match data {
        DataType::Int8 if node.is_reference() => node.scratch("accumulators", product(&[4, output.elements()?])?)?,
        DataType::Int8 => transpose_cmsis(node, input, filter)?,
        DataType::Int16 => node.scratch("accumulators", product(&[8, output.elements()?])?)?,
        _ => {}
    }
    if matches!(data, DataType::Int8 | DataType::Int16) {
        check_scales(filter, channels)?;
    }
    if data != DataType::Float32 {
        op_data(node, 2, 3)?;
    }
    if data == DataType::Int16 {
        let bias = node.input_ref(3).map(|at| (node.machine.tensor(at).dtype, node.machine.dims(at).to_vec()));
        match bias {
            Some((DataType::Int16, dims)) => {
                let elements = super::super::types::elements(&dims).ok_or_else(|| Stop::new("the bias has no size"))?;
                node.scratch("bias in 64 bits", product(&[8, elements])?)?;
            }
            None if !node.is_reference() => return Err(Stop::crash("16-bit transposed convolution without bias")),
            _ => {}
        }
    }
    Ok(())
}

fn transpose_cmsis(node: &mut Node<'_, '_>, input: &View<'_>, filter: &View<'_>) -> Check {
    let stride = match node.options() {
        OpOptions::TransposeConv { stride, .. } => *stride,
        _ => Pair { h: 0, w: 0 },
    };
    let conv = cmsis::TransposeConv {
        input: [input.len(2)?, input.len(3)?],
        filter: [filter.len(1)?, filter.len(2)?],
        outputs: filter.len(0)?,
        stride: [u64::try_from(stride.h).unwrap_or(0), u64::try_from(stride.w).unwrap_or(0)],
    };
    let [forward, reverse] = cmsis::transpose_conv_s8(target(node), &conv)?;
    node.scratch("im2col and accumulators", forward)?;
    node.scratch("reversed weights", reverse)
}

/// `AVERAGE_POOL_2D` and `MAX_POOL_2D`.
pub(super) fn pool(node: &mut Node<'_, '_>, op: BuiltinOp, views: &[Option<View<'_>>]) -> Check {
    let [input, output] = required(views)?;
    let data = input.dtype();
    if !matches!(data, DataType::Float32 | DataType::Int8 | DataType::Int16) {
        let line = format!("Type {} not supported.", super::super::types::name(data));
        return Err(Stop::says(format!("inputs of type {data:?} are not supported"), line));
    }
    input.dim(2)?;
    if data != DataType::Float32 {
        ensure((input.scale() - output.scale()).abs() <= 1.0e-6, "input and output have different scales")?;
        ensure(input.zero_point() == output.zero_point(), "input and output have different zero points")?;
    }
    if node.is_reference() || op == BuiltinOp::MAX_POOL_2D || data == DataType::Float32 {
        return Ok(());
    }
    let bytes = cmsis::average_pool(target(node), input.len(3)?)?;
    if bytes > 0 { node.scratch("sums per channel", bytes) } else { Ok(()) }
}
