//! The pipeline: dropped bytes to an [`Analysis`] that holds everything the page and the command line show.

use sha2::{Digest, Sha256};

use crate::container::{self, Contents, Manifest, PlanFigures, PlanSource};
use crate::error::{Error, ErrorKind, Result, Warning};
use crate::model::{self, Model};
use crate::plan::{self, Bound, Plan, Solver, Strategy, Violation, csv};
use crate::report::what_if::{Figures, WhatIf};
use crate::report::{self, Settings, table};
use crate::runtime::tflm::ArenaNeeds;
use crate::runtime::{Arena, ArenaKind, Place, Program, RuntimeKind, edit, tflite, tflm};
use crate::simulate::{self, Proof, Timeline};
use crate::units::Step;

/// Buffers up to which a smaller plan is looked for when the runtime's own is above the bound.
const MAX_COMPARED: usize = 2_000;
/// Nodes of the search for a smaller plan: some milliseconds, and enough to prove most real models.
const COMPARED_NODES: u64 = 2_000;
/// Sentences of one kind about a plan's soundness in one report; the rest is counted.
const MAX_PROOF_WARNINGS: usize = 20;

/// How one arena is placed.
#[derive(Clone, Debug, PartialEq)]
pub struct ArenaPlan {
    /// The planner used; `None` for offsets that a table gives itself.
    pub strategy: Option<Strategy>,
    /// What no plan of this order of operators can beat.
    pub bound: Bound,
    /// Whether no plan of this order is smaller; `None` when it is not known.
    pub optimal: Option<bool>,
    /// The lowest height that another planner reaches, where one is lower.
    pub better: Option<(Strategy, u64)>,
}

/// Everything that is known of one model (or table of buffers) under one choice of settings.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The file's name.
    pub name: String,
    /// Bytes of the model.
    pub file_bytes: u64,
    /// SHA-256 of the model's bytes, in hexadecimal.
    pub sha256: String,
    /// The settings.
    pub settings: Settings,
    /// The model; `None` for a table of buffers.
    pub model: Option<Model>,
    /// What the runtime would do.
    pub program: Program,
    /// One plan for each arena of the program.
    pub plans: Vec<Plan>,
    /// How each was made, in the same order.
    pub arenas: Vec<ArenaPlan>,
    /// TFLite-Micro's whole arena with this plan as its head; `None` for `TFLite`, and when the model is refused.
    pub needs: Option<ArenaNeeds>,
    /// Writes that destroy bytes still needed (none in a sound plan), and operators that the plan lets work in place.
    pub proof: Proof,
    /// What a plan file says of the model that it was made from; its figures only while this is that plan.
    pub source: Option<PlanSource>,
    /// The model's warnings, the runtime's, and those about clobbers.
    pub warnings: Vec<Warning>,
    /// What there was before the settings' what-ifs; `None` without any.
    pub what_if: Option<Box<WhatIf>>,
}

impl Analysis {
    /// The indexes that answer for every step.
    pub fn timeline(&self) -> Timeline<'_> {
        Timeline::new(&self.program, &self.plans)
    }

    /// Bytes of the main subgraph's arena (TFLite-Micro: of the head).
    pub fn arena_bytes(&self) -> u64 {
        self.plans.first().map_or(0, |plan| plan.height_bytes)
    }
}

