//! Turns an operator's options tables into [`OpOptions`]. Subgraphs that they name are checked.
//! The StableHLO operators' options stand in `read_stablehlo`.

use flatbuffers::{Table, VOffsetT, Vector};

use crate::error::{Error, ErrorKind, Result};
use crate::model::read::{Reader, elements, field_offset};
use crate::model::{Activation, DataType, OpOptions, Padding, Pair, read_stablehlo};
use crate::schema::{self, BuiltinOptions, BuiltinOptions2, Operator};
use crate::units::SubgraphId;

/// The last number of the union in the format, members without a field that matters included.
const LAST_KNOWN: u8 = 126;

/// The options of one operator of a model with `subgraphs` subgraphs.
pub(super) fn options(reader: &mut Reader<'_>, subgraphs: usize, op: Operator<'_>) -> Result<OpOptions> {
    if let Some(custom) = custom(reader, op)? {
        return Ok(custom);
    }
    let first = match op.builtin_options_type() {
        BuiltinOptions::NONE => OpOptions::None,
        BuiltinOptions(number) if number > LAST_KNOWN => OpOptions::Unknown { union_type: number },
        _ => match window(op)?.or_else(|| recurrent(op)).or_else(|| shaped(op)).or_else(|| other(reader, op)) {
            Some(options) => options,
            None => control_flow(subgraphs, op)?.unwrap_or(OpOptions::None),
        },
    };
    if first == OpOptions::None && op.builtin_options_2_type() != BuiltinOptions2::NONE {
        return read_stablehlo::options(reader, subgraphs, op);
    }
    Ok(first)
}

/// Where a custom operator's options lie: inline, or behind the FlatBuffer (as `InterpreterBuilder::ParseNodes` in
/// `tflite/core/interpreter_builder.cc` takes them, LiteRT f67457790c9c).
fn custom(reader: &Reader<'_>, op: Operator<'_>) -> Result<Option<OpOptions>> {
    if let Some(custom) = op.custom_options() {
        return Ok(Some(OpOptions::Custom { bytes: reader.range_of(custom.bytes()) }));
    }
    let (offset, size) = (op.large_custom_options_offset(), op.large_custom_options_size());
    if offset <= 1 {
        return Ok(None);
    }
    match offset.checked_add(size) {
        Some(end) if end <= reader.bytes.len() as u64 => Ok(Some(OpOptions::Custom { bytes: offset..end })),
        _ => {
            let message = format!("{size} bytes at offset {offset}, but the file has {} bytes", reader.bytes.len());
            let at = field_offset(&op._tab, Operator::VT_LARGE_CUSTOM_OPTIONS_OFFSET);
            Err(Error::new(ErrorKind::Damaged, message).in_field("large_custom_options_offset").at(at))
        }
    }
}

/// Convolutions and pooling.
fn window(op: Operator<'_>) -> Result<Option<OpOptions>> {
    let options = if let Some(table) = op.builtin_options_as_conv_2_d() {
        OpOptions::Conv2D {
            padding: padding(table.padding(), &table._tab, schema::Conv2DOptions::VT_PADDING)?,
            stride: Pair { h: table.stride_h(), w: table.stride_w() },
            dilation: Pair { h: table.dilation_h(), w: table.dilation_w() },
            activation: activation(table.activation()),
            quantized_bias_type: DataType::from_number(table.quantized_bias_type()),
        }
    } else if let Some(table) = op.builtin_options_as_depthwise_conv_2_d() {
        OpOptions::DepthwiseConv2D {
            padding: padding(table.padding(), &table._tab, schema::DepthwiseConv2DOptions::VT_PADDING)?,
            stride: Pair { h: table.stride_h(), w: table.stride_w() },
            dilation: Pair { h: table.dilation_h(), w: table.dilation_w() },
            depth_multiplier: table.depth_multiplier(),
            activation: activation(table.activation()),
        }
    } else if let Some(table) = op.builtin_options_as_conv_3_d() {
        OpOptions::Conv3D {
            padding: padding(table.padding(), &table._tab, schema::Conv3DOptions::VT_PADDING)?,
            stride: [table.stride_d(), table.stride_h(), table.stride_w()],
            dilation: [table.dilation_d(), table.dilation_h(), table.dilation_w()],
            activation: activation(table.activation()),
        }
    } else if let Some(table) = op.builtin_options_as_transpose_conv() {
        OpOptions::TransposeConv {
            padding: padding(table.padding(), &table._tab, schema::TransposeConvOptions::VT_PADDING)?,
            stride: Pair { h: table.stride_h(), w: table.stride_w() },
            activation: activation(table.activation()),
            quantized_bias_type: DataType::from_number(table.quantized_bias_type()),
        }
    } else if let Some(table) = op.builtin_options_as_pool_2_d() {
        OpOptions::Pool2D {
            padding: padding(table.padding(), &table._tab, schema::Pool2DOptions::VT_PADDING)?,
            stride: Pair { h: table.stride_h(), w: table.stride_w() },
            filter: Pair { h: table.filter_h(), w: table.filter_w() },
            activation: activation(table.activation()),
        }
    } else {
        return Ok(None);
    };
    Ok(Some(options))
}

