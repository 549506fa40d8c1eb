//! Fully connected layers, matrix products, recurrent layers and softmax.

use super::super::machine::{Check, Stop, ensure, product};
use super::super::node::{Node, View};
use super::super::tables::Structs;
use super::super::types;
use super::checks::{HYBRID, one_of, required, same_type};
use super::cmsis;
use super::conv::{target, unpacked};
use crate::model::{DataType, OpOptions};

/// `FULLY_CONNECTED`.
pub(super) fn fully_connected(node: &mut Node<'_, '_>, views: &[Option<View<'_>>]) -> Check {
    let view = |index: usize| views.get(index).and_then(Option::as_ref);
    let (Some(input), Some(filter), Some(output)) = (view(0), view(1), view(3)) else {
        return Err(Stop::new("a tensor is missing"));
    };
    same_type(&[input, output])?;
    if node.is_reference() {
        reference_weights(input.dtype(), filter.dtype())?;
        unpacked(node, filter, filter.dtype() == DataType::Int4)?;
    } else {
        let fits = matches!(
            (input.dtype(), filter.dtype()),
            (DataType::Float32, DataType::Float32)
                | (DataType::Int16, DataType::Int8)
                | (DataType::Int8, DataType::Int8 | DataType::Int4)
        );
        if !matches!(input.dtype(), DataType::Float32 | DataType::Int16 | DataType::Int8) {
            let reason = format!("inputs of type {:?} are not supported", input.dtype());
            return Err(Stop::says(reason, "Input data type not supported"));
        }
        if !fits {
            let reason = format!("input is {:?}, but the weights are {:?}", input.dtype(), filter.dtype());
            return Err(Stop::says(reason, HYBRID));
        }
    }
    let per_channel = input.dtype() != DataType::Float32 && filter.scales() > 1;
    if per_channel {
        per_channel_data(node, input, filter)?;
    }
    if node.is_reference() {
        return Ok(());
    }
    ensure(!per_channel || input.dtype() == DataType::Int8, "scales per channel need an 8-bit input")?;
    fully_connected_cmsis(node, per_channel, view(2), [input, filter, output])
}

fn reference_weights(input: DataType, filter: DataType) -> Check {
    let fits = match input {
        DataType::Float32 => filter == DataType::Float32,
        DataType::Int8 => matches!(filter, DataType::Int8 | DataType::Int4),
        DataType::Int16 => filter == DataType::Int8,
        _ => true,
    };
    if fits {
        return Ok(());
    }
    let (input, filter) = (types::name(input), types::name(filter));
    let line = format!("Input type: {input} with filter type: {filter} not supported.");
    Err(Stop::says(format!("input is {input}, but the weights are {filter}"), line))
}

fn per_channel_data(node: &mut Node<'_, '_>, input: &View<'_>, filter: &View<'_>) -> Check {
    let fits = matches!(input.dtype(), DataType::Int8 | DataType::Int16) && filter.dtype() != DataType::Int4;
    ensure(fits, "scales per channel are not supported for these types")?;
    let dimension = filter.tensor.quantization.as_ref().map_or(0, |quantization| quantization.dimension);
    let channels = filter.len(usize::try_from(dimension).unwrap_or(usize::MAX))?;
    ensure(channels == filter.scales(), "the weights have not one scale per channel")?;
    node.persistent_array("multiplier per channel", channels, 4)?;
    node.persistent_array("shift per channel", channels, 4)
}

fn fully_connected_cmsis(
    node: &mut Node<'_, '_>,
    per_channel: bool,
    bias: Option<&View<'_>>,
    [input, filter, output]: [&View<'_>; 3],
) -> Check {
    let last = |view: &View<'_>| view.rank().checked_sub(1).map_or(Ok(1), |index| view.len(index));
    let (depth, outputs) = (last(filter)?, last(output)?);
    if input.dtype() != DataType::Int8 || filter.dtype() == DataType::Int4 {
        return Ok(());
    }
    let target = target(node);
    let mut bytes;
    if output.rank() > 2 && depth % 4 == 0 {
        if !per_channel {
            node.scratch("multiplier and shift per channel", product(&[8, outputs])?)?;
        }
        bytes = cmsis::convolve_1x1_s8(target, depth)?;
    } else {
        bytes = cmsis::fully_connected_s8(target, outputs)?;
        let constant = filter.constant && bias.is_none_or(|bias| bias.constant);
        if bytes > 0 && constant && !node.machine.options.build.for_size {
            node.persistent("sums of the weights", bytes);
            bytes = 0;
        }
    }
    if bytes > 0 { node.scratch("sums of the weights", bytes) } else { Ok(()) }
}

/// A transposed copy of one operand: its struct, its dims, its data.
fn transposed(node: &mut Node<'_, '_>, view: &View<'_>) -> Check {
    let bytes = types::bytes(view.dtype(), &view.dims).ok_or_else(|| Stop::new("an operand has no size"))?;
    let eval_tensor = node.machine.structs.eval_tensor;
    node.persistent("struct of a transposed operand", eval_tensor);
    node.persistent("dims of a transposed operand", Structs::int_array(view.rank() as u64));
    node.persistent("transposed operand", bytes);
    Ok(())
}

/// Dims of a matrix product, or `None` when the operands do not fit.
fn product_dims(left: &[i32], right: &[i32], adjoint: [bool; 2]) -> Option<Vec<i32>> {
    let rank = left.len().max(right.len());
    let extended = |dims: &[i32]| {
        let mut extended = vec![1; rank - dims.len()];
        extended.extend_from_slice(dims);
        extended
    };
    let (left, right) = (extended(left), extended(right));
    let (row, column) = (rank - 2, rank - 1);
    let mut dims = Vec::with_capacity(rank);
    for (left, right) in left.iter().zip(&right).take(rank - 2) {
        if left != right && *left != 1 && *right != 1 {
            return None;
        }
        dims.push(if *left == 1 { *right } else { *left });
    }
    let inner = if adjoint[0] { left[row] } else { left[column] };
    let other = if adjoint[1] { right[column] } else { right[row] };
    dims.push(if adjoint[0] { left[column] } else { left[row] });
    dims.push(if adjoint[1] { right[row] } else { right[column] });
    (inner == other).then_some(dims)
}

/// `BATCH_MATMUL`.
pub(super) fn batch_matmul(node: &mut Node<'_, '_>, views: &[Option<View<'_>>]) -> Check {
    let [left, right, output] = required(views)?;
    same_type(&[left, right, output])?;
    one_of(left, &[DataType::Float32, DataType::Int8, DataType::Int16])?;
    let most = if node.is_reference() { 5 } else { 4 };
    let ranks = [left.rank(), right.rank()];
    ensure(ranks.iter().all(|rank| (2..=most).contains(rank)), "an operand has too few or too many dims")?;
    let adjoint = match *node.options() {
        OpOptions::BatchMatMul { adj_x, adj_y, .. } => [adj_x, adj_y],
        _ => [false, false],
    };
    let quantized = left.dtype() != DataType::Float32;
    if quantized && node.is_reference() {
        node.persistent("quantisation of the product", 28);
    }
    if adjoint[0] {
        transposed(node, left)?;
    }
    if !adjoint[1] {
        transposed(node, right)?;
    }
    let dims = product_dims(&left.dims, &right.dims, adjoint).ok_or_else(|| Stop::new("the operands do not fit"))?;
    ensure(dims.len() <= output.rank(), "the output has fewer dims than the product")?;
    let elements = types::elements(&dims);
    let last = dims.last().copied().unwrap_or(0);
    node.rewrite_dims(output, dims);
    ensure(elements == Some(output.elements()?), "the output has another number of elements than the product")?;
    if quantized && !node.is_reference() {
        node.persistent("quantisation of the product", 28);
        if left.dtype() == DataType::Int8 {
            let bytes = cmsis::fully_connected_s8(target(node), u64::try_from(last).unwrap_or(0))?;
            if bytes > 0 {
                node.scratch("sums of an operand", bytes)?;
            }
        }
    }
    Ok(())
}

/// `SVDF`.
pub(super) fn svdf(node: &mut Node<'_, '_>, views: &[Option<View<'_>>]) -> Check {
    let view = |index: usize| views.get(index).and_then(Option::as_ref);
    let (Some(input), Some(features), Some(time), Some(state), Some(output)) =
        (view(0), view(1), view(2), view(4), view(5))
    else {
        return Err(Stop::new("a tensor is missing"));
    };
    let rank = match *node.options() {
        OpOptions::Svdf { rank, .. } => u64::try_from(rank).unwrap_or(0),
        _ => 0,
    };
    if rank == 0 {
        return Err(Stop::crash("the rank is 0"));
    }
    let (batches, filters) = (input.len(0)?, features.len(0)?);
    ensure(filters % rank == 0, "the filters are no multiple of the rank")?;
    let units = filters / rank;
    one_of(input, &[DataType::Float32, DataType::Int8])?;
    ensure([input, features, time, state, output].iter().all(|view| view.rank() == 2), "a tensor has not two dims")?;
    ensure(output.len(0)? == batches && output.len(1)? == units, "the output's shape does not fit")?;
    ensure(features.len(1)? == input.len(1)? && time.len(0)? == filters, "the weights' shapes do not fit")?;
    ensure(
        state.len(0)? == batches && state.len(1)? == product(&[time.len(1)?, filters])?,
        "the state's shape does not fit",
    )?;
    ensure(state.tensor.is_variable, "the state is no variable")?;
    ensure(node.op.inputs.len() == 5, "it has not five inputs")?;
    same_type(&[input, features])?;
    same_type(&[input, output])?;
    node.scratch("products per filter", product(&[4, batches, filters])?)?;
    if input.dtype() == DataType::Float32 {
        return same_type(&[input, time, state]);
    }
    one_of(time, &[DataType::Int16, DataType::Int8])?;
    one_of(state, &[DataType::Int16, DataType::Int8])?;
    if view(3).is_none() {
        return Err(Stop::crash("an 8-bit SVDF without bias"));
    }
    node.scratch("sums per unit", product(&[4, batches, units])?)?;
    let bytes = cmsis::svdf_s8(target(node), filters)?;
    if bytes > 0 {
        ensure(features.constant, "the weights are no constant")?;
        if node.machine.options.build.for_size {
            node.scratch("sums of the weights", bytes)?;
        } else {
            node.persistent("sums of the weights", bytes);
        }
    }
    Ok(())
}

/// The inputs that an LSTM must not have: peepholes, projection, layer norm.
const LSTM_ABSENT: &[usize] = &[9, 10, 11, 16, 17, 20, 21, 22, 23];

/// `UNIDIRECTIONAL_SEQUENCE_LSTM`.
pub(super) fn lstm(node: &mut Node<'_, '_>) -> Check {
    let mut views = Vec::with_capacity(24);
    for index in 0..24 {
        views.push(node.maybe_input(index)?);
    }
    let output = node.output(0)?;
    if let Some(index) = LSTM_ABSENT.iter().find(|index| views[**index].is_some()) {
        return Err(Stop::new(format!("input {index} (peephole, projection or layer norm) is not supported")));
    }
    let present = |index: usize| views[index].as_ref().ok_or_else(|| Stop::new(format!("input {index} is missing")));
    for index in (0..9).chain(12..16).chain(18..20) {
        present(index)?;
    }
    let (input, hidden, cell) = (present(0)?, present(18)?, present(19)?);
    ensure(hidden.tensor.is_variable && cell.tensor.is_variable, "a state is no variable")?;
    same_type(&[input, hidden, &output])?;
    let time_major = matches!(node.options(), OpOptions::UnidirectionalSequenceLstm { time_major: true, .. });
    ensure(input.rank() == 3 && output.rank() == 3 && hidden.rank() == 2, "a tensor has a wrong number of dims")?;
    let batches = input.len(usize::from(time_major))?;
    let width = hidden.len(1)?;
    let weights = |index: usize, columns: u64| {
        let view = present(index)?;
        let fits = view.rank() == 2 && view.len(0)? == width && view.len(1)? == columns;
        ensure(fits, "a weight's shape does not fit")
    };
    for index in 1..9 {
        weights(index, if index < 5 { input.len(2)? } else { width })?;
        ensure(node.is_reference() || present(index)?.constant, "a weight is no constant")?;
    }
    for index in 12..16 {
        let bias = present(index)?;
        ensure(bias.rank() == 1 && bias.len(0)? == width, "a bias' shape does not fit")?;
        ensure(node.is_reference() || bias.constant, "a bias is no constant")?;
    }
    let cells = product(&[batches, width])?;
    ensure(hidden.elements()? == cells && cell.elements()? == cells, "a state's shape does not fit")?;
    ensure(output.len(2)? == width && output.dims[..2] == input.dims[..2], "the output's shape does not fit")?;
    if !matches!(cell.dtype(), DataType::Float32 | DataType::Int16) {
        let name = types::name(cell.dtype());
        return Err(Stop::says(
            format!("a cell state of type {name} is not supported"),
            format!("Cell state type {name} not supported."),
        ));
    }
    let (activation, cell_type) = (input.dtype(), cell.dtype());
    let mut buffers = 4;
    if !node.is_reference() && cell_type == DataType::Int16 && matches!(activation, DataType::Int8 | DataType::Int16) {
        buffers = 3;
        let element = if activation == DataType::Int8 { 4 } else { 8 };
        for _ in 0..8 {
            node.persistent_array("sums of a gate's weights", width, element)?;
        }
    }
    let element = types::element_bytes(cell_type).unwrap_or(0);
    for _ in 0..buffers {
        node.scratch("one gate", product(&[cells, element])?)?;
    }
    Ok(())
}

/// `SOFTMAX`: 16-bit input needs two tables.
pub(super) fn softmax(node: &mut Node<'_, '_>, views: &[Option<View<'_>>]) -> Check {
    let [input, output] = required(views)?;
    ensure(input.rank() >= 1, "the input is a scalar")?;
    let (from, to) = (input.dtype(), output.dtype());
    if !node.is_reference() {
        ensure(from == to || (from, to) == (DataType::Int8, DataType::Int16), "input and output have different types")?;
    }
    if from == DataType::Int16 {
        node.persistent("table of exponentials", 2 * 513);
        node.persistent("table of reciprocals", 2 * 513);
    }
    let near = |scale: f32, wanted: f32| (scale - wanted).abs() <= 0.001 * wanted;
    match (from, to) {
        (DataType::Float32, DataType::Float32) => Ok(()),
        (DataType::Int8, DataType::Int8) => {
            let fits = output.zero_point() == -128 && output.scale().to_bits() == (1.0_f32 / 256.0).to_bits();
            ensure(fits, "the output's scale is not 1/256 or its zero point not -128")
        }
        (DataType::Int8, DataType::Int16) => {
            let fits = output.zero_point() == -32768 && near(output.scale(), 1.0 / 65536.0);
            ensure(fits, "the output's scale is not 1/65536 or its zero point not -32768")
        }
        (DataType::Int16, DataType::Int16) => {
            let zero = input.zero_point() == 0 && output.zero_point() == 0;
            ensure(
                zero && near(output.scale(), 1.0 / 32768.0),
                "the output's scale is not 1/32768 or a zero point not 0",
            )
        }
        _ => Err(Stop::new(format!("from {} to {} is not supported", types::name(from), types::name(to)))),
    }
}
