//! Advice that asks for another model: integers at its ends or throughout, a smaller input, fewer channels at the peak.

use std::collections::{BTreeMap, BTreeSet};

use crate::advise::context::{Context, Moment};
use crate::advise::whatif::WhatIf;
use crate::advise::{Advice, Kind};
use crate::model::{BuiltinOp, DataType};
use crate::runtime::{OperatorRef, Role};
use crate::units::{BufferId, RequestId};

/// The least height and width of an input that can be thought of smaller.
const MIN_INPUT: i32 = 8;

pub(super) fn advise(context: &Context<'_>, list: &mut Vec<Advice>) {
    integer_io(context, list);
    quantize(context, list);
    smaller_input(context, list);
    narrower_layer(context, list);
}

fn is_float(dtype: Option<DataType>) -> bool {
    dtype == Some(DataType::Float32)
}

/// A float input that is quantised first, a float output that is made from integers last: without them.
fn integer_io(context: &Context<'_>, list: &mut Vec<Advice>) {
    let mut change = WhatIf::default();
    let (mut buffers, mut ops) = (Vec::new(), Vec::new());
    let role = |buffer: BufferId| context.program.buffer(buffer).role;
    for moment in &context.moments {
        let ([input], [output]) = (moment.reads.as_slice(), moment.writes.as_slice()) else { continue };
        let (float, whole) = match moment.builtin {
            BuiltinOp::QUANTIZE if role(*input) == Role::Input => (*input, *output),
            BuiltinOp::DEQUANTIZE if role(*output) == Role::Output => (*output, *input),
            _ => continue,
        };
        let uses = context.uses(float);
        let is_only_use = uses.made_by.len() + uses.read_by.len() == 1;
        if !is_only_use || !is_float(context.program.buffer(float).dtype) {
            continue;
        }
        let (Some((gone, dropped)), Some((id, kept))) = (context.base.request(float), context.base.request(whole))
        else {
            continue;
        };
        change.gone.insert(gone);
        let span = change.spans.get(&id).copied().unwrap_or(kept.live);
        change.spans.insert(id, span.hull(dropped.live));
        buffers.push(float);
        ops.push(moment.op);
    }
    if buffers.is_empty() {
        return;
    }
    let Some(bytes) = context.try_out(&change) else { return };
    let names: Vec<String> = buffers.iter().map(|buffer| context.name(*buffer)).collect();
    let sentence =
        format!("convert the model with integer input and output: {} would not be there", names.join(" and "));
    list.push(Advice { buffers, ops, ..context.advice(Kind::IntegerIo, bytes, sentence) });
}

/// Every float tensor in a quarter of its bytes.
fn quantize(context: &Context<'_>, list: &mut Vec<Advice>) {
    let floats = tensors(context).filter(|(buffer, _)| is_float(context.program.buffer(*buffer).dtype));
    let quarter = |id: RequestId| context.base.arena.problem.request(id).size_bytes.div_ceil(4);
    let sizes: BTreeMap<RequestId, u64> = floats.map(|(_, id)| (id, context.rounded(quarter(id)))).collect();
    // A model that is quantised already, with floats at its ends, is spoken of elsewhere.
    if sizes.len() * 2 <= context.base.arena.buffers.len() {
        return;
    }
    if let Some(bytes) = context.try_out(&WhatIf { sizes, ..WhatIf::default() }) {
        let sentence = "quantise the model to int8: every float tensor would take a quarter".to_owned();
        list.push(context.advice(Kind::Quantize, bytes, sentence));
    }
}

/// The input at half its height and width, and all that has rows and columns with it.
fn smaller_input(context: &Context<'_>, list: &mut Vec<Advice>) {
    let main = context.model.main();
    let [Some(input)] = main.inputs.as_slice() else { return };
    // Tensors of the main subgraph come first, in the file's order.
    let buffer = BufferId(input.0);
    let shape = &context.program.buffer(buffer).shape;
    let [_, height, width, _] = shape.as_slice() else { return };
    if *height < MIN_INPUT || *width < MIN_INPUT {
        return;
    }
    let mut sizes = BTreeMap::new();
    for (buffer, id) in tensors(context) {
        if let [_, rows, columns, _] = context.program.buffer(buffer).shape.as_slice()
            && let (Ok(rows), Ok(columns)) = (u64::try_from(*rows), u64::try_from(*columns))
            && rows * columns > 1
        {
            let bytes = context.base.arena.problem.request(id).size_bytes;
            let pixel = bytes.div_ceil(rows * columns);
            sizes.insert(id, context.rounded(pixel * rows.div_ceil(2) * columns.div_ceil(2)));
        }
    }
    if let Some(bytes) = context.try_out(&WhatIf { sizes, ..WhatIf::default() }) {
        let sentence = format!(
            "an input of {}×{} instead of {height}×{width}: {} and all feature maps would take about a quarter",
            height.div_euclid(2) + height.rem_euclid(2),
            width.div_euclid(2) + width.rem_euclid(2),
            context.name(buffer)
        );
        list.push(Advice { buffers: vec![buffer], ..context.advice(Kind::SmallerInput, bytes, sentence) });
    }
}

