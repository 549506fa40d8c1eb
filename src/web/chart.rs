//! The picture on the main thread: draws a scene on a canvas, answers what lies where, and moves the view.
//! A view is four numbers: first and last step, lowest and highest byte.

use plotters_canvas::CanvasBackend;
use serde::Deserialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;
use wasm_bindgen::{Clamped, JsCast};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, ImageData};

use crate::chart::colour::ColourMode;

use crate::chart::draw::draw_over;
use crate::chart::labels::{LABEL_PX, LabelItem};
use crate::chart::{
    Caption, Comparison, GapKind, Layers, Measured, PickMap, Picture, Pixels, Scene, Sight, Style, Theme, Viewport,
    Words, draw, overlay_svg, svg, text, unpack, with_fold_labels,
};
use crate::limits::MAX_STEPS;
use crate::units::Step;
use crate::web::failure;

/// What the page draws over the raster: axes, marks and the legend.
const LAYERS: Layers = Layers { boxes: false, legend: true, caption: false };

/// What a picture is a picture of.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Tsify)]
pub struct CaptionValue {
    /// The model's file name.
    pub model: String,
    /// The model's hash.
    pub sha256: String,
    /// Runtime and kernels.
    pub runtime: String,
    /// The planner.
    pub planner: String,
    /// Our own name and version.
    pub tool: String,
    /// What the picture's height is; empty: an arena.
    pub height: String,
    /// Further facts, in words.
    pub notes: Vec<String>,
    /// The facts of the plan that is laid under this one; made by `Chart::facts_before`.
    pub against: Vec<String>,
}

impl From<CaptionValue> for Caption {
    fn from(value: CaptionValue) -> Caption {
        let CaptionValue { model, sha256, runtime, planner, tool, height, notes, against } = value;
        Caption { model, sha256, runtime, planner, tool, height, notes, against }
    }
}

/// The words in the picture, in the page's language: see [`Words`].
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Tsify)]
#[expect(missing_docs, reason = "the fields are those of `Words`")]
pub struct WordsValue {
    pub step_axis: String,
    pub byte_axis: String,
    pub peak: String,
    pub lower_bound: String,
    pub budget: String,
    pub arena: String,
    pub arena_at_bound: String,
    pub gap: String,
    pub before: String,
    pub scope: String,
    pub none: String,
    pub folded: String,
    pub more: String,
    pub kinds: Vec<String>,
    pub modes: Vec<String>,
}

impl From<WordsValue> for Words {
    fn from(value: WordsValue) -> Words {
        let list = |words: Vec<String>| words.into_iter().map(Into::into).collect();
        Words {
            step_axis: value.step_axis.into(),
            byte_axis: value.byte_axis.into(),
            peak: value.peak.into(),
            lower_bound: value.lower_bound.into(),
            budget: value.budget.into(),
            arena: value.arena.into(),
            arena_at_bound: value.arena_at_bound.into(),
            gap: value.gap.into(),
            before: value.before.into(),
            scope: value.scope.into(),
            none: value.none.into(),
            folded: value.folded.into(),
            more: value.more.into(),
            kinds: list(value.kinds),
            modes: list(value.modes),
        }
    }
}

/// A scene and how it is drawn.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Chart {
    pub(super) scene: Scene,
    pub(super) whole: Viewport,
    pub(super) style: Style,
    pub(super) before: Option<Scene>,
    pub(super) ghosts: bool,
    /// The boxes of the earlier picture that are drawn as outlines.
    pub(super) outlined: Vec<u32>,
    pub(super) picked: Option<(Pixels, PickMap)>,
    /// The plot's pixels, whose memory every drawing uses again.
    pub(super) raster: Vec<[u8; 4]>,
}

#[wasm_bindgen]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "drawing: floats become pixels")]
impl Chart {
    /// The picture of what [`crate::web::analyse`] found.
    #[wasm_bindgen(constructor)]
    pub fn new(scene: &[u8]) -> Result<Chart, JsValue> {
        let scene = unpack(scene).map_err(|error| failure::thrown(&error))?;
        Ok(Chart {
            whole: scene.extent(),
            scene,
            style: Style::default(),
            before: None,
            ghosts: true,
            outlined: Vec::new(),
            picked: None,
            raster: Vec::new(),
        })
    }

