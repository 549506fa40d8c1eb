//! Turns the core's error into what JavaScript throws: an `Error` whose cause says kind, path, offset and hint.

use serde::Serialize;
use tsify::Tsify;
use wasm_bindgen::JsValue;

use crate::error::{Error, ErrorKind};

/// The core's error as the page reads it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
#[tsify(missing_as_null)]
pub struct Failure {
    /// A stable word.
    #[tsify(type = "'not-a-model' | 'damaged' | 'too-large' | 'refused' | 'bad-option'")]
    pub kind: &'static str,
    /// The sentence.
    pub message: String,
    /// The field, as in `subgraphs[0].tensors[3].buffer`.
    pub path: Option<String>,
    /// Offset in bytes.
    pub offset: Option<u64>,
    /// What to do.
    pub hint: Option<String>,
}

impl From<&Error> for Failure {
    fn from(error: &Error) -> Failure {
        let kind = match error.kind {
            ErrorKind::NotAModel => "not-a-model",
            ErrorKind::Damaged => "damaged",
            ErrorKind::TooLarge => "too-large",
            ErrorKind::Refused => "refused",
            ErrorKind::BadOption => "bad-option",
        };
        let Error { message, path, offset, hint, .. } = error.clone();
        Failure { kind, message, path, offset, hint }
    }
}

/// The value to throw.
pub(super) fn thrown(error: &Error) -> JsValue {
    let thrown = js_sys::Error::new(&error.to_string());
    let serializer = serde_wasm_bindgen::Serializer::json_compatible();
    if let Ok(cause) = Failure::from(error).serialize(&serializer) {
        thrown.set_cause(&cause);
    }
    thrown.into()
}
