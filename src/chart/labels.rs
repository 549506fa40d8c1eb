//! Lists the text on boxes: what fits where, in CSS pixels, for whoever draws text (a canvas or SVG).

use std::collections::BTreeMap;

use crate::chart::colour::Colour;
use crate::chart::format;
use crate::chart::pixels::{Pixels, PxRect};
use crate::chart::raster::Fold;
use crate::chart::scene::{Scene, SceneBox};
use crate::chart::sight::Sight;
use crate::chart::text;
use crate::chart::theme::{Painter, Pattern, Style};
use crate::chart::viewport::Viewport;

/// The font size of labels, in CSS pixels.
pub const LABEL_PX: f64 = 11.0;
/// Free space left and right of a label.
const MARGIN_PX: f64 = 3.0;
/// Width and height of the parts of a plot in which folds are labelled together.
const FOLD_PART_PX: (f64, f64) = (110.0, 44.0);
/// Names cut to fewer characters than this are left out.
const MIN_CUT_CHARS: usize = 9;
/// More labels than this nobody reads, and drawing them would take longer than a frame.
const MAX_LABELS: usize = 2_000;

/// One line of text.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelItem {
    /// The box it is about.
    pub of: u32,
    /// What it says; already shortened and clean.
    pub text: String,
    /// Its middle, in CSS pixels from the plot's left edge.
    pub x: f64,
    /// Its middle, in CSS pixels from the plot's top.
    pub y: f64,
    /// The room it has, along the text.
    pub max_width: f64,
    /// Whether it runs upwards instead of to the right.
    pub upwards: bool,
    /// Its colour.
    pub colour: Colour,
    /// Whether it should be drawn on a patch of [`LabelItem::behind`], because it stands on a pattern or beside its box.
    pub behind: Option<Colour>,
}

/// The labels of all boxes with room for one, larger boxes first.
pub fn labels(scene: &Scene, viewport: &Viewport, style: &Style, pixels: Pixels) -> Vec<LabelItem> {
    Sight::new(scene, viewport, pixels).labels(style)
}

impl Sight<'_> {
    /// As [`labels`].
    pub fn labels(&self, style: &Style) -> Vec<LabelItem> {
        let painter = Painter::new(self.scene, style);
        let mut items = Vec::new();
        for (id, rect) in &self.boxes {
            if items.len() >= MAX_LABELS {
                break;
            }
            let item = &self.scene.boxes[*id as usize];
            for line in lines(item, *rect, self.pixels.scale) {
                let paint = painter.paint(*id, item);
                let behind = (paint.pattern != Pattern::Plain).then_some(paint.fill);
                items.push(LabelItem { of: *id, colour: paint.fill.ink(), behind, ..line });
            }
        }
        items
    }
}

/// The labels of folds: `+37` where 37 boxes are hidden. Folds in one part of the plot have one label together, in
/// the middle of them; so labels never cover each other, and their numbers add up to all boxes that are hidden.
pub fn fold_labels(folds: &[Fold], style: &Style, pixels: Pixels) -> Vec<LabelItem> {
    let mut parts: BTreeMap<(u32, u32), Part> = BTreeMap::new();
    for fold in folds {
        let x = f64::from(fold.rect.left + fold.rect.right) / 2.0 / pixels.scale;
        let y = f64::from(fold.rect.top + fold.rect.bottom) / 2.0 / pixels.scale;
        let part = parts.entry(((x / FOLD_PART_PX.0) as u32, (y / FOLD_PART_PX.1) as u32)).or_default();
        let count = fold.hidden.len() as f64;
        part.hidden += fold.hidden.len() as u64;
        part.sum = (part.sum.0 + x * count, part.sum.1 + y * count);
        part.shown = fold.shown;
    }
    let label = |((column, row), part): ((u32, u32), Part)| {
        let text = format!("+{}", format::grouped(part.hidden));
        let wide = text::width(&text, LABEL_PX);
        let line = text::line_height(LABEL_PX);
        let middle = (part.sum.0 / part.hidden as f64, part.sum.1 / part.hidden as f64);
        LabelItem {
            of: part.shown,
            x: inside(
                middle.0,
                f64::from(column) * FOLD_PART_PX.0,
                FOLD_PART_PX.0,
                wide,
                f64::from(pixels.width) / pixels.scale,
            ),
            y: inside(
                middle.1,
                f64::from(row) * FOLD_PART_PX.1,
                FOLD_PART_PX.1,
                line,
                f64::from(pixels.height) / pixels.scale,
            ),
            text,
            max_width: wide,
            upwards: false,
            colour: style.theme.text,
            behind: Some(style.theme.plot),
        }
    };
    parts.into_iter().map(label).collect()
}

