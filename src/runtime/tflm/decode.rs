//! Decodes what TFLite-Micro prints when it fails: what failed, at which stage, how much is missing. Pure text work; the
//! exact size comes from [`ArenaNeeds`] when there is a model. Texts are those of tflite-micro 90b983c2 and of older
//! versions back to 2019.

use super::arena::ArenaNeeds;
use super::meaning::{Doubt, Meaning};
use super::micro::Stage;

/// What a line is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The planned head (or, at the start, the table of scratch requests) does not fit below the tail.
    Head,
    /// Persistent data meet the head.
    Tail,
    /// Temporary structs do not fit.
    Temporary,
    /// The planner has no room for its tables.
    PlannerTables,
    /// A table has no room, in versions that do not say which memory.
    Memory,
    /// A kernel's temporary buffer is not there.
    MissingTemporary,
    /// An operator has no kernel, or the resolver was not told.
    MissingOperator,
    /// The resolver has no room for another operator.
    ResolverFull,
    /// A kernel refuses its operator.
    Refused,
    /// The offline plan does not fit the model.
    OfflinePlan,
    /// What follows from an earlier failure.
    Consequence,
}

impl Trouble {
    /// Whether a larger arena helps.
    pub fn needs_memory(self) -> bool {
        use Trouble::{Head, Memory, PlannerTables, Tail, Temporary};
        matches!(self, Head | Tail | Temporary | PlannerTables | Memory)
    }
}

/// One line that was understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The line's number, from 1.
    pub line: usize,
    /// What it is about.
    pub trouble: Trouble,
    /// The stage at which it happens, where the text tells.
    pub stage: Option<Stage>,
    /// What it means.
    pub meaning: Meaning,
    /// Bytes asked for.
    pub requested: Option<u64>,
    /// Bytes that were free.
    pub available: Option<u64>,
    /// Bytes missing.
    pub missing: Option<u64>,
}

/// How one failure compares with the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// It got further: a later stage, or no failure for want of memory any more.
    Further,
    /// The same stage and request, with less missing.
    Closer,
    /// The same stage with another request: a different allocation of that stage.
    Elsewhere,
    /// Nothing changed.
    Same,
    /// It fails earlier, or more is missing.
    Back,
}

/// What a pasted log says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnosis {
    /// The lines that were understood, in order.
    pub findings: Vec<Finding>,
    /// For each failure for want of memory after the first, how it compares with the one before.
    pub progress: Vec<Progress>,
    /// An arena must be at least this large, by the last such failure and the arena's size; more may follow.
    pub at_least_bytes: Option<u64>,
    /// The size to set, exactly, when the model is at hand.
    pub exact_bytes: Option<u64>,
    /// What does not fit together: the log and the model, or the log and the size.
    pub doubts: Vec<Doubt>,
}

/// Decodes `log`. `arena_size` is the size set in firmware when the last line was printed; `needs` those of the model.
pub fn decode(log: &str, arena_size: Option<u64>, needs: Option<&ArenaNeeds>) -> Diagnosis {
    let mut findings: Vec<Finding> = Vec::new();
    for (index, text) in log.lines().enumerate() {
        if let Some(mut finding) = line(text.trim()) {
            finding.line = index + 1;
            refine(&mut finding, needs);
            findings.push(finding);
        }
    }
    let memory: Vec<&Finding> = findings.iter().filter(|finding| is_measure(finding)).collect();
    let progress = memory.windows(2).map(|pair| compare(pair[0], pair[1])).collect();
    let last = memory.last().copied();
    let at_least_bytes =
        arena_size.zip(last.and_then(|finding| finding.missing)).map(|(size, missing)| size.saturating_add(missing));
    let doubts = doubts(last, arena_size, needs);
    Diagnosis { progress, at_least_bytes, exact_bytes: needs.map(|needs| needs.recommended_bytes(0)), doubts, findings }
}

