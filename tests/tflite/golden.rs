//! Facts of the real runtime, and the comparison of one model's plan with them.

use std::collections::BTreeMap;
use std::fmt;

use arenascope::model::{self, DataType};
use arenascope::plan::{self, Plan, Strategy};
use arenascope::runtime::{self, Buffer, Options, Place, Program, RuntimeKind};
use serde::Deserialize;

/// Index, bytes, and address relative to the first input's; what is `null` the real runtime would not tell.
type TensorFact = (u32, Option<u64>, Option<i128>);

/// What the real runtime gave for one model.
#[derive(Debug, Deserialize)]
pub(crate) struct Fact {
    /// The model's path in the corpus.
    pub(crate) model: Option<String>,
    /// What the runtime said when it refused the model.
    pub(crate) error: Option<String>,
    #[serde(default)]
    tensors: Vec<TensorFact>,
    #[serde(default)]
    preserve_all: Vec<TensorFact>,
}

/// How many comparisons held.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Comparisons made: one for each model and mode.
    pub(crate) all: usize,
    /// Those that held.
    pub(crate) equal: usize,
    differences: Vec<String>,
}

impl Tally {
    /// Compares one model in both modes.
    pub(crate) fn add(&mut self, name: &str, bytes: &[u8], fact: &Fact) {
        for (preserve_all, facts) in [(false, &fact.tensors), (true, &fact.preserve_all)] {
            self.all += 1;
            let mut options = Options::new(RuntimeKind::Tflite);
            options.preserve_all_tensors = preserve_all;
            match compare(bytes, &options, facts) {
                Ok(()) => self.equal += 1,
                Err(difference) => {
                    let mode = if preserve_all { " (preserve-all)" } else { "" };
                    self.differences.push(format!("{name}{mode}: {difference}"));
                }
            }
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for difference in &self.differences {
            writeln!(f, "{difference}")?;
        }
        write!(f, "equal: {} of {}", self.equal, self.all)
    }
}

/// The first difference between our plan and the facts.
fn compare(bytes: &[u8], options: &Options, facts: &[TensorFact]) -> Result<(), String> {
    let model = model::read(bytes).map_err(|error| format!("not read: {error}"))?;
    let program = runtime::tflite::program(&model, bytes, options).map_err(|error| format!("refused: {error}"))?;
    let ours = Placement::new(&program);
    let mut shifts: BTreeMap<u32, (i128, u32)> = BTreeMap::new();
    for &(index, size, address) in facts {
        let Some(buffer) = ours.tensors.get(&index) else {
            return Err(format!("tensor {index} ({size:?} bytes at {address:?}) is not ours"));
        };
        let later = ours.batch(buffer) > 0;
        let Some((arena, offset)) = ours.offset(buffer).filter(|_| !later) else {
            if address.is_some()
                && matches!(buffer.place, Place::Arena | Place::Persistent | Place::None)
                && size != Some(0)
            {
                return Err(format!("tensor {index} lies at {address:?}, ours in {:?}", buffer.place));
            }
            continue;
        };
        if address.is_none() && buffer.dtype == Some(DataType::Resource) {
            continue; // The interpreter's Python binding tells no address of a handle.
        }
        let Some(address) = address else {
            return Err(format!("tensor {index} has no address, ours is {offset} in arena {arena}"));
        };
        let packed = buffer.dtype.is_some_and(|dtype| format!("{dtype:?}").contains("nt4"));
        if buffer.size_bytes != size && !packed {
            return Err(format!("tensor {index} has {size:?} bytes, ours {:?}", buffer.size_bytes));
        }
        let shift = address - i128::from(offset);
        let (expected, first) = *shifts.entry(arena).or_insert((shift, index));
        if shift != expected {
            return Err(format!(
                "tensor {index} ({size:?} bytes) lies at {}, ours at {offset} (tensor {first} gives the zero of arena {arena})",
                address - expected
            ));
        }
    }
    let listed: Vec<u32> = facts.iter().map(|fact| fact.0).collect();
    let missing = |buffer: &&&Buffer| {
        ours.offset(buffer).is_some() && ours.batch(buffer) == 0 && !listed.contains(&buffer.index())
    };
    match ours.tensors.values().find(missing) {
        Some(buffer) => Err(format!("{} ({}) is only ours", buffer.reference(), buffer.name)),
        None => Ok(()),
    }
}

/// The main subgraph's buffers and where they lie.
struct Placement<'a> {
    program: &'a Program,
    plans: Vec<Plan>,
    tensors: BTreeMap<u32, &'a Buffer>,
}

impl<'a> Placement<'a> {
    fn new(program: &'a Program) -> Placement<'a> {
        let plans = program.arenas.iter().take(2).map(|arena| plan::plan(&arena.problem, Strategy::Tflite));
        let main = program.buffers.iter().filter(|buffer| buffer.subgraph().0 == 0);
        Placement { program, plans: plans.collect(), tensors: main.map(|buffer| (buffer.index(), buffer)).collect() }
    }

    /// Arena, request in it.
    fn request(&self, buffer: &Buffer) -> Option<(u32, usize)> {
        let owner = buffer.alias_of.map_or(buffer, |id| self.program.buffer(id));
        let arena = owner.arena?;
        let buffers = &self.program.arena(arena).buffers;
        let at = buffers.iter().position(|&id| std::ptr::eq(self.program.buffer(id), owner))?;
        Some((arena.0, at))
    }

    fn offset(&self, buffer: &Buffer) -> Option<(u32, u64)> {
        let (arena, request) = self.request(buffer)?;
        Some((arena, self.plans[arena as usize].offsets[request]))
    }

    fn batch(&self, buffer: &Buffer) -> u32 {
        let requests = |arena: u32| self.program.arenas[arena as usize].problem.requests();
        self.request(buffer).map_or(0, |(arena, request)| requests(arena)[request].batch)
    }
}
