//! Walks the execution over a map of the memory and names each write that destroys bytes still needed.
//!
//! What counts as needed:
//! - an operator's inputs, until it has run: its outputs, temporaries and scratch must not lie over them;
//! - an operator's outputs and scratch, against each other;
//! - inputs and outputs of an operator that calls subgraphs, until the call returns (a loop reads them again);
//! - outputs of a subgraph when it returns, and `TFLite`'s graph inputs to the end;
//! - state, from one run to the next.
//!
//! An output may lie over an input at exactly the same bytes when
//! - the operator only names the same contents anew (RESHAPE and its kin): the input stays readable; or
//! - the runtime itself shares the two (an alias), or the operator works element by element and never reads a byte
//!   again after writing it: then the input must not be read any more, which the walk sees by itself.
//!
//! An accelerator's operator (`ethos-u`) carries its own commands, which say what lies over what while it runs.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::plan::Plan;
use crate::runtime::{Program, Role, RuntimeKind, StepInfo};
use crate::simulate::memory::{Memory, ValueId};
use crate::simulate::{Placed, Timeline};
use crate::units::{BufferId, Step, SubgraphId};

/// A write that destroys bytes still needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clobber {
    /// The step that writes; `None`: before the first one.
    pub written_at: Option<Step>,
    /// The buffer it writes.
    pub writer: BufferId,
    /// The buffer whose bytes are lost.
    pub victim: BufferId,
    /// The bytes, from the arena's start.
    pub bytes: Range<u64>,
    /// The step that needs them; `None`: they are needed when the run has ended.
    pub needed_at: Option<Step>,
}

impl Clobber {
    /// One sentence: which operator writes which buffer over which bytes of which other, and who needs those.
    pub fn message(&self, program: &Program) -> String {
        let writer = program.buffer(self.writer).reference();
        let victim = program.buffer(self.victim).reference();
        let Range { start, end } = self.bytes;
        let by = match self.written_at {
            Some(step) => format!("{} writes", op_words(program, step)),
            None => String::from("the state kept from the last run lies with"),
        };
        let needed = match self.needed_at {
            Some(step) if Some(step) == self.written_at => String::from("which it needs at the same time"),
            Some(step) => format!("which {} still needs", op_words(program, step)),
            None => String::from("which is needed after the last op"),
        };
        format!("{by} {writer} over bytes {start} to {} of {victim}, {needed}", end - 1)
    }
}

/// `op 14 CONV_2D`, in a called subgraph `op 3 ADD of subgraph 2`.
fn op_words(program: &Program, step: Step) -> String {
    let Some(info) = program.steps.get(step.index()) else {
        return format!("step {step}");
    };
    match info.op {
        Some(op) if info.subgraph.0 == 0 => format!("op {op} {}", info.name),
        Some(op) => format!("op {op} {} of subgraph {}", info.name, info.subgraph),
        None => format!("step {step} ({})", info.name),
    }
}

/// An output that lies over an input by the plan's doing, soundly: the runtime itself would not have shared the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InPlace {
    /// The step.
    pub step: Step,
    /// What it writes.
    pub output: BufferId,
    /// The input whose bytes it takes.
    pub input: BufferId,
}

impl InPlace {
    /// One sentence: which operator works in place, on which buffers, and why that is sound.
    pub fn message(&self, program: &Program) -> String {
        let op = op_words(program, self.step);
        let (output, input) = (program.buffer(self.output).reference(), program.buffer(self.input).reference());
        let name = program.steps.get(self.step.index()).map_or("", |info| info.name.as_str());
        let why = if keeps_contents(name) {
            "the contents stay the same"
        } else if runs_own_commands(name) {
            "its own commands see to it"
        } else {
            "it works element by element, and nobody reads the input again"
        };
        format!("{op} writes {output} over the bytes of {input}, which it reads; {why}")
    }
}

/// What the walk over the execution finds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    /// Writes that destroy bytes still needed, in the order in which the execution finds them out; none in a sound
    /// plan.
    pub clobbers: Vec<Clobber>,
    /// Outputs that the plan lays over inputs, soundly, in order of execution.
    pub in_place: Vec<InPlace>,
}

/// Walks the execution of `program`, laid out by `plans`.
///
/// # Panics
/// When there is not one plan for each arena: a bug of ours.
pub fn prove(program: &Program, plans: &[Plan]) -> Proof {
    let timeline = Timeline::new(program, plans);
    let mut walk = Walk::new(&timeline);
    for step in (0..program.steps.len()).map(Step::from_index) {
        walk.return_calls(step);
        walk.enter(step);
        walk.run(step);
    }
    walk.return_calls(Step::from_index(program.steps.len()));
    walk.end();
    let Proof { clobbers, mut in_place } = walk.proof;
    let lost: BTreeSet<_> = clobbers.iter().map(|clobber| (clobber.writer, clobber.victim)).collect();
    in_place.retain(|found| !lost.contains(&(found.output, found.input)));
    Proof { clobbers, in_place }
}

