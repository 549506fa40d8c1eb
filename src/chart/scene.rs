//! What the chart shows, as plain data: [`Scene`], made from a program and a plan or from a bare problem.
//! Knows nothing of pixels.

use crate::chart::gaps::Gap;
use crate::chart::index::Index;
use crate::chart::viewport::Viewport;
use crate::runtime::Role;
use crate::units::{BufferId, RequestId, Span, Step};

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
    /// Indexes of boxes in the order of painting: from the largest areas (bytes × steps) to the smallest, areas within
    /// a factor of two by time.
    pub paint_order: Vec<u32>,
    pub(super) index: Index,
}

impl Scene {
    /// The whole picture: all steps, and bytes from 0 to a little above the arena, its bound and (when it is no
    /// more than twice as large) its budget.
    pub fn extent(&self) -> Viewport {
        let arena = self.height_bytes.max(self.lower_bound_bytes).max(1);
        let near_budget = self.budget_bytes.filter(|budget| *budget / 2 <= arena).unwrap_or(0);
        Viewport::new((0.0, self.clock.ticks as f64), (0.0, arena.max(near_budget) as f64 * 1.05))
    }

    /// The most bytes alive in each of `parts` equal parts of the time, for a small picture of all of it. There are at
    /// most as many parts as steps.
    pub fn live_peaks(&self, parts: usize) -> Vec<u64> {
        let steps = self.live_bytes.len();
        let parts = parts.min(steps);
        let part = |index: usize| self.live_bytes[index * steps / parts..(index + 1) * steps / parts].iter().max();
        (0..parts).map(|index| part(index).copied().unwrap_or(0)).collect()
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
