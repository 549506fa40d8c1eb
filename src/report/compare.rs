//! What is different between two plans: figure by figure, and tensor by tensor. Knows two reports and nothing of how they
//! were made, so that two models, two runtimes, two planners and two sets of options are all the same to it.

use std::collections::{BTreeMap, VecDeque};

use serde::Serialize;

use crate::chart;
use crate::error::{Error, ErrorKind, Result};
use crate::report::side::{Side, SideBuffer, SideStep};
use crate::report::words::clean;

/// One figure on both sides; `None` where a side does not have it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Figure {
    /// Which figure: `set`, `minimum`, `arena`, `persistent`, `heap`, `peak` or `bound`.
    pub key: &'static str,
    /// Bytes before.
    pub before: Option<u64>,
    /// Bytes after.
    pub after: Option<u64>,
    /// How many bytes more it is after, where both sides have it.
    pub change: Option<i64>,
    /// The same in percent of before, with one digit behind the point; `None` of nothing.
    pub percent: Option<f64>,
}

impl Figure {
    fn new(key: &'static str, before: Option<u64>, after: Option<u64>) -> Figure {
        let pair = before.zip(after);
        let change = pair.and_then(|(before, after)| i64::try_from(i128::from(after) - i128::from(before)).ok());
        #[expect(clippy::cast_precision_loss, reason = "a share with one digit behind the point")]
        let share = |(before, after): (u64, u64)| {
            (before > 0).then(|| ((after as f64 / before as f64 - 1.0) * 1000.0).round() / 10.0)
        };
        Figure { key, before, after, change, percent: pair.and_then(share) }
    }
}

/// What is different about a tensor that both sides have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Aspect {
    /// Another offset.
    Offset,
    /// Other bytes.
    Size,
    /// It is alive at other operators.
    Life,
    /// It lies elsewhere: in the arena, what stays, on the heap, in the file.
    Place,
}

impl Aspect {
    /// All aspects, in the order of [`Row::signs`].
    pub const ALL: [Aspect; 4] = [Aspect::Offset, Aspect::Size, Aspect::Life, Aspect::Place];
}

/// One tensor on one or both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its index among the buffers before.
    pub before: Option<u32>,
    /// Its index among the buffers after.
    pub after: Option<u32>,
    differs: [bool; 4],
}

impl Row {
    /// Whether an aspect is different; no aspect of a tensor that only one side has is.
    pub fn differs(&self, aspect: Aspect) -> bool {
        Aspect::ALL.iter().zip(self.differs).any(|(one, differs)| *one == aspect && differs)
    }

    /// Whether both sides have it, and all of it is alike.
    pub fn is_same(&self) -> bool {
        self.before.is_some() && self.after.is_some() && self.differs == [false; 4]
    }

    /// The aspects that are different as a number: 1, 2, 4 and 8 for those of [`Aspect::ALL`].
    pub fn signs(&self) -> i64 {
        self.differs.iter().rev().fold(0, |signs, differs| signs * 2 + i64::from(*differs))
    }
}

/// How many tensors changed, and how; one that moved and grew is counted twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Nothing about them is different.
    pub same: usize,
    /// At another offset.
    pub moved: usize,
    /// Of another size.
    pub resized: usize,
    /// Alive at other operators.
    pub relived: usize,
    /// In another kind of memory.
    pub replaced: usize,
    /// Only after.
    pub added: usize,
    /// Only before.
    pub gone: usize,
}

/// Two plans beside each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Whether both are of the same bytes.
    pub same_model: bool,
    /// The figures that at least one side has.
    pub figures: Vec<Figure>,
    /// Steps that are the same operator, by their places in the two lists, in the order of before.
    pub steps: Vec<(u32, u32)>,
    /// Whether the peak is at another operator.
    pub peak_moved: bool,
    /// How many tensors changed.
    pub counts: Counts,
    /// Every tensor that takes memory on at least one side: those of after in their order, then those that are gone.
    pub rows: Vec<Row>,
}

/// Compares two plans.
pub fn compare(before: &Side, after: &Side) -> Comparison {
    let same_model = before.model.sha256 == after.model.sha256;
    let steps = steps_of(before, after, same_model);
    let rows = rows_of(before, after, &steps);
    Comparison {
        same_model,
        figures: figures_of(before, after),
        peak_moved: peak_moved(before, after, &steps),
        counts: counts_of(&rows),
        steps,
        rows,
    }
}

