//! Shapes in the file against the constants that decide them: TFLite-Micro computes no shapes, it only refuses wrong ones.

use super::super::machine::{Check, Stop, ensure};
use super::super::node::{Node, View};
use super::checks::{constant, one_of, required, same_type};
use super::shape::{argument, from_end};
use crate::model::{DataType, OpOptions};

/// `PAD` and `PADV2`.
pub(super) fn pad(node: &Node<'_, '_>, views: &[Option<View<'_>>]) -> Check {
    let view = |index: usize| views.get(index).and_then(Option::as_ref);
    let (Some(input), Some(paddings), Some(output)) = (view(0), view(1), view(3)) else {
        return Err(Stop::new("a tensor is missing"));
    };
    same_type(&[input, output])?;
    ensure(input.rank() <= 5, "the input has more than five dims")?;
    if let Some(value) = view(2) {
        same_type(&[input, value])?;
        ensure(value.elements()? == 1, "the value is not one element")?;
    }
    ensure(paddings.elements()? == 2 * output.rank() as u64, "there are not two paddings per dim")?;
    constant(paddings, "paddings")?;
    // The kernel reads them as 32-bit integers whatever they are.
    let Some(numbers) = node.integers(paddings).filter(|_| paddings.dtype() == DataType::Int32) else { return Ok(()) };
    for (index, pair) in numbers.chunks_exact(2).enumerate() {
        let (Some(input), Some(output)) = (input.dims.get(index), output.dims.get(index)) else { break };
        ensure(
            i64::from(*output) == i64::from(*input) + pair[0] + pair[1],
            "the output's shape is not the padded input's",
        )?;
    }
    Ok(())
}

/// Where a slice starts and ends along one axis, and its step.
struct Slice {
    begin: i64,
    end: i64,
    step: i64,
}

impl Slice {
    /// Begin and end inside an axis of `size` elements (`strided_slice_logic.h`).
    fn clamped(mut self, size: i64, masks: [bool; 3]) -> Slice {
        let [begin_mask, end_mask, shrink] = masks;
        let (low, high) = if self.step > 0 { (0, size) } else { (-1, size - 1) };
        if size == 0 {
            return Slice { begin: 0, end: 0, step: self.step };
        }
        // Not `clamp`, which panics where a broken model has a negative size; the runtime then takes `high`.
        let wrapped = |value: i64| if value < 0 { value + size } else { value }.max(low).min(high);
        self.begin = match (begin_mask, self.step > 0) {
            (true, true) => 0,
            (true, false) => size - 1,
            (false, _) => wrapped(self.begin),
        };
        self.end = match (shrink, end_mask, self.step > 0) {
            (true, ..) => self.begin + 1,
            (_, true, true) => size,
            (_, true, false) => -1,
            (_, false, _) => wrapped(self.end),
        };
        self
    }

    fn len(&self) -> i64 {
        let distance = self.end - self.begin;
        let steps = distance / self.step;
        let rest = distance % self.step;
        (steps + i64::from(rest != 0 && (rest < 0) == (self.step < 0))).max(0)
    }
}

/// `STRIDED_SLICE`.
pub(super) fn strided_slice(node: &Node<'_, '_>, views: &[Option<View<'_>>]) -> Check {
    let [input, begin, end, strides, output] = required(views)?;
    if input.rank() > 4 {
        return Err(Stop::says("the input has more than four dims", "input dim should not exceed 4"));
    }
    let begin = argument(node, begin, "begin")?;
    let end = argument(node, end, "end")?;
    let strides = argument(node, strides, "strides")?;
    let OpOptions::StridedSlice { begin_mask, end_mask, shrink_axis_mask, .. } = *node.options() else {
        return Err(Stop::crash("the file does not say the masks"));
    };
    let mut dims = Vec::new();
    for (axis, size) in input.dims.iter().enumerate() {
        let (Some(begin), Some(end), Some(step)) = (begin.get(axis), end.get(axis), strides.get(axis)) else {
            // The kernel reads beyond the constants here; what it finds cannot be known.
            return Ok(());
        };
        ensure(*step != 0, "a stride is 0")?;
        let bit = |mask: i32| mask & (1 << axis) != 0;
        let masks = [bit(begin_mask), bit(end_mask), bit(shrink_axis_mask)];
        let slice = Slice { begin: *begin, end: *end, step: *step }.clamped(i64::from(*size), masks);
        if !bit(shrink_axis_mask) {
            dims.push(slice.len());
        }
    }
    let expected: Vec<i64> = output.dims.iter().map(|dim| i64::from(*dim)).collect();
    ensure(expected == dims, "the output's shape is not the slice's")
}

/// `SQUEEZE`.
pub(super) fn squeeze(node: &Node<'_, '_>, views: &[Option<View<'_>>]) -> Check {
    let [input, output] = required(views)?;
    ensure(input.rank() <= 8, "the input has more than eight dims")?;
    let listed = match node.options() {
        OpOptions::Squeeze { dims } => dims.clone(),
        _ => Vec::new(),
    };
    let mut squeezed = vec![false; input.rank()];
    for dim in &listed {
        let index = from_end(i64::from(*dim), input.rank()).filter(|index| input.dims.get(*index) == Some(&1));
        let index = index.ok_or_else(|| Stop::new(format!("dim {dim} cannot be squeezed: it is not 1")))?;
        squeezed[index] = true;
    }
    if listed.is_empty() {
        squeezed = input.dims.iter().map(|dim| *dim == 1).collect();
    }
    let kept = input.dims.iter().zip(&squeezed).filter(|(_, squeezed)| !**squeezed).map(|(dim, _)| *dim);
    for (index, dim) in kept.enumerate() {
        if output.dims.get(index).is_none_or(|output| *output < dim) {
            return Err(Stop::crash("the output's shape is smaller than the squeezed input's"));
        }
    }
    Ok(())
}

/// `EXPAND_DIMS`.
pub(super) fn expand_dims(node: &Node<'_, '_>, views: &[Option<View<'_>>]) -> Check {
    let [input, axis, output] = required(views)?;
    constant(axis, "axis")?;
    ensure(axis.rank() <= 1, "the axis is no number")?;
    one_of(axis, &[DataType::Int32])?;
    let axis = node.integers(axis).and_then(|numbers| numbers.first().copied()).unwrap_or(0);
    let place = from_end(axis, input.rank() + 1).filter(|place| *place <= input.rank());
    let place = place.ok_or_else(|| Stop::new("the axis is out of range"))?;
    let mut dims = input.dims.clone();
    dims.insert(place, 1);
    ensure(output.dims == dims, "the output's shape is not the expanded input's")
}

/// `BROADCAST_TO`.
pub(super) fn broadcast_to(node: &Node<'_, '_>, views: &[Option<View<'_>>]) -> Check {
    let [input, shape, output] = required(views)?;
    if input.rank() > 5 || output.rank() > 5 {
        return Err(Stop::says("a tensor has more than five dims", "BroadcastTo only supports 1-5D tensor."));
    }
    one_of(shape, &[DataType::Int32, DataType::Int64])?;
    same_type(&[input, output])?;
    ensure(shape.rank() == 1, "the shape is no list")?;
    let shape = argument(node, shape, "shape")?;
    let expected: Vec<i64> = output.dims.iter().map(|dim| i64::from(*dim)).collect();
    ensure(expected == shape, "the output's shape is not the one asked for")?;
    ensure(input.rank() <= output.rank(), "the input has more dims than the output")?;
    let tail = &output.dims[output.rank() - input.rank()..];
    let fits = input.dims.iter().zip(tail).all(|(dim, wanted)| *dim == 1 || dim == wanted);
    ensure(fits, "the input cannot be broadcast to the output's shape")
}

/// `FILL`.
pub(super) fn fill(node: &Node<'_, '_>, views: &[Option<View<'_>>]) -> Check {
    let [dims, value, output] = required(views)?;
    ensure(value.rank() == 0, "the value is no scalar")?;
    same_type(&[value, output])?;
    constant(dims, "dims")?;
    ensure(dims.rank() == 1, "the dims are no list")?;
    let Some(numbers) = node.integers(dims) else { return Ok(()) };
    let expected: Vec<i64> = output.dims.iter().map(|dim| i64::from(*dim)).collect();
    ensure(expected == numbers, "the output's shape is not the one asked for")
}

/// `SELECT_V2`.
pub(super) fn select(views: &[Option<View<'_>>]) -> Check {
    let [condition, left, right, output] = required(views)?;
    one_of(condition, &[DataType::Bool])?;
    same_type(&[left, right])?;
    let inputs = [condition, left, right];
    let scalars = inputs.iter().chain([&output]).all(|view| view.elements().is_ok_and(|elements| elements == 1));
    if scalars || (condition.dims == left.dims && left.dims == right.dims) {
        return Ok(());
    }
    let rank = inputs.iter().map(|view| view.rank()).max().unwrap_or(0);
    ensure(rank == output.rank(), "the output has another number of dims than the inputs")?;
    for back in 1..=rank {
        let dim = |view: &View<'_>| view.rank().checked_sub(back).map_or(1, |index| view.dims[index]);
        let dims = inputs.map(dim);
        let (least, most) = (dims.iter().min().copied().unwrap_or(1), dims.iter().max().copied().unwrap_or(1));
        let wanted = if least == 0 { 0 } else { most };
        let fits = dims.iter().all(|dim| *dim == 1 || *dim == wanted) && output.dims[rank - back] == wanted;
        ensure(fits, "the shapes cannot be broadcast to the output's")?;
    }
    Ok(())
}

/// `TRANSPOSE`.
pub(super) fn transpose(node: &Node<'_, '_>, views: &[Option<View<'_>>]) -> Check {
    let [input, order, output] = required(views)?;
    if input.rank() > 5 {
        return Err(Stop::says("the input has more than five dims", "Transpose op only supports 1D-5D input arrays."));
    }
    same_type(&[input, output])?;
    constant(order, "perm")?;
    ensure(order.rank() == 1 && order.len(0)? == input.rank() as u64, "the permutation has not one entry per dim")?;
    let Some(numbers) = node.integers(order) else { return Ok(()) };
    let inside = numbers.iter().all(|number| usize::try_from(*number).is_ok_and(|index| index < input.rank()));
    ensure(inside, "the permutation names a dim that does not exist")
}
