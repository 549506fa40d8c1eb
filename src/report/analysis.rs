//! The pipeline: dropped bytes to an [`Analysis`] that holds everything the page and the command line show.

use sha2::{Digest, Sha256};

use crate::container::{self, Contents};
use crate::error::{Error, ErrorKind, Result, Warning};
use crate::model::{self, Model};
use crate::plan::{self, Bound, Plan, Strategy, Violation, csv};
use crate::report::{Settings, table};
use crate::runtime::{Arena, ArenaKind, Program, RuntimeKind, tflite};
use crate::simulate::{self, Clobber, Timeline};

/// Buffers up to which a smaller plan is looked for when the runtime's own is above the bound.
const MAX_COMPARED: usize = 2_000;
/// Sentences about overwritten bytes in one report; the rest is counted.
const MAX_CLOBBER_WARNINGS: usize = 20;

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
    /// Writes that destroy bytes still needed; none in a sound plan.
    pub clobbers: Vec<Clobber>,
    /// The model's warnings, the runtime's, and those about clobbers.
    pub warnings: Vec<Warning>,
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
        Contents::Plan(plan) => analyse_rows(bytes, name, settings, &table::rows(&plan), &plan.steps),
        Contents::PlanCsv => analyse_table(bytes, name, settings),
        Contents::Manifest(_) => {
            let message = "a manifest that belongs beside a wake-word model, not a model";
            Err(Error::new(ErrorKind::NotAModel, message).with_hint("open the .tflite file that it names"))
        }
    }
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
        RuntimeKind::Tflm => {
            return Err(Error::new(ErrorKind::BadOption, "TFLite-Micro is not modelled yet"));
        }
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
    analyse_rows(bytes, name, settings, &rows, &[])
}

fn analyse_rows(
    bytes: &[u8],
    name: &str,
    settings: &Settings,
    rows: &csv::Table,
    steps: &[String],
) -> Result<Analysis> {
    let program = table::program(rows, steps, settings)?;
    let own = program.arenas.first().and_then(|arena| rows.plan(&arena.problem));
    assemble(bytes, name, settings, None, program, own.filter(|_| settings.planner.is_none()))
}

fn assemble(
    bytes: &[u8],
    name: &str,
    settings: &Settings,
    model: Option<Model>,
    program: Program,
    mut given: Option<Plan>,
) -> Result<Analysis> {
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
    let clobbers = simulate::clobbers(&program, &plans);
    let mut warnings: Vec<Warning> = model.iter().flat_map(|model| model.warnings.iter().cloned()).collect();
    warnings.extend(program.warnings.iter().cloned());
    warnings.extend(clobber_warnings(&program, &clobbers));
    Ok(Analysis {
        name: name.to_owned(),
        file_bytes: bytes.len() as u64,
        sha256: hex(&Sha256::digest(bytes)),
        settings: settings.clone(),
        model,
        program,
        plans,
        arenas,
        clobbers,
        warnings,
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
    let is_sound = matches!(plan::validate(&arena.problem, plan, None), Ok(()) | Err(Violation::FixedOverlap { .. }));
    let is_least = is_sound && plan.height_bytes <= bound.height_bytes;
    let better = if is_least || !is_sound || arena.kind == ArenaKind::Persistent || arena.buffers.len() > MAX_COMPARED {
        None
    } else {
        let others = Strategy::ALL.iter().filter(|other| Some(**other) != strategy && **other != Strategy::Optimal);
        let plans = others.map(|other| (*other, plan::plan(&arena.problem, *other)));
        plans
            .filter(|(_, other)| plan::validate(&arena.problem, other, None).is_ok())
            .map(|(other, plan)| (other, plan.height_bytes))
            .min_by_key(|(_, height)| *height)
            .filter(|(_, height)| *height < plan.height_bytes)
    };
    let optimal = if is_least { Some(true) } else { better.map(|_| false) };
    ArenaPlan { strategy, bound, optimal, better }
}

fn clobber_warnings(program: &Program, clobbers: &[Clobber]) -> Vec<Warning> {
    let mut warnings: Vec<_> = clobbers
        .iter()
        .take(MAX_CLOBBER_WARNINGS)
        .map(|clobber| {
            Warning::new("overwritten", clobber.message(program)).about(program.buffer(clobber.victim).reference())
        })
        .collect();
    if let Some(more) = clobbers.len().checked_sub(MAX_CLOBBER_WARNINGS).filter(|more| *more > 0) {
        warnings.push(Warning::new("overwritten", format!("{more} more writes over bytes still needed")));
    }
    warnings
}
