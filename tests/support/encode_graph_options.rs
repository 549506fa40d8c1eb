//! Options tables of operators with windows, with state, and of those whose options decide their output's shape.

use arenascope::model::{BuiltinOp, OpOptions};
use arenascope::schema::{self as fb, BuiltinOptions};

use super::encode::{Builder, numbers};
use super::encode_options::{Union, number, padding_number};

/// Convolutions and pooling.
pub(super) fn window(fbb: &mut Builder, options: &OpOptions) -> Option<(BuiltinOptions, Union)> {
    let encoded = match options {
        OpOptions::Conv2D { padding, stride, dilation, activation, quantized_bias_type } => {
            let args = fb::Conv2DOptionsArgs {
                padding: padding_number(*padding),
                stride_w: stride.w,
                stride_h: stride.h,
                activation: number(*activation),
                dilation_w: dilation.w,
                dilation_h: dilation.h,
                quantized_bias_type: quantized_bias_type.number(),
            };
            (BuiltinOptions::Conv2D, fb::Conv2DOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::DepthwiseConv2D { padding, stride, dilation, depth_multiplier, activation } => {
            let args = fb::DepthwiseConv2DOptionsArgs {
                padding: padding_number(*padding),
                stride_w: stride.w,
                stride_h: stride.h,
                depth_multiplier: *depth_multiplier,
                activation: number(*activation),
                dilation_w: dilation.w,
                dilation_h: dilation.h,
            };
            (BuiltinOptions::DepthwiseConv2D, fb::DepthwiseConv2DOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::Conv3D {
            padding,
            stride: [d, h, w],
            dilation: [dilation_d, dilation_h, dilation_w],
            activation,
        } => {
            let args = fb::Conv3DOptionsArgs {
                padding: padding_number(*padding),
                stride_d: *d,
                stride_w: *w,
                stride_h: *h,
                activation: number(*activation),
                dilation_d: *dilation_d,
                dilation_w: *dilation_w,
                dilation_h: *dilation_h,
            };
            (BuiltinOptions::Conv3D, fb::Conv3DOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::TransposeConv { padding, stride, activation, quantized_bias_type } => {
            let args = fb::TransposeConvOptionsArgs {
                padding: padding_number(*padding),
                stride_w: stride.w,
                stride_h: stride.h,
                activation: number(*activation),
                quantized_bias_type: quantized_bias_type.number(),
            };
            (BuiltinOptions::TransposeConv, fb::TransposeConvOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::Pool2D { padding, stride, filter, activation } => {
            let args = fb::Pool2DOptionsArgs {
                padding: padding_number(*padding),
                stride_w: stride.w,
                stride_h: stride.h,
                filter_w: filter.w,
                filter_h: filter.h,
                activation: number(*activation),
            };
            (BuiltinOptions::Pool2D, fb::Pool2DOptions::create(fbb, &args).as_union_value())
        }
        _ => return None,
    };
    Some(encoded)
}

/// Operators with state or over sequences.
pub(super) fn recurrent(fbb: &mut Builder, options: &OpOptions) -> Option<(BuiltinOptions, Union)> {
    let encoded = match options {
        OpOptions::Svdf { rank, activation, asymmetric_quantize_inputs } => {
            let args = fb::SvdfOptionsArgs {
                rank: *rank,
                activation: number(*activation),
                asymmetric_quantize_inputs: *asymmetric_quantize_inputs,
            };
            (BuiltinOptions::Svdf, fb::SvdfOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::Rnn { activation, asymmetric_quantize_inputs } => {
            let args = fb::RnnOptionsArgs {
                activation: number(*activation),
                asymmetric_quantize_inputs: *asymmetric_quantize_inputs,
            };
            (BuiltinOptions::Rnn, fb::RnnOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::SequenceRnn { time_major, activation, asymmetric_quantize_inputs } => {
            let args = fb::SequenceRnnOptionsArgs {
                time_major: *time_major,
                activation: number(*activation),
                asymmetric_quantize_inputs: *asymmetric_quantize_inputs,
            };
            (BuiltinOptions::SequenceRnn, fb::SequenceRnnOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::BidirectionalSequenceRnn { time_major, merge_outputs, activation, asymmetric_quantize_inputs } => {
            let args = fb::BidirectionalSequenceRnnOptionsArgs {
                time_major: *time_major,
                activation: number(*activation),
                merge_outputs: *merge_outputs,
                asymmetric_quantize_inputs: *asymmetric_quantize_inputs,
            };
            (
                BuiltinOptions::BidirectionalSequenceRnn,
                fb::BidirectionalSequenceRnnOptions::create(fbb, &args).as_union_value(),
            )
        }
        OpOptions::Lstm { activation, cell_clip, proj_clip, kernel_type, asymmetric_quantize_inputs } => {
            let args = fb::LstmOptionsArgs {
                activation: number(*activation),
                cell_clip: *cell_clip,
                proj_clip: *proj_clip,
                kernel_type: *kernel_type,
                asymmetric_quantize_inputs: *asymmetric_quantize_inputs,
            };
            (BuiltinOptions::Lstm, fb::LstmOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::UnidirectionalSequenceLstm {
            activation,
            cell_clip,
            proj_clip,
            time_major,
            asymmetric_quantize_inputs,
            diagonal_recurrent_tensors,
        } => {
            let args = fb::UnidirectionalSequenceLstmOptionsArgs {
                activation: number(*activation),
                cell_clip: *cell_clip,
                proj_clip: *proj_clip,
                time_major: *time_major,
                asymmetric_quantize_inputs: *asymmetric_quantize_inputs,
                diagonal_recurrent_tensors: *diagonal_recurrent_tensors,
            };
            (
                BuiltinOptions::UnidirectionalSequenceLstm,
                fb::UnidirectionalSequenceLstmOptions::create(fbb, &args).as_union_value(),
            )
        }
        OpOptions::BidirectionalSequenceLstm {
            activation,
            cell_clip,
            proj_clip,
            merge_outputs,
            time_major,
            asymmetric_quantize_inputs,
        } => {
            let args = fb::BidirectionalSequenceLstmOptionsArgs {
                activation: number(*activation),
                cell_clip: *cell_clip,
                proj_clip: *proj_clip,
                merge_outputs: *merge_outputs,
                time_major: *time_major,
                asymmetric_quantize_inputs: *asymmetric_quantize_inputs,
            };
            (
                BuiltinOptions::BidirectionalSequenceLstm,
                fb::BidirectionalSequenceLstmOptions::create(fbb, &args).as_union_value(),
            )
        }
        _ => return None,
    };
    Some(encoded)
}

/// Operators whose options decide their output's shape.
pub(super) fn shaped(fbb: &mut Builder, builtin: BuiltinOp, options: &OpOptions) -> Option<(BuiltinOptions, Union)> {
    let encoded = match options {
        OpOptions::Concatenation { axis, activation } => {
            let args = fb::ConcatenationOptionsArgs { axis: *axis, activation: number(*activation) };
            (BuiltinOptions::Concatenation, fb::ConcatenationOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::Reshape { new_shape } => {
            let args = fb::ReshapeOptionsArgs { new_shape: numbers(fbb, new_shape) };
            (BuiltinOptions::Reshape, fb::ReshapeOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::Squeeze { dims } => {
            let args = fb::SqueezeOptionsArgs { squeeze_dims: numbers(fbb, dims) };
            (BuiltinOptions::Squeeze, fb::SqueezeOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::BlockSize { block_size } => {
            let args = fb::BlockSizeOptionsArgs { block_size: *block_size };
            (
                if builtin == BuiltinOp::SPACE_TO_DEPTH {
                    BuiltinOptions::SpaceToDepth
                } else {
                    BuiltinOptions::DepthToSpace
                },
                fb::BlockSizeOptions::create(fbb, &args).as_union_value(),
            )
        }
        OpOptions::Gather { axis, batch_dims } => {
            let args = fb::GatherOptionsArgs { axis: *axis, batch_dims: *batch_dims };
            (BuiltinOptions::Gather, fb::GatherOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::Reducer { keep_dims } => {
            let args = fb::ReducerOptionsArgs { keep_dims: *keep_dims };
            (BuiltinOptions::Reducer, fb::ReducerOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::Split { num_splits } => {
            let args = fb::SplitOptionsArgs { num_splits: *num_splits };
            (
                if builtin == BuiltinOp::SPLIT { BuiltinOptions::Split } else { BuiltinOptions::SplitV },
                fb::SplitOptions::create(fbb, &args).as_union_value(),
            )
        }
        OpOptions::StridedSlice { begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask, offset } => {
            let args = fb::StridedSliceOptionsArgs {
                begin_mask: *begin_mask,
                end_mask: *end_mask,
                ellipsis_mask: *ellipsis_mask,
                new_axis_mask: *new_axis_mask,
                shrink_axis_mask: *shrink_axis_mask,
                offset: *offset,
            };
            (BuiltinOptions::StridedSlice, fb::StridedSliceOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::ArgMinMax { output_type } => {
            let args = fb::TypeOptionsArgs { output_type: output_type.number() };
            (
                if builtin == BuiltinOp::ARG_MAX { BuiltinOptions::ArgMax } else { BuiltinOptions::ArgMin },
                fb::TypeOptions::create(fbb, &args).as_union_value(),
            )
        }
        OpOptions::Shape { out_type } => {
            let args = fb::TypeOptionsArgs { output_type: out_type.number() };
            (BuiltinOptions::Shape, fb::TypeOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::Pack { values_count, axis } => {
            let args = fb::PackOptionsArgs { count: *values_count, axis: *axis };
            (BuiltinOptions::Pack, fb::PackOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::Unpack { num, axis } => {
            let args = fb::PackOptionsArgs { count: *num, axis: *axis };
            (BuiltinOptions::Unpack, fb::PackOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::OneHot { axis } => {
            let args = fb::OneHotOptionsArgs { axis: *axis };
            (BuiltinOptions::OneHot, fb::OneHotOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::BatchMatMul { adj_x, adj_y, asymmetric_quantize_inputs } => {
            let args = fb::BatchMatMulOptionsArgs {
                adj_x: *adj_x,
                adj_y: *adj_y,
                asymmetric_quantize_inputs: *asymmetric_quantize_inputs,
            };
            (BuiltinOptions::BatchMatMul, fb::BatchMatMulOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::FullyConnected {
            activation,
            weights_format,
            keep_num_dims,
            asymmetric_quantize_inputs,
            quantized_bias_type,
        } => {
            let args = fb::FullyConnectedOptionsArgs {
                activation: number(*activation),
                weights_format: *weights_format,
                keep_num_dims: *keep_num_dims,
                asymmetric_quantize_inputs: *asymmetric_quantize_inputs,
                quantized_bias_type: quantized_bias_type.number(),
            };
            (BuiltinOptions::FullyConnected, fb::FullyConnectedOptions::create(fbb, &args).as_union_value())
        }
        _ => return None,
    };
    Some(encoded)
}
