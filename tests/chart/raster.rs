//! Rasters equal their drawings; nothing vanishes.

use arenascope::chart::theme::LIGHT;
use arenascope::chart::{Kind, Paint, PickMap, Pixels, Sight, Style, Viewport, px_from_box, raster, with_fold_labels};
use proptest::prelude::*;

use crate::{rows_strategy, scene_of};

/// A raster as text: `#` fill, `+` border, `/` hatching of gaps, `.` background, `-` grid.
fn ascii(rgba: &[u8], width: usize) -> String {
    let paint = Paint::of_kind(Kind::Buffer);
    let sign = |pixel: &[u8]| {
        let known = [(paint.fill, '#'), (paint.border(), '+'), (LIGHT.gap, '/'), (LIGHT.plot, '.'), (LIGHT.grid, '-')];
        known.iter().find(|(colour, _)| colour.rgba() == pixel).map_or('?', |(_, sign)| *sign)
    };
    let row = |row: &[u8]| row.chunks_exact(4).map(sign).collect::<String>();
    rgba.chunks_exact(width * 4).map(row).collect::<Vec<_>>().join("\n")
}

fn check(rows: crate::Rows<'_>, view: ((f64, f64), (f64, f64)), pixels: Pixels, expected: &str) {
    let scene = scene_of(rows, 4, 16);
    let rgba = raster(&scene, &Viewport::new(view.0, view.1), &Style::default(), pixels);
    let expected = expected.lines().map(str::trim_start).collect::<Vec<_>>().join("\n");
    assert_eq!(ascii(&rgba, pixels.width as usize), expected);
}

#[test]
fn boxes_have_borders_and_gaps_are_hatched() {
    check(
        &[(0, 4, 32, 16), (0, 2, 0, 16)],
        ((0.0, 4.0), (0.0, 48.0)),
        Pixels::new(16, 12, 1.0),
        "++++++++++++++++
         +##############+
         +##############+
         ++++++++++++++++
         /......./.......
         -....../......./
         -...../......./.
         -..../......./..
         ++++++++..../...
         +######+.../....
         +######+../.....
         ++++++++./......",
    );
}

/// Narrow gaps are painted another way than wide ones, and must not differ.
#[test]
fn narrow_gaps_are_hatched_like_wide_ones() {
    let view = Viewport::new((0.0, 16.0), (0.0, 256.0));
    let pixels = Pixels::new(48, 64, 1.0);
    let wide = scene_of(&[(0, 16, 240, 16)], 16, 16);
    // A box of 1 byte in every step cuts the same gap into columns.
    let cut: Vec<(u32, u32, u64, u64)> = (0..16).map(|step| (step, step + 1, 0, 1 + u64::from(step % 2))).collect();
    let narrow = scene_of(&[vec![(0, 16, 240, 16)], cut].concat(), 16, 16);
    let style = Style::default();
    let (wide, narrow) = (raster(&wide, &view, &style, pixels), raster(&narrow, &view, &style, pixels));
    let rows = 5 * 48 * 4..60 * 48 * 4;
    assert_eq!(ascii(&wide[rows.clone()], 48), ascii(&narrow[rows], 48));
}

#[test]
fn a_box_never_shrinks_below_two_pixels() {
    check(
        &[(3, 4, 0, 1), (0, 1, 1000, 24)],
        ((0.0, 1000.0), (0.0, 1024.0)),
        Pixels::new(8, 6, 1.0),
        "##------
         ##......
         -.......
         -.......
         ##......
         ##......",
    );
}

#[test]
fn a_dense_screen_has_thicker_lines() {
    let scene = scene_of(&[(0, 4, 0, 16)], 4, 16);
    let view = Viewport::new((0.0, 4.0), (0.0, 16.0));
    let rgba = raster(&scene, &view, &Style::default(), Pixels::new(16, 16, 2.0));
    let text = ascii(&rgba, 16);
    assert_eq!(text.lines().filter(|line| line.starts_with("++++++++")).count(), 4, "two rows above, two below");
    assert!(text.lines().nth(7).unwrap().starts_with("++####"));
}

