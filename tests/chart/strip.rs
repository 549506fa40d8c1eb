//! Strips of memory: marks of birth and death, free bytes between segments, no segment without pixels.

use arenascope::chart::strip::{Mark, Segment, filled, now, px_from_segments};
use arenascope::chart::{Strip, Style, strips_svg};
use arenascope::units::Step;
use proptest::prelude::*;

use crate::svg::{assert_well_formed, check};
use crate::{SEVEN, rows_strategy, scene_of};

/// Offset, size and sign of each segment.
fn told(segments: &[Segment]) -> Vec<String> {
    let sign = |mark| match mark {
        Mark::Stays => "",
        Mark::Born => "+",
        Mark::Dying => "-",
        Mark::Passing => "±",
    };
    let tell = |segment: &Segment| {
        let label = if segment.paint.is_none() { "free" } else { &segment.label };
        format!("{}{label} {}..{}", sign(segment.mark), segment.offset_bytes >> 20, segment.end_bytes() >> 20)
    };
    segments.iter().map(tell).collect()
}

#[test]
fn the_arena_now_shows_births_and_deaths() {
    let scene = scene_of(SEVEN, 8, 64);
    assert_eq!(told(&now(&scene, Step(3))), ["+D 0..6", "+G 6..14", "-C 14..18"]);
    assert_eq!(told(&now(&scene, Step(2))), ["-B 0..3", "free 3..14", "+C 14..18"]);
    assert_eq!(told(&now(&scene, Step(7))), ["-F 0..5", "free 5..18"]);
    assert_eq!(told(&now(&scene, Step(99))), ["free 0..18"]);
    let short = scene_of(&[(1, 2, 0, 1 << 20)], 3, 16);
    assert_eq!(told(&now(&short, Step(1))), ["±A 0..1"]);
}

/// A TFLite-Micro arena with head, temporary part and tail.
fn micro() -> Vec<Segment> {
    let parts = [
        (0, 54_000, "planned tensors", "head", 0),
        (54_000, 1_200, "planner", "temporary", 3),
        (70_000, 16, "op data", "kernel data", 1),
        (70_016, 3_000, "tensor structs", "structs", 4),
        (73_016, 8, "x", "kernel data", 1),
        (73_024, 0, "nothing", "kernel data", 1),
    ];
    let parts = parts.map(|(offset, size, label, category, rank)| Segment::new(offset, size, label, category, rank));
    filled(parts.to_vec(), 74_000)
}

#[test]
fn a_micro_arena_as_a_strip() {
    let segments = micro();
    let sizes: Vec<u64> = segments.iter().map(|segment| segment.size_bytes).collect();
    assert_eq!(sizes, [54_000, 1_200, 14_800, 16, 3_000, 8, 976]);
    let hostile = Segment::new(0, 10, "<b>\u{202e}", "a&b", 2);
    let strips = [
        Strip { title: "tensor arena".into(), segments },
        Strip { title: "<hostile>".into(), segments: vec![hostile] },
        Strip { title: "empty".into(), segments: Vec::new() },
    ];
    let document = strips_svg(&strips, &Style::default(), 720);
    assert_well_formed(&document);
    check("strips.svg", &document);
}

#[test]
fn segments_that_overlap_are_cut() {
    let segment = |offset: u64, size: u64| Segment::new(offset << 20, size << 20, "s", "c", 0);
    let all = filled(vec![segment(4, 4), segment(0, 6), segment(1, 2)], 0);
    assert_eq!(told(&all), ["s 0..6", "s 6..8"]);
}

proptest! {
    #[test]
    fn every_segment_has_its_pixels(sizes in proptest::collection::vec(1_u64..1_000_000, 1..60), width in 1_u32..500) {
        let mut at = 0;
        let mut segments = Vec::new();
        for size in &sizes {
            segments.push(Segment::new(at, *size, "", "", 0));
            at += size;
        }
        let edges = px_from_segments(&segments, width);
        let floor = 2.min(width as usize / segments.len()) as i32;
        prop_assert_eq!(edges[0].0, 0);
        prop_assert_eq!(edges.last().unwrap().1, width as i32);
        for pair in edges.windows(2) {
            prop_assert_eq!(pair[0].1, pair[1].0);
        }
        for (from, to) in edges {
            prop_assert!(to - from >= floor, "{} pixels", to - from);
        }
    }

    #[test]
    fn a_strip_covers_each_byte_once(rows in rows_strategy(), step in 0_u32..60) {
        let scene = scene_of(&rows, 52, 16);
        let mut at = 0;
        for segment in now(&scene, Step(step)) {
            prop_assert_eq!(segment.offset_bytes, at);
            prop_assert!(segment.size_bytes > 0);
            prop_assert_eq!(segment.paint.is_some(), scene.box_at(Step(step), at).is_some());
            at = segment.end_bytes();
        }
        prop_assert_eq!(at, scene.height_bytes);
    }
}
