//! Puts together the [`Program`]: buffers, steps and the one arena (the head), from lifetimes and what kernels asked for.

use super::machine::{Machine, Scratch};
use super::micro::{Micro, MicroOptions, Planner, Refusal, Stage};
use super::offline::OfflinePlan;
use super::play::{self, Outcome};
use super::timeline::{Life, Timeline};
use super::types;
use crate::error::{Result, Warning};
use crate::model::{Model, Subgraph};
use crate::plan::{Problem, Request};
use crate::runtime::{
    Abi, Arena, ArenaKind, Buffer, Cause, OperatorRef, Options, Origin, Place, Program, Role, StepInfo, TensorRef,
};
use crate::units::{ArenaId, BufferId, OperatorId, Span, Step, SubgraphId, TensorId, align_up};

/// Alignment of everything that TFLite-Micro places (`MicroArenaBufferAlignment`).
pub const ALIGNMENT: u64 = 16;

/// What TFLite-Micro would do with `model`, whose bytes are `bytes`.
///
/// A model that it refuses still gives a program, with a warning `refused` and [`Micro::refusal`]: what is known of its
/// buffers can be shown, but the figures of the whole arena are not known then.
///
/// # Errors
/// When calls between subgraphs nest too deeply, or sizes pass all limits.
pub fn program(model: &Model, bytes: &[u8], options: &Options) -> Result<Program> {
    let micro_options: &MicroOptions = &options.micro;
    let alignment = options.alignment.unwrap_or(ALIGNMENT);
    let planner = if options.preserve_all_tensors { Planner::Linear } else { Planner::Greedy };
    let timeline = Timeline::of(model)?;
    let mut machine = Machine::new(model, bytes, options.kernels, options.abi, alignment, micro_options);
    let outcome = play::play(&mut machine, planner);
    let mut builder = Builder::new(model, &machine, &timeline, outcome.offline.clone(), options);
    builder.tensors();
    builder.scratch();
    builder.finish(planner, outcome)
}

struct Builder<'b, 'm> {
    model: &'m Model,
    machine: &'b Machine<'m>,
    timeline: &'b Timeline,
    offline: Option<OfflinePlan>,
    options: &'b Options,
    alignment: u64,
    /// 1 when some planned buffer is never visited: its scope is −1, and step 0 stands for it.
    shift: i64,
    buffers: Vec<Buffer>,
    requests: Vec<Request>,
    planned: Vec<BufferId>,
    /// Planned buffers of 0 bytes, which are no requests.
    empty: u64,
    warnings: Vec<Warning>,
    /// First buffer of each subgraph's tensors.
    starts: Vec<usize>,
}

impl<'b, 'm> Builder<'b, 'm> {
    fn new(
        model: &'m Model,
        machine: &'b Machine<'m>,
        timeline: &'b Timeline,
        offline: Option<OfflinePlan>,
        options: &'b Options,
    ) -> Builder<'b, 'm> {
        let mut starts = Vec::with_capacity(model.subgraphs.len());
        let mut count = 0;
        for subgraph in &model.subgraphs {
            starts.push(count);
            count += subgraph.tensors.len();
        }
        let alignment = machine.alignment;
        let mut builder = Builder {
            model,
            machine,
            timeline,
            offline,
            options,
            alignment,
            shift: 0,
            buffers: Vec::with_capacity(count),
            requests: Vec::new(),
            planned: Vec::new(),
            empty: 0,
            warnings: Vec::new(),
            starts,
        };
        let early =
            play::all_tensors(model).any(|(at, _)| builder.place(at).0 == Place::Arena && timeline.life(at).first < 0);
        let early_scratch = machine.scratch.iter().any(|scratch| timeline.scratch_life(scratch.op).is_none());
        builder.shift = i64::from(early || early_scratch);
        builder
    }

