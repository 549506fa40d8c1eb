//! The report for people at a terminal: a summary, the operators with live bytes, the buffers by offset, warnings.

use crate::report::view::{place_name, role_name};
use crate::report::words::{bytes_exact, bytes_words, clean, grouped, line, step_words};
use crate::report::{Analysis, Facts, abi_name, kernels_name, micro, what_if};
use crate::runtime::{ArenaKind, Buffer, Place, RuntimeKind};
use crate::simulate::Timeline;
use crate::units::{ArenaId, BufferId, Step};

/// The widest a name is shown.
const NAME_WIDTH: usize = 48;

/// The summary of `analysis` alone: what it is, its figures, its peak.
pub(super) fn summary_text(analysis: &Analysis) -> String {
    summary(analysis, &Facts::new(analysis))
}

/// The report of `analysis` as text.
pub fn to_text(analysis: &Analysis) -> String {
    let facts = Facts::new(analysis);
    let mut text = summary(analysis, &facts);
    text.push_str(&steps(analysis, &facts));
    text.push_str(&buffers(analysis, &facts));
    text.push_str(&micro::details(analysis));
    if !analysis.warnings.is_empty() {
        text.push_str("\nwarnings\n");
        for warning in &analysis.warnings {
            let about = warning.about.as_ref().map_or_else(String::new, |about| format!("{}: ", clean(about)));
            line(&mut text, format_args!("  {}: {about}{}", warning.code, clean(&warning.message)));
        }
    }
    text
}

fn summary(analysis: &Analysis, facts: &Facts<'_>) -> String {
    let mut text = String::new();
    let options = &analysis.program.options;
    let short = analysis.sha256.get(..12).unwrap_or_default();
    line(&mut text, format_args!("{}  {}, sha256 {short}…", clean(&analysis.name), bytes_exact(analysis.file_bytes)));
    let planner = analysis.arenas.first().and_then(|arena| arena.strategy);
    let planner =
        planner.map_or_else(|| String::from("offsets of its own"), |planner| format!("planner {}", planner.name()));
    match (&analysis.model, options.runtime) {
        (None, runtime) => {
            let count = analysis.program.buffers.len();
            let made = made_for(analysis, runtime);
            line(&mut text, format_args!("a table of {count} buffers{made}, {planner}"));
        }
        (Some(_), RuntimeKind::Tflite) => line(&mut text, format_args!("TFLite, {planner}")),
        (Some(_), RuntimeKind::Tflm) => {
            let (kernels, abi) = (kernels_name(options.kernels), abi_name(options.abi));
            line(&mut text, format_args!("TFLite-Micro, kernels {kernels}, abi {abi}, {planner}"));
        }
    }
    if let Some(words) = what_if::line_of(analysis) {
        line(&mut text, format_args!("{words}"));
    }
    text.push('\n');
    figures(&mut text, analysis);
    if let Some((step, bytes)) = analysis.stack_peak() {
        let at = facts.timeline.info(step).map_or_else(String::new, |info| clean(&step_words(info)));
        line(&mut text, format_args!("with callers        {} at {at}", bytes_exact(bytes)));
    }
    peak(&mut text, analysis, facts);
    text
}

fn figures(text: &mut String, analysis: &Analysis) {
    let is_micro = analysis.model.is_some() && analysis.program.options.runtime == RuntimeKind::Tflm;
    text.push_str(&micro::to_text(analysis));
    stated(text, analysis);
    let is_head = is_micro || is_made_for_micro(analysis);
    let label = if is_head { "planned (head)" } else { "arena" };
    line(text, format_args!("{label:<20}{}", bytes_exact(analysis.arena_bytes())));
    overwritten(text, analysis);
    if let Some(arena) = analysis.arenas.first() {
        let proof = match (arena.optimal, arena.better) {
            (Some(true), _) => String::from("; no plan of this order of ops is smaller"),
            (_, Some((strategy, height))) => format!("; planner {} needs {}", strategy.name(), bytes_exact(height)),
            _ => String::new(),
        };
        line(text, format_args!("lower bound         {}{proof}", bytes_exact(arena.bound.live_bytes)));
    }
    let label = if is_micro { "persistent (tail)" } else { "persistent arena" };
    if let (Some(bytes), true) = (analysis.persistent_bytes(), analysis.model.is_some()) {
        line(text, format_args!("{label:<20}{}", bytes_exact(bytes)));
    }
    if let Some(heap) = analysis.heap_bytes().filter(|heap| *heap > 0) {
        line(text, format_args!("heap                {}", bytes_exact(heap)));
    }
    if let Some(used) = analysis.used_bytes() {
        line(text, format_args!("arena_used_bytes()  {}", bytes_exact(used)));
    }
    for (arena, plan) in analysis.program.arenas.iter().zip(&analysis.plans).filter(|(arena, _)| arena.subgraph.0 > 0) {
        if plan.height_bytes > 0 {
            let kind = if arena.kind == ArenaKind::Main { "arena" } else { "persistent arena" };
            line(text, format_args!("subgraph {} {kind}: {}", arena.subgraph, bytes_exact(plan.height_bytes)));
        }
    }
}