/// Whether a finding carries figures of its own, not only what follows from them.
fn is_measure(finding: &Finding) -> bool {
    finding.trouble.needs_memory() && (finding.missing.is_some() || finding.trouble == Trouble::PlannerTables)
}

/// With a model: the planned head is known, so a resize of another size is the table of requests.
fn refine(finding: &mut Finding, needs: Option<&ArenaNeeds>) {
    let is_table =
        |bytes: u64, head: u64| bytes != head && bytes < 4096 && (bytes.is_multiple_of(12) || bytes.is_multiple_of(16));
    if let (Trouble::Head, Some(requested), Some(needs)) = (finding.trouble, finding.requested, needs)
        && is_table(requested, needs.head_bytes)
    {
        finding.stage = Some(Stage::Start);
        finding.meaning = Meaning::RequestTable;
    }
}

/// The order in which failures come as an arena grows.
fn rank(finding: &Finding) -> u8 {
    match (finding.trouble, finding.stage) {
        (_, Some(Stage::Start)) => 0,
        (Trouble::Tail | Trouble::Memory, _) => 1,
        (Trouble::Temporary, _) => 2,
        (Trouble::PlannerTables, _) => 3,
        _ => 4,
    }
}

fn compare(before: &Finding, after: &Finding) -> Progress {
    match rank(after).cmp(&rank(before)) {
        std::cmp::Ordering::Greater => Progress::Further,
        std::cmp::Ordering::Less => Progress::Back,
        std::cmp::Ordering::Equal if before.requested != after.requested => Progress::Elsewhere,
        std::cmp::Ordering::Equal => match (before.missing, after.missing) {
            (Some(before), Some(after)) if after < before => Progress::Closer,
            (Some(before), Some(after)) if after > before => Progress::Back,
            _ => Progress::Same,
        },
    }
}

fn doubts(last: Option<&Finding>, arena_size: Option<u64>, needs: Option<&ArenaNeeds>) -> Vec<Doubt> {
    let mut doubts = Vec::new();
    let Some(needs) = needs else { return doubts };
    let requested = last.filter(|last| last.trouble == Trouble::Head && last.stage != Some(Stage::Start));
    if let Some(requested) = requested.and_then(|last| last.requested)
        && requested != needs.head_bytes
    {
        doubts.push(Doubt::OtherHead { logged: requested, planned: needs.head_bytes });
    }
    if let (Some(size), true) = (arena_size, last.is_some())
        && size >= needs.safe_arena_bytes.next_multiple_of(super::ALIGNMENT)
    {
        doubts.push(Doubt::LargeEnough { size, needed: needs.safe_arena_bytes, alignment: super::ALIGNMENT });
    }
    doubts
}

/// The number that follows `word` in `text`.
fn number_after(text: &str, word: &str) -> Option<u64> {
    let rest = text[text.find(word)? + word.len()..].trim_start_matches([' ', ':', '(', '=']);
    let digits: &str = rest.split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok()
}

/// What stands between the first pair of single quotes.
fn quoted(text: &str) -> Option<&str> {
    let start = text.find('\'')? + 1;
    text[start..].find('\'').map(|end| &text[start..start + end])
}

fn finding(trouble: Trouble, stage: Option<Stage>, meaning: Meaning) -> Finding {
    Finding { line: 0, trouble, stage, meaning, requested: None, available: None, missing: None }
}

fn with_numbers(mut finding: Finding, text: &str) -> Finding {
    finding.requested = number_after(text, "Requested").or_else(|| number_after(text, "Needed"));
    finding.available = number_after(text, "available").or_else(|| number_after(text, "but only"));
    let difference =
        finding.requested.zip(finding.available).and_then(|(requested, available)| requested.checked_sub(available));
    finding.missing = number_after(text, "missing").or(difference);
    finding
}

/// One line, if it is one of the runtime's.
fn line(text: &str) -> Option<Finding> {
    memory_line(text).or_else(|| planning_line(text)).or_else(|| operator_line(text)).or_else(|| consequence_line(text))
}

