//! Plan files: an analysis into one that opens again, and one into an analysis. What the file says of its model is shown
//! and decides nothing but the runtime, since a plan alone cannot be asked of another; its figures are kept only while the
//! plan is the file's own.

use std::collections::BTreeSet;

use crate::container::{PlanBuffer, PlanFigures, PlanFile, PlanSource};
use crate::error::Result;
use crate::limits;
use crate::model::DataType;
use crate::plan::{Plan, Problem, Request, csv};
use crate::report::analysis::{assemble, heap_bytes, persistent_bytes};
use crate::report::{self, Analysis, Settings, WhatIf, abi_name, json, kernels_name, runtime_name, table, view};
use crate::runtime::tflm::ArenaNeeds;
use crate::runtime::{OperatorRef, Origin, Program, RuntimeKind, TensorRef, split_reference};
use crate::simulate::Timeline;
use crate::units::{ArenaId, OperatorId, Span, Step, TensorId};

/// The main arena as a plan file of ours, which opens again.
pub fn to_plan_file(analysis: &Analysis) -> String {
    let Analysis { program, plans, needs, .. } = analysis;
    // Whoever opens it has no other way to see that it is no model's own plan.
    let mark = if analysis.what_if.is_some() { " (what-if)" } else { "" };
    let mut source = source(analysis, program, plans, needs.as_ref());
    source.what_if.extend(analysis.settings.edits.iter().map(ToString::to_string));
    text(format!("{}{mark}", analysis.name), source, program, plans)
}

fn text(name: String, source: PlanSource, program: &Program, plans: &[Plan]) -> String {
    let mut file = PlanFile {
        name,
        alignment: 1,
        first_label: i32::try_from(program.first_label).unwrap_or(0),
        source: Some(source),
        ..PlanFile::default()
    };
    if let Some((arena, plan)) = program.arenas.first().zip(plans.first()) {
        let requests = arena.problem.requests().iter().zip(&arena.buffers).zip(&plan.offsets);
        let buffers = requests.map(|((asked, id), offset)| {
            let buffer = program.buffer(*id);
            PlanBuffer {
                name: buffer.name.clone(),
                size_bytes: asked.size_bytes,
                first_step: asked.live.first().0,
                last_step: asked.live.last().0,
                offset: Some(*offset),
                is_fixed: asked.fixed_offset.is_some(),
                stays: asked.stays,
                batch: asked.batch,
                reference: buffer.reference(),
                dtype: buffer.dtype.map_or_else(String::new, |dtype| dtype.name().to_owned()),
                shape: buffer.shape.clone(),
                role: view::role_name(buffer.role).to_owned(),
                own_bytes: buffer.size_bytes.filter(|bytes| *bytes != asked.size_bytes),
            }
        });
        let timeline = Timeline::new(program, plans);
        let infos = (0..arena.ticks).map(|tick| {
            let step = timeline.first_step(ArenaId(0), Step(tick));
            step.and_then(|step| timeline.info(step))
        });
        file.alignment = arena.problem.alignment();
        file.steps = infos.clone().map(|info| info.map_or_else(String::new, |info| info.name.clone())).collect();
        file.step_ops = infos.map(|info| info.and_then(|info| info.op).map(|op| op.0)).collect();
        file.buffers = buffers.collect();
    }
    if file.step_ops.iter().all(Option::is_none) {
        file.step_ops.clear();
    }
    json::escape_misleading(&file.to_json())
}

/// The plan file without the what-ifs; `None` when there are none. Those of the main arena are for it as
/// [`WhatIf::plan_edits`](crate::report::WhatIf::plan_edits) gives them.
pub fn to_base_plan(analysis: &Analysis) -> Option<String> {
    let WhatIf { program, plans, needs, .. } = analysis.what_if.as_deref()?;
    Some(text(analysis.name.clone(), source(analysis, program, plans, needs.as_ref()), program, plans))
}

/// What the file will say of where this plan of `analysis` is from: the model, or what the plan's own file said.
fn source(analysis: &Analysis, program: &Program, plans: &[Plan], needs: Option<&ArenaNeeds>) -> PlanSource {
    let Settings { runtime, preserve_all_tensors, kernels, abi, .. } = analysis.settings;
    let is_micro = runtime == RuntimeKind::Tflm;
    let micro = |name: &str| if is_micro { name.to_owned() } else { String::new() };
    let made = PlanSource {
        runtime: runtime_name(runtime).to_owned(),
        planner: analysis.planner_name().to_owned(),
        kernels: micro(kernels_name(kernels)),
        abi: micro(abi_name(abi)),
        preserve_all_tensors,
        ..PlanSource::default()
    };
    if let Some(said) = &analysis.source {
        return PlanSource {
            sha256: said.sha256.clone(),
            figures: said.figures,
            what_if: said.what_if.clone(),
            ..PlanSource { model_bytes: said.model_bytes, ops: said.ops, tensors: said.tensors, ..made }
        };
    }
    let graphs = analysis.model.iter().flat_map(|model| &model.subgraphs);
    let (ops, tensors) =
        graphs.fold((0, 0), |(ops, tensors), graph| (ops + graph.operators.len(), tensors + graph.tensors.len()));
    PlanSource {
        sha256: analysis.sha256.clone(),
        model_bytes: analysis.file_bytes,
        ops: ops as u64,
        tensors: if analysis.model.is_some() { tensors } else { program.buffers.len() } as u64,
        figures: PlanFigures {
            set_bytes: needs.map(|needs| needs.recommended_bytes(0)),
            minimum_bytes: needs.map(|needs| needs.minimum_arena_bytes),
            used_bytes: needs.map(|needs| needs.used_bytes),
            persistent_bytes: persistent_bytes(program, plans, needs),
            heap_bytes: heap_bytes(program),
        },
        ..made
    }
}

