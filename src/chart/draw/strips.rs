//! Draws strips of memory as SVG: title, the strip with labels where they fit, a legend with bytes per category.

use plotters::drawing::IntoDrawingArea;
use plotters_backend::DrawingBackend;
use plotters_backend::text_anchor::HPos;

use crate::chart::draw::pen::{Drawn, Ink, Pen};
use crate::chart::draw::svg::document;
use crate::chart::format;
use crate::chart::pixels::PxRect;
use crate::chart::strip::{Mark, Segment, px_from_segments};
use crate::chart::text;
use crate::chart::theme::{Paint, Pattern, Style};

const FONT_PX: f64 = 11.0;
const MARGIN_PX: i32 = 16;
const BAR_PX: i32 = 40;
const LEGEND_ROW_PX: i32 = 18;

/// One strip with its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strip {
    /// What it shows.
    pub title: String,
    /// Its segments, from [`crate::chart::strip::filled`].
    pub segments: Vec<Segment>,
}

/// The strips below each other on a common scale of their own, as an SVG document as high as it needs to be.
pub fn strips_svg(strips: &[Strip], style: &Style, width: u32) -> String {
    let width = width.clamp(64, 16_384);
    let heights: Vec<i32> = strips.iter().map(|strip| height_of(strip, width)).collect();
    let height = (heights.iter().sum::<i32>() + MARGIN_PX).clamp(32, 16_384);
    let title = strips.first().map_or("", |strip| &strip.title);
    let about = |strip: &Strip| {
        let parts: Vec<String> =
            categories(strip).iter().map(|part| format!("{} {}", part.0, format::both(part.2))).collect();
        format!("{}: {}", strip.title, parts.join(", "))
    };
    let about = strips.iter().map(about).collect::<Vec<_>>().join("; ");
    document(title, &about, (width, height as u32), |backend| draw(backend, strips, &heights, style))
}

fn draw<DB: DrawingBackend>(backend: DB, strips: &[Strip], heights: &[i32], style: &Style) -> Drawn<DB> {
    let (width, height) = backend.get_size();
    let (width, height) = (width as i32, height as i32);
    let pen = Pen::new(backend.into_drawing_area());
    pen.fill(PxRect { left: 0, top: 0, right: width, bottom: height }, style.theme.page)?;
    let mut top = 0;
    for (strip, high) in strips.iter().zip(heights) {
        draw_strip(&pen, strip, style, top + MARGIN_PX, width)?;
        top += high;
    }
    pen.area.present()
}

fn draw_strip<DB: DrawingBackend>(pen: &Pen<DB>, strip: &Strip, style: &Style, top: i32, width: i32) -> Drawn<DB> {
    let theme = style.theme;
    let end = strip.segments.last().map_or(0, Segment::end_bytes);
    let ink = Ink::left(12.0, theme.text).bold();
    let total = format::both(end);
    let room = f64::from(width - 3 * MARGIN_PX) - text::width(&total, FONT_PX);
    let title = text::fit_start(&text::clean(&strip.title), room, 12.0).unwrap_or_default();
    pen.text(&title, (MARGIN_PX, top + 6), ink)?;
    let right = Ink { across: HPos::Right, ..Ink::left(FONT_PX, theme.faint_text) };
    pen.text(&total, (width - MARGIN_PX, top + 6), right)?;
    let (bar_top, bar_bottom) = (top + 18, top + 18 + BAR_PX);
    let edges = px_from_segments(&strip.segments, (width - 2 * MARGIN_PX).max(1) as u32);
    for (segment, (from, to)) in strip.segments.iter().zip(edges).filter(|(_, (from, to))| from < to) {
        let rect = PxRect { left: MARGIN_PX + from, top: bar_top, right: MARGIN_PX + to, bottom: bar_bottom };
        if let Some(paint) = segment.paint {
            pen.paint(rect, paint)?;
        } else {
            pen.fill(rect, theme.plot)?;
            pen.hatch(rect, Pattern::Rising, theme.gap, (0, 0))?;
        }
        write_on(pen, segment, rect, style)?;
    }
    pen.outline(PxRect { left: MARGIN_PX, top: bar_top, right: width - MARGIN_PX, bottom: bar_bottom }, theme.axis, 1)?;
    for ((words, paint, bytes), (row, left)) in categories(strip).iter().zip(places(strip, width)) {
        let (x, y) = (MARGIN_PX + left, bar_bottom + 16 + row * LEGEND_ROW_PX);
        pen.paint(PxRect { left: x, top: y - 6, right: x + 15, bottom: y + 6 }, *paint)?;
        pen.text(&entry(words, *bytes), (x + 20, y), Ink::left(FONT_PX, theme.text))?;
    }
    Ok(())
}

