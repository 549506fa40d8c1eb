//! Turns a JSON file into what it is to us: a plan file, or the manifest of a wake-word model.

use serde_json::{Map, Value};

use crate::container::{Contents, PlanFile, plan_file};
use crate::error::{Error, ErrorKind, Result};
use crate::limits;

/// What microWakeWord's manifest (version 1 or 2) says about its model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// The words it listens for; any text, also hostile.
    pub wake_word: Option<String>,
    /// The model's file name.
    pub model: Option<String>,
    /// The arena that the device is told to reserve, in bytes.
    pub tensor_arena_size: Option<u64>,
}

/// The contents of a file that begins like JSON; `None` when it is none.
pub(super) fn contents(bytes: &[u8]) -> Option<Result<Contents>> {
    if bytes.len() > limits::MAX_JSON_BYTES {
        return None;
    }
    match serde_json::from_slice(bytes) {
        Ok(Value::Object(object)) => Some(object_contents(&object)),
        Ok(_) => Some(Err(unknown("a JSON file without an object in it"))),
        // A file that names our mark means to be a plan file, so the parser's complaint is the useful one.
        Err(error) if mentions(bytes, plan_file::MARK) => {
            let message = format!("the plan file is no JSON: {error}");
            Some(Err(Error::new(ErrorKind::Damaged, message)))
        }
        Err(_) => None,
    }
}

fn object_contents(object: &Map<String, Value>) -> Result<Contents> {
    if object.contains_key(plan_file::MARK) {
        return PlanFile::from_object(object).map(|file| Contents::Plan(Box::new(file)));
    }
    if let Some(manifest) = manifest(object) {
        return Ok(Contents::Manifest(manifest));
    }
    let tool = object.get("tool").and_then(Value::as_str).unwrap_or_default();
    if tool.starts_with("arenascope") {
        return Err(unknown("a report of Arenascope's").with_hint("open the model that it is about"));
    }
    Err(unknown("a JSON file, but neither a plan file nor the manifest of a wake-word model"))
}

fn manifest(object: &Map<String, Value>) -> Option<Manifest> {
    let micro = object.get("micro").and_then(Value::as_object);
    let size = micro.and_then(|micro| micro.get("tensor_arena_size")).or_else(|| object.get("tensor_arena_size"));
    let is_micro = object.get("type").and_then(Value::as_str) == Some("micro");
    if !is_micro && size.is_none() {
        return None;
    }
    let text = |key: &str| object.get(key).and_then(Value::as_str).map(str::to_owned);
    Some(Manifest {
        wake_word: text("wake_word"),
        model: text("model"),
        tensor_arena_size: size.and_then(Value::as_u64),
    })
}

fn mentions(bytes: &[u8], word: &str) -> bool {
    bytes.windows(word.len()).any(|window| window == word.as_bytes())
}

fn unknown(what: &str) -> Error {
    Error::new(ErrorKind::NotAModel, format!("this is {what}"))
}
