//! Two scenes beside and over each other: every box of both is told once, and the map shows where bytes differ.

use std::collections::BTreeSet;

use arenascope::chart::theme::LIGHT;
use arenascope::chart::{
    Caption, Change, Comparison, Picture, Pixels, Scene, Style, compare_svg, difference_raster, overlay_svg,
};
use proptest::prelude::*;

use crate::svg::{assert_well_formed, caption, check};
use crate::{SEVEN, rows_strategy, scene_of};

/// The seven tensors as the first planner that comes to mind would place them.
fn worse() -> Scene {
    let mut rows = SEVEN.to_vec();
    rows[2].2 = 16 << 20;
    rows[4].2 = 20 << 20;
    rows[6].2 = 6 << 20;
    scene_of(&rows, 8, 64)
}

#[test]
fn changes_are_told_apart() {
    use Change::{Added, Changed, Moved, Removed, Same};
    let (before, mut after) = (worse(), scene_of(SEVEN, 8, 64));
    after.boxes[0].name = "renamed".into();
    after.boxes[0].reference = "renamed".into();
    after.boxes[1].reference = "t99".into();
    after.boxes[3].size_bytes += 64;
    let comparison = Comparison::new(&before, &after);
    let changes: Vec<Change> = comparison.differences.iter().map(|difference| difference.change).collect();
    assert_eq!(changes, [Added, Same, Moved, Changed, Moved, Same, Same, Removed]);
    assert_eq!(comparison.differences[7].before, Some(0));
    assert_eq!(comparison.count(Moved), 2);
    assert_eq!((comparison.arena_bytes, comparison.peak_bytes), (-(4 << 20), 0));
}

#[test]
fn equal_names_pair_up_in_order() {
    let mut scene = scene_of(SEVEN, 8, 64);
    for item in &mut scene.boxes {
        item.name = "same".into();
        item.reference = "t".into();
    }
    let comparison = Comparison::new(&scene, &scene);
    assert_eq!(comparison.count(Change::Same), 7);
    assert!(comparison.differences.iter().all(|difference| difference.before == difference.after));
}

#[test]
fn the_map_marks_bytes_that_only_one_side_uses() {
    let (before, after) = (scene_of(&[(0, 2, 0, 32)], 4, 16), scene_of(&[(1, 4, 0, 16)], 4, 16));
    let pixels = Pixels::new(32, 16, 1.0);
    let rgba = difference_raster(&before, &after, &before.extent(), &Style::default(), pixels);
    let at = |x: usize, y: usize| &rgba[(y * 32 + x) * 4..][..3];
    let is = |pixel: &[u8], colour: arenascope::chart::Colour| pixel == [colour.red, colour.green, colour.blue];
    let (old, new) = (LIGHT.plot.mixed(LIGHT.dying, 0.35), LIGHT.plot.mixed(LIGHT.born, 0.35));
    assert!(is(at(4, 14), old) || is(at(4, 14), LIGHT.dying), "only before: {:?}", at(4, 14));
    assert!(is(at(12, 14), LIGHT.dimmed), "both");
    assert!(is(at(12, 4), old) || is(at(12, 4), LIGHT.dying), "the upper half is free now");
    assert!(is(at(25, 14), new) || is(at(25, 14), LIGHT.born), "only after");
    assert!(is(at(25, 4), LIGHT.plot), "neither");
}

