//! Operators that turn one type into another (`cast.cc`, `dequantize.cc`, `quantize.cc`, `densify.cc`). What constants
//! become by DEQUANTIZE and DENSIFY is kept: it lies in the persistent arena.

use super::super::graph::Class;
use super::{Context, Kernel};
use crate::error::Result;
use crate::model::{BuiltinOp, DataType};

/// The kernels of this family.
pub(super) const KERNELS: &[Kernel] = &[
    // CAST keeps what constants become only by an option that is off by default.
    Kernel::new(BuiltinOp::CAST, cast),
    Kernel::new(BuiltinOp::QUANTIZE, quantize),
    Kernel::new(BuiltinOp::DEQUANTIZE, dequantize),
    Kernel::new(BuiltinOp::DENSIFY, densify),
];

fn cast(context: &mut Context<'_, '_>) -> Result<()> {
    let (input, output) = (context.input(0)?, context.output(0)?);
    let dims = context.dims(input).to_vec();
    context.resize(output, dims)
}

fn quantize(context: &mut Context<'_, '_>) -> Result<()> {
    let (input, output) = (context.input(0)?, context.output(0)?);
    context.ensure(context.quantization(output).is_some(), "the output has no quantisation")?;
    let dims = context.dims(input).to_vec();
    context.resize(output, dims)
}

fn dequantize(context: &mut Context<'_, '_>) -> Result<()> {
    let (input, output) = (context.input(0)?, context.output(0)?);
    let known = [
        DataType::Int2,
        DataType::Int4,
        DataType::UInt4,
        DataType::UInt8,
        DataType::Int8,
        DataType::Int16,
        DataType::Float16,
    ];
    let dtype = context.dtype(input).filter(|dtype| known.contains(dtype));
    context.ensure(dtype.is_some(), "the input's type cannot be dequantised")?;
    context.set_type(output, DataType::Float32);
    if context.is_constant(input) {
        context.set_class(output, Class::Persistent);
    }
    let dims = context.dims(input).to_vec();
    context.resize(output, dims)
}

fn densify(context: &mut Context<'_, '_>) -> Result<()> {
    let (input, output) = (context.input(0)?, context.output(0)?);
    context.ensure(context.is_constant(input) && context.is_sparse(input), "the input is not a sparse constant")?;
    if let Some(dtype) = context.dtype(input) {
        context.set_type(output, dtype);
    }
    context.set_class(output, Class::Persistent);
    let dims = context.dims(input).to_vec();
    context.resize(output, dims)
}
