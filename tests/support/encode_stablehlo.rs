//! Options tables of the StableHLO operators.

use arenascope::model::{BuiltinOp, OpOptions};
use arenascope::schema::{self as fb, BuiltinOptions2};

use super::encode::{Builder, numbers, text};
use super::encode_options::{Union, index};

/// StableHLO operators whose options decide their output's shape.
pub(super) fn shaped(fbb: &mut Builder, options: &OpOptions) -> Option<(BuiltinOptions2, Union)> {
    let encoded = match options {
        OpOptions::StablehloConcatenate { dimension } => {
            let args = fb::StablehloConcatenateOptionsArgs { dimension: *dimension };
            (BuiltinOptions2::Concatenate, fb::StablehloConcatenateOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::StablehloBroadcastInDim { broadcast_dimensions } => {
            let args =
                fb::StablehloBroadcastInDimOptionsArgs { broadcast_dimensions: numbers(fbb, broadcast_dimensions) };
            (BuiltinOptions2::BroadcastInDim, fb::StablehloBroadcastInDimOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::StablehloSlice { start_indices, limit_indices, strides } => {
            let args = fb::StablehloSliceOptionsArgs {
                start_indices: numbers(fbb, start_indices),
                limit_indices: numbers(fbb, limit_indices),
                strides: numbers(fbb, strides),
            };
            (BuiltinOptions2::Slice, fb::StablehloSliceOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::StablehloDynamicSlice { slice_sizes } => {
            let args = fb::StablehloDynamicSliceOptionsArgs { slice_sizes: numbers(fbb, slice_sizes) };
            (BuiltinOptions2::DynamicSlice, fb::StablehloDynamicSliceOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::StablehloPad { edge_padding_low, edge_padding_high, interior_padding } => {
            let args = fb::StablehloPadOptionsArgs {
                edge_padding_low: numbers(fbb, edge_padding_low),
                edge_padding_high: numbers(fbb, edge_padding_high),
                interior_padding: numbers(fbb, interior_padding),
            };
            (BuiltinOptions2::Pad, fb::StablehloPadOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::StablehloIota { iota_dimension } => {
            let args = fb::StablehloIotaOptionsArgs { iota_dimension: *iota_dimension };
            (BuiltinOptions2::Iota, fb::StablehloIotaOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::StablehloGather {
            offset_dims,
            collapsed_slice_dims,
            start_index_map,
            index_vector_dim,
            slice_sizes,
        } => {
            let args = fb::StablehloGatherOptionsArgs {
                offset_dims: numbers(fbb, offset_dims),
                collapsed_slice_dims: numbers(fbb, collapsed_slice_dims),
                start_index_map: numbers(fbb, start_index_map),
                index_vector_dim: *index_vector_dim,
                slice_sizes: numbers(fbb, slice_sizes),
            };
            (BuiltinOptions2::Gather, fb::StablehloGatherOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::StablehloTranspose { permutation } => {
            let args = fb::StablehloTransposeOptionsArgs { permutation: numbers(fbb, permutation) };
            (BuiltinOptions2::Transpose, fb::StablehloTransposeOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::StablehloDotGeneral { lhs_batching, rhs_batching, lhs_contracting, rhs_contracting } => {
            let args = fb::StablehloDotGeneralOptionsArgs {
                lhs_batching_dimensions: numbers(fbb, lhs_batching),
                rhs_batching_dimensions: numbers(fbb, rhs_batching),
                lhs_contracting_dimensions: numbers(fbb, lhs_contracting),
                rhs_contracting_dimensions: numbers(fbb, rhs_contracting),
            };
            (BuiltinOptions2::DotGeneral, fb::StablehloDotGeneralOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::StablehloRngBitGenerator { algorithm } => {
            let args = fb::StablehloRngBitGeneratorOptionsArgs { algorithm: *algorithm };
            (BuiltinOptions2::RngBitGenerator, fb::StablehloRngBitGeneratorOptions::create(fbb, &args).as_union_value())
        }
        _ => return None,
    };
    Some(encoded)
}

/// StableHLO operators that run other subgraphs.
pub(super) fn calls(fbb: &mut Builder, builtin: BuiltinOp, options: &OpOptions) -> Option<(BuiltinOptions2, Union)> {
    let encoded = match options {
        OpOptions::While { cond_subgraph, body_subgraph } if builtin == BuiltinOp::STABLEHLO_WHILE => {
            let args = fb::WhileOptionsArgs {
                cond_subgraph_index: index(*cond_subgraph),
                body_subgraph_index: index(*body_subgraph),
            };
            (BuiltinOptions2::While, fb::WhileOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::StablehloReduceWindow {
            window_dimensions,
            window_strides,
            base_dilations,
            window_dilations,
            padding,
            body_subgraph,
        } => {
            let args = fb::StablehloReduceWindowOptionsArgs {
                window_dimensions: numbers(fbb, window_dimensions),
                window_strides: numbers(fbb, window_strides),
                base_dilations: numbers(fbb, base_dilations),
                window_dilations: numbers(fbb, window_dilations),
                padding: numbers(fbb, padding),
                body_subgraph_index: index(*body_subgraph),
            };
            (BuiltinOptions2::ReduceWindow, fb::StablehloReduceWindowOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::StablehloReduce { dimensions, body_subgraph } => {
            let args = fb::StablehloReduceOptionsArgs {
                dimensions: numbers(fbb, dimensions),
                body_subgraph_index: index(*body_subgraph),
            };
            (BuiltinOptions2::Reduce, fb::StablehloReduceOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::StablehloScatter { update_computation_subgraph } => {
            let args = fb::StablehloScatterOptionsArgs {
                update_computation_subgraph_index: index(*update_computation_subgraph),
            };
            (BuiltinOptions2::Scatter, fb::StablehloScatterOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::StablehloSort { dimension, comparator_subgraph } => {
            let args = fb::StablehloSortOptionsArgs {
                dimension: *dimension,
                comparator_subgraph_index: index(*comparator_subgraph),
            };
            (BuiltinOptions2::Sort, fb::StablehloSortOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::StablehloComposite { name, decomposition_subgraph } => {
            let args = fb::StablehloCompositeOptionsArgs {
                name: text(fbb, name),
                decomposition_subgraph_index: index(*decomposition_subgraph),
            };
            (BuiltinOptions2::Composite, fb::StablehloCompositeOptions::create(fbb, &args).as_union_value())
        }
        OpOptions::StablehloCase { branches } => {
            let args = fb::StablehloCaseOptionsArgs {
                branch_subgraph_indices: numbers(fbb, &branches.iter().map(|graph| index(*graph)).collect::<Vec<_>>()),
            };
            (BuiltinOptions2::Case, fb::StablehloCaseOptions::create(fbb, &args).as_union_value())
        }
        _ => return None,
    };
    Some(encoded)
}
