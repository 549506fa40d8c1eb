//! The walk that every greedy planner makes: requests in some order, each into a gap between those placed before it.
//! Knows nothing of why an order or a choice of gap is good; the planners' own files say that.

use super::{Plan, Problem, Request};
use crate::units::{RequestId, Span};

/// Which of the gaps that fit is taken. With none, a request goes on top of all it overlaps in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// The lowest.
    First,
    /// The smallest; of equal ones the lowest.
    Smallest,
    /// The smallest as `TFLite` measures it (`tflite/simple_memory_arena.cc`, `LiteRT` f67457790c9c): a gap wins when
    /// it is smaller *after* aligning its start than the best so far was *before* aligning, and one that was 0
    /// before aligning ends the search.
    SmallestUnaligned,
}

/// How a request is fitted into a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    /// Offsets are aligned, sizes stand.
    AlignOffset,
    /// Sizes are rounded up to the alignment and offsets are sums of sizes, as in TFLite-Micro: the same unless a fixed
    /// offset is unaligned.
    RoundSize,
}

/// What a greedy planner does: the order, and the way each request is placed.
#[derive(Clone, Debug)]
pub(super) struct Recipe {
    /// All requests, fixed ones too, in the order of placement.
    pub(super) order: Vec<RequestId>,
    /// Which gap is taken.
    pub(super) choice: Choice,
    /// How it is filled.
    pub(super) fit: Fit,
}

/// A space between two placed requests that overlap the new one in time, or below the lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Gap {
    /// The running end of what lies below; unaligned.
    pub(super) start: u64,
    /// Where the request would lie.
    pub(super) offset: u64,
    /// Where the next placed request begins; may be below `start`.
    pub(super) end: u64,
    /// The request that ends at `start`; `None` at the bottom of the arena.
    pub(super) below: Option<RequestId>,
    /// The request that begins at `end`.
    pub(super) above: RequestId,
    /// Whether the request fits.
    pub(super) fits: bool,
}

/// Where a request was put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    /// The offset.
    pub(super) offset: u64,
    /// The request it rests on; `None` at the bottom of the arena.
    pub(super) below: Option<RequestId>,
    /// The gap it was put into, counted from the bottom; `None` when it lies on top of all it overlaps in time.
    pub(super) gap: Option<usize>,
}

/// A placed request.
#[derive(Clone, Copy, Debug)]
struct Placed {
    live: Span,
    offset: u64,
    end: u64,
    id: RequestId,
}

/// The arena while it fills: what is placed, by offset; of equal offsets the earlier placed first.
#[derive(Debug)]
pub(super) struct Shelf {
    placed: Vec<Placed>,
    alignment: u64,
    choice: Choice,
    fit: Fit,
}

impl Shelf {
    /// An empty arena for up to `capacity` requests.
    pub(super) fn new(problem: &Problem, recipe: &Recipe) -> Shelf {
        Shelf {
            placed: Vec::with_capacity(problem.requests().len()),
            alignment: problem.alignment(),
            choice: recipe.choice,
            fit: recipe.fit,
        }
    }

    /// The bytes `request` takes in the walk.
    fn size(&self, request: &Request) -> u64 {
        match self.fit {
            Fit::AlignOffset => request.size_bytes,
            Fit::RoundSize => request.size_bytes.next_multiple_of(self.alignment),
        }
    }

    /// Calls `visit` for each gap that `request` meets, from the bottom, until it returns `false` or none is left;
    /// returns what lies at the end of the walk.
    fn walk(&self, request: &Request, mut visit: impl FnMut(Gap) -> bool) -> Spot {
        let size = self.size(request);
        let mut start = 0;
        let mut below = None;
        for placed in self.placed.iter().filter(|placed| placed.live.overlaps(request.live)) {
            let offset = self.aligned(start);
            let fits = offset + size <= placed.offset;
            if !visit(Gap { start, offset, end: placed.offset, below, above: placed.id, fits }) {
                break;
            }
            if placed.end > start {
                start = placed.end;
                below = Some(placed.id);
            }
        }
        Spot { offset: self.aligned(start), below, gap: None }
    }

    /// The offset at or above `start`.
    fn aligned(&self, start: u64) -> u64 {
        match self.fit {
            Fit::AlignOffset => start.next_multiple_of(self.alignment),
            Fit::RoundSize => start,
        }
    }

    /// Where `request` goes now; each gap that was looked at is shown to `seen`.
    pub(super) fn find(&self, request: &Request, mut seen: impl FnMut(Gap)) -> Spot {
        let mut best: Option<Spot> = None;
        let mut best_bytes = u64::MAX;
        let mut index = 0;
        let top = self.walk(request, |gap| {
            seen(gap);
            let spot = Spot { offset: gap.offset, below: gap.below, gap: Some(index) };
            index += 1;
            if gap.fits {
                let bytes = gap.end - gap.offset;
                if bytes < best_bytes {
                    best = Some(spot);
                    best_bytes = match self.choice {
                        Choice::First => 0,
                        Choice::Smallest => bytes,
                        Choice::SmallestUnaligned => gap.end - gap.start,
                    };
                }
            }
            match self.choice {
                Choice::First => best.is_none(),
                Choice::Smallest => true,
                Choice::SmallestUnaligned => best_bytes != 0,
            }
        });
        best.unwrap_or(top)
    }

    /// Puts `request` at `offset`.
    pub(super) fn put(&mut self, id: RequestId, request: &Request, offset: u64) {
        let at = self.placed.partition_point(|placed| placed.offset <= offset);
        let end = offset + self.size(request);
        self.placed.insert(at, Placed { live: request.live, offset, end, id });
    }
}

/// The plan that `recipe` leads to. Fixed requests are put where they must lie when their turn comes.
pub(super) fn plan(problem: &Problem, recipe: &Recipe) -> Plan {
    let mut shelf = Shelf::new(problem, recipe);
    let mut offsets = vec![0; problem.requests().len()];
    for &id in &recipe.order {
        let request = problem.request(id);
        let offset = request.fixed_offset.unwrap_or_else(|| shelf.find(request, |_| ()).offset);
        offsets[id.index()] = offset;
        shelf.put(id, request, offset);
    }
    Plan::from_offsets(problem, offsets)
}

/// How `recipe` comes to the place of the free request `id`: how many are placed before it, the gaps it meets, its place.
pub(super) fn find(problem: &Problem, recipe: &Recipe, id: RequestId) -> (usize, Vec<Gap>, Spot) {
    let mut shelf = Shelf::new(problem, recipe);
    for (turn, &other) in recipe.order.iter().enumerate() {
        let request = problem.request(other);
        if other == id {
            let mut gaps = Vec::new();
            let spot = shelf.find(request, |gap| gaps.push(gap));
            return (turn, gaps, spot);
        }
        let offset = request.fixed_offset.unwrap_or_else(|| shelf.find(request, |_| ()).offset);
        shelf.put(other, request, offset);
    }
    unreachable!("an order holds every request");
}
