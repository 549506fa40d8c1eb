//! TFLite-Micro's whole arena in the report: the sizes that work, what decides them, what the tail holds, and the lines
//! to paste. Knows no planning of its own.

use serde::Serialize;

use crate::error::{Error, ErrorKind, Result};
use crate::report::Analysis;
use crate::report::words::{bytes_exact, clean, line};
use crate::rewrite;
use crate::runtime::OperatorRef;
use crate::runtime::tflm::{self, Condition, registrations};

/// TFLite-Micro's part of the JSON report; `null` for `TFLite`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MicroView {
    pub safe_arena_bytes: Option<u64>,
    pub recommended_arena_bytes: Option<u64>,
    pub deciding: Option<&'static str>,
    pub conditions: Vec<ConditionView>,
    pub persistent: Vec<CategoryView>,
    pub two_arenas: Option<[u64; 2]>,
    pub missing_ops: Vec<String>,
    pub unknown_ops: Vec<String>,
    pub resolver: Option<String>,
    pub refusal: Option<RefusalView>,
}

/// One of the conditions that an arena's size must meet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ConditionView {
    pub condition: &'static str,
    pub bytes: u64,
    pub subgraph: Option<u32>,
    pub op_index: Option<u32>,
}

/// What the tail holds of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CategoryView {
    pub category: &'static str,
    pub bytes: u64,
}

/// Why the model is not loaded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RefusalView {
    pub stage: &'static str,
    pub reason: String,
    pub subgraph: Option<u32>,
    pub op_index: Option<u32>,
    pub log: Vec<String>,
    pub crashes: bool,
}

/// TFLite-Micro's part of the report of `analysis`.
pub(super) fn view(analysis: &Analysis) -> Option<MicroView> {
    let micro = analysis.program.micro.as_ref()?;
    let needs = analysis.needs.as_ref();
    let at = |op: Option<OperatorRef>| (op.map(|op| op.subgraph.0), op.map(|op| op.op.0));
    let conditions = needs.iter().flat_map(|needs| &needs.conditions).map(|need| {
        let (subgraph, op_index) = at(need.op);
        ConditionView { condition: condition_name(need.condition), bytes: need.bytes, subgraph, op_index }
    });
    let categories = needs.iter().flat_map(|needs| &needs.categories);
    let persistent = categories.map(|(category, bytes)| CategoryView { category: category.name(), bytes: *bytes });
    let alignment = needs.map(|needs| CategoryView { category: "alignment", bytes: needs.alignment_bytes });
    let registered = analysis.model.as_ref().map(registrations);
    let refusal = micro.refusal.as_ref().map(|refusal| {
        let (subgraph, op_index) = at(refusal.op);
        RefusalView {
            stage: refusal.stage.words(),
            reason: refusal.reason.clone(),
            subgraph,
            op_index,
            log: refusal.log.clone(),
            crashes: refusal.crashes,
        }
    });
    Some(MicroView {
        safe_arena_bytes: needs.map(|needs| needs.safe_arena_bytes),
        recommended_arena_bytes: needs.map(|needs| needs.recommended_bytes(analysis.settings.margin_percent)),
        deciding: needs.map(|needs| condition_name(needs.deciding)),
        conditions: conditions.collect(),
        persistent: persistent.chain(alignment).collect(),
        two_arenas: needs.and_then(|needs| needs.two_arenas),
        missing_ops: registered.iter().flat_map(|ops| ops.missing().map(String::from)).collect(),
        unknown_ops: micro.unknown_ops.clone(),
        resolver: registered.map(|ops| ops.lines()),
        refusal,
    })
}

/// What TFLite-Micro's `PrintMemoryPlan` would print.
///
/// # Errors
/// When the analysis is not of TFLite-Micro.
pub fn to_memory_plan(analysis: &Analysis) -> Result<String> {
    match analysis.plans.first() {
        Some(plan) if analysis.program.micro.is_some() => Ok(tflm::print_memory_plan(&analysis.program, plan)),
        _ => Err(Error::new(ErrorKind::BadOption, "only TFLite-Micro prints memory plans")
            .with_hint("choose --runtime tflm")),
    }
}