/// Operators with state or over sequences.
fn recurrent(op: Operator<'_>) -> Option<OpOptions> {
    match op.builtin_options_type() {
        BuiltinOptions::Svdf => op.builtin_options_as_svdf().map(|table| OpOptions::Svdf {
            rank: table.rank(),
            activation: activation(table.activation()),
            asymmetric_quantize_inputs: table.asymmetric_quantize_inputs(),
        }),
        BuiltinOptions::Rnn => op.builtin_options_as_rnn().map(|table| OpOptions::Rnn {
            activation: activation(table.activation()),
            asymmetric_quantize_inputs: table.asymmetric_quantize_inputs(),
        }),
        BuiltinOptions::SequenceRnn => op.builtin_options_as_sequence_rnn().map(|table| OpOptions::SequenceRnn {
            time_major: table.time_major(),
            activation: activation(table.activation()),
            asymmetric_quantize_inputs: table.asymmetric_quantize_inputs(),
        }),
        BuiltinOptions::BidirectionalSequenceRnn => {
            op.builtin_options_as_bidirectional_sequence_rnn().map(|table| OpOptions::BidirectionalSequenceRnn {
                time_major: table.time_major(),
                merge_outputs: table.merge_outputs(),
                activation: activation(table.activation()),
                asymmetric_quantize_inputs: table.asymmetric_quantize_inputs(),
            })
        }
        BuiltinOptions::Lstm => op.builtin_options_as_lstm().map(|table| OpOptions::Lstm {
            activation: activation(table.activation()),
            cell_clip: table.cell_clip(),
            proj_clip: table.proj_clip(),
            kernel_type: table.kernel_type(),
            asymmetric_quantize_inputs: table.asymmetric_quantize_inputs(),
        }),
        BuiltinOptions::UnidirectionalSequenceLstm => {
            op.builtin_options_as_unidirectional_sequence_lstm().map(|table| OpOptions::UnidirectionalSequenceLstm {
                activation: activation(table.activation()),
                cell_clip: table.cell_clip(),
                proj_clip: table.proj_clip(),
                time_major: table.time_major(),
                asymmetric_quantize_inputs: table.asymmetric_quantize_inputs(),
                diagonal_recurrent_tensors: table.diagonal_recurrent_tensors(),
            })
        }
        BuiltinOptions::BidirectionalSequenceLstm => {
            op.builtin_options_as_bidirectional_sequence_lstm().map(|table| OpOptions::BidirectionalSequenceLstm {
                activation: activation(table.activation()),
                cell_clip: table.cell_clip(),
                proj_clip: table.proj_clip(),
                merge_outputs: table.merge_outputs(),
                time_major: table.time_major(),
                asymmetric_quantize_inputs: table.asymmetric_quantize_inputs(),
            })
        }
        _ => None,
    }
}