#[test]
fn before_and_after_in_one_chart() {
    let (before, after, style) = (worse(), scene_of(SEVEN, 8, 64), Style::default());
    let earlier = Caption { planner: "planner first".into(), ..caption() };
    let caption = Caption { against: earlier.facts_before(&before, &style.words), ..caption() };
    let viewport = Comparison::new(&before, &after).extent;
    let later = Picture { viewport, ..Picture::whole(&after, &style, &caption) };
    let document = overlay_svg(&later, &before, 900, 480);
    assert_well_formed(&document);
    check("overlay.svg", &document);
    assert!(document.contains("before: seven.json") && document.contains("planner first"), "both captions");
    let alone = Caption { against: Vec::new(), ..caption.clone() };
    let later = Picture { caption: &alone, ..later };
    let earlier = Picture { viewport, ..Picture::whole(&before, &style, &earlier) };
    let document = compare_svg(&earlier, &later, 800, 900);
    assert_well_formed(&document);
    check("compare.svg", &document);
    assert!(document.contains("planner first") && document.contains("planner by-size"), "both captions");
    let wide = compare_svg(&earlier, &later, 1600, 760);
    assert_well_formed(&wide);
    check("compare-wide.svg", &wide);
    let [one, two] = [(&earlier, &later), (&later, &earlier)]
        .map(|(picture, other)| Picture { beside: Some((other.scene, other.caption)), ..*picture }.frame(800, 760));
    assert_eq!(one.plot, two.plot, "axes in step");
}

#[test]
fn another_clock_keeps_bytes_and_the_peak() {
    // One step more at the front, and steps 2 and 3 in one column.
    let scene = scene_of(SEVEN, 8, 64);
    let columns = [Some(1), Some(2), Some(3), None, Some(5), Some(6), Some(7), Some(8)];
    let told = scene.on_clock(&columns, 9);
    assert_eq!((told.height_bytes, told.clock.ticks), (scene.height_bytes, 9));
    let peak = |scene: &Scene| scene.peak.clone().map(|peak| (peak.live_bytes, scene.step_label(peak.step)));
    assert_eq!((peak(&told), told.peak.as_ref().map(|peak| peak.step.0)), (peak(&scene), Some(3)));
    let lives: Vec<_> = told.boxes.iter().map(|item| (item.live.first().0, item.live.end().0)).collect();
    assert_eq!(lives[..4], [(1, 3), (2, 4), (3, 4), (5, 6)]);
    assert_eq!(told.live_bytes.iter().max(), scene.live_bytes.iter().max());
    assert_eq!(told.live_bytes[0], 0);
    assert_eq!(scene.on_clock(&[], 9).clock, scene.clock, "no step has a column");
}

proptest! {
    #[test]
    fn any_clock_gives_a_sound_scene(rows in rows_strategy(), columns in proptest::collection::vec(proptest::option::of(0_u32..60), 0..60), ticks in 1_u32..60) {
        let scene = scene_of(&rows, 52, 16);
        let told = scene.on_clock(&columns, ticks);
        prop_assert_eq!(told.boxes.len(), scene.boxes.len());
        prop_assert!(told.boxes.iter().all(|item| item.live.end().0 <= told.clock.ticks));
        prop_assert_eq!(told.live_bytes.len(), told.clock.ticks as usize);
        let most = |scene: &Scene| scene.peak.as_ref().map_or(0, |peak| peak.live_bytes);
        prop_assert_eq!(most(&told), most(&scene));
    }

    #[test]
    fn every_box_of_both_is_told_once(a in rows_strategy(), b in rows_strategy()) {
        let (before, after) = (scene_of(&a, 52, 16), scene_of(&b, 52, 16));
        let comparison = Comparison::new(&before, &after);
        let old: BTreeSet<u32> = comparison.differences.iter().filter_map(|difference| difference.before).collect();
        let new: BTreeSet<u32> = comparison.differences.iter().filter_map(|difference| difference.after).collect();
        prop_assert_eq!(old.len(), a.len());
        prop_assert_eq!(new.len(), b.len());
        let paired = comparison.differences.iter().filter(|d| d.before.is_some() && d.after.is_some()).count();
        prop_assert_eq!(comparison.differences.len(), a.len() + b.len() - paired);
        for (view, whole) in [(comparison.extent, before.extent()), (comparison.extent, after.extent())] {
            prop_assert!(view.steps.high() >= whole.steps.high() && view.bytes.high() >= whole.bytes.high());
        }
    }
}
