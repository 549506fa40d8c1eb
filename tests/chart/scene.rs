//! What a scene holds: gaps, live bytes, peak, shares, hit tests.

use arenascope::chart::{Gap, GapKind, Scene, pack, unpack};
use arenascope::units::{BufferId, Step};
use proptest::prelude::*;

use crate::{rows_strategy, scene_of};

/// A picture of a scene: one column per step, one row per `unit` bytes, highest first; gaps are `.` (padding `,`),
/// headroom is a space.
fn picture(scene: &Scene, unit: u64) -> String {
    let mut text = String::new();
    for row in (0..scene.height_bytes.div_ceil(unit)).rev() {
        text.push('|');
        for step in (0..scene.clock.ticks).map(Step) {
            let found = scene.box_at(step, row * unit);
            let gap = scene.gap_at(step, row * unit).map(|gap| gap.kind);
            text.push(match (found, gap) {
                (Some(id), _) => scene.boxes[id as usize].name.chars().next().unwrap(),
                (None, Some(GapKind::Padding)) => ',',
                (None, Some(GapKind::Enclosed)) => '.',
                (None, Some(GapKind::Headroom)) => ' ',
                (None, None) => '?',
            });
        }
        text.push_str("|\n");
    }
    text
}

fn check(rows: crate::Rows<'_>, ticks: u32, alignment: u64, expected: &str) -> Scene {
    let scene = scene_of(rows, ticks, alignment);
    let expected = expected.lines().map(str::trim_start).collect::<Vec<_>>().join("\n");
    assert_eq!(picture(&scene, 16).trim_end(), expected);
    scene
}

#[test]
fn gaps_are_told_apart() {
    let scene = check(
        &[(0, 2, 0, 32), (1, 4, 64, 32), (2, 3, 0, 16), (3, 4, 32, 24)],
        5,
        16,
        "| BBB |
         | BBB |
         | ..D |
         | ..D |
         |AA.. |
         |AAC. |",
    );
    assert_eq!(scene.live_bytes, [32, 64, 48, 56, 0]);
    let padding: Vec<&Gap> = scene.gaps.iter().filter(|gap| gap.kind == GapKind::Padding).collect();
    assert_eq!(padding.len(), 1, "the 8 bytes above D");
    assert_eq!((padding[0].offset_bytes, padding[0].size_bytes), (56, 8));
}

#[test]
fn a_gap_that_nothing_touches_is_one_rectangle() {
    let scene = scene_of(&[(0, 9, 64, 16), (1, 3, 0, 16), (4, 6, 0, 16)], 9, 16);
    let upper: Vec<&Gap> = scene.gaps.iter().filter(|gap| gap.offset_bytes == 16).collect();
    assert_eq!(upper.len(), 2, "beside each of the two lower boxes");
    let whole: Vec<(u32, u32)> = scene
        .gaps
        .iter()
        .filter(|gap| gap.offset_bytes == 0)
        .map(|gap| (gap.steps.first().0, gap.steps.end().0))
        .collect();
    assert_eq!(whole, [(0, 1), (3, 4), (6, 9)]);
}

#[test]
fn peak_lists_the_tensors_alive_largest_first() {
    let rows = [(0, 2, 0, 2), (1, 3, 8, 3), (2, 4, 16, 4), (3, 5, 24, 6), (4, 6, 32, 2), (5, 8, 40, 5), (3, 7, 48, 8)];
    let scene = scene_of(&rows, 8, 1);
    let peak = scene.peak.as_ref().unwrap();
    assert_eq!((peak.step, peak.live_bytes, scene.lower_bound_bytes), (Step(3), 18, 18));
    assert_eq!(peak.boxes, [6, 3, 2]);
}

#[test]
fn the_small_picture_of_live_bytes_keeps_every_peak() {
    let scene = scene_of(crate::SEVEN, 8, 64);
    let mib = |parts| scene.live_peaks(parts).iter().map(|bytes| bytes >> 20).collect::<Vec<_>>();
    assert_eq!(mib(8), [2, 5, 7, 18, 16, 15, 13, 5]);
    assert_eq!(mib(3), [5, 18, 15]);
    assert_eq!(mib(1), [18]);
    assert_eq!(mib(100), mib(8));
    assert!(scene.live_peaks(0).is_empty() && scene_of(&[], 0, 16).live_peaks(5).is_empty());
}