/// Operators whose options decide their output's shape.
fn shaped(op: Operator<'_>) -> Option<OpOptions> {
    match op.builtin_options_type() {
        BuiltinOptions::Concatenation => op
            .builtin_options_as_concatenation()
            .map(|table| OpOptions::Concatenation { axis: table.axis(), activation: activation(table.activation()) }),
        BuiltinOptions::Reshape => op
            .builtin_options_as_reshape()
            .map(|table| OpOptions::Reshape { new_shape: elements(table.new_shape()).collect() }),
        BuiltinOptions::Squeeze => op
            .builtin_options_as_squeeze()
            .map(|table| OpOptions::Squeeze { dims: elements(table.squeeze_dims()).collect() }),
        BuiltinOptions::SpaceToDepth => op.builtin_options_as_space_to_depth().map(block_size),
        BuiltinOptions::DepthToSpace => op.builtin_options_as_depth_to_space().map(block_size),
        BuiltinOptions::Gather => op
            .builtin_options_as_gather()
            .map(|table| OpOptions::Gather { axis: table.axis(), batch_dims: table.batch_dims() }),
        BuiltinOptions::Reducer => {
            op.builtin_options_as_reducer().map(|table| OpOptions::Reducer { keep_dims: table.keep_dims() })
        }
        BuiltinOptions::Split => op.builtin_options_as_split().map(split),
        BuiltinOptions::SplitV => op.builtin_options_as_split_v().map(split),
        BuiltinOptions::StridedSlice => op.builtin_options_as_strided_slice().map(|table| OpOptions::StridedSlice {
            begin_mask: table.begin_mask(),
            end_mask: table.end_mask(),
            ellipsis_mask: table.ellipsis_mask(),
            new_axis_mask: table.new_axis_mask(),
            shrink_axis_mask: table.shrink_axis_mask(),
            offset: table.offset(),
        }),
        BuiltinOptions::ArgMax => op.builtin_options_as_arg_max().map(arg_min_max),
        BuiltinOptions::ArgMin => op.builtin_options_as_arg_min().map(arg_min_max),
        BuiltinOptions::Shape => op
            .builtin_options_as_shape()
            .map(|table| OpOptions::Shape { out_type: DataType::from_number(table.output_type()) }),
        BuiltinOptions::Pack => op
            .builtin_options_as_pack()
            .map(|table| OpOptions::Pack { values_count: table.count(), axis: table.axis() }),
        BuiltinOptions::Unpack => {
            op.builtin_options_as_unpack().map(|table| OpOptions::Unpack { num: table.count(), axis: table.axis() })
        }
        BuiltinOptions::OneHot => op.builtin_options_as_one_hot().map(|table| OpOptions::OneHot { axis: table.axis() }),
        BuiltinOptions::BatchMatMul => op.builtin_options_as_batch_mat_mul().map(|table| OpOptions::BatchMatMul {
            adj_x: table.adj_x(),
            adj_y: table.adj_y(),
            asymmetric_quantize_inputs: table.asymmetric_quantize_inputs(),
        }),
        BuiltinOptions::FullyConnected => {
            op.builtin_options_as_fully_connected().map(|table| OpOptions::FullyConnected {
                activation: activation(table.activation()),
                weights_format: table.weights_format(),
                keep_num_dims: table.keep_num_dims(),
                asymmetric_quantize_inputs: table.asymmetric_quantize_inputs(),
                quantized_bias_type: DataType::from_number(table.quantized_bias_type()),
            })
        }
        _ => None,
    }
}

fn block_size(table: schema::BlockSizeOptions<'_>) -> OpOptions {
    OpOptions::BlockSize { block_size: table.block_size() }
}

fn split(table: schema::SplitOptions<'_>) -> OpOptions {
    OpOptions::Split { num_splits: table.num_splits() }
}

fn arg_min_max(table: schema::TypeOptions<'_>) -> OpOptions {
    OpOptions::ArgMinMax { output_type: DataType::from_number(table.output_type()) }
}

fn arithmetic(table: schema::ArithmeticOptions<'_>) -> OpOptions {
    OpOptions::Arithmetic { activation: activation(table.activation()), pot_scale_int16: table.pot_scale_int16() }
}