impl Analysis {
    /// The planner's name in options and reports; of a plan file's own offsets the one that it says made them.
    pub fn planner_name(&self) -> &'static str {
        let is_own =
            self.settings.planner.is_none() && self.arenas.first().is_some_and(|arena| arena.strategy.is_none());
        let said = self.source.as_ref().filter(|_| is_own).and_then(|said| Strategy::from_name(&said.planner).ok());
        said.map_or_else(|| self.settings.planner_name(), Strategy::name)
    }

    /// What a plan file says of the whole arena, which the plan alone cannot tell; nothing of a model.
    pub fn stated_figures(&self) -> PlanFigures {
        self.source.as_ref().map_or_else(PlanFigures::default, |source| source.figures)
    }

    /// Bytes of what stays: `TFLite`'s persistent arena of the main subgraph, TFLite-Micro's tail; `None` when
    /// TFLite-Micro refuses the model.
    pub fn persistent_bytes(&self) -> Option<u64> {
        persistent_bytes(&self.program, &self.plans, self.needs.as_ref())
    }

    /// The most bytes that `TFLite`'s arenas take together along a call stack, and the first step of it; `None` when
    /// nothing is called, and for TFLite-Micro, which has one arena for all.
    pub fn stack_peak(&self) -> Option<(Step, u64)> {
        let is_called = self.program.steps.iter().any(|info| info.caller.is_some());
        if !is_called || self.program.options.runtime == RuntimeKind::Tflm {
            return None;
        }
        let timeline = self.timeline();
        let steps = (0..self.program.steps.len()).map(Step::from_index);
        let mut peak: Option<(Step, u64)> = None;
        for step in steps {
            let bytes = timeline.stack_bytes(step);
            if peak.is_none_or(|(_, most)| bytes > most) {
                peak = Some((step, bytes));
            }
        }
        peak
    }

    /// Bytes of `TFLite`'s heap tensors whose size is known; `None` for TFLite-Micro, which has no heap.
    pub fn heap_bytes(&self) -> Option<u64> {
        heap_bytes(&self.program)
    }

    /// The smallest arena with which TFLite-Micro's `AllocateTensors` succeeds, when it is known.
    pub fn minimum_arena_bytes(&self) -> Option<u64> {
        self.needs.as_ref().map(|needs| needs.minimum_arena_bytes)
    }

    /// The figures that a what-if changes.
    pub fn figures(&self) -> Figures {
        Figures::new(&self.program, &self.plans, self.needs.as_ref())
    }

    /// What TFLite-Micro's `arena_used_bytes` returns, when it is known.
    pub fn used_bytes(&self) -> Option<u64> {
        self.needs.as_ref().map(|needs| needs.used_bytes)
    }
}

/// [`Analysis::persistent_bytes`] of these plans.
pub(super) fn persistent_bytes(program: &Program, plans: &[Plan], needs: Option<&ArenaNeeds>) -> Option<u64> {
    if program.micro.is_some() {
        return needs.map(|needs| needs.tail_bytes);
    }
    let arenas = program.arenas.iter().zip(plans);
    let kept = arenas.filter(|(arena, _)| arena.kind == ArenaKind::Persistent && arena.subgraph.0 == 0);
    Some(kept.map(|(_, plan)| plan.height_bytes).sum())
}

/// [`Analysis::heap_bytes`] of a program.
pub(super) fn heap_bytes(program: &Program) -> Option<u64> {
    let heap = program.buffers.iter().filter(|buffer| buffer.place == Place::Heap);
    let sum = heap.filter_map(|buffer| buffer.size_bytes).fold(0, u64::saturating_add);
    (program.options.runtime == RuntimeKind::Tflite).then_some(sum)
}

/// What `settings` make of dropped bytes: a model (wrapped or not), a plan file, or a table of buffers.
///
/// # Errors
/// When the bytes are none of these, are damaged or too large, when they hold several models and `settings` choose none,
/// or when the runtime or an option refuses them.
pub fn analyse(bytes: &[u8], name: &str, settings: &Settings) -> Result<Analysis> {
    match container::open(bytes, Some(name))? {
        Contents::Models(candidates) => {
            let candidate = container::choose(&candidates, settings.inner.as_deref())?;
            let inner = candidate.bytes(bytes)?;
            let is_named = candidate.wrapping().is_empty() || candidate.name.is_empty() || candidate.name == name;
            let name = if is_named { name.to_owned() } else { format!("{name}: {}", candidate.name) };
            analyse_model(&inner, &name, settings)
        }
        Contents::Plan(file) => report::plan_file::analyse(bytes, name, settings, &file),
        Contents::PlanCsv => analyse_table(bytes, name, settings),
        Contents::Manifest(manifest) => Err(manifest_alone(&manifest)),
    }
}

