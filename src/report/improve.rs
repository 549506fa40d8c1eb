//! Smaller models and advice, from dropped bytes to words: the pipeline around `rewrite::bake` and `advise`.

use crate::advise::{self, Advices, Basis, Effort};
use crate::container::{self, Contents};
use crate::error::{Error, ErrorKind, Result};
use crate::model::{self, Model};
use crate::plan::{self, Plan, Solver};
use crate::report::Settings;
use crate::report::words::{bytes_exact, clean, line};
use crate::rewrite::{self, BakeOptions, Baked, Figures, Progress};
use crate::runtime::{self, Program, RuntimeKind};

/// Nodes of the exact planner that a plan for C++ may take.
const CPP_NODES: u64 = 200_000;

/// A model made smaller, or left alone: see [`rewrite::bake`].
///
/// # Errors
/// When the bytes are no model, or the runtime's model of it cannot be made.
pub fn bake(
    bytes: &[u8],
    name: &str,
    settings: &Settings,
    wanted: &BakeOptions,
    go_on: &mut dyn FnMut(&Progress) -> bool,
) -> Result<Baked> {
    with_model(bytes, name, settings, |bytes, model| {
        rewrite::bake(bytes, model, &settings.options(model)?, wanted, go_on)
    })
}

/// What would make the model's arena smaller: see [`advise::advise`].
///
/// # Errors
/// As [`bake`].
pub fn advice(bytes: &[u8], name: &str, settings: &Settings, effort: Effort) -> Result<Advices> {
    with_model(bytes, name, settings, |bytes, model| advise::advise(model, bytes, &settings.options(model)?, effort))
}

/// The best plan of the model's order as C++: a `BufferPlan` for TFLite-Micro's planner for plans from outside.
///
/// # Errors
/// As [`bake`], and when the runtime is not TFLite-Micro.
pub fn buffer_plan(bytes: &[u8], name: &str, settings: &Settings) -> Result<String> {
    if settings.runtime != RuntimeKind::Tflm {
        return Err(Error::new(ErrorKind::BadOption, "only TFLite-Micro takes a plan from outside"));
    }
    with_model(bytes, name, settings, |bytes, model| {
        let (program, plan) = best_plan(bytes, model, settings)?;
        Ok(rewrite::buffer_plan(&program, &plan))
    })
}

/// The model with its best plan: everything free, since nothing of it is left to the runtime.
fn best_plan(bytes: &[u8], model: &Model, settings: &Settings) -> Result<(Program, Plan)> {
    let free = rewrite::without_offline_plan(model);
    let program = runtime::program(&free, bytes, &settings.options(&free)?)?;
    let plan = match program.arenas.first() {
        Some(arena) => {
            let mut solver = Solver::new(&arena.problem);
            loop {
                let progress = solver.step(2_000);
                if progress.is_done || progress.nodes >= CPP_NODES {
                    break solver.plan().clone();
                }
            }
        }
        None => Plan { offsets: Vec::new(), height_bytes: 0 },
    };
    Ok((program, plan))
}

/// Runs `work` on the one model in `bytes`.
fn with_model<T>(
    bytes: &[u8],
    name: &str,
    settings: &Settings,
    work: impl FnOnce(&[u8], &Model) -> Result<T>,
) -> Result<T> {
    if !settings.edits.is_empty() {
        return Err(Error::new(
            ErrorKind::BadOption,
            "a what-if is about a plan, but this works on the model as it is",
        ));
    }
    match container::open(bytes, Some(name))? {
        Contents::Models(candidates) => {
            let candidate = container::choose(&candidates, settings.inner.as_deref())?;
            let inner = candidate.bytes(bytes)?;
            work(&inner, &model::read(&inner)?)
        }
        Contents::Plan(_) | Contents::PlanCsv | Contents::Manifest(_) => {
            Err(Error::new(ErrorKind::NotAModel, "not a model: there is no graph to make smaller"))
        }
    }
}

/// What was done, in words.
pub fn baked_to_text(name: &str, baked: &Baked) -> String {
    let mut text = String::new();
    let name = clean(name);
    let Figures { arena_bytes: before, minimum_arena_bytes: arena_before } = baked.before;
    let Figures { arena_bytes: after, minimum_arena_bytes: arena_after } = baked.after;
    if baked.is_changed() {
        let what = match (baked.plan.is_some(), baked.orders.is_some()) {
            (true, true) => "another order of operators and a plan for it",
            (true, false) => "a plan",
            (false, _) => "another order of operators",
        };
        line(&mut text, format_args!("{name}: {} smaller, with {what}", bytes_exact(baked.saved_bytes())));
    } else {
        line(&mut text, format_args!("{name}: left alone"));
    }
    line(&mut text, format_args!("  planned bytes: {} -> {}", bytes_exact(before), bytes_exact(after)));
    if let (Some(before), Some(after)) = (arena_before, arena_after) {
        line(&mut text, format_args!("  whole arena:   {} -> {}", bytes_exact(before), bytes_exact(after)));
    }
    if after <= baked.bound_bytes {
        text.push_str("  no plan of this order is lower");
        let is_best = baked.order_bound_bytes.is_some_and(|bound| after <= bound);
        text.push_str(if is_best { ", and no other order can be\n" } else { "\n" });
    } else {
        line(&mut text, format_args!("  no plan of this order is lower than {}", bytes_exact(baked.bound_bytes)));
    }
    for note in &baked.notes {
        line(&mut text, format_args!("  {}", clean(note)));
    }
    text
}

/// Advice in words, most bytes saved first.
pub fn advice_to_text(name: &str, advices: &Advices) -> String {
    let mut text = String::new();
    line(&mut text, format_args!("{}: {}", clean(name), bytes_exact(advices.arena_bytes)));
    line(&mut text, format_args!("  {}", clean(&advices.verdict)));
    for advice in &advices.list {
        let about = match advice.kind.basis() {
            Basis::Written => "",
            Basis::Planned => " (another graph, planned)",
            Basis::Estimated => " (another model, estimated)",
        };
        let saved = bytes_exact(advice.saved_bytes);
        line(&mut text, format_args!("  -{saved} {}{about}: {}", advice.kind.name(), clean(&advice.sentence)));
    }
    text
}

/// The runtime's own plan of a program's first arena, for pictures of before and after.
pub fn own_plan(program: &Program) -> Option<Plan> {
    let strategy = rewrite::own_strategy(program);
    program.arenas.first().map(|arena| plan::plan(&arena.problem, strategy))
}
