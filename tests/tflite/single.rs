//! Models of one operator each, over the variants that decide a kernel's temporaries.

use arenascope::model::DataType::{self, Bool, Float32, Int4, Int8, Int16, Int32, Int64, UInt8};
use arenascope::model::{Activation, BuiltinOp, OpOptions, Padding, Pair};

use super::support::{Graph, Model, OMITTED, Op, Tensor};

/// One tensor of a case.
#[derive(Clone, Debug)]
pub(super) enum Slot {
    /// Made while running: a graph input or output.
    Live(Vec<i32>, DataType),
    /// In the file, all zeros.
    Fixed(Vec<i32>, DataType),
    /// In the file, quantised with this many different scales along the dimension.
    Scaled(Vec<i32>, DataType, i16, i32),
    /// In the file: six int32, with the scale that fits data and weights of scale 0.5.
    Biases,
    /// In the file: these numbers.
    Numbers(Vec<i32>),
    /// State.
    State(Vec<i32>, DataType),
    /// Omitted.
    Omitted,
}

use Slot::{Biases, Fixed, Live, Numbers, Omitted, Scaled, State};

/// A name and a model's bytes.
pub(super) type Case = (String, Vec<u8>);

fn add(graph: &mut Graph, slot: &Slot) -> i32 {
    let id = match slot {
        Live(shape, dtype) => graph.tensor("live", shape, *dtype),
        Fixed(shape, dtype) | Scaled(shape, dtype, ..) => {
            let elements: i32 = shape.iter().product();
            let bits = match dtype {
                Int4 => 4,
                Int8 | UInt8 | Bool => 8,
                Int16 | DataType::Float16 => 16,
                Int64 => 64,
                _ => 32,
            };
            let bytes = usize::try_from(elements * bits).unwrap_or(0).div_ceil(8);
            graph.constant("fixed", shape, *dtype, vec![0; bytes])
        }
        Biases => graph.constant("biases", &[6], Int32, vec![0; 24]),
        Numbers(values) => graph.constant_i32("numbers", values),
        State(shape, dtype) => graph.variable("state", shape, *dtype),
        Omitted => return OMITTED,
    };
    match slot {
        Scaled(_, _, count, dimension) => {
            let scales: Vec<f32> = (0..*count).map(|index| f32::from(index + 1) / 64.0).collect();
            graph.quantize(id, &scales, *dimension);
        }
        Biases => graph.quantize(id, &[0.25], 0),
        Live(_, dtype) | Fixed(_, dtype) | State(_, dtype) if matches!(dtype, Int8 | UInt8 | Int16 | Int4) => {
            graph.quantize(id, &[0.5], 0);
        }
        _ => {}
    }
    id
}

/// A model of one operator.
pub(super) fn case(name: &str, op: BuiltinOp, options: OpOptions, inputs: &[Slot], outputs: &[Slot]) -> Case {
    with_intermediates(name, op, options, inputs, outputs, &[])
}

/// The same, with quantised tensors that only name scales for the kernel.
fn with_intermediates(
    name: &str,
    op: BuiltinOp,
    options: OpOptions,
    inputs: &[Slot],
    outputs: &[Slot],
    intermediates: &[DataType],
) -> Case {
    let mut graph = Graph::new("main");
    let read: Vec<i32> = inputs.iter().map(|slot| add(&mut graph, slot)).collect();
    let written: Vec<i32> = outputs.iter().map(|slot| add(&mut graph, slot)).collect();
    let live = inputs.iter().zip(&read).filter(|(slot, _)| matches!(slot, Live(..)));
    graph.inputs = live.map(|(_, &id)| id).collect();
    graph.outputs.clone_from(&written);
    let named = intermediates.iter().map(|&dtype| {
        let id = graph.add(Tensor::new("intermediate", &[0], dtype));
        graph.quantize(id, &[0.25], 0);
        id
    });
    let intermediates = named.collect();
    // BROADCAST_TO was an operator of another kind in its first version.
    let version = if op == BuiltinOp::BROADCAST_TO { 2 } else { 1 };
    graph.op(Op { version, intermediates, ..Op::new(op, &read, &written).with(options) });
    (format!("{}_{name}", op.name().to_lowercase()), Model::new(vec![graph]).build())
}

