//! Plan files: what is to be placed, as JSON of our own, and maybe where. Turns text into a [`PlanFile`] and back.
//!
//! ```text
//! { "arenascope_plan": 1, "name": "seven tensors", "alignment": 1,
//!   "steps": ["CONV_2D", …],                                          names of steps, or left out
//!   "buffers": [ { "name": "A", "size": 2000000, "first_step": 0, "last_step": 1, "offset": 0 }, … ] }
//! ```
//!
//! Steps count from 0, both ends inclusive. `alignment`, `name`, `steps` and each `offset` may be left out.
//!
//! A buffer may also carry what its runtime's planner goes by, so that it can be planned again: `"stays": true` (never
//! freed), `"batch": 1` (placed later), `"fixed": true` (its offset is not the planner's to choose).
//!
//! A plan that was made from a model says more of it, all of it optional. It is there to be shown and decides nothing, so
//! what does not fit is passed over:
//!
//! ```text
//! { …, "first_label": -1,                                             by which number the first step is printed
//!   "step_ops": [0, 1, null, …],                                      indexes of the steps' operators
//!   "buffers": [ { …, "ref": "t31", "dtype": "int8", "shape": [1, 48], "role": "intermediate",
//!                  "bytes": 48 }, … ],                                 its own bytes, where more were asked for
//!   "source": { "sha256": "…", "bytes": 300568, "ops": 31, "tensors": 89,                          the model
//!               "runtime": "tflm", "planner": "runtime", "kernels": "reference", "abi": "ilp32", "preserve_all": false,
//!               "what_if": ["t31:bytes=4096"],                         what was changed before it was planned
//!               "set": 84112, "minimum": 84064, "used": 83900, "persistent": 28700, "heap": 0 } }  what the plan cannot tell
//! ```

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
    /// The number by which the first step is printed.
    pub first_label: i32,
    /// Indexes of the steps' operators, maybe fewer than there are steps.
    pub step_ops: Vec<Option<u32>>,
    /// Where the plan is from, when it says so.
    pub source: Option<PlanSource>,
}

/// What a plan file says of the model that it was made from: nothing here was checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlanSource {
    /// SHA-256 of the model's bytes, 64 hexadecimal digits; empty when it is not said.
    pub sha256: String,
    /// Bytes of the model.
    pub model_bytes: u64,
    /// Its operators.
    pub ops: u64,
    /// Its tensors.
    pub tensors: u64,
    /// The runtime's name, as the command line writes it; so are the next three. Empty when it is not said.
    pub runtime: String,
    /// The planner.
    pub planner: String,
    /// TFLite-Micro's kernels.
    pub kernels: String,
    /// TFLite-Micro's struct sizes.
    pub abi: String,
    /// Whether every tensor was kept.
    pub preserve_all_tensors: bool,
    /// What was changed before it was planned, as the command line writes it; none for the model's own plan.
    pub what_if: Vec<String>,
    /// The figures that a plan alone cannot give.
    pub figures: PlanFigures,
}

/// Figures of a whole arena, in bytes, as far as they are said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlanFigures {
    /// What to set for TFLite-Micro.
    pub set_bytes: Option<u64>,
    /// The least arena for TFLite-Micro.
    pub minimum_bytes: Option<u64>,
    /// What TFLite-Micro's `arena_used_bytes` returns.
    pub used_bytes: Option<u64>,
    /// What stays.
    pub persistent_bytes: Option<u64>,
    /// What lies on the heap.
    pub heap_bytes: Option<u64>,
}

/// One buffer of a plan file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
    /// The offset is not the planner's to choose.
    pub is_fixed: bool,
    /// `TFLite` never frees it.
    pub stays: bool,
    /// In which of `TFLite`'s rounds of planning it is placed.
    pub batch: u32,
    /// What reports call it (`t31`); empty when it is not said, as all that follows.
    pub reference: String,
    /// Its element type, by name.
    pub dtype: String,
    /// Its dims.
    pub shape: Vec<i32>,
    /// Its role, as reports call it.
    pub role: String,
    /// Its own bytes, where the runtime asked for more.
    pub own_bytes: Option<u64>,
}

impl PlanFile {
    /// The file's text, as [`crate::container::open`] reads it.
    pub fn to_json(&self) -> String {
        let buffers: Vec<Value> = self.buffers.iter().map(PlanBuffer::to_value).collect();
        let mut file = json!({ MARK: VERSION, "name": self.name, "alignment": self.alignment, "buffers": buffers });
        if !self.steps.is_empty() {
            file["steps"] = json!(self.steps);
        }
        if !self.step_ops.is_empty() {
            file["step_ops"] = json!(self.step_ops);
        }
        if self.first_label != 0 {
            file["first_label"] = json!(self.first_label);
        }
        if let Some(source) = &self.source {
            file["source"] = source.to_value();
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
            first_label: object.get("first_label").and_then(Value::as_i64).map_or(0, small),
            step_ops: list_of(object.get("step_ops"), |op| op.as_u64().and_then(|op| u32::try_from(op).ok())),
            source: object.get("source").and_then(Value::as_object).map(PlanSource::from_object),
        })
    }
}