/// A manifest without its model: what it says, and what is missing.
fn manifest_alone(manifest: &Manifest) -> Error {
    let model = manifest.model.as_ref().map_or_else(|| String::from("a wake-word model"), |name| format!("{name:?}"));
    let size =
        manifest.tensor_arena_size.map_or_else(String::new, |bytes| format!(" and reserves {bytes} bytes for it"));
    let message = format!("this is the manifest that belongs beside {model}{size}, not a model");
    Error::new(ErrorKind::NotAModel, message).with_hint("open the .tflite file and the manifest together")
}

/// What `settings` make of a model.
///
/// # Errors
/// As [`analyse`].
pub fn analyse_model(bytes: &[u8], name: &str, settings: &Settings) -> Result<Analysis> {
    let model = model::read(bytes)?;
    let options = settings.options(&model)?;
    let program = match settings.runtime {
        RuntimeKind::Tflite => tflite::program(&model, bytes, &options)?,
        RuntimeKind::Tflm => tflm::program(&model, bytes, &options)?,
    };
    assemble(bytes, name, settings, Some(model), program, None)
}

/// What `settings` make of a table of buffers in minimalloc's columns. Offsets that it gives for every buffer are its
/// plan, unless a planner is chosen.
///
/// # Errors
/// When a line or a column does not fit.
pub fn analyse_table(bytes: &[u8], name: &str, settings: &Settings) -> Result<Analysis> {
    // What does not fit stands in the file, not in an option.
    let damaged = |error: Error| Error { kind: ErrorKind::Damaged, ..error };
    let rows = csv::Table::read(bytes).map_err(damaged)?;
    let program = table::program(&rows, &[], &[], settings)?;
    let own = program.arenas.first().and_then(|arena| rows.plan(&arena.problem));
    assemble(bytes, name, settings, None, program, own.filter(|_| settings.planner.is_none()))
}

/// Plans, judges and proves what was read.
pub(super) fn assemble(
    bytes: &[u8],
    name: &str,
    settings: &Settings,
    model: Option<Model>,
    program: Program,
    mut given: Option<Plan>,
) -> Result<Analysis> {
    let (program, what_if) = if settings.edits.is_empty() {
        (program, None)
    } else {
        // What changes is planned again, and so is what it is held against.
        given = None;
        let edited = edit::apply(&program, &settings.edits)?;
        let plan = |arena: &Arena| plan::plan(&arena.problem, strategy(settings, arena.kind));
        let plans = program.arenas.iter().map(plan).collect();
        (edited.program, Some(Box::new(WhatIf::new(program, plans, edited.done))))
    };
    let mut plans = Vec::with_capacity(program.arenas.len());
    let mut arenas = Vec::with_capacity(program.arenas.len());
    for arena in &program.arenas {
        let strategy = strategy(settings, arena.kind);
        if settings.planner == Some(strategy) {
            plan::check_supported(&arena.problem, strategy)?;
        }
        // A given plan is that of the first arena.
        let (plan, strategy) = match given.take() {
            Some(plan) => (plan, None),
            None => (plan::plan(&arena.problem, strategy), Some(strategy)),
        };
        arenas.push(judge(arena, &plan, strategy));
        plans.push(plan);
    }
    let head_bytes = plans.first().map_or(0, |plan: &Plan| plan.height_bytes);
    let needs = program.micro.as_ref().and_then(|micro| tflm::arena_needs(micro, head_bytes));
    let mut proof = simulate::prove(&program, &plans);
    let mut warnings: Vec<Warning> = model.iter().flat_map(|model| model.warnings.iter().cloned()).collect();
    warnings.extend(program.warnings.iter().cloned());
    warnings.extend(offline_warning(&program, &plans));
    if let Some(what_if) = &what_if {
        let found = what_if.consequences(&program, &plans, &mut proof);
        warnings.extend(capped(edit::WHAT_IF, found));
    }
    warnings.extend(proof_warnings(&program, &proof));
    if !proof.clobbers.is_empty() {
        // No plan that loses bytes is any measure of others.
        for arena in &mut arenas {
            arena.optimal = None;
        }
    }
    Ok(Analysis {
        name: name.to_owned(),
        file_bytes: bytes.len() as u64,
        sha256: hex(&Sha256::digest(bytes)),
        settings: settings.clone(),
        model,
        program,
        plans,
        arenas,
        needs,
        proof,
        source: None,
        warnings,
        what_if,
    })
}

