//! Reads the log of `RecordingMicroAllocator::PrintAllocations` (`recording_micro_allocator.cc`, tflite-micro 90b983c2)
//! and lays its figures beside ours.

use super::arena::ArenaNeeds;
use super::memory_plan::{Difference, signed};
use super::micro::{Category, Micro, TailAllocation};

/// One kind of allocation in the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// The recorder's name for it.
    pub name: String,
    /// Bytes with what alignment adds.
    pub used_bytes: u64,
    /// Bytes asked for.
    pub requested_bytes: u64,
    /// How many allocations.
    pub count: u64,
}

/// The figures of one log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordingLog {
    /// All bytes in use.
    pub total_bytes: Option<u64>,
    /// The head.
    pub head_bytes: Option<u64>,
    /// The tail.
    pub tail_bytes: Option<u64>,
    /// Kinds of allocations, in the order of the log.
    pub kinds: Vec<Recorded>,
}

const MARK: &str = "[RecordingMicroAllocator]";

/// Reads a pasted log; `None` when no line of it is the recorder's.
pub fn read_recording(text: &str) -> Option<RecordingLog> {
    let mut log = RecordingLog::default();
    let mut found = false;
    for line in text.lines().filter(|line| line.contains(MARK)) {
        let figure = |word: &str| number_after(line, word);
        let kind = || -> Option<Recorded> {
            let name = line.split('\'').nth(1)?.to_owned();
            let (used_bytes, requested_bytes) = (figure("used ")?, figure("requested ")?);
            Some(Recorded { name, used_bytes, requested_bytes, count: figure("bytes for ")? })
        };
        if let Some(total) = figure("allocation total ") {
            log.total_bytes = Some(total);
        } else if let Some(head) = figure("allocation head ") {
            log.head_bytes = Some(head);
        } else if let Some(tail) = figure("allocation tail ") {
            log.tail_bytes = Some(tail);
        } else if let Some(kind) = kind() {
            log.kinds.push(kind);
        } else {
            continue;
        }
        found = true;
    }
    found.then_some(log)
}

fn number_after(text: &str, word: &str) -> Option<u64> {
    let rest = &text[text.find(word)? + word.len()..];
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// The recorder's name for a tail allocation; `None` for those that it does not record.
fn recorded_name(tail: &TailAllocation) -> Option<&'static str> {
    Some(match tail.category {
        Category::EvalTensors => "TfLiteEvalTensor data",
        Category::Nodes if tail.what == "nodes and registrations" => "NodeAndRegistration struct",
        Category::Variables => "TfLiteTensor variable buffer data",
        Category::Kernels | Category::Resources => "Persistent buffer data",
        Category::InputsOutputs => match tail.what {
            "tensor struct" => "Persistent TfLiteTensor data",
            "quantisation struct" | "zero points" => "Persistent TfLiteTensor quantization data",
            _ => "Persistent buffer data",
        },
        _ => return None,
    })
}

/// What differs between our figures and the log's: the three totals, and the bytes asked for of each kind.
pub fn compare_recording(micro: &Micro, needs: &ArenaNeeds, log: &RecordingLog) -> Vec<Difference> {
    let mut differences = Vec::new();
    let mut differ = |what: &str, planned: Option<u64>, measured: Option<u64>| {
        if planned != measured {
            let (planned, measured) = (planned.map(signed), measured.map(signed));
            differences.push(Difference { what: what.to_owned(), buffer: None, planned, measured });
        }
    };
    for (what, planned, measured) in [
        ("total", needs.used_bytes, log.total_bytes),
        ("head", needs.head_bytes, log.head_bytes),
        ("tail", needs.tail_bytes, log.tail_bytes),
    ] {
        if measured.is_some() {
            differ(what, Some(planned), measured);
        }
    }
    let requested = |name: &str| {
        let own = micro.tail().filter(|tail| recorded_name(tail) == Some(name));
        let mut own = own.peekable();
        own.peek().is_some().then(|| own.map(|tail| tail.bytes).sum::<u64>())
    };
    for kind in &log.kinds {
        differ(&kind.name, requested(&kind.name), Some(kind.requested_bytes));
    }
    differences
}
