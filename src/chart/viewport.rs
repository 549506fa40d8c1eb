//! The part of a scene that is on screen: a range of steps and a range of bytes, each zoomed on its own; and the
//! way from there to pixels. A viewport is never empty, never upside down and never outside the scene.

use crate::chart::scene::SceneBox;

/// The smallest range of steps: half an operator fills the width.
const MIN_STEPS: f64 = 0.5;
/// The smallest range of bytes: 16 bytes fill the height.
const MIN_BYTES: f64 = 16.0;

/// A range of one axis; `low < high`, both finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    low: f64,
    high: f64,
}

impl Range {
    /// The range between two values in any order, at least `min` long; what is not finite counts as 0.
    fn new(a: f64, b: f64, min: f64) -> Range {
        let (a, b) = (if a.is_finite() { a } else { 0.0 }, if b.is_finite() { b } else { 0.0 });
        let (low, high) = (a.min(b).clamp(-1e18, 1e18), a.max(b).clamp(-1e18, 1e18));
        if high - low >= min {
            return Range { low, high };
        }
        let middle = low + (high - low) / 2.0;
        // Far from 0 a small range would be lost in rounding.
        let half = (min / 2.0).max(middle.abs() * 1e-12);
        Range { low: middle - half, high: middle + half }
    }

    /// The range between two values that are known to be apart.
    pub(super) fn between(low: f64, high: f64) -> Range {
        Range::new(low, high, f64::MIN_POSITIVE)
    }

    /// Moved up by a value.
    pub(super) fn shifted(self, by: f64) -> Range {
        Range { low: self.low + by, high: self.high + by }
    }

    /// Its lower end.
    pub fn low(self) -> f64 {
        self.low
    }

    /// Its upper end.
    pub fn high(self) -> f64 {
        self.high
    }

    /// Its length; above 0.
    pub fn length(self) -> f64 {
        self.high - self.low
    }

    /// Where a value lies: 0 at the lower end, 1 at the upper one.
    pub fn fraction_of(self, value: f64) -> f64 {
        (value - self.low) / self.length()
    }

    /// The value at a fraction.
    pub fn value_at(self, fraction: f64) -> f64 {
        self.low + fraction * self.length()
    }

    /// `factor` times as long, with the value at `about` staying where it is.
    fn zoomed(self, factor: f64, about: f64, min: f64, whole: Range) -> Range {
        let factor = if factor.is_finite() && factor > 0.0 { factor } else { 1.0 };
        let about = if about.is_finite() { about.clamp(0.0, 1.0) } else { 0.5 };
        let length = (self.length() * factor).clamp(min.min(whole.length()), whole.length());
        Range::placed(self.value_at(about) - about * length, length, whole)
    }

    fn moved(self, by: f64, whole: Range) -> Range {
        let by = if by.is_finite() { by } else { 0.0 };
        Range::placed(self.low + by, self.length(), whole)
    }

    /// The range of this length that starts at `low`, or as near to it as `whole` allows.
    fn placed(low: f64, length: f64, whole: Range) -> Range {
        let length = length.min(whole.length());
        let low = low.clamp(whole.low, (whole.high - length).max(whole.low));
        Range { low, high: (low + length).min(whole.high) }
    }

    /// Moved (and cut when longer) so that it lies inside `whole`.
    fn clamped(self, whole: Range) -> Range {
        Range::placed(self.low, self.length(), whole)
    }
}

/// What part of the scene is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewport {
    /// Steps from left to right.
    pub steps: Range,
    /// Bytes from bottom to top.
    pub bytes: Range,
}

impl Viewport {
    /// The viewport between these steps and bytes (in any order); too small ranges grow to the smallest allowed.
    pub fn new(steps: (f64, f64), bytes: (f64, f64)) -> Viewport {
        Viewport { steps: Range::new(steps.0, steps.1, MIN_STEPS), bytes: Range::new(bytes.0, bytes.1, MIN_BYTES) }
    }

    /// The smallest viewport that shows all of both.
    #[must_use]
    pub fn hull(self, other: &Viewport) -> Viewport {
        let hull = |a: Range, b: Range| (a.low.min(b.low), a.high.max(b.high));
        Viewport::new(hull(self.steps, other.steps), hull(self.bytes, other.bytes))
    }

