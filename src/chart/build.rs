//! Makes a [`Scene`]: from a program and a plan, or from a bare problem with labels. Counts what lies over what, what
//! is alive, and where the peak is.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::chart::gaps;
use crate::chart::index::Index;
use crate::chart::scene::{BoxLabel, Category, Clock, Peak, Scene, SceneBox, SceneOptions};
use crate::plan::{Plan, Problem};
use crate::runtime::{Buffer, Program};
use crate::units::{ArenaId, BufferId, RequestId, Step};

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

pub(super) fn live_series(boxes: &[SceneBox], ticks: u32) -> Vec<u64> {
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

/// Larger boxes first, by the power of two of their area; among alike ones by time, so that neighbours in the order
/// are neighbours on the screen and painting stays in the cache.
pub(super) fn paint_order(boxes: &[SceneBox]) -> Vec<u32> {
    let area = |item: &SceneBox| u128::from(item.size_bytes) * u128::from(item.live.steps());
    let key = |id: &u32| {
        let item = &boxes[*id as usize];
        (area(item).leading_zeros(), item.live.first(), item.offset_bytes)
    };
    let mut order: Vec<u32> = (0..boxes.len() as u32).collect();
    order.sort_by_cached_key(key);
    order
}
