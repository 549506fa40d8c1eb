//! Draws what stands out: the arena's top, its lower bound, the budget, the peak, the step cursor, the selected box.

use plotters_backend::DrawingBackend;
use plotters_backend::text_anchor::{HPos, VPos};

use crate::chart::colour::Colour;
use crate::chart::draw::Picture;
use crate::chart::draw::axes::{x_of, y_of};
use crate::chart::draw::frame::Frame;
use crate::chart::draw::pen::{Drawn, Ink, Pen};
use crate::chart::format;
use crate::chart::pixels::{Pixels, PxRect, px_from_box};
use crate::chart::scene::Scene;
use crate::chart::text;
use crate::units::Step;

const FONT_PX: f64 = 11.0;
/// The height of a label of two lines.
const TWO_LINES_PX: i32 = 27;

/// One horizontal line across the plot with its words.
pub(super) struct Level {
    bytes: u64,
    words: String,
    colour: Colour,
    dash: (i32, i32),
    stroke: u32,
}

/// The lines of a picture from top to bottom; with `before`, also the top of the earlier arena.
pub(super) fn levels(picture: &Picture<'_>, before: Option<&Scene>) -> Vec<Level> {
    let Picture { scene, style, .. } = picture;
    let (theme, words) = (style.theme, &style.words);
    let mut levels = Vec::new();
    let same = style.bound && scene.lower_bound_bytes == scene.height_bytes;
    if scene.height_bytes > 0 {
        let words = if same { words.arena_at_bound.to_string() } else { words.arena.to_string() };
        levels.push(Level { bytes: scene.height_bytes, words, colour: theme.arena_top, dash: (1, 0), stroke: 1 });
    }
    if style.bound && !same && scene.lower_bound_bytes > 0 {
        let words = words.lower_bound.to_string();
        levels.push(Level { bytes: scene.lower_bound_bytes, words, colour: theme.bound, dash: (6, 4), stroke: 2 });
    }
    if let Some(bytes) = scene.budget_bytes {
        let words = words.budget.to_string();
        levels.push(Level { bytes, words, colour: theme.budget, dash: (2, 3), stroke: 2 });
    }
    if let Some(before) = before {
        let words = words.before.to_string();
        levels.push(Level { bytes: before.height_bytes, words, colour: theme.text, dash: (8, 3), stroke: 2 });
    }
    let (low, high) = (picture.viewport.bytes.low(), picture.viewport.bytes.high());
    // A budget above the picture is still told, at its upper edge.
    for level in levels.iter_mut().filter(|level| level.bytes as f64 > high) {
        level.words.push_str(" ↑");
        level.stroke = 0;
    }
    levels.retain(|level| level.bytes as f64 >= low && (level.stroke > 0 || Some(level.bytes) == scene.budget_bytes));
    levels.sort_by_key(|level| std::cmp::Reverse(level.bytes));
    levels
}

/// The rows of the lines in sight.
pub(super) fn rows(frame: &Frame, picture: &Picture<'_>, levels: &[Level]) -> Vec<i32> {
    let in_sight = levels.iter().filter(|level| level.stroke > 0);
    in_sight.map(|level| y_of(frame.plot, &picture.viewport, level.bytes as f64)).collect()
}

/// Lines over the boxes, and their labels.
pub(super) fn lines<DB: DrawingBackend>(
    pen: &Pen<DB>,
    frame: &Frame,
    picture: &Picture<'_>,
    levels: &[Level],
) -> Drawn<DB> {
    let plot = frame.plot;
    let row = |level: &Level| y_of(plot, &picture.viewport, level.bytes as f64).max(plot.top);
    let rows: Vec<i32> = levels.iter().map(row).collect();
    let end = plot.right + if frame.side_labels { 4 } else { 0 };
    for (level, y) in levels.iter().zip(&rows).filter(|(level, _)| level.stroke > 0) {
        pen.dashes((plot.left, *y), (end, *y), level.dash, (level.colour, level.stroke))?;
    }
    if frame.side_labels {
        let centres = spread(&rows, TWO_LINES_PX, plot.top + 8, plot.bottom);
        for ((level, y), row) in levels.iter().zip(centres).zip(&rows) {
            if level.stroke > 0 && (y - row).abs() > 3 {
                pen.line(vec![(end, *row), (end + 3, y)], level.colour, 1)?;
            }
            let room = f64::from(frame.width as i32 - plot.right - 10);
            let ink = Ink::left(FONT_PX, level.colour);
            let words = text::fit_start(&level.words, room, FONT_PX).unwrap_or_default();
            pen.text(&words, (plot.right + 9, y - 7), ink)?;
            pen.text(&format::adaptive(level.bytes), (plot.right + 9, y + 7), ink.bold())?;
        }
        return Ok(());
    }
    let mut last = i32::MIN;
    for (level, y) in levels.iter().zip(&rows) {
        let words = format!("{} {}", level.words, format::adaptive(level.bytes));
        let half = (text::width(&words, FONT_PX) / 2.0).ceil() as i32 + 3;
        let (x, middle) = (plot.right - half - 4, (*y - 8).max(last.saturating_add(15)).max(plot.top + 8));
        last = middle;
        let patch = PxRect { left: x - half, top: middle - 7, right: x + half, bottom: middle + 7 };
        pen.fill(patch, picture.style.theme.plot)?;
        pen.text(&words, (x, middle), Ink::centred(FONT_PX, level.colour))?;
    }
    Ok(())
}

