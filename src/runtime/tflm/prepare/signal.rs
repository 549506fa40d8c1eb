//! The signal operators (`signal/micro/kernels`): state that `Init` or `Prepare` takes from the tail.

use super::super::machine::{Check, Stop, ensure, product};
use super::super::node::{Node, View};
use super::checks::{one_of, required};
use super::flex::Map;
use crate::limits;
use crate::model::{DataType, OpOptions};
use crate::runtime::Abi;

/// The operator's options as a `FlexBuffer`.
pub(super) fn flex<'m>(node: &Node<'_, 'm>) -> Option<Map<'m>> {
    let OpOptions::Custom { bytes } = node.options() else { return None };
    let machine = &node.machine;
    let range = usize::try_from(bytes.start).ok()?..usize::try_from(bytes.end).ok()?;
    Map::root(machine.bytes.get(range)?)
}

fn option(node: &Node<'_, '_>, index: usize) -> Check<u64> {
    let number = flex(node).and_then(|map| map.number(index)).and_then(|number| u64::try_from(number).ok());
    number.ok_or_else(|| Stop::crash("the operator's options cannot be read"))
}

/// The type in the options of an FFT or an overlap-add: bytes of one number.
fn element(node: &Node<'_, '_>) -> Check<u64> {
    match flex(node).and_then(|map| map.get("T")) {
        Some(7) => Ok(2),
        Some(0 | 2) => Ok(4),
        _ => Err(Stop::crash("the operator's options name no type it supports")),
    }
}

fn is_narrow(node: &Node<'_, '_>) -> bool {
    node.machine.abi != Abi::Lp64
}

/// Bytes of a circular buffer of `capacity` 16-bit samples.
fn circular(node: &Node<'_, '_>, capacity: u64) -> Check<u64> {
    let header = if is_narrow(node) { 24 } else { 40 };
    Ok(product(&[4, capacity])? + header)
}

/// Bytes of a kissfft plan for a real transform of `length` numbers of `element` bytes.
fn fft_state(node: &Node<'_, '_>, length: u64, element: u64) -> Check<u64> {
    let half = length / 2;
    let complex = 2 * element;
    let header = if is_narrow(node) { 12 } else { 24 };
    Ok(product(&[complex, half + half * 3 / 2])? + header + 264)
}

/// What `Init` allocates beyond the operator's own struct.
pub(super) fn init(node: &mut Node<'_, '_>, name: &str) -> Check {
    let (what, bytes) = match name {
        "SignalFilterBank" => ("work area", product(&[8, option(node, 0)? + 1])?),
        "SignalFilterBankSpectralSubtraction" => ("noise estimate", product(&[4, option(node, 4)?])?),
        "SignalRfft" | "SignalIrfft" => {
            let element = element(node)?;
            let mut bytes = fft_state(node, option(node, 1)?, element)?;
            if name == "SignalIrfft" && flex(node).and_then(|map| map.get("T")) == Some(0) {
                bytes += if is_narrow(node) { 8 } else { 16 };
            }
            ("state of the transform", bytes)
        }
        "SignalStacker" => {
            let [channels, left, right] = [option(node, 0)?, option(node, 1)?, option(node, 2)?];
            let frames = left.saturating_add(right).saturating_add(1);
            ("circular buffer", circular(node, product(&[channels, frames])?)?)
        }
        _ => return Ok(()),
    };
    node.init_data(what, bytes);
    Ok(())
}

/// `Prepare` of the signal operators that allocate there.
pub(super) fn prepare(node: &mut Node<'_, '_>, name: &str, views: &[Option<View<'_>>]) -> Check {
    match name {
        "SignalDelay" => {
            let [input] = required(views)?;
            one_of(input, &[DataType::Int16])?;
            let (frame, rows) = rows(node, input, 1)?;
            let capacity = frame + option(node, 0)?;
            delay_lines(node, rows, capacity)
        }
        "SignalFramer" => {
            let [input] = required(views)?;
            one_of(input, &[DataType::Int16])?;
            let (frame, rows) = rows(node, input, 1)?;
            let (size, step) = (option(node, 0)?, option(node, 1)?);
            ensure(step > 0 && frame >= step && frame % step == 0, "the input is no multiple of the frame step")?;
            delay_lines(node, rows, size.next_multiple_of(step))
        }
        "SignalOverlapAdd" => {
            let [input] = required(views)?;
            let (frame, rows) = rows(node, input, 2)?;
            let pointer = node.machine.structs.pointer;
            node.persistent_array("pointers to the states", rows, pointer)?;
            let bytes = product(&[frame, element(node)?])?;
            for _ in 0..rows {
                node.persistent("state of one channel", bytes);
            }
            Ok(())
        }
        "SignalRfft" => {
            let bytes = product(&[option(node, 1)?, element(node)?])?;
            node.scratch("windowed samples", bytes)
        }
        _ => Ok(()),
    }
}

/// The innermost length, and how many such rows there are besides `inner` innermost dims.
fn rows(node: &Node<'_, '_>, input: &View<'_>, inner: usize) -> Check<(u64, u64)> {
    ensure(input.rank() >= inner, "the input has too few dims")?;
    let frame = input.len(input.rank() - 1)?;
    let mut block = 1;
    for index in input.rank() - inner..input.rank() {
        block = product(&[block, input.len(index)?])?;
    }
    if block == 0 {
        return Err(Stop::crash("the input is empty"));
    }
    let rows = input.elements()? / block;
    let allocations = rows.saturating_add(node.machine.events.len() as u64);
    ensure(allocations <= limits::MAX_MICRO_ALLOCATIONS, "a state for every channel is more than any memory")?;
    Ok((frame, rows))
}

fn delay_lines(node: &mut Node<'_, '_>, rows: u64, capacity: u64) -> Check {
    let pointer = node.machine.structs.pointer;
    node.persistent_array("pointers to the states", rows, pointer)?;
    node.persistent_array("pointers to the circular buffers", rows, pointer)?;
    let bytes = circular(node, capacity)?;
    for _ in 0..rows {
        node.persistent("circular buffer", bytes);
    }
    Ok(())
}
