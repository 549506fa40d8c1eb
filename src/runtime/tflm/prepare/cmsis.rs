//! How many bytes of scratch CMSIS-NN's functions ask for (CMSIS-NN 4ab83cc3, the `*_get_buffer_sizes_*.c` files), as
//! TFLite-Micro's kernels call them.

use super::super::machine::{Check, product};
use crate::model::Pair;
use crate::runtime::Kernels;

/// A convolution as CMSIS-NN sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conv {
    /// Input height, width, channels.
    pub(super) input: [u64; 3],
    /// Filter height, width, channels.
    pub(super) filter: [u64; 3],
    /// Output width.
    pub(super) output_width: u64,
    /// Strides.
    pub(super) stride: Pair,
    /// Dilations.
    pub(super) dilation: Pair,
    /// Padding before the image: height, width.
    pub(super) padding: [u64; 2],
}

/// The version of CMSIS-NN, and the compiler where it matters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    /// Which instructions.
    pub(super) kernels: Kernels,
    /// Built by armclang.
    pub(super) armclang: bool,
}

/// The channels from which MVE turns a depthwise convolution of one input channel into a convolution.
fn one_channel_threshold(target: Target) -> u64 {
    if target.armclang { 8 } else { 1 }
}

/// `arm_convolve_s8_get_buffer_size`.
pub(super) fn convolve_s8(target: Target, channels: u64, filter: [u64; 3]) -> Check<u64> {
    let columns = product(&[channels, filter[0], filter[1]])?;
    if target.kernels == Kernels::CmsisNnMve {
        return product(&[64, columns.div_ceil(16)]);
    }
    product(&[4, columns.next_multiple_of(4)])
}

/// `arm_convolve_s16_get_buffer_size`.
pub(super) fn convolve_s16(target: Target, conv: &Conv) -> Check<u64> {
    let columns = product(&[conv.input[2], conv.filter[0], conv.filter[1]])?;
    if target.kernels == Kernels::CmsisNnMve {
        return product(&[64, columns.div_ceil(8)]);
    }
    product(&[4, columns])
}

/// `arm_convolve_1x1_s8_fast_get_buffer_size`.
pub(super) fn convolve_1x1_s8(target: Target, channels: u64) -> Check<u64> {
    if target.kernels == Kernels::CmsisNnDsp && target.armclang { product(&[4, channels]) } else { Ok(0) }
}

/// `arm_convolve_wrapper_s8_get_buffer_size`.
pub(super) fn convolve_wrapper_s8(target: Target, conv: &Conv) -> Check<u64> {
    let grouped = conv.input[2] != conv.filter[2];
    let dilated = conv.dilation != Pair { h: 1, w: 1 };
    if conv.padding == [0, 0] && conv.filter[0] == 1 && conv.filter[1] == 1 && !dilated && !grouped {
        let fast = conv.stride == Pair { h: 1, w: 1 };
        return if fast { convolve_1x1_s8(target, conv.input[2]) } else { Ok(0) };
    }
    let stride = u64::try_from(conv.stride.w).unwrap_or(0);
    let one_row = conv.input[0] == 1 && conv.dilation.w == 1 && conv.filter[0] == 1;
    let aligned = stride.saturating_mul(conv.input[2]) % 4 == 0;
    if one_row && aligned && !grouped && target.kernels == Kernels::CmsisNnMve {
        return convolve_1_x_n_mve(target, conv, stride);
    }
    convolve_s8(target, conv.input[2], conv.filter)
}

/// `arm_convolve_1_x_n_s8_get_buffer_size_mve`.
fn convolve_1_x_n_mve(target: Target, conv: &Conv, stride: u64) -> Check<u64> {
    let [channels, kernel, pad] = [conv.input[2], conv.filter[1], conv.padding[1]];
    let covered = conv.output_width.saturating_sub(1).saturating_mul(stride).saturating_add(kernel);
    // C's remainder keeps the sign; a negative odd total counts as −1.
    let odd = covered.abs_diff(conv.input[1]) % 2;
    let asymmetric: i64 =
        if covered < conv.input[1] { -i64::try_from(odd).unwrap_or(0) } else { i64::try_from(odd).unwrap_or(0) };
    let right_pad = i64::try_from(pad).unwrap_or(i64::MAX).saturating_add(asymmetric);
    let steps = |pad: i64| {
        let stride = i64::try_from(stride).unwrap_or(1).max(1);
        if pad == 0 { 0 } else { u64::try_from(1.max(pad.saturating_add(stride - 1) / stride)).unwrap_or(1) }
    };
    let right = steps(right_pad);
    let left = steps(i64::try_from(pad).unwrap_or(i64::MAX));
    let middle = conv.output_width.saturating_sub(right + left);
    if right + middle + left != conv.output_width {
        return convolve_s8(target, channels, conv.filter);
    }
    let pad_left = product(&[pad, channels])?;
    let pad_right = if asymmetric == 0 { pad_left } else { product(&[right, channels])? };
    let elements_left = product(&[kernel, channels])?;
    let elements_right = elements_left.saturating_sub(channels);
    Ok((elements_left + pad_left).max(elements_right + pad_right))
}

