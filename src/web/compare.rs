//! Two plans beside each other: what is different, from the reports that the page already has, and pictures of both.

use tsify::Ts;
use wasm_bindgen::prelude::*;

use crate::chart::{Layers, Picture, Scene, compare_svg};
use crate::error::Result;
use crate::report::{self, Comparison, Side};
use crate::units::Step;
use crate::web::chart::{CaptionValue, Chart, caption_of};
use crate::web::failure;

/// What is different between two plans, from their reports, as JSON.
///
/// # Errors
/// When a text is no report of ours.
#[wasm_bindgen]
pub fn compare(before: &str, after: &str) -> std::result::Result<String, JsValue> {
    let found = compared(before, after).and_then(|(found, _, _)| found.to_json());
    found.map_err(|error| failure::thrown(&error))
}

/// The same, tensor by tensor, as CSV.
///
/// # Errors
/// As [`compare`].
#[wasm_bindgen]
pub fn compare_csv(before: &str, after: &str) -> std::result::Result<String, JsValue> {
    let found = compared(before, after).map(|(found, before, after)| found.to_csv(&before, &after));
    found.map_err(|error| failure::thrown(&error))
}

fn compared(before: &str, after: &str) -> Result<(Comparison, Side, Side)> {
    let (before, after) = (Side::from_json(before)?, Side::from_json(after)?);
    Ok((report::compare(&before, &after), before, after))
}

#[wasm_bindgen]
impl Chart {
    /// Whether the earlier picture is drawn under this one, in outlines.
    pub fn set_ghosts(&mut self, shown: bool) {
        self.ghosts = shown;
    }

    /// The earlier picture by itself, on the axes of both.
    pub fn earlier(&self) -> Option<Chart> {
        // Each knows the other, so that both leave the same room for their legends.
        let (scene, before) = (self.before.clone()?, Some(self.scene.clone()));
        Some(Chart {
            scene,
            whole: self.whole,
            style: self.style.clone(),
            before,
            ghosts: false,
            outlined: Vec::new(),
            picked: None,
            raster: Vec::new(),
        })
    }

    /// The earlier picture and this one beside each other in a size, with what is marked (the step, the box before, the box
    /// after; −1: none); nothing when there is no earlier one.
    pub fn both_svg(
        &self,
        view: &[f64],
        width: u32,
        height: u32,
        before: &Ts<CaptionValue>,
        after: &Ts<CaptionValue>,
        marks: &[i32],
    ) -> std::result::Result<Option<String>, JsValue> {
        let Some(earlier) = &self.before else { return Ok(None) };
        let captions = [caption_of(before)?, caption_of(after)?];
        let marked = |at: usize| marks.get(at).and_then(|id| u32::try_from(*id).ok());
        let viewport = self.viewport(view);
        let picture = |scene, at: usize| Picture {
            scene,
            viewport,
            style: &self.style,
            caption: &captions[at],
            layers: Layers::ALL,
            cursor: marked(0).map(Step),
            selected: marked(at + 1),
            beside: None,
        };
        Ok(Some(compare_svg(&picture(earlier, 0), &picture(&self.scene, 1), width, height)))
    }

    /// What the picture says of itself, one text for each fact.
    pub fn facts(&self, caption: &Ts<CaptionValue>) -> std::result::Result<Vec<String>, JsValue> {
        Ok(caption_of(caption)?.facts(&self.scene, &self.style.words))
    }

    /// The same for the picture that is laid under this one; nothing when there is none.
    pub fn facts_before(&self, caption: &Ts<CaptionValue>) -> std::result::Result<Vec<String>, JsValue> {
        let Some(before) = &self.before else { return Ok(Vec::new()) };
        Ok(caption_of(caption)?.facts_before(before, &self.style.words))
    }

    pub(super) fn ghost(&self) -> Option<&Scene> {
        self.before.as_ref().filter(|_| self.ghosts)
    }
}
