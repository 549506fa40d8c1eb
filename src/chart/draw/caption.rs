//! What a picture is a picture of, in one or two lines, so that a screenshot explains itself.

use crate::chart::format;
use crate::chart::scene::Scene;
use crate::chart::text;
use crate::chart::theme::Words;

/// The facts that the scene does not know; empty ones are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caption {
    /// The model's file name; any text.
    pub model: String,
    /// The model's hash, hexadecimal; its first 12 digits are shown.
    pub sha256: String,
    /// Runtime and kernels, as in `TFLite Micro, CMSIS-NN`.
    pub runtime: String,
    /// The planner's name.
    pub planner: String,
    /// Our own name and version.
    pub tool: String,
    /// What the scene's height is; empty: an arena. TFLite-Micro's is the head of one.
    pub height: String,
    /// Further facts, in words: how large the whole arena must be, that a plan is not that of the file.
    pub notes: Vec<String>,
    /// The facts of an earlier plan that is laid under this one, on lines of their own.
    pub against: Vec<String>,
}

impl Caption {
    /// The facts in order, one text each.
    pub fn facts(&self, scene: &Scene, words: &Words) -> Vec<String> {
        let mut facts = Vec::new();
        let mut add = |fact: String| {
            if !fact.is_empty() {
                facts.push(fact);
            }
        };
        let hash: String = text::clean(&self.sha256).chars().take(12).collect();
        add(if hash.is_empty() { hash } else { format!("sha256 {hash}") });
        add(text::clean(&self.runtime));
        add(text::clean(&self.planner));
        let height = if self.height.is_empty() { words.arena.as_ref() } else { self.height.as_str() };
        add(format!("{} {}", text::clean(height), format::both(scene.height_bytes)));
        if let Some(peak) = &scene.peak {
            let name = text::clean(scene.step_name(peak.step));
            let step = format!("{} {name}", scene.step_label(peak.step));
            add(format!("{} {} · {}", words.peak, format::both(peak.live_bytes), step.trim_end()));
        }
        for note in &self.notes {
            add(text::clean(note));
        }
        add(text::clean(&self.tool));
        facts
    }

    /// The same for a picture that lies under another one: with the model's name, and a sign for its dashed outlines.
    pub fn facts_before(&self, scene: &Scene, words: &Words) -> Vec<String> {
        let mut facts = vec![format!("╌╌ {}: {}", words.before, text::clean(&self.model))];
        facts.extend(Caption { tool: String::new(), ..self.clone() }.facts(scene, words));
        facts
    }
}

/// Facts joined into lines of at most `room` pixels.
pub(super) fn wrap(facts: &[String], room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for fact in facts {
        let joined = lines.last().map(|line| format!("{line}   |   {fact}"));
        match (joined, lines.last_mut()) {
            (Some(joined), Some(line)) if text::width(&joined, 11.0) <= room => *line = joined,
            _ => lines.extend(text::fit_start(fact, room, 11.0)),
        }
    }
    lines
}
