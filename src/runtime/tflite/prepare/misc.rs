//! The rest: choosing boxes, random numbers, Fourier transforms, text and hash tables (`non_max_suppression.cc`,
//! `multinomial.cc`, `random_ops.cc`, `rfft2d.cc`, `skip_gram.cc`, `lsh_projection.cc`, `hashtable*.cc`).

use super::gather::by_values;
use super::{Context, Kernel};
use crate::error::Result;
use crate::model::{BuiltinOp, DataType, OpOptions};
use crate::units::TensorId;

/// The kernels of this family.
pub(super) const KERNELS: &[Kernel] = &[
    Kernel::new(BuiltinOp::NON_MAX_SUPPRESSION_V4, choose_boxes),
    Kernel::new(BuiltinOp::NON_MAX_SUPPRESSION_V5, choose_boxes),
    Kernel::new(BuiltinOp::MULTINOMIAL, multinomial),
    Kernel::new(BuiltinOp::RANDOM_STANDARD_NORMAL, random),
    Kernel::new(BuiltinOp::RANDOM_UNIFORM, random),
    Kernel::new(BuiltinOp::RFFT2D, rfft2d),
    Kernel::new(BuiltinOp::SKIP_GRAM, skip_gram),
    Kernel::new(BuiltinOp::LSH_PROJECTION, lsh_projection),
    Kernel::new(BuiltinOp::HASHTABLE_LOOKUP, hashtable_lookup),
    Kernel::new(BuiltinOp::HASHTABLE, hashtable),
    Kernel::new(BuiltinOp::HASHTABLE_FIND, hashtable_find),
    Kernel::new(BuiltinOp::HASHTABLE_IMPORT, hashtable_import),
    Kernel::new(BuiltinOp::HASHTABLE_SIZE, hashtable_size),
];

/// Inputs of the soft variant, which also has a sigma.
const SOFT_INPUTS: usize = 6;
/// Bytes of a hash table's handle.
const HANDLE_BYTES: u64 = 4;
/// Type by the projection's number in the schema.
const SPARSE_PROJECTION: i8 = 1;

fn choose_boxes(context: &mut Context<'_, '_>) -> Result<()> {
    let (boxes, count) = (context.input(0)?, context.input(2)?);
    let shaped = context.rank(boxes) == 2 && context.dim(boxes, 1)? == 4;
    context.ensure(shaped, "the boxes must have dims [n, 4]")?;
    let soft = context.input_count() == SOFT_INPUTS;
    let last = context.output(if soft { 2 } else { 1 })?;
    context.set_type(last, DataType::Int32);
    context.resize(last, Vec::new())?;
    let mut chosen = vec![(context.output(0)?, DataType::Int32)];
    if soft {
        chosen.push((context.output(1)?, DataType::Float32));
    }
    let known = context.is_constant_or_folded(count);
    let dims = context.dims_in(count);
    for (output, dtype) in chosen {
        context.set_type(output, dtype);
        match (known, dims.as_ref().and_then(|values| values.first().copied())) {
            (false, _) => context.set_dynamic(output),
            (true, Some(count)) => {
                context.ensure(count >= 0, &format!("at most {count} boxes"))?;
                context.resize(output, vec![count])?;
            }
            (true, None) => context.resize_as_in_file(output)?,
        }
    }
    Ok(())
}

fn multinomial(context: &mut Context<'_, '_>) -> Result<()> {
    let (logits, samples, output) = (context.input(0)?, context.input(1)?, context.output(0)?);
    context.ensure(context.rank(logits) == 2, "the logits must have two dims")?;
    if !context.is_constant_or_folded(samples) {
        context.set_dynamic(output);
        return Ok(());
    }
    match context.dims_in(samples).and_then(|values| values.first().copied()) {
        Some(samples) => {
            let dims = vec![context.dim(logits, 0)?, samples];
            context.resize(output, dims)
        }
        None => context.resize_as_in_file(output),
    }
}

fn random(context: &mut Context<'_, '_>) -> Result<()> {
    let (shape, output) = (context.input(0)?, context.output(0)?);
    let is_vector = context.rank(shape) == 1 && context.is(shape, DataType::Int32);
    context.ensure(is_vector, "the shape must be a vector of int32")?;
    by_values(context, shape, output)
}

