//! Draws a scene with plotters on any backend: axes, grid, gaps, boxes, lines, peak, cursor, legend, title, caption.
//! All lengths are CSS pixels; a canvas is scaled for its device before.

mod axes;
mod boxes;
mod caption;
mod curve;
mod frame;
mod legend;
mod marks;
mod measured;
mod pen;
mod strips;
mod svg;

use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters_backend::DrawingBackend;
use plotters_backend::text_anchor::VPos;

pub use caption::Caption;
pub use curve::{Curve, CurvePoint, curve_svg, draw_curve};
pub use frame::{Frame, Parts};
pub use legend::{LegendEntry, Swatch, legend};
pub use measured::{Measured, SVG_FONT_SCALE};
pub use pen::Drawn;
pub use strips::{Strip, strips_svg};
pub use svg::{compare_svg, overlay_svg, svg};

use crate::chart::draw::frame::{CAPTION_PX, TITLE_PX};
use crate::chart::draw::pen::{Ink, Pen};
use crate::chart::pixels::PxRect;
use crate::chart::scene::Scene;
use crate::chart::text;
use crate::chart::theme::Style;
use crate::chart::viewport::Viewport;
use crate::units::Step;

/// Which layers are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layers {
    /// Background, grid, gaps, boxes and their labels; a page that rasters these leaves them out.
    pub boxes: bool,
    /// The legend above the plot.
    pub legend: bool,
    /// Title above and caption below.
    pub caption: bool,
}

impl Layers {
    /// A picture that stands alone.
    pub const ALL: Layers = Layers { boxes: true, legend: true, caption: true };
    /// What is drawn over a raster.
    pub const OVER_RASTER: Layers = Layers { boxes: false, legend: false, caption: false };
}

/// What is to be drawn.
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    /// The scene.
    pub scene: &'a Scene,
    /// The part of it in sight.
    pub viewport: Viewport,
    /// How it looks.
    pub style: &'a Style,
    /// What it is a picture of.
    pub caption: &'a Caption,
    /// Which layers are drawn.
    pub layers: Layers,
    /// The step under the cursor.
    pub cursor: Option<Step>,
    /// The selected box.
    pub selected: Option<u32>,
    /// What is drawn beside it in the same size: both leave as much room as either needs, so that their plots are alike.
    pub beside: Option<(&'a Scene, &'a Caption)>,
}