    /// Steps zoomed by `factor` (below 1: closer) about a fraction of the width (0: left edge).
    #[must_use]
    pub fn zoom_steps(self, factor: f64, about: f64, whole: &Viewport) -> Viewport {
        Viewport { steps: self.steps.zoomed(factor, about, MIN_STEPS, whole.steps), ..self }
    }

    /// Bytes zoomed by `factor` (below 1: closer) about a fraction of the height (0: bottom edge).
    #[must_use]
    pub fn zoom_bytes(self, factor: f64, about: f64, whole: &Viewport) -> Viewport {
        Viewport { bytes: self.bytes.zoomed(factor, about, MIN_BYTES, whole.bytes), ..self }
    }

    /// Moved by fractions of its own width (to the right) and height (upwards).
    #[must_use]
    pub fn pan(self, right: f64, up: f64, whole: &Viewport) -> Viewport {
        Viewport {
            steps: self.steps.moved(right * self.steps.length(), whole.steps),
            bytes: self.bytes.moved(up * self.bytes.length(), whole.bytes),
        }
    }

    /// The part between two corners, given as fractions of width (from the left) and height (from the bottom).
    #[must_use]
    pub fn zoom_to(self, from: (f64, f64), to: (f64, f64), whole: &Viewport) -> Viewport {
        let steps = (self.steps.value_at(from.0), self.steps.value_at(to.0));
        let bytes = (self.bytes.value_at(from.1), self.bytes.value_at(to.1));
        Viewport::new(steps, bytes).clamp(whole)
    }

    /// One box with a margin of half its size on each side.
    pub fn around(item: &SceneBox, whole: &Viewport) -> Viewport {
        let (first, end) = (f64::from(item.live.first().0), f64::from(item.live.end().0));
        let (low, high) = (item.offset_bytes as f64, item.end_bytes() as f64);
        let (wide, tall) = ((end - first) / 2.0, (high - low) / 2.0);
        Viewport::new((first - wide, end + wide), (low - tall, high + tall)).clamp(whole)
    }

    /// Moved as little as needed to show the whole of `step`, and nothing when it is in sight already.
    #[must_use]
    pub fn reveal_step(self, step: u32, whole: &Viewport) -> Viewport {
        let (first, end) = (f64::from(step), f64::from(step) + 1.0);
        let by = if first < self.steps.low {
            first - self.steps.low
        } else if end > self.steps.high {
            end - self.steps.high
        } else {
            0.0
        };
        Viewport { steps: self.steps.moved(by, whole.steps), ..self }
    }

    /// Moved as little as needed so that a box is in sight: all of it where there is room, else some of it.
    #[must_use]
    pub fn reveal(self, item: &SceneBox, whole: &Viewport) -> Viewport {
        let by = |range: Range, low: f64, high: f64| {
            let is_seen = low < range.high && high > range.low;
            if high - low > range.length() {
                if is_seen { 0.0 } else { low - range.low }
            } else {
                (low - range.low).min(0.0) + (high - range.high).max(0.0)
            }
        };
        let (first, end) = (f64::from(item.live.first().0), f64::from(item.live.end().0));
        let right = by(self.steps, first, end);
        let up = by(self.bytes, item.offset_bytes as f64, item.end_bytes() as f64);
        Viewport { steps: self.steps.moved(right, whole.steps), bytes: self.bytes.moved(up, whole.bytes) }
    }

    /// Moved, and cut when larger, so that it lies inside `whole`.
    #[must_use]
    pub fn clamp(self, whole: &Viewport) -> Viewport {
        Viewport { steps: self.steps.clamped(whole.steps), bytes: self.bytes.clamped(whole.bytes) }
    }

    /// The pixel column of a step, in a plot `width` pixels wide.
    pub fn px_from_step(&self, step: f64, width: f64) -> f64 {
        self.steps.fraction_of(step) * width
    }

    /// The pixel row of a byte, counted from the top, in a plot `height` pixels high.
    pub fn px_from_byte(&self, byte: f64, height: f64) -> f64 {
        (1.0 - self.bytes.fraction_of(byte)) * height
    }

    /// The step at a pixel column.
    pub fn step_from_px(&self, x: f64, width: f64) -> f64 {
        self.steps.value_at(x / width.max(1.0))
    }

    /// The byte at a pixel row, counted from the top.
    pub fn byte_from_px(&self, y: f64, height: f64) -> f64 {
        self.bytes.value_at(1.0 - y / height.max(1.0))
    }
}
