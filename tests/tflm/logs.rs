//! Pasted logs: the error decoder, the memory plan's text, the recorder's log.

use arenascope::runtime::tflm::{self, Progress, Stage, Trouble};
use arenascope::runtime::{Options, RuntimeKind};

use crate::facts::{self, Planned};
use crate::support::graph_text;

fn sample() -> Planned {
    let bytes = graph_text::parse("in a:1000\nNEG a -> b:2000\nNEG b -> c:16\nout c").build();
    facts::planned(&bytes, &Options::new(RuntimeKind::Tflm)).unwrap()
}

/// One line, what it is about, its stage, and the bytes missing.
type Line = (&'static str, Trouble, Option<Stage>, Option<u64>);

const LINES: &[Line] = &[
    (
        "Failed to resize buffer. Requested: 39520, available 36264, missing: 3256",
        Trouble::Head,
        Some(Stage::Plan),
        Some(3256),
    ),
    ("Failed to allocate tail memory. Requested: 2088, available 1552, missing: 536", Trouble::Tail, None, Some(536)),
    (
        "Failed to allocate temp memory. Requested: 64, available 16, missing: 48",
        Trouble::Temporary,
        Some(Stage::Prepare),
        Some(48),
    ),
    ("Failed to allocate memory. Requested: 400, available 264, missing: 136", Trouble::Memory, None, Some(136)),
    (
        "Arena size is too small for all buffers. Needed 212064 but only 191120 was available.",
        Trouble::Head,
        Some(Stage::Plan),
        Some(20944),
    ),
    // A terminal of 80 columns cuts the line.
    (
        "Arena size is too small for all buffers. Needed 212064 but only 191120 was avai.",
        Trouble::Head,
        Some(Stage::Plan),
        Some(20944),
    ),
    ("Too many buffers (max is 12)", Trouble::PlannerTables, Some(Stage::Plan), None),
    (
        "Failed to allocate memory for memory planning, 1200 bytes required",
        Trouble::PlannerTables,
        Some(Stage::Plan),
        None,
    ),
    ("Couldn't find temporary buffer", Trouble::MissingTemporary, Some(Stage::Prepare), None),
    ("Didn't find op for builtin opcode 'SOFTMAX'", Trouble::MissingOperator, Some(Stage::Parse), None),
    ("Failed to get registration from op code CUSTOM", Trouble::MissingOperator, Some(Stage::Parse), None),
    (
        "Nbr of offline buffer offsets (3) in metadata not equal nbr tensors (4)",
        Trouble::OfflinePlan,
        Some(Stage::Plan),
        None,
    ),
    ("Node CONV_2D (number 2) failed to prepare with status 1", Trouble::Consequence, Some(Stage::Prepare), None),
    ("Hybrid models are not supported on TFLite Micro.", Trouble::Refused, Some(Stage::Prepare), None),
];

#[test]
fn each_message_is_understood() {
    for (text, trouble, stage, missing) in LINES {
        let diagnosis = tflm::decode(text, None, None);
        let [finding] = diagnosis.findings.as_slice() else { panic!("{text}: {diagnosis:?}") };
        assert_eq!((finding.trouble, finding.stage, finding.missing), (*trouble, *stage, *missing), "{text}");
        assert!(finding.meaning.words().len() > 20 && finding.line == 1, "{text}");
    }
    let named = tflm::decode("Didn't find op for builtin opcode 'CONV_2D' version '3'", None, None);
    assert_eq!(named.findings[0].meaning, tflm::Meaning::NotRegistered(Some("CONV_2D".to_owned())));
    assert!(tflm::decode("hello\n\n42", None, None).findings.is_empty());
}

#[test]
fn size_and_model_make_it_exact() {
    let planned = sample();
    let needs = planned.needs.as_ref().unwrap();
    let head = needs.head_bytes;
    let log = format!("Failed to resize buffer. Requested: {head}, available {}, missing: 100", head - 100);
    let diagnosis = tflm::decode(&log, Some(4096), Some(needs));
    assert_eq!(diagnosis.at_least_bytes, Some(4196));
    assert_eq!(diagnosis.exact_bytes, Some(needs.recommended_bytes(0)));
    let other =
        tflm::decode("Failed to resize buffer. Requested: 77777, available 5, missing: 77772", None, Some(needs));
    assert!(other.doubts[0].words().contains("77777"), "{:?}", other.doubts);
    let early = tflm::decode("Failed to resize buffer. Requested: 144, available 100, missing: 44", None, Some(needs));
    assert_eq!(early.findings[0].stage, Some(Stage::Start), "the table of scratch requests, not the head");
}

#[test]
fn several_lines_in_order_are_progress_or_not() {
    use Progress::{Back, Closer, Elsewhere, Further, Same};
    let log = "Failed to allocate tail memory. Requested: 2088, available 1552, missing: 536
               Failed to allocate tail memory. Requested: 2088, available 1800, missing: 288
               Failed to allocate temp memory. Requested: 64, available 16, missing: 48
               Failed to allocate temp memory. Requested: 72, available 16, missing: 56
               Too many buffers (max is 12)
               Failed to resize buffer. Requested: 39520, available 36264, missing: 3256
               Failed to resize buffer. Requested: 39520, available 36264, missing: 3256
               Failed to allocate tail memory. Requested: 2088, available 1552, missing: 536";
    assert_eq!(tflm::decode(log, None, None).progress, [Closer, Further, Elsewhere, Further, Further, Same, Back]);
}

#[test]
fn the_memory_plan_reads_back() {
    let planned = sample();
    let text = tflm::print_memory_plan(&planned.program, &planned.plan);
    let expected_head = "0 (id=0): size=1008, offset=2000, first_used=0 last_used=1\n\
                         1 (id=1): size=2000, offset=0, first_used=1 last_used=2\n\
                         * (id=2): size=16, offset=2000, first_used=2 last_used=2\n";
    assert!(text.starts_with(expected_head), "{text}");
    assert_eq!(text.lines().count(), 3 + 3, "one row a scope");
    let lines = tflm::read_memory_plan(&text);
    assert!(tflm::compare_memory_plan(&planned.program, &planned.plan, &lines).is_empty());
    let measured = tflm::read_memory_plan(&text.replace("offset=0", "offset=64"));
    let differences = tflm::compare_memory_plan(&planned.program, &planned.plan, &measured);
    assert_eq!(differences.len(), 1);
    assert_eq!((differences[0].planned, differences[0].measured), (Some(0), Some(64)));
    assert!(differences[0].what.contains("t1"), "{}", differences[0].what);
}

#[test]
fn the_recorders_log_is_laid_beside_ours() {
    let planned = sample();
    let needs = planned.needs.as_ref().unwrap();
    let line = |text: String| format!("[RecordingMicroAllocator] {text}\n");
    let log = line(format!("Arena allocation total {} bytes", needs.used_bytes + 16))
        + &line(format!("Arena allocation head {} bytes", needs.head_bytes))
        + &line(format!("Arena allocation tail {} bytes", needs.tail_bytes + 16))
        + &line("'TfLiteEvalTensor data' used 36 bytes with alignment overhead (requested 36 bytes for 3 allocations)".into())
        + &line("'NodeAndRegistration struct' used 96 bytes with alignment overhead (requested 96 bytes for 2 NodeAndRegistration structs)".into());
    let read = tflm::read_recording(&log).unwrap();
    assert_eq!(read.kinds.len(), 2);
    let differences = tflm::compare_recording(planned.micro(), needs, &read);
    let what: Vec<_> = differences.iter().map(|difference| difference.what.as_str()).collect();
    assert_eq!(what, ["total", "tail", "NodeAndRegistration struct"], "two nodes of 32 bytes are 64, not 96");
    assert!(tflm::read_recording("nothing of the kind").is_none());
}
