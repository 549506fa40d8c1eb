//! Turns a few lines of text into a `Program` with one arena and a plan by hand: the fixtures of these tests.
//!
//! ```text
//! in  a:16@0                    # a graph input of 16 bytes at offset 0
//! op  ADD a b -> c:32@64        # reads a and b, makes c
//! op  RESHAPE c -> d:32=c       # d shares c's bytes in place
//! op  CONV a -> e:8@0 ~s:4@96   # uses 4 bytes of scratch at offset 96
//! out d
//! ```
//! Lives run from the first op that writes to the last that reads; outputs live to the end; inputs too when the text
//! says `keep`.

use std::collections::BTreeMap;

use arenascope::plan::{Plan, Problem, Request};
use arenascope::runtime::{
    Arena, ArenaKind, Buffer, Options, Origin, Place, Program, Role, RuntimeKind, StepInfo, TensorRef,
};
use arenascope::units::{ArenaId, BufferId, OperatorId, Span, Step, SubgraphId, TensorId};

/// A program with its plan.
#[derive(Debug)]
pub(crate) struct Fixture {
    pub(crate) program: Program,
    pub(crate) plans: Vec<Plan>,
}

/// One buffer while the text is read.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    pub(crate) name: String,
    pub(crate) bytes: u64,
    pub(crate) offset: u64,
    pub(crate) alias_of: Option<usize>,
    pub(crate) role: Role,
    pub(crate) first: u32,
    pub(crate) last: u32,
}

/// One operator: its name, and indices of what it reads, writes and uses as scratch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Op {
    pub(crate) name: String,
    pub(crate) reads: Vec<usize>,
    pub(crate) writes: Vec<usize>,
    pub(crate) scratch: Vec<usize>,
}

/// Reads the text.
pub(crate) fn fixture(text: &str) -> Fixture {
    let mut buffers: Vec<Made> = Vec::new();
    let mut ids: BTreeMap<String, usize> = BTreeMap::new();
    let mut ops: Vec<Op> = Vec::new();
    let mut keep = false;
    let mut outputs = Vec::new();
    for line in text.lines().map(|line| line.split('#').next().unwrap_or_default()) {
        let mut words = line.split_whitespace();
        let step = u32::try_from(ops.len()).unwrap();
        let mut make = |word: &str, role: Role, ids: &mut BTreeMap<String, usize>| {
            let (name, rest) = word.split_once(':').unwrap();
            let (bytes, place) = rest.split_once(['@', '=']).unwrap_or((rest, "0"));
            let alias_of = rest.contains('=').then(|| ids[place]);
            let offset = alias_of.map_or_else(|| place.parse().unwrap(), |root| buffers[root].offset);
            ids.insert(name.to_owned(), buffers.len());
            let bytes = bytes.parse().unwrap();
            buffers.push(Made { name: name.to_owned(), bytes, offset, alias_of, role, first: step, last: step });
            buffers.len() - 1
        };
        match words.next() {
            Some("in") => words.for_each(|word| {
                make(word, Role::Input, &mut ids);
            }),
            Some("keep") => keep = true,
            Some("out") => outputs.extend(words.map(|word| ids[word])),
            Some("op") => {
                let mut op = Op { name: words.next().unwrap().to_owned(), ..Op::default() };
                for word in words.filter(|word| *word != "->") {
                    if let Some(scratch) = word.strip_prefix('~') {
                        op.scratch.push(make(scratch, Role::Scratch, &mut ids));
                    } else if word.contains(':') {
                        op.writes.push(make(word, Role::Intermediate, &mut ids));
                    } else {
                        op.reads.push(ids[word]);
                    }
                }
                ops.push(op);
            }
            Some(other) => panic!("unknown line {other}"),
            None => {}
        }
    }
    for (step, op) in ops.iter().enumerate() {
        for read in &op.reads {
            buffers[*read].last = u32::try_from(step).unwrap();
        }
    }
    let last = u32::try_from(ops.len()).unwrap().saturating_sub(1);
    for (index, buffer) in buffers.iter_mut().enumerate() {
        if outputs.contains(&index) {
            buffer.role = Role::Output;
        }
        if buffer.role == Role::Output || (keep && buffer.role == Role::Input) {
            buffer.last = last;
        }
    }
    let mut fixture = build(&buffers, &ops);
    if keep {
        fixture.program.options.runtime = RuntimeKind::Tflite;
    }
    fixture
}

/// The program of these buffers and operators, with the plan that their offsets give.
pub(crate) fn build(made: &[Made], ops: &[Op]) -> Fixture {
    let ticks = u32::try_from(ops.len()).unwrap();
    let span = |made: &Made| Span::from_inclusive(Step(made.first), Step(made.last));
    let buffers: Vec<Buffer> = made
        .iter()
        .enumerate()
        .map(|(index, made)| Buffer {
            origin: Origin::Tensor(TensorRef { subgraph: SubgraphId(0), tensor: TensorId::from_index(index) }),
            name: made.name.clone(),
            dtype: None,
            shape: Vec::new(),
            size_bytes: Some(made.bytes),
            role: made.role,
            place: Place::Arena,
            arena: Some(ArenaId(0)),
            live: Some(span(made)),
            alias_of: made.alias_of.map(BufferId::from_index),
            causes: Vec::new(),
        })
        .collect();
    let roots: Vec<usize> = (0..made.len()).filter(|index| made[*index].alias_of.is_none()).collect();
    let mut lives: Vec<Span> = made.iter().map(span).collect();
    for sharer in made {
        if let Some(root) = sharer.alias_of {
            lives[root] = lives[root].hull(span(sharer));
        }
    }
    let requests = roots.iter().map(|root| Request::new(made[*root].bytes, lives[*root]));
    let problem = Problem::new(requests.collect(), 1).unwrap();
    let plan = Plan::from_offsets(&problem, roots.iter().map(|root| made[*root].offset).collect());
    let ids = |list: &[usize]| list.iter().map(|index| BufferId::from_index(*index)).collect::<Vec<_>>();
    let steps = ops.iter().enumerate().map(|(index, op)| StepInfo {
        subgraph: SubgraphId(0),
        op: Some(OperatorId::from_index(index)),
        name: op.name.clone(),
        arena: ArenaId(0),
        tick: Step::from_index(index),
        caller: None,
        reads: ids(&op.reads),
        writes: ids(&op.writes),
        scratch: ids(&op.scratch),
    });
    let program = Program {
        options: Options::new(RuntimeKind::Tflm),
        steps: steps.collect(),
        first_label: 0,
        buffers,
        arenas: vec![Arena { subgraph: SubgraphId(0), kind: ArenaKind::Main, problem, buffers: ids(&roots), ticks }],
        micro: None,
        warnings: Vec::new(),
    };
    Fixture { program, plans: vec![plan] }
}
