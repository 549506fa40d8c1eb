//! The operators of the generated models, in the words of `generated.rs`: tables.

use arenascope::model::{Activation, BuiltinOp, DataType, OpOptions, Padding, Pair};

const PAIR: Pair = Pair { h: 1, w: 1 };

/// Operators without options, and their tensors.
pub(crate) const PLAIN: &[(BuiltinOp, &str)] = &[
    (BuiltinOp::ABS, "f32[4] -> f32[4]"),
    (BuiltinOp::ABS, "i16[4]@0.5 -> i16[4]@0.5"),
    (BuiltinOp::ADD_N, "f32[4] f32[4] f32[4] -> f32[4]"),
    (BuiltinOp::ADD_N, "i8[4]@0.5 i8[4]@0.5 -> i8[4]@0.5"),
    (BuiltinOp::ARG_MIN, "f32[1,4] i32[1]=1 -> i32[1]"),
    (BuiltinOp::BATCH_TO_SPACE_ND, "f32[4,2,2,1] i32[2]=2,2 i32[2,2]= -> f32[1,4,4,1]"),
    (BuiltinOp::BROADCAST_ARGS, "i32[2] i32[2] -> i32[2]"),
    (BuiltinOp::BROADCAST_TO, "f32[1,4] i32[2]=3,4 -> f32[3,4]"),
    (BuiltinOp::BROADCAST_TO, "f32[1,4] i32[2]=2,4 -> f32[3,4]"),
    (BuiltinOp::CAST, "f32[4] -> i8[4]"),
    (BuiltinOp::CEIL, "f32[4] -> f32[4]"),
    (BuiltinOp::COS, "i8[4]@1 -> i8[4]@1"),
    (BuiltinOp::DEQUANTIZE, "i16[4]@0.5 -> f32[4]"),
    (BuiltinOp::DEQUANTIZE, "i32[4]@0.5 -> f32[4]"),
    (BuiltinOp::DYNAMIC_UPDATE_SLICE, "f32[4,4] f32[2,2] i32[2] -> f32[4,4]"),
    (BuiltinOp::ELU, "i8[4]@0.5 -> i8[4]@0.5"),
    (BuiltinOp::EMBEDDING_LOOKUP, "i32[3] f32[5,7]= -> f32[3,7]"),
    (BuiltinOp::EQUAL, "f32[4] f32[4] -> bool[4]"),
    (BuiltinOp::EXP, "f32[4] -> f32[4]"),
    (BuiltinOp::EXP, "i8[4]@1 -> i8[4]@1"),
    (BuiltinOp::EXPAND_DIMS, "f32[4] i32[1]=1 -> f32[4,1]"),
    (BuiltinOp::EXPAND_DIMS, "f32[4] i32[1]=0 -> f32[4,1]"),
    (BuiltinOp::FILL, "i32[2]=2,3 f32[] -> f32[2,3]"),
    (BuiltinOp::FILL, "i32[2] f32[] -> f32[2,3]"),
    (BuiltinOp::FLOOR, "f32[4] -> f32[4]"),
    (BuiltinOp::FLOOR_DIV, "f32[4] f32[4] -> f32[4]"),
    (BuiltinOp::FLOOR_MOD, "i32[4] i32[4] -> i32[4]"),
    (BuiltinOp::FLOOR_MOD, "i32[4] f32[4] -> i32[4]"),
    (BuiltinOp::GATHER_ND, "f32[4,5] i32[3,1] -> f32[3,5]"),
    (BuiltinOp::GREATER, "i8[4]@0.5 i8[4]@0.5 -> bool[4]"),
    (BuiltinOp::GREATER_EQUAL, "f32[4] f32[4] -> bool[4]"),
    (BuiltinOp::HARD_SWISH, "i8[4]@0.5 -> i8[4]@0.5"),
    (BuiltinOp::LESS, "f32[4] f32[4] -> bool[4]"),
    (BuiltinOp::LESS_EQUAL, "f32[4] f32[4] -> bool[4]"),
    (BuiltinOp::LOG, "f32[4] -> f32[4]"),
    (BuiltinOp::LOGICAL_AND, "bool[4] bool[4] -> bool[4]"),
    (BuiltinOp::LOGICAL_NOT, "bool[4] -> bool[4]"),
    (BuiltinOp::LOGICAL_OR, "bool[4] bool[4] -> bool[4]"),
    (BuiltinOp::LOGISTIC, "i8[4]@0.5 -> i8[4]@0.00390625/-128"),
    (BuiltinOp::LOGISTIC, "i8[4]@0.5 -> i8[4]@0.00390625/0"),
    (BuiltinOp::LOG_SOFTMAX, "f32[1,4] -> f32[1,4]"),
    (BuiltinOp::LOG_SOFTMAX, "i8[1,4]@0.5 -> i8[1,4]@0.0625/127"),
    (BuiltinOp::MAXIMUM, "f32[4] f32[4] -> f32[4]"),
    (BuiltinOp::MINIMUM, "i8[4] i8[4] -> i8[4]"),
    (BuiltinOp::NEG, "f32[4] -> f32[4]"),
    (BuiltinOp::NOT_EQUAL, "f32[4] f32[4] -> bool[4]"),
    (BuiltinOp::PAD, "f32[2,2] i32[2,2]=1,0,0,1 -> f32[3,3]"),
    (BuiltinOp::PAD, "f32[2,2] i32[2,2]=1,0,0,1 -> f32[3,4]"),
    (BuiltinOp::PAD, "f32[2,2] i32[2,2] -> f32[3,3]"),
    (BuiltinOp::PADV2, "i8[2,2]@0.5 i32[2,2]=1,0,0,1 i8[1]@0.5 -> i8[3,3]@0.5"),
    (BuiltinOp::PRELU, "i16[4]@0.5 i8[4]@0.5= -> i16[4]@0.5"),
    (BuiltinOp::PRELU, "i16[4]@0.5 i16[4]@0.5= -> i16[4]@0.5"),
    (BuiltinOp::QUANTIZE, "f32[4] -> i8[4]@0.5"),
    (BuiltinOp::QUANTIZE, "f32[4] -> i8[4]"),
    (BuiltinOp::RELU, "i16[4]@0.5 -> i16[4]@0.5"),
    (BuiltinOp::RELU6, "i8[4]@0.05 -> i8[4]@0.05"),
    (BuiltinOp::RESHAPE, "f32[4] i32[2] -> f32[2,2]"),
    (BuiltinOp::RESHAPE, "f32[4] -> f32[-1,2]"),
    (BuiltinOp::RESHAPE, "f32[4] i32[2] -> f32[-1,3]"),
    (BuiltinOp::RESHAPE, "f32[1] -> f32[0]"),
    (BuiltinOp::REVERSE_V2, "f32[4,2] i32[1]=0 -> f32[4,2]"),
    (BuiltinOp::ROUND, "f32[4] -> f32[4]"),
    (BuiltinOp::RSQRT, "i8[4]@0.5 -> i8[4]@0.5"),
    (BuiltinOp::SELECT_V2, "bool[4] f32[4] f32[4] -> f32[4]"),
    (BuiltinOp::SELECT_V2, "bool[2,1] f32[4] f32[1] -> f32[2,4]"),
    (BuiltinOp::SELECT_V2, "bool[2,1] f32[4] f32[1] -> f32[1,4]"),
    (BuiltinOp::SIN, "f32[4] -> f32[4]"),
    (BuiltinOp::SLICE, "f32[4,4] i32[2]= i32[2]= -> f32[2,2]"),
    (BuiltinOp::SPACE_TO_BATCH_ND, "f32[1,4,4,1] i32[2]=2,2 i32[2,2]= -> f32[4,2,2,1]"),
    (BuiltinOp::SQRT, "f32[4] -> f32[4]"),
    (BuiltinOp::SQUARE, "f32[4] -> f32[4]"),
    (BuiltinOp::SQUARED_DIFFERENCE, "i8[4]@0.5 i8[4]@0.5 -> i8[4]@0.5"),
    (BuiltinOp::TANH, "i16[4]@0.000122 -> i16[4]@0.000030517578125"),
    (BuiltinOp::TRANSPOSE, "f32[2,3] i32[2]=1,0 -> f32[3,2]"),
    (BuiltinOp::TRANSPOSE, "f32[2,3] i32[2] -> f32[3,2]"),
    (BuiltinOp::ZEROS_LIKE, "i64[4] -> i64[4]"),
    (BuiltinOp::TILE, "f32[4] i32[1]=2 -> f32[8]"),
];

