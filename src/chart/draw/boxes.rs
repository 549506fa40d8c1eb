//! Draws gaps, boxes and their labels inside the plot, those that are seen and only those.

use plotters::drawing::DrawingAreaErrorKind;
use plotters_backend::DrawingBackend;
use plotters_backend::text_anchor::HPos;

use crate::chart::draw::Picture;
use crate::chart::draw::frame::Frame;
use crate::chart::draw::pen::{Drawn, Ink, Pen};
use crate::chart::gaps::GapKind;
use crate::chart::labels::{LABEL_PX, LabelItem, labels, with_fold_labels};
use crate::chart::pixels::{Pixels, PxRect, px_from_box, px_from_gap};
use crate::chart::raster::Fold;
use crate::chart::scene::Scene;
use crate::chart::sight::Sight;
use crate::chart::text;
use crate::chart::theme::{Painter, Pattern};

/// What is seen of the boxes.
pub(super) struct Shown {
    seen: Vec<bool>,
    folds: Vec<Fold>,
}

fn pixels(frame: &Frame) -> Pixels {
    Pixels::new(frame.plot.width() as u32, frame.plot.height() as u32, 1.0)
}

/// Gaps and boxes.
pub(super) fn boxes<DB: DrawingBackend>(
    pen: &Pen<DB>,
    frame: &Frame,
    picture: &Picture<'_>,
) -> Result<Shown, DrawingAreaErrorKind<DB::ErrorType>> {
    let Picture { scene, viewport, style, .. } = picture;
    let pixels = pixels(frame);
    if style.gaps {
        let anchor = (frame.plot.left, frame.plot.top);
        for gap in scene.gaps.iter().filter(|gap| gap.kind != GapKind::Headroom) {
            if let Some(rect) = px_from_gap(gap, viewport, pixels) {
                pen.hatch(placed(rect, frame), Pattern::Rising, style.theme.gap, anchor)?;
            }
        }
    }
    let sight = Sight::new(scene, viewport, pixels);
    let map = sight.picks();
    let seen = map.seen(&sight);
    let painter = Painter::new(scene, style);
    for (id, rect) in sight.boxes.iter().filter(|(id, _)| seen[*id as usize]) {
        pen.paint(placed(*rect, frame), painter.paint(*id, &scene.boxes[*id as usize]))?;
    }
    Ok(Shown { folds: map.folds(&sight), seen })
}

/// Boxes thinner than this had no room for dashes: their outlines would be blots.
const MIN_GHOST_PX: i32 = 4;

/// Dashed outlines of `ghosts`, boxes of an earlier scene. No fill, and gaps in a
/// colour of their own, so that they stand out from boxes on any ground, and without colour.
pub(super) fn outlines<DB: DrawingBackend>(
    pen: &Pen<DB>,
    frame: &Frame,
    picture: &Picture<'_>,
    (before, ghosts): (&Scene, &[u32]),
) -> Drawn<DB> {
    let pixels = pixels(frame);
    let theme = picture.style.theme;
    for item in ghosts.iter().filter_map(|id| before.boxes.get(*id as usize)) {
        let Some(rect) = px_from_box(item, &picture.viewport, pixels) else { continue };
        let PxRect { left, top, right, bottom } = placed(rect, frame);
        if right - left < MIN_GHOST_PX || bottom - top < MIN_GHOST_PX {
            continue;
        }
        pen.outline(PxRect { left, top, right, bottom }, theme.plot, 2)?;
        for (from, to) in [
            ((left, top), (right, top)),
            ((left, bottom), (right, bottom)),
            ((left, top), (left, bottom)),
            ((right, top), (right, bottom)),
        ] {
            pen.dashes(from, to, (6, 4), (theme.text, 2))?;
        }
    }
    Ok(())
}

/// Labels of boxes that are seen, on a patch where one of the horizontal `lines` crosses them, and of folds.
pub(super) fn texts<DB: DrawingBackend>(
    pen: &Pen<DB>,
    frame: &Frame,
    picture: &Picture<'_>,
    shown: &Shown,
    lines: &[i32],
) -> Drawn<DB> {
    let Picture { scene, viewport, style, .. } = picture;
    let pixels = pixels(frame);
    let painter = Painter::new(scene, style);
    let mut items = labels(scene, viewport, style, pixels);
    items.retain(|label| shown.seen[label.of as usize]);
    let (items, folds) = with_fold_labels(items, &shown.folds, style, pixels);
    for mut label in items {
        let half = if label.upwards { text::width(&label.text, LABEL_PX) / 2.0 } else { LABEL_PX * 0.6 };
        if lines.iter().any(|line| (f64::from(line - frame.plot.top) - label.y).abs() <= half) {
            label.behind = Some(painter.paint(label.of, &scene.boxes[label.of as usize]).fill);
        }
        draw_label(pen, frame, &label)?;
    }
    for label in &folds {
        draw_label(pen, frame, label)?;
    }
    if !shown.folds.is_empty() {
        let ink = Ink { across: HPos::Right, ..Ink::left(10.0, style.theme.faint_text) };
        pen.text(&style.words.folded, (frame.plot.right, frame.plot.bottom + frame.names_px + 34), ink)?;
    }
    Ok(())
}

fn draw_label<DB: DrawingBackend>(pen: &Pen<DB>, frame: &Frame, label: &LabelItem) -> Drawn<DB> {
    let (x, y) = (frame.plot.left + label.x.round() as i32, frame.plot.top + label.y.round() as i32);
    if let Some(behind) = label.behind {
        let along = (text::width(&label.text, LABEL_PX) / 2.0).ceil() as i32 + 1;
        let across = (text::line_height(LABEL_PX) / 2.0).floor() as i32;
        let (wide, high) = if label.upwards { (across, along) } else { (along, across) };
        pen.fill(PxRect { left: x - wide, top: y - high, right: x + wide, bottom: y + high }, behind)?;
    }
    pen.text(&label.text, (x, y), Ink { upwards: label.upwards, ..Ink::centred(LABEL_PX, label.colour) })
}

/// A rectangle of the plot, in the picture.
fn placed(rect: PxRect, frame: &Frame) -> PxRect {
    let (x, y) = (frame.plot.left, frame.plot.top);
    PxRect { left: rect.left + x, top: rect.top + y, right: rect.right + x, bottom: rect.bottom + y }
}