impl<'a> Picture<'a> {
    /// The whole scene with all layers.
    pub fn whole(scene: &'a Scene, style: &'a Style, caption: &'a Caption) -> Picture<'a> {
        let viewport = scene.extent();
        Picture { scene, viewport, style, caption, layers: Layers::ALL, cursor: None, selected: None, beside: None }
    }

    /// The frame of this picture in a size. The page asks for it too, to know where the plot is.
    pub fn frame(&self, width: u32, height: u32) -> Frame {
        let parts = self.parts(width, height);
        let other = self.beside.map(|(scene, caption)| Picture { scene, caption, beside: None, ..*self });
        let other = other.map_or(parts, |other| other.parts(width, height));
        Frame::new(width, height, parts.max(other))
    }

    fn parts(&self, width: u32, height: u32) -> Parts {
        let entries = if self.layers.legend { legend(self.scene, self.style) } else { Vec::new() };
        let room = width as i32 - 84 - 8;
        let caption = if self.layers.caption { self.caption_lines(width).len() as u32 } else { 0 };
        let with_names = self.layers.boxes && height >= 320;
        let names_px = if with_names { frame::names_px(self.scene, &self.viewport, width) } else { 0 };
        let title = u32::from(self.layers.caption && !self.caption.model.is_empty());
        let legend_rows = legend::rows(&entries, room);
        Parts { title_lines: title, legend_rows, caption_lines: caption, names_px, marks: true }
    }

    fn caption_lines(&self, width: u32) -> Vec<String> {
        let room = f64::from(width) - 40.0;
        let mut lines = caption::wrap(&self.caption.facts(self.scene, &self.style.words), room);
        lines.extend(caption::wrap(&self.caption.against, room));
        lines
    }
}

/// Draws a picture on a backend; its size decides the frame. Wrap the backend in [`Measured`].
///
/// # Errors
/// Those of the backend.
pub fn draw<DB: DrawingBackend>(backend: DB, picture: &Picture<'_>) -> Drawn<DB> {
    let root = backend.into_drawing_area();
    draw_on(root.clone(), picture, None)?;
    root.present()
}

/// Draws a picture over what the arena was before: those of the earlier boxes that are `ghosts`
/// ([`Comparison::ghosts`](crate::chart::Comparison::ghosts)) as dashed outlines, the earlier arena as a line.
///
/// # Errors
/// Those of the backend.
pub fn draw_over<DB: DrawingBackend>(backend: DB, picture: &Picture<'_>, before: &Scene, ghosts: &[u32]) -> Drawn<DB> {
    let root = backend.into_drawing_area();
    draw_on(root.clone(), picture, Some((before, ghosts)))?;
    root.present()
}

/// Draws two pictures beside each other where there is room, else above each other; give them the same viewport to see
/// them on common axes.
///
/// # Errors
/// Those of the backend.
pub fn draw_both<DB: DrawingBackend>(backend: DB, before: &Picture<'_>, after: &Picture<'_>) -> Drawn<DB> {
    let root = backend.into_drawing_area();
    let (width, height) = root.dim_in_pixel();
    let page = PxRect { left: 0, top: 0, right: width as i32, bottom: height as i32 };
    Pen::new(root.clone()).fill(page, after.style.theme.page)?;
    let is_wide = u64::from(width) * 4 > u64::from(height) * 5;
    let (first, second) = if is_wide { root.split_horizontally(width / 2) } else { root.split_vertically(height / 2) };
    draw_on(first, &Picture { beside: Some((after.scene, after.caption)), ..*before }, None)?;
    draw_on(second, &Picture { beside: Some((before.scene, before.caption)), ..*after }, None)?;
    root.present()
}

fn draw_on<DB: DrawingBackend>(
    area: DrawingArea<DB, Shift>,
    picture: &Picture<'_>,
    before: Option<(&Scene, &[u32])>,
) -> Drawn<DB> {
    let (width, height) = area.dim_in_pixel();
    let frame = picture.frame(width, height);
    let pen = Pen::new(area);
    let Picture { scene, viewport, style, layers, .. } = picture;
    let mut shown = None;
    if layers.boxes {
        let page = PxRect { left: 0, top: 0, right: frame.width as i32, bottom: frame.height as i32 };
        pen.fill(page, style.theme.page)?;
        pen.fill(frame.plot, style.theme.plot)?;
        axes::grid(&pen, &frame, scene, viewport, style)?;
        shown = Some(boxes::boxes(&pen, &frame, picture)?);
    }
    if let Some(before) = before {
        boxes::outlines(&pen, &frame, picture, before)?;
    }
    axes::axes(&pen, &frame, scene, viewport, style)?;
    let levels = marks::levels(picture, before.map(|(before, _)| before));
    marks::lines(&pen, &frame, picture, &levels)?;
    marks::peak(&pen, &frame, picture)?;
    marks::cursor(&pen, &frame, picture)?;
    if let Some(shown) = &shown {
        // Over the lines, so that these do not cross the words.
        boxes::texts(&pen, &frame, picture, shown, &marks::rows(&frame, picture, &levels))?;
    }
    if layers.legend {
        legend::draw(&pen, &frame, &legend(scene, style), style)?;
    }
    if layers.caption {
        captions(&pen, &frame, picture)?;
    }
    Ok(())
}

fn captions<DB: DrawingBackend>(pen: &Pen<DB>, frame: &Frame, picture: &Picture<'_>) -> Drawn<DB> {
    let theme = picture.style.theme;
    let title = text::clean(&picture.caption.model);
    if let Some(title) = text::fit_end(&title, f64::from(frame.width) - f64::from(frame.plot.left) - 16.0, 15.0) {
        let ink = Ink { down: VPos::Center, ..Ink::left(15.0, theme.text).bold() };
        pen.text(&title, (frame.plot.left, frame.title_top + TITLE_PX / 2 - 2), ink)?;
    }
    for (row, line) in picture.caption_lines(frame.width).iter().enumerate() {
        let y = frame.caption_top + row as i32 * CAPTION_PX + CAPTION_PX / 2;
        pen.text(line, (20, y), Ink::left(11.0, theme.faint_text))?;
    }
    Ok(())
}