/// Operators with options.
pub(crate) fn with_options() -> Vec<(BuiltinOp, OpOptions, &'static str)> {
    let mut all = arithmetic();
    all.extend(shapes());
    all.extend(windows());
    all.extend(layers());
    all
}

fn arithmetic() -> Vec<(BuiltinOp, OpOptions, &'static str)> {
    let none = || OpOptions::Arithmetic { activation: Activation::None, pot_scale_int16: false };
    let reducer = || OpOptions::Reducer { keep_dims: true };
    vec![
        (BuiltinOp::ADD, none(), "i32[4] i32[4] -> i32[4]"),
        (BuiltinOp::ADD, none(), "i32[4]@0.5 i32[4] -> i32[4]"),
        (BuiltinOp::ADD, none(), "i16[4]@0.5 i16[4]@0.5 -> i16[4]@0.5"),
        (BuiltinOp::ADD, none(), "f32[4] f32[1] -> f32[4]"),
        (BuiltinOp::SUB, none(), "i8[4]@0.5 i8[4]@0.5 -> i8[4]@0.5"),
        (BuiltinOp::SUB, none(), "f32[4] f32[4] -> f32[4]"),
        (BuiltinOp::MUL, none(), "i16[4]@0.5 i16[4]@0.5 -> i16[4]@0.5"),
        (BuiltinOp::MUL, none(), "i16[4]@0.5 i8[4]@0.5 -> i16[4]@0.5"),
        (BuiltinOp::DIV, none(), "i8[4]@0.5 i8[4]@0.5 -> i8[4]@0.5"),
        (BuiltinOp::L2_NORMALIZATION, none(), "i8[1,4]@0.5 -> i8[1,4]@0.0078125"),
        (BuiltinOp::MEAN, reducer(), "i8[1,4,4,3]@0.5 i32[2]=1,2 -> i8[1,1,1,3]@0.5"),
        (BuiltinOp::MEAN, reducer(), "i16[1,4,4,3]@0.5 i32[2]=1,2 -> i16[1,1,1,3]@0.5"),
        (BuiltinOp::SUM, reducer(), "f32[1,4] i32[1]=1 -> f32[1,1]"),
        (BuiltinOp::SUM, reducer(), "i8[1,4]@0.5 i32[]=1 -> i8[1,1]@0.5"),
        (BuiltinOp::REDUCE_MAX, reducer(), "i8[1,4]@0.5 i32[1]=1 -> i8[1,1]@0.5"),
        (BuiltinOp::REDUCE_MIN, reducer(), "f32[1,4] i32[1]=1 -> f32[1,1]"),
        (BuiltinOp::REDUCE_ALL, reducer(), "bool[1,4] i32[1]=1 -> bool[1,1]"),
        (BuiltinOp::CUMSUM, OpOptions::Cumsum { exclusive: false, reverse: false }, "f32[4] i32[1]=0 -> f32[4]"),
        (BuiltinOp::CUMSUM, OpOptions::Cumsum { exclusive: false, reverse: false }, "i8[4]@0.5 i32[1]=0 -> i8[4]@0.5"),
        (BuiltinOp::LEAKY_RELU, OpOptions::LeakyRelu { alpha: 0.1 }, "i8[4]@0.5 -> i8[4]@0.5"),
        (BuiltinOp::ARG_MAX, OpOptions::ArgMinMax { output_type: DataType::Int32 }, "f32[1,4] i32[1]=1 -> i32[1]"),
        (BuiltinOp::CAST, OpOptions::Cast { from: DataType::Int8, to: DataType::Float32 }, "i8[4] -> f32[4]"),
    ]
}

