//! Axes: plotters' mesh over coordinates of our own, whose key points are our ticks.

use plotters::chart::{ChartBuilder, LabelAreaPosition};
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters_backend::DrawingBackend;
use plotters_backend::text_anchor::{HPos, VPos};

use crate::chart::draw::frame::{Frame, NAME_COLUMN_PX, NAME_FONT_PX};
use crate::chart::draw::pen::{Drawn, Ink, Pen, rgb};
use crate::chart::pixels::PxRect;
use crate::chart::raster::GRID_PX;
use crate::chart::scene::Scene;
use crate::chart::text;
use crate::chart::theme::{Style, Theme};
use crate::chart::ticks::{self, Tick};
use crate::chart::viewport::{Range, Viewport};
use crate::units::Step;

/// The font size of tick labels.
pub(super) const TICK_PX: f64 = 11.0;

/// One axis as plotters wants it: a range of numbers and our ticks in it.
struct Axis {
    range: Range,
    ticks: Vec<Tick>,
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    /// As `Viewport::px_from_step`; plotters' limits leave out the last pixel and are upside down for bytes.
    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let fraction = self.range.fraction_of(*value);
        if limit.0 <= limit.1 {
            limit.0 + (fraction * f64::from(limit.1 + 1 - limit.0)).round() as i32
        } else {
            let length = f64::from(limit.0 + 1 - limit.1);
            (limit.1 + ((1.0 - fraction) * length).round() as i32).min(limit.0)
        }
    }

    fn key_points<Hint: KeyPointHint>(&self, _hint: Hint) -> Vec<f64> {
        self.ticks.iter().map(|tick| tick.at).collect()
    }

    fn range(&self) -> std::ops::Range<f64> {
        self.range.low()..self.range.high()
    }
}

impl ValueFormatter<f64> for Axis {
    fn format_ext(&self, value: &f64) -> String {
        let nearest = self.ticks.iter().min_by(|a, b| (a.at - value).abs().total_cmp(&(b.at - value).abs()));
        nearest.map_or(String::new(), |tick| tick.label.clone())
    }
}

/// Titles of the two axes.
pub(super) struct Titles<'a> {
    pub across: &'a str,
    pub down: &'a str,
}

/// Grid lines at the ticks of bytes and at the left edges of marked columns.
pub(super) fn grid<DB: DrawingBackend>(
    pen: &Pen<DB>,
    frame: &Frame,
    scene: &Scene,
    viewport: &Viewport,
    style: &Style,
) -> Drawn<DB> {
    let plot = frame.plot;
    for tick in byte_ticks(frame, viewport, style) {
        let y = y_of(plot, viewport, tick.at);
        pen.line(vec![(plot.left, y), (plot.right, y)], style.theme.grid, 1)?;
    }
    for tick in step_ticks(frame, scene, viewport) {
        let x = x_of(plot, viewport, tick.value as f64);
        if x > plot.left {
            pen.line(vec![(x, plot.top), (x, plot.bottom)], style.theme.grid, 1)?;
        }
    }
    Ok(())
}

/// Axes with ticks, labels and titles, and operators' names where the frame has room for them.
pub(super) fn axes<DB: DrawingBackend>(
    pen: &Pen<DB>,
    frame: &Frame,
    scene: &Scene,
    viewport: &Viewport,
    style: &Style,
) -> Drawn<DB> {
    let across = Axis { range: viewport.steps, ticks: step_ticks(frame, scene, viewport) };
    let down = Axis { range: viewport.bytes, ticks: byte_ticks(frame, viewport, style) };
    let titles = Titles { across: &style.words.step_axis, down: &style.words.byte_axis };
    mesh(pen, frame, across, down, &titles, style.theme)?;
    if frame.names_px > 0 { names(pen, frame, scene, viewport, style) } else { Ok(()) }
}

fn plot_is_narrow(frame: &Frame) -> bool {
    frame.plot.left < 80
}

/// Axes of any two ranges.
pub(super) fn plain_axes<DB: DrawingBackend>(
    pen: &Pen<DB>,
    frame: &Frame,
    across: (Range, Vec<Tick>),
    down: (Range, Vec<Tick>),
    titles: &Titles<'_>,
    theme: &Theme,
) -> Drawn<DB> {
    let (across, down) = (Axis { range: across.0, ticks: across.1 }, Axis { range: down.0, ticks: down.1 });
    mesh(pen, frame, across, down, titles, theme)
}