proptest! {
    #[test]
    fn nothing_vanishes(
        rows in rows_strategy(),
        steps in (0.0..50.0_f64, 0.5..400.0_f64),
        bytes in (0.0..800.0_f64, 16.0..90_000.0_f64),
        size in (1_u32..90, 1_u32..70),
        scale in prop_oneof![Just(1.0), Just(1.5), Just(3.0)],
    ) {
        let scene = scene_of(&rows, 52, 16);
        let view = Viewport::new((steps.0, steps.0 + steps.1), (bytes.0, bytes.0 + bytes.1));
        let pixels = Pixels::new(size.0, size.1, scale);
        let map = PickMap::new(&scene, &view, pixels);
        let sight = Sight::new(&scene, &view, pixels);
        let (seen, folds) = (map.seen(&sight), map.folds(&sight));
        let points = (0..pixels.width * pixels.height).map(|at| (at % pixels.width, at / pixels.width));
        let shown: std::collections::BTreeSet<u32> = points.filter_map(|(x, y)| map.at(x, y)).collect();
        for (id, item) in scene.boxes.iter().enumerate() {
            let Some(rect) = px_from_box(item, &view, pixels) else {
                prop_assert!(!seen[id]);
                continue;
            };
            prop_assert_eq!(seen[id], shown.contains(&(id as u32)));
            prop_assert!(rect.left >= 0 && rect.top >= 0);
            prop_assert!(rect.right <= pixels.width as i32 && rect.bottom <= pixels.height as i32);
            let floor = pixels.device(2.0);
            prop_assert!(rect.width() >= floor.min(pixels.width as i32) && rect.height() >= floor.min(pixels.height as i32));
            let folded = folds.iter().filter(|fold| fold.hidden.contains(&(id as u32))).count();
            prop_assert_eq!(folded, usize::from(!seen[id]), "box {} is seen or in one fold", id);
        }
        for fold in &folds {
            prop_assert!(seen[fold.shown as usize]);
        }
    }

    #[test]
    fn a_raster_has_a_pixel_for_each_seen_box(rows in rows_strategy(), size in (4_u32..90, 4_u32..70)) {
        let scene = scene_of(&rows, 52, 16);
        let (view, pixels) = (scene.extent(), Pixels::new(size.0, size.1, 1.0));
        let rgba = raster(&scene, &view, &Style::default(), pixels);
        prop_assert_eq!(rgba.len(), (size.0 * size.1 * 4) as usize);
        let map = PickMap::new(&scene, &view, pixels);
        let paint = Paint::of_kind(Kind::Buffer);
        for (index, pixel) in rgba.chunks_exact(4).enumerate() {
            let painted = pixel == paint.fill.rgba() || pixel == paint.border().rgba();
            let index = index as u32;
            prop_assert_eq!(painted, map.at(index % size.0, index / size.0).is_some());
        }
    }
}

#[test]
fn labels_of_boxes_and_of_folds_do_not_cover_each_other() {
    // Large boxes with their names, and between them thousands that are smaller than a pixel.
    let mut rows: Vec<(u32, u32, u64, u64)> = (0..8).map(|row| (0, 900, row * 4000, 3000)).collect();
    rows.extend((0..3000_u32).map(|id| (id % 1000, id % 1000 + 1, u64::from(id / 1000) * 12_000 + 3000, 2)));
    let scene = scene_of(&rows, 1000, 1);
    let (view, pixels, style) = (scene.extent(), Pixels::new(500, 200, 1.0), Style::default());
    let sight = Sight::new(&scene, &view, pixels);
    let folds = sight.picks().folds(&sight);
    let (boxes, hidden) = with_fold_labels(sight.labels(&style), &folds, &style, pixels);
    assert!(boxes.len() >= 4 && hidden.len() >= 4, "{} and {} labels", boxes.len(), hidden.len());
    let total: usize = folds.iter().map(|fold| fold.hidden.len()).sum();
    let told: usize = hidden.iter().map(|label| label.text[1..].replace(',', "").parse::<usize>().unwrap()).sum();
    assert_eq!(told, total);
    let all: Vec<_> = boxes.iter().chain(&hidden).collect();
    for (at, one) in all.iter().enumerate() {
        for other in &all[..at] {
            let apart = (one.x - other.x).abs() * 2.0 >= one.max_width.min(60.0) + other.max_width.min(60.0)
                || (one.y - other.y).abs() >= 12.0;
            assert!(apart || one.of == other.of, "{one:?} covers {other:?}");
        }
    }
}