fn pair(h: i32, w: i32) -> Pair {
    Pair { h, w }
}

fn conv(stride: i32, dilation: i32, padding: Padding) -> OpOptions {
    OpOptions::Conv2D {
        padding,
        stride: pair(stride, stride),
        dilation: pair(dilation, dilation),
        activation: Activation::None,
        quantized_bias_type: Float32,
    }
}

fn convolutions() -> Vec<Case> {
    let float = |shape: [i32; 4]| Live(shape.to_vec(), Float32);
    let weights = |shape: [i32; 4]| Fixed(shape.to_vec(), Float32);
    let bias = |count: i32| Fixed(vec![count], Float32);
    let op = BuiltinOp::CONV_2D;
    let mut cases = Vec::new();
    for (name, stride, dilation, padding, kernel) in [
        ("3x3", 1, 1, Padding::Same, 3),
        ("1x1", 1, 1, Padding::Same, 1),
        ("1x1_stride", 2, 1, Padding::Valid, 1),
        ("dilated", 1, 2, Padding::Valid, 3),
    ] {
        let inputs = [float([2, 9, 7, 4]), weights([6, kernel, kernel, 4]), bias(6)];
        cases.push(case(name, op, conv(stride, dilation, padding), &inputs, &[float([1, 1, 1, 1])]));
    }
    for (name, data, filter, bias) in [
        ("int8", Int8, Scaled(vec![6, 3, 3, 4], Int8, 6, 0), Int32),
        ("int16", Int16, Scaled(vec![6, 3, 3, 4], Int8, 6, 0), Int64),
        ("uint8", UInt8, Fixed(vec![6, 3, 3, 4], UInt8), Int32),
        ("hybrid", Float32, Fixed(vec![6, 3, 3, 4], Int8), Float32),
        ("hybrid_channels", Float32, Scaled(vec![6, 3, 3, 4], Int8, 6, 0), Float32),
        ("hybrid_int4", Float32, Scaled(vec![6, 3, 3, 4], Int4, 6, 0), Float32),
        ("hybrid_1x1", Float32, Scaled(vec![6, 1, 1, 4], Int8, 6, 0), Float32),
        ("hybrid_grouped", Float32, Scaled(vec![6, 3, 3, 2], Int8, 6, 0), Float32),
    ] {
        let bias = match (data, bias) {
            (_, Float32) => Fixed(vec![6], bias),
            (UInt8, _) => Biases,
            _ => Scaled(vec![6], bias, 6, 0),
        };
        let inputs = [Live(vec![1, 8, 8, 4], data), filter, bias];
        cases.push(case(name, op, conv(1, 1, Padding::Same), &inputs, &[Live(vec![1, 1, 1, 1], data)]));
    }
    let depthwise = OpOptions::DepthwiseConv2D {
        padding: Padding::Same,
        stride: pair(2, 1),
        dilation: pair(1, 1),
        depth_multiplier: 2,
        activation: Activation::Relu,
    };
    for (name, data, filter, bias) in [
        ("float", Float32, Fixed(vec![1, 3, 3, 8], Float32), Float32),
        ("int8", Int8, Scaled(vec![1, 3, 3, 8], Int8, 8, 3), Int32),
        ("int16", Int16, Scaled(vec![1, 3, 3, 8], Int8, 8, 3), Int64),
        ("hybrid", Float32, Scaled(vec![1, 3, 3, 8], Int8, 8, 3), Float32),
    ] {
        let bias = if bias == Float32 { Fixed(vec![8], bias) } else { Scaled(vec![8], bias, 8, 0) };
        let inputs = [Live(vec![3, 8, 8, 4], data), filter, bias];
        let outputs = [Live(vec![1, 1, 1, 1], data)];
        cases.push(case(name, BuiltinOp::DEPTHWISE_CONV_2D, depthwise.clone(), &inputs, &outputs));
    }
    cases
}

