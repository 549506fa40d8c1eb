//! The `REDUCE` family (`reduce.cc`).

use super::super::graph::Class;
use super::{Context, Kernel};
use crate::error::Result;
use crate::model::{BuiltinOp, DataType, OpOptions};
use crate::units::TensorId;

/// The kernels of this family.
pub(super) const KERNELS: &[Kernel] = &[
    Kernel::new(BuiltinOp::MEAN, mean_or_sum),
    Kernel::new(BuiltinOp::SUM, mean_or_sum),
    Kernel::new(BuiltinOp::REDUCE_PROD, product),
    Kernel::new(BuiltinOp::REDUCE_MAX, simple),
    Kernel::new(BuiltinOp::REDUCE_MIN, simple),
    Kernel::new(BuiltinOp::REDUCE_ANY, simple),
    Kernel::new(BuiltinOp::REDUCE_ALL, simple),
];

/// Constants are reduced while preparing only to outputs of at most this many elements.
const MAX_FOLDED_ELEMENTS: u64 = 8;

/// Slots of the family's tensors; all four are added together.
mod slot {
    pub(super) const INDEX: usize = 0;
    pub(super) const AXES: usize = 1;
    pub(super) const ACCUMULATORS: usize = 2;
    pub(super) const DIMS: usize = 3;
}

/// The node's tensors and what the axes are, when they are known.
struct Node {
    input: TensorId,
    axis: TensorId,
    output: TensorId,
}

/// `PrepareSimple`: everything but the accumulators' size.
fn simple(context: &mut Context<'_, '_>) -> Result<()> {
    common(context).map(|_| ())
}

fn common(context: &mut Context<'_, '_>) -> Result<Node> {
    context.ensure(context.input_count() == 2, "needs two inputs: data and axes")?;
    let node = Node { input: context.input(0)?, axis: context.input(1)?, output: context.output(0)? };
    let names =
        [(slot::INDEX, "index"), (slot::AXES, "axes"), (slot::ACCUMULATORS, "accumulators"), (slot::DIMS, "dims")];
    let [index, axes, accumulators, dims] = names.map(|(slot, purpose)| {
        let tensor = context.own_tensor(slot, purpose);
        context.use_temporary(tensor);
        tensor
    });
    context.ensure(context.is(node.axis, DataType::Int32), "the axes must be int32")?;
    let rank = i32::try_from(context.rank(node.input)).unwrap_or(i32::MAX);
    context.set_up(index, DataType::Int32, Class::Arena, vec![rank])?;
    context.set_type(axes, DataType::Int32);
    context.set_type(dims, DataType::Int32);
    let accumulator = match context.dtype(node.input) {
        Some(DataType::Float32) => DataType::Float32,
        Some(DataType::Int32 | DataType::Int64) => DataType::Int64,
        Some(DataType::UInt8 | DataType::Int8 | DataType::Int16) => DataType::Int32,
        Some(DataType::Bool) => DataType::Bool,
        _ => return Err(context.refuse("the input's type cannot be reduced")),
    };
    context.set_type(accumulators, accumulator);
    if context.is_constant_or_folded(node.input) {
        context.set_up(dims, DataType::Int32, Class::Arena, vec![rank])?;
    } else {
        context.set_dynamic(dims);
    }
    if !context.is_constant_or_folded(node.axis) {
        context.set_dynamic(node.output);
        context.set_dynamic(axes);
        return Ok(node);
    }
    let count = i32::try_from(context.elements(node.axis)).unwrap_or(i32::MAX);
    context.set_up(axes, DataType::Int32, Class::Arena, vec![count])?;
    let shape = output_shape(context, &node)?;
    context.resize(node.output, shape)?;
    Ok(node)
}

/// The output's dims, for known axes.
fn output_shape(context: &Context<'_, '_>, node: &Node) -> Result<Vec<i32>> {
    let OpOptions::Reducer { keep_dims } = *context.options() else {
        return Err(context.refuse("the options are missing"));
    };
    let reduced = reduced_axes(context, node)?;
    let dims = context.dims(node.input).iter().zip(&reduced);
    Ok(dims.filter_map(|(&dim, &reduced)| if reduced { keep_dims.then_some(1) } else { Some(dim) }).collect())
}

/// For each dim of the input whether it is reduced away.
fn reduced_axes(context: &Context<'_, '_>, node: &Node) -> Result<Vec<bool>> {
    let rank = context.rank(node.input);
    let axes = context.ints(node.axis).ok_or_else(|| context.refuse("the axes' values are not known"))?;
    let mut reduced = vec![false; rank];
    if rank == 0 {
        return Ok(reduced);
    }
    let signed_rank = i64::try_from(rank).unwrap_or(i64::MAX);
    for axis in axes {
        let from_front = if axis < 0 { axis + signed_rank } else { axis };
        let known = usize::try_from(from_front).ok().and_then(|axis| reduced.get_mut(axis));
        *known.ok_or_else(|| context.refuse(&format!("axis {axis}, but the input has {rank} dims")))? = true;
    }
    Ok(reduced)
}

/// `PrepareMeanOrSum`: one accumulator for each element of the output.
fn mean_or_sum(context: &mut Context<'_, '_>) -> Result<()> {
    let node = common(context)?;
    size_accumulators(context, &node)
}

fn size_accumulators(context: &mut Context<'_, '_>, node: &Node) -> Result<()> {
    let accumulators = context.own_tensor(slot::ACCUMULATORS, "accumulators");
    if !context.is_constant_or_folded(node.axis) {
        context.set_dynamic(accumulators);
        return Ok(());
    }
    let count = i32::try_from(context.elements(node.output)).map_err(|_| context.refuse("the output is too large"))?;
    context.set_class(accumulators, Class::Arena);
    context.resize(accumulators, vec![count])
}

/// `PrepareProd`: as above, but small products of constants are computed while preparing.
fn product(context: &mut Context<'_, '_>) -> Result<()> {
    let node = common(context)?;
    size_accumulators(context, &node)?;
    let constant = context.is_constant_or_folded(node.input) && context.is_constant_or_folded(node.axis);
    if !constant || context.elements(node.output) > MAX_FOLDED_ELEMENTS {
        return Ok(());
    }
    for slot in [slot::AXES, slot::ACCUMULATORS, slot::DIMS] {
        let tensor = context.own_tensor(slot, "temporary");
        context.set_dynamic(tensor);
    }
    context.set_folded(node.output);
    let dims = context.dims(node.output).to_vec();
    context.resize(node.output, dims)?;
    if let Some(values) = products(context, &node)? {
        context.fold_ints(node.output, &values);
    }
    Ok(())
}

/// The products themselves, for whole numbers whose values are known.
fn products(context: &Context<'_, '_>, node: &Node) -> Result<Option<Vec<i64>>> {
    let Some(values) = context.ints(node.input) else { return Ok(None) };
    let reduced = reduced_axes(context, node)?;
    let dims = context.dims(node.input);
    let count = usize::try_from(context.elements(node.output)).unwrap_or(0);
    let mut products = vec![1_i64; count];
    for (position, value) in values.into_iter().enumerate() {
        let (mut rest, mut scale, mut to) = (position, 1, 0);
        for (&dim, &reduced) in dims.iter().zip(&reduced).rev() {
            let dim = usize::try_from(dim).unwrap_or(1).max(1);
            if !reduced {
                to += rest % dim * scale;
                scale *= dim;
            }
            rest /= dim;
        }
        if let Some(product) = products.get_mut(to) {
            *product = product.wrapping_mul(value);
        }
    }
    Ok(Some(products))
}