fn shapes() -> Vec<(BuiltinOp, OpOptions, &'static str)> {
    let slice = |begin_mask, end_mask, shrink_axis_mask| OpOptions::StridedSlice {
        begin_mask,
        end_mask,
        ellipsis_mask: 0,
        new_axis_mask: 0,
        shrink_axis_mask,
        offset: false,
    };
    let block = || OpOptions::BlockSize { block_size: 2 };
    let resize = |align_corners| OpOptions::Resize { align_corners, half_pixel_centers: true };
    vec![
        (
            BuiltinOp::CONCATENATION,
            OpOptions::Concatenation { axis: 0, activation: Activation::None },
            "f32[2] f32[3] f32[4] -> f32[9]",
        ),
        (
            BuiltinOp::CONCATENATION,
            OpOptions::Concatenation { axis: 0, activation: Activation::None },
            "i8[2]@0.5 i8[3]@0.25 -> i8[5]@0.5",
        ),
        (BuiltinOp::DEPTH_TO_SPACE, block(), "f32[1,2,2,4] -> f32[1,4,4,1]"),
        (BuiltinOp::SPACE_TO_DEPTH, block(), "i8[1,4,4,1] -> i8[1,2,2,4]"),
        (BuiltinOp::SPACE_TO_DEPTH, block(), "f32[1,3,4,1] -> f32[1,2,2,4]"),
        (BuiltinOp::GATHER, OpOptions::Gather { axis: 1, batch_dims: 0 }, "f32[2,5,3] i32[4] -> f32[2,4,3]"),
        (BuiltinOp::GATHER, OpOptions::Gather { axis: 0, batch_dims: 0 }, "f32[5,3] i32[2,4] -> f32[2,4,3]"),
        (BuiltinOp::MIRROR_PAD, OpOptions::MirrorPad { mode: 0 }, "f32[2,3] i32[2,2]=1,1,0,0 -> f32[4,3]"),
        (BuiltinOp::PACK, OpOptions::Pack { values_count: 2, axis: 0 }, "f32[4] f32[4] -> f32[2,4]"),
        (BuiltinOp::UNPACK, OpOptions::Unpack { num: 2, axis: 0 }, "f32[2,4] -> f32[4] f32[4]"),
        (BuiltinOp::SPLIT, OpOptions::Split { num_splits: 2 }, "i32[1]=0 f32[4] -> f32[2] f32[2]"),
        (BuiltinOp::SPLIT, OpOptions::Split { num_splits: 2 }, "i32[1] f32[4] -> f32[2] f32[2]"),
        (BuiltinOp::SPLIT_V, OpOptions::Split { num_splits: 2 }, "f32[4] i32[2]=1,3 i32[1]=0 -> f32[1] f32[3]"),
        (BuiltinOp::SHAPE, OpOptions::Shape { out_type: DataType::Int32 }, "f32[2,4] -> i32[2]"),
        (BuiltinOp::SQUEEZE, OpOptions::Squeeze { dims: vec![0] }, "f32[1,4] -> f32[4]"),
        (BuiltinOp::SQUEEZE, OpOptions::Squeeze { dims: vec![-1] }, "f32[1,4] -> f32[4]"),
        (BuiltinOp::RESHAPE, OpOptions::Reshape { new_shape: vec![2, 2] }, "f32[4] -> f32[2,2]"),
        (BuiltinOp::RESIZE_BILINEAR, resize(false), "f32[1,2,2,3] i32[2]=4,4 -> f32[1,4,4,3]"),
        (BuiltinOp::RESIZE_BILINEAR, resize(true), "f32[1,2,2,3] i32[2]=4,4 -> f32[1,4,4,3]"),
        (BuiltinOp::RESIZE_NEAREST_NEIGHBOR, resize(false), "i8[1,2,2,3] i32[2]=4,4 -> i8[1,4,4,3]"),
        (BuiltinOp::STRIDED_SLICE, slice(0, 0, 0), "f32[4,4] i32[2]=0,1 i32[2]=4,4 i32[2]=2,1 -> f32[2,3]"),
        (BuiltinOp::STRIDED_SLICE, slice(1, 2, 0), "f32[4,4] i32[2]=3,-3 i32[2]=4,1 i32[2]=1,1 -> f32[4,3]"),
        (BuiltinOp::STRIDED_SLICE, slice(0, 0, 1), "f32[4,4] i32[2]=-1,3 i32[2]=0,0 i32[2]=1,-2 -> f32[2]"),
        (BuiltinOp::STRIDED_SLICE, slice(0, 0, 0), "f32[4,4] i32[2]=0,1 i32[2]=4,4 i32[2]=2,1 -> f32[2,4]"),
    ]
}