fn transposed() -> Vec<Case> {
    let options = |bias| OpOptions::TransposeConv {
        padding: Padding::Same,
        stride: pair(2, 2),
        activation: Activation::None,
        quantized_bias_type: bias,
    };
    let op = BuiltinOp::TRANSPOSE_CONV;
    let shape = Numbers(vec![1, 8, 8, 3]);
    let mut cases = Vec::new();
    for (name, data, filter, bias) in [
        ("float", Float32, Fixed(vec![3, 3, 3, 4], Float32), Float32),
        ("int8", Int8, Scaled(vec![3, 3, 3, 4], Int8, 3, 0), Float32),
        ("int16", Int16, Scaled(vec![3, 3, 3, 4], Int8, 3, 0), Float32),
        ("int16_bias32", Int16, Scaled(vec![3, 3, 3, 4], Int8, 3, 0), Int32),
        ("hybrid", Float32, Scaled(vec![3, 3, 3, 4], Int8, 3, 0), Float32),
    ] {
        let inputs = [shape.clone(), filter, Live(vec![1, 4, 4, 4], data)];
        cases.push(case(name, op, options(bias), &inputs, &[Live(vec![1, 1, 1, 1], data)]));
    }
    let inputs = [Live(vec![4], Int32), Fixed(vec![3, 3, 3, 4], Float32), Live(vec![1, 4, 4, 4], Float32)];
    cases.push(case("live_shape", op, options(Float32), &inputs, &[Live(vec![1, 8, 8, 3], Float32)]));

    let options = |dilation: i32| OpOptions::Conv3D {
        padding: Padding::Same,
        stride: [1, 1, 1],
        dilation: [dilation; 3],
        activation: Activation::None,
    };
    let live = |shape: [i32; 5]| Live(shape.to_vec(), Float32);
    for (name, kernel, dilation) in [("3x3x3", 3, 1), ("1x1x1", 1, 1), ("dilated", 3, 2)] {
        let inputs = [live([1, 6, 6, 6, 2]), Fixed(vec![kernel, kernel, kernel, 2, 4], Float32)];
        cases.push(case(name, BuiltinOp::CONV_3D, options(dilation), &inputs, &[live([1, 1, 1, 1, 1])]));
    }
    let inputs = [Numbers(vec![1, 4, 4, 4, 2]), Fixed(vec![3, 3, 3, 2, 4], Float32), live([1, 4, 4, 4, 4])];
    cases.push(case("3x3x3", BuiltinOp::CONV_3D_TRANSPOSE, options(1), &inputs, &[live([1, 1, 1, 1, 1])]));
    cases
}

fn products() -> Vec<Case> {
    let options = |keep_num_dims| OpOptions::FullyConnected {
        activation: Activation::None,
        weights_format: 0,
        keep_num_dims,
        asymmetric_quantize_inputs: true,
        quantized_bias_type: Float32,
    };
    let mut cases = Vec::new();
    for (name, keep, input, data, filter) in [
        ("float", false, vec![3, 4, 16], Float32, Fixed(vec![8, 16], Float32)),
        ("keep", true, vec![3, 4, 16], Float32, Fixed(vec![8, 16], Float32)),
        ("int8", false, vec![3, 16], Int8, Scaled(vec![8, 16], Int8, 8, 0)),
        ("int16", false, vec![3, 16], Int16, Scaled(vec![8, 16], Int8, 8, 0)),
        ("hybrid", false, vec![3, 16], Float32, Fixed(vec![8, 16], Int8)),
        ("hybrid_uint8", false, vec![3, 16], Float32, Fixed(vec![8, 16], UInt8)),
        ("hybrid_int4_small", false, vec![3, 16], Float32, Fixed(vec![8, 16], Int4)),
        ("hybrid_int4_1", false, vec![1, 96], Float32, Fixed(vec![10, 96], Int4)),
        ("hybrid_int4_3", false, vec![3, 64], Float32, Fixed(vec![8, 64], Int4)),
        ("hybrid_int4_5", true, vec![5, 98], Float32, Fixed(vec![7, 98], Int4)),
    ] {
        let inputs = [Live(input, data), filter, Omitted];
        cases.push(case(name, BuiltinOp::FULLY_CONNECTED, options(keep), &inputs, &[Live(vec![1, 1], data)]));
    }
    for (name, lhs, rhs, adj_x, adj_y) in [
        ("float", Live(vec![2, 3, 4], Float32), Live(vec![2, 4, 5], Float32), false, false),
        ("fixed", Live(vec![2, 3, 4], Float32), Fixed(vec![4, 5], Float32), false, false),
        ("adjoint", Live(vec![2, 4, 3], Float32), Live(vec![1, 5, 4], Float32), true, true),
        ("hybrid", Live(vec![2, 3, 4], Float32), Fixed(vec![2, 4, 5], Int8), false, false),
        ("hybrid_adjoint", Live(vec![2, 3, 4], Float32), Fixed(vec![2, 5, 4], Int8), false, true),
        ("int8", Live(vec![2, 3, 4], Int8), Live(vec![2, 4, 5], Int8), false, false),
        ("int16", Live(vec![2, 3, 4], Int16), Live(vec![2, 4, 5], Int16), false, false),
    ] {
        let Live(_, dtype) = lhs else { continue };
        let options = OpOptions::BatchMatMul { adj_x, adj_y, asymmetric_quantize_inputs: false };
        cases.push(case(name, BuiltinOp::BATCH_MATMUL, options, &[lhs, rhs], &[Live(vec![1, 1, 1], dtype)]));
    }
    cases
}

