//! The page's samples (`www/samples`): built here, so that they hold no weights of anyone's. `BLESS=1` writes them
//! (`cargo xtask samples`); without it they must be what the builder gives, and must give the figures that the page
//! promises.
#![expect(clippy::unwrap_used, reason = "a failing step of a test may panic")]

#[path = "support/mod.rs"]
mod support;

use std::path::{Path, PathBuf};

use arenascope::model::{Activation, BuiltinOp, DataType, OpOptions, Padding, Pair};
use arenascope::report::{Settings, analyse};
use arenascope::runtime::RuntimeKind;
use support::{Graph, Model, Op};

const NO_DILATION: Pair = Pair { h: 1, w: 1 };

/// The worked example of keyword spotting: seven float operations in a chain.
fn keyword_spotting() -> Vec<u8> {
    let mut graph = Graph::new("keyword_spotting");
    let (f32, same) = (DataType::Float32, Activation::None);
    let input = graph.input("spectrogram", &[1, 10, 40, 1], f32);
    let first = conv(&mut graph, input, "conv", &[1, 10, 40, 8], (3, 1), f32, same);
    let relu = unary(&mut graph, BuiltinOp::RELU, first, "relu", &[1, 10, 40, 8]);
    let depth = depthwise(&mut graph, relu, "depthwise", &[1, 10, 40, 8]);
    let wide = conv(&mut graph, depth, "pointwise", &[1, 10, 40, 16], (1, 8), f32, same);
    let relu = unary(&mut graph, BuiltinOp::RELU, wide, "relu_1", &[1, 10, 40, 16]);
    let pool = pool(&mut graph, relu, "mean", &[1, 1, 1, 16], Pair { h: 10, w: 40 });
    let flat = graph.tensor("flat", &[1, 16], f32);
    let shape = graph.constant_i32("flat/shape", &[1, 16]);
    let reshape = OpOptions::Reshape { new_shape: vec![1, 16] };
    graph.op(Op::new(BuiltinOp::RESHAPE, &[pool, shape], &[flat]).with(reshape));
    let words = dense(&mut graph, flat, "words", 16, 10);
    graph.outputs = vec![words];
    Model::new(vec![graph]).build()
}

/// A residual block of int8: the skip keeps the block's input alive over three operations.
fn residual_block() -> Vec<u8> {
    let mut graph = Graph::new("residual_block");
    let (int8, shape) = (DataType::Int8, [1, 24, 24, 16]);
    let image = graph.input("image", &[1, 24, 24, 4], int8);
    let stem = conv(&mut graph, image, "stem", &shape, (3, 4), int8, Activation::Relu);
    let a = conv(&mut graph, stem, "block/conv_1", &shape, (3, 16), int8, Activation::Relu);
    let b = conv(&mut graph, a, "block/conv_2", &shape, (3, 16), int8, Activation::None);
    let sum = graph.tensor("block/add", &shape, int8);
    graph.quantize(sum, &[0.05], 0);
    let add = OpOptions::Arithmetic { activation: Activation::Relu, pot_scale_int16: false };
    graph.op(Op::new(BuiltinOp::ADD, &[stem, b], &[sum]).with(add));
    let head = conv(&mut graph, sum, "head", &[1, 24, 24, 8], (1, 16), int8, Activation::Relu);
    let mean = pool(&mut graph, head, "mean", &[1, 1, 1, 8], Pair { h: 24, w: 24 });
    graph.outputs = vec![mean];
    Model::new(vec![graph]).build()
}

