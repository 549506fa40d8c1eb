//! Makes the smaller model: looks for the best order and the best plan, writes them, and proves on the written bytes
//! that the arena falls. What does not get smaller is left alone, with the reason.

use crate::error::Result;
use crate::model::{self, BuiltinOp, Model};
use crate::rewrite::figures::{Figures, bound, clobbers, heights};
use crate::rewrite::offline::{self, Offline};
use crate::rewrite::plan::{OFFLINE_PLAN, OfflinePlan};
use crate::rewrite::{Change, write};
use crate::runtime::{self, Options, Program, RuntimeKind};
use crate::schedule::{self, OrderProgress};
use crate::units::{OperatorId, SubgraphId};

/// The operator of an accelerator, whose commands were made together with the plan in the file.
const ACCELERATOR: &str = "ethos-u";

/// What may be changed, and how long to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BakeOptions {
    /// Write an offline plan (TFLite-Micro reads it; TFLite does not).
    pub plan: bool,
    /// Write another order of operators.
    pub reorder: bool,
    /// Sets of operators that the search for an order may look at, per subgraph.
    pub order_states: u64,
    /// Nodes that the search for a plan may look at, per order.
    pub plan_nodes: u64,
}

impl Default for BakeOptions {
    fn default() -> BakeOptions {
        BakeOptions { plan: true, reorder: true, order_states: 500_000, plan_nodes: 500_000 }
    }
}

/// What is being worked on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The order of a subgraph's operators.
    Order(SubgraphId),
    /// A plan for the order of the file.
    PlanOfGivenOrder,
    /// A plan for another order.
    PlanOfNewOrder,
}

/// How far the work is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is being worked on.
    pub phase: Phase,
    /// The best height (or peak) so far, in bytes.
    pub best_bytes: u64,
    /// Nothing can be lower than this.
    pub bound_bytes: u64,
    /// Work done in this phase, of [`Progress::of`].
    pub done: u64,
    /// The most work this phase may take.
    pub of: u64,
}

/// A model made smaller, or left alone.
#[derive(Clone, Debug)]
pub struct Baked {
    /// The model's bytes: the old ones when nothing got smaller.
    pub bytes: Vec<u8>,
    /// What the model took.
    pub before: Figures,
    /// What it takes now, by the written bytes.
    pub after: Figures,
    /// The plan that was written.
    pub plan: Option<OfflinePlan>,
    /// The orders that were written, per subgraph.
    pub orders: Option<Vec<Vec<OperatorId>>>,
    /// No plan of the written order is lower than this.
    pub bound_bytes: u64,
    /// No plan of any order is lower than this, where that was asked and can be said.
    pub order_bound_bytes: Option<u64>,
    /// What stood in the way, in sentences.
    pub notes: Vec<String>,
}

impl Baked {
    /// Whether the model was changed.
    pub fn is_changed(&self) -> bool {
        self.plan.is_some() || self.orders.is_some()
    }

    /// Bytes of arena saved.
    pub fn saved_bytes(&self) -> u64 {
        self.before.arena_bytes.saturating_sub(self.after.arena_bytes)
    }
}

/// The model, smaller where it can be. `go_on` is told how far the work is and says whether to work on; when it says
/// no, what was found so far is used.
///
/// # Errors
/// When the runtime's model cannot be made, or writing fails.
pub fn bake(
    bytes: &[u8],
    model: &Model,
    options: &Options,
    wanted: &BakeOptions,
    go_on: &mut dyn FnMut(&Progress) -> bool,
) -> Result<Baked> {
    let program = runtime::program(model, bytes, options)?;
    let before = Figures::of(&program);
    let mut baked = Baked {
        bytes: bytes.to_vec(),
        before,
        after: before,
        plan: None,
        orders: None,
        bound_bytes: bound(&program),
        order_bound_bytes: None,
        notes: Vec::new(),
    };
    if let Some(reason) = why_not(model, &program) {
        baked.notes.push(reason);
        baked.notes.extend(what_if_not_refused(model, &program, wanted, go_on)?);
        return Ok(baked);
    }
    let mut work = Work { bytes, model, options, wanted, baked: &mut baked };
    if let Some(candidate) = work.best(go_on)? {
        work.write(&candidate)?;
    }
    if !baked.is_changed() && baked.notes.is_empty() {
        baked.notes.push(nothing_to_gain(&baked, wanted).to_owned());
    }
    Ok(baked)
}

