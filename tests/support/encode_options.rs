//! Turns [`OpOptions`] into the options tables of the format: the reverse of the reader.

use arenascope::model::{Activation, BuiltinOp, OpOptions, Padding};
use arenascope::schema::{self as fb, BuiltinOptions, BuiltinOptions2};
use arenascope::units::SubgraphId;
use flatbuffers::{UnionWIPOffset, WIPOffset};

use super::encode::{Builder, numbers, text};
use super::{encode_graph_options, encode_stablehlo};

pub(super) type Union = WIPOffset<UnionWIPOffset>;

/// The two unions of an operator.
pub(super) struct Options {
    pub(super) first_type: BuiltinOptions,
    pub(super) first: Option<Union>,
    pub(super) second_type: BuiltinOptions2,
    pub(super) second: Option<Union>,
}

impl Options {
    fn none() -> Options {
        Options { first_type: BuiltinOptions::NONE, first: None, second_type: BuiltinOptions2::NONE, second: None }
    }

    pub(super) fn first(first_type: BuiltinOptions, table: Union) -> Options {
        Options { first_type, first: Some(table), ..Options::none() }
    }

    fn second(second_type: BuiltinOptions2, table: Union) -> Options {
        Options { second_type, second: Some(table), ..Options::none() }
    }
}

/// The options of an operator; which of several operators shares a table is told by `builtin`.
pub(super) fn options(fbb: &mut Builder, builtin: BuiltinOp, options: &OpOptions) -> Options {
    let first = encode_graph_options::window(fbb, options)
        .or_else(|| encode_graph_options::recurrent(fbb, options))
        .or_else(|| encode_graph_options::shaped(fbb, builtin, options))
        .or_else(|| other(fbb, builtin, options))
        .or_else(|| rare(fbb, options))
        .or_else(|| control_flow(fbb, builtin, options));
    if let Some((first_type, table)) = first {
        return Options::first(first_type, table);
    }
    match encode_stablehlo::shaped(fbb, options).or_else(|| encode_stablehlo::calls(fbb, builtin, options)) {
        Some((second_type, table)) => Options::second(second_type, table),
        None => Options::none(),
    }
}

