//! Viewports never degenerate, zoom keeps the point under the cursor, ticks are round and in range.

use arenascope::chart::{Viewport, format, ticks};
use proptest::prelude::*;

fn whole() -> Viewport {
    Viewport::new((0.0, 100.0), (0.0, 65_536.0))
}

fn any_number() -> impl Strategy<Value = f64> {
    prop_oneof![
        Just(f64::NAN),
        Just(f64::INFINITY),
        Just(f64::NEG_INFINITY),
        Just(0.0),
        -10.0..10.0_f64,
        -1e9..1e9_f64,
        Just(f64::MAX),
        Just(f64::MIN_POSITIVE)
    ]
}

fn assert_sound(view: &Viewport, whole: &Viewport) -> Result<(), TestCaseError> {
    for (part, all, min) in [(view.steps, whole.steps, 0.5), (view.bytes, whole.bytes, 16.0)] {
        prop_assert!(part.low().is_finite() && part.high().is_finite());
        prop_assert!(part.length() >= min - 1e-6, "{part:?} is shorter than {min}");
        prop_assert!(part.low() >= all.low() - 1e-6 && part.high() <= all.high() + 1e-6, "{part:?} is outside");
    }
    Ok(())
}

proptest! {
    #[test]
    fn nothing_makes_a_viewport_degenerate(moves in proptest::collection::vec((0..5_u8, any_number(), any_number(), any_number(), any_number()), 1..12)) {
        let whole = whole();
        let mut view = whole;
        for (kind, a, b, c, d) in moves {
            view = match kind {
                0 => view.zoom_steps(a, b, &whole),
                1 => view.zoom_bytes(a, b, &whole),
                2 => view.pan(a, b, &whole),
                3 => view.zoom_to((a, b), (c, d), &whole),
                _ => Viewport::new((a, b), (c, d)).clamp(&whole),
            };
            assert_sound(&view, &whole)?;
        }
    }

    #[test]
    fn zoom_keeps_the_point_under_the_cursor(factor in 0.2..0.99_f64, about in 0.0..1.0_f64) {
        let view = whole().zoom_steps(factor, about, &whole()).zoom_bytes(factor, about, &whole());
        prop_assert!((view.steps.value_at(about) - whole().steps.value_at(about)).abs() < 1e-9);
        prop_assert!((view.bytes.value_at(about) - whole().bytes.value_at(about)).abs() < 1e-6);
        let back = view.zoom_steps(1.0 / factor, about, &whole());
        prop_assert!((back.steps.length() - 100.0).abs() < 1e-9);
    }

    #[test]
    fn pixels_and_values_convert_both_ways(x in 0.0..900.0_f64, y in 0.0..500.0_f64) {
        let view = Viewport::new((3.0, 17.0), (1000.0, 9000.0));
        prop_assert!((view.px_from_step(view.step_from_px(x, 900.0), 900.0) - x).abs() < 1e-6);
        prop_assert!((view.px_from_byte(view.byte_from_px(y, 500.0), 500.0) - y).abs() < 1e-6);
    }

    #[test]
    fn ticks_are_in_range_round_and_not_crowded(low in 0.0..1e12_f64, length in 16.0..1e12_f64, px in 10.0..16_384.0_f64) {
        let range = Viewport::new((low / 1e6, (low + length) / 1e6), (low, low + length));
        let list = ticks::bytes(range.bytes, px, 40.0, false);
        prop_assert!(list.len() as f64 <= px / 40.0 + 2.0);
        for pair in list.windows(2) {
            let distance = pair[1].value - pair[0].value;
            prop_assert!(distance.is_power_of_two() && pair[0].value % distance == 0);
            prop_assert!(distance as f64 / range.bytes.length() * px >= 39.9);
            prop_assert!(list[list.len() - 1].at + distance as f64 > range.bytes.high(), "ticks reach the end");
        }
        let list = ticks::steps(range.steps, u32::MAX, -1, px, 40.0);
        prop_assert!(list.len() as f64 <= px / 40.0 + 2.0);
        for tick in list {
            prop_assert!(tick.at >= range.steps.low() && tick.at <= range.steps.high());
        }
    }
}

#[test]
fn byte_labels_are_exact_and_adaptive() {
    let cases = [
        (0, 64, "0"),
        (768, 256, "768 B"),
        (1024, 512, "1 KiB"),
        (1536, 512, "1.5 KiB"),
        (1280, 256, "1.25 KiB"),
        (1152, 128, "1,152 B"),
        (61_440, 1024, "60 KiB"),
        (1_310_720, 262_144, "1.25 MiB"),
        (2_031_616, 65_536, "1,984 KiB"),
        (3 << 30, 1 << 30, "3 GiB"),
    ];
    for (bytes, distance, expected) in cases {
        assert_eq!(format::tick(bytes, distance), expected);
    }
    assert_eq!(format::both(64_512), "63.0 KiB (64,512 B)");
    assert_eq!(format::both(100), "100 B");
    assert_eq!(format::adaptive(1_572_864), "1.50 MiB");
    assert_eq!(format::hex(61_440), "0xF000");
}

#[test]
fn step_labels_are_round_as_printed() {
    let labels = |first_label, length: f64| -> Vec<String> {
        let range = Viewport::new((0.0, length), (0.0, 16.0)).steps;
        ticks::steps(range, 1000, first_label, 500.0, 50.0).into_iter().map(|tick| tick.label).collect()
    };
    assert_eq!(labels(0, 10.0), ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]);
    assert_eq!(labels(0, 100.0), ["0", "10", "20", "30", "40", "50", "60", "70", "80", "90"]);
    assert_eq!(labels(-1, 50.0), ["0", "5", "10", "15", "20", "25", "30", "35", "40", "45"]);
}

#[test]
fn a_step_out_of_sight_is_revealed() {
    let view = Viewport::new((10.0, 20.0), (0.0, 100.0));
    assert_eq!(view.reveal_step(12, &whole()), view);
    assert!((view.reveal_step(30, &whole()).steps.high() - 31.0).abs() < 1e-9);
    assert!((view.reveal_step(4, &whole()).steps.low() - 4.0).abs() < 1e-9);
}

#[test]
fn a_box_out_of_sight_is_revealed() {
    let scene = crate::scene_of(crate::SEVEN, 8, 1);
    let item = &scene.boxes[0];
    let (first, end) = (f64::from(item.live.first().0), f64::from(item.live.end().0));
    let sees = |view: &Viewport| {
        view.steps.low() <= first && end <= view.steps.high() && view.bytes.low() <= item.offset_bytes as f64
    };
    let whole = scene.extent();
    assert_eq!(whole.reveal(item, &whole), whole, "all is in sight");
    let (steps, bytes) = (end - first + 0.5, item.size_bytes as f64 + 1.0);
    for (x, y) in [(0.0, 0.0), (6.0, 0.0), (0.0, 1e9), (6.0, 1e9)] {
        let view = Viewport::new((x, x + steps), (y, y + bytes)).clamp(&whole);
        let moved = view.reveal(item, &whole);
        assert!(sees(&moved), "{moved:?}");
        assert!((moved.steps.length() - view.steps.length()).abs() < 1e-9, "it zoomed");
    }
    // Of a box that is longer than the view some part is enough.
    let close = Viewport::new((first + 0.1, first + 0.3), (0.0, bytes)).clamp(&whole);
    assert_eq!(close.reveal(item, &whole).steps, close.steps);
}