impl PlanSource {
    fn to_value(&self) -> Value {
        let mut value = Map::new();
        let texts = [
            ("sha256", &self.sha256),
            ("runtime", &self.runtime),
            ("planner", &self.planner),
            ("kernels", &self.kernels),
            ("abi", &self.abi),
        ];
        value.extend(
            texts.into_iter().filter(|(_, text)| !text.is_empty()).map(|(key, text)| (key.into(), json!(text))),
        );
        let sizes = [("bytes", self.model_bytes), ("ops", self.ops), ("tensors", self.tensors)];
        value.extend(sizes.map(|(key, size)| (key.to_owned(), json!(size))));
        if self.preserve_all_tensors {
            value.insert("preserve_all".to_owned(), json!(true));
        }
        if !self.what_if.is_empty() {
            value.insert("what_if".to_owned(), json!(self.what_if));
        }
        let known = self.figures.named().into_iter().filter_map(|(key, bytes)| Some((key.to_owned(), json!(bytes?))));
        value.extend(known);
        Value::Object(value)
    }

    fn from_object(object: &Map<String, Value>) -> PlanSource {
        let said = |key: &str| text(object.get(key));
        let size = |key: &str| object.get(key).and_then(Value::as_u64).filter(|bytes| *bytes <= limits::MAX_BYTES);
        let is_hash = |hash: &String| hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        PlanSource {
            sha256: Some(said("sha256")).filter(is_hash).unwrap_or_default(),
            model_bytes: size("bytes").unwrap_or(0),
            ops: size("ops").unwrap_or(0),
            tensors: size("tensors").unwrap_or(0),
            runtime: said("runtime"),
            planner: said("planner"),
            kernels: said("kernels"),
            abi: said("abi"),
            preserve_all_tensors: object.get("preserve_all") == Some(&Value::Bool(true)),
            what_if: list_of(object.get("what_if"), |change| text(Some(change)))
                .into_iter()
                .filter(|change| !change.is_empty())
                .collect(),
            figures: PlanFigures {
                set_bytes: size("set"),
                minimum_bytes: size("minimum"),
                used_bytes: size("used"),
                persistent_bytes: size("persistent"),
                heap_bytes: size("heap"),
            },
        }
    }
}

impl PlanFigures {
    /// The figures by their keys.
    fn named(self) -> [(&'static str, Option<u64>); 5] {
        [
            ("set", self.set_bytes),
            ("minimum", self.minimum_bytes),
            ("used", self.used_bytes),
            ("persistent", self.persistent_bytes),
            ("heap", self.heap_bytes),
        ]
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
        for (key, _) in [("fixed", self.is_fixed), ("stays", self.stays)].iter().filter(|(_, is_set)| *is_set) {
            value[*key] = json!(true);
        }
        if self.batch > 0 {
            value["batch"] = json!(self.batch);
        }
        for (key, text) in [("ref", &self.reference), ("dtype", &self.dtype), ("role", &self.role)] {
            if !text.is_empty() {
                value[key] = json!(text);
            }
        }
        if let Some(bytes) = self.own_bytes {
            value["bytes"] = json!(bytes);
        }
        if !self.shape.is_empty() {
            value["shape"] = json!(self.shape);
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
        let batch = match value.get("batch") {
            None | Some(Value::Null) => 0,
            Some(_) => field("batch", 0, last)?,
        };
        let is_set = |key: &str| value.get(key).and_then(Value::as_bool).unwrap_or(false);
        Ok(PlanBuffer {
            name: text(value.get("name")),
            size_bytes: field("size", 1, limits::MAX_BYTES)?,
            first_step: step(first_step),
            last_step: step(last_step),
            is_fixed: offset.is_some() && is_set("fixed"),
            stays: is_set("stays"),
            batch: step(batch),
            offset,
            reference: text(value.get("ref")),
            dtype: text(value.get("dtype")),
            shape: shape(value.get("shape")),
            role: text(value.get("role")),
            own_bytes: value.get("bytes").and_then(Value::as_u64),
        })
    }
}

/// A step below the limit, which 32 bits hold.
fn step(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// A list's values, each read by `read`; empty when it is none.
fn list_of<T>(list: Option<&Value>, read: impl Fn(&Value) -> T) -> Vec<T> {
    list.and_then(Value::as_array).into_iter().flatten().take(limits::MAX_STEPS).map(read).collect()
}

/// A number that is only printed.
fn small(number: i64) -> i32 {
    i32::try_from(number).unwrap_or(0)
}

/// Dims that are only shown; none when one of them is no dimension.
fn shape(value: Option<&Value>) -> Vec<i32> {
    let dims = list_of(value, |dim| dim.as_i64().and_then(|dim| i32::try_from(dim).ok()).filter(|dim| *dim >= -1));
    let dims: Option<Vec<i32>> = dims.into_iter().collect();
    dims.filter(|dims| dims.len() <= limits::MAX_RANK).unwrap_or_default()
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
