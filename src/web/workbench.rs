//! What takes long, for a worker of its own: how low each planner comes, the search for the lowest plan in slices,
//! advice, and the smaller model. The worker's end is how it is cancelled; a slice ends where progress is told.

use serde::Serialize;
use tsify::Ts;
use wasm_bindgen::prelude::*;

use crate::advise::{Advices, Basis, Effort};
use crate::error::{Error, ErrorKind, Result};
use crate::plan::{self, Problem, Solver, Strategy};
use crate::report::{self, Analysis, Settings};
use crate::rewrite::{self, BakeOptions, Baked, Figures, Phase, Progress};
use crate::web::{SettingsValue, failure};

/// A model on which long work is done.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Workbench {
    pub(super) bytes: Vec<u8>,
    pub(super) name: String,
    pub(super) settings: Settings,
    pub(super) budget: Option<u64>,
    pub(super) analysis: Analysis,
    solver: Option<Solver>,
}

/// How low one planner comes.
#[derive(Debug, Serialize)]
struct Height {
    name: &'static str,
    bytes: u64,
    /// Why the runtime would not take this planner for this model.
    refused: Option<String>,
}

#[derive(Debug, Serialize)]
struct Heights {
    /// The runtime's own planner; null for a table.
    own: Option<&'static str>,
    bytes: u64,
    bound: u64,
    rows: Vec<Height>,
}

/// How far the search is.
#[derive(Debug, Serialize)]
struct Searched {
    best: u64,
    bound: u64,
    nodes: u64,
    done: bool,
    proven: bool,
}

#[derive(Debug, Serialize)]
struct AdviceValue {
    kind: &'static str,
    basis: &'static str,
    saved: u64,
    arena: u64,
    sentence: String,
    buffers: Vec<u32>,
}

#[derive(Debug, Serialize)]
struct AdvicesValue {
    arena: u64,
    bound: u64,
    verdict: String,
    list: Vec<AdviceValue>,
}

#[derive(Debug, Serialize)]
struct FiguresValue {
    arena: u64,
    minimum: Option<u64>,
}

#[derive(Debug, Serialize)]
struct BakedValue {
    plan: bool,
    order: bool,
    before: FiguresValue,
    after: FiguresValue,
    bound: u64,
    order_bound: Option<u64>,
    notes: Vec<String>,
}

/// A smaller model, or the old one when nothing got smaller.
#[wasm_bindgen(getter_with_clone)]
#[derive(Clone, Debug)]
pub struct Smaller {
    /// The model's bytes.
    pub bytes: Vec<u8>,
    /// What was done, as JSON.
    pub report: String,
}

#[wasm_bindgen]
impl Workbench {
    /// Reads the model and makes the runtime's own plan of it, whatever planner the settings name.
    ///
    /// # Errors
    /// As [`crate::web::analyse`].
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: Vec<u8>, name: String, settings: &Ts<SettingsValue>) -> std::result::Result<Workbench, JsValue> {
        let value = settings.to_rust().map_err(|error| JsValue::from(error.to_string()))?;
        let open = || {
            let settings = Settings { planner: None, ..value.settings()? };
            let analysis = report::analyse(&bytes, &name, &settings)?;
            Ok((settings, analysis))
        };
        let (settings, analysis) = open().map_err(|error: Error| failure::thrown(&error))?;
        Ok(Workbench { bytes, name, settings, budget: value.budget, analysis, solver: None })
    }

    /// Every planner's height, as JSON.
    pub fn heights(&self) -> std::result::Result<String, JsValue> {
        let Some(arena) = self.analysis.program.arenas.first() else { return Ok(String::from("null")) };
        let rows = Strategy::ALL.iter().filter(|strategy| **strategy != Strategy::Optimal);
        let heights = Heights {
            own: self.analysis.model.as_ref().map(|_| rewrite::own_strategy(&self.analysis.program).name()),
            bytes: self.analysis.arena_bytes(),
            bound: plan::lower_bound(&arena.problem).height_bytes,
            rows: rows.map(|strategy| height(&arena.problem, *strategy)).collect(),
        };
        json(&heights)
    }

    /// Searches on for the lowest plan of the main arena; call it until it is done or time is up.
    pub fn search(&mut self, nodes: u32) -> std::result::Result<String, JsValue> {
        let Some(arena) = self.analysis.program.arenas.first() else { return Ok(String::from("null")) };
        let solver = self.solver.get_or_insert_with(|| Solver::new(&arena.problem));
        let progress = solver.step(u64::from(nodes));
        json(&Searched {
            best: progress.best_bytes,
            bound: progress.bound_bytes,
            nodes: progress.nodes,
            done: progress.is_done,
            proven: progress.is_proven(),
        })
    }

    /// What would make the arena smaller, as JSON.
    ///
    /// # Errors
    /// When the bytes hold no model.
    pub fn advice(&self) -> std::result::Result<String, JsValue> {
        let found = report::advice(&self.bytes, &self.name, &self.as_it_is(), Effort::default());
        json(&advices(&found.map_err(|error| failure::thrown(&error))?))
    }

    /// Makes the smaller model. `go_on` is told the phase (`order`, `plan`, `new-plan`), the best and the least possible bytes,
    /// and the share of the phase that is done; it says whether to work on.
    ///
    /// # Errors
    /// When the bytes hold no model, or writing fails.
    pub fn bake(&self, plan: bool, reorder: bool, go_on: &js_sys::Function) -> std::result::Result<Smaller, JsValue> {
        let wanted = BakeOptions { plan, reorder, ..BakeOptions::default() };
        let mut tell = |progress: &Progress| told(go_on, progress);
        let baked = report::bake(&self.bytes, &self.name, &self.as_it_is(), &wanted, &mut tell);
        let baked = baked.map_err(|error| failure::thrown(&error))?;
        Ok(Smaller { report: json(&baked_value(&baked))?, bytes: baked.bytes })
    }
}