/// `arm_depthwise_conv_wrapper_s8_get_buffer_size` or, for 4-bit weights, its `s4` twin; `conv.filter[2]` is the
/// number of output channels.
pub(super) fn depthwise_wrapper(target: Target, batches: u64, conv: &Conv, is_int4: bool) -> Check<u64> {
    let [channels, outputs] = [conv.input[2], conv.filter[2]];
    let mve = target.kernels == Kernels::CmsisNnMve;
    if mve && !is_int4 && channels == 1 && outputs > one_channel_threshold(target) {
        let as_conv = Conv { filter: [conv.filter[0], conv.filter[1], 1], ..*conv };
        let copied = product(&[outputs, conv.filter[0], conv.filter[1]])?;
        return Ok(convolve_wrapper_s8(target, &as_conv)? + copied);
    }
    if channels != outputs || batches != 1 || conv.dilation != (Pair { h: 1, w: 1 }) {
        return Ok(0);
    }
    let window = product(&[conv.filter[0], conv.filter[1]])?;
    if mve {
        return product(&[4 * 124, window]);
    }
    let small = conv.filter[0] == 3 && conv.filter[1] == 3 && conv.padding[0] <= 1 && conv.padding[1] <= 1;
    match (is_int4, target.kernels) {
        (true, _) => product(&[2, channels, window]),
        (false, Kernels::CmsisNnDsp) if !small => product(&[2, channels, window]),
        (false, _) => Ok(0),
    }
}

/// `arm_fully_connected_s8_get_buffer_size`, by the number of outputs.
pub(super) fn fully_connected_s8(target: Target, outputs: u64) -> Check<u64> {
    if target.kernels == Kernels::CmsisNnMve { product(&[4, outputs]) } else { Ok(0) }
}

/// `arm_svdf_s8_get_buffer_size`, by the number of filters.
pub(super) fn svdf_s8(target: Target, filters: u64) -> Check<u64> {
    if target.kernels == Kernels::CmsisNnMve { product(&[4, filters]) } else { Ok(0) }
}

/// `arm_avgpool_s8_get_buffer_size` and its `s16` twin, by the number of channels.
pub(super) fn average_pool(target: Target, channels: u64) -> Check<u64> {
    if target.kernels == Kernels::CmsisNnDsp { product(&[4, channels]) } else { Ok(0) }
}

/// A transposed convolution as CMSIS-NN sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct TransposeConv {
    /// Input width and channels.
    pub(super) input: [u64; 2],
    /// Filter height and width.
    pub(super) filter: [u64; 2],
    /// Output channels.
    pub(super) outputs: u64,
    /// Strides: height, width.
    pub(super) stride: [u64; 2],
}

/// `arm_transpose_conv_s8_get_buffer_size` and `…_get_reverse_conv_buffer_size`.
pub(super) fn transpose_conv_s8(target: Target, conv: &TransposeConv) -> Check<[u64; 2]> {
    let [width, channels] = conv.input;
    let [kernel_h, kernel_w] = conv.filter;
    let [stride_h, stride_w] = conv.stride;
    if stride_h <= 2 && stride_w <= 2 && channels > 16 {
        let forward = convolve_s8(target, channels, [kernel_h, kernel_w, channels])?;
        return Ok([forward, product(&[channels, kernel_w, kernel_h, conv.outputs])?]);
    }
    let row = product(&[width.saturating_sub(1), stride_w])? + kernel_w.max(stride_h);
    Ok([product(&[row, conv.outputs, kernel_h.max(stride_h), 4])?, 0])
}
