//! Tells a scene's time by the clock of another one, so that the same operator stands in the same column of both: two
//! runtimes count the steps of one model differently.

use crate::chart::build::{live_series, paint_order};
use crate::chart::gaps;
use crate::chart::index::Index;
use crate::chart::scene::{Clock, Peak, Scene};
use crate::units::{Span, Step};

/// Where each step of a scene stands on another clock.
struct Columns {
    /// The column of each step that has one, and for the others that of the next and of the last one that has.
    next: Vec<u32>,
    last: Vec<u32>,
}

impl Columns {
    /// `None` when no step has a column of those below `ticks`.
    fn new(columns: &[Option<u32>], steps: u32, ticks: u32) -> Option<Columns> {
        let known = |step: usize| columns.get(step).copied().flatten().filter(|column| *column < ticks);
        let steps = steps as usize;
        let first = (0..steps).find_map(known)?;
        let end = (0..steps).rev().find_map(known)?;
        let mut last = Vec::with_capacity(steps);
        let mut latest = first;
        for step in 0..steps {
            latest = known(step).unwrap_or(latest);
            last.push(latest);
        }
        let mut next = last.clone();
        let mut latest = end;
        for step in (0..steps).rev() {
            latest = known(step).unwrap_or(latest);
            next[step] = latest;
        }
        Some(Columns { next, last })
    }

    /// A life on the other clock. A step without a column of its own counts as part of its neighbour.
    fn span(&self, live: Span) -> Span {
        let at = |list: &[u32], step: Step| list.get(step.index()).or(list.last()).copied().unwrap_or(0);
        let first = at(&self.next, live.first());
        Span::from_inclusive(Step(first), Step(at(&self.last, live.last()).max(first)))
    }
}

impl Scene {
    /// The same plan with its steps at `columns` of a clock of `ticks` steps; unchanged when none of them has a column.
    /// Bytes alive and the peak stay what they are: where several steps meet in one column, it shows the fullest.
    #[must_use]
    pub fn on_clock(&self, columns: &[Option<u32>], ticks: u32) -> Scene {
        let Some(columns) = Columns::new(columns, self.clock.ticks, ticks) else { return self.clone() };
        let mut boxes = self.boxes.clone();
        for item in &mut boxes {
            item.live = columns.span(item.live);
        }
        let mut live_bytes = live_series(&boxes, ticks);
        let mut names = vec![String::new(); ticks as usize];
        let mut is_told = vec![false; ticks as usize];
        for (step, column) in columns.last.iter().map(|column| *column as usize).enumerate() {
            let live = self.live_bytes.get(step).copied().unwrap_or(0);
            live_bytes[column] = if is_told[column] { live_bytes[column].max(live) } else { live };
            if !is_told[column] || names[column].is_empty() {
                self.step_name(Step::from_index(step)).clone_into(&mut names[column]);
            }
            is_told[column] = true;
        }
        let column_of = |step: Step| Step(columns.last.get(step.index()).copied().unwrap_or(0));
        let peak = self.peak.as_ref().map(|peak| Peak { step: column_of(peak.step), ..peak.clone() });
        // Steps keep the numbers they are printed with, at the peak at least.
        let anchor = self.peak.as_ref().map_or(Step(0), |peak| peak.step);
        let moved = i64::from(column_of(anchor).0) - i64::from(anchor.0);
        let paint_order = paint_order(&boxes);
        let index = Index::new(&boxes, &paint_order, ticks);
        Scene {
            gaps: gaps::find(&boxes, ticks, self.height_bytes, self.alignment),
            clock: Clock { ticks, first_label: self.clock.first_label - moved, names },
            boxes,
            live_bytes,
            peak,
            paint_order,
            index,
            ops: self.ops.clone(),
            types: self.types.clone(),
            ..*self
        }
    }
}