impl Workbench {
    /// The settings for what works on the model itself, which no what-if changes.
    fn as_it_is(&self) -> Settings {
        Settings { edits: Vec::new(), ..self.settings.clone() }
    }
}

/// Structures as the page reads them.
pub(super) fn json(value: &impl Serialize) -> std::result::Result<String, JsValue> {
    let text: Result<String> =
        serde_json::to_string(value).map_err(|error| Error::new(ErrorKind::TooLarge, error.to_string()));
    text.map_err(|error| failure::thrown(&error))
}

fn height(problem: &Problem, strategy: Strategy) -> Height {
    Height {
        name: strategy.name(),
        bytes: plan::plan(problem, strategy).height_bytes,
        refused: plan::check_supported(problem, strategy).err().map(|error| error.message),
    }
}

fn advices(found: &Advices) -> AdvicesValue {
    let list = found.list.iter().map(|advice| AdviceValue {
        kind: advice.kind.name(),
        basis: match advice.kind.basis() {
            Basis::Written => "written",
            Basis::Planned => "planned",
            Basis::Estimated => "estimated",
        },
        saved: advice.saved_bytes,
        arena: advice.arena_bytes,
        sentence: advice.sentence.clone(),
        buffers: advice.buffers.iter().map(|id| id.0).collect(),
    });
    AdvicesValue {
        arena: found.arena_bytes,
        bound: found.bound_bytes,
        verdict: found.verdict.clone(),
        list: list.collect(),
    }
}

/// Tells the page how far the work is, and whether it wants more. A callback that throws ends the search.
#[expect(clippy::cast_precision_loss, reason = "a progress bar")]
fn told(go_on: &js_sys::Function, progress: &Progress) -> bool {
    let phase = match progress.phase {
        Phase::Order(_) => "order",
        Phase::PlanOfGivenOrder => "plan",
        Phase::PlanOfNewOrder => "new-plan",
    };
    let done = if progress.of == 0 { 0.0 } else { progress.done as f64 / progress.of as f64 };
    let arguments = js_sys::Array::of4(
        &JsValue::from(phase),
        &JsValue::from(progress.best_bytes as f64),
        &JsValue::from(progress.bound_bytes as f64),
        &JsValue::from(done),
    );
    go_on.apply(&JsValue::NULL, &arguments).is_ok_and(|answer| answer.is_truthy())
}

fn baked_value(baked: &Baked) -> BakedValue {
    let figures = |figures: Figures| FiguresValue { arena: figures.arena_bytes, minimum: figures.minimum_arena_bytes };
    BakedValue {
        plan: baked.plan.is_some(),
        order: baked.orders.is_some(),
        before: figures(baked.before),
        after: figures(baked.after),
        bound: baked.bound_bytes,
        order_bound: baked.order_bound_bytes,
        notes: baked.notes.clone(),
    }
}
