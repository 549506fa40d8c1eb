//! Tables of buffers in minimalloc's columns: a table into a `Program` of one arena, and an analysis into a table.

use crate::error::{Error, ErrorKind, Result};
use crate::limits;
use crate::plan::{self, csv};
use crate::report::{Analysis, Settings};
use crate::runtime::{Arena, ArenaKind, Buffer, Options, Origin, Place, Program, Role, StepInfo, TensorRef};
use crate::units::{ArenaId, BufferId, OperatorId, Span, Step, SubgraphId, TensorId};

/// Steps of a table that are shown by its own numbers; longer ones are counted by what changes.
const MAX_PLAIN_STEPS: u32 = 20_000;

/// The main arena as a table of minimalloc's columns with offsets. An id is the buffer's name in reports (`t3`); of a
/// table it is the row's own id.
pub fn to_table(analysis: &Analysis) -> csv::Table {
    let program = &analysis.program;
    let mut rows = Vec::new();
    let mut alignment = 1;
    if let (Some(arena), Some(plan)) = (program.arenas.first(), analysis.plans.first()) {
        alignment = arena.problem.alignment();
        let requests = arena.problem.requests().iter().zip(&arena.buffers).zip(&plan.offsets);
        rows.extend(requests.map(|((asked, id), offset)| {
            let buffer = program.buffer(*id);
            csv::Row {
                id: if analysis.model.is_some() { buffer.reference() } else { buffer.name.clone() },
                live: asked.live,
                size_bytes: asked.size_bytes,
                offset: Some(*offset),
            }
        }));
    }
    csv::Table { rows, alignment }
}

/// The main arena as CSV: `id,lower,upper,size,offset`, by request.
pub fn to_csv(analysis: &Analysis) -> String {
    to_table(analysis).write()
}

/// The moment at which a plan file of `problem`, opened again, has the step `tick`; where its steps are counted by what
/// changes, the last change before.
pub(super) fn moment_in_plan_file(problem: &plan::Problem, tick: Step) -> Result<Step> {
    let at = moments(problem)?.partition_point(|moment| *moment <= tick);
    Ok(Step::from_index(at.saturating_sub(1)))
}

/// A program for a table: one arena, one step for each moment, each buffer written at its first and read at its last. `names`
/// and `ops` are those of the moments, as far as they are given.
pub(super) fn program(
    table: &csv::Table,
    names: &[String],
    ops: &[Option<u32>],
    settings: &Settings,
) -> Result<Program> {
    let mut problem = table.problem()?;
    if let Some(alignment) = settings.alignment {
        problem = plan::Problem::new(problem.requests().to_vec(), alignment)?;
    }
    let moments = moments(&problem)?;
    let at = |step: Step| Step::from_index(moments.partition_point(|moment| *moment < step));
    let requests = problem.requests().iter().map(|asked| plan::Request {
        live: Span::from_inclusive(at(asked.live.first()), at(asked.live.last())),
        ..*asked
    });
    let problem = plan::Problem::new(requests.collect(), problem.alignment())?;
    let sized = table.rows.iter().enumerate().filter(|(_, row)| row.size_bytes > 0);
    let rows: Vec<BufferId> = sized.map(|(index, _)| BufferId::from_index(index)).collect();
    let mut lives = vec![None; table.rows.len()];
    let mut steps: Vec<StepInfo> =
        moments.iter().enumerate().map(|(index, moment)| row_step(index, *moment, names, ops)).collect();
    for (asked, buffer) in problem.requests().iter().zip(&rows) {
        lives[buffer.index()] = Some(asked.live);
        steps[asked.live.first().index()].writes.push(*buffer);
        steps[asked.live.last().index()].reads.push(*buffer);
    }
    let buffers = table.rows.iter().zip(&lives).enumerate().map(|(index, (row, live))| Buffer {
        origin: Origin::Tensor(TensorRef { subgraph: SubgraphId(0), tensor: TensorId::from_index(index) }),
        name: row.id.clone(),
        dtype: None,
        shape: Vec::new(),
        size_bytes: Some(row.size_bytes),
        role: Role::Intermediate,
        place: if live.is_some() { Place::Arena } else { Place::None },
        arena: live.map(|_| ArenaId(0)),
        live: *live,
        alias_of: None,
        causes: Vec::new(),
    });
    let ticks = u32::try_from(moments.len()).unwrap_or(u32::MAX);
    let options = Options {
        alignment: Some(problem.alignment()),
        kernels: settings.kernels,
        abi: settings.abi,
        ..Options::new(settings.runtime)
    };
    Ok(Program {
        options,
        steps,
        first_label: 0,
        buffers: buffers.collect(),
        arenas: vec![Arena { subgraph: SubgraphId(0), kind: ArenaKind::Main, problem, buffers: rows, ticks }],
        micro: None,
        warnings: Vec::new(),
    })
}

/// The moments of a table that become steps: every one, or, when there are too many, those at which a buffer's first
/// or last step lies. Which buffers meet stays the same.
fn moments(problem: &plan::Problem) -> Result<Vec<Step>> {
    let spans = problem.requests().iter().map(|asked| asked.live);
    let end = spans.clone().map(|live| live.end().0).max().unwrap_or(0);
    if end <= MAX_PLAIN_STEPS {
        return Ok((0..end).map(Step).collect());
    }
    let mut moments: Vec<_> = spans.flat_map(|live| [live.first(), live.last()]).collect();
    moments.sort_unstable();
    moments.dedup();
    if moments.len() > limits::MAX_STEPS {
        let message = format!("{} moments, but at most {} can be shown", moments.len(), limits::MAX_STEPS);
        return Err(Error::new(ErrorKind::TooLarge, message));
    }
    Ok(moments)
}

fn row_step(index: usize, moment: Step, names: &[String], ops: &[Option<u32>]) -> StepInfo {
    let name = names.get(moment.index()).filter(|name| !name.is_empty());
    StepInfo {
        subgraph: SubgraphId(0),
        op: ops.get(moment.index()).copied().flatten().map(OperatorId),
        name: name.cloned().unwrap_or_else(|| format!("STEP {moment}")),
        arena: ArenaId(0),
        tick: Step::from_index(index),
        caller: None,
        reads: Vec::new(),
        writes: Vec::new(),
        scratch: Vec::new(),
    }
}
