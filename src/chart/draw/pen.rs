//! Draws primitives on a plotters area in our own types: rectangles, dashes, text, patterns. Everything the chart
//! draws goes through here.

use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::element::{PathElement, Polygon, Rectangle};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontDesc, FontFamily, FontStyle, FontTransform, RGBColor, ShapeStyle, TextStyle};
use plotters_backend::DrawingBackend;

use crate::chart::colour::Colour;
use crate::chart::pixels::PxRect;
use crate::chart::theme::{Paint, Pattern};

/// What drawing gives.
pub type Drawn<DB> = Result<(), DrawingAreaErrorKind<<DB as DrawingBackend>::ErrorType>>;

/// Lines of patterns in one picture: an SVG with more is larger than anyone wants.
const MAX_PATTERN_LINES: usize = 30_000;
/// The distance of a pattern's lines.
const PATTERN_PX: i32 = 8;

/// How a text is drawn.
#[derive(Clone, Copy)]
pub(super) struct Ink {
    pub size: f64,
    pub colour: Colour,
    pub bold: bool,
    pub across: HPos,
    pub down: VPos,
    pub upwards: bool,
}

impl Ink {
    /// Text whose anchor is its middle.
    pub(super) fn centred(size: f64, colour: Colour) -> Ink {
        Ink { size, colour, bold: false, across: HPos::Center, down: VPos::Center, upwards: false }
    }

    /// Text whose anchor is the middle of its left end.
    pub(super) fn left(size: f64, colour: Colour) -> Ink {
        Ink { across: HPos::Left, ..Ink::centred(size, colour) }
    }

    /// The same, bold.
    pub(super) fn bold(self) -> Ink {
        Ink { bold: true, ..self }
    }

    /// As plotters wants it.
    pub(super) fn style(self) -> TextStyle<'static> {
        let weight = if self.bold { FontStyle::Bold } else { FontStyle::Normal };
        let mut font = FontDesc::new(FontFamily::SansSerif, self.size, weight);
        if self.upwards {
            font = font.transform(FontTransform::Rotate270);
        }
        TextStyle { font, color: rgb(self.colour).to_backend_color(), pos: Pos::new(self.across, self.down) }
    }
}

pub(super) fn rgb(colour: Colour) -> RGBColor {
    RGBColor(colour.red, colour.green, colour.blue)
}

/// An area to draw on, in pixels from its own top left.
pub(super) struct Pen<DB: DrawingBackend> {
    pub area: DrawingArea<DB, Shift>,
    pattern_lines: std::cell::Cell<usize>,
}

impl<DB: DrawingBackend> Pen<DB> {
    pub(super) fn new(area: DrawingArea<DB, Shift>) -> Pen<DB> {
        Pen { area, pattern_lines: std::cell::Cell::new(0) }
    }

    pub(super) fn fill(&self, rect: PxRect, colour: Colour) -> Drawn<DB> {
        let corners = [(rect.left, rect.top), (rect.right, rect.bottom)];
        self.area.draw(&Rectangle::new(corners, rgb(colour).filled()))
    }

