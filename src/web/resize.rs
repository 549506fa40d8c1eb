//! Other input dims on the workbench: which inputs there are and which of their dims are open, whether a shape is
//! possible, and the arena over one dim.

use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::chart::{Curve, CurvePoint, Style, Theme, curve_svg};
use crate::report::{self, ResizeTensor, Settings};
use crate::web::failure;
use crate::web::workbench::{Workbench, json};

/// One input of the main subgraph.
#[derive(Debug, Serialize)]
struct InputValue {
    /// Its reference, as `t3`.
    tensor: String,
    name: String,
    /// The dims in the file.
    file: Vec<i32>,
    /// The dims now.
    now: Vec<i32>,
    /// Per dim: whether the signature leaves it open.
    open: Vec<bool>,
}

#[derive(Debug, Serialize)]
struct PointValue {
    value: u32,
    bytes: Option<u64>,
    /// What stood in the way, in the operator's own terms.
    failed: Option<String>,
}

#[wasm_bindgen]
impl Workbench {
    /// The inputs of the main subgraph, as JSON.
    pub fn inputs(&self) -> Result<String, JsValue> {
        let Some(model) = &self.analysis.model else { return Ok(String::from("[]")) };
        let main = model.main();
        let mut inputs: Vec<InputValue> = Vec::new();
        for id in main.inputs.iter().flatten() {
            let Some(tensor) = main.tensors.get(id.index()) else { continue };
            let reference = format!("t{id}");
            if inputs.iter().any(|input| input.tensor == reference) {
                continue;
            }
            let now = self.analysis.program.buffers.get(id.index()).map_or(&tensor.shape, |buffer| &buffer.shape);
            inputs.push(InputValue {
                open: (0..tensor.shape.len()).map(|axis| tensor.shape_signature.get(axis) == Some(&-1)).collect(),
                file: tensor.shape.clone(),
                now: now.clone(),
                name: tensor.name.clone(),
                tensor: reference,
            });
        }
        json(&inputs)
    }

    /// The arena when one dim of an input (`t3`) has another value, as JSON.
    pub fn arena_with(&self, tensor: &str, dims: Vec<i32>, value: u32) -> Result<String, JsValue> {
        let mut settings: Settings = self.settings.clone();
        settings.resize.retain(|resize| resize.tensor != tensor);
        settings.resize.push(ResizeTensor { tensor: tensor.to_owned(), dims });
        let point = match report::analyse(&self.bytes, &self.name, &settings) {
            Ok(analysis) => {
                let bytes = analysis.stack_peak().map_or(analysis.arena_bytes(), |(_, bytes)| bytes);
                PointValue { value, bytes: Some(bytes), failed: None }
            }
            Err(error) => PointValue { value, bytes: None, failed: Some(error.to_string()) },
        };
        json(&point)
    }
}

/// The curve of arena bytes over the values of one dim, as SVG. Bytes below 0 say that the value is impossible.
///
/// # Errors
/// When the two lists differ in length.
#[wasm_bindgen]
#[expect(clippy::too_many_arguments, reason = "the page's words and numbers, each of a kind of its own")]
pub fn resize_curve(
    title: String,
    dimension: String,
    values: &[u32],
    bytes: &[f64],
    current: Option<u32>,
    budget: Option<f64>,
    theme: &str,
    width: u32,
) -> Result<String, JsValue> {
    if values.len() != bytes.len() {
        let error = crate::error::Error::new(crate::error::ErrorKind::BadOption, "values and bytes differ in number");
        return Err(failure::thrown(&error));
    }
    let points = values.iter().zip(bytes);
    let curve = Curve {
        title,
        dimension,
        points: points
            .map(|(value, bytes)| CurvePoint { value: u64::from(*value), arena_bytes: whole(*bytes) })
            .collect(),
        current: current.map(u64::from),
        budget_bytes: budget.and_then(whole),
    };
    let mut style = Style::default();
    if let Some(theme) = Theme::from_name(theme) {
        style.theme = theme;
    }
    Ok(curve_svg(&curve, &style, width, width * 5 / 8))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "JavaScript's numbers; bytes are below 2^53"
)]
fn whole(bytes: f64) -> Option<u64> {
    (bytes >= 0.0).then_some(bytes as u64)
}