/// Four branches of int8 that meet in one CONCATENATION.
fn four_branches() -> Vec<u8> {
    let mut graph = Graph::new("four_branches");
    let int8 = DataType::Int8;
    let image = graph.input("image", &[1, 20, 20, 8], int8);
    let stem = conv(&mut graph, image, "stem", &[1, 20, 20, 16], (3, 8), int8, Activation::Relu);
    let mut ends = Vec::new();
    for (name, channels, kernel) in [("one", 16, 1), ("three", 24, 3), ("five", 8, 5), ("wide", 12, 3)] {
        let reduced =
            conv(&mut graph, stem, &format!("{name}/reduce"), &[1, 20, 20, 8], (1, 16), int8, Activation::Relu);
        let shape = [1, 20, 20, channels];
        ends.push(conv(&mut graph, reduced, &format!("{name}/conv"), &shape, (kernel, 8), int8, Activation::Relu));
    }
    let all = graph.tensor("concat", &[1, 20, 20, 60], int8);
    graph.quantize(all, &[0.05], 0);
    let options = OpOptions::Concatenation { axis: 3, activation: Activation::None };
    graph.op(Op::new(BuiltinOp::CONCATENATION, &ends, &[all]).with(options));
    let mean = pool(&mut graph, all, "mean", &[1, 1, 1, 60], Pair { h: 20, w: 20 });
    graph.outputs = vec![mean];
    Model::new(vec![graph]).build()
}

/// Float layers of 18, 18, 10 and 3 numbers: none fills whole units of 64 bytes, so TFLite leaves padding between them.
fn odd_sizes() -> Vec<u8> {
    let mut graph = Graph::new("odd_sizes");
    let input = graph.input("features", &[1, 18], DataType::Float32);
    let first = dense(&mut graph, input, "first", 18, 18);
    let second = dense(&mut graph, first, "second", 18, 10);
    let third = dense(&mut graph, second, "third", 10, 3);
    graph.outputs = vec![third];
    Model::new(vec![graph]).build()
}

/// Two layers read one input and meet in a CONCATENATION: a planner that places the largest first leaves a gap.
fn greedy_gap() -> Vec<u8> {
    let mut graph = Graph::new("greedy_gap");
    let input = graph.input("features", &[1, 48], DataType::Float32);
    let left = dense(&mut graph, input, "left", 48, 20);
    let right = dense(&mut graph, input, "right", 48, 24);
    let joined = graph.tensor("joined", &[1, 44], DataType::Float32);
    let options = OpOptions::Concatenation { axis: 1, activation: Activation::None };
    graph.op(Op::new(BuiltinOp::CONCATENATION, &[left, right], &[joined]).with(options));
    let out = dense(&mut graph, joined, "out", 44, 48);
    graph.outputs = vec![out];
    Model::new(vec![graph]).build()
}

/// Two convolutions over a picture of any size; the file says 32 by 32.
fn open_picture() -> Vec<u8> {
    let mut graph = Graph::new("open_picture");
    let f32 = DataType::Float32;
    let image = graph.input("picture", &[1, 32, 32, 1], f32);
    let edges = conv(&mut graph, image, "edges", &[1, 32, 32, 8], (3, 1), f32, Activation::Relu);
    let clean = conv(&mut graph, edges, "clean", &[1, 32, 32, 1], (3, 8), f32, Activation::None);
    for (tensor, channels) in [(image, 1), (edges, 8), (clean, 1)] {
        graph.tensors[usize::try_from(tensor).unwrap()].shape_signature = Some(vec![1, -1, -1, channels]);
    }
    graph.outputs = vec![clean];
    Model::new(vec![graph]).build()
}

/// Seven buffers A to G as a plan file; the unit is 1 MiB, and `upper` is the first step at which a buffer is gone.
fn seven_buffers() -> Vec<u8> {
    let rows = [
        ("A", 0, 1, 2),
        ("B", 1, 2, 3),
        ("C", 2, 3, 4),
        ("D", 3, 4, 6),
        ("E", 4, 5, 2),
        ("F", 5, 7, 5),
        ("G", 3, 6, 8),
    ];
    let line = |(id, first, last, size): (&str, u32, u32, u64)| format!("{id},{first},{},{}\n", last + 1, size << 20);
    format!("id,lower,upper,size\n{}", rows.map(line).concat()).into_bytes()
}

