//! The text of the greedy planner's `PrintMemoryPlan` (`greedy_memory_planner.cc`, tflite-micro 90b983c2): written for a
//! plan, and read back to lay what a device printed beside it.

use std::fmt::Write as _;

use crate::plan::Plan;
use crate::runtime::{Place, Program};
use crate::units::BufferId;

/// Columns of the picture.
const LINE_WIDTH: u64 = 80;
/// Letters for buffers: digits, small, large.
const ORDINALS: &[u8] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// One buffer as the planner prints it. Times are scopes, both inclusive; −1 is before the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanLine {
    /// Its number in the planner's list.
    pub id: u64,
    /// Planned bytes.
    pub size: u64,
    /// Its offset.
    pub offset: i64,
    /// First scope.
    pub first_used: i64,
    /// Last scope.
    pub last_used: i64,
}

/// One thing that differs between what was planned here and what a device says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What it is about: `buffer 3 (t7)`, `head`.
    pub what: String,
    /// The buffer, when it is about one.
    pub buffer: Option<BufferId>,
    /// As planned here; `None` when it is not there.
    pub planned: Option<i64>,
    /// As measured; `None` when it is not there.
    pub measured: Option<i64>,
}

/// The planner's list for a program and its plan: every planned buffer in the order of the list, those of 0 bytes too.
pub fn plan_lines(program: &Program, plan: &Plan) -> Vec<(BufferId, PlanLine)> {
    let Some(arena) = program.arenas.first() else { return Vec::new() };
    let mut placed = arena.buffers.iter().zip(arena.problem.requests()).zip(&plan.offsets).peekable();
    let mut lines = Vec::new();
    for (index, buffer) in program.buffers.iter().enumerate() {
        let id = BufferId::from_index(index);
        let Some(span) = buffer.live.filter(|_| buffer.place == Place::Arena) else { continue };
        let (size, offset) = match placed.next_if(|((planned, _), _)| **planned == id) {
            Some(((_, request), offset)) => (request.size_bytes, *offset),
            None if buffer.size_bytes == Some(0) => (0, 0),
            None => continue,
        };
        let label = |tick: u32| i64::from(tick) + program.first_label;
        let line = PlanLine {
            id: lines.len() as u64,
            size,
            offset: i64::try_from(offset).unwrap_or(i64::MAX),
            first_used: label(span.first().0),
            last_used: label(span.last().0),
        };
        lines.push((id, line));
    }
    lines
}

/// The text that `PrintMemoryPlan` gives for a plan.
pub fn print_memory_plan(program: &Program, plan: &Plan) -> String {
    let lines: Vec<PlanLine> = plan_lines(program, plan).into_iter().map(|(_, line)| line).collect();
    let mut text = String::new();
    for line in &lines {
        let PlanLine { id, size, offset, first_used, last_used } = line;
        let letter = letter(line);
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{letter} (id={id}): size={size}, offset={offset}, first_used={first_used} last_used={last_used}"
        );
    }
    picture(&lines, &mut text);
    text
}

fn letter(line: &PlanLine) -> char {
    if line.first_used == line.last_used {
        return '*';
    }
    let index = usize::try_from(line.id % ORDINALS.len() as u64).unwrap_or(0);
    ORDINALS.get(index).map_or('?', |letter| char::from(*letter))
}

/// One row a scope: which buffer holds each eightieth of the memory; `!` where two do.
fn picture(lines: &[PlanLine], text: &mut String) {
    let end = |line: &PlanLine| u64::try_from(line.offset).unwrap_or(0) + line.size;
    let height = lines.iter().map(end).max().unwrap_or(0).max(LINE_WIDTH);
    let last = lines.iter().map(|line| line.last_used).max().unwrap_or(0).max(0);
    let column =
        |bytes: u64| usize::try_from(u128::from(bytes) * u128::from(LINE_WIDTH) / u128::from(height)).unwrap_or(0);
    for scope in 0..=last {
        let mut row = vec!['.'; usize::try_from(LINE_WIDTH).unwrap_or(0)];
        let mut used = 0;
        for line in lines.iter().filter(|line| line.first_used <= scope && scope <= line.last_used) {
            used += line.size;
            let start = column(u64::try_from(line.offset).unwrap_or(0));
            for cell in row.iter_mut().take(column(end(line))).skip(start) {
                *cell = if *cell == '.' { letter(line) } else { '!' };
            }
        }
        let row: String = row.into_iter().collect();
        let _ = writeln!(text, "{scope:4}: {row} ({}k)", used.div_ceil(1024));
    }
}

/// The buffers in a pasted text; lines that are not of this kind are passed over.
pub fn read_memory_plan(text: &str) -> Vec<PlanLine> {
    text.lines().filter_map(read_line).collect()
}

fn read_line(text: &str) -> Option<PlanLine> {
    let number = |key: &str| -> Option<i64> {
        let rest = &text[text.find(key)? + key.len()..];
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(rest.len());
        rest[..end].parse().ok()
    };
    Some(PlanLine {
        id: u64::try_from(number("(id=")?).ok()?,
        size: u64::try_from(number("size=")?).ok()?,
        offset: number("offset=")?,
        first_used: number("first_used=")?,
        last_used: number("last_used=")?,
    })
}

/// What differs between the plan here and the measured lines, buffer by buffer.
pub fn compare_memory_plan(program: &Program, plan: &Plan, measured: &[PlanLine]) -> Vec<Difference> {
    let ours = plan_lines(program, plan);
    let mut differences = Vec::new();
    for (buffer, own) in &ours {
        let name = program.buffer(*buffer).reference();
        let their = measured.iter().find(|line| line.id == own.id);
        let mut differ = |field: &str, planned: i64, measured: Option<i64>| {
            if measured != Some(planned) {
                let what = format!("buffer {} ({name}): {field}", own.id);
                differences.push(Difference { what, buffer: Some(*buffer), planned: Some(planned), measured });
            }
        };
        let Some(their) = their else {
            differ("offset", own.offset, None);
            continue;
        };
        differ("size", signed(own.size), Some(signed(their.size)));
        differ("offset", own.offset, Some(their.offset));
        differ("first use", own.first_used, Some(their.first_used));
        differ("last use", own.last_used, Some(their.last_used));
    }
    for line in measured.iter().filter(|line| line.id >= ours.len() as u64) {
        let what = format!("buffer {}: offset", line.id);
        differences.push(Difference { what, buffer: None, planned: None, measured: Some(line.offset) });
    }
    differences
}

/// A size as a signed number, to lay beside others.
pub(super) fn signed(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}