/// Why the model is to be left alone whatever could be found.
fn why_not(model: &Model, program: &Program) -> Option<String> {
    if let Some(refusal) = program.micro.as_ref().and_then(|micro| micro.refusal.as_ref()) {
        return Some(format!("TFLite-Micro refuses this model, so it is left alone: {}", refusal.reason));
    }
    let is_micro = program.options.runtime == RuntimeKind::Tflm;
    if is_micro && program.options.preserve_all_tensors {
        return Some("with all tensors preserved nothing is reused, so there is no plan to improve".to_owned());
    }
    // TFLite-Micro looks for calls by the new field alone while it plans (`micro_allocation_info.cc`, tflite-micro
    // 90b983c2): the called subgraphs then lie over the caller's tensors.
    let old_call = model.subgraphs.iter().flat_map(|subgraph| &subgraph.operators).find(|op| {
        let code = model.code(op);
        let calls = matches!(code.builtin, BuiltinOp::IF | BuiltinOp::WHILE | BuiltinOp::CALL_ONCE);
        calls && code.builtin_code != code.builtin.0
    });
    if is_micro && let Some(op) = old_call {
        let name = model.op_name(op);
        return Some(format!(
            "{name} is named by the old field only: TFLite-Micro then plans the called subgraphs wrongly"
        ));
    }
    let own = model
        .subgraphs
        .iter()
        .flat_map(|subgraph| &subgraph.operators)
        .find(|op| model.code(op).custom_name.as_deref() == Some(ACCELERATOR));
    if own.is_some() {
        return Some(format!("{ACCELERATOR} carries commands of its own that rely on the plan it was made with"));
    }
    (clobbers(program) > 0).then(|| "the model as it is overwrites bytes that it still needs: see its plan".to_owned())
}

/// For a model that is refused: what a plan would give in a build that takes it.
fn what_if_not_refused(
    model: &Model,
    program: &Program,
    wanted: &BakeOptions,
    go_on: &mut dyn FnMut(&Progress) -> bool,
) -> Result<Option<String>> {
    let is_refused = program.micro.as_ref().is_some_and(|micro| micro.refusal.is_some());
    if !is_refused || !wanted.plan {
        return Ok(None);
    }
    let (phase, of) = (Phase::PlanOfGivenOrder, wanted.plan_nodes);
    let mut tell = |best_bytes, bound_bytes, done: u64| {
        go_on(&Progress { phase, best_bytes, bound_bytes, done: done.min(of), of })
    };
    let now = heights(program);
    let best = offline::best(model, program, of, &mut tell)?.filter(|best| best.height_bytes < now);
    Ok(best.map(|best| {
        let bytes = best.height_bytes;
        format!("a build that takes it could do with {bytes} planned bytes instead of {now}, by a better plan")
    }))
}

fn nothing_to_gain(baked: &Baked, wanted: &BakeOptions) -> &'static str {
    let is_lowest = baked.before.arena_bytes <= baked.bound_bytes;
    match (is_lowest, wanted.reorder) {
        (true, true) => {
            "the runtime's own plan is as low as the bytes alive at its peak: only another model can be smaller"
        }
        (true, false) => "the runtime's own plan is as low as any plan of this order of operators",
        (false, _) => "nothing smaller was found",
    }
}

/// What no plan of any order can beat, from the bound on the main subgraph's orders. Where other subgraphs count, that
/// bound rests on their given orders; and where sizes are not multiples of the alignment, the topmost buffer needs no
/// rounding.
fn order_bound(model: &Model, program: &Program, bound_bytes: u64) -> Option<u64> {
    let arena = program.arenas.first().filter(|_| model.subgraphs.len() == 1)?;
    let alignment = arena.problem.alignment();
    let is_rounded = arena.problem.requests().iter().all(|request| request.size_bytes.is_multiple_of(alignment));
    Some(if is_rounded { bound_bytes } else { bound_bytes.saturating_sub(alignment - 1) })
}

/// One way to change the model.
struct Candidate {
    orders: Option<Vec<Vec<OperatorId>>>,
    offline: Option<Offline>,
    height_bytes: u64,
    bound_bytes: u64,
}

struct Work<'b> {
    bytes: &'b [u8],
    model: &'b Model,
    options: &'b Options,
    wanted: &'b BakeOptions,
    baked: &'b mut Baked,
}

