//! The picture on the main thread: draws a scene on a canvas, answers what lies where, and moves the view.
//! A view is four numbers: first and last step, lowest and highest byte.

use wasm_bindgen::Clamped;
use wasm_bindgen::prelude::*;
use web_sys::{CanvasRenderingContext2d, ImageData};

use crate::chart::colour::ColourMode;
use crate::chart::{GapKind, PickMap, Pixels, Scene, Style, Theme, Viewport, labels, raster};
use crate::units::Step;
use crate::web::{failure, scene};

/// Room around the plot, in CSS pixels: left, top, right, bottom.
const MARGINS: [f64; 4] = [76.0, 10.0, 14.0, 40.0];

/// A scene and how it is drawn.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Chart {
    scene: Scene,
    whole: Viewport,
    style: Style,
    picked: Option<(Viewport, Pixels, PickMap)>,
}

#[wasm_bindgen]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "drawing: floats become pixels")]
impl Chart {
    /// The picture of what [`crate::web::analyse`] found.
    #[wasm_bindgen(constructor)]
    pub fn new(scene: &str) -> Result<Chart, JsValue> {
        let scene = scene::from_json(scene).map_err(|error| failure::thrown(&error))?;
        Ok(Chart { whole: scene.extent(), scene, style: Style::default(), picked: None })
    }

    /// The view that shows everything.
    pub fn whole(&self) -> Vec<f64> {
        numbers(&self.whole)
    }

    /// How it is drawn from now on.
    pub fn set_style(&mut self, theme: &str, mode: &str, gaps: bool, bound: bool, hex: bool) {
        if let Some(theme) = Theme::from_name(theme) {
            self.style.theme = theme;
        }
        if let Some(mode) = ColourMode::from_name(mode) {
            self.style.mode = mode;
        }
        self.style.gaps = gaps;
        self.style.bound = bound;
        self.style.hex = hex;
    }

    /// Left, top, width and height of the plot in a canvas of this size.
    pub fn plot_area(&self, width: f64, height: f64) -> Vec<f64> {
        let [left, top, right, bottom] = MARGINS;
        vec![left, top, (width - left - right).max(1.0), (height - top - bottom).max(1.0)]
    }

    /// Draws all but the overlay.
    pub fn draw(
        &self,
        context: &CanvasRenderingContext2d,
        view: &[f64],
        width: f64,
        height: f64,
        scale: f64,
    ) -> Result<(), JsValue> {
        let viewport = self.viewport(view);
        let area = self.plot_area(width, height);
        let pixels = Pixels::new((area[2] * scale).round() as u32, (area[3] * scale).round() as u32, scale);
        context.set_transform(1.0, 0.0, 0.0, 1.0, 0.0, 0.0)?;
        context.set_fill_style_str(&self.style.theme.page.css());
        context.fill_rect(0.0, 0.0, width * scale, height * scale);
        let data = raster(&self.scene, &viewport, &self.style, pixels);
        let image = ImageData::new_with_u8_clamped_array_and_sh(Clamped(&data), pixels.width, pixels.height)?;
        context.put_image_data(&image, (area[0] * scale).round(), (area[1] * scale).round())?;
        context.set_transform(scale, 0.0, 0.0, scale, 0.0, 0.0)?;
        for label in labels::labels(&self.scene, &viewport, &self.style, pixels) {
            context.set_fill_style_str(&label.colour.css());
            context.set_text_align("center");
            context.set_text_baseline("middle");
            context.set_font("11px system-ui, sans-serif");
            context.fill_text(&label.text, area[0] + label.x, area[1] + label.y)?;
        }
        Ok(())
    }

    /// The box at a point of a plot of this size.
    pub fn box_at(&mut self, view: &[f64], x: f64, y: f64, width: f64, height: f64) -> Option<u32> {
        let viewport = self.viewport(view);
        let pixels = Pixels::new(width.round() as u32, height.round() as u32, 1.0);
        if !self.picked.as_ref().is_some_and(|(of, size, _)| *of == viewport && *size == pixels) {
            self.picked = Some((viewport, pixels, PickMap::new(&self.scene, &viewport, pixels)));
        }
        self.picked.as_ref().and_then(|(_, _, map)| map.at(x.max(0.0) as u32, y.max(0.0) as u32))
    }