fn mesh<DB: DrawingBackend>(
    pen: &Pen<DB>,
    frame: &Frame,
    across: Axis,
    down: Axis,
    titles: &Titles<'_>,
    theme: &Theme,
) -> Drawn<DB> {
    let plot = frame.plot;
    // Titles stand at the far edge of plotters' label areas, so these are as wide as titles need, not as the frame.
    let below = 40 + frame.names_px;
    // A narrow picture has no room for the title beside the labels.
    let down_title = if plot_is_narrow(frame) { "" } else { titles.down };
    let mut chart = ChartBuilder::on(&pen.area)
        .margin_top(plot.top)
        .margin_left((plot.left - 80).max(0))
        .margin_right(frame.width as i32 - plot.right)
        .margin_bottom((frame.height as i32 - plot.bottom - below).max(0))
        .set_label_area_size(LabelAreaPosition::Left, plot.left.min(80))
        .set_label_area_size(LabelAreaPosition::Bottom, below.min(frame.height as i32 - plot.bottom))
        .build_cartesian_2d(across, down)?;
    let label = Ink::centred(TICK_PX, theme.faint_text).style();
    chart
        .configure_mesh()
        .disable_mesh()
        .axis_style(rgb(theme.axis))
        .label_style(label.clone())
        .axis_desc_style(label)
        .x_desc(titles.across)
        .y_desc(down_title)
        .draw()
}

/// Operators' names below their columns, running upwards.
fn names<DB: DrawingBackend>(
    pen: &Pen<DB>,
    frame: &Frame,
    scene: &Scene,
    viewport: &Viewport,
    style: &Style,
) -> Drawn<DB> {
    let plot = frame.plot;
    let column = f64::from(plot.width()) / viewport.steps.length();
    if column < NAME_COLUMN_PX {
        return Ok(());
    }
    let ink = Ink {
        across: HPos::Right,
        down: VPos::Center,
        upwards: true,
        ..Ink::left(NAME_FONT_PX, style.theme.faint_text)
    };
    for step in (0..scene.clock.ticks).map(Step) {
        let middle = f64::from(step.0) + 0.5;
        if middle < viewport.steps.low() || middle > viewport.steps.high() {
            continue;
        }
        if let Some(name) =
            text::fit_start(&text::clean(scene.step_name(step)), f64::from(frame.names_px), NAME_FONT_PX)
        {
            pen.text(&name, (x_of(plot, viewport, middle), plot.bottom + 24), ink)?;
        }
    }
    Ok(())
}

fn step_ticks(frame: &Frame, scene: &Scene, viewport: &Viewport) -> Vec<Tick> {
    let width = f64::from(frame.plot.width());
    let mut ticks =
        ticks::steps(viewport.steps, scene.clock.ticks, scene.clock.first_label, width, step_spacing(frame));
    // On the clock of another scene there are columns before the first step.
    ticks.retain(|tick| {
        let step = Step(u32::try_from(tick.value).unwrap_or(u32::MAX));
        scene.step_label(step) >= 0 || !scene.step_name(step).is_empty()
    });
    ticks
}

/// With operators' names below them all columns are numbered when there is room.
fn step_spacing(frame: &Frame) -> f64 {
    if frame.names_px > 0 { NAME_COLUMN_PX } else { GRID_PX.1 }
}

fn byte_ticks(frame: &Frame, viewport: &Viewport, style: &Style) -> Vec<Tick> {
    ticks::bytes(viewport.bytes, f64::from(frame.plot.height()), GRID_PX.0, style.hex)
}

/// The column of a step in the picture.
pub(super) fn x_of(plot: PxRect, viewport: &Viewport, step: f64) -> i32 {
    plot.left + viewport.px_from_step(step, f64::from(plot.width())).round() as i32
}

/// The row of a byte in the picture.
pub(super) fn y_of(plot: PxRect, viewport: &Viewport, byte: f64) -> i32 {
    plot.top + viewport.px_from_byte(byte, f64::from(plot.height())).round() as i32
}
