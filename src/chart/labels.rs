//! Lists the text on boxes: what fits where, in CSS pixels, for whoever draws text (a canvas or SVG).

use std::collections::{BTreeMap, BTreeSet};

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

/// The labels of boxes that stay, and those of folds: `+37` where 37 boxes are hidden. Folds in one part of the plot have
/// one label together, near the middle of them; so their numbers add up to all boxes that are hidden. No label covers
/// another: a fold's label looks for a free place in its part, and where there is none the boxes' labels give way.
pub fn with_fold_labels(
    mut labels: Vec<LabelItem>,
    folds: &[Fold],
    style: &Style,
    pixels: Pixels,
) -> (Vec<LabelItem>, Vec<LabelItem>) {
    let mut parts: BTreeMap<(u32, u32), Part> = BTreeMap::new();
    for fold in folds {
        let x = f64::from(fold.rect.left + fold.rect.right) / 2.0 / pixels.scale;
        let y = f64::from(fold.rect.top + fold.rect.bottom) / 2.0 / pixels.scale;
        let part = parts.entry(part_at(x, y)).or_default();
        let count = fold.hidden.len() as f64;
        part.hidden += fold.hidden.len() as u64;
        part.sum = (part.sum.0 + x * count, part.sum.1 + y * count);
        part.shown = fold.shown;
    }
    for (index, label) in labels.iter().enumerate() {
        let area = Area::of(label);
        let ((left, top), (right, bottom)) = (part_at(area.left, area.top), part_at(area.right, area.bottom));
        for key in (left..=right).flat_map(|column| (top..=bottom).map(move |row| (column, row))) {
            if let Some(part) = parts.get_mut(&key) {
                part.taken.push((index, area));
            }
        }
    }
    let mut covered = vec![false; labels.len()];
    let fold_labels = parts.iter().map(|(key, part)| fold_label(*key, part, style, pixels, &mut covered)).collect();
    // Both lines of a box go, or none.
    let gone: BTreeSet<u32> =
        labels.iter().zip(&covered).filter(|(_, covered)| **covered).map(|(label, _)| label.of).collect();
    labels.retain(|label| !gone.contains(&label.of));
    (labels, fold_labels)
}

fn part_at(x: f64, y: f64) -> (u32, u32) {
    ((x / FOLD_PART_PX.0) as u32, (y / FOLD_PART_PX.1) as u32)
}

/// The label of one part's folds, at the free place nearest to their middle; without one in the middle, and then the
/// labels below it are marked as covered.
fn fold_label(
    (column, row): (u32, u32),
    part: &Part,
    style: &Style,
    pixels: Pixels,
    covered: &mut [bool],
) -> LabelItem {
    let text = format!("+{}", format::grouped(part.hidden));
    let (wide, line) = (text::width(&text, LABEL_PX), text::line_height(LABEL_PX));
    let middle = (part.sum.0 / part.hidden as f64, part.sum.1 / part.hidden as f64);
    let plot = (f64::from(pixels.width) / pixels.scale, f64::from(pixels.height) / pixels.scale);
    let x_at = |x: f64| inside(x, f64::from(column) * FOLD_PART_PX.0, FOLD_PART_PX.0, wide + 4.0, plot.0);
    let y_at = |y: f64| inside(y, f64::from(row) * FOLD_PART_PX.1, FOLD_PART_PX.1, line, plot.1);
    let label = |x: f64, y: f64| LabelItem {
        of: part.shown,
        text: text.clone(),
        x,
        y,
        max_width: wide,
        upwards: false,
        colour: style.theme.text,
        behind: Some(style.theme.plot),
    };
    let (x, y) = (x_at(middle.0), y_at(middle.1));
    let place = PLACES
        .iter()
        .map(|(across, down)| (x_at(middle.0 + across * FOLD_PART_PX.0), y_at(middle.1 + down * FOLD_PART_PX.1)));
    let is_free = |(x, y): &(f64, f64)| {
        let area = Area::of(&label(*x, *y));
        !part.taken.iter().any(|(_, taken)| taken.meets(&area))
    };
    if let Some((x, y)) = place.into_iter().find(is_free) {
        return label(x, y);
    }
    let area = Area::of(&label(x, y));
    for (index, _) in part.taken.iter().filter(|(_, taken)| taken.meets(&area)) {
        covered[*index] = true;
    }
    label(x, y)
}

/// Where a fold's label may stand, in widths and heights of its part away from the folds' middle; nearest first.
const PLACES: [(f64, f64); 13] = [
    (0.0, 0.0),
    (0.0, -0.35),
    (0.0, 0.35),
    (-0.3, 0.0),
    (0.3, 0.0),
    (0.0, -0.7),
    (0.0, 0.7),
    (-0.3, -0.5),
    (0.3, -0.5),
    (-0.3, 0.5),
    (0.3, 0.5),
    (-0.7, 0.0),
    (0.7, 0.0),
];

/// The pixels that a label covers.
#[derive(Clone, Copy)]
struct Area {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Area {
    fn of(label: &LabelItem) -> Area {
        let along = text::width(&label.text, LABEL_PX).min(label.max_width) / 2.0 + 2.0;
        let across = text::line_height(LABEL_PX) / 2.0;
        let (wide, high) = if label.upwards { (across, along) } else { (along, across) };
        Area { left: label.x - wide, top: label.y - high, right: label.x + wide, bottom: label.y + high }
    }

    fn meets(&self, other: &Area) -> bool {
        self.left < other.right && other.left < self.right && self.top < other.bottom && other.top < self.bottom
    }
}

/// Folds of one part of the plot: how many boxes, and the sum of their places.
#[derive(Default)]
struct Part {
    hidden: u64,
    sum: (f64, f64),
    shown: u32,
    /// Labels of boxes in this part, by index, and what they cover.
    taken: Vec<(usize, Area)>,
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
