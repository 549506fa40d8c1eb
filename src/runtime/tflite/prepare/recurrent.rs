//! `SVDF` and the `RNN` family (`svdf.cc`, `basic_rnn.cc`, `unidirectional_sequence_rnn.cc`,
//! `bidirectional_sequence_rnn.cc`). Their tensors are added at load; those of the float kernels stay unused.

use super::super::graph::Class;
use super::convolution::is_hybrid;
use super::{Context, Kernel};
use crate::error::Result;
use crate::model::{BuiltinOp, DataType, OpOptions};
use crate::units::TensorId;

/// The kernels of this family.
pub(super) const KERNELS: &[Kernel] = &[
    Kernel::new(BuiltinOp::SVDF, svdf).added_at_load(6),
    Kernel::new(BuiltinOp::RNN, rnn).added_at_load(6),
    Kernel::new(BuiltinOp::UNIDIRECTIONAL_SEQUENCE_RNN, sequence_rnn).added_at_load(6),
    Kernel::new(BuiltinOp::BIDIRECTIONAL_SEQUENCE_RNN, bidirectional_rnn).added_at_load(9),
];

/// Types of weights that make a float operator hybrid (`IsHybridOp`).
pub(super) const HYBRID_WEIGHTS: &[DataType] = &[DataType::UInt8, DataType::Int8];

