//! What-ifs: turns a [`Program`] and changes that the user makes up into another [`Program`]. Knows nothing of how it is
//! planned.
//!
//! A change names one buffer, but acts on the bytes that a planner places: buffers that share them change together.

mod text;

use std::collections::BTreeMap;

use crate::error::{Error, ErrorKind, Result, Warning};
use crate::limits;
use crate::model::DataType;
use crate::plan::{Problem, Request};
use crate::runtime::{ArenaKind, Buffer, Cause, Place, Program, RuntimeKind, tensor_bytes};
use crate::units::{ArenaId, BufferId, RequestId, Span, Step, align_up};

/// The code of every warning about a what-if.
pub const WHAT_IF: &str = "what_if";

/// One change that the user makes up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The buffer, as [`Buffer::reference`] names it.
    pub target: String,
    /// What is different about it.
    pub change: Change,
}

/// What is different about a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It has this many bytes.
    Bytes(u64),
    /// Its elements are of this type.
    Type(DataType),
    /// It is needed for the last time at this step, as the report numbers steps.
    Last(i64),
    /// It is kept to the end.
    Keep,
    /// It lies outside the arena.
    Outside,
}

/// What a change does to what is placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The request has this many bytes, rounded as the runtime rounds.
    Bytes(u64),
    /// The request ends behind this tick.
    Last(Step),
    /// The request stays to the end.
    Keep,
    /// The request is gone.
    Outside,
}

/// A change that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// The buffer whose bytes were changed: the one named, or the one whose bytes that shares.
    pub root: BufferId,
    /// The arena it lies (or lay) in.
    pub arena: ArenaId,
    /// What became of the request.
    pub effect: Effect,
}

/// A changed program.
#[derive(Clone, Debug, PartialEq)]
pub struct Edited {
    /// The program; its warnings say what the changes reach and what is not modelled.
    pub program: Program,
    /// The changes, in the order in which they were made.
    pub done: Vec<Done>,
}

/// Makes `edits` in `program`, one after the other.
///
/// # Errors
/// When an edit names nothing that a planner places, or makes no sense for it.
pub fn apply(program: &Program, edits: &[Edit]) -> Result<Edited> {
    if edits.len() > limits::MAX_EDITS {
        let message = format!("{} what-ifs, the most is {}", edits.len(), limits::MAX_EDITS);
        return Err(Error::new(ErrorKind::BadOption, message));
    }
    let mut editor = Editor::new(program);
    let mut done = Vec::with_capacity(edits.len());
    for edit in edits {
        let wrong = |message: String| Error::new(ErrorKind::BadOption, format!("what-if {edit}: {message}"));
        done.push(editor.make(edit).map_err(wrong)?);
    }
    Ok(Edited { program: editor.finish(edits)?, done })
}

/// The tick of `arena` at the step that the report prints as `label`; `None` when that step is not on its clock.
fn tick_of(program: &Program, arena: ArenaId, label: i64) -> Option<Step> {
    let held = program.arena(arena);
    let on_clock = |tick: u32| (tick < held.ticks).then_some(Step(tick));
    if program.options.runtime == RuntimeKind::Tflm || program.steps.is_empty() {
        return on_clock(u32::try_from(label.checked_sub(program.first_label)?).ok()?);
    }
    let mut info = program.steps.get(usize::try_from(label).ok()?)?;
    // A called subgraph's steps lie inside the step that calls it.
    while info.subgraph != held.subgraph {
        info = program.steps.get(info.caller?.index())?;
    }
    on_clock(info.tick.0)
}

/// How the report prints `tick` of `arena`.
pub fn label_of(program: &Program, arena: ArenaId, tick: Step) -> i64 {
    let by_tick = i64::from(tick.0) + program.first_label;
    if program.options.runtime == RuntimeKind::Tflm {
        return by_tick;
    }
    let subgraph = program.arena(arena).subgraph;
    let at = program.steps.iter().position(|info| info.subgraph == subgraph && info.tick == tick);
    at.and_then(|at| i64::try_from(at).ok()).unwrap_or(by_tick)
}

/// A program while it is changed.
struct Editor {
    program: Program,
    /// The requests of each arena; `None`: moved outside.
    requests: Vec<Vec<Option<Request>>>,
    by_reference: BTreeMap<String, BufferId>,
    placed: BTreeMap<BufferId, (ArenaId, RequestId)>,
    /// Who shares the bytes of a buffer.
    sharers: BTreeMap<BufferId, Vec<BufferId>>,
}