#[test]
fn an_empty_scene_has_nothing_and_an_extent() {
    let scene = scene_of(&[], 0, 16);
    assert!(scene.peak.is_none() && scene.gaps.is_empty() && scene.box_at(Step(0), 0).is_none());
    assert!(scene.extent().steps.length() > 0.0 && scene.extent().bytes.length() > 0.0);
    assert_eq!(scene.above(Step(0), None), None);
}

#[test]
fn fifteen_thousand_kept_tensors_are_indexed_at_once() {
    let rows: Vec<_> = (0..15_000_u32).map(|step| (step, 15_000, u64::from(step) * 64, 64)).collect();
    let scene = scene_of(&rows, 15_000, 64);
    assert_eq!(scene.live_bytes[14_999], 960_000);
    assert_eq!(scene.box_at(Step(14_999), 640_000), Some(10_000));
    assert_eq!(scene.box_at(Step(9_999), 640_000), None);
    assert_eq!(scene.gaps.len(), 14_999);
}

proptest! {
    #[test]
    fn hit_agrees_with_a_linear_scan(rows in rows_strategy(), step in 0_u32..55, byte in 0_u64..950) {
        let scene = scene_of(&rows, 52, 16);
        let covers = |id: &&u32| {
            let item = &scene.boxes[**id as usize];
            item.live.contains(Step(step)) && item.offset_bytes <= byte && byte < item.end_bytes()
        };
        let scan = scene.paint_order.iter().rev().find(covers).copied();
        prop_assert_eq!(scene.box_at(Step(step), byte), scan);
    }

    #[test]
    fn every_byte_of_every_step_is_a_box_or_one_gap(rows in rows_strategy()) {
        let scene = scene_of(&rows, 52, 16);
        for step in (0..52).map(Step) {
            for byte in (0..scene.height_bytes).step_by(7) {
                let gaps = scene.gaps.iter().filter(|gap| {
                    gap.steps.contains(step) && gap.offset_bytes <= byte && byte < gap.end_bytes()
                });
                let expected = usize::from(scene.box_at(step, byte).is_none());
                prop_assert_eq!(gaps.count(), expected, "step {} byte {}", step, byte);
            }
        }
    }

    #[test]
    fn neighbours_walk_through_all_that_are_alive(rows in rows_strategy(), step in 0_u32..52) {
        let scene = scene_of(&rows, 52, 16);
        let step = Step(step);
        let up: Vec<u32> = std::iter::successors(scene.above(step, None), |id| scene.above(step, Some(*id))).collect();
        let mut down: Vec<u32> = std::iter::successors(scene.below(step, None), |id| scene.below(step, Some(*id))).collect();
        down.reverse();
        prop_assert_eq!(&up, &scene.alive_at(step));
        prop_assert_eq!(&up, &down);
        let bytes: u64 = up.iter().map(|id| scene.boxes[*id as usize].size_bytes).sum();
        prop_assert_eq!(bytes, scene.live_bytes[step.index()]);
    }

    #[test]
    fn shares_are_counted(rows in rows_strategy()) {
        let scene = scene_of(&rows, 52, 16);
        for (id, item) in scene.boxes.iter().enumerate() {
            let others = scene.boxes.iter().enumerate().filter(|(other, that)| {
                *other != id && that.offset_bytes < item.end_bytes() && item.offset_bytes < that.end_bytes()
            });
            prop_assert_eq!(item.share_count as usize, others.count());
        }
    }
}

#[test]
fn a_scene_travels_as_bytes() {
    let mut scene = scene_of(crate::SEVEN, 9, 16);
    scene.budget_bytes = Some(1 << 30);
    scene.clock.first_label = -1;
    scene.clock.names = vec!["ADD".into(), String::new(), "名".into()];
    scene.boxes[2].name = "a/\u{202e}\"名".into();
    scene.boxes[2].aliases = vec![BufferId(7), BufferId(9)];
    scene.boxes[3].buffer = Some(BufferId(4));
    let bytes = pack(&scene);
    assert_eq!(format!("{:?}", unpack(&bytes).unwrap()), format!("{scene:?}"));
    let nothing = scene_of(&[], 0, 16);
    assert_eq!(format!("{:?}", unpack(&pack(&nothing)).unwrap()), format!("{nothing:?}"));
    for end in 0..bytes.len() {
        assert!(unpack(&bytes[..end]).is_err(), "cut at {end}");
    }
}
