//! `STRIDED_SLICE` (`strided_slice.cc`, `internal/strided_slice_logic.h`): masks, shapes, and values of constants.

use super::Context;
use super::shape::{MAX_FOLLOWED_ELEMENTS, flat, gather_by, index_of};
use crate::error::Result;
use crate::model::{DataType, OpOptions};
use crate::units::TensorId;

/// Indices that the operator takes.
const MAX_INDICES: usize = 31;
/// The operator's masks, one bit for each index.
#[derive(Clone, Copy)]
struct Masks {
    begin: u32,
    end: u32,
    ellipsis: u32,
    new_axis: u32,
    shrink: u32,
    offset: bool,
}

/// What is taken along one dim of the input, after new axes have been put in.
///
/// ```text
/// dim      0 . . . . . . . . . size
///            start ─stride─▶ end
/// ```
#[derive(Clone, Copy)]
struct Cut {
    size: i32,
    start: i32,
    stride: i32,
    count: i32,
    shrunk: bool,
    added: bool,
}

pub(super) fn strided_slice(context: &mut Context<'_, '_>) -> Result<()> {
    let (input, output) = (context.input(0)?, context.output(0)?);
    let [begin, end, strides] = [context.input(1)?, context.input(2)?, context.input(3)?];
    for (id, name) in [(begin, "begin"), (end, "end"), (strides, "strides")] {
        let shaped = context.rank(id) == 1 && context.is(id, DataType::Int32);
        context.ensure(shaped, &format!("{name} must be a vector of int32"))?;
    }
    let OpOptions::StridedSlice { offset, .. } = *context.options() else {
        return Err(context.refuse("the options are missing"));
    };
    let bounds_known = context.is_constant_or_folded(begin) && context.is_constant_or_folded(end);
    if !context.is_constant_or_folded(strides) || !(offset || bounds_known) {
        context.set_dynamic(output);
        return Ok(());
    }
    let constant = context.is_constant_or_folded(input) && bounds_known;
    if constant {
        context.set_folded(output);
    }
    let Some(cuts) = cuts(context, input, [begin, end, strides])? else { return context.resize_as_in_file(output) };
    let dims = cuts.iter().filter(|cut| !cut.shrunk).map(|cut| cut.count).collect();
    context.resize(output, dims)?;
    if constant && context.elements(output) <= MAX_FOLLOWED_ELEMENTS {
        fold(context, input, output, &cuts);
    }
    Ok(())
}

/// The cuts along each effective dim; `None` when the indices' values are not followed.
fn cuts(context: &Context<'_, '_>, input: TensorId, indices: [TensorId; 3]) -> Result<Option<Vec<Cut>>> {
    let OpOptions::StridedSlice { begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask, offset } =
        *context.options()
    else {
        return Err(context.refuse("the options are missing"));
    };
    let [begin, end, strides] = indices.map(|id| context.dims_in(id));
    let Some(strides) = strides else { return Ok(None) };
    let begin = match begin {
        Some(begin) => begin,
        None if offset => vec![0; strides.len()],
        None => return Ok(None),
    };
    let Some(end) = end else { return Ok(None) };
    let alike = begin.len() == end.len() && strides.len() == begin.len() && begin.len() <= MAX_INDICES;
    context.ensure(alike, "begin, end and strides must be as long, at most 31")?;
    let bits = i32::cast_unsigned;
    let masks = Masks {
        begin: bits(begin_mask),
        end: bits(end_mask),
        ellipsis: bits(ellipsis_mask),
        new_axis: bits(new_axis_mask),
        shrink: bits(shrink_axis_mask),
        offset,
    };
    expand(context, context.dims(input), [&begin, &end, &strides], masks).map(Some)
}