impl Editor {
    fn new(program: &Program) -> Editor {
        let mut placed = BTreeMap::new();
        for (arena, held) in program.arenas.iter().enumerate() {
            for (request, buffer) in held.buffers.iter().enumerate() {
                placed.insert(*buffer, (ArenaId::from_index(arena), RequestId::from_index(request)));
            }
        }
        let mut by_reference = BTreeMap::new();
        let mut sharers: BTreeMap<BufferId, Vec<BufferId>> = BTreeMap::new();
        for (index, buffer) in program.buffers.iter().enumerate() {
            let id = BufferId::from_index(index);
            by_reference.insert(buffer.reference(), id);
            if let Some(root) = buffer.alias_of {
                sharers.entry(root).or_default().push(id);
            }
        }
        let of = |arena: &crate::runtime::Arena| arena.problem.requests().iter().copied().map(Some).collect();
        let requests = program.arenas.iter().map(of).collect();
        Editor { program: program.clone(), requests, by_reference, placed, sharers }
    }

    /// Makes one edit, or says in a few words why it makes no sense.
    fn make(&mut self, edit: &Edit) -> std::result::Result<Done, String> {
        let id = *self.by_reference.get(&edit.target).ok_or("there is no such tensor or buffer")?;
        let root = self.program.buffer(id).alias_of.unwrap_or(id);
        let Some((arena, request)) = self.placed.get(&root).copied() else {
            return Err(why_not_placed(self.program.buffer(id)).to_owned());
        };
        let asked = self.request(arena, request).ok_or("another what-if has moved it outside the arena")?;
        let stays = self.program.arena(arena).kind == ArenaKind::Persistent;
        if stays && matches!(edit.change, Change::Last(_) | Change::Keep) {
            return Err("it is state, which stays from one run to the next".to_owned());
        }
        let effect = match edit.change {
            Change::Bytes(bytes) => self.resize(id, root, bytes, None)?,
            Change::Type(dtype) => self.retype(id, root, dtype)?,
            Change::Last(label) => self.end(id, root, arena, label, asked)?,
            Change::Keep => self.keep(id, root, arena, asked),
            Change::Outside => self.outside(id, root),
        };
        self.set(arena, request, effect);
        let causes = &mut self.program.buffers[id.index()].causes;
        if causes.first() != Some(&Cause::WhatIf) {
            causes.insert(0, Cause::WhatIf);
        }
        self.warn(id, root);
        Ok(Done { root, arena, effect })
    }

    fn request(&self, arena: ArenaId, request: RequestId) -> Option<Request> {
        self.requests.get(arena.index())?.get(request.index()).copied().flatten()
    }

    /// Lets the request follow.
    fn set(&mut self, arena: ArenaId, request: RequestId, effect: Effect) {
        let end = Step(self.program.arena(arena).ticks);
        let is_tflite = self.program.options.runtime == RuntimeKind::Tflite;
        let slot = &mut self.requests[arena.index()][request.index()];
        let Some(asked) = slot else { return };
        match effect {
            Effect::Bytes(bytes) => asked.size_bytes = bytes,
            Effect::Last(last) => {
                asked.live = until(asked.live, Step(last.0 + 1));
                asked.stays = false;
            }
            Effect::Keep => {
                asked.live = until(asked.live, end);
                asked.stays = is_tflite;
            }
            Effect::Outside => *slot = None,
        }
    }

    /// All buffers that lie in the bytes of `root`, itself first.
    fn members(&self, root: BufferId) -> Vec<BufferId> {
        let sharers = self.sharers.get(&root).into_iter().flatten().copied();
        std::iter::once(root).chain(sharers).collect()
    }

    fn retype(&mut self, id: BufferId, root: BufferId, dtype: DataType) -> std::result::Result<Effect, String> {
        let buffer = self.program.buffer(id);
        let old = buffer.dtype.ok_or("it has no element type; give it bytes")?;
        let runtime = self.program.options.runtime;
        let bytes = tensor_bytes(runtime, dtype, &buffer.shape)
            .ok_or_else(|| format!("the runtime has no size for {} in this shape", dtype.name()))?;
        self.resize(id, root, bytes, Some((old, dtype)))
    }

    /// Gives the shared bytes another size, and maybe those in it another type.
    fn resize(
        &mut self,
        id: BufferId,
        root: BufferId,
        bytes: u64,
        dtype: Option<(DataType, DataType)>,
    ) -> std::result::Result<Effect, String> {
        if bytes == 0 || bytes > limits::MAX_BYTES {
            return Err(format!("{bytes} bytes, but it must be 1 to {}", limits::MAX_BYTES));
        }
        let whole = self.program.buffer(root).size_bytes;
        for member in self.members(root) {
            let runtime = self.program.options.runtime;
            let buffer = &mut self.program.buffers[member.index()];
            let is_whole = member == id || member == root || buffer.size_bytes == whole;
            let own = buffer.size_bytes.unwrap_or(bytes).min(bytes);
            buffer.size_bytes = Some(if is_whole { bytes } else { own });
            if let Some((_, new)) = dtype.filter(|(old, _)| buffer.dtype == Some(*old)) {
                buffer.dtype = Some(new);
                if !is_whole {
                    buffer.size_bytes = tensor_bytes(runtime, new, &buffer.shape).map(|own| own.min(bytes));
                }
            }
        }
        let rounded = if self.program.options.runtime == RuntimeKind::Tflm {
            let alignment = self.program.arenas.first().map_or(1, |arena| arena.problem.alignment());
            align_up(bytes, alignment).unwrap_or(bytes)
        } else {
            bytes
        };
        Ok(Effect::Bytes(rounded))
    }