impl Work<'_> {
    fn note(&mut self, sentence: impl Into<String>) {
        self.baked.notes.push(sentence.into());
    }

    /// The candidate with the lowest height below what the model takes now.
    fn best(&mut self, go_on: &mut dyn FnMut(&Progress) -> bool) -> Result<Option<Candidate>> {
        let is_micro = self.options.runtime == RuntimeKind::Tflm;
        if self.wanted.plan && !is_micro {
            self.note("TFLite does not read plans from the file: only the order of operators can help it");
        }
        let has_plan = self.model.metadata.iter().any(|entry| entry.name == OFFLINE_PLAN);
        let writes_plan = self.wanted.plan && is_micro;
        if has_plan && !writes_plan {
            self.note("the model has an offline plan for TFLite-Micro, which another order would make wrong");
            return Ok(None);
        }
        let base = without_offline_plan(self.model);
        let given = runtime::program(&base, self.bytes, self.options)?;
        let mut best: Option<Candidate> = None;
        let mut best_bytes = u64::MAX;
        let mut offer = |candidate: Candidate, best_bytes: &mut u64| {
            if candidate.height_bytes < *best_bytes {
                *best_bytes = candidate.height_bytes;
                best = Some(candidate);
            }
        };
        if writes_plan {
            let planned = self.planned(&base, &given, None, go_on)?;
            if let Some(candidate) = planned {
                offer(candidate, &mut best_bytes);
            }
        }
        if self.wanted.reorder {
            let of = self.wanted.order_states;
            let mut tell = |progress: &OrderProgress| {
                let OrderProgress { subgraph, best_bytes, bound_bytes, states } = *progress;
                go_on(&Progress { phase: Phase::Order(subgraph), best_bytes, bound_bytes, done: states.min(of), of })
            };
            let found = schedule::search_model(&base, &given, heights(&given), of, &mut tell)?;
            self.baked.order_bound_bytes = order_bound(self.model, &given, found.bound_bytes);
            for orders in found.candidates {
                let program = runtime::program(&schedule::reordered(&base, &orders), self.bytes, self.options)?;
                if !has_plan {
                    let (height_bytes, bound_bytes) = (heights(&program), bound(&program));
                    let candidate =
                        Candidate { orders: Some(orders.clone()), offline: None, height_bytes, bound_bytes };
                    offer(candidate, &mut best_bytes);
                }
                // A plan of this order is worth looking for only where it could be lower than what is known.
                let known = best_bytes.min(self.baked.before.arena_bytes);
                if writes_plan && bound(&program) < known {
                    let planned = self.planned(&base, &program, Some(orders), go_on)?;
                    if let Some(candidate) = planned {
                        offer(candidate, &mut best_bytes);
                    }
                }
            }
        }
        Ok(best.filter(|best| best.height_bytes < self.baked.before.arena_bytes))
    }

    /// The program with the best plan written for it.
    fn planned(
        &mut self,
        base: &Model,
        program: &Program,
        orders: Option<Vec<Vec<OperatorId>>>,
        go_on: &mut dyn FnMut(&Progress) -> bool,
    ) -> Result<Option<Candidate>> {
        let phase = if orders.is_some() { Phase::PlanOfNewOrder } else { Phase::PlanOfGivenOrder };
        let of = self.wanted.plan_nodes;
        let mut tell = |best_bytes, bound_bytes, done: u64| {
            go_on(&Progress { phase, best_bytes, bound_bytes, done: done.min(of), of })
        };
        let Some(offline) = offline::best(base, program, of, &mut tell)? else { return Ok(None) };
        if offline.height_bytes > offline.solved_bytes {
            self.note(format!(
                "a plan of {} bytes exists, but with what a file can fix the runtime reaches {}",
                offline.solved_bytes, offline.height_bytes
            ));
        }
        let (height_bytes, bound_bytes) = (offline.height_bytes, offline.bound_bytes);
        Ok(Some(Candidate { orders, offline: Some(offline), height_bytes, bound_bytes }))
    }

    /// Writes the candidate, reads it again, and keeps it when it is what it promised to be.
    fn write(&mut self, candidate: &Candidate) -> Result<()> {
        let orders = candidate.orders.as_deref();
        let plan = candidate.offline.as_ref().map(|offline| &offline.plan);
        let written = match write(self.bytes, self.model, Change { plan, orders }) {
            Ok(written) => written,
            Err(error) => {
                self.note(format!("the model cannot be rewritten: {error}"));
                return Ok(());
            }
        };
        let model = model::read(&written)?;
        let program = runtime::program(&model, &written, self.options)?;
        let after = Figures::of(&program);
        let is_accepted = program.micro.as_ref().is_none_or(|micro| micro.refusal.is_none());
        if !is_accepted || after.arena_bytes != candidate.height_bytes || clobbers(&program) > 0 {
            self.note("the written model does not hold what was promised, so it is left alone: please report this");
            return Ok(());
        }
        let before = self.baked.before;
        if after.minimum_arena_bytes > before.minimum_arena_bytes {
            self.note("the planned bytes would fall, but the arena that is needed to load the model would not");
            return Ok(());
        }
        if after.minimum_arena_bytes.is_some() && after.minimum_arena_bytes == before.minimum_arena_bytes {
            self.note("the planned bytes fall, but what is needed while loading decides the arena's size");
        }
        self.baked.bytes = written;
        self.baked.after = after;
        self.baked.plan = plan.cloned();
        self.baked.orders.clone_from(&candidate.orders);
        self.baked.bound_bytes = candidate.bound_bytes;
        Ok(())
    }
}

/// The model without any offline plan: what the runtime would do if it were free.
pub fn without_offline_plan(model: &Model) -> Model {
    let mut base = model.clone();
    base.metadata.retain(|entry| entry.name != OFFLINE_PLAN);
    base
}
