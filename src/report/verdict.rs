//! Whether a model fits an arena, and what changed between two models: the answers of `check` and `diff`.

use crate::advise;
use crate::error::Result;
use crate::report::compare::{Counts, compare};
use crate::report::words::{bytes_exact, clean, grouped, line, step_words};
use crate::report::{Analysis, Facts, Side};
use crate::runtime::RuntimeKind;
use crate::units::ArenaId;

/// Whether a model fits an arena of given size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The file's name.
    pub name: String,
    /// Bytes of the arena it is held against.
    pub available_bytes: u64,
    /// Bytes it needs: TFLite-Micro's minimum arena where it is known, else the planned arena.
    pub needed_bytes: u64,
    /// What those bytes are.
    pub needed_for: &'static str,
    /// Whether it may need more: an operator whose own memory is not known.
    pub is_lower_bound: bool,
    /// The first step whose buffers do not fit, in words, and how far they reach.
    pub first_beyond: Option<(String, u64)>,
    /// Sentences about bytes overwritten while still needed.
    pub overwritten: Vec<String>,
    /// Why the runtime does not load the model at all.
    pub refused: Option<String>,
}

impl Verdict {
    /// Whether everything is as it should be.
    pub fn holds(&self) -> bool {
        self.needed_bytes <= self.available_bytes && self.overwritten.is_empty() && self.refused.is_none()
    }

    /// The verdict in words, one line for each fact.
    pub fn to_text(&self) -> String {
        let name = clean(&self.name);
        let least = if self.is_lower_bound { "at least " } else { "" };
        let needs = format!("{least}{} for {}", bytes_exact(self.needed_bytes), self.needed_for);
        let mut text = String::new();
        let but = if self.overwritten.is_empty() && self.refused.is_none() { "" } else { "; but:" };
        if let Some(free) = self.available_bytes.checked_sub(self.needed_bytes) {
            line(&mut text, format_args!("{name}: fits: needs {needs}, {} free{but}", bytes_exact(free)));
        } else {
            let missing = bytes_exact(self.needed_bytes - self.available_bytes);
            line(&mut text, format_args!("{name}: does not fit: needs {needs}, {missing} missing"));
        }
        if let Some((step, end)) = &self.first_beyond {
            let end = bytes_exact(*end);
            line(&mut text, format_args!("  first beyond the arena: {step}, whose buffers end at {end}"));
        }
        for sentence in self.overwritten.iter().chain(&self.refused) {
            line(&mut text, format_args!("  {}", clean(sentence)));
        }
        text
    }
}

/// Holds `analysis` against an arena of `available_bytes`.
pub fn check(analysis: &Analysis, available_bytes: u64) -> Verdict {
    let (needed_bytes, needed_for) = match (analysis.minimum_arena_bytes(), analysis.stated_figures().minimum_bytes) {
        (Some(minimum), _) => (minimum, "the whole arena"),
        (None, Some(minimum)) => (minimum, "the whole arena, as the plan file says"),
        (None, None) => (analysis.arena_bytes(), "planned buffers"),
    };
    Verdict {
        name: analysis.name.clone(),
        available_bytes,
        needed_bytes,
        needed_for,
        is_lower_bound: analysis.warnings.iter().any(|warning| matches!(warning.code, "custom-op" | "unknown-kernel")),
        first_beyond: first_beyond(analysis, available_bytes),
        overwritten: analysis.proof.clobbers.iter().map(|clobber| clobber.message(&analysis.program)).collect(),
        refused: refusal(analysis),
    }
}

/// Why the runtime does not load the model, from the warnings: `TFLite` takes no other identifier and no operator that
/// it does not know (`tflite/converter/core/model_builder_base.h` and `tflite/core/interpreter_builder.cc`, `LiteRT` f67457790c9c).
fn refusal(analysis: &Analysis) -> Option<String> {
    let refuses = |code: &str| match analysis.program.options.runtime {
        RuntimeKind::Tflite => matches!(code, "wrong-identifier" | "unknown-op"),
        RuntimeKind::Tflm => code == "refused",
    };
    // The last one is the runtime's own, where the reader has warned of the same before.
    let found = analysis.warnings.iter().rev().find(|warning| refuses(warning.code));
    found.map(|warning| warning.message.clone())
}

/// The first step of the main arena at which some buffer ends above `available_bytes`, and the highest such end.
fn first_beyond(analysis: &Analysis, available_bytes: u64) -> Option<(String, u64)> {
    let arena = analysis.program.arenas.first()?;
    let plan = analysis.plans.first()?;
    let beyond = arena.problem.requests().iter().zip(&plan.offsets).filter_map(|(asked, offset)| {
        let end = offset + asked.size_bytes;
        (end > available_bytes).then_some((asked.live.first(), end))
    });
    let beyond: Vec<_> = beyond.collect();
    let tick = beyond.iter().map(|(first, _)| *first).min()?;
    let end = beyond.iter().filter(|(first, _)| *first == tick).map(|(_, end)| *end).max()?;
    let timeline = analysis.timeline();
    let info = timeline.first_step(ArenaId(0), tick).and_then(|step| timeline.info(step));
    Some((info.map_or_else(|| String::from("before the first op"), |info| clean(&step_words(info))), end))
}

