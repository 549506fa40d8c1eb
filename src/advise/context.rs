//! What all advice looks at: the program, its main arena as it is planned now, and who makes and reads what when.

use std::cell::Cell;
use std::collections::BTreeMap;

use crate::advise::whatif::{Base, WhatIf};
use crate::advise::{Advice, Effort, Kind, words};
use crate::model::{BuiltinOp, Model};
use crate::plan::{Request, Strategy};
use crate::runtime::{OperatorRef, Origin, Program, RuntimeKind};
use crate::units::{ArenaId, BufferId, RequestId, Step, align_up};

/// An operator at its time in the main arena.
#[derive(Clone, Debug)]
pub(super) struct Moment {
    pub(super) op: OperatorRef,
    pub(super) builtin: BuiltinOp,
    pub(super) tick: Step,
    /// Buffers (roots of what they share) that it reads and writes.
    pub(super) reads: Vec<BufferId>,
    pub(super) writes: Vec<BufferId>,
}

/// Who touches a buffer: indices into [`Context::moments`].
#[derive(Clone, Debug, Default)]
pub(super) struct Use {
    pub(super) made_by: Vec<usize>,
    pub(super) read_by: Vec<usize>,
}

pub(super) struct Context<'a> {
    pub(super) model: &'a Model,
    pub(super) bytes: &'a [u8],
    pub(super) program: &'a Program,
    pub(super) base: Base<'a>,
    pub(super) effort: Effort,
    pub(super) moments: Vec<Moment>,
    uses: BTreeMap<BufferId, Use>,
    /// Buffers that may still be planned in what-ifs.
    left: Cell<u64>,
}

impl<'a> Context<'a> {
    /// `None` when nothing is planned.
    pub(super) fn new(model: &'a Model, bytes: &'a [u8], program: &'a Program, effort: Effort) -> Option<Context<'a>> {
        let arena = program.arenas.first().filter(|arena| !arena.buffers.is_empty())?;
        let strategy = match program.options.runtime {
            RuntimeKind::Tflite => Strategy::Tflite,
            RuntimeKind::Tflm if program.options.preserve_all_tensors => Strategy::Linear,
            RuntimeKind::Tflm => Strategy::Tflm,
        };
        let moments = moments(model, program);
        let mut uses: BTreeMap<BufferId, Use> = BTreeMap::new();
        for (index, moment) in moments.iter().enumerate() {
            for buffer in &moment.writes {
                uses.entry(*buffer).or_default().made_by.push(index);
            }
            for buffer in &moment.reads {
                uses.entry(*buffer).or_default().read_by.push(index);
            }
        }
        let left = Cell::new(effort.planned_buffers);
        Some(Context { model, bytes, program, base: Base::new(arena, strategy), effort, moments, uses, left })
    }

    /// Who touches the buffer.
    pub(super) fn uses(&self, buffer: BufferId) -> Use {
        self.uses.get(&buffer).cloned().unwrap_or_default()
    }

    /// The operator at the peak.
    pub(super) fn peak_moment(&self) -> Option<&Moment> {
        let peak = self.base.peak?;
        self.moments.iter().find(|moment| moment.tick == peak)
    }

    /// The request of a tensor's buffer, not of scratch and the like.
    pub(super) fn tensor_request(&self, buffer: BufferId) -> Option<(RequestId, &Request)> {
        let is_tensor = matches!(self.program.buffer(buffer).origin, Origin::Tensor(_));
        self.base.request(buffer).filter(|_| is_tensor)
    }

    /// A size as the runtime would ask for it.
    pub(super) fn rounded(&self, bytes: u64) -> u64 {
        match self.program.options.runtime {
            RuntimeKind::Tflite => bytes,
            RuntimeKind::Tflm => align_up(bytes, self.base.arena.problem.alignment()).unwrap_or(bytes),
        }
    }

    /// The arena after the change, if it is smaller and there is effort left to find out.
    pub(super) fn try_out(&self, change: &WhatIf) -> Option<u64> {
        let cost = self.base.arena.buffers.len() as u64;
        self.left.set(self.left.get().checked_sub(cost)?);
        self.base.try_out(change)
    }

    /// The advice, with what it saves.
    pub(super) fn advice(&self, kind: Kind, arena_bytes: u64, sentence: String) -> Advice {
        let saved_bytes = self.base.plan.height_bytes.saturating_sub(arena_bytes);
        Advice { kind, saved_bytes, arena_bytes, sentence, buffers: Vec::new(), ops: Vec::new() }
    }

    pub(super) fn name(&self, buffer: BufferId) -> String {
        words::buffer(self.program, buffer)
    }

    pub(super) fn op_name(&self, op: OperatorRef) -> String {
        words::op(self.model, op)
    }

    /// What decides the arena's size; `is_order_best`: no other order of operators is better.
    pub(super) fn verdict(&self, is_order_best: bool) -> String {
        let gap = self.base.plan.height_bytes - self.base.bound_bytes.min(self.base.plan.height_bytes);
        let at = match self.peak_moment() {
            Some(moment) => format!("at {}", self.op_name(moment.op)),
            None => "before the first operator".to_owned(),
        };
        let names: Vec<String> = self.base.at_peak().iter().map(|buffer| self.name(*buffer)).collect();
        let alive = words::list(&names, 3);
        let bound = self.base.bound_bytes;
        if gap == 0 && is_order_best {
            return format!(
                "planner gap 0 bytes: {bound} bytes are alive {at} ({alive}), so only the model can shrink this"
            );
        }
        format!("planner gap {gap} bytes: {bound} bytes are alive {at} ({alive})")
    }
}

/// The steps of the main arena that run an operator.
fn moments(model: &Model, program: &Program) -> Vec<Moment> {
    let root = |buffer: &BufferId| program.buffer(*buffer).alias_of.unwrap_or(*buffer);
    let of = |buffers: &[BufferId]| {
        let mut roots: Vec<BufferId> = buffers.iter().map(root).collect();
        roots.sort_unstable();
        roots.dedup();
        roots
    };
    let steps = program.steps.iter().filter(|step| step.arena == ArenaId(0));
    steps
        .filter_map(|step| {
            let op = OperatorRef { subgraph: step.subgraph, op: step.op? };
            let operator = model.subgraph(op.subgraph).operators.get(op.op.index())?;
            let builtin = model.code(operator).builtin;
            Some(Moment { op, builtin, tick: step.tick, reads: of(&step.reads), writes: of(&step.writes) })
        })
        .collect()
}