/// A convolution with constant weights: `kernel` is its side and its input channels.
fn conv(
    graph: &mut Graph,
    input: i32,
    name: &str,
    shape: &[i32],
    (side, channels): (i32, i32),
    dtype: DataType,
    activation: Activation,
) -> i32 {
    let filters = shape[3];
    let weights = weights(graph, &format!("{name}/weights"), &[filters, side, side, channels], dtype);
    let bias = bias(graph, name, filters, dtype);
    let output = graph.tensor(name, shape, dtype);
    if dtype == DataType::Int8 {
        graph.quantize(input, &[0.05], 0);
        graph.quantize(output, &[0.05], 0);
        graph.quantize(weights, &vec![0.01; usize::try_from(filters).unwrap()], 0);
        graph.quantize(bias, &vec![0.0005; usize::try_from(filters).unwrap()], 0);
    }
    let options = OpOptions::Conv2D {
        padding: Padding::Same,
        stride: Pair { h: 1, w: 1 },
        dilation: NO_DILATION,
        activation,
        quantized_bias_type: DataType::Float32,
    };
    graph.op(Op::new(BuiltinOp::CONV_2D, &[input, weights, bias], &[output]).with(options));
    output
}

fn depthwise(graph: &mut Graph, input: i32, name: &str, shape: &[i32]) -> i32 {
    let weights = weights(graph, &format!("{name}/weights"), &[1, 3, 3, shape[3]], DataType::Float32);
    let bias = bias(graph, name, shape[3], DataType::Float32);
    let output = graph.tensor(name, shape, DataType::Float32);
    let options = OpOptions::DepthwiseConv2D {
        padding: Padding::Same,
        stride: Pair { h: 1, w: 1 },
        dilation: NO_DILATION,
        depth_multiplier: 1,
        activation: Activation::None,
    };
    graph.op(Op::new(BuiltinOp::DEPTHWISE_CONV_2D, &[input, weights, bias], &[output]).with(options));
    output
}

fn pool(graph: &mut Graph, input: i32, name: &str, shape: &[i32], filter: Pair) -> i32 {
    let dtype = graph.tensors[usize::try_from(input).unwrap()].dtype;
    let output = graph.tensor(name, shape, dtype);
    if dtype == DataType::Int8 {
        graph.quantize(output, &[0.05], 0);
    }
    let options = OpOptions::Pool2D { padding: Padding::Valid, stride: filter, filter, activation: Activation::None };
    graph.op(Op::new(BuiltinOp::AVERAGE_POOL_2D, &[input], &[output]).with(options));
    output
}

fn dense(graph: &mut Graph, input: i32, name: &str, inputs: i32, outputs: i32) -> i32 {
    let weights = weights(graph, &format!("{name}/weights"), &[outputs, inputs], DataType::Float32);
    let bias = bias(graph, name, outputs, DataType::Float32);
    let output = graph.tensor(name, &[1, outputs], DataType::Float32);
    let options = OpOptions::FullyConnected {
        activation: Activation::None,
        weights_format: 0,
        keep_num_dims: false,
        asymmetric_quantize_inputs: false,
        quantized_bias_type: DataType::Float32,
    };
    graph.op(Op::new(BuiltinOp::FULLY_CONNECTED, &[input, weights, bias], &[output]).with(options));
    output
}

fn unary(graph: &mut Graph, op: BuiltinOp, input: i32, name: &str, shape: &[i32]) -> i32 {
    let output = graph.tensor(name, shape, DataType::Float32);
    graph.op(Op::new(op, &[input], &[output]));
    output
}

/// Weights that are all zero: only their sizes matter here.
fn weights(graph: &mut Graph, name: &str, shape: &[i32], dtype: DataType) -> i32 {
    let count: i32 = shape.iter().product();
    let bytes = if dtype == DataType::Int8 { count } else { count * 4 };
    graph.constant(name, shape, dtype, vec![0; usize::try_from(bytes).unwrap()])
}