fn memory_line(text: &str) -> Option<Finding> {
    let found = if text.contains("Failed to resize buffer") {
        finding(Trouble::Head, Some(Stage::Plan), Meaning::Head)
    } else if text.contains("Arena size is too small for all buffers") {
        finding(Trouble::Head, Some(Stage::Plan), Meaning::HeadOld)
    } else if text.contains("Failed to allocate tail memory") {
        finding(Trouble::Tail, None, Meaning::Tail)
    } else if text.contains("Failed to allocate temp memory") {
        finding(Trouble::Temporary, Some(Stage::Prepare), Meaning::Temporary)
    } else if text.contains("Failed to allocate memory. Requested") {
        finding(Trouble::Memory, None, Meaning::MemoryOld)
    } else {
        return None;
    };
    Some(with_numbers(found, text))
}

fn planning_line(text: &str) -> Option<Finding> {
    if text.contains("Too many buffers") {
        let most = number_after(text, "max is");
        return Some(finding(Trouble::PlannerTables, Some(Stage::Plan), Meaning::PlannerTable(most)));
    }
    if text.contains("Failed to allocate memory for memory planning") {
        let mut found = finding(Trouble::PlannerTables, Some(Stage::Plan), Meaning::Lifetimes);
        found.requested = number_after(text, "planning,");
        return Some(found);
    }
    if text.contains("Couldn't find temporary") {
        return Some(finding(Trouble::MissingTemporary, Some(Stage::Prepare), Meaning::MissingTemporary));
    }
    if text.contains("Nbr of offline buffer offsets") {
        return Some(finding(Trouble::OfflinePlan, Some(Stage::Plan), Meaning::OfflinePlan));
    }
    None
}

fn operator_line(text: &str) -> Option<Finding> {
    if text.contains("Didn't find op for builtin opcode") {
        // The name stands in quotes behind these words; the first quote of the line is that of "Didn't".
        let name = text.split_once("opcode").and_then(|(_, rest)| quoted(rest));
        let meaning = Meaning::NotRegistered(name.map(str::to_owned));
        return Some(finding(Trouble::MissingOperator, Some(Stage::Parse), meaning));
    }
    if text.contains("Failed to get registration from op code") {
        let op = text.rsplit(' ').next().unwrap_or_default();
        let meaning = if op == "CUSTOM" { Meaning::CustomNotRegistered } else { Meaning::NoKernel(op.to_owned()) };
        return Some(finding(Trouble::MissingOperator, Some(Stage::Parse), meaning));
    }
    if text.contains("resolver size is too") {
        return Some(finding(Trouble::ResolverFull, None, Meaning::ResolverSize));
    }
    if text.contains("Hybrid models are not supported") {
        return Some(finding(Trouble::Refused, Some(Stage::Prepare), Meaning::Hybrid));
    }
    if text.contains("Dynamic tensors are not supported") || text.contains("has dynamic tensor") {
        return Some(finding(Trouble::Refused, Some(Stage::Prepare), Meaning::OpenDim));
    }
    None
}

/// Lines that only repeat that something failed.
fn consequence_line(text: &str) -> Option<Finding> {
    let found = |stage, meaning| Some(finding(Trouble::Consequence, stage, meaning));
    if text.contains("failed to prepare with status") {
        return found(Some(Stage::Prepare), Meaning::KernelFailed);
    }
    if text.contains("Failed starting model allocation") {
        return found(Some(Stage::Start), Meaning::StartFailed);
    }
    if text.contains("AllocateTensors() failed") {
        return found(None, Meaning::Application);
    }
    if text.contains("Model allocation started before") {
        return found(None, Meaning::CalledAgain);
    }
    let table =
        text.contains("Failed to allocate memory for") || text.contains("Failed to allocate temp. memory for tensor");
    if table { found(None, Meaning::ForWhat) } else { None }
}
