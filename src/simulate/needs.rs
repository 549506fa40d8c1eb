//! Turns a step into what it needs and what only waits: the bytes its operator would need alone, and for whom the rest is
//! kept.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::runtime::StepInfo;
use crate::simulate::Timeline;
use crate::units::{ArenaId, BufferId, RequestId, Step};

/// One buffer that is alive at a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alive {
    /// The buffer that holds the bytes.
    pub buffer: BufferId,
    /// Bytes it holds, as the runtime rounds.
    pub bytes: u64,
    /// Whether the step reads it, or one that shares its bytes in place.
    pub is_read: bool,
    /// Whether the step writes it, or one that shares its bytes in place.
    pub is_written: bool,
    /// Whether it is the step's temporary or scratch.
    pub is_scratch: bool,
    /// The next step that uses it; `None`: none does, it is kept for another reason.
    pub next: Option<Step>,
}

impl Alive {
    /// Whether the step has nothing to do with it.
    pub fn is_waiting(&self) -> bool {
        !(self.is_read || self.is_written || self.is_scratch)
    }
}

/// Bytes that change hands between a step and the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moved {
    /// Bytes held now and not before.
    pub born_bytes: u64,
    /// Bytes held before and not now.
    pub freed_bytes: u64,
}

/// What a step needs of its arena.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needs {
    /// The step.
    pub step: Step,
    /// The arena of the running subgraph.
    pub arena: ArenaId,
    /// Bytes alive.
    pub live_bytes: u64,
    /// Bytes of what the step reads, writes and uses as scratch.
    pub alone_bytes: u64,
    /// The rest: bytes that only wait.
    pub waiting_bytes: u64,
    /// What changed since the step before; `None` at the first step, and when that ran in another arena.
    pub moved: Option<Moved>,
    /// The arena's height.
    pub height_bytes: u64,
    /// What is alive, largest first, ties by request.
    pub alive: Vec<Alive>,
}

impl Timeline<'_> {
    /// What `step` needs; `None` behind the last step.
    pub fn needs_at(&self, step: Step) -> Option<Needs> {
        let info = self.info(step)?;
        let held = self.program.arena(info.arena);
        let requests = held.problem.requests();
        let used = self.used(info);
        let mut alive: Vec<(RequestId, u64)> = (requests.iter().enumerate())
            .filter(|(_, asked)| asked.live.contains(info.tick))
            .map(|(index, asked)| (RequestId::from_index(index), asked.size_bytes))
            .collect();
        alive.sort_unstable_by_key(|(id, bytes)| (Reverse(*bytes), *id));
        let next = self.next_uses(step, info.arena, alive.len());
        let live_bytes = alive.iter().map(|(_, bytes)| bytes).sum();
        let alone_bytes = self.alone(info, &used);
        let alive = alive.into_iter().map(|(id, bytes)| {
            let how = used.get(&id).copied().unwrap_or_default();
            Alive {
                buffer: held.buffers[id.index()],
                bytes,
                is_read: how.is_read,
                is_written: how.is_written,
                is_scratch: how.is_scratch,
                next: next.get(&id).copied(),
            }
        });
        Some(Needs {
            step,
            arena: info.arena,
            live_bytes,
            alone_bytes,
            waiting_bytes: live_bytes.saturating_sub(alone_bytes),
            moved: self.moved(step, info),
            height_bytes: self.plans.get(info.arena.index()).map_or(0, |plan| plan.height_bytes),
            alive: alive.collect(),
        })
    }

    /// For each step, the bytes of its arena that its operator would need alone: what it reads, writes and uses as
    /// scratch, each as the runtime rounds it, and bytes that are shared in place once.
    pub fn alone_bytes(&self) -> Vec<u64> {
        self.program.steps.iter().map(|info| self.alone(info, &self.used(info))).collect()
    }

    fn alone(&self, info: &StepInfo, used: &BTreeMap<RequestId, Use>) -> u64 {
        let problem = &self.program.arena(info.arena).problem;
        used.keys().map(|id| problem.request(*id).size_bytes).sum()
    }

    /// The requests of the step's arena that it uses, and how. What is not alive then counts for nothing: a tensor that the
    /// runtime has given up, or one that never had bytes.
    fn used(&self, info: &StepInfo) -> BTreeMap<RequestId, Use> {
        let mut used: BTreeMap<RequestId, Use> = BTreeMap::new();
        let problem = &self.program.arena(info.arena).problem;
        let mut mark = |list: &[BufferId], how: Use| {
            for id in list {
                let placed = self.layout().place(*id).filter(|placed| placed.arena == info.arena);
                let placed = placed.filter(|placed| problem.request(placed.request).live.contains(info.tick));
                if let Some(placed) = placed {
                    let so_far = used.entry(placed.request).or_default();
                    so_far.is_read |= how.is_read;
                    so_far.is_written |= how.is_written;
                    so_far.is_scratch |= how.is_scratch;
                }
            }
        };
        mark(&info.reads, Use { is_read: true, ..Use::default() });
        mark(&info.writes, Use { is_written: true, ..Use::default() });
        mark(&info.scratch, Use { is_scratch: true, ..Use::default() });
        used
    }

    /// The first step behind `step` that uses each request of `arena`; ends early when `count` are found.
    fn next_uses(&self, step: Step, arena: ArenaId, count: usize) -> BTreeMap<RequestId, Step> {
        let mut next = BTreeMap::new();
        let alive_now = |id: RequestId| {
            let live = self.program.arena(arena).problem.request(id).live;
            self.info(step).is_some_and(|info| live.contains(info.tick))
        };
        for (index, info) in self.program.steps.iter().enumerate().skip(step.index() + 1) {
            if next.len() >= count {
                break;
            }
            for id in info.reads.iter().chain(&info.writes).chain(&info.scratch) {
                let placed = self.layout().place(*id).filter(|placed| placed.arena == arena);
                if let Some(request) = placed.map(|placed| placed.request).filter(|request| alive_now(*request)) {
                    next.entry(request).or_insert(Step::from_index(index));
                }
            }
        }
        next
    }

    fn moved(&self, step: Step, info: &StepInfo) -> Option<Moved> {
        let before = self.info(Step(step.0.checked_sub(1)?)).filter(|before| before.arena == info.arena)?;
        let mut moved = Moved { born_bytes: 0, freed_bytes: 0 };
        for asked in self.program.arena(info.arena).problem.requests() {
            match (asked.live.contains(before.tick), asked.live.contains(info.tick)) {
                (false, true) => moved.born_bytes += asked.size_bytes,
                (true, false) => moved.freed_bytes += asked.size_bytes,
                _ => {}
            }
        }
        Some(moved)
    }
}

/// How a step uses a request.
#[derive(Clone, Copy, Debug, Default)]
struct Use {
    is_read: bool,
    is_written: bool,
    is_scratch: bool,
}
