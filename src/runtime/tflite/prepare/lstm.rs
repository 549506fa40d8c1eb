//! The `LSTM` family (`lstm.cc`, `unidirectional_sequence_lstm.cc`, `bidirectional_sequence_lstm.cc`).

use super::super::graph::Class;
use super::convolution::is_hybrid;
use super::recurrent::{HYBRID_WEIGHTS, Temporary, set_up_all};
use super::{Context, Kernel};
use crate::error::{Result, Warning};
use crate::model::{BuiltinOp, DataType, OpOptions};
use crate::units::TensorId;

/// The kernels of this family.
pub(super) const KERNELS: &[Kernel] = &[
    Kernel::new(BuiltinOp::LSTM, lstm).added_at_load_by(lstm_tensors),
    Kernel::new(BuiltinOp::UNIDIRECTIONAL_SEQUENCE_LSTM, sequence_lstm).added_at_load(12),
    Kernel::new(BuiltinOp::BIDIRECTIONAL_SEQUENCE_LSTM, bidirectional_lstm).added_at_load(19),
];

/// Inputs of the full kernels.
mod full {
    pub(super) const INPUT_TO_INPUT: usize = 1;
    pub(super) const INPUT_TO_OUTPUT: usize = 4;
    pub(super) const RECURRENT_TO_OUTPUT: usize = 8;
    pub(super) const PROJECTION: usize = 16;
    pub(super) const OUTPUT_STATE: usize = 18;
    pub(super) const CELL_STATE: usize = 19;
}

/// Inputs of the bidirectional kernel.
mod both {
    pub(super) const FORWARD: Direction = Direction {
        input_to_input: 1,
        input_to_output: 4,
        recurrent_to_output: 8,
        projection: 16,
        activation_state: 35,
        cell_state: 36,
        aux_to_output: 43,
    };
    pub(super) const BACKWARD: Direction = Direction {
        input_to_input: 18,
        input_to_output: 21,
        recurrent_to_output: 25,
        projection: 33,
        activation_state: 37,
        cell_state: 38,
        aux_to_output: 47,
    };
    pub(super) const AUX_INPUT: usize = 39;
    pub(super) const FORWARD_AUX_TO_FORGET: usize = 41;

    pub(super) struct Direction {
        pub(super) input_to_input: usize,
        pub(super) input_to_output: usize,
        pub(super) recurrent_to_output: usize,
        pub(super) projection: usize,
        pub(super) activation_state: usize,
        pub(super) cell_state: usize,
        pub(super) aux_to_output: usize,
    }
}

/// `kernel_type` of the kernel that needs no temporaries.
const BASIC: i8 = 1;
/// What the sequence kernels add to the width of their gates' buffer, for overlapping reads.
const GATE_PADDING: i32 = 16;

/// What decides the sizes of one direction.
#[derive(Clone, Copy)]
struct Cell {
    batches: i32,
    cells: i32,
    outputs: i32,
    /// Input and forget gate are coupled: no weights for the input gate.
    coupled: bool,
    projected: bool,
}

impl Cell {
    /// Width of the gates' buffer.
    fn gates(self, context: &Context<'_, '_>) -> Result<i32> {
        context.product(&[self.cells, if self.coupled { 4 } else { 5 }])
    }

    /// Rows of the sums of weights.
    fn row_sums(self, extra: i32) -> i32 {
        let rows = if self.coupled { 6 } else { 8 } + extra;
        let projection = if self.cells > 0 { self.outputs.saturating_add(self.cells - 1) / self.cells } else { 0 };
        if self.projected { rows.saturating_add(projection) } else { rows }
    }
}

/// The full kernel adds 12 tensors and 9 for sparse weights, the basic one none.
fn lstm_tensors(options: &OpOptions) -> u32 {
    match options {
        OpOptions::Lstm { kernel_type: BASIC, .. } => 0,
        _ => 21,
    }
}

fn lstm(context: &mut Context<'_, '_>) -> Result<()> {
    if let OpOptions::Lstm { kernel_type: BASIC, .. } = context.options() {
        return basic_lstm(context);
    }
    let input = context.input(0)?;
    let batches = context.dim(input, 0)?;
    let cell = full_cell(context, batches)?;
    let output = context.output(0)?;
    context.resize(output, vec![batches, cell.outputs])?;
    let gates = cell.gates(context)?;
    full_temporaries(context, input, cell, gates)
}

fn sequence_lstm(context: &mut Context<'_, '_>) -> Result<()> {
    let OpOptions::UnidirectionalSequenceLstm { time_major, .. } = *context.options() else {
        return Err(context.refuse("the options are missing"));
    };
    let input = context.input(0)?;
    let batches = context.dim(input, usize::from(time_major))?;
    let cell = full_cell(context, batches)?;
    let output = context.output(0)?;
    let mut dims = context.dims(input).to_vec();
    if let Some(last) = dims.last_mut() {
        *last = cell.outputs;
    }
    context.resize(output, dims)?;
    let gates = cell.gates(context)?.saturating_add(GATE_PADDING);
    full_temporaries(context, input, cell, gates)
}

