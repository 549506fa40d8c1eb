//! The options of operators that decide shapes, memory or control flow. Options without such effect are not kept.

use crate::model::DataType;
use crate::units::SubgraphId;

/// How a window meets the border.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Padding {
    /// Output size is the input size over the stride, rounded up.
    Same,
    /// Only windows that lie wholly inside.
    Valid,
}

/// An activation fused into an operator, by the file's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activation {
    /// None.
    None,
    /// max(x, 0).
    Relu,
    /// x limited to −1…1.
    ReluN1To1,
    /// x limited to 0…6.
    Relu6,
    /// Hyperbolic tangent.
    Tanh,
    /// Sign.
    SignBit,
    /// A number the schema does not know.
    Unknown(i8),
}

/// A two-dimensional pair, height first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Along the height.
    pub h: i32,
    /// Along the width.
    pub w: i32,
}

/// What an operator was told, as far as it matters for shapes, memory or control flow.
/// Named after the schema's option tables; `None` where the file has no options table.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the fields are the schema's own, named in schema/tflite.fbs")]
pub enum OpOptions {
    /// No table, an empty one, or one without effect on memory.
    None,
    Conv2D {
        padding: Padding,
        stride: Pair,
        dilation: Pair,
        activation: Activation,
        quantized_bias_type: DataType,
    },
    /// Strides and dilations in the order depth, height, width.
    Conv3D {
        padding: Padding,
        stride: [i32; 3],
        dilation: [i32; 3],
        activation: Activation,
    },
    Pool2D {
        padding: Padding,
        stride: Pair,
        filter: Pair,
        activation: Activation,
    },
    DepthwiseConv2D {
        padding: Padding,
        stride: Pair,
        dilation: Pair,
        depth_multiplier: i32,
        activation: Activation,
    },
    TransposeConv {
        padding: Padding,
        stride: Pair,
        activation: Activation,
        quantized_bias_type: DataType,
    },
    ConcatEmbeddings {
        num_channels: i32,
        columns_per_channel: Vec<i32>,
        dims_per_channel: Vec<i32>,
    },
    LshProjection {
        kind: i8,
    },
    Svdf {
        rank: i32,
        activation: Activation,
        asymmetric_quantize_inputs: bool,
    },
    Rnn {
        activation: Activation,
        asymmetric_quantize_inputs: bool,
    },
    SequenceRnn {
        time_major: bool,
        activation: Activation,
        asymmetric_quantize_inputs: bool,
    },
    BidirectionalSequenceRnn {
        time_major: bool,
        merge_outputs: bool,
        activation: Activation,
        asymmetric_quantize_inputs: bool,
    },
    FullyConnected {
        activation: Activation,
        weights_format: i8,
        keep_num_dims: bool,
        asymmetric_quantize_inputs: bool,
        quantized_bias_type: DataType,
    },
    Concatenation {
        axis: i32,
        activation: Activation,
    },
    /// ADD, SUB, MUL, DIV, `L2_NORMALIZATION`: `pot_scale_int16` is meaningful for ADD and SUB only.
    Arithmetic {
        activation: Activation,
        pot_scale_int16: bool,
    },
    LocalResponseNormalization {
        radius: i32,
    },
    /// `kernel_type` 0 is FULL, 1 is BASIC.
    Lstm {
        activation: Activation,
        cell_clip: f32,
        proj_clip: f32,
        kernel_type: i8,
        asymmetric_quantize_inputs: bool,
    },
    UnidirectionalSequenceLstm {
        activation: Activation,
        cell_clip: f32,
        proj_clip: f32,
        time_major: bool,
        asymmetric_quantize_inputs: bool,
        diagonal_recurrent_tensors: bool,
    },
    BidirectionalSequenceLstm {
        activation: Activation,
        cell_clip: f32,
        proj_clip: f32,
        merge_outputs: bool,
        time_major: bool,
        asymmetric_quantize_inputs: bool,
    },
    /// `RESIZE_BILINEAR` and `RESIZE_NEAREST_NEIGHBOR`.
    Resize {
        align_corners: bool,
        half_pixel_centers: bool,
    },
    Call {
        subgraph: u32,
    },
    Reshape {
        new_shape: Vec<i32>,
    },
    SkipGram {
        ngram_size: i32,
        max_skip_size: i32,
        include_all_ngrams: bool,
    },
    /// `SPACE_TO_DEPTH` and `DEPTH_TO_SPACE`.
    BlockSize {
        block_size: i32,
    },
    EmbeddingLookupSparse {
        combiner: i8,
    },
    Gather {
        axis: i32,
        batch_dims: i32,
    },
    Reducer {
        keep_dims: bool,
    },
    Squeeze {
        dims: Vec<i32>,
    },
    /// SPLIT and `SPLIT_V`.
    Split {
        num_splits: i32,
    },
    StridedSlice {
        begin_mask: i32,
        end_mask: i32,
        ellipsis_mask: i32,
        new_axis_mask: i32,
        shrink_axis_mask: i32,
        offset: bool,
    },
    Cast {
        from: DataType,
        to: DataType,
    },
    /// `ARG_MAX` and `ARG_MIN`.
    ArgMinMax {
        output_type: DataType,
    },
    Shape {
        out_type: DataType,
    },
    SparseToDense {
        validate_indices: bool,
    },
    Pack {
        values_count: i32,
        axis: i32,
    },
    Unpack {
        num: i32,
        axis: i32,
    },
    OneHot {
        axis: i32,
    },
    MirrorPad {
        mode: i8,
    },
    Unique {
        idx_out_type: DataType,
    },
    ReverseSequence {
        seq_dim: i32,
        batch_dim: i32,
    },
    If {
        then_subgraph: SubgraphId,
        else_subgraph: SubgraphId,
    },
    CallOnce {
        init_subgraph: SubgraphId,
    },
    /// WHILE and `STABLEHLO_WHILE`.
    While {
        cond_subgraph: SubgraphId,
        body_subgraph: SubgraphId,
    },
    BatchMatMul {
        adj_x: bool,
        adj_y: bool,
        asymmetric_quantize_inputs: bool,
    },
    Cumsum {
        exclusive: bool,
        reverse: bool,
    },
    Hashtable {
        table_id: i32,
        key_dtype: DataType,
        value_dtype: DataType,
    },
    VarHandle {
        container: String,
        shared_name: String,
    },
    Random {
        seed: i64,
        seed2: i64,
    },
    Bucketize {
        boundaries: u32,
    },
    Gelu {
        approximate: bool,
    },
    LeakyRelu {
        alpha: f32,
    },
    FakeQuant {
        num_bits: i32,
        narrow_range: bool,
    },
    StablehloConcatenate {
        dimension: i64,
    },
    StablehloBroadcastInDim {
        broadcast_dimensions: Vec<i64>,
    },
    StablehloSlice {
        start_indices: Vec<i64>,
        limit_indices: Vec<i64>,
        strides: Vec<i64>,
    },
    StablehloDynamicSlice {
        slice_sizes: Vec<i64>,
    },
    StablehloPad {
        edge_padding_low: Vec<i64>,
        edge_padding_high: Vec<i64>,
        interior_padding: Vec<i64>,
    },
    StablehloIota {
        iota_dimension: i64,
    },
    StablehloGather {
        offset_dims: Vec<i64>,
        collapsed_slice_dims: Vec<i64>,
        start_index_map: Vec<i64>,
        index_vector_dim: i64,
        slice_sizes: Vec<i64>,
    },
    StablehloTranspose {
        permutation: Vec<i64>,
    },
    StablehloDotGeneral {
        lhs_batching: Vec<i64>,
        rhs_batching: Vec<i64>,
        lhs_contracting: Vec<i64>,
        rhs_contracting: Vec<i64>,
    },
    StablehloReduceWindow {
        window_dimensions: Vec<i64>,
        window_strides: Vec<i64>,
        base_dilations: Vec<i64>,
        window_dilations: Vec<i64>,
        padding: Vec<i64>,
        body_subgraph: SubgraphId,
    },
    StablehloReduce {
        dimensions: Vec<i64>,
        body_subgraph: SubgraphId,
    },
    StablehloScatter {
        update_computation_subgraph: SubgraphId,
    },
    StablehloSort {
        dimension: i64,
        comparator_subgraph: SubgraphId,
    },
    StablehloRngBitGenerator {
        algorithm: i8,
    },
    StablehloComposite {
        name: String,
        decomposition_subgraph: SubgraphId,
    },
    StablehloCase {
        branches: Vec<SubgraphId>,
    },
    /// The options of a custom operator: where its bytes lie in the model's bytes.
    Custom {
        bytes: std::ops::Range<u64>,
    },
    /// An options table whose number this version does not know.
    Unknown {
        union_type: u8,
    },
}
