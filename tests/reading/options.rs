//! What the builder writes, the reader gives back: every option.

use arenascope::model::{self, Activation, BuiltinOp, DataType, OpOptions, Padding, Pair};
use arenascope::units::SubgraphId;

use crate::support::{Graph, Model, Op};

const RELU6: Activation = Activation::Relu6;
const TWO_ONE: Pair = Pair { h: 2, w: 1 };
const THREE_FOUR: Pair = Pair { h: 3, w: 4 };

/// Options of each kind, under an operator that has them; no field has its default.
#[expect(clippy::too_many_lines, reason = "a table")]
fn options() -> Vec<(BuiltinOp, OpOptions)> {
    let asym = true;
    let mut list = vec![
        (
            BuiltinOp::CONV_2D,
            OpOptions::Conv2D {
                padding: Padding::Valid,
                stride: TWO_ONE,
                dilation: THREE_FOUR,
                activation: RELU6,
                quantized_bias_type: DataType::Int64,
            },
        ),
        (
            BuiltinOp::DEPTHWISE_CONV_2D,
            OpOptions::DepthwiseConv2D {
                padding: Padding::Valid,
                stride: TWO_ONE,
                dilation: THREE_FOUR,
                depth_multiplier: 5,
                activation: Activation::Unknown(77),
            },
        ),
        (
            BuiltinOp::CONV_3D,
            OpOptions::Conv3D {
                padding: Padding::Same,
                stride: [1, 2, 3],
                dilation: [4, 5, 6],
                activation: Activation::Tanh,
            },
        ),
        (
            BuiltinOp::TRANSPOSE_CONV,
            OpOptions::TransposeConv {
                padding: Padding::Valid,
                stride: TWO_ONE,
                activation: RELU6,
                quantized_bias_type: DataType::Int32,
            },
        ),
        (
            BuiltinOp::MAX_POOL_2D,
            OpOptions::Pool2D { padding: Padding::Valid, stride: TWO_ONE, filter: THREE_FOUR, activation: RELU6 },
        ),
        (BuiltinOp::SVDF, OpOptions::Svdf { rank: 2, activation: RELU6, asymmetric_quantize_inputs: asym }),
        (BuiltinOp::RNN, OpOptions::Rnn { activation: RELU6, asymmetric_quantize_inputs: asym }),
        (
            BuiltinOp::UNIDIRECTIONAL_SEQUENCE_RNN,
            OpOptions::SequenceRnn { time_major: true, activation: RELU6, asymmetric_quantize_inputs: asym },
        ),
        (
            BuiltinOp::BIDIRECTIONAL_SEQUENCE_RNN,
            OpOptions::BidirectionalSequenceRnn {
                time_major: true,
                merge_outputs: true,
                activation: RELU6,
                asymmetric_quantize_inputs: asym,
            },
        ),
        (
            BuiltinOp::LSTM,
            OpOptions::Lstm {
                activation: RELU6,
                cell_clip: 1.5,
                proj_clip: 2.5,
                kernel_type: 1,
                asymmetric_quantize_inputs: asym,
            },
        ),
        (
            BuiltinOp::UNIDIRECTIONAL_SEQUENCE_LSTM,
            OpOptions::UnidirectionalSequenceLstm {
                activation: RELU6,
                cell_clip: 1.5,
                proj_clip: 2.5,
                time_major: true,
                asymmetric_quantize_inputs: asym,
                diagonal_recurrent_tensors: true,
            },
        ),
        (
            BuiltinOp::BIDIRECTIONAL_SEQUENCE_LSTM,
            OpOptions::BidirectionalSequenceLstm {
                activation: RELU6,
                cell_clip: 1.5,
                proj_clip: 2.5,
                merge_outputs: true,
                time_major: false,
                asymmetric_quantize_inputs: asym,
            },
        ),
        (
            BuiltinOp::FULLY_CONNECTED,
            OpOptions::FullyConnected {
                activation: RELU6,
                weights_format: 1,
                keep_num_dims: true,
                asymmetric_quantize_inputs: asym,
                quantized_bias_type: DataType::Int64,
            },
        ),
        (BuiltinOp::CONCATENATION, OpOptions::Concatenation { axis: -1, activation: RELU6 }),
        (BuiltinOp::RESHAPE, OpOptions::Reshape { new_shape: vec![1, -1] }),
        (BuiltinOp::SQUEEZE, OpOptions::Squeeze { dims: vec![0, 2] }),
        (BuiltinOp::SPACE_TO_DEPTH, OpOptions::BlockSize { block_size: 2 }),
        (BuiltinOp::DEPTH_TO_SPACE, OpOptions::BlockSize { block_size: 3 }),
        (BuiltinOp::GATHER, OpOptions::Gather { axis: 1, batch_dims: 2 }),
        (BuiltinOp::MEAN, OpOptions::Reducer { keep_dims: true }),
        (BuiltinOp::SPLIT, OpOptions::Split { num_splits: 4 }),
        (BuiltinOp::SPLIT_V, OpOptions::Split { num_splits: 5 }),
        (
            BuiltinOp::STRIDED_SLICE,
            OpOptions::StridedSlice {
                begin_mask: 1,
                end_mask: 2,
                ellipsis_mask: 3,
                new_axis_mask: 4,
                shrink_axis_mask: 5,
                offset: true,
            },
        ),
        (BuiltinOp::ARG_MAX, OpOptions::ArgMinMax { output_type: DataType::Int64 }),
        (BuiltinOp::ARG_MIN, OpOptions::ArgMinMax { output_type: DataType::Int32 }),
        (BuiltinOp::SHAPE, OpOptions::Shape { out_type: DataType::Int32 }),
        (BuiltinOp::PACK, OpOptions::Pack { values_count: 2, axis: 1 }),
        (BuiltinOp::UNPACK, OpOptions::Unpack { num: 2, axis: 1 }),
        (BuiltinOp::ONE_HOT, OpOptions::OneHot { axis: 3 }),
        (
            BuiltinOp::BATCH_MATMUL,
            OpOptions::BatchMatMul { adj_x: true, adj_y: true, asymmetric_quantize_inputs: asym },
        ),
    ];
    list.extend(small_options());
    list.extend(calling_options());
    list.extend(stablehlo_options());
    list
}