    /// What kind of gap is at a point of a plot of this size: `gap`, `padding` or `headroom`.
    pub fn gap_at(&self, view: &[f64], x: f64, y: f64, width: f64, height: f64) -> Option<String> {
        let viewport = self.viewport(view);
        let step = Step(viewport.step_from_px(x, width).max(0.0) as u32);
        let gap = self.scene.gap_at(step, viewport.byte_from_px(y, height).max(0.0) as u64)?;
        let name = match gap.kind {
            GapKind::Enclosed => "gap",
            GapKind::Padding => "padding",
            GapKind::Headroom => "headroom",
        };
        Some(name.to_owned())
    }

    /// First and last step, lowest and highest byte of a box.
    pub fn box_area(&self, id: u32) -> Vec<f64> {
        let item = self.scene.boxes.get(id as usize);
        item.map_or_else(Vec::new, |item| {
            let (first, end) = (f64::from(item.live.first().0), f64::from(item.live.end().0));
            vec![first, end, float(item.offset_bytes), float(item.end_bytes())]
        })
    }

    /// The boxes alive at a step, by offset.
    pub fn alive_at(&self, step: u32) -> Vec<u32> {
        self.scene.alive_at(Step(step))
    }

    /// The next box above among those alive.
    pub fn above(&self, step: u32, from: Option<u32>) -> Option<u32> {
        self.scene.above(Step(step), from)
    }

    /// The next box below among those alive.
    pub fn below(&self, step: u32, from: Option<u32>) -> Option<u32> {
        self.scene.below(Step(step), from)
    }

    /// The most bytes alive in each of so many equal parts of the time.
    pub fn live_in(&self, parts: usize) -> Vec<f64> {
        let live = &self.scene.live_bytes;
        let part = |index: usize| {
            let from = (index * live.len() / parts.max(1)).min(live.len().saturating_sub(1));
            let to = ((index + 1) * live.len() / parts.max(1)).clamp(from + 1, live.len().max(from + 1));
            float(live.get(from..to).into_iter().flatten().copied().max().unwrap_or(0))
        };
        (0..parts.min(16_384)).map(part).collect()
    }

    /// The view zoomed by factors about a point given as fractions (from the left, from the bottom).
    pub fn zoom(&self, view: &[f64], steps: f64, about_x: f64, bytes: f64, about_y: f64) -> Vec<f64> {
        let zoomed = self.viewport(view).zoom_steps(steps, about_x, &self.whole);
        numbers(&zoomed.zoom_bytes(bytes, about_y, &self.whole))
    }

    /// The view moved by fractions of its width and height.
    pub fn pan(&self, view: &[f64], right: f64, up: f64) -> Vec<f64> {
        numbers(&self.viewport(view).pan(right, up, &self.whole))
    }

    /// The view of the part between two points, given as fractions.
    pub fn zoom_to(&self, view: &[f64], x0: f64, y0: f64, x1: f64, y1: f64) -> Vec<f64> {
        numbers(&self.viewport(view).zoom_to((x0, y0), (x1, y1), &self.whole))
    }

    /// The view of one box.
    pub fn around(&self, id: u32) -> Vec<f64> {
        let item = self.scene.boxes.get(id as usize);
        numbers(&item.map_or(self.whole, |item| Viewport::around(item, &self.whole)))
    }

    /// The view moved so that a step is in sight.
    pub fn reveal_step(&self, view: &[f64], step: u32) -> Vec<f64> {
        numbers(&self.viewport(view).reveal_step(step, &self.whole))
    }

    /// The picture as SVG, with a caption of one or more lines.
    pub fn svg(&self, _view: &[f64], _width: u32, _height: u32, _caption: &str) -> String {
        String::new()
    }

    fn viewport(&self, view: &[f64]) -> Viewport {
        match view {
            [x0, x1, y0, y1] => Viewport::new((*x0, *x1), (*y0, *y1)).clamp(&self.whole),
            _ => self.whole,
        }
    }
}

fn numbers(view: &Viewport) -> Vec<f64> {
    vec![view.steps.low(), view.steps.high(), view.bytes.low(), view.bytes.high()]
}

#[expect(clippy::cast_precision_loss, reason = "drawing: bytes become pixels")]
fn float(bytes: u64) -> f64 {
    bytes as f64
}