    /// Where a tensor lies, and its offset in the offline plan.
    fn place(&self, at: TensorRef) -> (Place, Option<u64>) {
        let tensor = self.machine.tensor(at);
        let fixed =
            self.offline.as_ref().and_then(|plan| plan.offset(at)).and_then(|offset| u64::try_from(offset).ok());
        if self.options.external.contains(&at) {
            return (Place::External, None);
        }
        let bytes = types::bytes(tensor.dtype, self.machine.dims(at));
        // An offline-planned variable is planned even when it has no bytes or initial data.
        if tensor.is_variable {
            return match fixed {
                Some(offset) => (Place::Arena, Some(offset)),
                None => (Place::Persistent, None),
            };
        }
        if self.machine.is_constant(at) {
            return (Place::File, None);
        }
        if self.machine.handles.contains_key(&at) {
            return (Place::Persistent, None);
        }
        match bytes {
            Some(0) => (Place::None, None),
            _ => (Place::Arena, fixed),
        }
    }

    fn span(&self, life: Life) -> Option<Span> {
        let tick = |scope: i64| u32::try_from(scope + self.shift).ok().map(Step);
        let (first, last) = (tick(life.first)?, tick(life.last.max(life.first))?);
        Some(Span::from_inclusive(first, last))
    }

    fn buffer_of(&self, at: TensorRef) -> BufferId {
        BufferId::from_index(self.starts[at.subgraph.index()] + at.tensor.index())
    }

    fn tensors(&mut self) {
        let model = self.model;
        for (index, subgraph) in model.subgraphs.iter().enumerate() {
            let id = SubgraphId::from_index(index);
            let readers = readers(subgraph);
            for (tensor, use_) in readers.iter().enumerate() {
                self.tensor(TensorRef { subgraph: id, tensor: TensorId::from_index(tensor) }, use_);
            }
        }
    }

    fn tensor(&mut self, at: TensorRef, use_: &Use) {
        let tensor = self.machine.tensor(at);
        let dims = self.machine.dims(at).to_vec();
        let size_bytes = types::bytes(tensor.dtype, &dims);
        let (place, fixed) = self.place(at);
        let life = self.timeline.life(at);
        let subgraph = self.model.subgraph(at.subgraph);
        let (is_input, is_output) =
            (subgraph.inputs.contains(&Some(at.tensor)), subgraph.outputs.contains(&Some(at.tensor)));
        let role = match place {
            _ if tensor.is_variable => Role::Variable,
            Place::File => Role::Constant,
            _ if is_input => Role::Input,
            _ if is_output => Role::Output,
            _ => Role::Intermediate,
        };
        let planned = place == Place::Arena;
        let causes = causes(at.subgraph, role, use_, is_output, fixed.is_some());
        let span = if planned { self.span(life) } else { None };
        let buffer = Buffer {
            origin: Origin::Tensor(at),
            name: tensor.name.clone(),
            dtype: Some(tensor.dtype),
            shape: dims,
            size_bytes,
            role,
            place,
            arena: None,
            live: span,
            alias_of: None,
            causes,
        };
        self.push(buffer, size_bytes.filter(|_| planned), fixed);
    }

    /// Adds a buffer, and plans `planned` bytes of it.
    fn push(&mut self, mut buffer: Buffer, planned: Option<u64>, fixed: Option<u64>) {
        let id = BufferId::from_index(self.buffers.len());
        match (planned, buffer.live) {
            (Some(0), _) => self.empty += 1,
            (Some(bytes), Some(live)) => {
                let size = align_up(bytes, self.alignment).unwrap_or(u64::MAX);
                let mut request = Request::new(size, live);
                request.fixed_offset = fixed;
                self.requests.push(request);
                self.planned.push(id);
                buffer.arena = Some(ArenaId(0));
            }
            _ => {}
        }
        self.buffers.push(buffer);
    }