fn small_options() -> Vec<(BuiltinOp, OpOptions)> {
    let arithmetic = || OpOptions::Arithmetic { activation: RELU6, pot_scale_int16: false };
    let resize = || OpOptions::Resize { align_corners: true, half_pixel_centers: true };
    vec![
        (BuiltinOp::ADD, arithmetic()),
        (BuiltinOp::SUB, arithmetic()),
        (BuiltinOp::MUL, arithmetic()),
        (BuiltinOp::DIV, arithmetic()),
        (BuiltinOp::L2_NORMALIZATION, arithmetic()),
        (BuiltinOp::RESIZE_BILINEAR, resize()),
        (BuiltinOp::RESIZE_NEAREST_NEIGHBOR, resize()),
        (BuiltinOp::CAST, OpOptions::Cast { from: DataType::Int8, to: DataType::Bool }),
        (BuiltinOp::LOCAL_RESPONSE_NORMALIZATION, OpOptions::LocalResponseNormalization { radius: 5 }),
        (BuiltinOp::SPARSE_TO_DENSE, OpOptions::SparseToDense { validate_indices: true }),
        (BuiltinOp::FAKE_QUANT, OpOptions::FakeQuant { num_bits: 8, narrow_range: true }),
        (BuiltinOp::LEAKY_RELU, OpOptions::LeakyRelu { alpha: 0.25 }),
        (BuiltinOp::MIRROR_PAD, OpOptions::MirrorPad { mode: 1 }),
        (BuiltinOp::UNIQUE, OpOptions::Unique { idx_out_type: DataType::Int64 }),
        (BuiltinOp::REVERSE_SEQUENCE, OpOptions::ReverseSequence { seq_dim: 1, batch_dim: 2 }),
        (BuiltinOp::CUMSUM, OpOptions::Cumsum { exclusive: true, reverse: true }),
        (BuiltinOp::GELU, OpOptions::Gelu { approximate: true }),
        (
            BuiltinOp::CONCAT_EMBEDDINGS,
            OpOptions::ConcatEmbeddings {
                num_channels: 2,
                columns_per_channel: vec![3, 4],
                dims_per_channel: vec![5, 6],
            },
        ),
        (BuiltinOp::LSH_PROJECTION, OpOptions::LshProjection { kind: 2 }),
        (BuiltinOp::SKIP_GRAM, OpOptions::SkipGram { ngram_size: 2, max_skip_size: 3, include_all_ngrams: true }),
        (BuiltinOp::EMBEDDING_LOOKUP_SPARSE, OpOptions::EmbeddingLookupSparse { combiner: 1 }),
        (
            BuiltinOp::HASHTABLE,
            OpOptions::Hashtable { table_id: 9, key_dtype: DataType::String, value_dtype: DataType::Int64 },
        ),
        (BuiltinOp::VAR_HANDLE, OpOptions::VarHandle { container: "box".to_owned(), shared_name: "state".to_owned() }),
        (BuiltinOp::RANDOM_UNIFORM, OpOptions::Random { seed: -1, seed2: i64::MAX }),
        (BuiltinOp::BUCKETIZE, OpOptions::Bucketize { boundaries: 3 }),
        // Known, but without a field that matters.
        (BuiltinOp::NEG, OpOptions::None),
    ]
}

