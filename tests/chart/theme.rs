//! Colours can be told apart and read: contrast in both themes, pattern or text beside every colour.

use arenascope::chart::colour::{OKABE_ITO, cividis};
use arenascope::chart::theme::{DARK, LIGHT, Theme};
use arenascope::chart::{ColourMode, Kind, Paint, Painter, Style};

use crate::{SEVEN, scene_of};

#[test]
fn text_and_lines_stand_out_from_their_background() {
    for theme in [&LIGHT, &DARK] {
        let Theme { page, plot, .. } = theme;
        for (colour, least, what) in [
            (theme.text, 7.0, "text"),
            (theme.faint_text, 4.5, "faint text"),
            (theme.peak, 4.5, "peak"),
            (theme.bound, 4.5, "bound"),
            (theme.budget, 4.5, "budget"),
            (theme.arena_top, 4.5, "arena"),
            (theme.cursor, 3.0, "cursor"),
            (theme.axis, 3.0, "axis"),
            (theme.selection, 3.0, "selection"),
            (theme.live_line, 3.0, "live line"),
            (theme.born, 4.5, "born"),
            (theme.dying, 4.5, "dying"),
        ] {
            for behind in [*page, *plot] {
                let contrast = colour.contrast(behind);
                assert!(contrast >= least, "{}: {what} has contrast {contrast:.2}", theme.name);
            }
        }
        assert!(theme.gap.contrast(*plot) >= 1.4 && theme.grid.contrast(*plot) >= 1.1, "{}", theme.name);
        assert_eq!(Theme::from_name(theme.name), Some(*theme).as_ref());
    }
}

#[test]
fn ink_reads_on_every_fill() {
    let scale = (0..=20).map(|step| cividis(f64::from(step) / 20.0));
    for fill in OKABE_ITO.into_iter().chain(scale).chain([LIGHT.dimmed, DARK.dimmed]) {
        assert!(fill.contrast(fill.ink()) >= 4.3, "{} has contrast {:.2}", fill.css(), fill.contrast(fill.ink()));
    }
}

#[test]
fn kinds_differ_in_pattern_as_well_as_in_colour() {
    let kinds: Vec<Kind> = Kind::ALL.iter().copied().filter(|kind| *kind != Kind::Buffer).collect();
    for (index, kind) in kinds.iter().enumerate() {
        for other in &kinds[..index] {
            let (a, b) = (Paint::of_kind(*kind), Paint::of_kind(*other));
            assert!(a.fill != b.fill && a.pattern != b.pattern, "{kind:?} looks like {other:?}");
        }
    }
    let nth: Vec<Paint> = (0..49).map(Paint::nth).collect();
    assert!((1..49).all(|index| !nth[..index].contains(&nth[index])), "49 categories are told apart");
}

#[test]
fn scales_run_from_the_smallest_to_the_largest() {
    let scene = scene_of(SEVEN, 8, 64);
    let style = Style { mode: ColourMode::Size, ..Style::default() };
    let painter = Painter::new(&scene, &style);
    let fill = |id: u32| painter.paint(id, &scene.boxes[id as usize]).fill;
    assert_eq!(fill(0), cividis(0.0));
    assert_eq!(fill(6), cividis(1.0));
    let order = [0, 1, 2, 5, 3, 6];
    assert!(order.windows(2).all(|pair| fill(pair[0]).luminance() < fill(pair[1]).luminance()));
}

#[test]
fn a_filter_dims_what_it_leaves_out() {
    let scene = scene_of(SEVEN, 8, 64);
    let style = Style { bright: vec![true, false, true, true, true, true, true], ..Style::default() };
    let painter = Painter::new(&scene, &style);
    assert_eq!(painter.paint(1, &scene.boxes[1]).fill, LIGHT.dimmed);
    assert_eq!(painter.paint(0, &scene.boxes[0]), Paint::of_kind(Kind::Buffer));
}

#[test]
fn modes_are_found_by_name() {
    for mode in ColourMode::ALL {
        assert_eq!(ColourMode::from_name(mode.name()), Some(*mode));
    }
    assert_eq!(ColourMode::from_name("Role"), None);
}
