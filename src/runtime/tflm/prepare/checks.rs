//! What kernels insist on: number of tensors, types, constant arguments, shapes that fit. No allocations here.

use super::super::machine::{Check, Stop, ensure};
use super::super::node::{Node, View};
use crate::model::{BuiltinOp, DataType, OpOptions};

/// What kernels say when weights have another kind of type than the input.
pub(super) const HYBRID: &str = "Hybrid models are not supported on TFLite Micro.";

/// The first `N` views; those that a kernel cannot do without.
pub(super) fn required<'v, 'm, const N: usize>(views: &'v [Option<View<'m>>]) -> Check<[&'v View<'m>; N]> {
    let present: Vec<&View<'m>> = views.iter().take(N).filter_map(Option::as_ref).collect();
    <[&View<'m>; N]>::try_from(present).map_err(|_| Stop::crash("a tensor that the kernel needs is missing"))
}

/// Operators whose kernels insist on so many inputs and outputs.
#[rustfmt::skip]
const ARITIES: &[(usize, usize, &[BuiltinOp])] = &[
    (2, 1, &[
        BuiltinOp::BATCH_MATMUL, BuiltinOp::BROADCAST_ARGS, BuiltinOp::BROADCAST_TO, BuiltinOp::CUMSUM,
        BuiltinOp::EMBEDDING_LOOKUP, BuiltinOp::EXPAND_DIMS, BuiltinOp::FLOOR_DIV, BuiltinOp::FLOOR_MOD,
        BuiltinOp::GATHER, BuiltinOp::GATHER_ND, BuiltinOp::MUL, BuiltinOp::RESIZE_BILINEAR,
        BuiltinOp::RESIZE_NEAREST_NEIGHBOR, BuiltinOp::REVERSE_V2, BuiltinOp::SQUARED_DIFFERENCE,
        BuiltinOp::TRANSPOSE,
    ]),
    (3, 1, &[
        BuiltinOp::BATCH_TO_SPACE_ND, BuiltinOp::DYNAMIC_UPDATE_SLICE, BuiltinOp::SELECT_V2, BuiltinOp::SLICE,
        BuiltinOp::SPACE_TO_BATCH_ND,
    ]),
    (4, 1, &[
        BuiltinOp::STRIDED_SLICE,
    ]),
    (24, 1, &[
        BuiltinOp::UNIDIRECTIONAL_SEQUENCE_LSTM,
    ]),
    (1, 1, &[
        BuiltinOp::ABS, BuiltinOp::CAST, BuiltinOp::CEIL, BuiltinOp::COS, BuiltinOp::DEPTH_TO_SPACE,
        BuiltinOp::DEQUANTIZE, BuiltinOp::ELU, BuiltinOp::EXP, BuiltinOp::HARD_SWISH, BuiltinOp::L2_NORMALIZATION,
        BuiltinOp::L2_POOL_2D, BuiltinOp::LEAKY_RELU, BuiltinOp::LOG, BuiltinOp::LOGICAL_NOT, BuiltinOp::LOG_SOFTMAX,
        BuiltinOp::QUANTIZE, BuiltinOp::ROUND, BuiltinOp::RSQRT, BuiltinOp::SHAPE, BuiltinOp::SIN, BuiltinOp::SOFTMAX,
        BuiltinOp::SPACE_TO_DEPTH, BuiltinOp::SQRT, BuiltinOp::SQUARE, BuiltinOp::SQUEEZE, BuiltinOp::TANH,
        BuiltinOp::ZEROS_LIKE,
    ]),
];

/// Whether the operator has the number of inputs and outputs that its kernel insists on.
pub(super) fn before(node: &Node<'_, '_>, op: BuiltinOp) -> Check {
    let arity = ARITIES.iter().find(|(_, _, ops)| ops.contains(&op));
    arity.map_or(Ok(()), |(inputs, outputs, _)| node.arity(*inputs, *outputs))
}

/// What a kernel that only makes temporary structs checks on them.
pub(super) fn after(node: &Node<'_, '_>, op: BuiltinOp, views: &[Option<View<'_>>]) -> Check {
    match op {
        BuiltinOp::ADD | BuiltinOp::SUB | BuiltinOp::MUL | BuiltinOp::DIV => arithmetic(node, op, views),
        BuiltinOp::FLOOR_DIV | BuiltinOp::FLOOR_MOD => {
            let [left, right, output] = required(views)?;
            same_type(&[left, right, output])
        }
        BuiltinOp::DEQUANTIZE => {
            let [input, output] = required(views)?;
            one_of(input, &[DataType::Int8, DataType::Int16, DataType::UInt8])?;
            one_of(output, &[DataType::Float32])
        }
        BuiltinOp::QUANTIZE => quantize(views),
        BuiltinOp::L2_NORMALIZATION => {
            let [input, output] = required(views)?;
            ensure(input.rank() <= 4, "the input has more than four dims")?;
            one_of(output, &[DataType::Float32, DataType::Int8])?;
            same_type(&[input, output])
        }
        BuiltinOp::LOGISTIC => {
            let [input, output] = required(views)?;
            same_type(&[input, output])?;
            let fits = input.dtype() != DataType::Int8 || output.zero_point() == -128;
            ensure(fits, "the output's zero point is not -128")?;
            symmetric_int16(&[input, output])
        }
        BuiltinOp::TANH => {
            let [input, _, output] = required(views)?;
            same_type(&[input, output])?;
            symmetric_int16(&[input, output])
        }
        BuiltinOp::RELU => {
            let [input, output] = required(views)?;
            if input.dtype() == DataType::Int16 { symmetric_int16(&[input, output]) } else { Ok(()) }
        }
        // Of SQUARED_DIFFERENCE these are the two inputs.
        BuiltinOp::LEAKY_RELU | BuiltinOp::ELU | BuiltinOp::SQUARED_DIFFERENCE => {
            let [input, output] = required(views)?;
            same_type(&[input, output])
        }
        BuiltinOp::PRELU => {
            let [_, alpha, output] = required(views)?;
            let fits = output.dtype() != DataType::Int16 || alpha.dtype() == DataType::Int8;
            ensure(fits, "the slopes of a 16-bit PRELU are not 8-bit")
        }
        _ => after_shapes(node, op, views),
    }
}

fn after_shapes(node: &Node<'_, '_>, op: BuiltinOp, views: &[Option<View<'_>>]) -> Check {
    match op {
        // These kernels mean to check the type too, but test the checking function instead of calling it
        // (`elementwise.cc`): any type loads.
        BuiltinOp::SIN
        | BuiltinOp::COS
        | BuiltinOp::LOG
        | BuiltinOp::SQRT
        | BuiltinOp::SQUARE
        | BuiltinOp::ABS
        | BuiltinOp::RSQRT
        | BuiltinOp::LOGICAL_NOT => {
            let [input, output] = required(views)?;
            same_type(&[input, output])
        }
        BuiltinOp::EXP | BuiltinOp::CEIL | BuiltinOp::ROUND => {
            let [input, output] = required(views)?;
            one_of(input, &[DataType::Float32])?;
            same_type(&[input, output])?;
            ensure(input.dims == output.dims, "input and output have different shapes")
        }
        BuiltinOp::BATCH_TO_SPACE_ND | BuiltinOp::SPACE_TO_BATCH_ND => {
            let [input, output] = required(views)?;
            ensure((3..=4).contains(&input.rank()), "the input has not three or four dims")?;
            ensure((3..=4).contains(&output.rank()), "the output has not three or four dims")?;
            same_type(&[input, output])
        }
        BuiltinOp::BROADCAST_ARGS => {
            let [left, right, output] = required(views)?;
            one_of(left, &[DataType::Int32, DataType::Int64])?;
            same_type(&[left, right, output])?;
            ensure([left, right, output].iter().all(|view| view.rank() == 1), "a shape is no list")
        }
        BuiltinOp::RESIZE_BILINEAR | BuiltinOp::RESIZE_NEAREST_NEIGHBOR => resize(node, op, views),
        BuiltinOp::REVERSE_V2 => {
            let [input, axis, output] = required(views)?;
            ensure(axis.rank() == 1 && axis.dtype() == DataType::Int32, "the axes are no list of 32-bit integers")?;
            same_type(&[input, output])
        }
        BuiltinOp::SPLIT | BuiltinOp::SPLIT_V => {
            let [axis] = required(views)?;
            constant(axis, "axis")
        }
        BuiltinOp::READ_VARIABLE => {
            let [handle] = required(views)?;
            if handle.dtype() == DataType::Resource { Ok(()) } else { Err(Stop::crash("the handle is no resource")) }
        }
        BuiltinOp::DYNAMIC_UPDATE_SLICE => {
            let [operand, update, indices] = required(views)?;
            same_type(&[operand, update])?;
            one_of(indices, &[DataType::Int32, DataType::Int64])?;
            ensure(indices.rank() == 1 && update.rank() == operand.rank(), "the update's rank is not the operand's")
        }
        _ => super::shape::after(node, op, views),
    }
}

/// Whether the views have one type.
pub(super) fn same_type(views: &[&View<'_>]) -> Check {
    let mut types = views.iter().map(|view| view.dtype());
    let first = types.next();
    match types.find(|dtype| Some(*dtype) != first) {
        None => Ok(()),
        Some(other) => Err(Stop::new(
            format!("tensors of different types: {first:?} and {other:?}").replace("Some(", "").replace(')', ""),
        )),
    }
}

/// Whether a view's type is among `types`.
pub(super) fn one_of(view: &View<'_>, types: &[DataType]) -> Check {
    if types.contains(&view.dtype()) {
        return Ok(());
    }
    Err(Stop::new(format!("tensors of type {:?} are not supported here", view.dtype())))
}

/// Whether a tensor's data lie in the file.
pub(super) fn constant(view: &View<'_>, what: &str) -> Check {
    if view.constant {
        return Ok(());
    }
    let line = format!("Non-constant >{what}< tensor is not supported");
    Err(Stop::says(format!("its {what} is computed at run time, but must be a constant"), line))
}

fn symmetric_int16(views: &[&View<'_>]) -> Check {
    let fits = views[0].dtype() != DataType::Int16 || views.iter().all(|view| view.zero_point() == 0);
    ensure(fits, "a zero point of a 16-bit tensor is not 0")
}

fn quantize(views: &[Option<View<'_>>]) -> Check {
    let [input, output] = required(views)?;
    ensure(output.scales() == 1, "the output has not exactly one scale and zero point")?;
    let inputs = [DataType::Float32, DataType::Int32, DataType::Int16, DataType::Int8, DataType::UInt8];
    one_of(input, &inputs)?;
    one_of(output, &[DataType::Int8, DataType::Int16, DataType::Int32, DataType::UInt8])
}

fn arithmetic(node: &Node<'_, '_>, op: BuiltinOp, views: &[Option<View<'_>>]) -> Check {
    let [left, right, output] = required(views)?;
    let quantized_output = matches!(output.dtype(), DataType::Int8 | DataType::Int16);
    match op {
        BuiltinOp::ADD if !node.is_reference() => {
            ensure(left.dtype() == output.dtype(), "input and output have different types")?;
            if !matches!(left.dtype(), DataType::Float32 | DataType::Int32 | DataType::Int16 | DataType::Int8) {
                let reason = format!("inputs of type {:?} are not supported", left.dtype());
                return Err(Stop::says(reason, "Input data type not supported"));
            }
            if left.dtype() != right.dtype() {
                return Err(Stop::says("the inputs have different types", HYBRID));
            }
            symmetric_int16(&[left, right, output])?;
        }
        BuiltinOp::MUL => {
            same_type(&[left, right])?;
            if quantized_output {
                symmetric_int16(&[left, right, output])?;
            }
        }
        BuiltinOp::DIV => same_type(&[left, right, output])?,
        _ => {}
    }
    let scaled = [left, right, output].iter().all(|view| view.scale() > 0.0);
    if quantized_output && !scaled && matches!(op, BuiltinOp::ADD | BuiltinOp::SUB) {
        return Err(Stop::crash("a tensor is of a quantised type, but has no scale"));
    }
    if output.dtype() == DataType::Int32 && op != BuiltinOp::MUL {
        let inputs = !left.is_quantized() && !right.is_quantized();
        let plain = inputs && (op != BuiltinOp::SUB || !output.is_quantized());
        ensure(plain, "32-bit integers are quantised")?;
    }
    Ok(())
}

fn resize(node: &Node<'_, '_>, op: BuiltinOp, views: &[Option<View<'_>>]) -> Check {
    let [input, size] = required(views)?;
    ensure(input.rank() == 4 && size.rank() == 1, "the input has not four dims, or the size is no list")?;
    one_of(size, &[DataType::Int32])?;
    if op == BuiltinOp::RESIZE_NEAREST_NEIGHBOR {
        ensure(size.dim(0)? == 2, "the size has not two entries")?;
    }
    constant(size, "size")?;
    match node.options() {
        OpOptions::Resize { align_corners: true, half_pixel_centers: true } if op == BuiltinOp::RESIZE_BILINEAR => {
            let line = "If half_pixel_centers is True, align_corners must be False.";
            Err(Stop::says("half-pixel centres and aligned corners at once", line))
        }
        _ => Ok(()),
    }
}