fn full_cell(context: &Context<'_, '_>, batches: i32) -> Result<Cell> {
    let full = matches!(context.input_count(), 20 | 24);
    context.ensure(full, &format!("needs 20 or 24 inputs, has {}", context.input_count()))?;
    let recurrent = context.input(full::RECURRENT_TO_OUTPUT)?;
    let cell = Cell {
        batches,
        cells: context.dim(context.input(full::INPUT_TO_OUTPUT)?, 0)?,
        outputs: context.dim(recurrent, context.rank(recurrent).saturating_sub(1))?,
        coupled: context.optional_input(full::INPUT_TO_INPUT).is_none(),
        projected: context.optional_input(full::PROJECTION).is_some(),
    };
    check_state(context, full::OUTPUT_STATE, [batches, cell.outputs])?;
    check_state(context, full::CELL_STATE, [batches, cell.cells])?;
    Ok(cell)
}

fn check_state(context: &Context<'_, '_>, index: usize, dims: [i32; 2]) -> Result<()> {
    let state = context.input(index)?;
    let wanted = u64::try_from(context.product(&dims)?).unwrap_or(0);
    context.ensure(context.is_variable(state), &format!("input {index} is no variable"))?;
    context.ensure(context.elements(state) == wanted, &format!("the state in input {index} does not hold {dims:?}"))
}

/// Temporaries of the full kernels, by type of data and weights.
fn full_temporaries(context: &mut Context<'_, '_>, input: TensorId, cell: Cell, gates: i32) -> Result<()> {
    let weights = context.input(full::INPUT_TO_OUTPUT)?;
    let Cell { batches, cells, .. } = cell;
    if context.is(input, DataType::Int8) {
        let narrow = context.op().intermediates.len() == 12;
        let types: &[DataType] = if narrow { &INT8_TYPES } else { &INT16_TYPES };
        let temporaries = types.iter().map(|&dtype| ("gates", dtype, Class::Arena, vec![batches, cells]));
        return set_up_all(context, 0, temporaries.collect());
    }
    let dtype = context.dtype(input).unwrap_or(DataType::Float32);
    let mut temporaries = vec![("gates", dtype, Class::Arena, vec![batches, gates])];
    if is_hybrid(context, input, weights, HYBRID_WEIGHTS) {
        temporaries.extend(hybrid_full(context, input, weights, cell)?);
        if context.code().builtin == BuiltinOp::LSTM && context.is_sparse(weights) {
            let message = "LSTM: the ledgers of sparse weights are not counted";
            context.warn(Warning::new("temporaries-not-counted", message));
        }
    }
    set_up_all(context, 0, temporaries)
}

/// Types of the gates' buffers of the integer kernel that keeps the cell in 16 bits.
const INT16_TYPES: [DataType; 6] =
    [DataType::Int16, DataType::Int16, DataType::Int16, DataType::Int16, DataType::Int8, DataType::Int32];
/// Types of the gates' buffers of the integer kernel that keeps the cell in 8 bits.
const INT8_TYPES: [DataType; 8] = [
    DataType::Int8,
    DataType::Int8,
    DataType::Int16,
    DataType::Int16,
    DataType::Int16,
    DataType::Int16,
    DataType::Int16,
    DataType::Int16,
];

/// Temporaries for float data with quantised weights, after the gates.
fn hybrid_full(context: &Context<'_, '_>, input: TensorId, weights: TensorId, cell: Cell) -> Result<Vec<Temporary>> {
    let (output_state, cell_state) = (context.input(full::OUTPUT_STATE)?, context.input(full::CELL_STATE)?);
    let quantised = context.dtype(weights).unwrap_or(DataType::Int8);
    let Cell { batches, cells, .. } = cell;
    Ok(vec![
        ("quantised input", quantised, Class::Arena, context.dims(input).to_vec()),
        ("quantised output state", quantised, Class::Arena, context.dims(output_state).to_vec()),
        ("quantised cell state", quantised, Class::Arena, context.dims(cell_state).to_vec()),
        ("input scaling factors", DataType::Float32, Class::Arena, vec![batches]),
        ("output state scaling factors", DataType::Float32, Class::Arena, vec![batches]),
        ("product scaling factors", DataType::Float32, Class::Arena, vec![batches]),
        ("recovered cell weights", DataType::Float32, Class::Arena, vec![cells]),
        ("accumulators", DataType::Int32, Class::Arena, vec![cells, batches]),
        ("input zero points", DataType::Float32, Class::Arena, vec![batches]),
        ("output state zero points", DataType::Float32, Class::Arena, vec![batches]),
        ("row sums", DataType::Int32, Class::Persistent, vec![cell.row_sums(0), cells]),
    ])
}

