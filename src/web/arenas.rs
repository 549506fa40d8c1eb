//! The arenas of a model with several subgraphs, on the workbench: each with its own picture, and their sum along the
//! deepest call stack.

use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::chart::{Scene, SceneOptions, pack};
use crate::report::{Analysis, step_words};
use crate::runtime::ArenaKind;
use crate::units::{ArenaId, Step};
use crate::web::workbench::{Workbench, json};

#[derive(Debug, Serialize)]
struct ArenaValue {
    subgraph: u32,
    name: String,
    /// `main` or `persistent`.
    kind: &'static str,
    bytes: u64,
    bound: u64,
    buffers: usize,
    ticks: u32,
}

/// One subgraph that is running while the deepest one runs.
#[derive(Debug, Serialize)]
struct FrameValue {
    subgraph: u32,
    /// Its name, and what it is doing.
    name: String,
    step: String,
    /// Its arena; 0 where an outer frame has counted it.
    bytes: u64,
}

#[derive(Debug, Serialize)]
struct ArenasValue {
    arenas: Vec<ArenaValue>,
    /// The deepest call stack, the main subgraph first; empty where nothing is called.
    stack: Vec<FrameValue>,
    stack_bytes: u64,
}

#[wasm_bindgen]
impl Workbench {
    /// All arenas and the deepest call stack, as JSON.
    pub fn arenas(&self) -> Result<String, JsValue> {
        let analysis = &self.analysis;
        let arenas = analysis.program.arenas.iter().zip(&analysis.plans).zip(&analysis.arenas);
        let value =
            |((arena, plan), about): ((&crate::runtime::Arena, &crate::plan::Plan), &crate::report::ArenaPlan)| {
                ArenaValue {
                    subgraph: arena.subgraph.0,
                    name: subgraph_name(analysis, arena.subgraph.index()),
                    kind: match arena.kind {
                        ArenaKind::Main => "main",
                        ArenaKind::Persistent => "persistent",
                    },
                    bytes: plan.height_bytes,
                    bound: about.bound.height_bytes,
                    buffers: arena.buffers.len(),
                    ticks: arena.ticks,
                }
            };
        let peak = analysis.stack_peak();
        json(&ArenasValue {
            arenas: arenas.map(value).collect(),
            stack: peak.map(|(step, _)| frames(analysis, step)).unwrap_or_default(),
            stack_bytes: peak.map_or(0, |(_, bytes)| bytes),
        })
    }

    /// The picture's data of one arena, by its place in [`Workbench::arenas`].
    pub fn arena_scene(&self, index: usize) -> Option<Vec<u8>> {
        let analysis = &self.analysis;
        let (plan, about) = (analysis.plans.get(index)?, analysis.arenas.get(index)?);
        let options = SceneOptions { lower_bound_bytes: Some(about.bound.live_bytes), budget_bytes: self.budget };
        let picture = Scene::from_program(&analysis.program, ArenaId::from_index(index), plan, options);
        Some(pack(&picture))
    }
}

fn subgraph_name(analysis: &Analysis, index: usize) -> String {
    let graph = analysis.model.as_ref().and_then(|model| model.subgraphs.get(index));
    graph.map(|graph| graph.name.clone()).unwrap_or_default()
}

/// Who calls whom at `step`, the outermost first.
fn frames(analysis: &Analysis, step: Step) -> Vec<FrameValue> {
    let steps = &analysis.program.steps;
    let mut chain = Vec::new();
    let mut next = steps.get(step.index());
    while let Some(info) = next {
        chain.push(info);
        next = info.caller.and_then(|caller| steps.get(caller.index()));
    }
    chain.reverse();
    let mut seen: Vec<ArenaId> = Vec::new();
    let frame = |info: &crate::runtime::StepInfo| {
        let is_new = !seen.contains(&info.arena);
        seen.push(info.arena);
        FrameValue {
            subgraph: info.subgraph.0,
            name: subgraph_name(analysis, info.subgraph.index()),
            step: step_words(info),
            bytes: analysis.plans.get(info.arena.index()).filter(|_| is_new).map_or(0, |plan| plan.height_bytes),
        }
    };
    chain.into_iter().map(frame).collect()
}