fn windows() -> Vec<(BuiltinOp, OpOptions, &'static str)> {
    let conv = |padding| OpOptions::Conv2D {
        padding,
        stride: PAIR,
        dilation: PAIR,
        activation: Activation::None,
        quantized_bias_type: DataType::Float32,
    };
    let depthwise = || OpOptions::DepthwiseConv2D {
        padding: Padding::Same,
        stride: PAIR,
        dilation: PAIR,
        depth_multiplier: 1,
        activation: Activation::None,
    };
    let pool = || OpOptions::Pool2D {
        padding: Padding::Valid,
        stride: Pair { h: 2, w: 2 },
        filter: Pair { h: 2, w: 2 },
        activation: Activation::None,
    };
    let transpose = || OpOptions::TransposeConv {
        padding: Padding::Same,
        stride: Pair { h: 2, w: 2 },
        activation: Activation::None,
        quantized_bias_type: DataType::Float32,
    };
    vec![
        (BuiltinOp::CONV_2D, conv(Padding::Same), "f32[1,4,4,2] f32[3,3,3,2]= f32[3]= -> f32[1,4,4,3]"),
        (BuiltinOp::CONV_2D, conv(Padding::Same), "f32[1,4,4,2] f32[3,3,3,2]= -> f32[1,4,4,3]"),
        (
            BuiltinOp::CONV_2D,
            conv(Padding::Valid),
            "i8[1,4,4,2]@0.5 i8[3,3,3,2]@0.5*3= i32[3]@0.25*3= -> i8[1,2,2,3]@0.5",
        ),
        (
            BuiltinOp::CONV_2D,
            conv(Padding::Same),
            "i16[1,4,4,2]@0.5 i8[3,3,3,2]@0.5*3= i64[3]@0.25*3= -> i16[1,4,4,3]@0.5",
        ),
        (
            BuiltinOp::CONV_2D,
            conv(Padding::Same),
            "i8[1,4,4,2]@0.5 i4[4,3,3,2]@0.5*4= i32[4]@0.25*4= -> i8[1,4,4,4]@0.5",
        ),
        (BuiltinOp::CONV_2D, conv(Padding::Same), "i8[1,4,4,2]@0.5 i8[3,3,3,2]= i32[3]= -> i8[1,4,4,3]@0.5"),
        (BuiltinOp::DEPTHWISE_CONV_2D, depthwise(), "f32[1,4,4,2] f32[1,3,3,2]= f32[2]= -> f32[1,4,4,2]"),
        (BuiltinOp::DEPTHWISE_CONV_2D, depthwise(), "i8[1,4,4,2]@0.5 i8[1,3,3,2]@0.5= i32[2]@0.25= -> i8[1,4,4,2]@0.5"),
        (BuiltinOp::DEPTHWISE_CONV_2D, depthwise(), "i8[1,4,4,2]@0.5 i4[1,3,3,2]@0.5= i32[2]@0.25= -> i8[1,4,4,2]@0.5"),
        (BuiltinOp::AVERAGE_POOL_2D, pool(), "i8[1,4,4,2]@0.5 -> i8[1,2,2,2]@0.5"),
        (BuiltinOp::MAX_POOL_2D, pool(), "f32[1,4,4,2] -> f32[1,2,2,2]"),
        (BuiltinOp::MAX_POOL_2D, pool(), "i8[1,4,4,2]@0.5 -> i8[1,2,2,2]@0.25"),
        (BuiltinOp::L2_POOL_2D, pool(), "f32[1,4,4,2] -> f32[1,2,2,2]"),
        (BuiltinOp::TRANSPOSE_CONV, transpose(), "i32[4]=1,8,8,3 f32[3,3,3,2]= f32[1,4,4,2] -> f32[1,8,8,3]"),
        (
            BuiltinOp::TRANSPOSE_CONV,
            transpose(),
            "i32[4]=1,8,8,3 i8[3,3,3,2]@0.5*3= i8[1,4,4,2]@0.5 i32[3]@0.25= -> i8[1,8,8,3]@0.5",
        ),
        (
            BuiltinOp::TRANSPOSE_CONV,
            transpose(),
            "i32[4]=1,8,8,3 i8[3,3,3,2]@0.5*3= i16[1,4,4,2]@0.5 i16[3]@0.25= -> i16[1,8,8,3]@0.5",
        ),
    ]
}

