//! What can be taken away from an analysis besides its report: one HTML file, and the plan as C++.

use serde::Deserialize;
use tsify::Tsify;
use wasm_bindgen::prelude::*;

use super::{Analysed, failure};
use crate::report::{self, PageTexts};

/// What an HTML file says in the page's language.
#[derive(Clone, Debug, Deserialize, Tsify)]
#[tsify(missing_as_null)]
pub struct PageValue {
    /// The language's tag.
    pub language: String,
    /// The picture as SVG; null: none of the page's own.
    pub picture: Option<String>,
    /// The summary: labels and what they say.
    pub facts: Vec<(String, String)>,
    /// Headings by their keys.
    pub texts: Vec<(String, String)>,
}

#[wasm_bindgen]
impl Analysed {
    /// The report as one HTML file that opens anywhere.
    ///
    /// # Errors
    /// When the report cannot be written.
    pub fn html(&self, page: &tsify::Ts<PageValue>) -> Result<String, JsValue> {
        let PageValue { language, picture, facts, texts } =
            page.to_rust().map_err(|error| JsValue::from(error.to_string()))?;
        let texts = PageTexts { language, picture, facts, texts: texts.into_iter().collect() };
        report::to_html_in(&self.analysis, &texts).map_err(|error| failure::thrown(&error))
    }

    /// The plan as C++ constants.
    pub fn cpp(&self) -> String {
        report::to_cpp(&self.analysis)
    }

    /// The plan as a struct for TFLite-Micro's planner for plans from outside.
    ///
    /// # Errors
    /// When the analysis is not of TFLite-Micro.
    pub fn buffer_plan(&self) -> Result<String, JsValue> {
        report::to_buffer_plan(&self.analysis).map_err(|error| failure::thrown(&error))
    }
}