fn reductions() -> Vec<Case> {
    let mut cases = Vec::new();
    for (name, op, input, axis, keep_dims) in [
        ("float", BuiltinOp::MEAN, Live(vec![2, 3, 4, 5], Float32), Numbers(vec![1, -2]), false),
        ("int8", BuiltinOp::MEAN, Live(vec![2, 3, 4, 5], Int8), Numbers(vec![1, 2]), true),
        ("int16", BuiltinOp::SUM, Live(vec![2, 3, 4], Int16), Numbers(vec![0]), false),
        ("int32", BuiltinOp::SUM, Live(vec![2, 3, 4], Int32), Numbers(vec![0, 1]), false),
        ("float", BuiltinOp::REDUCE_PROD, Live(vec![2, 3, 4], Float32), Numbers(vec![0]), false),
        ("folded", BuiltinOp::REDUCE_PROD, Numbers(vec![2, 3, 4]), Numbers(vec![0]), false),
        ("float", BuiltinOp::REDUCE_MAX, Live(vec![2, 3, 4], Float32), Numbers(vec![2]), true),
        ("fixed", BuiltinOp::REDUCE_MIN, Fixed(vec![2, 3, 4], Float32), Numbers(vec![2]), true),
        ("bool", BuiltinOp::REDUCE_ANY, Live(vec![2, 3, 4], Bool), Numbers(vec![2]), false),
        ("bool", BuiltinOp::REDUCE_ALL, Live(vec![2, 3, 4], Bool), Numbers(vec![0, 1, 2]), true),
        ("live_axis", BuiltinOp::SUM, Live(vec![2, 3, 4], Float32), Live(vec![1], Int32), false),
        ("live_axis", BuiltinOp::REDUCE_MAX, Live(vec![2, 3, 4], Float32), Live(vec![1], Int32), false),
    ] {
        let dtype = match &input {
            Live(_, dtype) | Fixed(_, dtype) => *dtype,
            _ => Int32,
        };
        cases.push(case(name, op, OpOptions::Reducer { keep_dims }, &[input, axis], &[Live(vec![1], dtype)]));
    }
    cases
}

/// All cases.
pub(super) fn cases() -> Vec<Case> {
    let mut cases = convolutions();
    cases.extend(transposed());
    cases.extend(products());
    cases.extend(reductions());
    cases.extend(super::recurrent::cases());
    cases.extend(super::shaping::cases());
    cases.extend(super::plain::cases());
    cases.extend(super::random::cases());
    cases
}

/// A case whose quantised intermediates matter.
pub(super) fn integer_case(
    name: &str,
    op: BuiltinOp,
    options: OpOptions,
    inputs: &[Slot],
    outputs: &[Slot],
    intermediates: &[DataType],
) -> Case {
    with_intermediates(name, op, options, inputs, outputs, intermediates)
}
