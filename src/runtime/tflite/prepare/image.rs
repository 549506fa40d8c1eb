//! Operators over images (`pooling.cc`, `resize_*.cc`, `space_to_*.cc`, `depth_to_space.cc`, `batch_to_space_nd.cc`).

use super::shape::copy_type;
use super::window::{Axis, output_size};
use super::{Context, Kernel};
use crate::error::Result;
use crate::model::{BuiltinOp, OpOptions};

/// The kernels of this family.
pub(super) const KERNELS: &[Kernel] = &[
    Kernel::new(BuiltinOp::AVERAGE_POOL_2D, pool),
    Kernel::new(BuiltinOp::MAX_POOL_2D, pool),
    Kernel::new(BuiltinOp::L2_POOL_2D, pool),
    Kernel::new(BuiltinOp::RESIZE_BILINEAR, resize_image),
    Kernel::new(BuiltinOp::RESIZE_NEAREST_NEIGHBOR, resize_image),
    Kernel::new(BuiltinOp::SPACE_TO_DEPTH, space_to_depth),
    Kernel::new(BuiltinOp::DEPTH_TO_SPACE, depth_to_space),
    Kernel::new(BuiltinOp::SPACE_TO_BATCH_ND, space_to_batch),
    Kernel::new(BuiltinOp::BATCH_TO_SPACE_ND, batch_to_space),
];

/// The dims of input 0, which must be four.
fn image_dims(context: &Context<'_, '_>) -> Result<[i32; 4]> {
    let dims = context.dims(context.input(0)?);
    <[i32; 4]>::try_from(dims).map_err(|_| context.refuse(&format!("the input must have four dims, not {dims:?}")))
}

fn pool(context: &mut Context<'_, '_>) -> Result<()> {
    let output = context.output(0)?;
    let OpOptions::Pool2D { padding, stride, filter, .. } = *context.options() else {
        return Err(context.refuse("the options are missing"));
    };
    let [batch, height, width, channels] = image_dims(context)?;
    let along = |image, kernel, stride| {
        output_size(padding, &Axis { image, kernel, stride, dilation: 1 })
            .ok_or_else(|| context.refuse(&format!("a window of {kernel} by steps of {stride} over {image}")))
    };
    let dims = vec![batch, along(height, filter.h, stride.h)?, along(width, filter.w, stride.w)?, channels];
    context.resize(output, dims)
}

fn resize_image(context: &mut Context<'_, '_>) -> Result<()> {
    let (input, size, output) = (context.input(0)?, context.input(1)?, context.output(0)?);
    let [batch, _, _, channels] = image_dims(context)?;
    copy_type(context, input, output);
    if !context.is_constant_or_folded(size) {
        context.set_dynamic(output);
        return Ok(());
    }
    let Some(sizes) = context.dims_in(size) else { return context.resize_as_in_file(output) };
    let &[height, width] = sizes.as_slice() else {
        return Err(context.refuse(&format!("needs a height and a width, not {sizes:?}")));
    };
    context.ensure(height > 0 && width > 0, &format!("a size of {height} x {width}"))?;
    context.resize(output, vec![batch, height, width, channels])
}

fn block_size(context: &Context<'_, '_>) -> Result<i32> {
    match *context.options() {
        OpOptions::BlockSize { block_size } if block_size > 0 => Ok(block_size),
        _ => Err(context.refuse("the block size must be above 0")),
    }
}

fn space_to_depth(context: &mut Context<'_, '_>) -> Result<()> {
    let (output, block) = (context.output(0)?, block_size(context)?);
    let [batch, height, width, channels] = image_dims(context)?;
    let even = height % block == 0 && width % block == 0;
    context.ensure(even, &format!("{height} x {width} does not divide into blocks of {block}"))?;
    let depth = context.product(&[channels, block, block])?;
    context.resize(output, vec![batch, height / block, width / block, depth])
}

fn depth_to_space(context: &mut Context<'_, '_>) -> Result<()> {
    let (output, block) = (context.output(0)?, block_size(context)?);
    let [batch, height, width, channels] = image_dims(context)?;
    let depth = channels / block / block;
    let even = depth * block * block == channels;
    context.ensure(even, &format!("{channels} channels do not divide into blocks of {block}"))?;
    let dims = vec![batch, context.product(&[height, block])?, context.product(&[width, block])?, depth];
    context.resize(output, dims)
}

/// A block's dims, and for each of them what is added or cut before and after.
type Blocks = (Vec<i32>, Vec<[i32; 2]>);

/// The block shape and the pairs of paddings or crops; `None` when the output became dynamic or is taken as in the file.
fn blocks(context: &mut Context<'_, '_>) -> Result<Option<Blocks>> {
    let (input, block, pairs, output) = (context.input(0)?, context.input(1)?, context.input(2)?, context.output(0)?);
    let rank = context.rank(input);
    context.ensure(rank == 3 || rank == 4, "the input must have three or four dims")?;
    if !(context.is_constant_or_folded(block) && context.is_constant_or_folded(pairs)) {
        context.set_dynamic(output);
        return Ok(None);
    }
    let (Some(block), Some(pairs)) = (context.dims_in(block), context.dims_in(pairs)) else {
        context.resize_as_in_file(output)?;
        return Ok(None);
    };
    let pairs = pairs.as_chunks::<2>().0.to_vec();
    let spatial = rank - 2;
    let shaped = block.len() == spatial && pairs.len() == spatial && block.iter().all(|&block| block > 0);
    context.ensure(shaped, &format!("blocks {block:?} and {pairs:?} for {spatial} spatial dims"))?;
    Ok(Some((block, pairs)))
}

fn space_to_batch(context: &mut Context<'_, '_>) -> Result<()> {
    let Some((block, paddings)) = blocks(context)? else { return Ok(()) };
    let mut dims = context.dims(context.input(0)?).to_vec();
    for (axis, (&block, [before, after])) in block.iter().zip(paddings).enumerate() {
        let padded = dims[axis + 1].checked_add(before).and_then(|sum| sum.checked_add(after));
        let padded = padded.filter(|&padded| padded >= 0 && padded % block == 0);
        dims[axis + 1] = padded.ok_or_else(|| context.refuse("the padded image does not divide into blocks"))? / block;
        dims[0] = context.product(&[dims[0], block])?;
    }
    let output = context.output(0)?;
    context.resize(output, dims)
}

fn batch_to_space(context: &mut Context<'_, '_>) -> Result<()> {
    let Some((block, crops)) = blocks(context)? else { return Ok(()) };
    let mut dims = context.dims(context.input(0)?).to_vec();
    for (axis, (&block, [before, after])) in block.iter().zip(crops).enumerate() {
        context.ensure(dims[0] % block == 0, &format!("a batch of {} does not divide by {block}", dims[0]))?;
        dims[0] /= block;
        let whole = context.product(&[dims[axis + 1], block])?;
        let cropped = whole.checked_sub(before).and_then(|left| left.checked_sub(after)).filter(|&left| left >= 0);
        dims[axis + 1] = cropped.ok_or_else(|| context.refuse("the crops are larger than the image"))?;
    }
    let output = context.output(0)?;
    context.resize(output, dims)
}
