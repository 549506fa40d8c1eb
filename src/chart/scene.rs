//! What the chart shows, as plain data: [`Scene`], made from a program and a plan or from a bare problem.
//! Knows nothing of pixels.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::chart::gaps::{self, Gap};
use crate::chart::index::Index;
use crate::chart::viewport::Viewport;
use crate::plan::{Plan, Problem};
use crate::runtime::{Buffer, Program, Role};
use crate::units::{ArenaId, BufferId, RequestId, Span, Step};

/// What a box is, for its colour and pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Input of its subgraph.
    Input,
    /// Output of its subgraph.
    Output,
    /// Made and read inside.
    Intermediate,
    /// State that survives between runs.
    Variable,
    /// A `TFLite` kernel's temporary tensor.
    Temporary,
    /// A TFLite-Micro kernel's scratch buffer.
    Scratch,
    /// Data from the file that lie in the arena all the same.
    Constant,
    /// Nothing is known but size and time (a plan file).
    Buffer,
}

impl Kind {
    /// All kinds in the order of the legend.
    pub const ALL: &[Kind] = &[
        Kind::Input,
        Kind::Intermediate,
        Kind::Output,
        Kind::Variable,
        Kind::Temporary,
        Kind::Scratch,
        Kind::Constant,
        Kind::Buffer,
    ];

    /// The kind's name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Input => "input",
            Kind::Output => "output",
            Kind::Intermediate => "intermediate",
            Kind::Variable => "variable",
            Kind::Temporary => "temporary",
            Kind::Scratch => "scratch",
            Kind::Constant => "constant",
            Kind::Buffer => "buffer",
        }
    }
}

impl From<Role> for Kind {
    fn from(role: Role) -> Kind {
        match role {
            Role::Input => Kind::Input,
            Role::Output => Kind::Output,
            Role::Intermediate => Kind::Intermediate,
            Role::Constant => Kind::Constant,
            Role::Variable => Kind::Variable,
            Role::Temporary => Kind::Temporary,
            Role::Scratch => Kind::Scratch,
        }
    }
}

/// One placed request.
///
/// ```text
/// byte ▲         ┌──────────────┐ offset_bytes + size_bytes
///      │         │░░░░padding░░░│ offset_bytes + used_bytes
///      │         │              │
///      │         └──────────────┘ offset_bytes
///      └─────────┴──────────────┴──▶ step
///            live.first      live.end
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneBox {
    /// The request in the arena's problem.
    pub request: RequestId,
    /// The program's buffer behind it, when it comes from a program.
    pub buffer: Option<BufferId>,
    /// Its name in reports, as in `t3`.
    pub reference: String,
    /// Its own name: any text, also hostile; [`crate::chart::text::clean`] makes it fit to be shown.
    pub name: String,
    /// When it keeps its bytes.
    pub live: Span,
    /// Where it lies.
    pub offset_bytes: u64,
    /// Bytes it takes, rounded as the runtime rounds.
    pub size_bytes: u64,
    /// Bytes it needs; the rest up to `size_bytes` is padding.
    pub used_bytes: u64,
    /// What it is.
    pub kind: Kind,
    /// Its element type: an index into [`Scene::types`].
    pub dtype: Option<u32>,
    /// The operator that makes it: an index into [`Scene::ops`].
    pub op: Option<u32>,
    /// How many other boxes lie over at least one of its bytes.
    pub share_count: u32,
    /// Buffers that share its bytes in place (aliases), first made first.
    pub aliases: Vec<BufferId>,
}

impl SceneBox {
    /// The first byte behind it.
    pub fn end_bytes(&self) -> u64 {
        self.offset_bytes + self.size_bytes
    }
}

/// A kind of operator or an element type, and how much of the arena's traffic it makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Category {
    /// Its name.
    pub name: String,
    /// How many boxes are of it.
    pub boxes: u32,
    /// The sum of their sizes.
    pub bytes: u64,
}

/// The fullest step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peak {
    /// The first step at which the most bytes are alive.
    pub step: Step,
    /// How many.
    pub live_bytes: u64,
    /// Indexes of the boxes alive then, largest first, ties in order of request.
    pub boxes: Vec<u32>,
}