/// The main arena's plan as C++ constants.
pub fn to_cpp(analysis: &Analysis) -> String {
    let (program, minimum) = (&analysis.program, analysis.minimum_arena_bytes());
    let text = analysis.plans.first().map_or_else(String::new, |plan| rewrite::constants(program, plan, minimum));
    marked(analysis, text)
}

/// C++ that somebody could paste, with a first line that says so when its plan is made up.
fn marked(analysis: &Analysis, text: String) -> String {
    let edits: Vec<String> = analysis.settings.edits.iter().map(|edit| clean(&edit.to_string())).collect();
    if edits.is_empty() { text } else { format!("// What-if, not the plan of the model: {}\n{text}", edits.join(", ")) }
}

/// The plan as a struct for TFLite-Micro's planner for plans from outside.
///
/// # Errors
/// When the analysis is not of TFLite-Micro.
pub fn to_buffer_plan(analysis: &Analysis) -> Result<String> {
    match analysis.plans.first() {
        Some(plan) if analysis.program.micro.is_some() => {
            Ok(marked(analysis, rewrite::buffer_plan(&analysis.program, plan)))
        }
        _ => {
            Err(Error::new(ErrorKind::BadOption, "only TFLite-Micro takes buffer plans")
                .with_hint("choose --runtime tflm"))
        }
    }
}

/// A condition's name in the report.
fn condition_name(condition: Condition) -> &'static str {
    match condition {
        Condition::Tail => "tail",
        Condition::Temporaries => "temporaries",
        Condition::Planning => "planning",
        Condition::Final => "final",
    }
}

/// The whole arena in words: what to set, what decides it, what the tail holds; or why the model is refused.
pub(super) fn to_text(analysis: &Analysis) -> String {
    let mut text = String::new();
    let Some(micro) = &analysis.program.micro else { return text };
    if let Some(refusal) = &micro.refusal {
        let reason = clean(&refusal.reason);
        line(&mut text, format_args!("TFLite-Micro refuses this model while {}: {reason}", refusal.stage.words()));
        for printed in &refusal.log {
            line(&mut text, format_args!("  it prints: {}", clean(printed)));
        }
    }
    let Some(needs) = &analysis.needs else { return text };
    let margin = analysis.settings.margin_percent;
    let least = bytes_exact(needs.minimum_arena_bytes);
    line(&mut text, format_args!("set the arena to    {}", bytes_exact(needs.recommended_bytes(margin))));
    line(&mut text, format_args!("smallest that works {least}"));
    if needs.safe_arena_bytes > needs.minimum_arena_bytes {
        line(&mut text, format_args!("smallest that is safe {}", bytes_exact(needs.safe_arena_bytes)));
    }
    line(&mut text, format_args!("                    {}", needs.deciding_words()));
    if let Some([persistent, other]) = needs.two_arenas {
        let (persistent, other) = (bytes_exact(persistent), bytes_exact(other));
        line(&mut text, format_args!("two arenas          persistent {persistent}, non-persistent {other}"));
    }
    text
}

/// What the tail holds, and the lines to paste.
pub(super) fn details(analysis: &Analysis) -> String {
    let mut text = String::new();
    let Some(needs) = &analysis.needs else { return text };
    line(&mut text, format_args!("\npersistent (tail), {}", bytes_exact(needs.tail_bytes)));
    for (category, bytes) in needs.categories.iter().filter(|(_, bytes)| *bytes > 0) {
        line(&mut text, format_args!("  {:<26}{}", category.name(), bytes_exact(*bytes)));
    }
    line(&mut text, format_args!("  {:<26}{}", "alignment", bytes_exact(needs.alignment_bytes)));
    text.push_str("\nto paste\n");
    line(&mut text, format_args!("  {}", needs.constant_line(analysis.settings.margin_percent)));
    for resolver in
        analysis.model.iter().map(registrations).flat_map(|ops| ops.lines().lines().map(clean).collect::<Vec<_>>())
    {
        line(&mut text, format_args!("  {resolver}"));
    }
    text
}
