//! The picture's data on their way from the worker to the main thread: a scene into JSON, and back.

use serde::{Deserialize, Serialize};

use crate::chart::{BoxLabel, Clock, Kind, Scene, SceneOptions};
use crate::error::{Error, ErrorKind, Result};
use crate::plan::{Plan, Problem, Request};
use crate::report::{self, Analysis};
use crate::units::{BufferId, Span, Step};

/// One box: a request, where it lies, and what is known of it.
#[derive(Debug, Serialize, Deserialize)]
struct BoxValue {
    first: u32,
    end: u32,
    offset: u64,
    size: u64,
    used: u64,
    kind: usize,
    reference: String,
    name: String,
    dtype: Option<String>,
    op: Option<String>,
    buffer: Option<u32>,
    aliases: Vec<u32>,
}

/// A scene; the default is that of a model without an arena.
#[derive(Debug, Default, Serialize, Deserialize)]
struct SceneValue {
    alignment: u64,
    lower_bound: u64,
    budget: Option<u64>,
    ticks: u32,
    first_label: i64,
    names: Vec<String>,
    boxes: Vec<BoxValue>,
}

/// The main arena's scene as JSON.
pub(super) fn json(analysis: &Analysis, budget: Option<u64>) -> Result<String> {
    let scene = report::scene(analysis, budget);
    let value = scene.as_ref().map(value_of).unwrap_or_default();
    serde_json::to_string(&value).map_err(|error| unreadable(&error))
}

/// A scene as JSON.
pub(super) fn to_json(scene: &Scene) -> Result<String> {
    serde_json::to_string(&value_of(scene)).map_err(|error| unreadable(&error))
}

/// The scene that [`json`] wrote.
pub(super) fn from_json(text: &str) -> Result<Scene> {
    let value: SceneValue = serde_json::from_str(text).map_err(|error| unreadable(&error))?;
    let requests = value.boxes.iter().map(|item| {
        let span = Span::new(Step(item.first), Step(item.end));
        span.map(|live| Request::new(item.size, live)).ok_or_else(|| Error::new(ErrorKind::BadOption, "empty span"))
    });
    let problem = Problem::new(requests.collect::<Result<_>>()?, value.alignment.max(1))?;
    let plan = Plan::from_offsets(&problem, value.boxes.iter().map(|item| item.offset).collect());
    let clock = Clock { ticks: value.ticks, first_label: value.first_label, names: value.names };
    let options = SceneOptions { lower_bound_bytes: Some(value.lower_bound), budget_bytes: value.budget };
    let labels = value.boxes.into_iter().map(|item| BoxLabel {
        buffer: item.buffer.map(BufferId),
        reference: item.reference,
        name: item.name,
        kind: Kind::ALL.get(item.kind).copied().unwrap_or(Kind::Buffer),
        dtype: item.dtype,
        op: item.op,
        used_bytes: Some(item.used),
        aliases: item.aliases.into_iter().map(BufferId).collect(),
    });
    Ok(Scene::new(&problem, &plan, labels.collect(), clock, options))
}

fn value_of(scene: &Scene) -> SceneValue {
    let name = |list: &[crate::chart::Category], index: Option<u32>| {
        index.and_then(|index| list.get(index as usize)).map(|category| category.name.clone())
    };
    SceneValue {
        alignment: scene.alignment,
        lower_bound: scene.lower_bound_bytes,
        budget: scene.budget_bytes,
        ticks: scene.clock.ticks,
        first_label: scene.clock.first_label,
        names: scene.clock.names.clone(),
        boxes: scene
            .boxes
            .iter()
            .map(|item| BoxValue {
                first: item.live.first().0,
                end: item.live.end().0,
                offset: item.offset_bytes,
                size: item.size_bytes,
                used: item.used_bytes,
                kind: Kind::ALL.iter().position(|kind| *kind == item.kind).unwrap_or(0),
                reference: item.reference.clone(),
                name: item.name.clone(),
                dtype: name(&scene.types, item.dtype),
                op: name(&scene.ops, item.op),
                buffer: item.buffer.map(|id| id.0),
                aliases: item.aliases.iter().map(|id| id.0).collect(),
            })
            .collect(),
    }
}

fn unreadable(error: &serde_json::Error) -> Error {
    Error::new(ErrorKind::TooLarge, format!("the picture's data cannot be passed on: {error}"))
}
