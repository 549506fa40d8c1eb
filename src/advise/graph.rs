//! Advice that asks for another graph of the same results: operators in place, tensors made again or in halves, tensors
//! that nobody needs.

use std::collections::BTreeMap;

use crate::advise::context::Context;
use crate::advise::whatif::WhatIf;
use crate::advise::{Advice, Kind, words};
use crate::model::BuiltinOp;
use crate::plan::Request;
use crate::runtime::{Cause, Role};
use crate::units::{BufferId, RequestId, Span};

/// Tensors of the peak that are looked at, largest first.
const MAX_TENSORS: usize = 6;

pub(super) fn advise(context: &Context<'_>, list: &mut Vec<Advice>) {
    in_place(context, list);
    recompute(context, list);
    split(context, list);
    unused(context, list);
}

/// Whether each element of the output depends on the element of the input at its place only.
fn is_elementwise(op: BuiltinOp) -> bool {
    matches!(
        op,
        BuiltinOp::ABS
            | BuiltinOp::ADD
            | BuiltinOp::CEIL
            | BuiltinOp::COS
            | BuiltinOp::DIV
            | BuiltinOp::ELU
            | BuiltinOp::EXP
            | BuiltinOp::FLOOR
            | BuiltinOp::GELU
            | BuiltinOp::HARD_SWISH
            | BuiltinOp::LEAKY_RELU
            | BuiltinOp::LOG
            | BuiltinOp::LOGICAL_AND
            | BuiltinOp::LOGICAL_NOT
            | BuiltinOp::LOGICAL_OR
            | BuiltinOp::LOGISTIC
            | BuiltinOp::MAXIMUM
            | BuiltinOp::MINIMUM
            | BuiltinOp::MUL
            | BuiltinOp::NEG
            | BuiltinOp::POW
            | BuiltinOp::PRELU
            | BuiltinOp::RELU
            | BuiltinOp::RELU6
            | BuiltinOp::RELU_N1_TO_1
            | BuiltinOp::RELU_0_TO_1
            | BuiltinOp::ROUND
            | BuiltinOp::RSQRT
            | BuiltinOp::SIN
            | BuiltinOp::SQRT
            | BuiltinOp::SQUARE
            | BuiltinOp::SQUARED_DIFFERENCE
            | BuiltinOp::SUB
            | BuiltinOp::TANH
            | BuiltinOp::QUANTIZE
    ) || keeps_contents(op)
}

/// Whether the output's bytes are the input's.
fn keeps_contents(op: BuiltinOp) -> bool {
    matches!(op, BuiltinOp::RESHAPE | BuiltinOp::SQUEEZE | BuiltinOp::EXPAND_DIMS | BuiltinOp::BITCAST)
}

/// Whether the operator costs little, so that running it twice is no great loss.
fn is_cheap(op: BuiltinOp) -> bool {
    is_elementwise(op)
        || matches!(
            op,
            BuiltinOp::CONCATENATION
                | BuiltinOp::DEQUANTIZE
                | BuiltinOp::PAD
                | BuiltinOp::PADV2
                | BuiltinOp::CAST
                | BuiltinOp::RESIZE_NEAREST_NEIGHBOR
                | BuiltinOp::SLICE
                | BuiltinOp::SPLIT
                | BuiltinOp::STRIDED_SLICE
                | BuiltinOp::TRANSPOSE
                | BuiltinOp::MAX_POOL_2D
                | BuiltinOp::AVERAGE_POOL_2D
                | BuiltinOp::GATHER
        )
}

/// Whether an output row needs only a few input rows, so that the work can be done in halves.
fn is_local(op: BuiltinOp) -> bool {
    (is_elementwise(op) && !keeps_contents(op))
        || matches!(
            op,
            BuiltinOp::CONV_2D
                | BuiltinOp::DEPTHWISE_CONV_2D
                | BuiltinOp::MAX_POOL_2D
                | BuiltinOp::AVERAGE_POOL_2D
                | BuiltinOp::PAD
                | BuiltinOp::RESIZE_NEAREST_NEIGHBOR
                | BuiltinOp::RESIZE_BILINEAR
        )
}

/// All operators that could write over an input do so at once; those at the peak are named.
fn in_place(context: &Context<'_>, list: &mut Vec<Advice>) {
    // Per request that gives its bytes up: the one whose bytes it takes (followed to the end of the chain).
    let mut root_of: BTreeMap<RequestId, RequestId> = BTreeMap::new();
    let mut change = WhatIf::default();
    let mut pairs = Vec::new();
    for moment in context.moments.iter().filter(|moment| is_elementwise(moment.builtin)) {
        let [output] = moment.writes.as_slice() else { continue };
        let Some((made, out)) = context.tensor_request(*output) else { continue };
        let fits = |input: &&BufferId| {
            let request = context.tensor_request(**input).map(|(_, request)| request);
            // In place only where the input dies here, and the output has no bytes of its own yet.
            **input != *output
                && out.live.first() == moment.tick
                && context.program.buffer(**input).role != Role::Variable
                && request.is_some_and(|one| one.size_bytes == out.size_bytes && one.live.last() == moment.tick)
        };
        let Some(input) = moment.reads.iter().find(fits) else { continue };
        let Some((taken, one)) = context.tensor_request(*input) else { continue };
        let root = root_of.get(&taken).copied().unwrap_or(taken);
        root_of.insert(made, root);
        let span = change.spans.get(&root).copied().unwrap_or(one.live);
        change.spans.insert(root, span.hull(out.live));
        change.gone.insert(made);
        if context.base.peak == Some(moment.tick) {
            pairs.push((moment, *input, *output));
        }
    }
    if pairs.is_empty() {
        return;
    }
    let Some(bytes) = context.try_out(&change) else { return };
    let (moment, input, output) = pairs[0];
    let sentence = format!(
        "{} could write {} over {}: with a kernel that works in place the arena falls, here and wherever else one could",
        context.op_name(moment.op),
        context.name(output),
        context.name(input)
    );
    let advice = context.advice(Kind::InPlace, bytes, sentence);
    list.push(Advice { buffers: vec![input, output], ops: vec![moment.op], ..advice });
}

