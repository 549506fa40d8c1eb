//! Plan files: what is to be placed, as JSON of our own, and maybe where. Turns text into a [`PlanFile`] and back.
//!
//! ```text
//! { "arenascope_plan": 1, "name": "seven tensors", "alignment": 1,
//!   "steps": ["CONV_2D", …],                                          names of steps, or left out
//!   "buffers": [ { "name": "A", "size": 2000000, "first_step": 0, "last_step": 1, "offset": 0 }, … ] }
//! ```
//!
//! Steps count from 0, both ends inclusive. `alignment`, `name`, `steps` and each `offset` may be left out.

use serde_json::{Map, Value, json};

use crate::error::{Error, ErrorKind, Result};
use crate::limits;

/// The key that marks a plan file; its value is the version.
pub(super) const MARK: &str = "arenascope_plan";
/// The version we write and read.
const VERSION: u64 = 1;

/// What a plan file says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlanFile {
    /// Its title, maybe empty; any text, also hostile.
    pub name: String,
    /// Alignment of offsets in bytes, at least 1.
    pub alignment: u64,
    /// Names of the steps, maybe fewer than there are.
    pub steps: Vec<String>,
    /// What is to be placed.
    pub buffers: Vec<PlanBuffer>,
}

/// One buffer of a plan file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanBuffer {
    /// Its name, maybe empty; any text, also hostile.
    pub name: String,
    /// Bytes, at least 1.
    pub size_bytes: u64,
    /// The first step at which it is alive.
    pub first_step: u32,
    /// The last step at which it is alive, not before the first.
    pub last_step: u32,
    /// Where it lies; all buffers of a finished plan have one.
    pub offset: Option<u64>,
}

impl PlanFile {
    /// The file's text, as [`crate::container::open`] reads it.
    pub fn to_json(&self) -> String {
        let buffers: Vec<Value> = self.buffers.iter().map(PlanBuffer::to_value).collect();
        let mut file = json!({ MARK: VERSION, "name": self.name, "alignment": self.alignment, "buffers": buffers });
        if !self.steps.is_empty() {
            file["steps"] = json!(self.steps);
        }
        format!("{file:#}\n")
    }

    /// The plan file of a JSON object that carries the mark.
    pub(super) fn from_object(object: &Map<String, Value>) -> Result<PlanFile> {
        if object.get(MARK).and_then(Value::as_u64) != Some(VERSION) {
            return Err(bad(MARK, &format!("a plan file of another version, expected {VERSION}"))
                .with_hint("open it with the program that wrote it, or reload this page for a newer one"));
        }
        let alignment = match object.get("alignment") {
            None | Some(Value::Null) => 1,
            Some(value) => number("alignment", value, 1, limits::MAX_ALIGNMENT)?,
        };
        let list =
            object.get("buffers").and_then(Value::as_array).ok_or_else(|| bad("buffers", "the list is missing"))?;
        if list.len() > limits::MAX_REQUESTS {
            let message = format!("{} buffers, the most is {}", list.len(), limits::MAX_REQUESTS);
            return Err(Error::new(ErrorKind::TooLarge, message).in_field("buffers"));
        }
        let buffers = list.iter().enumerate().map(|(index, value)| PlanBuffer::from_value(index, value));
        let steps = object.get("steps").and_then(Value::as_array);
        Ok(PlanFile {
            name: text(object.get("name")),
            alignment,
            steps: steps.into_iter().flatten().map(|step| text(Some(step))).collect(),
            buffers: buffers.collect::<Result<_>>()?,
        })
    }
}

impl PlanBuffer {
    fn to_value(&self) -> Value {
        let mut value = json!({
            "name": self.name, "size": self.size_bytes, "first_step": self.first_step, "last_step": self.last_step,
        });
        if let Some(offset) = self.offset {
            value["offset"] = json!(offset);
        }
        value
    }

    fn from_value(index: usize, value: &Value) -> Result<PlanBuffer> {
        let last = u64::try_from(limits::MAX_STEPS).unwrap_or(u64::MAX);
        let field = |name: &str, least: u64, most: u64| {
            let path = format!("buffers[{index}].{name}");
            let value = value.get(name).ok_or_else(|| bad(&path, "the number is missing"))?;
            number(&path, value, least, most)
        };
        let first_step = field("first_step", 0, last)?;
        let last_step = field("last_step", first_step, last)?;
        let offset = match value.get("offset") {
            None | Some(Value::Null) => None,
            Some(_) => Some(field("offset", 0, limits::MAX_BYTES)?),
        };
        Ok(PlanBuffer {
            name: text(value.get("name")),
            size_bytes: field("size", 1, limits::MAX_BYTES)?,
            first_step: step(first_step),
            last_step: step(last_step),
            offset,
        })
    }
}

/// A step below the limit, which 32 bits hold.
fn step(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// A whole number of the file between two bounds.
fn number(path: &str, value: &Value, least: u64, most: u64) -> Result<u64> {
    match value.as_u64() {
        Some(number) if (least..=most).contains(&number) => Ok(number),
        _ => {
            // A value can be a whole tree; a message shows a little of it.
            let shown: String = value.to_string().chars().take(40).collect();
            Err(bad(path, &format!("{shown}, expected a whole number from {least} to {most}")))
        }
    }
}

fn text(value: Option<&Value>) -> String {
    value.and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn bad(path: &str, message: &str) -> Error {
    Error::new(ErrorKind::Damaged, message).in_field(path)
}