/// What a plan file says that it was made for; nothing of a bare table.
fn made_for(analysis: &Analysis, runtime: RuntimeKind) -> String {
    if analysis.source.as_ref().is_none_or(|source| source.runtime.is_empty()) {
        return String::new();
    }
    let name = if runtime == RuntimeKind::Tflm { "TFLite-Micro" } else { "TFLite" };
    let changes: Vec<_> = analysis.source.iter().flat_map(|source| &source.what_if).map(|text| clean(text)).collect();
    let mark = if changes.is_empty() { String::new() } else { format!(" with a what-if ({})", changes.join(", ")) };
    format!(", planned for {name}{mark}, without its model")
}

fn is_made_for_micro(analysis: &Analysis) -> bool {
    analysis.source.is_some() && analysis.program.options.runtime == RuntimeKind::Tflm
}

/// What a plan file says of the whole arena, or that it does not say it.
fn stated(text: &mut String, analysis: &Analysis) {
    let figures = analysis.stated_figures();
    let said = [
        ("set the arena to", figures.set_bytes),
        ("smallest that works", figures.minimum_bytes),
        ("persistent", figures.persistent_bytes),
        ("heap", figures.heap_bytes.filter(|bytes| *bytes > 0)),
        ("arena_used_bytes()", figures.used_bytes),
    ];
    let mut is_said = false;
    for (label, bytes) in said {
        if let Some(bytes) = bytes {
            is_said = true;
            line(text, format_args!("{label:<20}{}", bytes_exact(bytes)));
        }
    }
    if is_said {
        line(text, format_args!("                    computed where the plan was made"));
    } else if is_made_for_micro(analysis) {
        line(text, format_args!("the whole arena     only the model tells: this is its planned part alone"));
    }
}

/// That the plan is not sound, before anybody takes its figures for an answer.
fn overwritten(text: &mut String, analysis: &Analysis) {
    let clobbers = &analysis.proof.clobbers;
    let Some(first) = clobbers.first() else { return };
    line(
        text,
        format_args!(
            "not sound           this plan overwrites live tensors: {}",
            clean(&first.message(&analysis.program))
        ),
    );
    if clobbers.len() > 1 {
        line(text, format_args!("                    and {} more", clobbers.len() - 1));
    }
}

fn peak(text: &mut String, analysis: &Analysis, facts: &Facts<'_>) {
    if analysis.program.arenas.is_empty() {
        return;
    }
    let Some(peak) = facts.timeline.peak(ArenaId(0)) else { return };
    let at = peak.step.and_then(|step| facts.timeline.info(step));
    let at = at.map_or_else(|| String::from("before the first op"), |info| clean(&step_words(info)));
    line(text, format_args!("peak                {} at {at}", bytes_exact(peak.live_bytes)));
    for id in peak.buffers.iter().take(5) {
        let buffer = analysis.program.buffer(*id);
        line(text, format_args!("  {:<10} {:>14}  {}", buffer.reference(), size_words(buffer), name(buffer)));
    }
    if let Some(more) = peak.buffers.len().checked_sub(5).filter(|more| *more > 0) {
        line(text, format_args!("  and {more} more"));
    }
}

fn steps(analysis: &Analysis, facts: &Facts<'_>) -> String {
    let program = &analysis.program;
    let mut text = String::from("\n  step    live bytes       change  op\n");
    let peak = program.arenas.first().and_then(|_| facts.timeline.peak(ArenaId(0)));
    for (index, info) in program.steps.iter().enumerate() {
        let live = facts.timeline.live_bytes(info.arena, info.tick);
        // Against the moment before in the same arena; a called subgraph begins with an empty one.
        let before = info.tick.0.checked_sub(1).map_or(0, |tick| facts.timeline.live_bytes(info.arena, Step(tick)));
        let change = change_words(before, live);
        let is_peak = peak.as_ref().is_some_and(|peak| peak.step == Some(Step::from_index(index)));
        let mark = if is_peak { "  ← peak" } else { "" };
        let label = facts.step_label(Step::from_index(index));
        let indent = "  ".repeat(call_depth(&facts.timeline, info.caller));
        let op = clean(&step_words(info));
        line(&mut text, format_args!("{label:>6}  {:>12} {change:>12}  {indent}{op}{mark}", grouped(live)));
    }
    text
}