/// Label and size on a segment, `+` where it is born and `−` where it dies.
fn write_on<DB: DrawingBackend>(pen: &Pen<DB>, segment: &Segment, rect: PxRect, style: &Style) -> Drawn<DB> {
    let sign = match segment.mark {
        Mark::Stays => "",
        Mark::Born => "+ ",
        Mark::Dying => "− ",
        Mark::Passing => "± ",
    };
    let room = f64::from(rect.width() - 6);
    let middle = i32::midpoint(rect.left, rect.right);
    let (ink, behind) =
        segment.paint.map_or((style.theme.faint_text, style.theme.plot), |paint| (paint.fill.ink(), paint.fill));
    let size = format::adaptive(segment.size_bytes);
    let first = text::fit_end(&format!("{sign}{}", segment.label), room, FONT_PX).filter(|_| !segment.label.is_empty());
    let second = Some(size).filter(|size| text::width(size, FONT_PX) <= room);
    let patterned = segment.paint.is_none_or(|paint| paint.pattern != Pattern::Plain);
    let both = first.is_some() && second.is_some();
    let centre = i32::midpoint(rect.top, rect.bottom);
    for (line, shift) in [(first, -8), (second, 8)] {
        let Some(line) = line else { continue };
        let y = centre + if both { shift } else { 0 };
        if patterned {
            let half = (text::width(&line, FONT_PX) / 2.0).ceil() as i32;
            pen.fill(PxRect { left: middle - half, top: y - 7, right: middle + half, bottom: y + 7 }, behind)?;
        }
        pen.text(&line, (middle, y), Ink::centred(FONT_PX, ink))?;
    }
    Ok(())
}

/// Categories in order of offset, each with its paint and the sum of its bytes.
fn categories(strip: &Strip) -> Vec<(String, Paint, u64)> {
    let mut list: Vec<(String, Paint, u64)> = Vec::new();
    for segment in &strip.segments {
        let Some(paint) = segment.paint else { continue };
        match list.iter_mut().find(|entry| entry.0 == segment.category) {
            Some(entry) => entry.2 = entry.2.saturating_add(segment.size_bytes),
            None => list.push((segment.category.clone(), paint, segment.size_bytes)),
        }
    }
    list
}

fn entry(words: &str, bytes: u64) -> String {
    let words = text::fit_start(words, 220.0, FONT_PX).unwrap_or_default();
    format!("{words} {}", format::adaptive(bytes))
}

/// Row and left edge of each legend entry.
fn places(strip: &Strip, width: i32) -> Vec<(i32, i32)> {
    let (mut row, mut left) = (0, 0);
    let place = |(words, _, bytes): &(String, Paint, u64)| {
        let wide = 36 + text::width(&entry(words, *bytes), FONT_PX).ceil() as i32;
        if left > 0 && left + wide > width - 2 * MARGIN_PX {
            (row, left) = (row + 1, 0);
        }
        let at = (row, left);
        left += wide;
        at
    };
    categories(strip).iter().map(place).collect()
}

fn height_of(strip: &Strip, width: u32) -> i32 {
    let rows = places(strip, width as i32).last().map_or(0, |(row, _)| row + 1);
    MARGIN_PX + 18 + BAR_PX + 8 + rows * LEGEND_ROW_PX
}