/// What `settings` make of a plan file. Its offsets are the plan, unless another planner is chosen than the one that made
/// them; its runtime is the one that it names.
pub(super) fn analyse(bytes: &[u8], name: &str, settings: &Settings, file: &PlanFile) -> Result<Analysis> {
    let settings = &as_made(settings, file);
    let rows = rows(file);
    let mut program = table::program(&rows, &file.steps, &file.step_ops, settings)?;
    mark(&mut program, file)?;
    name_buffers(&mut program, file);
    let own = program.arenas.first().and_then(|arena| rows.plan(&arena.problem));
    let made_by = file.source.as_ref().map_or("", |source| &source.planner);
    let is_own = settings.planner.is_none() || settings.planner_name() == made_by;
    let mut analysis = assemble(bytes, name, settings, None, program, own.filter(|_| is_own))?;
    give_roles(&mut analysis.program, file);
    if let Some(what_if) = &mut analysis.what_if {
        give_roles(&mut what_if.program, file);
    }
    analysis.source = file.source.clone().map(|source| {
        let is_own = analysis.arenas.first().is_none_or(|arena| arena.strategy.is_none());
        let is_same = is_own
            && settings.alignment.is_none_or(|alignment| alignment == file.alignment)
            && made_with(&source, settings);
        PlanSource { figures: if is_same { source.figures } else { PlanFigures::default() }, ..source }
    });
    Ok(analysis)
}

/// The settings with the runtime, kernels and struct sizes that the file names: what another runtime would keep, and when,
/// only the model tells.
fn as_made(settings: &Settings, file: &PlanFile) -> Settings {
    let mut made = settings.clone();
    let Some(source) = &file.source else { return made };
    let Ok(runtime) = report::runtime_from_name(&source.runtime) else { return made };
    made.runtime = runtime;
    made.kernels = report::kernels_from_name(&source.kernels).unwrap_or(made.kernels);
    made.abi = report::abi_from_name(&source.abi).unwrap_or(made.abi);
    made
}

/// Whether these settings are those that the plan was made with.
fn made_with(source: &PlanSource, settings: &Settings) -> bool {
    let is_build = source.kernels == kernels_name(settings.kernels) && source.abi == abi_name(settings.abi);
    source.runtime == runtime_name(settings.runtime) && (settings.runtime == RuntimeKind::Tflite || is_build)
}

fn rows(file: &PlanFile) -> csv::Table {
    let row = |buffer: &PlanBuffer| csv::Row {
        id: buffer.name.clone(),
        live: Span::from_inclusive(Step(buffer.first_step), Step(buffer.last_step.max(buffer.first_step))),
        size_bytes: buffer.size_bytes,
        offset: buffer.offset,
    };
    csv::Table { rows: file.buffers.iter().map(row).collect(), alignment: file.alignment }
}

/// Calls the buffers what the model's report calls them, if the file says it of each and no two are called the same.
fn name_buffers(program: &mut Program, file: &PlanFile) {
    let origins = file.buffers.iter().map(|buffer| origin_of(&buffer.reference));
    let Some(origins) = origins.collect::<Option<Vec<_>>>() else { return };
    let names: BTreeSet<_> = file.buffers.iter().map(|buffer| &buffer.reference).collect();
    if names.len() == origins.len() {
        for (buffer, origin) in program.buffers.iter_mut().zip(origins) {
            buffer.origin = origin;
        }
    }
}

/// The origin that reports call `reference`. Which operator a temporary serves is not said, and not shown.
fn origin_of(reference: &str) -> Option<Origin> {
    let (subgraph, rest) = split_reference(reference)?;
    let op = OperatorRef { subgraph, op: OperatorId(0) };
    let number = |kind: &str| rest.strip_prefix(kind)?.parse::<u32>().ok();
    let origin = number("tmp").map(|index| Origin::Temporary { op, index });
    let origin = origin.or_else(|| number("scratch").map(|index| Origin::Scratch { op, index }));
    let origin =
        origin.or_else(|| number("t").map(|tensor| Origin::Tensor(TensorRef { subgraph, tensor: TensorId(tensor) })));
    origin.filter(|_| subgraph.index() < limits::MAX_SUBGRAPHS)
}

/// What a planner goes by, and what a what-if is about: numbers of steps, types, shapes and the buffers' own bytes.
fn mark(program: &mut Program, file: &PlanFile) -> Result<()> {
    if let Some(arena) = program.arenas.first_mut() {
        // Each buffer of a plan file has bytes, and so is a request.
        let requests = arena.problem.requests().iter().zip(&file.buffers).map(|(asked, buffer)| Request {
            fixed_offset: buffer.offset.filter(|_| buffer.is_fixed),
            stays: buffer.stays,
            batch: buffer.batch,
            ..*asked
        });
        arena.problem = Problem::new(requests.collect(), arena.problem.alignment())?;
    }
    if program.options.runtime == RuntimeKind::Tflm {
        program.first_label = i64::from(file.first_label);
    }
    for (buffer, said) in program.buffers.iter_mut().zip(&file.buffers) {
        buffer.dtype = DataType::from_name(&said.dtype);
        buffer.shape.clone_from(&said.shape);
        buffer.size_bytes = said.own_bytes.filter(|bytes| *bytes <= said.size_bytes).or(buffer.size_bytes);
    }
    Ok(())
}

/// Roles are shown and decide nothing, so they come after the proof.
fn give_roles(program: &mut Program, file: &PlanFile) {
    for (buffer, said) in program.buffers.iter_mut().zip(&file.buffers) {
        buffer.role = view::role_from_name(&said.role).unwrap_or(buffer.role);
    }
}