/// Element-wise operators and the rest.
fn other(fbb: &mut Builder, builtin: BuiltinOp, options: &OpOptions) -> Option<(BuiltinOptions, Union)> {
    let encoded = match options {
        OpOptions::Arithmetic { activation, pot_scale_int16 } => {
            let args = fb::ArithmeticOptionsArgs { activation: number(*activation), pot_scale_int16: *pot_scale_int16 };
            (arithmetic(builtin), fb::ArithmeticOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::Resize { align_corners, half_pixel_centers } if builtin == BuiltinOp::RESIZE_BILINEAR => {
            let args = fb::ResizeBilinearOptionsArgs {
                align_corners: *align_corners,
                half_pixel_centers: *half_pixel_centers,
            };
            (BuiltinOptions::ResizeBilinear, fb::ResizeBilinearOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::Resize { align_corners, half_pixel_centers } => {
            let args = fb::ResizeNearestNeighborOptionsArgs {
                align_corners: *align_corners,
                half_pixel_centers: *half_pixel_centers,
            };
            (
                BuiltinOptions::ResizeNearestNeighbor,
                fb::ResizeNearestNeighborOptions::create(fbb, &args).as_union_value(),
            )
        }
        OpOptions::Cast { from, to } => {
            let args = fb::CastOptionsArgs { in_data_type: from.number(), out_data_type: to.number() };
            (BuiltinOptions::Cast, fb::CastOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::LocalResponseNormalization { radius } => {
            let args = fb::LocalResponseNormalizationOptionsArgs { radius: *radius };
            (
                BuiltinOptions::LocalResponseNormalization,
                fb::LocalResponseNormalizationOptions::create(fbb, &args).as_union_value(),
            )
        }
        OpOptions::SparseToDense { validate_indices } => {
            let args = fb::SparseToDenseOptionsArgs { validate_indices: *validate_indices };
            (BuiltinOptions::SparseToDense, fb::SparseToDenseOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::FakeQuant { num_bits, narrow_range } => {
            let args = fb::FakeQuantOptionsArgs { num_bits: *num_bits, narrow_range: *narrow_range };
            (BuiltinOptions::FakeQuant, fb::FakeQuantOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::LeakyRelu { alpha } => {
            let args = fb::LeakyReluOptionsArgs { alpha: *alpha };
            (BuiltinOptions::LeakyRelu, fb::LeakyReluOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::MirrorPad { mode } => {
            let args = fb::MirrorPadOptionsArgs { mode: *mode };
            (BuiltinOptions::MirrorPad, fb::MirrorPadOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::Unique { idx_out_type } => {
            let args = fb::UniqueOptionsArgs { idx_out_type: idx_out_type.number() };
            (BuiltinOptions::Unique, fb::UniqueOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::ReverseSequence { seq_dim, batch_dim } => {
            let args = fb::ReverseSequenceOptionsArgs { seq_dim: *seq_dim, batch_dim: *batch_dim };
            (BuiltinOptions::ReverseSequence, fb::ReverseSequenceOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::Cumsum { exclusive, reverse } => {
            let args = fb::CumsumOptionsArgs { exclusive: *exclusive, reverse: *reverse };
            (BuiltinOptions::Cumsum, fb::CumsumOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::Gelu { approximate } => {
            let args = fb::GeluOptionsArgs { approximate: *approximate };
            (BuiltinOptions::Gelu, fb::GeluOptions::create(fbb, &args).as_union_value())
        }
        _ => return None,
    };
    Some(encoded)
}

/// Lookups, resources and random numbers.
fn rare(fbb: &mut Builder, options: &OpOptions) -> Option<(BuiltinOptions, Union)> {
    let encoded = match options {
        OpOptions::ConcatEmbeddings { num_channels, columns_per_channel, dims_per_channel } => {
            let args = fb::ConcatEmbeddingsOptionsArgs {
                num_channels: *num_channels,
                columns_per_channel: numbers(fbb, columns_per_channel),
                dims_per_channel: numbers(fbb, dims_per_channel),
            };
            (BuiltinOptions::ConcatEmbeddings, fb::ConcatEmbeddingsOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::LshProjection { kind } => {
            let args = fb::LshProjectionOptionsArgs { kind: *kind };
            (BuiltinOptions::LshProjection, fb::LshProjectionOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::SkipGram { ngram_size, max_skip_size, include_all_ngrams } => {
            let args = fb::SkipGramOptionsArgs {
                ngram_size: *ngram_size,
                max_skip_size: *max_skip_size,
                include_all_ngrams: *include_all_ngrams,
            };
            (BuiltinOptions::SkipGram, fb::SkipGramOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::EmbeddingLookupSparse { combiner } => {
            let args = fb::EmbeddingLookupSparseOptionsArgs { combiner: *combiner };
            (
                BuiltinOptions::EmbeddingLookupSparse,
                fb::EmbeddingLookupSparseOptions::create(fbb, &args).as_union_value(),
            )
        }
        OpOptions::Hashtable { table_id, key_dtype, value_dtype } => {
            let args = fb::HashtableOptionsArgs {
                table_id: *table_id,
                key_dtype: key_dtype.number(),
                value_dtype: value_dtype.number(),
            };
            (BuiltinOptions::Hashtable, fb::HashtableOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::VarHandle { container, shared_name } => {
            let args =
                fb::VarHandleOptionsArgs { container: text(fbb, container), shared_name: text(fbb, shared_name) };
            (BuiltinOptions::VarHandle, fb::VarHandleOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::Random { seed, seed2 } => {
            let args = fb::RandomOptionsArgs { seed: *seed, seed2: *seed2 };
            (BuiltinOptions::Random, fb::RandomOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::Bucketize { boundaries } => {
            let args = fb::BucketizeOptionsArgs { boundaries: numbers(fbb, &vec![0_f32; *boundaries as usize]) };
            (BuiltinOptions::Bucketize, fb::BucketizeOptions::create(fbb, &args).as_union_value())
        }
        _ => return None,
    };
    Some(encoded)
}

/// Operators that run other subgraphs.
fn control_flow(fbb: &mut Builder, builtin: BuiltinOp, options: &OpOptions) -> Option<(BuiltinOptions, Union)> {
    let encoded = match options {
        OpOptions::If { then_subgraph, else_subgraph } => {
            let args = fb::IfOptionsArgs {
                then_subgraph_index: index(*then_subgraph),
                else_subgraph_index: index(*else_subgraph),
            };
            (BuiltinOptions::If, fb::IfOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::While { cond_subgraph, body_subgraph } if builtin != BuiltinOp::STABLEHLO_WHILE => {
            let args = fb::WhileOptionsArgs {
                cond_subgraph_index: index(*cond_subgraph),
                body_subgraph_index: index(*body_subgraph),
            };
            (BuiltinOptions::While, fb::WhileOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::CallOnce { init_subgraph } => {
            let args = fb::CallOnceOptionsArgs { init_subgraph_index: index(*init_subgraph) };
            (BuiltinOptions::CallOnce, fb::CallOnceOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::Call { subgraph } => {
            let args = fb::CallOptionsArgs { subgraph: *subgraph };
            (BuiltinOptions::Call, fb::CallOptions::create(fbb, &args).as_union_value())
        }
        _ => return None,
    };
    Some(encoded)
}

/// Which union member an element-wise operator has.
fn arithmetic(builtin: BuiltinOp) -> BuiltinOptions {
    match builtin {
        BuiltinOp::SUB => BuiltinOptions::Sub,
        BuiltinOp::MUL => BuiltinOptions::Mul,
        BuiltinOp::DIV => BuiltinOptions::Div,
        BuiltinOp::L2_NORMALIZATION => BuiltinOptions::L2Norm,
        _ => BuiltinOptions::Add,
    }
}

pub(super) fn padding_number(padding: Padding) -> i8 {
    match padding {
        Padding::Same => 0,
        Padding::Valid => 1,
    }
}

pub(super) fn number(activation: Activation) -> i8 {
    match activation {
        Activation::None => 0,
        Activation::Relu => 1,
        Activation::ReluN1To1 => 2,
        Activation::Relu6 => 3,
        Activation::Tanh => 4,
        Activation::SignBit => 5,
        Activation::Unknown(number) => number,
    }
}

pub(super) fn index(graph: SubgraphId) -> i32 {
    i32::try_from(graph.0).unwrap_or(i32::MAX)
}
