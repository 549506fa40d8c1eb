//! Facts of the real runtime, and the comparison of one model's plan with them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use arenascope::model::{self, DataType};
use arenascope::plan::{self, Plan, Strategy};
use arenascope::runtime::{self, Buffer, Options, Place, Program, Resize, RuntimeKind};
use arenascope::units::{BufferId, TensorId};
use serde::Deserialize;

/// Tensor, bytes, address; what is `null` the real runtime would not tell.
type TensorFact = (Key, Option<u64>, Option<Address>);

/// A tensor of the main subgraph, or of another one.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged)]
enum Key {
    Main(u32),
    Other([u32; 2]),
}

/// Bytes from the first address told, or a word for a place in the file.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Address {
    Relative(i64),
    File(Mark),
}

/// The word for a place in the file.
#[derive(Clone, Debug, Deserialize)]
enum Mark {
    #[serde(rename = "f")]
    InFile,
}

/// What the real runtime gave for one model.
#[derive(Debug, Deserialize)]
pub(crate) struct Fact {
    /// The model's path in its folder.
    #[serde(alias = "file")]
    pub(crate) model: Option<String>,
    /// The model's hash.
    pub(crate) sha256: String,
    /// What the runtime said when it refused the model.
    pub(crate) error: Option<String>,
    #[serde(default)]
    tensors: Vec<TensorFact>,
    #[serde(default)]
    preserve_all: Vec<TensorFact>,
    #[serde(default)]
    resized: Vec<Resized>,
}

/// What it gave with other dims of inputs.
#[derive(Debug, Deserialize)]
struct Resized {
    resize: BTreeMap<u32, Vec<i32>>,
    error: Option<String>,
    #[serde(default)]
    tensors: Vec<TensorFact>,
}

/// How many comparisons held.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Comparisons made: one for each model and mode.
    pub(crate) all: usize,
    /// Those that held.
    pub(crate) equal: usize,
    /// Models that the real runtime refuses, and those of them that we refuse as well.
    refused: (usize, usize),
    differences: Vec<String>,
}

impl Tally {
    /// Compares one model in all modes that there are facts of.
    pub(crate) fn add(&mut self, name: &str, bytes: &[u8], fact: &Fact) {
        let options = Options::new(RuntimeKind::Tflite);
        if fact.error.is_some() {
            self.refused.0 += 1;
            self.refused.1 +=
                usize::from(compare(bytes, &options, &[]).is_err_and(|error| error.starts_with("refused")));
            return;
        }
        let mut keeping = options.clone();
        keeping.preserve_all_tensors = true;
        self.count(name, "", compare(bytes, &options, &fact.tensors));
        self.count(name, " (preserve-all)", compare(bytes, &keeping, &fact.preserve_all));
        for resized in &fact.resized {
            let mut options = options.clone();
            let inputs = resized.resize.iter();
            options.resize =
                inputs.map(|(&tensor, dims)| Resize { tensor: TensorId(tensor), dims: dims.clone() }).collect();
            let result = compare(bytes, &options, &resized.tensors);
            let result = match (&resized.error, result) {
                (None, result) => result,
                (Some(_), Err(error)) if error.starts_with("refused") => Ok(()),
                (Some(error), _) => Err(format!("the runtime refuses: {error}")),
            };
            self.count(name, &format!(" (resized {:?})", resized.resize), result);
        }
    }