/// Why `TFLite` and TFLite-Micro need different amounts for one model, reason by reason, in words.
///
/// # Errors
/// When a problem on the way from one to the other passes all limits.
pub fn runtimes_to_text(tflite: &Analysis, tflm: &Analysis) -> Result<String> {
    let comparison = advise::compare::compare(&tflite.program, &tflm.program)?;
    let mut text = String::new();
    line(&mut text, format_args!("{:<16}{}", "TFLite", bytes_exact(comparison.tflite_bytes)));
    let note = if comparison.complete { "" } else { " (its planned head only: it refuses the model)" };
    line(&mut text, format_args!("{:<16}{}{note}", "TFLite-Micro", bytes_exact(comparison.tflm_bytes)));
    for (reason, bytes) in &comparison.reasons {
        let sign = if *bytes < 0 { '−' } else { '+' };
        let bytes = format!("{sign}{}", grouped(bytes.unsigned_abs()));
        line(&mut text, format_args!("{bytes:>14}  {}", reason.words()));
    }
    Ok(text)
}

/// What changed between two analyses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    rows: Vec<Row>,
    peaks: [String; 2],
    /// How many tensors changed; `None` when a report cannot be made of one side.
    counts: Option<Counts>,
    grown_bytes: u64,
}

/// One figure before and after.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    label: &'static str,
    before: u64,
    after: u64,
}

impl Difference {
    /// By how many bytes the arena (for TFLite-Micro: the whole arena, where it is known) has grown; 0 when it shrank.
    pub fn grown_bytes(&self) -> u64 {
        self.grown_bytes
    }

    /// The difference in words, one line for each figure.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for Row { label, before, after } in &self.rows {
            let change = match after.checked_sub(*before) {
                Some(0) => String::from("unchanged"),
                Some(more) => format!("+{}", bytes_exact(more)),
                None => format!("−{}", bytes_exact(before - after)),
            };
            let (before, after) = (bytes_exact(*before), bytes_exact(*after));
            line(&mut text, format_args!("{label:<18}{before} → {after}  {change}"));
        }
        let [before, after] = &self.peaks;
        if before == after {
            line(&mut text, format_args!("peak              at {after}, as before"));
        } else {
            line(&mut text, format_args!("peak              moved from {before} to {after}"));
        }
        if let Some(counts) = &self.counts {
            let Counts { same, moved, resized, relived, replaced, added, gone } = counts;
            let words = format!(
                "{moved} moved, {resized} of another size, {relived} of another life, {replaced} in other memory, \
                 {added} added, {gone} gone, {same} the same"
            );
            line(&mut text, format_args!("tensors           {words}"));
        }
        text
    }
}

/// Compares two analyses.
pub fn diff(before: &Analysis, after: &Analysis) -> Difference {
    let row =
        |label, of: &dyn Fn(&Analysis) -> Option<u64>| Some(Row { label, before: of(before)?, after: of(after)? });
    let is_micro = after.program.options.runtime == RuntimeKind::Tflm;
    let rows: Vec<Row> = [
        row("whole arena", &Analysis::minimum_arena_bytes),
        row(if is_micro { "head" } else { "arena" }, &|analysis| Some(analysis.arena_bytes())),
        row(if is_micro { "tail" } else { "persistent" }, &Analysis::persistent_bytes),
        row("heap", &Analysis::heap_bytes),
        row("lower bound", &|analysis| analysis.arenas.first().map(|arena| arena.bound.live_bytes)),
    ]
    .into_iter()
    .flatten()
    .collect();
    let grown_bytes = rows.first().map_or(0, |row| row.after.saturating_sub(row.before));
    let sides = Side::of(before).ok().zip(Side::of(after).ok());
    let counts = sides.map(|(before, after)| compare(&before, &after).counts);
    Difference { rows, peaks: [peak_words(before), peak_words(after)], counts, grown_bytes }
}

fn peak_words(analysis: &Analysis) -> String {
    let facts = Facts::new(analysis);
    let peak = if analysis.program.arenas.is_empty() { None } else { facts.timeline.peak(ArenaId(0)) };
    let info = peak.and_then(|peak| peak.step).and_then(|step| facts.timeline.info(step));
    info.map_or_else(|| String::from("no op"), |info| clean(&step_words(info)))
}