fn call_depth(timeline: &Timeline<'_>, caller: Option<Step>) -> usize {
    std::iter::successors(caller, |step| timeline.info(*step).and_then(|info| info.caller)).count()
}

fn change_words(before: u64, now: u64) -> String {
    match now.checked_sub(before) {
        Some(0) => String::from("0"),
        Some(more) => format!("+{}", grouped(more)),
        None => format!("−{}", grouped(before - now)),
    }
}

fn buffers(analysis: &Analysis, facts: &Facts<'_>) -> String {
    let program = &analysis.program;
    let mut text = String::new();
    for (index, (arena, plan)) in program.arenas.iter().zip(&analysis.plans).enumerate() {
        if arena.buffers.is_empty() {
            continue;
        }
        let id = ArenaId::from_index(index);
        let kind = if arena.kind == ArenaKind::Main { "arena" } else { "persistent arena" };
        let of = if arena.subgraph.0 == 0 { String::new() } else { format!(" of subgraph {}", arena.subgraph) };
        line(&mut text, format_args!("\n{kind}{of}, {}", bytes_exact(plan.height_bytes)));
        text.push_str("      offset         bytes         steps  buffer      role          shape, name\n");
        let aliases = facts.timeline.aliases(id).iter();
        let mut aliases: Vec<_> = aliases.map(|alias| (program.buffer(*alias).alias_of, *alias)).collect();
        aliases.sort_unstable();
        for request in facts.timeline.by_offset(id) {
            let root = arena.buffers[request.index()];
            buffer_line(&mut text, analysis, facts, root);
            let start = aliases.partition_point(|(other, _)| *other < Some(root));
            for (_, alias) in aliases.iter().skip(start).take_while(|(other, _)| *other == Some(root)) {
                buffer_line(&mut text, analysis, facts, *alias);
            }
        }
    }
    let mut others = (0..program.buffers.len()).map(BufferId::from_index).filter(|id| {
        let buffer = program.buffer(*id);
        !matches!(buffer.place, Place::File | Place::None) && facts.buffer(*id).offset_bytes.is_none()
    });
    if let Some(first) = others.next() {
        text.push_str("\noutside the arenas\n");
        for id in std::iter::once(first).chain(others) {
            buffer_line(&mut text, analysis, facts, id);
        }
    }
    text
}

fn buffer_line(text: &mut String, analysis: &Analysis, facts: &Facts<'_>, id: BufferId) {
    let buffer = analysis.program.buffer(id);
    let known = facts.buffer(id);
    let place = known.offset_bytes.map_or_else(|| place_name(buffer.place).to_owned(), grouped);
    let steps = known.steps.map_or_else(String::new, |(first, last)| format!("{first}–{last}"));
    let shares = buffer.alias_of.map_or_else(String::new, |root| {
        format!("  (shares the bytes of {})", analysis.program.buffer(root).reference())
    });
    let dtype = buffer.dtype.map_or("", crate::model::DataType::name);
    let shape: Vec<_> = buffer.shape.iter().map(ToString::to_string).collect();
    let shape = if dtype.is_empty() { String::new() } else { format!("{dtype}[{}] ", shape.join(",")) };
    line(
        text,
        format_args!(
            "{place:>12}  {:>12}  {steps:>12}  {:<10}  {:<12}  {shape}{}{shares}",
            buffer.size_bytes.map_or_else(|| String::from("unknown"), grouped),
            buffer.reference(),
            role_name(buffer.role),
            name(buffer),
        ),
    );
}

fn size_words(buffer: &Buffer) -> String {
    buffer.size_bytes.map_or_else(|| String::from("unknown"), bytes_words)
}

fn name(buffer: &Buffer) -> String {
    let name = clean(&buffer.name);
    if name.chars().count() <= NAME_WIDTH {
        return name;
    }
    // The end of a long name tells more than its beginning.
    let kept: Vec<char> = name.chars().rev().take(NAME_WIDTH - 1).collect();
    std::iter::once('…').chain(kept.into_iter().rev()).collect()
}
