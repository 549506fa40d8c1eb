//! Turns a model and what a runtime makes of it into ranked advice: what would make the main arena smaller, each tried
//! by planning again, with the bytes saved and the tensors and operators named. What saves nothing is not said.
//!
//! Three kinds of certainty are kept apart ([`Basis`]): what `rewrite` can write into the file, what another model of
//! the same numbers would give, and what is an estimate because sizes were scaled.

pub mod compare;
mod context;
mod graph;
mod layers;
mod planner;
mod whatif;
mod words;

use crate::error::Result;
use crate::model::Model;
use crate::runtime::{OperatorRef, Options, RuntimeKind};
use crate::units::BufferId;

use context::Context;

/// What an advice is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A better plan of the same order, written into the file.
    BetterPlan,
    /// Another order of operators.
    BetterOrder,
    /// Both together.
    BetterOrderAndPlan,
    /// One operator that could run earlier and so free what blocks the arena.
    EarlierConsumer,
    /// One operator that runs too early: what it makes waits for long.
    LaterProducer,
    /// An operator that could write over its input.
    InPlace,
    /// A tensor that could be made again instead of being kept.
    Recompute,
    /// A tensor that could be made and used in halves.
    Split,
    /// Tensors that nothing makes or reads.
    UnusedTensors,
    /// Integers instead of floats at the model's ends.
    IntegerIo,
    /// Integers instead of floats everywhere.
    Quantize,
    /// A smaller input.
    SmallerInput,
    /// Fewer channels where the peak is.
    NarrowerLayer,
}

impl Kind {
    /// The kind's name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Kind::BetterPlan => "better-plan",
            Kind::BetterOrder => "better-order",
            Kind::BetterOrderAndPlan => "better-order-and-plan",
            Kind::EarlierConsumer => "earlier-consumer",
            Kind::LaterProducer => "later-producer",
            Kind::InPlace => "in-place",
            Kind::Recompute => "recompute",
            Kind::Split => "split",
            Kind::UnusedTensors => "unused-tensors",
            Kind::IntegerIo => "integer-io",
            Kind::Quantize => "quantize",
            Kind::SmallerInput => "smaller-input",
            Kind::NarrowerLayer => "narrower-layer",
        }
    }

    /// How sure its figure is.
    pub fn basis(self) -> Basis {
        match self {
            Kind::BetterPlan
            | Kind::BetterOrder
            | Kind::BetterOrderAndPlan
            | Kind::EarlierConsumer
            | Kind::LaterProducer => Basis::Written,
            Kind::InPlace | Kind::Recompute | Kind::UnusedTensors | Kind::IntegerIo => Basis::Planned,
            Kind::Split | Kind::Quantize | Kind::SmallerInput | Kind::NarrowerLayer => Basis::Estimated,
        }
    }
}

/// How sure a figure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// The same model, written anew: `rewrite` does it, with equal results.
    Written,
    /// Another graph that computes the same: its buffers were planned.
    Planned,
    /// Another model: sizes were scaled and planned.
    Estimated,
}

/// One thing that would make the arena smaller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// What it is about.
    pub kind: Kind,
    /// Bytes by which the arena falls.
    pub saved_bytes: u64,
    /// The arena then.
    pub arena_bytes: u64,
    /// In words: what to do, with tensors and operators named.
    pub sentence: String,
    /// The buffers it is about.
    pub buffers: Vec<BufferId>,
    /// The operators it is about.
    pub ops: Vec<OperatorRef>,
}

/// All advice for one model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advices {
    /// The main arena now, by the runtime's own planner.
    pub arena_bytes: u64,
    /// No plan of this order of operators is lower.
    pub bound_bytes: u64,
    /// What decides the arena's size, in words.
    pub verdict: String,
    /// Most bytes saved first.
    pub list: Vec<Advice>,
}

/// How long to look for advice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Sets of operators that the search for an order may look at.
    pub order_states: u64,
    /// Nodes that the search for a plan may look at.
    pub plan_nodes: u64,
    /// Changed problems to plan, times the buffers of each.
    pub planned_buffers: u64,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { order_states: 20_000, plan_nodes: 20_000, planned_buffers: 400_000 }
    }
}

/// What would make the main arena of this model smaller.
///
/// An offline plan in the file is left aside: the advice is for the model without it.
///
/// # Errors
/// When the runtime's model cannot be made.
pub fn advise(model: &Model, bytes: &[u8], options: &Options, effort: Effort) -> Result<Advices> {
    let free = without_plan(model);
    let program = crate::runtime::program(&free, bytes, options)?;
    let Some(context) = Context::new(&free, bytes, &program, effort) else {
        return Ok(Advices { arena_bytes: 0, bound_bytes: 0, verdict: String::new(), list: Vec::new() });
    };
    let mut list = Vec::new();
    let is_order_proven = planner::advise(&context, &mut list)?;
    graph::advise(&context, &mut list);
    layers::advise(&context, &mut list);
    list.retain(|advice| advice.saved_bytes > 0);
    list.sort_by_key(|advice| (std::cmp::Reverse(advice.saved_bytes), advice.kind));
    let can_be_written = list.iter().any(|advice| advice.kind.basis() == Basis::Written);
    let mut verdict = context.verdict(is_order_proven && !can_be_written);
    if reads_plans(options) && free.metadata.len() < model.metadata.len() {
        verdict.push_str("; all this without the offline plan in the file");
    }
    Ok(Advices { arena_bytes: context.base.plan.height_bytes, bound_bytes: context.base.bound_bytes, verdict, list })
}

/// The model without an offline plan in its metadata.
fn without_plan(model: &Model) -> Model {
    let mut free = model.clone();
    free.metadata.retain(|entry| entry.name != crate::runtime::tflm::METADATA_NAME);
    free
}

/// Whether the runtime reads plans from the file.
fn reads_plans(options: &Options) -> bool {
    options.runtime == RuntimeKind::Tflm && !options.preserve_all_tensors
}