fn figures_of(before: &Side, after: &Side) -> Vec<Figure> {
    type Of = fn(&Side) -> Option<u64>;
    let of: [(&'static str, Of); 7] = [
        ("set", |side| Some(side.to_set_bytes())),
        ("minimum", |side| side.minimum_arena_bytes),
        ("arena", |side| Some(side.arena_bytes)),
        ("persistent", |side| side.persistent_bytes),
        ("heap", |side| side.heap_bytes),
        ("peak", |side| side.peak.as_ref().map(|peak| peak.live_bytes)),
        ("bound", |side| Some(side.lower_bound_bytes)),
    ];
    let figures = of.iter().map(|(key, of)| Figure::new(key, of(before), of(after)));
    figures.filter(|figure| figure.before.is_some() || figure.after.is_some()).collect()
}

/// Which steps are the same operator: in one model by subgraph and index, in two by rank; where no operator is known, by
/// position. What is no operator (TFLite-Micro's start) goes by its name.
fn steps_of(before: &Side, after: &Side, same_model: bool) -> Vec<(u32, u32)> {
    let place = |index: usize| u32::try_from(index).unwrap_or(u32::MAX);
    if !before.has_ops() || !after.has_ops() {
        let count = before.steps.len().min(after.steps.len());
        return (0..count).map(|index| (place(index), place(index))).collect();
    }
    let key = |step: &'_ SideStep| match step.op_index {
        Some(op) if same_model => (step.subgraph, Some(op), String::new()),
        Some(_) => (0, Some(0), String::new()),
        None => (step.subgraph, None, step.op.clone()),
    };
    let mut free: BTreeMap<_, VecDeque<u32>> = BTreeMap::new();
    for (index, step) in after.steps.iter().enumerate() {
        free.entry(key(step)).or_default().push_back(place(index));
    }
    let pair = |(index, step): (usize, &SideStep)| Some((place(index), free.get_mut(&key(step))?.pop_front()?));
    before.steps.iter().enumerate().filter_map(pair).collect()
}

/// Printed steps of one side in terms of the other.
struct Labels(Vec<(i64, i64)>);

impl Labels {
    fn new(mut pairs: Vec<(i64, i64)>) -> Labels {
        pairs.sort_unstable();
        Labels(pairs)
    }

    /// The step that `first` is; one that the other side does not have begins with the next one.
    fn first(&self, first: i64) -> Option<i64> {
        let at = self.0.partition_point(|(from, _)| *from < first);
        self.0.get(at).map(|(_, to)| *to)
    }

    /// The step that `last` is; one that the other side does not have ends with the one before.
    fn last(&self, last: i64) -> Option<i64> {
        let at = self.0.partition_point(|(from, _)| *from <= last);
        at.checked_sub(1).and_then(|at| self.0.get(at)).map(|(_, to)| *to)
    }
}

fn rows_of(before: &Side, after: &Side, steps: &[(u32, u32)]) -> Vec<Row> {
    let label = |side: &Side, index: u32| side.steps.get(index as usize).map_or(0, |step| step.step);
    let pairs = steps.iter().map(|(old, new)| (label(before, *old), label(after, *new)));
    let forwards = Labels::new(pairs.clone().collect());
    let backwards = Labels::new(pairs.map(|(old, new)| (new, old)).collect());
    let same_life = |old: &SideBuffer, new: &SideBuffer| {
        let first = match old.first_step.zip(new.first_step) {
            Some((a, b)) => {
                forwards.first(a) == Some(b) || backwards.first(b) == Some(a) || (a == b && steps.is_empty())
            }
            None => old.first_step == new.first_step,
        };
        let last = match old.last_step.zip(new.last_step) {
            Some((a, b)) => forwards.last(a) == Some(b) || backwards.last(b) == Some(a) || (a == b && steps.is_empty()),
            None => old.last_step == new.last_step,
        };
        first && last
    };
    let differs = |old: &SideBuffer, new: &SideBuffer| {
        let is_placed = takes_memory(old) && takes_memory(new);
        [
            old.place == new.place && old.offset != new.offset,
            old.bytes != new.bytes,
            is_placed && !same_life(old, new),
            old.place != new.place,
        ]
    };
    let partners = chart::partners(&labels(&before.buffers), &labels(&after.buffers));
    let mut taken = vec![false; before.buffers.len()];
    let mut rows = Vec::with_capacity(after.buffers.len());
    for (index, (new, partner)) in (0_u32..).zip(after.buffers.iter().zip(&partners)) {
        let old = partner.and_then(|old| before.buffers.get(old as usize));
        if let Some(taken) = partner.and_then(|old| taken.get_mut(old as usize)) {
            *taken = true;
        }
        if takes_memory(new) || old.is_some_and(takes_memory) {
            let differs = old.map_or([false; 4], |old| differs(old, new));
            rows.push(Row { before: *partner, after: Some(index), differs });
        }
    }
    let gone = (0_u32..).zip(before.buffers.iter().zip(&taken));
    let gone = gone.filter(|(_, (old, taken))| !**taken && takes_memory(old));
    rows.extend(gone.map(|(index, _)| Row { before: Some(index), after: None, differs: [false; 4] }));
    rows
}