fn bias(graph: &mut Graph, name: &str, filters: i32, dtype: DataType) -> i32 {
    let dtype = if dtype == DataType::Int8 { DataType::Int32 } else { dtype };
    graph.constant(&format!("{name}/bias"), &[filters], dtype, vec![0; usize::try_from(filters * 4).unwrap()])
}

fn all() -> [(&'static str, Vec<u8>); 7] {
    [
        ("keyword_spotting.tflite", keyword_spotting()),
        ("residual_block.tflite", residual_block()),
        ("four_branches.tflite", four_branches()),
        ("odd_sizes.tflite", odd_sizes()),
        ("greedy_gap.tflite", greedy_gap()),
        ("open_picture.tflite", open_picture()),
        ("seven_buffers.csv", seven_buffers()),
    ]
}

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("www/samples").join(name)
}

#[test]
fn samples_are_what_the_builder_gives() {
    for (name, bytes) in all() {
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(path(name), &bytes).unwrap();
        }
        let found = std::fs::read(path(name)).unwrap_or_default();
        assert!(found == bytes, "www/samples/{name} is not what its builder gives: run `cargo xtask samples`");
    }
}

#[test]
fn samples_open_and_overwrite_nothing() {
    for (name, bytes) in all() {
        let analysis = analyse(&bytes, name, &Settings::new(RuntimeKind::Tflite)).unwrap();
        assert!(analysis.proof.clobbers.is_empty(), "{name}: {:?}", analysis.proof.clobbers);
        assert!(analysis.arena_bytes() > 0, "{name}");
    }
}

#[test]
fn seven_buffers_need_30_units_without_reuse_and_18_with_it() {
    let mut settings = Settings::new(RuntimeKind::Tflite);
    let bytes = seven_buffers();
    let arena = |settings: &Settings| analyse(&bytes, "seven_buffers.csv", settings).unwrap().arena_bytes() >> 20;
    assert_eq!(arena(&settings), 18);
    settings.planner = Settings::planner_from_name("no-reuse").unwrap();
    assert_eq!(arena(&settings), 30);
}

#[test]
fn the_residual_sample_keeps_its_skip_alive() {
    let analysis = analyse(&residual_block(), "residual_block.tflite", &Settings::new(RuntimeKind::Tflite)).unwrap();
    let stem = analysis.program.buffers.iter().find(|buffer| buffer.name == "stem").unwrap();
    assert_eq!(stem.live.unwrap().steps(), 4);
}

#[test]
fn odd_sizes_leave_padding_under_tflite() {
    let mut settings = Settings::new(RuntimeKind::Tflite);
    let bytes = odd_sizes();
    let arena = |settings: &Settings| analyse(&bytes, "odd_sizes.tflite", settings).unwrap().arena_bytes();
    assert_eq!(arena(&settings), 296);
    settings.alignment = Some(4);
    assert_eq!(arena(&settings), 184);
}

#[test]
fn the_greedy_sample_has_a_better_plan() {
    let mut settings = Settings::new(RuntimeKind::Tflm);
    let bytes = greedy_gap();
    let arena = |settings: &Settings| analyse(&bytes, "greedy_gap.tflite", settings).unwrap().arena_bytes();
    assert_eq!(arena(&settings), 544);
    settings.planner = Settings::planner_from_name("optimal").unwrap();
    assert_eq!(arena(&settings), 368);
}

#[test]
fn the_open_sample_can_be_resized() {
    let settings = Settings::new(RuntimeKind::Tflite);
    let analysis = analyse(&open_picture(), "open_picture.tflite", &settings).unwrap();
    assert!(analysis.program.warnings.is_empty(), "{:?}", analysis.program.warnings);
}
