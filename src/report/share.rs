//! Counts, for each buffer, how many others lie over at least one of the same bytes at another time.
//!
//! Those that share bytes at any time, less those that share bytes and a step. The first count is two look-ups in
//! sorted lists; the second walks the few neighbours alive at the buffer's birth. So a chain of 15,000 buffers in the
//! same bytes costs no quadratic work.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::units::Span;

/// A buffer's bytes and time in one arena.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Area {
    /// Its bytes; not empty.
    pub(super) bytes: Range<u64>,
    /// Its time.
    pub(super) live: Span,
}

/// For each area, how many others share a byte with it but no step.
pub(super) fn share_counts(areas: &[Area]) -> Vec<u64> {
    let (mut starts, mut ends): (Vec<_>, Vec<_>) = areas.iter().map(|area| (area.bytes.start, area.bytes.end)).unzip();
    starts.sort_unstable();
    ends.sort_unstable();
    let at_once = at_once(areas);
    let count = |(area, at_once): (&Area, u64)| {
        // All but those wholly below and wholly above; the area itself is among them and among `at_once`.
        let below = ends.partition_point(|end| *end <= area.bytes.start);
        let not_above = starts.partition_point(|start| *start < area.bytes.end);
        (not_above - below) as u64 - at_once
    };
    areas.iter().zip(at_once).map(count).collect()
}

/// For each area, how many share a byte and a step with it, itself included.
fn at_once(areas: &[Area]) -> Vec<u64> {
    let mut counts = vec![1; areas.len()];
    let mut events: Vec<_> = areas.iter().enumerate().map(|(index, area)| (area.live.first(), true, index)).collect();
    // Deaths (false) come before births at the same step, since an end is the first step without the bytes.
    events.extend(areas.iter().enumerate().map(|(index, area)| (area.live.end(), false, index)));
    events.sort_unstable();
    // What is alive, by start; a byte's owner lies at most `longest` below it.
    let mut alive: BTreeMap<(u64, usize), u64> = BTreeMap::new();
    let longest = areas.iter().map(|area| area.bytes.end - area.bytes.start).max().unwrap_or(0);
    for (_, is_birth, index) in events {
        let Range { start, end } = areas[index].bytes;
        if !is_birth {
            alive.remove(&(start, index));
            continue;
        }
        let near = (start.saturating_sub(longest), 0)..(end, 0);
        for ((_, other), _) in alive.range(near).filter(|(_, other_end)| **other_end > start) {
            counts[*other] += 1;
            counts[index] += 1;
        }
        alive.insert((start, index), end);
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::{Area, share_counts};
    use crate::units::{Span, Step};

    fn area(bytes: std::ops::Range<u64>, first: u32, last: u32) -> Area {
        Area { bytes, live: Span::from_inclusive(Step(first), Step(last)) }
    }

    #[test]
    fn counts_are_those_of_all_pairs() {
        let mut state = 3_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for _ in 0..300 {
            let areas: Vec<_> = (0..=random(12))
                .map(|_| {
                    let (start, first) = (random(20), u32::try_from(random(8)).unwrap_or(0));
                    area(start..start + 1 + random(9), first, first + u32::try_from(random(4)).unwrap_or(0))
                })
                .collect();
            let pairs = |a: &Area| {
                let shares =
                    |b: &&Area| a.bytes.start < b.bytes.end && b.bytes.start < a.bytes.end && !a.live.overlaps(b.live);
                areas.iter().filter(shares).count() as u64
            };
            assert_eq!(share_counts(&areas), areas.iter().map(pairs).collect::<Vec<_>>(), "{areas:?}");
        }
    }
}