/// One temporary: what for, type, class, dims.
pub(super) type Temporary = (&'static str, DataType, Class, Vec<i32>);

/// Sets up temporaries in the slots from `first` on.
pub(super) fn set_up_all(context: &mut Context<'_, '_>, first: usize, temporaries: Vec<Temporary>) -> Result<()> {
    for (slot, (purpose, dtype, class, dims)) in temporaries.into_iter().enumerate() {
        context.temporary_in(class, first + slot, purpose, dtype, dims)?;
    }
    Ok(())
}

fn svdf(context: &mut Context<'_, '_>) -> Result<()> {
    let OpOptions::Svdf { rank, .. } = *context.options() else {
        return Err(context.refuse("the options are missing"));
    };
    let (input, feature, time) = (context.input(0)?, context.input(1)?, context.input(2)?);
    let (state, output) = (context.input(4)?, context.output(0)?);
    let (batches, filters) = (context.dim(input, 0)?, context.dim(feature, 0)?);
    context.ensure(rank > 0 && filters % rank == 0, "the filters are no multiple of the rank")?;
    let units = filters / rank;
    let memory = context.dim(time, 1)?;
    let fits = context.dims(state) == [batches, context.product(&[memory, filters])?];
    context.ensure(fits, "the state's dims are not batches by memory size times filters")?;
    context.resize(output, vec![batches, units])?;
    let integer = context.is(input, DataType::Int8);
    let scratch = if integer { DataType::Int32 } else { DataType::Float32 };
    let mut temporaries = vec![("activations", scratch, Class::Arena, vec![batches, filters])];
    if is_hybrid(context, input, feature, HYBRID_WEIGHTS) {
        let weights = context.dtype(feature).unwrap_or(DataType::Int8);
        let float = DataType::Float32;
        temporaries.extend([
            ("quantised input", weights, Class::Arena, context.dims(input).to_vec()),
            ("scaling factors", float, Class::Arena, vec![batches]),
            ("float time weights", float, Class::Persistent, context.dims(time).to_vec()),
            ("zero points", float, Class::Arena, vec![batches]),
            ("row sums", float, Class::Persistent, vec![filters]),
        ]);
    }
    if integer {
        temporaries.push(("output sums", DataType::Int32, Class::Arena, vec![units, batches]));
    }
    set_up_all(context, 0, temporaries)
}

fn rnn(context: &mut Context<'_, '_>) -> Result<()> {
    let (input, weights) = (context.input(0)?, context.input(1)?);
    let (batches, units) = (context.dim(input, 0)?, context.dim(weights, 0)?);
    let output = context.output(0)?;
    context.resize(output, vec![batches, units])?;
    hybrid_rnn(context, batches, units)
}

fn sequence_rnn(context: &mut Context<'_, '_>) -> Result<()> {
    let OpOptions::SequenceRnn { time_major, .. } = *context.options() else {
        return Err(context.refuse("the options are missing"));
    };
    let (input, weights, output) = (context.input(0)?, context.input(1)?, context.output(0)?);
    context.ensure(context.rank(input) == 3, "the input must have three dims")?;
    let units = context.dim(weights, 0)?;
    let dims = context.dims(input).to_vec();
    let batches = if time_major { dims[1] } else { dims[0] };
    context.resize(output, vec![dims[0], dims[1], units])?;
    hybrid_rnn(context, batches, units)
}

/// Temporaries of one direction with quantised weights.
fn hybrid_rnn(context: &mut Context<'_, '_>, batches: i32, units: i32) -> Result<()> {
    let (input, weights, hidden) = (context.input(0)?, context.input(1)?, context.input(4)?);
    let fits = context.dims(hidden) == [batches, units];
    context.ensure(fits, "the hidden state's dims are not batches by units")?;
    if !is_hybrid(context, input, weights, HYBRID_WEIGHTS) {
        return Ok(());
    }
    let dtype = context.dtype(weights).unwrap_or(DataType::Int8);
    let temporaries = vec![
        ("quantised input", dtype, Class::Arena, context.dims(input).to_vec()),
        ("quantised hidden state", dtype, Class::Arena, context.dims(hidden).to_vec()),
        ("scaling factors", DataType::Float32, Class::Arena, vec![batches]),
        ("accumulators", DataType::Int32, Class::Arena, vec![units, batches]),
        ("zero points", DataType::Int32, Class::Arena, vec![batches]),
        ("row sums", DataType::Int32, Class::Persistent, vec![2, units]),
    ];
    set_up_all(context, 0, temporaries)
}

fn bidirectional_rnn(context: &mut Context<'_, '_>) -> Result<()> {
    let OpOptions::BidirectionalSequenceRnn { time_major, merge_outputs, .. } = *context.options() else {
        return Err(context.refuse("the options are missing"));
    };
    let (input, forward, backward) = (context.input(0)?, context.input(1)?, context.input(5)?);
    context.ensure(context.rank(input) == 3, "the input must have three dims")?;
    let (forward_units, backward_units) = (context.dim(forward, 0)?, context.dim(backward, 0)?);
    let dims = context.dims(input).to_vec();
    let batches = if time_major { dims[1] } else { dims[0] };
    if is_hybrid(context, input, forward, HYBRID_WEIGHTS) {
        let units = [forward_units, backward_units];
        hybrid_bidirectional(context, input, batches, units)?;
    }
    let forward_output = context.output(0)?;
    let merged = if merge_outputs { forward_units + backward_units } else { forward_units };
    context.resize(forward_output, vec![dims[0], dims[1], merged])?;
    if !merge_outputs {
        let backward_output = context.output(1)?;
        context.resize(backward_output, vec![dims[0], dims[1], backward_units])?;
    }
    Ok(())
}

fn hybrid_bidirectional(context: &mut Context<'_, '_>, input: TensorId, batches: i32, units: [i32; 2]) -> Result<()> {
    let weights = context.input(1)?;
    let dtype = context.dtype(weights).unwrap_or(DataType::Int8);
    let (forward_hidden, backward_hidden) = (context.input(4)?, context.input(8)?);
    let aux = context.optional_input(10).and_then(|_| context.optional_input(9));
    let rows = if aux.is_some() { 3 } else { 2 };
    let mut temporaries = vec![
        ("quantised input", dtype, Class::Arena, context.dims(input).to_vec()),
        ("quantised forward state", dtype, Class::Arena, context.dims(forward_hidden).to_vec()),
        ("quantised backward state", dtype, Class::Arena, context.dims(backward_hidden).to_vec()),
        ("scaling factors", DataType::Float32, Class::Arena, vec![batches]),
        ("accumulators", DataType::Int32, Class::Arena, vec![units[0].max(units[1]), batches]),
        ("zero points", DataType::Int32, Class::Arena, vec![batches]),
        ("forward row sums", DataType::Int32, Class::Persistent, vec![rows, units[0]]),
        ("backward row sums", DataType::Int32, Class::Persistent, vec![rows, units[1]]),
    ];
    if let Some(aux) = aux {
        temporaries.push(("quantised auxiliary input", dtype, Class::Arena, context.dims(aux).to_vec()));
    }
    set_up_all(context, 0, temporaries)
}