/// Folds of one part of the plot: how many boxes, and the sum of their places.
#[derive(Default)]
struct Part {
    hidden: u64,
    sum: (f64, f64),
    shown: u32,
}

/// A middle moved so that a label of this length stays inside its part, and inside the plot.
fn inside(middle: f64, start: f64, length: f64, label: f64, whole: f64) -> f64 {
    let (low, high) = (start + label / 2.0, (start + length).min(whole) - label / 2.0);
    middle.clamp(low.min(high), high.max(low))
}

/// What is written on a box: its reference and as much of its name as fits, and below it the size; turned upwards in
/// a high and narrow box.
fn lines(item: &SceneBox, rect: PxRect, scale: f64) -> Vec<LabelItem> {
    let (wide, high) = (f64::from(rect.width()) / scale, f64::from(rect.height()) / scale);
    let line = text::line_height(LABEL_PX);
    let (long, short) = (wide.max(high), wide.min(high));
    if short < line || long < line + 2.0 * MARGIN_PX {
        return Vec::new();
    }
    let (name, size) = (text::clean(&item.name), format::adaptive(item.size_bytes));
    let room = wide - 2.0 * MARGIN_PX;
    let full = if item.buffer.is_none() { String::new() } else { item.reference.clone() };
    let upwards = high > wide * 1.5 && text::width("t888 …tensor", LABEL_PX) > room;
    let room = if upwards { high - 2.0 * MARGIN_PX } else { room };
    let Some(first) = first_line(&full, &name, &item.reference, room) else { return Vec::new() };
    let across = if upwards { wide } else { high };
    let two = across >= line * 2.0 + 2.0 && text::width(&size, LABEL_PX) <= room;
    let middle = (f64::from(rect.left + rect.right) / scale / 2.0, f64::from(rect.top + rect.bottom) / scale / 2.0);
    let place = |text: String, shift: f64| LabelItem {
        of: 0,
        text,
        x: if upwards { middle.0 + shift } else { middle.0 },
        y: if upwards { middle.1 } else { middle.1 + shift },
        max_width: room,
        upwards,
        colour: Colour::hex(0),
        behind: None,
    };
    if two { vec![place(first, -line / 2.0), place(size, line / 2.0)] } else { vec![place(first, 0.0)] }
}

/// `t31 …block_2/relu`, or `t31`, or (in plan files) the name; `None` when not even the reference fits.
fn first_line(reference: &str, name: &str, short: &str, room: f64) -> Option<String> {
    let fits = |text: &str| text::width(text, LABEL_PX) <= room;
    if reference.is_empty() {
        return text::fit_end(name, room, LABEL_PX).or_else(|| fits(short).then(|| short.to_string()));
    }
    let rest = room - text::width(reference, LABEL_PX) - text::width(" ", LABEL_PX);
    match text::fit_end(name, rest, LABEL_PX) {
        // A cut name must still say something.
        Some(part) if rest > 0.0 && (part == name || part.chars().count() >= MIN_CUT_CHARS) => {
            Some(format!("{reference} {part}"))
        }
        _ => fits(reference).then(|| reference.to_string()),
    }
}
