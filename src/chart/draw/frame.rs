//! Where the parts of a picture lie: title, legend, plot, axis labels, line labels, caption. All in CSS pixels.

use crate::chart::pixels::PxRect;
use crate::chart::scene::Scene;
use crate::chart::text;
use crate::chart::viewport::Viewport;

/// The width that the labels of horizontal lines need beside the plot.
const SIDE_LABELS_PX: i32 = 96;
/// Pictures narrower than this have those labels inside the plot.
const NARROW_PX: i32 = 520;
/// The most room for operators' names below the plot, and their font size.
pub(super) const MAX_NAMES_PX: f64 = 124.0;
pub(super) const NAME_FONT_PX: f64 = 9.5;
/// Columns at least this wide have the operator's name below them.
pub(super) const NAME_COLUMN_PX: f64 = 13.0;

/// Which parts a picture has beside the plot and its axes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// Lines of text above everything.
    pub title_lines: u32,
    /// Rows of the legend.
    pub legend_rows: u32,
    /// Lines of text below everything.
    pub caption_lines: u32,
    /// Room for operators' names below the plot; 0: none stand there.
    pub names_px: u32,
    /// Whether room is left for the peak's label above the plot and those of lines beside it.
    pub marks: bool,
}

impl Parts {
    /// Room for what either has.
    #[must_use]
    pub fn max(self, other: Parts) -> Parts {
        Parts {
            title_lines: self.title_lines.max(other.title_lines),
            legend_rows: self.legend_rows.max(other.legend_rows),
            caption_lines: self.caption_lines.max(other.caption_lines),
            names_px: self.names_px.max(other.names_px),
            marks: self.marks || other.marks,
        }
    }
}

/// Where the parts of a picture lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The whole picture.
    pub width: u32,
    /// The whole picture.
    pub height: u32,
    /// Where boxes are.
    pub plot: PxRect,
    /// The top of the first title line.
    pub title_top: i32,
    /// The top of the first legend row.
    pub legend_top: i32,
    /// The top of the first caption line.
    pub caption_top: i32,
    /// Whether labels of lines stand beside the plot (or else inside).
    pub side_labels: bool,
    /// Room for operators' names below the plot; 0: none stand there.
    pub names_px: i32,
}

/// Distances from line to line.
pub(super) const TITLE_PX: i32 = 20;
pub(super) const LEGEND_PX: i32 = 18;
pub(super) const CAPTION_PX: i32 = 15;

impl Frame {
    /// The frame of a picture of this size. However small the picture, its plot has at least 16 × 16 pixels.
    pub fn new(width: u32, height: u32, parts: Parts) -> Frame {
        let (width, height) = (width.clamp(32, 16_384), height.clamp(32, 16_384));
        let (wide, high) = (width as i32, height as i32);
        let side_labels = parts.marks && wide >= NARROW_PX;
        let title_top = 10;
        let title = parts.title_lines as i32 * TITLE_PX;
        let legend_top = title_top + title;
        let legend = parts.legend_rows as i32 * LEGEND_PX;
        let caption = parts.caption_lines as i32 * CAPTION_PX;
        let caption_top = high - caption - if caption > 0 { 8 } else { 0 };
        let top = legend_top + legend + if parts.marks { 24 } else { 4 };
        let left = if wide >= NARROW_PX { 84 } else { 66 };
        let right = wide - if side_labels { SIDE_LABELS_PX } else { 12 };
        let names_px = parts.names_px.min(height / 3) as i32;
        let bottom = caption_top - 44 - names_px;
        let plot = PxRect {
            left: left.min(wide - 16),
            top: top.min(high - 16),
            right: right.max(left.min(wide - 16) + 16).min(wide),
            bottom: bottom.max(top.min(high - 16) + 16).min(high),
        };
        Frame { width, height, plot, title_top, legend_top, caption_top, side_labels, names_px }
    }
}

/// The room that operators' names need below a plot, 0 when its columns are too narrow for them.
pub(super) fn names_px(scene: &Scene, viewport: &Viewport, width: u32) -> u32 {
    let plot = f64::from(width) - 84.0 - f64::from(SIDE_LABELS_PX);
    if plot / viewport.steps.length() < NAME_COLUMN_PX {
        return 0;
    }
    let longest = scene.clock.names.iter().map(|name| text::width(name, NAME_FONT_PX)).fold(0.0, f64::max);
    longest.min(MAX_NAMES_PX).ceil() as u32
}