/// The arena's time: how many steps, how they are counted and what runs at each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// How many steps there are.
    pub ticks: u32,
    /// What is added to a step to print it.
    pub first_label: i64,
    /// The operator's name at each step; may be shorter than `ticks`, then the rest have none.
    pub names: Vec<String>,
}

/// What is known of one request besides size and time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoxLabel {
    /// The program's buffer.
    pub buffer: Option<BufferId>,
    /// Its name in reports.
    pub reference: String,
    /// Its own name.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// Element type.
    pub dtype: Option<String>,
    /// The operator that makes it.
    pub op: Option<String>,
    /// Bytes before rounding; `None`: as many as requested.
    pub used_bytes: Option<u64>,
    /// Buffers that share its bytes in place.
    pub aliases: Vec<BufferId>,
}

impl BoxLabel {
    /// The label of a request of which only a name is known.
    pub fn named(id: RequestId, name: impl Into<String>) -> BoxLabel {
        BoxLabel {
            buffer: None,
            reference: format!("b{id}"),
            name: name.into(),
            kind: Kind::Buffer,
            dtype: None,
            op: None,
            used_bytes: None,
            aliases: Vec::new(),
        }
    }
}

/// What the caller knows of the arena besides the plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SceneOptions {
    /// No plan can be smaller than this; `None`: the largest sum of sizes alive at one step.
    pub lower_bound_bytes: Option<u64>,
    /// The arena that the user has.
    pub budget_bytes: Option<u64>,
}

/// Everything the chart shows of one arena.
#[derive(Clone, Debug)]
pub struct Scene {
    /// One box per request, in order of request.
    pub boxes: Vec<SceneBox>,
    /// Free rectangles below the arena's height, by step, then by offset.
    pub gaps: Vec<Gap>,
    /// The arena's time.
    pub clock: Clock,
    /// Bytes alive at each step.
    pub live_bytes: Vec<u64>,
    /// The fullest step; `None` when there are no boxes.
    pub peak: Option<Peak>,
    /// Bytes the arena needs.
    pub height_bytes: u64,
    /// No plan can be smaller.
    pub lower_bound_bytes: u64,
    /// The arena that the user has.
    pub budget_bytes: Option<u64>,
    /// The plan's alignment.
    pub alignment: u64,
    /// Kinds of operators that make boxes, most bytes first.
    pub ops: Vec<Category>,
    /// Element types of boxes, most bytes first.
    pub types: Vec<Category>,
    /// Indexes of boxes from the largest area (bytes × steps) to the smallest: the order of painting.
    pub paint_order: Vec<u32>,
    index: Index,
}

impl Scene {
    /// The scene of one arena of a program, placed by `plan`.
    ///
    /// # Panics
    /// When the arena is not of this program or the plan not of this arena.
    pub fn from_program(program: &Program, arena_id: ArenaId, plan: &Plan, options: SceneOptions) -> Scene {
        let arena = program.arena(arena_id);
        let mut names = vec![String::new(); arena.ticks as usize];
        let mut makers: BTreeMap<BufferId, &str> = BTreeMap::new();
        for step in &program.steps {
            for buffer in step.writes.iter().chain(&step.scratch) {
                makers.entry(*buffer).or_insert(&step.name);
            }
            if step.arena == arena_id
                && let Some(name) = names.get_mut(step.tick.index())
                && name.is_empty()
            {
                name.clone_from(&step.name);
            }
        }
        let mut aliases: BTreeMap<BufferId, Vec<BufferId>> = BTreeMap::new();
        for (index, buffer) in program.buffers.iter().enumerate() {
            if let Some(root) = buffer.alias_of {
                aliases.entry(root).or_default().push(BufferId::from_index(index));
            }
        }
        let label = |id: &BufferId| {
            let buffer: &Buffer = program.buffer(*id);
            BoxLabel {
                buffer: Some(*id),
                reference: buffer.reference(),
                name: buffer.name.clone(),
                kind: buffer.role.into(),
                dtype: buffer.dtype.map(|dtype| dtype.name().to_string()),
                op: makers.get(id).map(|name| (*name).to_string()),
                used_bytes: buffer.size_bytes,
                aliases: aliases.get(id).cloned().unwrap_or_default(),
            }
        };
        let labels = arena.buffers.iter().map(label).collect();
        let clock = Clock { ticks: arena.ticks, first_label: program.first_label, names };
        Scene::new(&arena.problem, plan, labels, clock, options)
    }

