//! SVG pictures equal the ones that were reviewed, are well-formed whatever a model calls its tensors, and show every
//! box. `BLESS=1` writes the reviewed files anew.

use std::path::Path;

use arenascope::chart::theme::{DARK, LIGHT};
use arenascope::chart::{
    Caption, ColourMode, Curve, CurvePoint, Layers, Picture, Scene, Style, Viewport, curve_svg, svg,
};
use arenascope::units::Step;
use proptest::prelude::*;

use crate::{SEVEN, rows_strategy, scene_of};

pub(crate) fn caption() -> Caption {
    Caption {
        model: "seven.json".into(),
        sha256: "00112233445566778899aabbccddeeff".into(),
        runtime: "plan file".into(),
        planner: "planner by-size".into(),
        tool: "arenascope".into(),
        ..Caption::default()
    }
}

pub(crate) fn check(name: &str, actual: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/chart/golden").join(name);
    if std::env::var_os("BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, actual).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(expected == actual, "{} differs; look at it and run with BLESS=1", path.display());
}

/// The seven tensors, some with a kind of their own.
fn seven() -> Scene {
    let mut scene = scene_of(SEVEN, 8, 64);
    scene.clock.names =
        ["CONV_2D", "RELU", "ADD", "CONV_2D", "ADD", "MEAN", "RESHAPE", "SOFTMAX"].map(String::from).to_vec();
    scene.budget_bytes = Some(20 << 20);
    scene
}

#[test]
fn seven_tensors_light() {
    check("seven-light.svg", &svg(&Picture::whole(&seven(), &Style::default(), &caption()), 900, 520));
}

#[test]
fn seven_tensors_dark_by_size() {
    let style = Style { theme: &DARK, mode: ColourMode::Size, ..Style::default() };
    let (scene, caption) = (seven(), caption());
    let picture = Picture { cursor: Some(Step(4)), selected: Some(3), ..Picture::whole(&scene, &style, &caption) };
    check("seven-dark-size.svg", &svg(&picture, 900, 520));
}

#[test]
fn seven_tensors_on_a_phone_zoomed_in() {
    let style = Style { hex: true, ..Style::default() };
    let (scene, caption) = (seven(), caption());
    let viewport = Viewport::new((2.5, 6.0), (4_194_304.0, 14_000_000.0));
    let picture = Picture { viewport, ..Picture::whole(&scene, &style, &caption) };
    check("seven-phone.svg", &svg(&picture, 360, 360));
}

#[test]
fn a_curve_marks_the_present_and_what_cannot_be_planned() {
    let bytes = |value: u64| if value == 7 { None } else { Some(value * value * 1000 + 40_000) };
    let curve = Curve {
        title: "arena by input height".into(),
        dimension: "height of input <0>".into(),
        points: (1..=10).map(|value| CurvePoint { value, arena_bytes: bytes(value) }).collect(),
        current: Some(6),
        budget_bytes: Some(100_000),
    };
    let document = curve_svg(&curve, &Style::default(), 560, 260);
    assert_well_formed(&document);
    check("curve.svg", &document);
    let nothing = Curve { points: Vec::new(), current: None, ..curve };
    assert_well_formed(&curve_svg(&nothing, &Style::default(), 90, 40));
}

/// Every tag is closed in order, attributes are quoted, nothing but known elements occurs.
pub(crate) fn assert_well_formed(document: &str) {
    let mut open = Vec::new();
    let mut rest = document.strip_prefix("<svg").map(|_| document).expect("an SVG element");
    while let Some(at) = rest.find('<') {
        let text = &rest[..at];
        assert!(!text.contains('>'), "a bare > in {text:?}");
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "a control character in {text:?}");
        let end = rest.find('>').expect("a tag that ends");
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        let name = tag.trim_start_matches('/').split([' ', '/', '\n']).next().unwrap();
        let known = ["svg", "title", "desc", "rect", "line", "polyline", "polygon", "text"];
        assert!(known.contains(&name), "unknown element in <{tag}>");
        assert_eq!(tag.matches('"').count() % 2, 0, "an open attribute in <{tag}>");
        if let Some(closed) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(closed.trim()));
            assert!(!open.is_empty() || rest.trim().is_empty(), "something behind the end: {rest:.80}");
        } else if !tag.ends_with('/') {
            open.push(name.to_string());
        }
    }
    assert!(open.is_empty(), "{open:?} stay open");
    assert!(rest.trim().is_empty());
}