/// Something written: by whom and when.
#[derive(Clone, Copy, Debug)]
struct Value {
    written_at: Option<Step>,
    buffer: BufferId,
}

/// A subgraph that is running, and the step that called it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Call {
    caller: Option<Step>,
    subgraph: SubgraphId,
}

/// The state of the walk.
struct Walk<'t, 'a> {
    timeline: &'t Timeline<'a>,
    program: &'a Program,
    /// One map for each arena.
    memories: Vec<Memory>,
    values: Vec<Value>,
    /// The value that each buffer must hold; `None` before it is written.
    current: Vec<Option<ValueId>>,
    calls: Vec<Call>,
    /// Inputs and outputs of each subgraph that lie in an arena.
    inputs: Vec<Vec<BufferId>>,
    outputs: Vec<Vec<BufferId>>,
    /// Pairs of values already reported: lost, and lost to.
    reported: BTreeSet<(ValueId, ValueId)>,
    proof: Proof,
}

impl<'t, 'a> Walk<'t, 'a> {
    fn new(timeline: &'t Timeline<'a>) -> Walk<'t, 'a> {
        let program = timeline.program;
        let subgraphs = program.buffers.iter().map(|buffer| buffer.subgraph().index() + 1).max().unwrap_or(1);
        let mut walk = Walk {
            timeline,
            program,
            memories: vec![Memory::default(); program.arenas.len()],
            values: Vec::new(),
            current: vec![None; program.buffers.len()],
            calls: Vec::new(),
            inputs: vec![Vec::new(); subgraphs],
            outputs: vec![Vec::new(); subgraphs],
            reported: BTreeSet::new(),
            proof: Proof::default(),
        };
        for (index, buffer) in program.buffers.iter().enumerate() {
            let id = BufferId::from_index(index);
            match buffer.role {
                Role::Input => walk.inputs[buffer.subgraph().index()].push(id),
                Role::Output => walk.outputs[buffer.subgraph().index()].push(id),
                Role::Variable => walk.write(id, None),
                _ => {}
            }
        }
        walk
    }

    /// Ends the calls that are over before `step`, innermost first.
    fn return_calls(&mut self, step: Step) {
        let next = self.timeline.info(step).map(|info| Call { caller: info.caller, subgraph: info.subgraph });
        while let Some(call) = self.calls.last().copied() {
            let is_over = call.caller.is_some_and(|caller| self.timeline.call_end(caller) <= step);
            let is_left = next.is_none_or(|next| next.caller == call.caller && next.subgraph != call.subgraph);
            if !is_over && !is_left {
                return;
            }
            self.calls.pop();
            let at = call.caller;
            for id in self.outputs[call.subgraph.index()].clone() {
                self.need(id, at);
            }
            if let Some(info) = at.filter(|_| is_over).and_then(|caller| self.timeline.info(caller)) {
                for id in info.reads.iter().chain(&info.writes) {
                    self.need(*id, at);
                }
            }
        }
    }

    /// When `step` is the first of a subgraph's run, fills the subgraph's inputs.
    fn enter(&mut self, step: Step) {
        let Some(info) = self.timeline.info(step) else { return };
        let call = Call { caller: info.caller, subgraph: info.subgraph };
        if self.calls.contains(&call) {
            return;
        }
        self.calls.push(call);
        for id in self.inputs.get(call.subgraph.index()).cloned().unwrap_or_default() {
            self.write(id, Some(step));
        }
    }

    fn run(&mut self, step: Step) {
        let Some(info) = self.timeline.info(step) else { return };
        for id in &info.reads {
            self.need(*id, Some(step));
        }
        // Inputs that an output may lie over.
        let mut shared = Vec::new();
        for id in info.scratch.iter().chain(&info.writes) {
            let sharing = self.sharing(info, *id);
            if let Some(input) = sharing {
                let is_aliased = self.root(input) == self.root(*id);
                self.proof.in_place.extend((!is_aliased).then_some(InPlace { step, output: *id, input }));
                shared.push(input);
            }
            match sharing.and_then(|input| self.current[input.index()]).filter(|_| keeps_contents(&info.name)) {
                Some(value) => self.current[id.index()] = Some(value),
                None => self.write(*id, Some(step)),
            }
        }
        if runs_own_commands(&info.name) {
            return;
        }
        let is_kept = |id: &&BufferId| keeps_contents(&info.name) || !shared.contains(id);
        for id in info.reads.iter().filter(is_kept).chain(&info.scratch).chain(&info.writes) {
            self.need(*id, Some(step));
        }
    }