/// Whether a buffer takes memory of its own while the model runs.
fn takes_memory(buffer: &SideBuffer) -> bool {
    !matches!(buffer.place.as_str(), "file" | "none")
}

fn labels(buffers: &[SideBuffer]) -> Vec<(&str, &str)> {
    buffers.iter().map(|buffer| (buffer.reference.as_str(), buffer.name.as_str())).collect()
}

fn counts_of(rows: &[Row]) -> Counts {
    let with = |aspect| rows.iter().filter(|row| row.differs(aspect)).count();
    Counts {
        same: rows.iter().filter(|row| row.is_same()).count(),
        moved: with(Aspect::Offset),
        resized: with(Aspect::Size),
        relived: with(Aspect::Life),
        replaced: with(Aspect::Place),
        added: rows.iter().filter(|row| row.before.is_none()).count(),
        gone: rows.iter().filter(|row| row.after.is_none()).count(),
    }
}

/// Whether the peak is at a step that is not the same operator.
fn peak_moved(before: &Side, after: &Side, steps: &[(u32, u32)]) -> bool {
    let at = |side: &Side| {
        let step = side.peak.as_ref()?.step;
        side.steps.iter().position(|one| one.step == step).and_then(|index| u32::try_from(index).ok())
    };
    match at(before).zip(at(after)) {
        Some(pair) => !steps.contains(&pair),
        None => before.peak.is_some() != after.peak.is_some(),
    }
}

impl Comparison {
    /// The comparison as the page reads it: lists of numbers in place of rows and steps (see `www/types-compare.d.ts`).
    ///
    /// # Errors
    /// Never for what [`compare`] gives.
    pub fn to_json(&self) -> Result<String> {
        #[derive(Serialize)]
        struct Value<'a> {
            same_model: bool,
            figures: &'a [Figure],
            peak_moved: bool,
            counts: Counts,
            steps: Vec<u32>,
            rows: Vec<i64>,
        }
        let index = |place: Option<u32>| place.map_or(-1, i64::from);
        let value = Value {
            same_model: self.same_model,
            figures: &self.figures,
            peak_moved: self.peak_moved,
            counts: self.counts,
            steps: self.steps.iter().flat_map(|(old, new)| [*old, *new]).collect(),
            rows: self.rows.iter().flat_map(|row| [index(row.before), index(row.after), row.signs()]).collect(),
        };
        serde_json::to_string(&value).map_err(|error| Error::new(ErrorKind::TooLarge, error.to_string()))
    }

    /// The rows as CSV.
    pub fn to_csv(&self, before: &Side, after: &Side) -> String {
        let mut text = String::from(
            "ref_before,ref_after,name,change,bytes_before,bytes_after,offset_before,offset_after,\
             first_before,last_before,first_after,last_after\n",
        );
        for row in &self.rows {
            let old = row.before.and_then(|index| before.buffers.get(index as usize));
            let new = row.after.and_then(|index| after.buffers.get(index as usize));
            let number = |number: Option<u64>| number.map_or_else(String::new, |number| number.to_string());
            let step = |step: Option<i64>| step.map_or_else(String::new, |step| step.to_string());
            let cells = [
                old.map_or_else(String::new, |one| one.reference.clone()),
                new.map_or_else(String::new, |one| one.reference.clone()),
                quoted(new.or(old).map_or("", |one| one.name.as_str())),
                change_words(row),
                number(old.and_then(|one| one.bytes)),
                number(new.and_then(|one| one.bytes)),
                number(old.and_then(|one| one.offset)),
                number(new.and_then(|one| one.offset)),
                step(old.and_then(|one| one.first_step)),
                step(old.and_then(|one| one.last_step)),
                step(new.and_then(|one| one.first_step)),
                step(new.and_then(|one| one.last_step)),
            ];
            text.push_str(&cells.join(","));
            text.push('\n');
        }
        text
    }
}

/// What changed, in words without commas.
fn change_words(row: &Row) -> String {
    if row.before.is_none() {
        return String::from("added");
    }
    if row.after.is_none() {
        return String::from("gone");
    }
    let words = ["offset", "size", "life", "place"];
    let changed: Vec<&str> =
        Aspect::ALL.iter().zip(words).filter(|(one, _)| row.differs(**one)).map(|(_, word)| word).collect();
    if changed.is_empty() { String::from("same") } else { changed.join(" ") }
}

/// Any text as one cell. A spreadsheet would run what begins like a formula, so that gets a sign in front.
fn quoted(text: &str) -> String {
    let text = clean(text);
    let guard = if text.starts_with(['=', '+', '-', '@']) { "'" } else { "" };
    format!("\"{guard}{}\"", text.replace('"', "\"\""))
}