    /// The scene of a bare problem (a plan file): labels in the order of its requests.
    ///
    /// # Panics
    /// When plan or labels are not of this problem: a bug of ours.
    pub fn new(
        problem: &Problem,
        plan: &Plan,
        labels: Vec<BoxLabel>,
        mut clock: Clock,
        options: SceneOptions,
    ) -> Scene {
        let requests = problem.requests();
        assert_eq!(requests.len(), plan.offsets.len(), "one offset per request");
        assert_eq!(requests.len(), labels.len(), "one label per request");
        let last = requests.iter().map(|request| request.live.end().0).max().unwrap_or(0);
        clock.ticks = clock.ticks.max(last);
        let ops = categories(labels.iter().zip(requests).map(|(label, r)| (label.op.as_deref(), r.size_bytes)));
        let types = categories(labels.iter().zip(requests).map(|(label, r)| (label.dtype.as_deref(), r.size_bytes)));
        let (op_ids, type_ids) = (ids(&ops), ids(&types));
        let mut boxes = Vec::with_capacity(labels.len());
        for (index, label) in labels.into_iter().enumerate() {
            let request = &requests[index];
            boxes.push(SceneBox {
                request: RequestId::from_index(index),
                buffer: label.buffer,
                live: request.live,
                offset_bytes: plan.offsets[index],
                size_bytes: request.size_bytes,
                used_bytes: label.used_bytes.unwrap_or(request.size_bytes).min(request.size_bytes),
                kind: label.kind,
                dtype: label.dtype.and_then(|name| type_ids.get(&name).copied()),
                op: label.op.and_then(|name| op_ids.get(&name).copied()),
                share_count: 0,
                aliases: label.aliases,
                reference: label.reference,
                name: label.name,
            });
        }
        count_shares(&mut boxes);
        let live_bytes = live_series(&boxes, clock.ticks);
        let paint_order = paint_order(&boxes);
        let index = Index::new(&boxes, &paint_order, clock.ticks);
        let height_bytes = boxes.iter().map(SceneBox::end_bytes).max().unwrap_or(0).max(plan.height_bytes);
        let peak = peak_of(&boxes, &live_bytes, &index);
        let bound = peak.as_ref().map_or(0, |peak| peak.live_bytes);
        Scene {
            gaps: gaps::find(&boxes, clock.ticks, height_bytes, problem.alignment()),
            paint_order,
            height_bytes,
            lower_bound_bytes: options.lower_bound_bytes.unwrap_or(bound),
            budget_bytes: options.budget_bytes,
            alignment: problem.alignment(),
            boxes,
            clock,
            live_bytes,
            peak,
            ops,
            types,
            index,
        }
    }

    /// The whole picture: all steps, and bytes from 0 to a little above the arena, its bound and (when it is no
    /// more than twice as large) its budget.
    pub fn extent(&self) -> Viewport {
        let arena = self.height_bytes.max(self.lower_bound_bytes).max(1);
        let near_budget = self.budget_bytes.filter(|budget| *budget / 2 <= arena).unwrap_or(0);
        Viewport::new((0.0, self.clock.ticks as f64), (0.0, arena.max(near_budget) as f64 * 1.05))
    }

    /// The topmost box at a step and a byte. When boxes collide it is the one painted last.
    pub fn box_at(&self, step: Step, byte: u64) -> Option<u32> {
        self.index.at(&self.boxes, step, byte)
    }

    /// The gap at a step and a byte.
    pub fn gap_at(&self, step: Step, byte: u64) -> Option<&Gap> {
        self.gaps.iter().find(|gap| gap.steps.contains(step) && gap.offset_bytes <= byte && byte < gap.end_bytes())
    }