/// Four working areas, added together; numbers of 64 bits stand for doubles.
fn rfft2d(context: &mut Context<'_, '_>) -> Result<()> {
    let (input, length, output) = (context.input(0)?, context.input(1)?, context.output(0)?);
    let rank = context.rank(input);
    context.ensure(
        rank >= 2 && context.is(input, DataType::Float32),
        "the input must be float32 with two dims at least",
    )?;
    context.ensure(context.elements(length) == 2, "the length must be two numbers")?;
    let names = ["integer work", "double work", "rows", "data"];
    let areas = [0, 1, 2, 3].map(|slot| {
        let tensor = context.own_tensor(slot, names[slot]);
        context.use_temporary(tensor);
        context.set_type(tensor, if slot == 0 { DataType::Int32 } else { DataType::Int64 });
        tensor
    });
    context.set_type(output, DataType::Complex64);
    let lengths = context.dims_in(length).filter(|_| context.is_constant_or_folded(length));
    let Some(&[height, width]) = lengths.as_deref() else {
        for tensor in areas.into_iter().chain([output]) {
            context.set_dynamic(tensor);
        }
        return Ok(());
    };
    let powers = [height, width].iter().all(|&length| length > 0 && length & (length - 1) == 0);
    context.ensure(powers, &format!("the length {height} x {width} must be powers of two"))?;
    let mut dims = context.dims(input).to_vec();
    dims[rank - 2] = height;
    dims[rank - 1] = width / 2 + 1;
    context.resize(output, dims)?;
    let working = height.max(width / 2);
    let root = i32::try_from(working.cast_unsigned().isqrt()).unwrap_or(i32::MAX);
    let sizes = [vec![2 + root], vec![working / 2 + width / 4], vec![height], vec![height, width + 2]];
    for (tensor, dims) in areas.into_iter().zip(sizes) {
        context.set_class(tensor, super::super::graph::Class::Arena);
        context.resize(tensor, dims)?;
    }
    Ok(())
}

fn skip_gram(context: &mut Context<'_, '_>) -> Result<()> {
    let (input, output) = (context.input(0)?, context.output(0)?);
    context
        .ensure(context.is(input, DataType::String) && context.is(output, DataType::String), "takes and gives strings")
}

fn lsh_projection(context: &mut Context<'_, '_>) -> Result<()> {
    let (hash, output) = (context.input(0)?, context.output(0)?);
    context.ensure(context.rank(hash) == 2, "the hash must have two dims")?;
    let OpOptions::LshProjection { kind } = *context.options() else {
        return Err(context.refuse("the options are missing"));
    };
    let dims = context.dims(hash).to_vec();
    let count = if kind == SPARSE_PROJECTION { dims[0] } else { context.product(&dims)? };
    context.resize(output, vec![count])
}

fn hashtable_lookup(context: &mut Context<'_, '_>) -> Result<()> {
    let (lookup, value) = (context.input(0)?, context.input(2)?);
    let (output, hits) = (context.output(0)?, context.output(1)?);
    let count = context.dim(lookup, 0)?;
    let mut dims = context.dims(value).to_vec();
    let Some(first) = dims.first_mut() else { return Err(context.refuse("the values have no dims")) };
    *first = count;
    if !context.is(output, DataType::String) {
        context.resize(output, dims)?;
    }
    context.resize(hits, vec![count])
}

/// The handle is a number on the heap.
fn hashtable(context: &mut Context<'_, '_>) -> Result<()> {
    let handle = context.output(0)?;
    context.ensure(context.is(handle, DataType::Resource), "the output must be a resource")?;
    context.resize(handle, vec![1])?;
    context.set_bytes(handle, HANDLE_BYTES);
    Ok(())
}

fn table_handle(context: &Context<'_, '_>) -> Result<TensorId> {
    let handle = context.input(0)?;
    context.ensure(context.is(handle, DataType::Resource), "input 0 is not a handle")?;
    Ok(handle)
}

fn hashtable_find(context: &mut Context<'_, '_>) -> Result<()> {
    table_handle(context)?;
    let (keys, output) = (context.input(1)?, context.output(0)?);
    let dims = context.dims(keys).to_vec();
    context.resize(output, dims)
}

fn hashtable_import(context: &mut Context<'_, '_>) -> Result<()> {
    table_handle(context)?;
    let (keys, values) = (context.input(1)?, context.input(2)?);
    context.ensure(context.dims(keys) == context.dims(values), "keys and values differ in shape")
}

fn hashtable_size(context: &mut Context<'_, '_>) -> Result<()> {
    table_handle(context)?;
    let output = context.output(0)?;
    context.resize(output, vec![1])
}