    fn count(&mut self, name: &str, mode: &str, result: Result<(), String>) {
        self.all += 1;
        match result {
            Ok(()) => self.equal += 1,
            Err(difference) => self.differences.push(format!("{name}{mode}: {difference}")),
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for difference in &self.differences {
            writeln!(f, "{difference}")?;
        }
        let (real, both) = self.refused;
        write!(f, "equal: {} of {}; refused by the runtime: {real}, of these by us: {both}", self.equal, self.all)
    }
}

/// The first difference between our plan and the facts.
fn compare(bytes: &[u8], options: &Options, facts: &[TensorFact]) -> Result<(), String> {
    let model = model::read(bytes).map_err(|error| format!("refused: not read: {error}"))?;
    let program = runtime::tflite::program(&model, bytes, options).map_err(|error| format!("refused: {error}"))?;
    let ours = Placement::new(&program);
    // For each arena the address of its first byte, and the tensor that gave it.
    let mut zeros: BTreeMap<u32, (i64, String)> = BTreeMap::new();
    for (key, size, address) in facts {
        let key = match *key {
            Key::Main(index) => (0, index),
            Key::Other([subgraph, index]) => (subgraph, index),
        };
        let buffer = ours
            .tensors
            .get(&key)
            .ok_or_else(|| format!("tensor {key:?} ({size:?} bytes at {address:?}) is not ours"))?;
        // The interpreter's Python binding tells no address of handles and scalars.
        let untold = buffer.dtype == Some(DataType::Resource) || buffer.shape.is_empty();
        if let Some((zero, arena)) = check(&ours, buffer, *size, address.as_ref().filter(|_| !untold), untold)? {
            let name = buffer.reference();
            let (expected, first) = zeros.entry(arena).or_insert((zero, name.clone()));
            if *expected != zero {
                let offset = ours.offset(buffer).map_or(0, |offset| offset.1);
                let real = i128::from(offset) + i128::from(zero) - i128::from(*expected);
                return Err(format!(
                    "{name} ({size:?} bytes) lies at {real}, ours at {offset} ({first} gives the zero of arena {arena})"
                ));
            }
        }
    }
    let listed: BTreeSet<u32> =
        facts.iter().filter_map(|fact| if let Key::Main(index) = fact.0 { Some(index) } else { None }).collect();
    let missing = |buffer: &&&Buffer| {
        let main = buffer.subgraph().0 == 0 && !listed.contains(&buffer.index());
        main && ours.offset(buffer).is_some() && ours.batch(buffer) == 0
    };
    match ours.tensors.values().find(missing) {
        Some(buffer) if !facts.is_empty() => Err(format!("{} ({}) is only ours", buffer.reference(), buffer.name)),
        _ => Ok(()),
    }
}

/// Compares one tensor; gives the address of its arena's first byte, when it lies in one.
fn check(
    ours: &Placement<'_>,
    buffer: &Buffer,
    size: Option<u64>,
    address: Option<&Address>,
    untold: bool,
) -> Result<Option<(i64, u32)>, String> {
    let name = buffer.reference();
    // The binding makes up memory for a tensor without bytes; and of a subgraph that nothing has allocated it tells
    // nothing.
    if buffer.size_bytes == Some(0) || (buffer.subgraph().0 > 0 && address.is_none()) {
        return Ok(None);
    }
    // What later batches bring has no address before the run.
    let Some((arena, offset)) = ours.offset(buffer).filter(|_| ours.batch(buffer) == 0) else {
        let in_arena = matches!(buffer.place, Place::Arena | Place::Persistent | Place::None);
        return match address {
            Some(Address::Relative(at)) if in_arena && size != Some(0) => {
                Err(format!("{name} lies at {at}, ours in {:?}", buffer.place))
            }
            Some(Address::File(_)) if buffer.place != Place::File && size != Some(0) => {
                Err(format!("{name} lies in the file, ours in {:?}", buffer.place))
            }
            _ => Ok(None),
        };
    };
    let packed = matches!(buffer.dtype, Some(DataType::Int4 | DataType::UInt4 | DataType::Int2));
    // The binding computes bytes from the dims, which some kernels leave behind until they run.
    let by_dims =
        buffer.shape.iter().try_fold(buffer.dtype.and_then(DataType::bits).unwrap_or(0) / 8, |bytes, &dim| {
            bytes.checked_mul(u32::try_from(dim).ok()?)
        });
    let same = buffer.size_bytes == size || by_dims.map(u64::from) == size;
    if !(packed || same || untold && size.is_none()) {
        return Err(format!("{name} has {size:?} bytes, ours {:?}", buffer.size_bytes));
    }
    match address {
        Some(Address::Relative(at)) => Ok(Some((at - i64::try_from(offset).unwrap_or(i64::MAX), arena))),
        Some(Address::File(_)) => Err(format!("{name} lies in the file, ours at {offset} of arena {arena}")),
        None if untold => Ok(None),
        None => Err(format!("{name} has no address, ours is {offset} in arena {arena}")),
    }
}

/// The buffers and where they lie.
struct Placement<'a> {
    program: &'a Program,
    plans: Vec<Plan>,
    tensors: BTreeMap<(u32, u32), &'a Buffer>,
    ids: BTreeMap<(u32, u32), BufferId>,
    /// For each buffer its request.
    requests: BTreeMap<u32, usize>,
}

impl<'a> Placement<'a> {
    fn new(program: &'a Program) -> Placement<'a> {
        let plans = program.arenas.iter().map(|arena| plan::plan(&arena.problem, Strategy::Tflite)).collect();
        let requests =
            program.arenas.iter().flat_map(|arena| arena.buffers.iter().enumerate().map(|(at, id)| (id.0, at)));
        let key = |buffer: &Buffer| (buffer.subgraph().0, buffer.index());
        let tensors = program.buffers.iter().map(|buffer| (key(buffer), buffer)).collect();
        let ids =
            program.buffers.iter().enumerate().map(|(at, buffer)| (key(buffer), BufferId::from_index(at))).collect();
        Placement { program, plans, tensors, ids, requests: requests.collect() }
    }

    /// Arena, request in it.
    fn request(&self, buffer: &Buffer) -> Option<(u32, usize)> {
        let owner = match buffer.alias_of {
            Some(id) => id,
            None => *self.ids.get(&(buffer.subgraph().0, buffer.index()))?,
        };
        Some((self.program.buffer(owner).arena?.0, *self.requests.get(&owner.0)?))
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