    pub(super) fn outline(&self, rect: PxRect, colour: Colour, stroke: u32) -> Drawn<DB> {
        let style = ShapeStyle { color: rgb(colour).to_rgba(), filled: false, stroke_width: stroke };
        let PxRect { left, top, right, bottom } = rect;
        let corners = vec![(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
        self.area.draw(&PathElement::new(corners, style))
    }

    pub(super) fn line(&self, points: Vec<(i32, i32)>, colour: Colour, stroke: u32) -> Drawn<DB> {
        let style = ShapeStyle { color: rgb(colour).to_rgba(), filled: false, stroke_width: stroke };
        self.area.draw(&PathElement::new(points, style))
    }

    pub(super) fn polygon(&self, points: Vec<(i32, i32)>, colour: Colour) -> Drawn<DB> {
        self.area.draw(&Polygon::new(points, rgb(colour).filled()))
    }

    /// A horizontal or vertical line of dashes; `gap` 0 draws it whole.
    pub(super) fn dashes(&self, from: (i32, i32), to: (i32, i32), dash: (i32, i32), ink: (Colour, u32)) -> Drawn<DB> {
        let (colour, stroke) = ink;
        if dash.1 == 0 {
            return self.line(vec![from, to], colour, stroke);
        }
        let length = (to.0 - from.0).max(to.1 - from.1);
        let (right, down) = (i32::from(to.0 > from.0), i32::from(to.1 > from.1));
        let mut at = 0;
        while at < length {
            let end = (at + dash.0).min(length);
            let point = |along: i32| (from.0 + right * along, from.1 + down * along);
            self.line(vec![point(at), point(end)], colour, stroke)?;
            at += dash.0 + dash.1;
        }
        Ok(())
    }

    pub(super) fn text(&self, text: &str, at: (i32, i32), ink: Ink) -> Drawn<DB> {
        self.area.draw_text(text, &ink.style(), at)
    }

    /// A box: border, fill, pattern.
    pub(super) fn paint(&self, rect: PxRect, paint: Paint) -> Drawn<DB> {
        let edge = |length: i32| i32::from(length >= 4);
        let (across, down) = (edge(rect.width()), edge(rect.height()));
        if across + down > 0 {
            self.fill(rect, paint.border())?;
        }
        let inner = PxRect {
            left: rect.left + across,
            top: rect.top + down,
            right: rect.right - across,
            bottom: rect.bottom - down,
        };
        self.fill(inner, paint.fill)?;
        self.hatch(inner, paint.pattern, paint.mark(), (rect.left, rect.top))
    }

    /// A pattern's lines inside a rectangle, counted from `anchor`.
    pub(super) fn hatch(&self, rect: PxRect, pattern: Pattern, colour: Colour, anchor: (i32, i32)) -> Drawn<DB> {
        if rect.width().min(rect.height()) < 3 {
            return Ok(());
        }
        match pattern {
            Pattern::Plain => Ok(()),
            Pattern::Rising => self.rising(rect, colour, anchor),
            Pattern::Falling => self.falling(rect, colour, anchor),
            Pattern::Cross => {
                self.rising(rect, colour, anchor)?;
                self.falling(rect, colour, anchor)
            }
            Pattern::Rows => multiples(rect.top, rect.bottom, anchor.1 + 3)
                .try_for_each(|y| self.pattern_line((rect.left, y), (rect.right, y), colour)),
            Pattern::Columns => multiples(rect.left, rect.right, anchor.0 + 3)
                .try_for_each(|x| self.pattern_line((x, rect.top), (x, rect.bottom), colour)),
            Pattern::Dots => multiples(rect.top, rect.bottom - 1, anchor.1 + 3).try_for_each(|y| {
                multiples(rect.left, rect.right - 1, anchor.0 + 3)
                    .try_for_each(|x| self.pattern_line((x, y), (x + 2, y), colour))
            }),
        }
    }

    /// The lines `x + y = sum` as far as they lie inside.
    fn rising(&self, rect: PxRect, colour: Colour, anchor: (i32, i32)) -> Drawn<DB> {
        let PxRect { left, top, right, bottom } = rect;
        multiples(left + top + 1, right + bottom, anchor.0 + anchor.1).try_for_each(|sum| {
            let (low, high) = (left.max(sum - bottom), right.min(sum - top));
            self.pattern_line((low, sum - low), (high, sum - high), colour)
        })
    }

    /// The lines `x - y = difference` as far as they lie inside.
    fn falling(&self, rect: PxRect, colour: Colour, anchor: (i32, i32)) -> Drawn<DB> {
        let PxRect { left, top, right, bottom } = rect;
        multiples(left - bottom + 1, right - top, anchor.0 - anchor.1).try_for_each(|difference| {
            let (low, high) = (left.max(difference + top), right.min(difference + bottom));
            self.pattern_line((low, low - difference), (high, high - difference), colour)
        })
    }

    fn pattern_line(&self, from: (i32, i32), to: (i32, i32), colour: Colour) -> Drawn<DB> {
        let drawn = self.pattern_lines.get();
        self.pattern_lines.set(drawn + 1);
        if drawn >= MAX_PATTERN_LINES {
            return Ok(());
        }
        self.line(vec![from, to], colour, 1)
    }
}

/// The numbers in `[from, to)` that are a multiple of the pattern's distance away from `anchor`.
fn multiples(from: i32, to: i32, anchor: i32) -> impl Iterator<Item = i32> {
    let first = from + (anchor - from).rem_euclid(PATTERN_PX);
    (first..to).step_by(PATTERN_PX as usize)
}
