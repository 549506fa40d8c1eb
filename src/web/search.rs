//! Finds by regular expression in a time that grows with the text and never explodes: a browser's own expressions can be
//! made to run for years, and a link may bring one.

use regex_lite::{Regex, RegexBuilder};
use wasm_bindgen::prelude::*;

/// Most bytes that a compiled expression may take: what people type needs some hundreds.
const MAX_PROGRAM_BYTES: usize = 16 << 10;

/// Deepest nesting of groups.
const MAX_NESTING: u32 = 40;

/// A regular expression, for letters of either case.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Expression {
    regex: Regex,
}

#[wasm_bindgen]
impl Expression {
    /// Reads an expression.
    ///
    /// # Errors
    /// A sentence when it is none, or too large.
    #[wasm_bindgen(constructor)]
    pub fn new(pattern: &str) -> Result<Expression, JsValue> {
        let mut builder = RegexBuilder::new(pattern);
        builder.case_insensitive(true).size_limit(MAX_PROGRAM_BYTES).nest_limit(MAX_NESTING);
        let regex = builder.build().map_err(|error| JsValue::from(error.to_string()))?;
        Ok(Expression { regex })
    }

    /// One number for each text: 1 where the expression is found.
    #[expect(clippy::needless_pass_by_value, reason = "what JavaScript hands over belongs to us")]
    pub fn found_in(&self, texts: Vec<String>) -> Vec<u8> {
        texts.iter().map(|text| u8::from(self.regex.is_match(text))).collect()
    }
}