/// The peak's column, marked by lines at its edges and named above the plot.
pub(super) fn peak<DB: DrawingBackend>(pen: &Pen<DB>, frame: &Frame, picture: &Picture<'_>) -> Drawn<DB> {
    let Picture { scene, viewport, style, .. } = picture;
    let Some(peak) = &scene.peak else { return Ok(()) };
    let Some((left, right)) = column(frame, picture, peak.step) else { return Ok(()) };
    let (plot, colour) = (frame.plot, style.theme.peak);
    let top = y_of(plot, viewport, scene.height_bytes as f64).clamp(plot.top, plot.bottom);
    pen.dashes((left, plot.top), (left, plot.bottom), (5, 3), (colour, 1))?;
    if right - left >= 4 {
        pen.dashes((right, plot.top), (right, plot.bottom), (5, 3), (colour, 1))?;
    }
    let middle = i32::midpoint(left, right);
    let tip = plot.top.min(top);
    pen.polygon(vec![(middle - 4, tip - 7), (middle + 4, tip - 7), (middle, tip - 1)], colour)?;
    let name = text::clean(scene.step_name(peak.step));
    let name = text::fit_start(&name, 160.0, FONT_PX).unwrap_or_default();
    let label = scene.step_label(peak.step);
    let at = match &*style.words.scope {
        "" => format!("{label} {name}"),
        scope if name.is_empty() => format!("{scope} {label}"),
        scope => format!("{name}, {scope} {label}"),
    };
    let words = format!("{} {} · {at}", style.words.peak, format::adaptive(peak.live_bytes));
    let words = words.trim_end();
    let half = (text::width(words, FONT_PX) / 2.0).ceil() as i32;
    let low = plot.left + half;
    let x = middle.clamp(low, (frame.width as i32 - 4 - half).max(low));
    pen.text(
        words,
        (x, plot.top - 14),
        Ink { down: VPos::Center, across: HPos::Center, ..Ink::centred(FONT_PX, colour).bold() },
    )
}

/// The cursor's column and the selected box, when there are any.
pub(super) fn cursor<DB: DrawingBackend>(pen: &Pen<DB>, frame: &Frame, picture: &Picture<'_>) -> Drawn<DB> {
    let Picture { scene, viewport, style, .. } = picture;
    let plot = frame.plot;
    if let Some((left, right)) = picture.cursor.and_then(|step| column(frame, picture, step)) {
        let rect = PxRect { left, top: plot.top, right: right.max(left + 2), bottom: plot.bottom };
        pen.outline(rect, style.theme.cursor, 2)?;
    }
    let pixels = Pixels::new(plot.width() as u32, plot.height() as u32, 1.0);
    let selected = picture.selected.and_then(|id| scene.boxes.get(id as usize));
    if let Some(rect) = selected.and_then(|item| px_from_box(item, viewport, pixels)) {
        let (x, y) = (plot.left, plot.top);
        let rect = PxRect { left: rect.left + x, top: rect.top + y, right: rect.right + x, bottom: rect.bottom + y };
        pen.outline(rect, style.theme.selection, 3)?;
    }
    Ok(())
}

/// The left and right edge of a step's column, cut at the plot's edges; `None` when it is out of sight.
fn column(frame: &Frame, picture: &Picture<'_>, step: Step) -> Option<(i32, i32)> {
    let (first, end) = (f64::from(step.0), f64::from(step.0) + 1.0);
    let steps = picture.viewport.steps;
    if end <= steps.low() || first >= steps.high() {
        return None;
    }
    let plot = frame.plot;
    let x = |step: f64| x_of(plot, &picture.viewport, step).clamp(plot.left, plot.right);
    Some((x(first), x(end)))
}

/// Rows moved apart so that neighbours are at least `distance` away and all lie in `[top, bottom]`, as far as they
/// fit; the rows come from top to bottom.
fn spread(rows: &[i32], distance: i32, top: i32, bottom: i32) -> Vec<i32> {
    let mut placed = rows.to_vec();
    let mut floor = top;
    for row in &mut placed {
        *row = (*row).max(floor);
        floor = *row + distance;
    }
    let mut ceiling = bottom;
    for row in placed.iter_mut().rev() {
        *row = (*row).min(ceiling);
        ceiling = *row - distance;
    }
    placed
}