    /// The end of the run: what the caller of the model relies on.
    fn end(&mut self) {
        for (index, buffer) in self.program.buffers.iter().enumerate() {
            let id = BufferId::from_index(index);
            // `TFLite` never frees graph inputs, so that the next run finds them; TFLite-Micro's must be filled anew.
            let is_graph_input = buffer.role == Role::Input && buffer.subgraph().0 == 0;
            let stays = is_graph_input && self.program.options.runtime == RuntimeKind::Tflite;
            if stays || buffer.role == Role::Variable {
                self.need(id, None);
            }
        }
    }

    /// The input of `info` that `output` may lie over, when it does.
    fn sharing(&self, info: &StepInfo, output: BufferId) -> Option<BufferId> {
        let place = self.place(output)?;
        let inputs = info.reads.iter().copied().filter(|id| *id != output);
        let mut placed = inputs.filter_map(|id| self.place(id).map(|other| (id, other)));
        if runs_own_commands(&info.name) {
            let overlaps = |other: &Placed| {
                other.arena == place.arena
                    && other.bytes().start < place.bytes().end
                    && place.bytes().start < other.bytes().end
            };
            return placed.find(|(_, other)| overlaps(other)).map(|(id, _)| id);
        }
        let same = |other: &Placed| other.arena == place.arena && other.bytes() == place.bytes();
        let (input, _) = placed.find(|(_, other)| same(other))?;
        let is_allowed =
            self.root(input) == self.root(output) || keeps_contents(&info.name) || is_elementwise(&info.name);
        is_allowed.then_some(input)
    }

    /// The buffer whose request holds the bytes of `id`.
    fn root(&self, id: BufferId) -> BufferId {
        self.program.buffer(id).alias_of.unwrap_or(id)
    }

    fn place(&self, id: BufferId) -> Option<Placed> {
        self.timeline.layout().place(id)
    }

    fn write(&mut self, id: BufferId, at: Option<Step>) {
        if let Some(placed) = self.place(id) {
            let value = self.values.len();
            self.values.push(Value { written_at: at, buffer: id });
            self.current[id.index()] = Some(value);
            self.memories[placed.arena.index()].write(placed.bytes(), value);
        }
    }

    /// Checks that `id` holds what was written to it; what was never written cannot be lost.
    fn need(&mut self, id: BufferId, at: Option<Step>) {
        let (Some(placed), Some(value)) = (self.place(id), self.current[id.index()]) else { return };
        if let Some((bytes, other)) = self.memories[placed.arena.index()].first_other(placed.bytes(), value)
            && self.reported.insert((value, other))
        {
            let Value { written_at, buffer } = self.values[other];
            self.proof.clobbers.push(Clobber { written_at, writer: buffer, victim: id, bytes, needed_at: at });
        }
    }
}

/// Whether an operator gives its input's contents another shape and nothing else.
fn keeps_contents(name: &str) -> bool {
    matches!(name, "RESHAPE" | "EXPAND_DIMS" | "SQUEEZE" | "BITCAST")
}

/// Whether an operator is an accelerator's, with commands of its own.
fn runs_own_commands(name: &str) -> bool {
    name == "ethos-u"
}

/// Whether an operator reads element `i` of an input of its output's size for the last time before it writes element `i`.
fn is_elementwise(name: &str) -> bool {
    #[rustfmt::skip]
    const NAMES: &[&str] = &[
        "ABS", "ADD", "BITWISE_XOR", "CEIL", "COS", "DIV", "ELU", "EXP", "FLOOR", "FLOOR_DIV", "FLOOR_MOD", "GELU",
        "HARD_SWISH", "LEAKY_RELU", "LOG", "LOGICAL_AND", "LOGICAL_NOT", "LOGICAL_OR", "LOGISTIC", "MAXIMUM", "MINIMUM",
        "MUL", "NEG", "POW", "PRELU", "QUANTIZE", "RELU", "RELU6", "RELU_0_TO_1", "RELU_N1_TO_1", "ROUND", "RSQRT",
        "SIGN", "SIN", "SQRT", "SQUARE", "SQUARED_DIFFERENCE", "SUB", "TANH",
    ];
    NAMES.contains(&name)
}
