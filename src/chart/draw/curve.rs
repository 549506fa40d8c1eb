//! A small line chart: how many bytes the arena needs for each value of an input dimension.

use plotters::drawing::IntoDrawingArea;
use plotters_backend::DrawingBackend;

use crate::chart::draw::axes::{TICK_PX, Titles, plain_axes, x_of, y_of};
use crate::chart::draw::frame::{Frame, Parts, TITLE_PX};
use crate::chart::draw::pen::{Drawn, Ink, Pen};
use crate::chart::draw::svg::document;
use crate::chart::format;
use crate::chart::pixels::PxRect;
use crate::chart::text;
use crate::chart::theme::Style;
use crate::chart::ticks;
use crate::chart::viewport::Viewport;

/// One value of the dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CurvePoint {
    /// The dimension's value.
    pub value: u64,
    /// The arena it needs; `None` where the model cannot be planned.
    pub arena_bytes: Option<u64>,
}

/// Arena bytes over values of one dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Curve {
    /// What it shows.
    pub title: String,
    /// The dimension's name.
    pub dimension: String,
    /// By ascending value.
    pub points: Vec<CurvePoint>,
    /// The value that the model has now.
    pub current: Option<u64>,
    /// The arena that the user has.
    pub budget_bytes: Option<u64>,
}

impl Curve {
    /// All values, and bytes from 0 to a little above the largest arena (or the budget, when it is not far away).
    fn extent(&self) -> Viewport {
        let values = || self.points.iter().map(|point| point.value);
        let (first, last) = (values().min().unwrap_or(0) as f64, values().max().unwrap_or(1) as f64);
        let most = self.points.iter().filter_map(|point| point.arena_bytes).max().unwrap_or(1);
        let near = self.budget_bytes.filter(|budget| budget / 2 <= most).unwrap_or(0);
        let margin = ((last - first) / 40.0).max(0.25);
        Viewport::new((first - margin, last + margin), (0.0, most.max(near) as f64 * 1.08))
    }
}

/// The curve as an SVG document.
pub fn curve_svg(curve: &Curve, style: &Style, width: u32, height: u32) -> String {
    let point = |point: &CurvePoint| {
        let bytes = point.arena_bytes.map_or("-".to_string(), format::both);
        format!("{}: {bytes}", point.value)
    };
    let about: Vec<String> = curve.points.iter().take(40).map(point).collect();
    let about = format!("{}; {}", curve.dimension, about.join("; "));
    document(&curve.title, &about, (width, height), |backend| draw_curve(backend, curve, style))
}

/// Draws the curve on a backend; wrap it in [`crate::chart::Measured`].
///
/// # Errors
/// Those of the backend.
pub fn draw_curve<DB: DrawingBackend>(backend: DB, curve: &Curve, style: &Style) -> Drawn<DB> {
    let (width, height) = backend.get_size();
    let frame = Frame::new(width, height, Parts { title_lines: 1, ..Parts::default() });
    let (pen, plot, theme) = (Pen::new(backend.into_drawing_area()), frame.plot, style.theme);
    let view = curve.extent();
    pen.fill(PxRect { left: 0, top: 0, right: width as i32, bottom: height as i32 }, theme.page)?;
    pen.fill(plot, theme.plot)?;
    let bytes = ticks::bytes(view.bytes, f64::from(plot.height()), 36.0, style.hex);
    for tick in &bytes {
        let y = y_of(plot, &view, tick.at);
        pen.line(vec![(plot.left, y), (plot.right, y)], theme.grid, 1)?;
    }
    let values = ticks::numbers(view.steps, f64::from(plot.width()), 48.0);
    let dimension = text::clean(&curve.dimension);
    let titles = Titles { across: &dimension, down: &style.words.arena };
    plain_axes(&pen, &frame, (view.steps, values), (view.bytes, bytes), &titles, theme)?;
    if let Some(budget) = curve.budget_bytes.filter(|budget| (*budget as f64) < view.bytes.high()) {
        let y = y_of(plot, &view, budget as f64);
        pen.dashes((plot.left, y), (plot.right, y), (2, 3), (theme.budget, 2))?;
        let words = format!("{} {}", style.words.budget, format::adaptive(budget));
        // Curves rise to the right, so the left end of the line is free.
        pen.text(&words, (plot.left + 6, y - 8), Ink::left(TICK_PX, theme.budget))?;
    }
    points(&pen, plot, curve, &view, style)?;
    let title = text::fit_end(&text::clean(&curve.title), f64::from(width as i32 - plot.left - 8), 13.0);
    let at = (plot.left, frame.title_top + TITLE_PX / 2 - 4);
    pen.text(&title.unwrap_or_default(), at, Ink::left(13.0, theme.text).bold())?;
    pen.area.present()
}

/// Lines between neighbours that both have a number, a mark on each, and a larger one on the current value.
fn points<DB: DrawingBackend>(pen: &Pen<DB>, plot: PxRect, curve: &Curve, view: &Viewport, style: &Style) -> Drawn<DB> {
    let theme = style.theme;
    let place = |point: &CurvePoint| {
        let bytes = point.arena_bytes?;
        Some((x_of(plot, view, point.value as f64), y_of(plot, view, bytes as f64)))
    };
    for run in curve.points.split(|point| point.arena_bytes.is_none()) {
        let line: Vec<(i32, i32)> = run.iter().filter_map(place).collect();
        if line.len() > 1 {
            pen.line(line, theme.live_line, 2)?;
        }
    }
    for point in &curve.points {
        let is_current = curve.current == Some(point.value);
        let half = if is_current { 5 } else { 2 };
        let Some((x, y)) = place(point) else {
            // A cross on the axis: this value cannot be planned.
            let x = x_of(plot, view, point.value as f64);
            pen.line(vec![(x - 3, plot.bottom - 7), (x + 3, plot.bottom - 1)], theme.peak, 2)?;
            pen.line(vec![(x - 3, plot.bottom - 1), (x + 3, plot.bottom - 7)], theme.peak, 2)?;
            continue;
        };
        let over = curve.budget_bytes.is_some_and(|budget| point.arena_bytes > Some(budget));
        let colour = if over { theme.budget } else { theme.live_line };
        pen.fill(PxRect { left: x - half, top: y - half, right: x + half, bottom: y + half }, colour)?;
        if is_current {
            let words = format::adaptive(point.arena_bytes.unwrap_or(0));
            let wide = (text::width(&words, TICK_PX) / 2.0).ceil() as i32;
            let x = x.clamp(plot.left + wide, (plot.right - wide).max(plot.left + wide));
            let below = y - plot.top < 24;
            pen.text(&words, (x, if below { y + 14 } else { y - 14 }), Ink::centred(TICK_PX, theme.text).bold())?;
        }
    }
    Ok(())
}
