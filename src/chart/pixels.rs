//! From boxes to whole pixels: rounding, clipping, and the floor of 2 CSS pixels below which nothing shrinks.

use crate::chart::gaps::Gap;
use crate::chart::scene::SceneBox;
use crate::chart::viewport::Viewport;
use crate::units::Span;

/// The smallest side of a box, in CSS pixels.
pub const MIN_BOX_PX: f64 = 2.0;
/// The largest side of a raster, in device pixels: beyond any screen, and it bounds memory.
pub const MAX_SIDE_PX: u32 = 16_384;

/// The size of a plot in device pixels, and how many of them make a CSS pixel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pixels {
    /// Device pixels across.
    pub width: u32,
    /// Device pixels down.
    pub height: u32,
    /// Device pixels per CSS pixel.
    pub scale: f64,
}

impl Pixels {
    /// A plot of so many device pixels; sides are held between 1 and [`MAX_SIDE_PX`], the scale between ¼ and 8.
    pub fn new(width: u32, height: u32, scale: f64) -> Pixels {
        let scale = if scale.is_finite() { scale.clamp(0.25, 8.0) } else { 1.0 };
        Pixels { width: width.clamp(1, MAX_SIDE_PX), height: height.clamp(1, MAX_SIDE_PX), scale }
    }

    /// A length in CSS pixels as whole device pixels, at least 1.
    pub fn device(self, css_px: f64) -> i32 {
        ((css_px * self.scale).round() as i32).max(1)
    }
}

/// Whole pixels `[left, right) × [top, bottom)`, `top` counted from the top; never empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub struct PxRect {
    pub left: i32,
    pub top: i32,
    pub right: i32,
    pub bottom: i32,
}

impl PxRect {
    /// Pixels across.
    pub fn width(self) -> i32 {
        self.right - self.left
    }

    /// Pixels down.
    pub fn height(self) -> i32 {
        self.bottom - self.top
    }
}

/// The pixels of a box in a plot, inside its edges and at least 2 CSS pixels wide and high; `None` when no part of
/// the box is in sight.
pub fn px_from_box(item: &SceneBox, viewport: &Viewport, pixels: Pixels) -> Option<PxRect> {
    px_from_area(item.live, (item.offset_bytes, item.end_bytes()), viewport, pixels, pixels.device(MIN_BOX_PX))
}

/// The pixels of a gap, at least 1 device pixel; `None` when no part of it is in sight.
pub fn px_from_gap(gap: &Gap, viewport: &Viewport, pixels: Pixels) -> Option<PxRect> {
    px_from_area(gap.steps, (gap.offset_bytes, gap.end_bytes()), viewport, pixels, 1)
}

fn px_from_area(
    steps: Span,
    (low, high): (u64, u64),
    viewport: &Viewport,
    pixels: Pixels,
    floor: i32,
) -> Option<PxRect> {
    let (first, end) = (f64::from(steps.first().0), f64::from(steps.end().0));
    let (low, high) = (low as f64, high as f64);
    let in_sight = first < viewport.steps.high()
        && end > viewport.steps.low()
        && low < viewport.bytes.high()
        && high > viewport.bytes.low();
    if !in_sight {
        return None;
    }
    let (width, height) = (f64::from(pixels.width), f64::from(pixels.height));
    let (left, right) =
        side(viewport.px_from_step(first, width), viewport.px_from_step(end, width), pixels.width as i32, floor);
    let (top, bottom) =
        side(viewport.px_from_byte(high, height), viewport.px_from_byte(low, height), pixels.height as i32, floor);
    Some(PxRect { left, top, right, bottom })
}

/// One side: rounded, cut at the plot's edges, and grown to the floor where it is shorter.
fn side(from: f64, to: f64, length: i32, floor: i32) -> (i32, i32) {
    let floor = floor.min(length);
    // Wasm has no rounding away from 0; between 0 and the length this is the same.
    let whole = |px: f64| (px.clamp(0.0, f64::from(length)) + 0.5) as i32;
    let (from, to) = (whole(from), whole(to));
    if to - from >= floor {
        return (from, to);
    }
    let from = from.min(length - floor);
    (from, from + floor)
}
