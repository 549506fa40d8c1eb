//! Turns the options tables of StableHLO operators into [`OpOptions`]. Subgraphs that they name are checked.

use crate::error::Result;
use crate::model::OpOptions;
use crate::model::read::{Reader, elements};
use crate::model::read_options::{longs, subgraph, while_options};
use crate::schema::{BuiltinOptions2, Operator};

/// The last number of the union in the format, members without a field that matters included.
const LAST_KNOWN: u8 = 23;

/// The options of one operator, from the second union.
pub(super) fn options(reader: &mut Reader<'_>, subgraphs: usize, op: Operator<'_>) -> Result<OpOptions> {
    let BuiltinOptions2(number) = op.builtin_options_2_type();
    if number > LAST_KNOWN {
        return Ok(OpOptions::Unknown { union_type: number });
    }
    match shaped(op) {
        Some(options) => Ok(options),
        None => Ok(calling(reader, subgraphs, op)?.unwrap_or(OpOptions::None)),
    }
}

/// Operators whose options decide their output's shape.
fn shaped(op: Operator<'_>) -> Option<OpOptions> {
    match op.builtin_options_2_type() {
        BuiltinOptions2::Concatenate => op
            .builtin_options_2_as_concatenate()
            .map(|table| OpOptions::StablehloConcatenate { dimension: table.dimension() }),
        BuiltinOptions2::BroadcastInDim => op.builtin_options_2_as_broadcast_in_dim().map(|table| {
            OpOptions::StablehloBroadcastInDim { broadcast_dimensions: longs(table.broadcast_dimensions()) }
        }),
        BuiltinOptions2::Slice => op.builtin_options_2_as_slice().map(|table| OpOptions::StablehloSlice {
            start_indices: longs(table.start_indices()),
            limit_indices: longs(table.limit_indices()),
            strides: longs(table.strides()),
        }),
        BuiltinOptions2::DynamicSlice => op
            .builtin_options_2_as_dynamic_slice()
            .map(|table| OpOptions::StablehloDynamicSlice { slice_sizes: longs(table.slice_sizes()) }),
        BuiltinOptions2::Pad => op.builtin_options_2_as_pad().map(|table| OpOptions::StablehloPad {
            edge_padding_low: longs(table.edge_padding_low()),
            edge_padding_high: longs(table.edge_padding_high()),
            interior_padding: longs(table.interior_padding()),
        }),
        BuiltinOptions2::Iota => op
            .builtin_options_2_as_iota()
            .map(|table| OpOptions::StablehloIota { iota_dimension: table.iota_dimension() }),
        BuiltinOptions2::DotGeneral => {
            op.builtin_options_2_as_dot_general().map(|table| OpOptions::StablehloDotGeneral {
                lhs_batching: longs(table.lhs_batching_dimensions()),
                rhs_batching: longs(table.rhs_batching_dimensions()),
                lhs_contracting: longs(table.lhs_contracting_dimensions()),
                rhs_contracting: longs(table.rhs_contracting_dimensions()),
            })
        }
        BuiltinOptions2::Gather => op.builtin_options_2_as_gather().map(|table| OpOptions::StablehloGather {
            offset_dims: longs(table.offset_dims()),
            collapsed_slice_dims: longs(table.collapsed_slice_dims()),
            start_index_map: longs(table.start_index_map()),
            index_vector_dim: table.index_vector_dim(),
            slice_sizes: longs(table.slice_sizes()),
        }),
        BuiltinOptions2::Transpose => op
            .builtin_options_2_as_transpose()
            .map(|table| OpOptions::StablehloTranspose { permutation: longs(table.permutation()) }),
        BuiltinOptions2::RngBitGenerator => op
            .builtin_options_2_as_rng_bit_generator()
            .map(|table| OpOptions::StablehloRngBitGenerator { algorithm: table.algorithm() }),
        _ => None,
    }
}

/// Operators that run other subgraphs.
fn calling(reader: &mut Reader<'_>, subgraphs: usize, op: Operator<'_>) -> Result<Option<OpOptions>> {
    let options = if let Some(table) = op.builtin_options_2_as_while() {
        while_options(subgraphs, table)?
    } else if let Some(table) = op.builtin_options_2_as_reduce() {
        OpOptions::StablehloReduce {
            dimensions: longs(table.dimensions()),
            body_subgraph: subgraph(subgraphs, table.body_subgraph_index(), &table._tab, "body_subgraph_index")?,
        }
    } else if let Some(table) = op.builtin_options_2_as_reduce_window() {
        OpOptions::StablehloReduceWindow {
            window_dimensions: longs(table.window_dimensions()),
            window_strides: longs(table.window_strides()),
            base_dilations: longs(table.base_dilations()),
            window_dilations: longs(table.window_dilations()),
            padding: longs(table.padding()),
            body_subgraph: subgraph(subgraphs, table.body_subgraph_index(), &table._tab, "body_subgraph_index")?,
        }
    } else if let Some(table) = op.builtin_options_2_as_scatter() {
        let index = table.update_computation_subgraph_index();
        OpOptions::StablehloScatter {
            update_computation_subgraph: subgraph(subgraphs, index, &table._tab, "update_computation_subgraph_index")?,
        }
    } else if let Some(table) = op.builtin_options_2_as_sort() {
        let index = table.comparator_subgraph_index();
        OpOptions::StablehloSort {
            dimension: table.dimension(),
            comparator_subgraph: subgraph(subgraphs, index, &table._tab, "comparator_subgraph_index")?,
        }
    } else if let Some(table) = op.builtin_options_2_as_composite() {
        let index = table.decomposition_subgraph_index();
        OpOptions::StablehloComposite {
            name: reader.text(table.name(), "builtin_options_2.name"),
            decomposition_subgraph: subgraph(subgraphs, index, &table._tab, "decomposition_subgraph_index")?,
        }
    } else if let Some(table) = op.builtin_options_2_as_case() {
        let branches = elements(table.branch_subgraph_indices())
            .map(|index| subgraph(subgraphs, index, &table._tab, "branch_subgraph_indices"))
            .collect::<Result<_>>()?;
        OpOptions::StablehloCase { branches }
    } else {
        return Ok(None);
    };
    Ok(Some(options))
}