fn layers() -> Vec<(BuiltinOp, OpOptions, &'static str)> {
    let dense = || OpOptions::FullyConnected {
        activation: Activation::None,
        weights_format: 0,
        keep_num_dims: false,
        asymmetric_quantize_inputs: false,
        quantized_bias_type: DataType::Float32,
    };
    let matmul = |adj_x, adj_y| OpOptions::BatchMatMul { adj_x, adj_y, asymmetric_quantize_inputs: false };
    let svdf = || OpOptions::Svdf { rank: 1, activation: Activation::None, asymmetric_quantize_inputs: false };
    let lstm = || OpOptions::UnidirectionalSequenceLstm {
        activation: Activation::Tanh,
        cell_clip: 0.0,
        proj_clip: 0.0,
        time_major: false,
        asymmetric_quantize_inputs: false,
        diagonal_recurrent_tensors: false,
    };
    vec![
        (BuiltinOp::FULLY_CONNECTED, dense(), "i8[1,8]@0.5 i8[3,8]@0.5= i32[3]@0.25= -> i8[1,3]@0.5"),
        (BuiltinOp::FULLY_CONNECTED, dense(), "i8[1,8]@0.5 i8[3,8]@0.5*3= i32[3]@0.25*3= -> i8[1,3]@0.5"),
        (BuiltinOp::FULLY_CONNECTED, dense(), "i8[1,8]@0.5 i4[3,8]@0.5= i32[3]@0.25= -> i8[1,3]@0.5"),
        (BuiltinOp::FULLY_CONNECTED, dense(), "i8[1,8]@0.5 i4[3,8]@0.5*3= i32[3]@0.25= -> i8[1,3]@0.5"),
        (BuiltinOp::FULLY_CONNECTED, dense(), "i16[1,8]@0.5 i8[3,8]@0.5= i64[3]@0.25= -> i16[1,3]@0.5"),
        (BuiltinOp::FULLY_CONNECTED, dense(), "f32[1,8] f32[3,8] _ -> f32[1,3]"),
        (BuiltinOp::BATCH_MATMUL, matmul(true, false), "f32[2,4,3] f32[2,4,5] -> f32[2,3,5]"),
        (BuiltinOp::BATCH_MATMUL, matmul(false, true), "i8[2,3,4]@0.5 i8[1,5,4]@0.5= -> i8[2,3,5]@0.5"),
        (BuiltinOp::BATCH_MATMUL, matmul(false, false), "i16[3,4]@0.5 i16[4,5]@0.5 -> i16[3,5]@0.5"),
        (BuiltinOp::BATCH_MATMUL, matmul(false, false), "f32[3,4] f32[3,5] -> f32[3,5]"),
        (BuiltinOp::SVDF, svdf(), "f32[1,4] f32[6,4]= f32[6,5]= f32[6]= f32[1,30]! -> f32[1,6]"),
        (BuiltinOp::SVDF, svdf(), "i8[1,4]@0.5 i8[6,4]@0.5= i16[6,5]@0.5= i32[6]@0.25= i16[1,30]@0.5! -> i8[1,6]@0.5"),
        (
            BuiltinOp::UNIDIRECTIONAL_SEQUENCE_LSTM,
            lstm(),
            "f32[1,3,4] f32[5,4]= f32[5,4]= f32[5,4]= f32[5,4]= f32[5,5]= f32[5,5]= f32[5,5]= f32[5,5]= _ _ _ \
             f32[5]= f32[5]= f32[5]= f32[5]= _ _ f32[1,5]! f32[1,5]! _ _ _ _ -> f32[1,3,5]",
        ),
        (
            BuiltinOp::UNIDIRECTIONAL_SEQUENCE_LSTM,
            lstm(),
            "f32[1,3,4] f32[5,4]= f32[5,4]= f32[5,4]= f32[5,4]= f32[5,5]= f32[5,5]= f32[5,5]= f32[5,5]= f32[5]= _ _ \
             f32[5]= f32[5]= f32[5]= f32[5]= _ _ f32[1,5]! f32[1,5]! _ _ _ _ -> f32[1,3,5]",
        ),
    ]
}