fn basic_lstm(context: &mut Context<'_, '_>) -> Result<()> {
    let counts = context.input_count() == 5 && context.output_count() == 4;
    context.ensure(counts, "the basic kernel needs five inputs and four outputs")?;
    let (input, activation, state) = (context.input(0)?, context.input(1)?, context.input(4)?);
    let (batches, depth) = (context.dim(input, 0)?, context.dim(input, 1)?);
    let activations = context.dim(activation, 1)?;
    let shapes = [
        context.dims(activation).to_vec(),
        context.dims(state).to_vec(),
        vec![batches, depth.saturating_add(activations)],
        vec![batches, context.product(&[4, activations])?],
    ];
    for (index, dims) in shapes.into_iter().enumerate() {
        let output = context.output(index)?;
        context.resize(output, dims)?;
    }
    context.set_class(activation, Class::Persistent);
    context.set_class(state, Class::Persistent);
    Ok(())
}

fn bidirectional_lstm(context: &mut Context<'_, '_>) -> Result<()> {
    let OpOptions::BidirectionalSequenceLstm { merge_outputs, time_major, .. } = *context.options() else {
        return Err(context.refuse("the options are missing"));
    };
    context.ensure(context.input_count() == 48, "needs 48 inputs")?;
    let input = context.input(0)?;
    context.ensure(context.rank(input) == 3, "the input must have three dims")?;
    let dims = context.dims(input).to_vec();
    let batches = if time_major { dims[1] } else { dims[0] };
    let forward = direction_cell(context, &both::FORWARD, batches)?;
    let backward = direction_cell(context, &both::BACKWARD, batches)?;
    let merged = if merge_outputs { forward.outputs.saturating_add(backward.outputs) } else { forward.outputs };
    let output = context.output(0)?;
    context.resize(output, vec![dims[0], dims[1], merged])?;
    if !merge_outputs {
        let output = context.output(1)?;
        context.resize(output, vec![dims[0], dims[1], backward.outputs])?;
    }
    let dtype = context.dtype(input).unwrap_or(DataType::Float32);
    let (forward_gates, backward_gates) =
        (forward.gates(context)?.saturating_add(GATE_PADDING), backward.gates(context)?);
    let mut temporaries = vec![
        ("forward gates", dtype, Class::Arena, vec![batches, forward_gates]),
        ("backward gates", dtype, Class::Arena, vec![batches, backward_gates]),
    ];
    if is_hybrid(context, input, context.input(both::FORWARD.input_to_output)?, HYBRID_WEIGHTS) {
        temporaries.extend(hybrid_both(context, input, forward, backward)?);
    }
    set_up_all(context, 0, temporaries)
}

fn direction_cell(context: &Context<'_, '_>, direction: &both::Direction, batches: i32) -> Result<Cell> {
    Ok(Cell {
        batches,
        cells: context.dim(context.input(direction.input_to_output)?, 0)?,
        outputs: context.dim(context.input(direction.recurrent_to_output)?, 1)?,
        coupled: context.optional_input(direction.input_to_input).is_none(),
        projected: context.optional_input(direction.projection).is_some(),
    })
}

fn hybrid_both(context: &Context<'_, '_>, input: TensorId, forward: Cell, backward: Cell) -> Result<Vec<Temporary>> {
    let quantised = context.dtype(context.input(both::FORWARD.input_to_output)?).unwrap_or(DataType::Int8);
    let has_aux = context.optional_input(both::FORWARD_AUX_TO_FORGET).is_some();
    let state = |index: usize| context.input(index).map(|state| context.dims(state).to_vec());
    let mut cells = forward.cells.max(backward.cells);
    if has_aux {
        for direction in [&both::FORWARD, &both::BACKWARD] {
            cells = cells.max(context.dim(context.input(direction.aux_to_output)?, 0)?);
        }
    }
    let extra = |cell: Cell| {
        if !has_aux {
            0
        } else if cell.coupled {
            3
        } else {
            4
        }
    };
    let batches = forward.batches;
    let (arena, float) = (Class::Arena, DataType::Float32);
    let mut temporaries = vec![
        ("quantised input", quantised, arena, context.dims(input).to_vec()),
        ("quantised forward activations", quantised, arena, state(both::FORWARD.activation_state)?),
        ("quantised backward activations", quantised, arena, state(both::BACKWARD.activation_state)?),
        ("quantised forward cells", quantised, arena, state(both::FORWARD.cell_state)?),
        ("quantised backward cells", quantised, arena, state(both::BACKWARD.cell_state)?),
        ("input scaling factors", float, arena, vec![batches]),
        ("auxiliary input scaling factors", float, arena, vec![batches]),
        ("output state scaling factors", float, arena, vec![batches]),
        ("product scaling factors", float, arena, vec![batches]),
        ("recovered cell weights", float, arena, vec![forward.cells]),
        ("accumulators", DataType::Int32, arena, vec![cells, batches]),
        ("input zero points", float, arena, vec![batches]),
        ("auxiliary input zero points", float, arena, vec![batches]),
        ("output state zero points", float, arena, vec![batches]),
        ("forward row sums", DataType::Int32, Class::Persistent, vec![forward.row_sums(extra(forward)), forward.cells]),
        (
            "backward row sums",
            DataType::Int32,
            Class::Persistent,
            vec![backward.row_sums(extra(backward)), backward.cells],
        ),
    ];
    if has_aux {
        temporaries.push(("quantised auxiliary input", quantised, arena, state(both::AUX_INPUT)?));
    }
    Ok(temporaries)
}