#[test]
fn hostile_names_stay_text() {
    let hostile = [
        "<script>alert(1)</script>",
        "\"/><image href=x onerror=alert(1)>",
        "a&b;&lt;]]>",
        "nul\0 bell\u{7} escape\u{1b}[31m",
        "right\u{202e}to left",
        "line\nbreak\tand tab",
        "\u{ffff}\u{fffe}",
    ];
    let mut scene = seven();
    for (index, name) in hostile.iter().enumerate() {
        scene.boxes[index].name = (*name).into();
        scene.boxes[index].reference = (*name).into();
        scene.clock.names[index] = (*name).into();
    }
    let caption = Caption {
        model: hostile[1].into(),
        sha256: hostile[0].into(),
        runtime: hostile[3].into(),
        planner: hostile[2].into(),
        tool: hostile[5].into(),
        height: hostile[0].into(),
        notes: vec![hostile[1].into()],
        against: vec![hostile[2].into()],
    };
    let document = svg(&Picture::whole(&scene, &Style::default(), &caption), 1200, 700);
    assert_well_formed(&document);
    assert!(!document.contains("<script") && !document.contains("<image"));
    assert!(document.contains("&lt;script&gt;"), "the name is still shown");
}

#[test]
fn a_name_as_long_as_a_file_is_cut() {
    let mut scene = seven();
    scene.boxes[3].name = "long/".repeat(200_000);
    let document = svg(&Picture::whole(&scene, &Style::default(), &caption()), 900, 520);
    assert!(document.len() < 100_000);
}

#[test]
fn pictures_of_any_size_are_drawn() {
    let scene = seven();
    for (width, height) in [(0, 0), (1, 5000), (40, 40), (200, 90), (4000, 60), (2000, 3000)] {
        let style = Style::default();
        assert_well_formed(&svg(&Picture::whole(&scene, &style, &caption()), width, height));
    }
    let empty = scene_of(&[], 0, 16);
    assert_well_formed(&svg(&Picture::whole(&empty, &Style::default(), &Caption::default()), 600, 400));
}

#[test]
fn every_mode_has_a_legend_that_explains_it() {
    let scene = seven();
    for mode in ColourMode::ALL {
        let style = Style { mode: *mode, ..Style::default() };
        let words: Vec<String> =
            arenascope::chart::legend(&scene, &style).into_iter().map(|entry| entry.words).collect();
        let expected: &[&str] = match mode {
            ColourMode::Role => &["buffer", "gap"],
            ColourMode::Type | ColourMode::Op => &["none", "gap"],
            ColourMode::Size => &["size: 2.00 MiB – 8.00 MiB", "gap"],
            ColourMode::Lifetime => &["steps alive: 2 – 4", "gap"],
            ColourMode::Shares => &["shares bytes with: 0 – 3", "gap"],
        };
        assert_eq!(words, expected, "{mode:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_scene_gives_a_sound_document(rows in rows_strategy(), width in 0_u32..1500, height in 0_u32..900, dark in any::<bool>()) {
        let scene = scene_of(&rows, 52, 16);
        let style = Style { theme: if dark { &DARK } else { &LIGHT }, ..Style::default() };
        let caption = caption();
        let picture = Picture { cursor: Some(Step(7)), selected: Some(0), ..Picture::whole(&scene, &style, &caption) };
        let document = svg(&picture, width, height);
        assert_well_formed(&document);
        prop_assert_eq!(&document, &svg(&picture, width, height));
    }

    #[test]
    fn the_frame_is_where_the_plot_is(width in 32_u32..3000, height in 32_u32..2000, alone in any::<bool>()) {
        let (scene, style, caption) = (seven(), Style::default(), caption());
        let layers = if alone { Layers::ALL } else { Layers::OVER_RASTER };
        let frame = Picture { layers, ..Picture::whole(&scene, &style, &caption) }.frame(width, height);
        let plot = frame.plot;
        prop_assert!(plot.left >= 0 && plot.top >= 0 && plot.width() >= 16 && plot.height() >= 16);
        prop_assert!(plot.right <= width as i32 && plot.bottom <= height as i32);
    }
}