/// A quarter of the channels less in a layer that the peak holds, and in all that operators which keep channels tie to
/// it; or, where that moves the peak to its like, in all layers as wide.
fn narrower_layer(context: &Context<'_>, list: &mut Vec<Advice>) {
    let mut seen: BTreeSet<BufferId> = BTreeSet::new();
    let mut as_wide: BTreeSet<i32> = BTreeSet::new();
    for buffer in context.base.at_peak() {
        let Some(width) = channels(context, buffer).filter(|width| *width >= 4) else { continue };
        if seen.contains(&buffer) {
            continue;
        }
        let group = tied(context, buffer, width);
        seen.extend(&group);
        let Some(maker) = group.iter().find_map(|one| layer(context, *one)) else { continue };
        let (what, name) = (context.op_name(maker), context.name(buffer));
        let narrow = width - width / 4;
        let (bytes, sentence) = if let Some(bytes) = narrowed(context, &group) {
            let sentence = format!(
                "the width of {what} decides the peak: with {narrow} instead of {width} channels {name} and what is \
                 tied to it shrink"
            );
            (bytes, sentence)
        } else {
            if !as_wide.insert(width) {
                continue;
            }
            let all =
                tensors(context).map(|(one, _)| one).filter(|one| channels(context, *one) == Some(width)).collect();
            let Some(bytes) = narrowed(context, &all) else { continue };
            let sentence = format!(
                "the width of {what} and of all layers like it decides the peak: with {narrow} instead of {width} \
                 channels {name} and its like shrink"
            );
            (bytes, sentence)
        };
        let advice = context.advice(Kind::NarrowerLayer, bytes, sentence);
        list.push(Advice { buffers: vec![buffer], ops: vec![maker], ..advice });
    }
}

/// The arena with three quarters of each of these tensors. The model's inputs and outputs have the channels that the
/// task asks for: groups that hold one are left alone.
fn narrowed(context: &Context<'_>, group: &BTreeSet<BufferId>) -> Option<u64> {
    if group.iter().any(|one| matches!(context.program.buffer(*one).role, Role::Input | Role::Output)) {
        return None;
    }
    let size = |id: RequestId| context.base.arena.problem.request(id).size_bytes;
    let requests = group.iter().filter_map(|one| context.tensor_request(*one).map(|(id, _)| id));
    let sizes = requests.map(|id| (id, context.rounded(size(id).div_ceil(4) * 3))).collect();
    context.try_out(&WhatIf { sizes, ..WhatIf::default() })
}

/// The operator with weights that makes this tensor, whose width is a choice.
fn layer(context: &Context<'_>, buffer: BufferId) -> Option<OperatorRef> {
    let uses = context.uses(buffer);
    let [maker] = uses.made_by.as_slice() else { return None };
    let maker = &context.moments[*maker];
    let has_weights = matches!(
        maker.builtin,
        BuiltinOp::CONV_2D | BuiltinOp::DEPTHWISE_CONV_2D | BuiltinOp::FULLY_CONNECTED | BuiltinOp::TRANSPOSE_CONV
    );
    has_weights.then_some(maker.op)
}

/// The last dim of a feature map.
fn channels(context: &Context<'_>, buffer: BufferId) -> Option<i32> {
    let (_, _) = context.tensor_request(buffer)?;
    match context.program.buffer(buffer).shape.as_slice() {
        [_, .., channels] => Some(*channels),
        _ => None,
    }
}

/// Whether the operator gives each output channel from the same input channel.
fn keeps_channels(op: BuiltinOp) -> bool {
    matches!(
        op,
        BuiltinOp::DEPTHWISE_CONV_2D
            | BuiltinOp::MAX_POOL_2D
            | BuiltinOp::AVERAGE_POOL_2D
            | BuiltinOp::PAD
            | BuiltinOp::ADD
            | BuiltinOp::SUB
            | BuiltinOp::MUL
            | BuiltinOp::RELU
            | BuiltinOp::RELU6
            | BuiltinOp::HARD_SWISH
            | BuiltinOp::LOGISTIC
            | BuiltinOp::LEAKY_RELU
            | BuiltinOp::PRELU
            | BuiltinOp::QUANTIZE
            | BuiltinOp::DEQUANTIZE
            | BuiltinOp::RESIZE_BILINEAR
            | BuiltinOp::RESIZE_NEAREST_NEIGHBOR
            | BuiltinOp::MEAN
    )
}

/// The buffers that must have as many channels as this one.
fn tied(context: &Context<'_>, first: BufferId, width: i32) -> BTreeSet<BufferId> {
    let mut group = BTreeSet::from([first]);
    let mut open = vec![first];
    while let Some(buffer) = open.pop() {
        let uses = context.uses(buffer);
        let touching = uses.made_by.iter().chain(&uses.read_by).map(|moment| &context.moments[*moment]);
        for Moment { reads, writes, .. } in touching.filter(|moment| keeps_channels(moment.builtin)) {
            for other in reads.iter().chain(writes) {
                if channels(context, *other) == Some(width) && group.insert(*other) {
                    open.push(*other);
                }
            }
        }
    }
    group
}

/// Planned tensors with their requests.
fn tensors<'c>(context: &'c Context<'_>) -> impl Iterator<Item = (BufferId, RequestId)> + 'c {
    let buffers = context.base.arena.buffers.iter();
    buffers.filter_map(|buffer| context.tensor_request(*buffer).map(|(id, _)| (*buffer, id)))
}
