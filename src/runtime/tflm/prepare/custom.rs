//! The custom operators that TFLite-Micro brings along.

use super::super::machine::{Check, Stop, ensure, product};
use super::super::node::{Node, View};
use super::checks::{constant, required};
use super::signal;
use crate::model::DataType;

/// `Prepare` of a custom operator; `temps` are its first temporary structs.
pub(super) fn prepare(node: &mut Node<'_, '_>, name: &str, temps: &str) -> Check {
    match name {
        "ethos-u" => return ethos_u(node),
        "TFLM_DECODE" => return decode(node),
        _ => {}
    }
    let views = node.views(temps)?;
    match name {
        "TFLite_Detection_PostProcess" => detection(node, &views),
        "CIRCULAR_BUFFER" => {
            let [input, output] = required(&views)?;
            ensure(input.dtype() == DataType::Int8 && output.dtype() == DataType::Int8, "a tensor is not 8-bit")
        }
        _ => signal::prepare(node, name, &views),
    }
}

/// An operator of Arm's Ethos-U: the command stream is its first input.
fn ethos_u(node: &mut Node<'_, '_>) -> Check {
    ensure(!node.op.inputs.is_empty(), "it has no inputs")?;
    let addresses = (node.op.inputs.len() + node.op.outputs.len()) as u64;
    let pointer = node.machine.structs.pointer;
    node.scratch("base addresses", product(&[8, addresses])?)?;
    node.scratch("base address sizes", product(&[pointer, addresses])?)?;
    node.input(0)?;
    Ok(())
}

/// `TFLite_Detection_PostProcess`.
fn detection(node: &mut Node<'_, '_>, views: &[Option<View<'_>>]) -> Check {
    let [boxes, scores, anchors] = required(views)?;
    ensure(node.op.inputs.len() == 3 && node.op.outputs.len() == 4, "it has not three inputs and four outputs")?;
    ensure(boxes.rank() == 3 && scores.rank() == 3 && anchors.rank() == 2, "an input has a wrong number of dims")?;
    let options = signal::flex(node).ok_or_else(|| Stop::crash("the operator's options cannot be read"))?;
    let option = |key: &str| options.get(key).and_then(|number| u64::try_from(number).ok()).unwrap_or(0);
    let (most, classes) = (option("max_detections"), option("num_classes"));
    let count = boxes.len(1)?;
    let requests = [
        ("active candidates", count),
        ("decoded boxes", product(&[16, count])?),
        ("scores", product(&[4, scores.len(1)?, scores.len(2)?])?),
        ("scores of one class", product(&[4, count])?),
        ("scores kept", product(&[4, count])?),
        ("scores after suppression", product(&[4, most, count])?),
        ("sorted scores", product(&[4, most, count])?),
        ("indices kept", product(&[4, count])?),
        ("sorted indices", product(&[4, most, count])?),
        ("class indices", product(&[4, classes.max(most), count])?),
        ("selected boxes", product(&[4, count.min(most), count])?),
    ];
    for (what, bytes) in requests {
        node.scratch(what, bytes)?;
    }
    Ok(())
}

/// `TFLM_DECODE`: decompresses weights before each run; one state object per output (`decode_state*.h`).
fn decode(node: &mut Node<'_, '_>) -> Check {
    let (inputs, outputs) = (node.op.inputs.len(), node.op.outputs.len());
    ensure(outputs > 0 && inputs == 2 * outputs, "it has not two inputs per output")?;
    let pointer = node.machine.structs.pointer;
    node.persistent_array("pointers to the decoders", outputs as u64, pointer)?;
    for index in 0..outputs {
        let packed = node.input(2 * index)?;
        let ancillary = node.input(2 * index + 1)?;
        let output = node.output(index)?;
        constant(&packed, "input")?;
        constant(&ancillary, "ancillary")?;
        let data = node.machine.constant(ancillary.at).unwrap_or_default();
        ensure(data.get(1) == Some(&1), "the compression's version is not 1")?;
        // Three pointers (vtable, context, profiler), then the fields of each kind.
        let bytes = match data.first() {
            Some(0) => 8 * pointer + pointer,
            Some(1) => 6 * pointer + pointer,
            Some(2) => 9 * pointer + pointer,
            _ => return Err(Stop::new("the compression is of an unknown kind")),
        };
        node.persistent("decoder", bytes);
        let symmetric = output.tensor.quantization.as_ref().is_none_or(|quantization| quantization.symmetric);
        if data.first() == Some(&2) && output.scales() > 1 && !symmetric {
            node.persistent("zero point per channel", output.scales());
        }
    }
    Ok(())
}