    fn scratch(&mut self) {
        let machine = self.machine;
        for (index, scratch) in machine.scratch.iter().enumerate() {
            let reached = self.timeline.scratch_life(scratch.op);
            let life = reached.unwrap_or(Life { first: -1, last: -1 });
            let bytes = if reached.is_none() && self.options.abi == Abi::Arm { 0 } else { scratch.bytes };
            let buffer = Buffer {
                origin: Origin::Scratch { op: scratch.op, index: u32::try_from(index).unwrap_or(u32::MAX) },
                name: scratch.what.to_owned(),
                dtype: None,
                shape: i32::try_from(bytes).map_or_else(|_| Vec::new(), |bytes| vec![bytes]),
                size_bytes: Some(bytes),
                role: Role::Scratch,
                place: Place::Arena,
                arena: None,
                live: self.span(life),
                alias_of: None,
                causes: vec![Cause::Kernel(scratch.op)],
            };
            self.push(buffer, Some(bytes), None);
        }
    }

    fn steps(&self) -> Vec<StepInfo> {
        let mut by_op: std::collections::BTreeMap<OperatorRef, Vec<BufferId>> = std::collections::BTreeMap::new();
        for (index, buffer) in self.buffers.iter().enumerate() {
            if let Origin::Scratch { op, .. } = buffer.origin {
                by_op.entry(op).or_default().push(BufferId::from_index(index));
            }
        }
        let mut steps = Vec::with_capacity(self.timeline.scopes.len() + 1);
        if self.shift == 1 {
            steps.push(self.step(SubgraphId(0), None, "NEVER REACHED", 0, None));
        }
        for (scope, info) in self.timeline.scopes.iter().enumerate() {
            let tick = steps.len();
            let caller = info.caller.map(|caller| Step::from_index(caller + usize::from(self.shift == 1)));
            let mut step = self.step(info.subgraph, info.op, if scope == 0 { "START" } else { "ENTER" }, tick, caller);
            if let Some(op) = info.op {
                step.scratch = by_op.get(&OperatorRef { subgraph: info.subgraph, op }).cloned().unwrap_or_default();
            }
            steps.push(step);
        }
        steps
    }

    fn step(
        &self,
        subgraph: SubgraphId,
        op: Option<OperatorId>,
        name: &str,
        tick: usize,
        caller: Option<Step>,
    ) -> StepInfo {
        let operator = op.map(|op| &self.model.subgraph(subgraph).operators[op.index()]);
        let buffers = |tensors: &[Option<TensorId>]| {
            tensors.iter().flatten().map(|tensor| self.buffer_of(TensorRef { subgraph, tensor: *tensor })).collect()
        };
        StepInfo {
            subgraph,
            op,
            name: operator.map_or(name, |operator| self.model.op_name(operator)).to_owned(),
            arena: ArenaId(0),
            tick: Step(u32::try_from(tick).unwrap_or(u32::MAX)),
            caller,
            reads: operator.map(|operator| buffers(&operator.inputs)).unwrap_or_default(),
            writes: operator.map(|operator| buffers(&operator.outputs)).unwrap_or_default(),
            scratch: Vec::new(),
        }
    }

    fn finish(mut self, planner: Planner, outcome: Outcome) -> Result<Program> {
        let steps = self.steps();
        let planned_buffers = self.requests.len() as u64 + self.empty;
        self.warn(&outcome);
        let problem = Problem::new(std::mem::take(&mut self.requests), self.alignment)?;
        let mut refusal = outcome.refusal.or_else(|| self.unreachable_scratch());
        if refusal.is_none() && planner == Planner::Linear {
            refusal = super::linear_limit(planned_buffers);
        }
        if let Some(refusal) = &refusal {
            self.warnings.push(refused(refusal));
        }
        let micro = Micro {
            abi: self.options.abi,
            planner,
            arenas: self.options.micro.arenas,
            alignment: self.alignment,
            events: self.machine.events.clone(),
            subgraphs: self.model.subgraphs.len() as u64,
            tensors: play::all_tensors(self.model).count() as u64,
            scratch_requests: self.machine.scratch.len() as u64,
            planned_buffers,
            offline: outcome.offline,
            refusal,
            unknown_ops: outcome.unknown_ops,
        };
        let ticks = u32::try_from(steps.len()).unwrap_or(u32::MAX);
        let arena = Arena { subgraph: SubgraphId(0), kind: ArenaKind::Main, problem, buffers: self.planned, ticks };
        Ok(Program {
            options: self.options.clone(),
            steps,
            first_label: -self.shift,
            buffers: self.buffers,
            arenas: vec![arena],
            micro: Some(micro),
            warnings: self.warnings,
        })
    }

