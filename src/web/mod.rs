//! The core as the page calls it: JavaScript values in, JavaScript values out, and nothing in between that is not
//! said elsewhere. The only module that knows wasm-bindgen. [`analyse`] runs in a worker; [`chart::Chart`] draws on the
//! main thread what the worker found.

pub mod arenas;
pub mod chart;
pub mod compare;
pub mod explain;
mod failure;
pub mod folder;
pub mod measured;
pub mod micro;
mod notes;
pub mod resize;
mod scene;
pub mod search;
mod settings;
pub mod takeaway;
pub mod warm;
mod what_if;
mod why;
pub mod workbench;

use wasm_bindgen::prelude::*;

pub use failure::Failure;
pub use settings::SettingsValue;

use crate::container::{self, Contents};
use crate::error::Error;
use crate::report::{self, Analysis};

/// Lets a panic say where it happened, on the console.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
}

/// What the worker sends to the page: texts, since JSON parses faster than structures are cloned, and the picture as
/// bytes, since those are handed over without a copy.
#[wasm_bindgen(getter_with_clone)]
#[derive(Clone, Debug)]
pub struct Analysed {
    /// The report.
    pub report: String,
    /// What the page needs besides it.
    pub notes: String,
    /// The picture's data, for [`chart::Chart`].
    pub scene: Vec<u8>,
    /// The main arena as CSV.
    pub csv: String,
    /// The main arena as a plan file.
    pub plan: String,
    /// TFLite-Micro's whole arena; `null` for `TFLite`.
    pub micro: String,
    /// The manifests of wake-word models in the file.
    pub manifests: String,
    /// What the what-ifs and other changes are held against; `null` when nothing was changed.
    pub what_if: String,
    /// The main arena without the what-ifs as a plan file; nothing when there are none.
    pub base_plan: Option<String>,
    /// The what-ifs for that plan file.
    pub plan_edits: Vec<String>,
    analysis: Analysis,
}

#[wasm_bindgen]
impl Analysed {
    /// Why a box lies where it does, as JSON; nothing for a box that no planner placed.
    ///
    /// # Errors
    /// As [`analyse`].
    pub fn why(&self, id: u32) -> Result<Option<String>, JsValue> {
        why::json(&self.analysis, id).map_err(|error| failure::thrown(&error))
    }
}

/// The names of the models that a file holds; none when it holds something else, or cannot be read.
#[wasm_bindgen]
pub fn models(bytes: &[u8], name: &str) -> Vec<String> {
    match container::open(bytes, Some(name)) {
        Ok(Contents::Models(candidates)) => candidates.into_iter().map(|candidate| candidate.name).collect(),
        _ => Vec::new(),
    }
}

/// What the settings make of dropped bytes.
///
/// # Errors
/// An `Error` with a [`Failure`] as its cause.
#[wasm_bindgen]
pub fn analyse(bytes: &[u8], name: &str, settings: &tsify::Ts<SettingsValue>) -> Result<Analysed, JsValue> {
    let settings = settings.to_rust().map_err(|error| JsValue::from(error.to_string()))?;
    analysed(bytes, name, &settings).map_err(|error| failure::thrown(&error))
}

fn analysed(bytes: &[u8], name: &str, settings: &SettingsValue) -> Result<Analysed, Error> {
    let analysis: Analysis = report::analyse(bytes, name, &settings.settings()?)?;
    let what_if = analysis.what_if.as_ref();
    Ok(Analysed {
        report: report::to_json(&analysis)?,
        notes: notes::json(&analysis)?,
        scene: scene::packed(&analysis, micro::head_budget(&analysis, settings.budget))?,
        csv: report::to_csv(&analysis),
        plan: report::to_plan_file(&analysis),
        micro: micro::json(&analysis, settings.budget)?,
        manifests: micro::written(&folder::manifest_values(bytes, name))?,
        what_if: what_if::json(bytes, &analysis)?,
        base_plan: report::to_base_plan(&analysis),
        plan_edits: what_if.map(|what_if| what_if.plan_edits()).transpose()?.unwrap_or_default(),
        analysis,
    })
}