fn hex(bytes: &[u8]) -> String {
    const DIGITS: [char; 16] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
    bytes.iter().flat_map(|byte| [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]).collect()
}

/// The planner of an arena: the user's choice for main arenas, the runtime's own for what stays.
fn strategy(settings: &Settings, kind: ArenaKind) -> Strategy {
    match (kind, settings.planner, settings.runtime) {
        (ArenaKind::Main, Some(strategy), _) => strategy,
        (_, _, RuntimeKind::Tflite) => Strategy::Tflite,
        (_, _, RuntimeKind::Tflm) if settings.preserve_all_tensors => Strategy::Linear,
        (_, _, RuntimeKind::Tflm) => Strategy::Tflm,
    }
}

/// Compares a plan with its bound, and with other planners where it stays above.
fn judge(arena: &Arena, plan: &Plan, strategy: Option<Strategy>) -> ArenaPlan {
    let bound = plan::lower_bound(&arena.problem);
    // Offsets that the file gives are a choice of its own: a plan without them may be smaller.
    let free = tflm::without_fixed_offsets(&arena.problem);
    let least_bytes = free.as_ref().map_or(bound, plan::lower_bound).height_bytes.min(bound.height_bytes);
    let is_sound = matches!(plan::validate(&arena.problem, plan, None), Ok(()) | Err(Violation::FixedOverlap { .. }));
    let is_least = is_sound && plan.height_bytes <= least_bytes;
    let is_known = is_least || !is_sound || arena.kind == ArenaKind::Persistent || arena.buffers.len() > MAX_COMPARED;
    if is_known {
        return ArenaPlan { strategy, bound, optimal: is_least.then_some(true), better: None };
    }
    let mut solver = Solver::new(free.as_ref().unwrap_or(&arena.problem));
    let mut progress = solver.progress();
    while !progress.is_done && progress.nodes < COMPARED_NODES {
        progress = solver.step(COMPARED_NODES / 4);
    }
    let is_lower = progress.best_bytes < plan.height_bytes;
    ArenaPlan {
        strategy,
        bound,
        optimal: if is_lower { Some(false) } else { progress.is_proven().then_some(true) },
        // No planner moves what the file fixes.
        better: (is_lower && free.is_none()).then_some((Strategy::Optimal, progress.best_bytes)),
    }
}

/// What an offline plan in the file costs or saves.
fn offline_warning(program: &Program, plans: &[Plan]) -> Option<Warning> {
    // A plan file's fixed offsets are no offline plan in a model.
    program.micro.as_ref()?;
    let problem = &program.arenas.first()?.problem;
    let free = tflm::without_fixed_offsets(problem)?;
    let own_bytes = plan::plan(&free, Strategy::Tflm).height_bytes;
    let placed = problem.requests().iter().filter(|request| request.fixed_offset.is_some()).count();
    let message = format!(
        "the file's metadata places {placed} of {} buffers: the planned buffers take {} bytes; without that plan \
         TFLite-Micro's own planner needs {own_bytes} bytes",
        problem.requests().len(),
        plans.first()?.height_bytes
    );
    Some(Warning::new("offline-plan", message))
}

fn proof_warnings(program: &Program, proof: &Proof) -> Vec<Warning> {
    let about = |id| program.buffer(id).reference();
    let clobbers = proof.clobbers.iter();
    let in_place = proof.in_place.iter();
    let mut warnings =
        capped("overwritten", clobbers.map(|clobber| (clobber.message(program), about(clobber.victim))).collect());
    warnings.extend(capped("in-place", in_place.map(|found| (found.message(program), about(found.input))).collect()));
    warnings
}

/// Warnings from sentences and what they are about; the last one counts those left out.
fn capped(code: &'static str, sentences: Vec<(String, String)>) -> Vec<Warning> {
    let more = sentences.len().saturating_sub(MAX_PROOF_WARNINGS);
    let shown = sentences.into_iter().take(MAX_PROOF_WARNINGS);
    let mut warnings: Vec<_> = shown.map(|(sentence, about)| Warning::new(code, sentence).about(about)).collect();
    if more > 0 {
        warnings.push(Warning::new(code, format!("{more} more of this kind")));
    }
    warnings
}
