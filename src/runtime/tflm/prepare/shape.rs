//! Kernels that look at shapes: those that rewrite the output's dims, and those that check them against constants.

use super::super::machine::{Check, Stop, ensure, product};
use super::super::node::{Node, View};
use super::super::types;
use super::checks::{constant, one_of, required, same_type};
use crate::model::{BuiltinOp, DataType, OpOptions, Padding};

/// Elements of a shape that may hold a −1.
fn elements_of(dims: &[i64]) -> i64 {
    dims.iter().fold(1_i64, |product, dim| product.saturating_mul(*dim))
}

fn wide(dims: &[i32]) -> Vec<i64> {
    dims.iter().map(|dim| i64::from(*dim)).collect()
}

/// `RESHAPE`: a −1 in the output's shape is filled in.
pub(super) fn reshape(node: &mut Node<'_, '_>, views: &[Option<View<'_>>]) -> Check {
    let [input, output] = required(views)?;
    ensure(matches!(node.op.inputs.len(), 1 | 2) && node.op.outputs.len() == 1, "it has not one or two inputs")?;
    let elements = elements_of(&wide(&input.dims));
    let mut dims = output.dims.clone();
    if node.op.inputs.len() == 1 && dims == [0] {
        // The file's own shape is changed here: a scalar from now on.
        dims.clear();
        node.machine.set_dims(output.at, Vec::new());
    }
    let stretched: Vec<usize> = (0..dims.len()).filter(|index| dims[*index] == -1).collect();
    ensure(stretched.len() <= 1, "the output's shape has more than one -1")?;
    let known: Vec<i64> = dims.iter().filter(|dim| **dim != -1).map(|dim| i64::from(*dim)).collect();
    let mut outputs = elements_of(&known);
    if let [index] = stretched[..] {
        if outputs == 0 {
            return Err(Stop::crash("the output's shape has a 0 beside a -1"));
        }
        let size = elements / outputs;
        outputs = outputs.saturating_mul(size);
        dims[index] = i32::try_from(size).map_err(|_| Stop::new("the output's shape does not fit"))?;
        node.rewrite_dims(output, dims);
    }
    same_type(&[input, output])?;
    ensure(elements == outputs, "input and output have different numbers of elements")
}

/// `GATHER`.
pub(super) fn gather(node: &mut Node<'_, '_>, views: &[Option<View<'_>>]) -> Check {
    let [input, coords, output] = required(views)?;
    if coords.dtype() != DataType::Int32 {
        let name = types::name(coords.dtype());
        return Err(Stop::says(
            format!("positions of type {name} are not supported"),
            format!("Positions of type '{name}' are not supported by gather."),
        ));
    }
    if !matches!(input.dtype(), DataType::Float32 | DataType::Int8) {
        let name = types::name(input.dtype());
        return Err(Stop::says(
            format!("inputs of type {name} are not supported"),
            format!("Type '{name}' is not supported by gather."),
        ));
    }
    let (axis, batch_dims) = match *node.options() {
        OpOptions::Gather { axis, batch_dims } => (axis, batch_dims),
        _ => (0, 0),
    };
    let axis = from_end(i64::from(axis), input.rank()).ok_or_else(|| Stop::new("the axis is out of range"))?;
    let batch_dims =
        from_end(i64::from(batch_dims), coords.rank()).ok_or_else(|| Stop::new("batch_dims is out of range"))?;
    ensure(axis < input.rank(), "the axis is out of range")?;
    ensure(batch_dims <= axis && batch_dims <= coords.rank(), "batch_dims is out of range")?;
    ensure(input.dims[..batch_dims] == coords.dims[..batch_dims], "the batch dims differ")?;
    let mut dims = input.dims[..axis].to_vec();
    dims.extend_from_slice(&coords.dims[batch_dims..]);
    dims.extend_from_slice(&input.dims[axis + 1..]);
    node.rewrite_dims(output, dims);
    Ok(())
}

/// `GATHER_ND`.
pub(super) fn gather_nd(node: &mut Node<'_, '_>, views: &[Option<View<'_>>]) -> Check {
    let [params, indices, output] = required(views)?;
    one_of(params, &[DataType::Float32, DataType::Int8])?;
    one_of(indices, &[DataType::Int32])?;
    ensure(params.rank() >= 1 && indices.rank() >= 1, "a tensor is a scalar")?;
    let depth = usize::try_from(indices.dim(indices.rank() - 1)?).map_err(|_| Stop::new("an index has no length"))?;
    ensure(depth <= params.rank() && depth <= 5, "an index has more entries than the tensor has dims, or than 5")?;
    let mut dims = indices.dims[..indices.rank() - 1].to_vec();
    dims.extend_from_slice(&params.dims[depth..]);
    node.rewrite_dims(output, dims);
    Ok(())
}

/// `EMBEDDING_LOOKUP`.
pub(super) fn embedding_lookup(node: &mut Node<'_, '_>, views: &[Option<View<'_>>]) -> Check {
    let [lookup, value, output] = required(views)?;
    ensure(lookup.rank() == 1, "the lookups are no list")?;
    one_of(lookup, &[DataType::Int32])?;
    ensure(value.rank() >= 2, "the table has fewer than two dims")?;
    one_of(value, &[DataType::Float32, DataType::Int8])?;
    ensure(output.rank() >= value.rank(), "the output has fewer dims than the table")?;
    let mut dims = output.dims.clone();
    dims[0] = lookup.dim(0)?;
    dims[1..value.rank()].copy_from_slice(&value.dims[1..]);
    let bytes = types::bytes(output.dtype(), &dims).ok_or_else(|| Stop::new("the output has no size"))?;
    let room = types::bytes(output.dtype(), &output.tensor.shape).unwrap_or(0);
    node.rewrite_dims(output, dims);
    ensure(bytes <= room, "the output is smaller than what is looked up")?;
    let pointer = node.machine.structs.pointer;
    node.persistent("operator data", 2 * pointer);
    Ok(())
}

/// `SPACE_TO_DEPTH` and `DEPTH_TO_SPACE`.
pub(super) fn space_and_depth(node: &mut Node<'_, '_>, op: BuiltinOp, views: &[Option<View<'_>>]) -> Check {
    let [input, output] = required(views)?;
    ensure(input.rank() == 4, "the input has not four dims")?;
    one_of(output, &[DataType::Float32, DataType::Int8])?;
    same_type(&[input, output])?;
    let block = match *node.options() {
        OpOptions::BlockSize { block_size } => i64::from(block_size),
        _ => 0,
    };
    ensure(block > 0, "the block size is not positive")?;
    let [batches, height, width, channels] = [0, 1, 2, 3].map(|index| i64::from(input.dims[index]));
    let dims = if op == BuiltinOp::SPACE_TO_DEPTH {
        ensure(height % block == 0 && width % block == 0, "the image is no multiple of the block")?;
        [batches, height / block, width / block, channels.saturating_mul(block).saturating_mul(block)]
    } else {
        ensure(channels % (block * block) == 0, "the channels are no multiple of the block")?;
        [batches, height.saturating_mul(block), width.saturating_mul(block), channels / block / block]
    };
    ensure(output.rank() >= 4, "the output has not four dims")?;
    node.rewrite_dims(output, narrow(&dims)?);
    Ok(())
}

fn narrow(dims: &[i64]) -> Check<Vec<i32>> {
    let narrow = dims.iter().map(|dim| i32::try_from(*dim)).collect::<Result<_, _>>();
    narrow.map_err(|_| Stop::new("the output's shape is too large"))
}

/// `L2_POOL_2D`, whose structs are output and input.
pub(super) fn l2_pool(node: &mut Node<'_, '_>, views: &[Option<View<'_>>]) -> Check {
    let [output, input] = required(views)?;
    ensure(input.rank() == 4 && output.rank() == 4, "a tensor has not four dims")?;
    one_of(input, &[DataType::Float32])?;
    same_type(&[input, output])?;
    let OpOptions::Pool2D { padding, stride, filter, .. } = *node.options() else {
        return Err(Stop::crash("the file does not say the window"));
    };
    let size = |image: i32, stride: i32, filter: i32| match padding {
        _ if stride == 0 => 0,
        Padding::Same => (i64::from(image) + i64::from(stride) - 1) / i64::from(stride),
        Padding::Valid => (i64::from(image) + i64::from(stride) - i64::from(filter)) / i64::from(stride),
    };
    let (height, width) = (size(input.dims[1], stride.h, filter.h), size(input.dims[2], stride.w, filter.w));
    let dims = narrow(&[i64::from(input.dims[0]), height, width, i64::from(input.dims[3])])?;
    node.rewrite_dims(output, dims);
    Ok(())
}

/// `MIRROR_PAD`.
pub(super) fn mirror_pad(node: &mut Node<'_, '_>, views: &[Option<View<'_>>]) -> Check {
    let [input, padding] = required(views)?;
    ensure(padding.rank() == 2, "the paddings are no table")?;
    ensure(padding.len(0)? == input.rank() as u64, "there is not one padding per dim")?;
    let bytes = product(&[4, input.rank() as u64])?;
    node.scratch("elements per dim of the output", bytes)?;
    node.scratch("elements per dim of the input", bytes)
}

/// `ADD_N`: a list of pointers in scratch.
pub(super) fn add_n(node: &mut Node<'_, '_>, views: &[Option<View<'_>>]) -> Check {
    let [first, output] = required(views)?;
    let inputs = node.op.inputs.len();
    ensure(inputs >= 2 && node.op.outputs.len() == 1, "it has fewer than two inputs")?;
    same_type(&[first, output])?;
    for index in 1..inputs {
        let input = node.input(index)?;
        ensure(input.dims == first.dims, "the inputs have different shapes")?;
        same_type(&[first, &input])?;
    }
    let pointers = product(&[node.machine.structs.pointer, inputs as u64])?;
    match output.dtype() {
        DataType::Float32 => node.scratch("pointers to the inputs", pointers),
        DataType::Int8 => {
            node.persistent("operator data", 40);
            node.scratch("pointers to the inputs", pointers)
        }
        other => Err(Stop::says(
            format!("tensors of type {other:?} are not supported"),
            format!("ADD_N only supports FLOAT32 and INT8, got {}.", types::name(other)),
        )),
    }
}

/// `CONCATENATION`: a struct for each input after the first pair.
pub(super) fn concatenation(node: &mut Node<'_, '_>, views: &[Option<View<'_>>]) -> Check {
    let [first, output] = required(views)?;
    let known = [DataType::Float32, DataType::Int8, DataType::Int16, DataType::Int32, DataType::Int64, DataType::Bool];
    one_of(first, &known)?;
    same_type(&[output, first])?;
    ensure(node.op.inputs.len() <= 10, "it has more than ten inputs")?;
    for index in 0..node.op.inputs.len() {
        let input = node.input(index)?;
        same_type(&[first, &input])?;
        ensure(input.rank() <= 6, "an input has more than six dims")?;
        if first.dtype() == DataType::Int8 {
            let same = input.scale().to_bits() == output.scale().to_bits() && input.zero_point() == output.zero_point();
            ensure(same, "an input is quantised in another way than the output")?;
        }
        let symmetric = first.dtype() != DataType::Int16 || input.zero_point() == 0;
        ensure(symmetric, "the zero point of a 16-bit input is not 0")?;
    }
    Ok(())
}

/// `CUMSUM` and `LOG_SOFTMAX` allocate their data while preparing, and only for 8-bit tensors.
pub(super) fn late_data(node: &mut Node<'_, '_>, op: BuiltinOp, views: &[Option<View<'_>>]) -> Check {
    let (input, output) = if op == BuiltinOp::CUMSUM {
        let [input, axis, output] = required(views)?;
        one_of(input, &[DataType::Float32, DataType::Int8])?;
        one_of(axis, &[DataType::Int32])?;
        ensure(axis.elements()? == 1 && input.rank() >= 1, "the axis is not one element")?;
        (input, output)
    } else {
        let [input, output] = required(views)?;
        (input, output)
    };
    same_type(&[input, output])?;
    ensure(input.dims == output.dims, "input and output have different shapes")?;
    if input.dtype() == DataType::Int8 {
        // LOG_SOFTMAX: five 32-bit numbers, then two sizes.
        let pointer = node.machine.structs.pointer;
        let log_softmax = 20_u64.next_multiple_of(pointer) + 2 * pointer;
        node.persistent("operator data", if op == BuiltinOp::CUMSUM { 36 } else { log_softmax });
    }
    Ok(())
}

/// Checks of kernels that rewrite nothing.
pub(super) fn after(node: &Node<'_, '_>, op: BuiltinOp, views: &[Option<View<'_>>]) -> Check {
    match op {
        BuiltinOp::PAD | BuiltinOp::PADV2 => super::shape_checks::pad(node, views),
        BuiltinOp::STRIDED_SLICE => super::shape_checks::strided_slice(node, views),
        BuiltinOp::SQUEEZE => super::shape_checks::squeeze(node, views),
        BuiltinOp::EXPAND_DIMS => super::shape_checks::expand_dims(node, views),
        BuiltinOp::BROADCAST_TO => super::shape_checks::broadcast_to(node, views),
        BuiltinOp::FILL => super::shape_checks::fill(node, views),
        BuiltinOp::SELECT_V2 => super::shape_checks::select(views),
        BuiltinOp::TRANSPOSE => super::shape_checks::transpose(node, views),
        BuiltinOp::SLICE => {
            let [input, begin, size, output] = required(views)?;
            let fits = input.dtype() == output.dtype()
                && begin.dtype() == size.dtype()
                && matches!(begin.dtype(), DataType::Int32 | DataType::Int64)
                && begin.rank() == 1
                && begin.dims == size.dims
                && input.rank() <= 5;
            if fits { Ok(()) } else { Err(Stop::crash("begin, size and input do not fit each other")) }
        }
        _ => Ok(()),
    }
}

/// An index that counts from the end when it is negative; `None` when that is before the start.
pub(super) fn from_end(index: i64, len: usize) -> Option<usize> {
    usize::try_from(if index < 0 { index.checked_add(i64::try_from(len).ok()?)? } else { index }).ok()
}

/// A constant argument's numbers, or the reason why there are none.
pub(super) fn argument(node: &Node<'_, '_>, view: &View<'_>, what: &str) -> Check<Vec<i64>> {
    constant(view, what)?;
    node.integers(view).ok_or_else(|| Stop::new(format!("its {what} cannot be read as integers")))
}