/// A custom operator: its name, its options by key in order, its tensors.
pub(crate) type CustomOp = (&'static str, &'static [(&'static str, u32)], &'static str);

/// TFLite-Micro's own custom operators, and one that nobody knows.
pub(crate) const CUSTOM: &[CustomOp] = &[
    ("CIRCULAR_BUFFER", &[("cycles_max", 2)], "i8[1,1,1,4] -> i8[1,5,1,4]"),
    ("SignalDelay", &[("delay_length", 3)], "i16[2,8] -> i16[2,8]"),
    ("SignalEnergy", &[("end_index", 4), ("start_index", 2)], "i16[16] -> u32[8]"),
    ("SignalFftAutoScale", &[], "i16[8] -> i16[8] i32[]"),
    ("SignalFilterBank", &[("num_channels", 8)], "u32[16] i16[20] i16[20] i16[9] i16[9] i16[9] -> u64[8]"),
    ("SignalFilterBankLog", &[("input_correction_bits", 3), ("output_scale", 1600)], "u32[8] -> i16[8]"),
    ("SignalFilterBankSquareRoot", &[], "u64[8] i32[] -> u32[8]"),
    (
        "SignalFilterBankSpectralSubtraction",
        &[
            ("alternate_one_minus_smoothing", 1),
            ("alternate_smoothing", 1),
            ("clamping", 0),
            ("min_signal_remaining", 1),
            ("num_channels", 8),
            ("one_minus_smoothing", 1),
            ("smoothing", 1),
            ("smoothing_bits", 1),
            ("spectral_subtraction_bits", 1),
        ],
        "u32[8] -> u32[8] u32[8]",
    ),
    ("SignalFramer", &[("frame_size", 5), ("frame_step", 2), ("prefill", 1)], "i16[2,8] -> i16[2,4,5] bool[]"),
    ("SignalIrfft", &[("T", 7), ("fft_length", 64)], "i16[66] -> i16[64]"),
    ("SignalIrfft", &[("T", 0), ("fft_length", 64)], "f32[66] -> f32[64]"),
    ("SignalIrfft", &[("T", 2), ("fft_length", 512)], "i32[514] -> i32[512]"),
    ("SignalOverlapAdd", &[("T", 7), ("frame_step", 2)], "i16[3,4,5] -> i16[3,8]"),
    ("SignalOverlapAdd", &[("T", 0), ("frame_step", 2)], "f32[4,5] -> f32[8]"),
    ("SignalPCAN", &[("snr_shift", 6)], "u32[8] u32[8] i16[125] -> u32[8]"),
    ("SignalRfft", &[("T", 7), ("fft_length", 64)], "i16[64] -> i16[66]"),
    ("SignalRfft", &[("T", 0), ("fft_length", 64)], "f32[64] -> f32[66]"),
    ("SignalRfft", &[("T", 2), ("fft_length", 512)], "i32[512] -> i32[514]"),
    (
        "SignalStacker",
        &[("num_channels", 3), ("stacker_left_context", 1), ("stacker_right_context", 0), ("stacker_step", 1)],
        "i16[3] -> i16[6] bool[]",
    ),
    ("SignalWindow", &[("shift", 12)], "i16[16] i16[16] -> i16[16]"),
    (
        "TFLM_DECODE",
        &[],
        "u8[4]= u8[48]=0,1,0,0,1,4,4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0 -> i8[8]",
    ),
    (
        "TFLM_DECODE",
        &[],
        "u8[4]= u8[48]=1,1,0,0,1,4,4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0 -> i8[8]",
    ),
    (
        "TFLM_DECODE",
        &[],
        "u8[4]= u8[48]=2,1,0,0,1,4,4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0 -> i8[2,4]@0.5/3*2",
    ),
    (
        "TFLite_Detection_PostProcess",
        &[
            ("detections_per_class", 10),
            ("max_classes_per_detection", 1),
            ("max_detections", 3),
            ("num_classes", 2),
            ("use_regular_nms", 0),
        ],
        "f32[1,6,4] f32[1,6,3] f32[6,4]= -> f32[1,3,4] f32[1,3] f32[1,3] f32[1]",
    ),
    ("Unheard", &[], "f32[4] -> f32[4]"),
];
