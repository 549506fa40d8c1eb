//! [`Measured`]: any plotters backend, with text measured by our own table instead of by fonts or a browser, text
//! drawn at the size that was asked for, and filled rectangles that never vanish.

use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind, FontFamily,
    FontStyle, FontTransform, text_anchor,
};

use crate::chart::pixels::MIN_BOX_PX;
use crate::chart::text;

/// plotters' SVG backend writes a font size divided by this.
pub const SVG_FONT_SCALE: f64 = 1.24;

/// A backend of plotters that measures text by our table.
#[derive(Debug)]
pub struct Measured<DB> {
    backend: DB,
    size: Option<(u32, u32)>,
    font_scale: f64,
}

impl<DB: DrawingBackend> Measured<DB> {
    /// Wraps a backend that draws text at its nominal size, and says how large it is.
    pub fn new(backend: DB) -> Measured<DB> {
        Measured { backend, size: None, font_scale: 1.0 }
    }

    /// The same, with font sizes multiplied (see [`SVG_FONT_SCALE`]).
    #[must_use]
    pub fn with_font_scale(mut self, font_scale: f64) -> Measured<DB> {
        self.font_scale = font_scale;
        self
    }

    /// The same, with a size of its own: a canvas that is scaled for the device tells device pixels, and we draw in
    /// CSS pixels.
    #[must_use]
    pub fn with_size(mut self, width: u32, height: u32) -> Measured<DB> {
        self.size = Some((width, height));
        self
    }
}

type Outcome<DB> = Result<(), DrawingErrorKind<<DB as DrawingBackend>::ErrorType>>;

impl<DB: DrawingBackend> DrawingBackend for Measured<DB> {
    type ErrorType = DB::ErrorType;

    fn get_size(&self) -> (u32, u32) {
        self.size.unwrap_or_else(|| self.backend.get_size())
    }

    fn ensure_prepared(&mut self) -> Outcome<DB> {
        self.backend.ensure_prepared()
    }

    fn present(&mut self) -> Outcome<DB> {
        self.backend.present()
    }

    fn draw_pixel(&mut self, point: BackendCoord, color: BackendColor) -> Outcome<DB> {
        self.backend.draw_pixel(point, color)
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Outcome<DB> {
        self.backend.draw_line(from, to, style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        upper_left: BackendCoord,
        bottom_right: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Outcome<DB> {
        let floor = if fill { MIN_BOX_PX as i32 } else { 0 };
        let grown = (bottom_right.0.max(upper_left.0 + floor), bottom_right.1.max(upper_left.1 + floor));
        self.backend.draw_rect(upper_left, grown, style, fill)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, path: I, style: &S) -> Outcome<DB> {
        self.backend.draw_path(path, style)
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        center: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Outcome<DB> {
        self.backend.draw_circle(center, radius, style, fill)
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        vert: I,
        style: &S,
    ) -> Outcome<DB> {
        self.backend.fill_polygon(vert, style)
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, pos: BackendCoord) -> Outcome<DB> {
        self.backend.draw_text(text, &Scaled { style, factor: self.font_scale }, pos)
    }

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        style: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<Self::ErrorType>> {
        let size = style.size();
        Ok((text::width(text, size).ceil() as u32, text::line_height(size).ceil() as u32))
    }

    fn blit_bitmap(&mut self, pos: BackendCoord, size: (u32, u32), src: &[u8]) -> Outcome<DB> {
        self.backend.blit_bitmap(pos, size, src)
    }
}

/// A text style with another size.
struct Scaled<'a, S> {
    style: &'a S,
    factor: f64,
}

impl<S: BackendTextStyle> BackendTextStyle for Scaled<'_, S> {
    type FontError = S::FontError;

    fn color(&self) -> BackendColor {
        self.style.color()
    }

    fn size(&self) -> f64 {
        self.style.size() * self.factor
    }

    fn transform(&self) -> FontTransform {
        self.style.transform()
    }

    fn style(&self) -> FontStyle {
        self.style.style()
    }

    fn anchor(&self) -> text_anchor::Pos {
        self.style.anchor()
    }

    fn family(&self) -> FontFamily<'_> {
        self.style.family()
    }

    fn layout_box(&self, text: &str) -> Result<((i32, i32), (i32, i32)), Self::FontError> {
        self.style.layout_box(text)
    }

    fn draw<E, DrawFunc: FnMut(i32, i32, BackendColor) -> Result<(), E>>(
        &self,
        text: &str,
        pos: BackendCoord,
        draw: DrawFunc,
    ) -> Result<Result<(), E>, Self::FontError> {
        self.style.draw(text, pos, draw)
    }
}