    fn end(
        &mut self,
        id: BufferId,
        root: BufferId,
        arena: ArenaId,
        label: i64,
        asked: Request,
    ) -> std::result::Result<Effect, String> {
        let last =
            tick_of(&self.program, arena, label).ok_or_else(|| format!("there is no step {label} in its time"))?;
        let first = self.program.buffer(id).live.map_or(asked.live.first(), Span::first);
        if last < first {
            let first = label_of(&self.program, arena, first);
            return Err(format!("it begins at step {first}, so it cannot end at step {label}"));
        }
        let end = Step(last.0 + 1);
        for member in self.members(root) {
            let is_named = member == id || member == root;
            let buffer = &mut self.program.buffers[member.index()];
            buffer.live = buffer.live.and_then(|live| {
                // What begins later in these bytes has none any more.
                if is_named { Some(until(live, end)) } else { Span::new(live.first(), live.end().min(end)) }
            });
        }
        Ok(Effect::Last(last))
    }

    fn keep(&mut self, id: BufferId, root: BufferId, arena: ArenaId, asked: Request) -> Effect {
        let end = Step(self.program.arena(arena).ticks);
        for member in [root, id] {
            let buffer = &mut self.program.buffers[member.index()];
            buffer.live = Some(until(buffer.live.unwrap_or(asked.live), end));
        }
        Effect::Keep
    }

    fn outside(&mut self, id: BufferId, root: BufferId) -> Effect {
        for member in self.members(root) {
            let buffer = &mut self.program.buffers[member.index()];
            buffer.place = Place::External;
            buffer.arena = None;
        }
        if let Some(micro) = &mut self.program.micro {
            micro.planned_buffers = micro.planned_buffers.saturating_sub(1);
            let reference = self.program.buffer(id).reference();
            let message = "the application provides these bytes; TFLite-Micro's own structs are counted as before, \
                           only the planner has one buffer less";
            self.program.warnings.push(Warning::new(WHAT_IF, message).about(reference));
        }
        Effect::Outside
    }

    /// Says who changes with the buffer that was named.
    fn warn(&mut self, id: BufferId, root: BufferId) {
        let reference = |id: BufferId| self.program.buffer(id).reference();
        let others: Vec<String> = self.members(root).into_iter().filter(|m| *m != id).map(reference).collect();
        if others.is_empty() {
            return;
        }
        let shown = others.iter().take(3).cloned().collect::<Vec<_>>().join(", ");
        let more = others.len().saturating_sub(3);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let message = format!("it shares its bytes with {shown}{more}: the change is made to these bytes");
        let warning = Warning::new(WHAT_IF, message).about(reference(id));
        if !self.program.warnings.contains(&warning) {
            self.program.warnings.push(warning);
        }
    }

    fn finish(mut self, edits: &[Edit]) -> Result<Program> {
        for (arena, requests) in self.program.arenas.iter_mut().zip(self.requests) {
            let buffers = std::mem::take(&mut arena.buffers);
            let kept = requests.iter().zip(buffers).filter(|(asked, _)| asked.is_some());
            arena.buffers = kept.map(|(_, buffer)| buffer).collect();
            arena.problem = Problem::new(requests.into_iter().flatten().collect(), arena.problem.alignment())?;
        }
        let types: Vec<DataType> = edits.iter().filter_map(|edit| edit.change.dtype()).collect();
        if !types.is_empty() {
            let packed = types.contains(&DataType::Int4) && self.program.options.runtime == RuntimeKind::Tflm;
            let packed = if packed { "; TFLite-Micro keeps each int4 number in a byte of its own" } else { "" };
            let message = format!(
                "another type changes this buffer only: what kernels would ask for besides, and whether they take the \
                 type, is not worked out again{packed}"
            );
            self.program.warnings.push(Warning::new(WHAT_IF, message));
        }
        Ok(self.program)
    }
}

impl Change {
    fn dtype(self) -> Option<DataType> {
        if let Change::Type(dtype) = self { Some(dtype) } else { None }
    }
}

/// The same span with another end, which lies behind its first step.
fn until(live: Span, end: Step) -> Span {
    Span::new(live.first(), end).unwrap_or(live)
}

/// Why no planner places a buffer.
fn why_not_placed(buffer: &Buffer) -> &'static str {
    match buffer.place {
        Place::File => "it is a constant, which lies in the model's file and not in an arena",
        Place::Heap => "it lies on the heap and not in an arena",
        Place::External => "it lies outside the arena already",
        Place::Persistent => "it lies in the tail among what stays, which no planner places",
        Place::Arena => "its size is not known, so it is not planned",
        Place::None => "it has no bytes to place",
    }
}
