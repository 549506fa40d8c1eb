//! Operators whose output has the shape of their first input (`activations.cc`, `elementwise.cc` and many small ones).

use super::super::lifetimes::InPlace;
use super::shape::copy_type;
use super::{Context, Kernel};
use crate::error::Result;
use crate::model::{BuiltinOp, DataType};

/// The kernels of this family.
pub(super) const KERNELS: &[Kernel] = &[
    Kernel::new(BuiltinOp::ABS, same),
    Kernel::new(BuiltinOp::HARD_SWISH, same),
    Kernel::new(BuiltinOp::RELU, same),
    Kernel::new(BuiltinOp::RELU_N1_TO_1, same),
    Kernel::new(BuiltinOp::RELU_0_TO_1, same),
    Kernel::new(BuiltinOp::RELU6, same),
    Kernel::new(BuiltinOp::TANH, same),
    Kernel::new(BuiltinOp::LOGISTIC, same),
    Kernel::new(BuiltinOp::SOFTMAX, softmax).in_place(InPlace::First),
    Kernel::new(BuiltinOp::LOG_SOFTMAX, same),
    Kernel::new(BuiltinOp::PRELU, prelu),
    Kernel::new(BuiltinOp::ELU, same),
    Kernel::new(BuiltinOp::GELU, same),
    Kernel::new(BuiltinOp::LEAKY_RELU, same),
    Kernel::new(BuiltinOp::EXP, same),
    Kernel::new(BuiltinOp::LOG, same),
    Kernel::new(BuiltinOp::SQRT, same),
    Kernel::new(BuiltinOp::RSQRT, same),
    Kernel::new(BuiltinOp::SIN, same),
    Kernel::new(BuiltinOp::COS, same),
    Kernel::new(BuiltinOp::NEG, same),
    Kernel::new(BuiltinOp::SQUARE, same),
    Kernel::new(BuiltinOp::FLOOR, same),
    Kernel::new(BuiltinOp::CEIL, same),
    Kernel::new(BuiltinOp::ROUND, same),
    Kernel::new(BuiltinOp::SIGN, same),
    Kernel::new(BuiltinOp::LOGICAL_NOT, same),
    Kernel::new(BuiltinOp::ZEROS_LIKE, same),
    Kernel::new(BuiltinOp::FAKE_QUANT, same),
    Kernel::new(BuiltinOp::L2_NORMALIZATION, same),
    Kernel::new(BuiltinOp::LOCAL_RESPONSE_NORMALIZATION, same),
    Kernel::new(BuiltinOp::CUMSUM, same),
    Kernel::new(BuiltinOp::REVERSE_V2, same),
    Kernel::new(BuiltinOp::REVERSE_SEQUENCE, same),
    Kernel::new(BuiltinOp::IMAG, real_part),
    Kernel::new(BuiltinOp::REAL, real_part),
    Kernel::new(BuiltinOp::COMPLEX_ABS, real_part),
    Kernel::new(BuiltinOp::BUCKETIZE, bucketize),
    Kernel::new(BuiltinOp::MATRIX_SET_DIAG, same),
];

fn same(context: &mut Context<'_, '_>) -> Result<()> {
    let (input, output) = (context.input(0)?, context.output(0)?);
    copy_type(context, input, output);
    let dims = context.dims(input).to_vec();
    context.resize(output, dims)
}

/// Its output may be wider than its input.
fn softmax(context: &mut Context<'_, '_>) -> Result<()> {
    let (input, output) = (context.input(0)?, context.output(0)?);
    let dims = context.dims(input).to_vec();
    context.resize(output, dims)
}

fn prelu(context: &mut Context<'_, '_>) -> Result<()> {
    let (input, alpha, output) = (context.input(0)?, context.input(1)?, context.output(0)?);
    copy_type(context, input, output);
    let (dims, slopes) = (context.dims(input).to_vec(), context.dims(alpha));
    let fits = super::binary::broadcast(&dims, slopes).is_some_and(|shape| shape == dims);
    context.ensure(fits, &format!("the slopes {slopes:?} do not broadcast to {dims:?}"))?;
    context.resize(output, dims)
}

fn real_part(context: &mut Context<'_, '_>) -> Result<()> {
    let (input, output) = (context.input(0)?, context.output(0)?);
    let part = match context.dtype(input) {
        Some(DataType::Complex64) => DataType::Float32,
        Some(DataType::Complex128) => DataType::Float64,
        _ => return Err(context.refuse("the input must be complex")),
    };
    context.set_type(output, part);
    let dims = context.dims(input).to_vec();
    context.resize(output, dims)
}

fn bucketize(context: &mut Context<'_, '_>) -> Result<()> {
    let (input, output) = (context.input(0)?, context.output(0)?);
    context.set_type(output, DataType::Int32);
    let dims = context.dims(input).to_vec();
    context.resize(output, dims)
}