    /// Lays an earlier picture under this one; nothing: none. The whole is then that of both. `columns` says where each
    /// step of the earlier one stands in this one (−1: nowhere); nothing: in the same place.
    pub fn set_before(&mut self, scene: Option<Vec<u8>>, columns: Option<Vec<i32>>) -> Result<(), JsValue> {
        let read = |bytes: Vec<u8>| unpack(&bytes).map_err(|error| failure::thrown(&error));
        self.before = scene.map(read).transpose()?;
        if let (Some(before), Some(columns)) = (&mut self.before, columns) {
            let sound = |column: &i32| u32::try_from(*column).ok().filter(|column| (*column as usize) < MAX_STEPS);
            let columns: Vec<Option<u32>> = columns.iter().map(sound).collect();
            let end = columns.iter().flatten().map(|column| column.saturating_add(1)).max().unwrap_or(0);
            *before = before.on_clock(&columns, self.scene.clock.ticks.max(end));
        }
        let found = self.before.as_ref().map(|before| Comparison::new(before, &self.scene).ghosts());
        self.outlined = found.unwrap_or_default();
        let both = self.before.as_ref().map(|before| before.extent().hull(&self.scene.extent()));
        self.whole = both.unwrap_or_else(|| self.scene.extent());
        Ok(())
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

    /// Which boxes stay bright from now on, one number for each (0: dimmed); none: all.
    pub fn set_bright(&mut self, bright: &[u8]) {
        self.style.bright = bright.iter().map(|flag| *flag != 0).collect();
    }

    /// The words in it from now on.
    pub fn set_words(&mut self, words: &Ts<WordsValue>) -> Result<(), JsValue> {
        self.style.words = words.to_rust().map_err(|error| JsValue::from(error.to_string()))?.into();
        Ok(())
    }

    /// Left, top, width and height of the plot in a canvas of this size.
    pub fn plot_area(&self, width: u32, height: u32) -> Vec<f64> {
        let plot = self.picture(self.whole, &Caption::default()).frame(width, height).plot;
        vec![f64::from(plot.left), f64::from(plot.top), f64::from(plot.width()), f64::from(plot.height())]
    }

    /// Draws all but the overlay; width and height are CSS pixels.
    pub fn draw(
        &mut self,
        canvas: &HtmlCanvasElement,
        view: &[f64],
        width: u32,
        height: u32,
        scale: f64,
    ) -> Result<(), JsValue> {
        let viewport = self.viewport(view);
        let caption = Caption::default();
        let plot = self.picture(viewport, &caption).frame(width, height).plot;
        let context = canvas.get_context("2d")?.ok_or("no canvas")?.dyn_into::<CanvasRenderingContext2d>()?;
        let device = |css_px: i32| (f64::from(css_px) * scale).round();
        let pixels = Pixels::new(device(plot.width()) as u32, device(plot.height()) as u32, scale);
        context.set_transform(1.0, 0.0, 0.0, 1.0, 0.0, 0.0)?;
        context.set_fill_style_str(&self.style.theme.page.css());
        context.fill_rect(0.0, 0.0, f64::from(canvas.width()), f64::from(canvas.height()));
        let sight = Sight::new(&self.scene, &viewport, pixels);
        sight.raster_into(&self.style, &mut self.raster);
        let data = Clamped(self.raster.as_flattened());
        let image = ImageData::new_with_u8_clamped_array_and_sh(data, pixels.width, pixels.height)?;
        context.put_image_data(&image, device(plot.left), device(plot.top))?;
        let picks = sight.picks();
        let seen = picks.seen(&sight);
        let mut items = sight.labels(&self.style);
        items.retain(|label| seen.get(label.of as usize) == Some(&true));
        let (mut items, folds) = with_fold_labels(items, &picks.folds(&sight), &self.style, pixels);
        items.extend(folds);
        write(&context, &items, (f64::from(plot.left), f64::from(plot.top)), scale)?;
        let picture = self.picture(viewport, &caption);
        let backend = CanvasBackend::with_canvas_object(canvas.clone()).ok_or("no canvas")?;
        let backend = Measured::new(backend).with_size(width, height);
        match self.ghost() {
            None => draw(backend, &picture),
            Some(before) => draw_over(backend, &picture, before, &self.outlined),
        }
        .map_err(|error| JsValue::from(error.to_string()))?;
        self.picked = Some((pixels, picks));
        Ok(())
    }

    /// The box at a point of the plot that was drawn last, as fractions from the left and from the top.
    pub fn box_at(&self, x: f64, y: f64) -> Option<u32> {
        let (pixels, map) = self.picked.as_ref()?;
        map.at((x * f64::from(pixels.width)).max(0.0) as u32, (y * f64::from(pixels.height)).max(0.0) as u32)
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

    /// The largest gap of a kind (`gap`, `padding` or `headroom`): first and last step, lowest and highest byte, size.
    pub fn largest_gap(&self, kind: &str) -> Vec<f64> {
        let wanted = match kind {
            "padding" => GapKind::Padding,
            "headroom" => GapKind::Headroom,
            _ => GapKind::Enclosed,
        };
        let found = self.scene.gaps.iter().filter(|gap| gap.kind == wanted);
        let largest = found.max_by_key(|gap| gap.size_bytes * u64::from(gap.steps.steps()));
        largest.map_or_else(Vec::new, |gap| {
            let (first, end) = (f64::from(gap.steps.first().0), f64::from(gap.steps.end().0));
            vec![first, end, float(gap.offset_bytes), float(gap.end_bytes()), float(gap.size_bytes)]
        })
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

    /// The view moved so that a box is in sight.
    pub fn reveal_box(&self, view: &[f64], id: u32) -> Vec<f64> {
        let viewport = self.viewport(view);
        let item = self.scene.boxes.get(id as usize);
        numbers(&item.map_or(viewport, |item| viewport.reveal(item, &self.whole)))
    }

    /// The picture of a view as SVG, with the step and the box that are marked in it.
    pub fn svg(
        &self,
        view: &[f64],
        width: u32,
        height: u32,
        caption: &Ts<CaptionValue>,
        cursor: Option<u32>,
        selected: Option<u32>,
    ) -> Result<String, JsValue> {
        let caption = caption_of(caption)?;
        let picture = self.picture(self.viewport(view), &caption);
        let picture = Picture { layers: Layers::ALL, cursor: cursor.map(Step), selected, ..picture };
        Ok(match self.ghost() {
            None => svg(&picture, width, height),
            Some(before) => overlay_svg(&picture, before, width, height),
        })
    }

    pub(super) fn picture<'a>(&'a self, viewport: Viewport, caption: &'a Caption) -> Picture<'a> {
        let Chart { scene, style, .. } = self;
        let beside = self.before.as_ref().filter(|_| !self.ghosts).map(|other| (other, caption));
        Picture { scene, viewport, style, caption, layers: LAYERS, cursor: None, selected: None, beside }
    }

    pub(super) fn viewport(&self, view: &[f64]) -> Viewport {
        match view {
            [x0, x1, y0, y1] => Viewport::new((*x0, *x1), (*y0, *y1)).clamp(&self.whole),
            _ => self.whole,
        }
    }
}

pub(super) fn caption_of(value: &Ts<CaptionValue>) -> Result<Caption, JsValue> {
    Ok(value.to_rust().map_err(|error| JsValue::from(error.to_string()))?.into())
}

/// Writes labels on the plot at `origin`; what all of them share is set once, since setting a font is slow.
fn write(
    context: &CanvasRenderingContext2d,
    labels: &[LabelItem],
    origin: (f64, f64),
    scale: f64,
) -> Result<(), JsValue> {
    context.set_font(&format!("{LABEL_PX}px sans-serif"));
    context.set_text_align("center");
    context.set_text_baseline("middle");
    for label in labels {
        let (x, y) = ((origin.0 + label.x) * scale, (origin.1 + label.y) * scale);
        let (cos, sin) = if label.upwards { (0.0, -scale) } else { (scale, 0.0) };
        context.set_transform(cos, sin, -sin, cos, x, y)?;
        if let Some(behind) = label.behind {
            let wide = text::width(&label.text, LABEL_PX).min(label.max_width) + 4.0;
            context.set_fill_style_str(&behind.css());
            context.fill_rect(-wide / 2.0, -LABEL_PX * 0.62, wide, LABEL_PX * 1.24);
        }
        context.set_fill_style_str(&label.colour.css());
        context.fill_text_with_max_width(&label.text, 0.0, 0.5, label.max_width)?;
    }
    context.set_transform(scale, 0.0, 0.0, scale, 0.0, 0.0)
}

fn numbers(view: &Viewport) -> Vec<f64> {
    vec![view.steps.low(), view.steps.high(), view.bytes.low(), view.bytes.high()]
}

#[expect(clippy::cast_precision_loss, reason = "drawing: bytes become pixels")]
fn float(bytes: u64) -> f64 {
    bytes as f64
}