fn calling_options() -> Vec<(BuiltinOp, OpOptions)> {
    let (one, two) = (SubgraphId(1), SubgraphId(2));
    vec![
        (BuiltinOp::IF, OpOptions::If { then_subgraph: one, else_subgraph: two }),
        (BuiltinOp::WHILE, OpOptions::While { cond_subgraph: one, body_subgraph: two }),
        (BuiltinOp::STABLEHLO_WHILE, OpOptions::While { cond_subgraph: two, body_subgraph: one }),
        (BuiltinOp::CALL_ONCE, OpOptions::CallOnce { init_subgraph: two }),
        (BuiltinOp::CALL, OpOptions::Call { subgraph: 1 }),
        (
            BuiltinOp::STABLEHLO_REDUCE_WINDOW,
            OpOptions::StablehloReduceWindow {
                window_dimensions: vec![1],
                window_strides: vec![2],
                base_dilations: vec![3],
                window_dilations: vec![4],
                padding: vec![5, 6],
                body_subgraph: two,
            },
        ),
        (BuiltinOp::STABLEHLO_REDUCE, OpOptions::StablehloReduce { dimensions: vec![0, 1], body_subgraph: one }),
        (BuiltinOp::STABLEHLO_SCATTER, OpOptions::StablehloScatter { update_computation_subgraph: two }),
        (BuiltinOp::STABLEHLO_SORT, OpOptions::StablehloSort { dimension: 1, comparator_subgraph: two }),
        (
            BuiltinOp::STABLEHLO_COMPOSITE,
            OpOptions::StablehloComposite { name: "odml.rms_norm".to_owned(), decomposition_subgraph: one },
        ),
        (BuiltinOp::STABLEHLO_CASE, OpOptions::StablehloCase { branches: vec![one, two, one] }),
    ]
}

fn stablehlo_options() -> Vec<(BuiltinOp, OpOptions)> {
    vec![
        (BuiltinOp::STABLEHLO_CONCATENATE, OpOptions::StablehloConcatenate { dimension: 1 }),
        (
            BuiltinOp::STABLEHLO_BROADCAST_IN_DIM,
            OpOptions::StablehloBroadcastInDim { broadcast_dimensions: vec![0, 2] },
        ),
        (
            BuiltinOp::STABLEHLO_SLICE,
            OpOptions::StablehloSlice { start_indices: vec![1], limit_indices: vec![5], strides: vec![2] },
        ),
        (BuiltinOp::STABLEHLO_DYNAMIC_SLICE, OpOptions::StablehloDynamicSlice { slice_sizes: vec![4, 4] }),
        (
            BuiltinOp::STABLEHLO_PAD,
            OpOptions::StablehloPad {
                edge_padding_low: vec![-1],
                edge_padding_high: vec![2],
                interior_padding: vec![3],
            },
        ),
        (BuiltinOp::STABLEHLO_IOTA, OpOptions::StablehloIota { iota_dimension: 2 }),
        (
            BuiltinOp::STABLEHLO_GATHER,
            OpOptions::StablehloGather {
                offset_dims: vec![1],
                collapsed_slice_dims: vec![2],
                start_index_map: vec![3],
                index_vector_dim: 4,
                slice_sizes: vec![5],
            },
        ),
        (BuiltinOp::STABLEHLO_TRANSPOSE, OpOptions::StablehloTranspose { permutation: vec![1, 0] }),
        (
            BuiltinOp::STABLEHLO_DOT_GENERAL,
            OpOptions::StablehloDotGeneral {
                lhs_batching: vec![0],
                rhs_batching: vec![1],
                lhs_contracting: vec![2],
                rhs_contracting: vec![3],
            },
        ),
        (BuiltinOp::STABLEHLO_RNG_BIT_GENERATOR, OpOptions::StablehloRngBitGenerator { algorithm: 1 }),
    ]
}

#[test]
fn options_come_back() {
    let mut main = Graph::new("main");
    for (builtin, options) in options() {
        main.op(Op::new(builtin, &[], &[]).with(options));
    }
    let bytes = Model::new(vec![main, Graph::new("one"), Graph::new("two")]).build();
    let model = model::read(&bytes).unwrap();
    for ((builtin, expected), op) in options().iter().zip(&model.main().operators) {
        assert_eq!(model.code(op).builtin, *builtin);
        assert_eq!(op.options, *expected, "{builtin}");
    }
    assert_eq!(model.main().operators.len(), options().len());
    assert_eq!(model.warnings, []);
}