/// Element-wise operators and the rest.
fn other(reader: &mut Reader<'_>, op: Operator<'_>) -> Option<OpOptions> {
    match op.builtin_options_type() {
        BuiltinOptions::Add => op.builtin_options_as_add().map(arithmetic),
        BuiltinOptions::Sub => op.builtin_options_as_sub().map(arithmetic),
        BuiltinOptions::Mul => op.builtin_options_as_mul().map(arithmetic),
        BuiltinOptions::Div => op.builtin_options_as_div().map(arithmetic),
        BuiltinOptions::L2Norm => op.builtin_options_as_l2_norm().map(arithmetic),
        BuiltinOptions::ResizeBilinear => op.builtin_options_as_resize_bilinear().map(|table| OpOptions::Resize {
            align_corners: table.align_corners(),
            half_pixel_centers: table.half_pixel_centers(),
        }),
        BuiltinOptions::ResizeNearestNeighbor => op.builtin_options_as_resize_nearest_neighbor().map(|table| {
            OpOptions::Resize { align_corners: table.align_corners(), half_pixel_centers: table.half_pixel_centers() }
        }),
        BuiltinOptions::Cast => op.builtin_options_as_cast().map(|table| OpOptions::Cast {
            from: DataType::from_number(table.in_data_type()),
            to: DataType::from_number(table.out_data_type()),
        }),
        BuiltinOptions::LocalResponseNormalization => op
            .builtin_options_as_local_response_normalization()
            .map(|table| OpOptions::LocalResponseNormalization { radius: table.radius() }),
        BuiltinOptions::SparseToDense => op
            .builtin_options_as_sparse_to_dense()
            .map(|table| OpOptions::SparseToDense { validate_indices: table.validate_indices() }),
        BuiltinOptions::FakeQuant => op
            .builtin_options_as_fake_quant()
            .map(|table| OpOptions::FakeQuant { num_bits: table.num_bits(), narrow_range: table.narrow_range() }),
        BuiltinOptions::LeakyRelu => {
            op.builtin_options_as_leaky_relu().map(|table| OpOptions::LeakyRelu { alpha: table.alpha() })
        }
        BuiltinOptions::MirrorPad => {
            op.builtin_options_as_mirror_pad().map(|table| OpOptions::MirrorPad { mode: table.mode() })
        }
        BuiltinOptions::Unique => op
            .builtin_options_as_unique()
            .map(|table| OpOptions::Unique { idx_out_type: DataType::from_number(table.idx_out_type()) }),
        BuiltinOptions::ReverseSequence => op
            .builtin_options_as_reverse_sequence()
            .map(|table| OpOptions::ReverseSequence { seq_dim: table.seq_dim(), batch_dim: table.batch_dim() }),
        BuiltinOptions::Cumsum => op
            .builtin_options_as_cumsum()
            .map(|table| OpOptions::Cumsum { exclusive: table.exclusive(), reverse: table.reverse() }),
        BuiltinOptions::Gelu => {
            op.builtin_options_as_gelu().map(|table| OpOptions::Gelu { approximate: table.approximate() })
        }
        _ => rare(reader, op),
    }
}

/// Lookups, resources and random numbers.
fn rare(reader: &mut Reader<'_>, op: Operator<'_>) -> Option<OpOptions> {
    match op.builtin_options_type() {
        BuiltinOptions::ConcatEmbeddings => {
            op.builtin_options_as_concat_embeddings().map(|table| OpOptions::ConcatEmbeddings {
                num_channels: table.num_channels(),
                columns_per_channel: elements(table.columns_per_channel()).collect(),
                dims_per_channel: elements(table.dims_per_channel()).collect(),
            })
        }
        BuiltinOptions::LshProjection => {
            op.builtin_options_as_lsh_projection().map(|table| OpOptions::LshProjection { kind: table.kind() })
        }
        BuiltinOptions::SkipGram => op.builtin_options_as_skip_gram().map(|table| OpOptions::SkipGram {
            ngram_size: table.ngram_size(),
            max_skip_size: table.max_skip_size(),
            include_all_ngrams: table.include_all_ngrams(),
        }),
        BuiltinOptions::EmbeddingLookupSparse => op
            .builtin_options_as_embedding_lookup_sparse()
            .map(|table| OpOptions::EmbeddingLookupSparse { combiner: table.combiner() }),
        BuiltinOptions::Hashtable => op.builtin_options_as_hashtable().map(|table| OpOptions::Hashtable {
            table_id: table.table_id(),
            key_dtype: DataType::from_number(table.key_dtype()),
            value_dtype: DataType::from_number(table.value_dtype()),
        }),
        BuiltinOptions::VarHandle => op.builtin_options_as_var_handle().map(|table| OpOptions::VarHandle {
            container: reader.text(table.container(), "builtin_options.container"),
            shared_name: reader.text(table.shared_name(), "builtin_options.shared_name"),
        }),
        BuiltinOptions::Random => {
            op.builtin_options_as_random().map(|table| OpOptions::Random { seed: table.seed(), seed2: table.seed2() })
        }
        BuiltinOptions::Bucketize => op.builtin_options_as_bucketize().map(|table| OpOptions::Bucketize {
            boundaries: u32::try_from(elements(table.boundaries()).count()).unwrap_or(u32::MAX),
        }),
        _ => None,
    }
}