/// Expands the ellipsis and new axes to one cut a dim.
fn expand(
    context: &Context<'_, '_>,
    dims: &[i32],
    [begin, end, strides]: [&[i32]; 3],
    masks: Masks,
) -> Result<Vec<Cut>> {
    let is_set = |mask: u32, index: usize| index < MAX_INDICES && mask >> index & 1 == 1;
    let added =
        (0..begin.len()).filter(|&index| !is_set(masks.ellipsis, index) && is_set(masks.new_axis, index)).count();
    let sparse_dims = begin.len() - added;
    let rank = dims.len() + added;
    let has_ellipsis = (0..begin.len().min(rank)).any(|index| is_set(masks.ellipsis, index));
    let covered = sparse_dims - usize::from(has_ellipsis);
    context.ensure(covered <= dims.len(), &format!("{covered} indices, but the input has {} dims", dims.len()))?;
    let mut cuts = Vec::with_capacity(rank);
    let mut left = dims.iter().copied();
    for index in 0..begin.len() {
        if is_set(masks.ellipsis, index) {
            for size in left.by_ref().take((dims.len() - covered).max(1)) {
                cuts.push(whole(size));
            }
        } else if is_set(masks.new_axis, index) {
            cuts.push(Cut { size: 1, start: 0, stride: 1, count: 1, shrunk: false, added: true });
        } else if let Some(size) = left.next() {
            let stride = strides[index];
            context.ensure(stride != 0 && stride != i32::MIN, &format!("stride {stride}"))?;
            let bounds = [is_set(masks.begin, index), is_set(masks.end, index), is_set(masks.shrink, index)];
            cuts.push(cut(size, [begin[index], end[index], stride], bounds, masks.offset));
        }
    }
    cuts.extend(left.map(whole));
    Ok(cuts)
}

fn whole(size: i32) -> Cut {
    Cut { size, start: 0, stride: 1, count: size, shrunk: false, added: false }
}

fn cut(size: i32, [begin, end, stride]: [i32; 3], [open_begin, open_end, shrunk]: [bool; 3], offset: bool) -> Cut {
    let (low, high) = if stride > 0 { (0, size) } else { (-1, size - 1) };
    let clamp = |index: i32| {
        let index = i64::from(index) + if index < 0 { i64::from(size) } else { 0 };
        let clamped = index.clamp(i64::from(low.min(high)), i64::from(high));
        i32::try_from(clamped).unwrap_or(low)
    };
    let start = match (open_begin, stride > 0) {
        _ if size == 0 => 0,
        (true, true) => 0,
        (true, false) => size - 1,
        (false, _) => clamp(begin),
    };
    let stop = match (open_end, stride > 0) {
        _ if size == 0 => 0,
        (true, true) => size,
        (true, false) => -1,
        (false, _) if offset => clamp(end.saturating_add(start)),
        (false, _) => clamp(end),
    };
    let length = if offset { end } else { stop - start };
    let count = match (length < 0, stride < 0) {
        (true, true) => (length + 1) / stride + 1,
        (false, false) if length > 0 => (length - 1) / stride + 1,
        _ => 0,
    };
    Cut { size, start, stride, count: if shrunk { 1 } else { count }, shrunk, added: false }
}

/// The values that the cuts take from a constant of whole numbers.
fn fold(context: &mut Context<'_, '_>, input: TensorId, output: TensorId, cuts: &[Cut]) {
    let Some(values) = context.ints(input) else { return };
    let dims = context.dims(output).to_vec();
    let from: Vec<i32> = cuts.iter().filter(|cut| !cut.added).map(|cut| cut.size).collect();
    let taken = gather_by(&dims, |at| {
        let mut kept = at.iter();
        let mut within = Vec::with_capacity(from.len());
        for cut in cuts {
            let step = if cut.shrunk { 0 } else { kept.next().copied().unwrap_or(0) };
            if !cut.added {
                let step = i32::try_from(step).unwrap_or(0);
                within.push(index_of(cut.start.saturating_add(step.saturating_mul(cut.stride))));
            }
        }
        values.get(flat(&within, &from)).copied().unwrap_or(0)
    });
    context.fold_ints(output, &taken);
}
