//! Chooses where an axis is marked: bytes at multiples of a power of two, steps at multiples of 1, 2, 5, 10 ….

use crate::chart::format;
use crate::chart::viewport::Range;

/// More marks than this no axis needs; it also bounds the work for absurd sizes.
const MAX_TICKS: u64 = 4_000;

/// One mark of an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// The byte or step it marks.
    pub value: u64,
    /// Where it stands on the axis: a byte at its value, a step in the middle of its column.
    pub at: f64,
    /// Its text.
    pub label: String,
}

/// Marks of the byte axis, at most one every `spacing_px` pixels.
pub fn bytes(range: Range, length_px: f64, spacing_px: f64, hex: bool) -> Vec<Tick> {
    let wanted = (range.length() / (length_px / spacing_px.max(1.0)).max(1.0)).max(1.0);
    let mut distance = 1_u64;
    while (distance as f64) < wanted && distance < 1 << 60 {
        distance *= 2;
    }
    let label = |value| if hex { format::hex(value) } else { format::tick(value, distance) };
    multiples(range, distance).map(|value| Tick { value, at: value as f64, label: label(value) }).collect()
}

/// Marks of the step axis, at most one every `spacing_px` pixels. `first_label` is added to a step to print it.
pub fn steps(range: Range, ticks: u32, first_label: i64, length_px: f64, spacing_px: f64) -> Vec<Tick> {
    let distance = round_distance(range, length_px, spacing_px);
    // A column is marked in its middle, so its middle must be in range.
    let middles = Range::between(range.low() - 0.5, range.high() - 0.5);
    // Round numbers are those printed, which may be one off the step.
    let shift = first_label.rem_euclid(distance as i64) as u64;
    multiples(middles.shifted(shift as f64), distance)
        .filter_map(|value| value.checked_sub(shift))
        .filter(|step| *step < u64::from(ticks))
        .map(|step| Tick { value: step, at: step as f64 + 0.5, label: (step as i64 + first_label).to_string() })
        .collect()
}

/// Marks of an axis of plain numbers, at most one every `spacing_px` pixels.
pub fn numbers(range: Range, length_px: f64, spacing_px: f64) -> Vec<Tick> {
    multiples(range, round_distance(range, length_px, spacing_px))
        .map(|value| Tick { value, at: value as f64, label: format::grouped(value) })
        .collect()
}

/// 1, 2, 5, 10, 20, 50 …: the first with which marks are far enough apart.
fn round_distance(range: Range, length_px: f64, spacing_px: f64) -> u64 {
    let wanted = (range.length() / (length_px / spacing_px.max(1.0)).max(1.0)).max(1.0);
    let (mut distance, mut ratios) = (1_u64, [2_f64, 2.5, 2.0].into_iter().cycle());
    while (distance as f64) < wanted && distance < 1 << 40 {
        distance = (distance as f64 * ratios.next().unwrap_or(2.0)).round() as u64;
    }
    distance
}

fn multiples(range: Range, distance: u64) -> impl Iterator<Item = u64> {
    let first = (range.low().max(0.0) / distance as f64).ceil() as u64;
    let last = (range.high() / distance as f64).floor();
    let count = if last < first as f64 { 0 } else { (last as u64 - first + 1).min(MAX_TICKS) };
    (0..count).map(move |index| (first + index) * distance)
}