/// Operators that run other subgraphs.
fn control_flow(subgraphs: usize, op: Operator<'_>) -> Result<Option<OpOptions>> {
    let options = if let Some(table) = op.builtin_options_as_if() {
        OpOptions::If {
            then_subgraph: subgraph(subgraphs, table.then_subgraph_index(), &table._tab, "then_subgraph_index")?,
            else_subgraph: subgraph(subgraphs, table.else_subgraph_index(), &table._tab, "else_subgraph_index")?,
        }
    } else if let Some(table) = op.builtin_options_as_while() {
        while_options(subgraphs, table)?
    } else if let Some(table) = op.builtin_options_as_call_once() {
        OpOptions::CallOnce {
            init_subgraph: subgraph(subgraphs, table.init_subgraph_index(), &table._tab, "init_subgraph_index")?,
        }
    } else if let Some(table) = op.builtin_options_as_call() {
        OpOptions::Call { subgraph: subgraph(subgraphs, table.subgraph(), &table._tab, "subgraph")?.0 }
    } else {
        return Ok(None);
    };
    Ok(Some(options))
}

/// WHILE and `STABLEHLO_WHILE`.
pub(super) fn while_options(subgraphs: usize, table: schema::WhileOptions<'_>) -> Result<OpOptions> {
    Ok(OpOptions::While {
        cond_subgraph: subgraph(subgraphs, table.cond_subgraph_index(), &table._tab, "cond_subgraph_index")?,
        body_subgraph: subgraph(subgraphs, table.body_subgraph_index(), &table._tab, "body_subgraph_index")?,
    })
}

/// A subgraph index of an options table, checked.
pub(super) fn subgraph(
    subgraphs: usize,
    index: impl TryInto<u32> + Copy + std::fmt::Display,
    table: &Table<'_>,
    field: &str,
) -> Result<SubgraphId> {
    match index.try_into() {
        Ok(id) if (id as usize) < subgraphs => Ok(SubgraphId(id)),
        _ => {
            let message = format!("subgraph {index}, but the model has {subgraphs}");
            Err(Error::new(ErrorKind::Damaged, message)
                .in_field(format!("builtin_options.{field}"))
                .at(table.loc() as u64))
        }
    }
}

fn padding(number: i8, table: &Table<'_>, field: VOffsetT) -> Result<Padding> {
    match number {
        0 => Ok(Padding::Same),
        1 => Ok(Padding::Valid),
        _ => {
            let message = format!("padding {number}, but there are only 0 (same) and 1 (valid)");
            let at = field_offset(table, field);
            Err(Error::new(ErrorKind::Damaged, message).in_field("builtin_options.padding").at(at))
        }
    }
}

fn activation(number: i8) -> Activation {
    match number {
        0 => Activation::None,
        1 => Activation::Relu,
        2 => Activation::ReluN1To1,
        3 => Activation::Relu6,
        4 => Activation::Tanh,
        5 => Activation::SignBit,
        _ => Activation::Unknown(number),
    }
}

/// A list of 64-bit numbers.
pub(super) fn longs(list: Option<Vector<'_, i64>>) -> Vec<i64> {
    elements(list).collect()
}