/// Tensors held over the peak are dropped after their last reader before it and made again before the next.
fn recompute(context: &Context<'_>, list: &mut Vec<Advice>) {
    let Some(peak) = context.base.peak else { return };
    for buffer in context.base.at_peak() {
        let Some((id, request)) = context.tensor_request(buffer) else { continue };
        let uses = context.uses(buffer);
        let [maker] = uses.made_by.as_slice() else { continue };
        let made = &context.moments[*maker];
        let ticks = || uses.read_by.iter().map(|reader| context.moments[*reader].tick);
        if !is_cheap(made.builtin) || made.tick >= peak || ticks().any(|tick| tick == peak) {
            continue;
        }
        let last_before = ticks().filter(|tick| *tick < peak).max().unwrap_or(made.tick);
        let Some(next) = ticks().filter(|tick| *tick > peak).min() else { continue };
        let mut change = WhatIf::default();
        change.spans.insert(id, Span::from_inclusive(request.live.first(), last_before));
        let again = Span::from_inclusive(next, request.live.last().max(next));
        change.more.push(Request::new(request.size_bytes, again));
        // What it is made of must still be there.
        for input in &made.reads {
            if let Some((input, needed)) = context.base.request(*input) {
                change.spans.insert(input, needed.live.hull(Span::from_inclusive(next, next)));
            }
        }
        if let Some(bytes) = context.try_out(&change) {
            let reader = context.moments.iter().find(|moment| moment.tick == next);
            let reader = reader.map(|moment| context.op_name(moment.op)).unwrap_or_default();
            let sentence = format!(
                "{} is only kept over the peak: run {} once more, right before {reader}, instead",
                context.name(buffer),
                context.op_name(made.op)
            );
            let advice = context.advice(Kind::Recompute, bytes, sentence);
            list.push(Advice { buffers: vec![buffer], ops: vec![made.op], ..advice });
        }
    }
}

/// A tensor between two operators that work row by row, made and used in two halves.
fn split(context: &Context<'_>, list: &mut Vec<Advice>) {
    let Some(peak) = context.peak_moment() else { return };
    let touched = context.base.at_peak();
    let touched = touched.iter().filter(|buffer| peak.reads.contains(buffer) || peak.writes.contains(buffer));
    for buffer in touched.take(MAX_TENSORS) {
        let Some((id, request)) = context.tensor_request(*buffer) else { continue };
        let uses = context.uses(*buffer);
        let ([maker], [reader]) = (uses.made_by.as_slice(), uses.read_by.as_slice()) else { continue };
        let (maker, reader) = (&context.moments[*maker], &context.moments[*reader]);
        let shape = &context.program.buffer(*buffer).shape;
        let has_rows = matches!(shape.as_slice(), [_, rows, _, _] if *rows > 1);
        if !has_rows || !is_local(maker.builtin) || !is_local(reader.builtin) {
            continue;
        }
        let half = context.rounded(request.size_bytes.div_ceil(2));
        if let Some(bytes) = context.try_out(&WhatIf::resized(id, half)) {
            let sentence = format!(
                "make and use {} in two halves of rows: {} and {} then run twice (rows that both halves need come on top)",
                context.name(*buffer),
                context.op_name(maker.op),
                context.op_name(reader.op)
            );
            let advice = context.advice(Kind::Split, bytes, sentence);
            list.push(Advice { buffers: vec![*buffer], ops: vec![maker.op, reader.op], ..advice });
        }
    }
}

/// Tensors that nothing makes or reads still take bytes in TFLite-Micro.
fn unused(context: &Context<'_>, list: &mut Vec<Advice>) {
    let is_unused = |buffer: &BufferId| context.program.buffer(*buffer).causes.contains(&Cause::NeverUsed);
    let buffers: Vec<BufferId> = context.base.arena.buffers.iter().copied().filter(is_unused).collect();
    if buffers.is_empty() {
        return;
    }
    let gone = buffers.iter().filter_map(|buffer| context.base.request(*buffer).map(|(id, _)| id)).collect();
    let Some(bytes) = context.try_out(&WhatIf { gone, ..WhatIf::default() }) else { return };
    let names: Vec<String> = buffers.iter().map(|buffer| context.name(*buffer)).collect();
    let sentence = format!("remove what nothing makes or reads, but the runtime plans: {}", words::list(&names, 3));
    list.push(Advice { buffers, ..context.advice(Kind::UnusedTensors, bytes, sentence) });
}