    fn warn(&mut self, outcome: &Outcome) {
        for reason in &outcome.null_variables {
            self.warnings.push(Warning::new("writes-to-address-0", reason.clone()));
        }
        for name in &outcome.unknown_ops {
            let message = format!(
                "{name} is not among TFLite-Micro's kernels: what it allocates is not known, and the plan is a lower bound"
            );
            self.warnings.push(Warning::new("unknown-kernel", message));
        }
        for (index, buffer) in self.buffers.iter().enumerate() {
            if buffer.place == Place::Arena && buffer.size_bytes.is_none() {
                let message =
                    format!("{} has no size that TFLite-Micro knows; it is left out of the plan", buffer.name);
                self.warnings.push(Warning::new("unknown-size", message).about(self.buffers[index].reference()));
            }
        }
    }

    /// Scratch of an operator that is never reached: the runtime leaves its size and its place undefined. Where address 0
    /// can be written to (many Cortex-M), fresh memory makes that a buffer of 0 bytes there, and nobody notices.
    fn unreachable_scratch(&mut self) -> Option<Refusal> {
        let unreached = |scratch: &&Scratch| self.timeline.scratch_life(scratch.op).is_none();
        let scratch = self.machine.scratch.iter().find(unreached)?;
        let reason =
            "the operator is never reached, but asks for scratch, whose size and place stay undefined".to_owned();
        if self.options.abi == Abi::Arm {
            self.warnings.push(Warning::new("writes-to-address-0", reason));
            return None;
        }
        Some(Refusal { stage: Stage::Plan, op: Some(scratch.op), reason, log: Vec::new(), crashes: true })
    }
}

fn refused(refusal: &super::micro::Refusal) -> Warning {
    let how = if refusal.crashes { "crashes on" } else { "refuses" };
    let place = refusal.op.map_or_else(String::new, |op| format!(" at operator {} of subgraph {}", op.op, op.subgraph));
    let message = format!("TFLite-Micro {how} this model while {}{place}: {}", refusal.stage.words(), refusal.reason);
    Warning::new("refused", message)
}

/// Who makes and reads a tensor inside its subgraph.
#[derive(Clone, Copy, Debug, Default)]
struct Use {
    maker: Option<OperatorId>,
    last_reader: Option<OperatorId>,
}

fn readers(subgraph: &Subgraph) -> Vec<Use> {
    let mut uses = vec![Use::default(); subgraph.tensors.len()];
    for (index, operator) in subgraph.operators.iter().enumerate() {
        let op = OperatorId::from_index(index);
        for tensor in operator.outputs.iter().flatten() {
            uses[tensor.index()].maker.get_or_insert(op);
        }
        for tensor in operator.inputs.iter().flatten() {
            uses[tensor.index()].last_reader = Some(op);
        }
    }
    uses
}

fn causes(subgraph: SubgraphId, role: Role, use_: &Use, is_output: bool, offline: bool) -> Vec<Cause> {
    let op = |op| OperatorRef { subgraph, op };
    let mut causes = Vec::new();
    if offline {
        causes.push(Cause::OfflinePlan);
    }
    match role {
        Role::Variable => causes.push(Cause::Variable),
        Role::Input => causes.push(Cause::GraphInput),
        _ => {}
    }
    if is_output {
        causes.push(Cause::GraphOutput);
    }
    match (use_.maker, use_.last_reader) {
        (None, None) if causes.is_empty() => causes.push(Cause::NeverUsed),
        (maker, reader) => {
            causes.extend(reader.map(|reader| Cause::LastReader(op(reader))));
            causes.extend(maker.map(|maker| Cause::MadeBy(op(maker))));
            if maker.is_some() && reader.is_none() && !is_output {
                causes.push(Cause::NeverRead);
            }
        }
    }
    causes
}
