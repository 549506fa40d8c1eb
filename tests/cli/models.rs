//! Models of our own that cases name: small, with zero weights.

use arenascope::model::{Activation, BuiltinOp, DataType, OpOptions, Padding, Pair};
use arenascope::units::SubgraphId;

use crate::support::{Graph, Model, Op};

/// The model of that name.
pub(crate) fn named(name: &str) -> Vec<u8> {
    match name {
        "keyword-spotting" => keyword_spotting().build(),
        "keyword-spotting-cut" => {
            let mut bytes = keyword_spotting().build();
            bytes.truncate(bytes.len() / 2);
            bytes
        }
        "calls" => calls().build(),
        other => panic!("no model {other:?}"),
    }
}

/// IF over two branches that add or multiply, between two RELUs.
fn calls() -> Model {
    let shape = [1, 64];
    let mut main = Graph::new("main");
    let (which, input) = (main.input("which", &[1], DataType::Bool), main.input("input", &shape, F32));
    let before = main.tensor("before", &shape, F32);
    main.op(Op::new(BuiltinOp::RELU, &[input], &[before]));
    let chosen = main.tensor("chosen", &shape, F32);
    let branches = OpOptions::If { then_subgraph: SubgraphId(1), else_subgraph: SubgraphId(2) };
    main.op(Op::new(BuiltinOp::IF, &[which, before], &[chosen]).with(branches));
    let after = main.tensor("after", &shape, F32);
    main.op(Op::new(BuiltinOp::RELU, &[chosen], &[after]));
    main.outputs = vec![after];
    let branch = |name: &str, builtin| {
        let mut graph = Graph::new(name);
        let input = graph.input("x", &shape, F32);
        let doubled = graph.tensor("doubled", &shape, F32);
        graph.op(Op::new(BuiltinOp::NEG, &[input], &[doubled]));
        let output = graph.tensor("y", &shape, F32);
        graph.op(Op::new(builtin, &[input, doubled], &[output]));
        graph.outputs = vec![output];
        graph
    };
    Model::new(vec![main, branch("then", BuiltinOp::MAXIMUM), branch("else", BuiltinOp::MINIMUM)])
}

const F32: DataType = DataType::Float32;

fn weights(graph: &mut Graph, name: &str, shape: &[i32]) -> i32 {
    let count: i32 = shape.iter().product();
    graph.constant(name, shape, F32, vec![0; usize::try_from(count).unwrap() * 4])
}

/// `[1,10,40,1]`, convolved to 8 channels, `RELU`, depthwise, convolved to 16, `RELU`, mean pool, flat, dense to 10.
fn keyword_spotting() -> Model {
    let one = Pair { h: 1, w: 1 };
    let mut graph = Graph::new("main");
    let input = graph.input("input", &[1, 10, 40, 1], F32);
    let conv = |fused_activation| OpOptions::Conv2D {
        padding: Padding::Same,
        stride: one,
        dilation: one,
        activation: fused_activation,
        quantized_bias_type: F32,
    };
    let filter = weights(&mut graph, "conv1_filter", &[8, 3, 3, 1]);
    let bias = weights(&mut graph, "conv1_bias", &[8]);
    let conv1 = graph.tensor("conv1", &[1, 10, 40, 8], F32);
    graph.op(Op::new(BuiltinOp::CONV_2D, &[input, filter, bias], &[conv1]).with(conv(Activation::None)));
    let relu1 = graph.tensor("relu1", &[1, 10, 40, 8], F32);
    graph.op(Op::new(BuiltinOp::RELU, &[conv1], &[relu1]));
    let filter = weights(&mut graph, "depthwise_filter", &[1, 3, 3, 8]);
    let bias = weights(&mut graph, "depthwise_bias", &[8]);
    let depthwise = graph.tensor("depthwise", &[1, 10, 40, 8], F32);
    let options = OpOptions::DepthwiseConv2D {
        padding: Padding::Same,
        stride: one,
        depth_multiplier: 1,
        dilation: one,
        activation: Activation::None,
    };
    graph.op(Op::new(BuiltinOp::DEPTHWISE_CONV_2D, &[relu1, filter, bias], &[depthwise]).with(options));
    let filter = weights(&mut graph, "conv2_filter", &[16, 1, 1, 8]);
    let bias = weights(&mut graph, "conv2_bias", &[16]);
    let conv2 = graph.tensor("conv2", &[1, 10, 40, 16], F32);
    graph.op(Op::new(BuiltinOp::CONV_2D, &[depthwise, filter, bias], &[conv2]).with(conv(Activation::None)));
    let relu2 = graph.tensor("relu2", &[1, 10, 40, 16], F32);
    graph.op(Op::new(BuiltinOp::RELU, &[conv2], &[relu2]));
    let pool = graph.tensor("pool", &[1, 1, 1, 16], F32);
    let options = OpOptions::Pool2D {
        padding: Padding::Valid,
        stride: one,
        filter: Pair { h: 10, w: 40 },
        activation: Activation::None,
    };
    graph.op(Op::new(BuiltinOp::AVERAGE_POOL_2D, &[relu2], &[pool]).with(options));
    let flat = graph.tensor("flat", &[1, 16], F32);
    let shape = graph.constant_i32("flat_shape", &[1, 16]);
    graph.op(Op::new(BuiltinOp::RESHAPE, &[pool, shape], &[flat]));
    let filter = weights(&mut graph, "dense_filter", &[10, 16]);
    let bias = weights(&mut graph, "dense_bias", &[10]);
    let dense = graph.tensor("dense", &[1, 10], F32);
    let options = OpOptions::FullyConnected {
        activation: Activation::None,
        weights_format: 0,
        keep_num_dims: false,
        asymmetric_quantize_inputs: false,
        quantized_bias_type: F32,
    };
    graph.op(Op::new(BuiltinOp::FULLY_CONNECTED, &[flat, filter, bias], &[dense]).with(options));
    graph.outputs = vec![dense];
    Model::new(vec![graph])
}