    /// The boxes alive at a step, by offset, ties in order of request.
    pub fn alive_at(&self, step: Step) -> Vec<u32> {
        let mut alive = self.index.alive(step);
        alive.sort_unstable_by_key(|id| (self.boxes[*id as usize].offset_bytes, *id));
        alive
    }

    /// The next box above (towards higher offsets) among those alive at `step`; of the lowest when `from` is `None`.
    pub fn above(&self, step: Step, from: Option<u32>) -> Option<u32> {
        self.index.next_above(&self.boxes, step, from)
    }

    /// The next box below among those alive at `step`; the highest when `from` is `None`.
    pub fn below(&self, step: Step, from: Option<u32>) -> Option<u32> {
        self.index.next_below(&self.boxes, step, from)
    }

    /// How a step is printed.
    pub fn step_label(&self, step: Step) -> i64 {
        i64::from(step.0) + self.clock.first_label
    }

    /// The operator at a step; empty when there is none.
    pub fn step_name(&self, step: Step) -> &str {
        self.clock.names.get(step.index()).map_or("", String::as_str)
    }
}

/// Names with their sums, most bytes first, ties by name.
fn categories<'a>(items: impl Iterator<Item = (Option<&'a str>, u64)>) -> Vec<Category> {
    let mut sums: BTreeMap<&str, (u32, u64)> = BTreeMap::new();
    for (name, bytes) in items {
        if let Some(name) = name {
            let sum = sums.entry(name).or_default();
            *sum = (sum.0 + 1, sum.1 + bytes);
        }
    }
    let category = |(name, (boxes, bytes)): (&str, (u32, u64))| Category { name: name.to_string(), boxes, bytes };
    let mut list: Vec<Category> = sums.into_iter().map(category).collect();
    list.sort_by_key(|category| Reverse(category.bytes));
    list
}

fn ids(categories: &[Category]) -> BTreeMap<String, u32> {
    categories.iter().enumerate().map(|(index, category)| (category.name.clone(), index as u32)).collect()
}

/// Counts for each box those that lie over one of its bytes: all but the ones that end before it or start behind it.
fn count_shares(boxes: &mut [SceneBox]) {
    let mut starts: Vec<u64> = boxes.iter().map(|item| item.offset_bytes).collect();
    let mut ends: Vec<u64> = boxes.iter().map(SceneBox::end_bytes).collect();
    starts.sort_unstable();
    ends.sort_unstable();
    for item in boxes {
        let (low, high) = (item.offset_bytes, item.end_bytes());
        let before = ends.partition_point(|end| *end <= low);
        let started = starts.partition_point(|start| *start < high);
        item.share_count = (started - before - 1) as u32;
    }
}

fn live_series(boxes: &[SceneBox], ticks: u32) -> Vec<u64> {
    let mut change = vec![0_i64; ticks as usize + 1];
    for item in boxes {
        change[item.live.first().index()] += item.size_bytes as i64;
        change[item.live.end().index()] -= item.size_bytes as i64;
    }
    let mut sum = 0_i64;
    change.pop();
    change
        .into_iter()
        .map(|bytes| {
            sum += bytes;
            sum as u64
        })
        .collect()
}

fn peak_of(boxes: &[SceneBox], live_bytes: &[u64], index: &Index) -> Option<Peak> {
    let most = *live_bytes.iter().max().filter(|most| **most > 0)?;
    let step = Step::from_index(live_bytes.iter().position(|bytes| *bytes == most)?);
    let mut alive = index.alive(step);
    alive.sort_unstable_by_key(|id| (Reverse(boxes[*id as usize].size_bytes), *id));
    Some(Peak { step, live_bytes: most, boxes: alive })
}

fn paint_order(boxes: &[SceneBox]) -> Vec<u32> {
    let area = |item: &SceneBox| u128::from(item.size_bytes) * u128::from(item.live.steps());
    let mut order: Vec<u32> = (0..boxes.len() as u32).collect();
    order.sort_by_cached_key(|id| Reverse(area(&boxes[*id as usize])));
    order
}
