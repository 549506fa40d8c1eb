//! Two plans beside each other: which tensor became which, which step is which, and the figures.
#![expect(clippy::unwrap_used, reason = "a failing step of a test may panic")]

use arenascope::report::compare::{Aspect, Counts};
use arenascope::report::{self, Comparison, Settings, Side, SideBuffer, SideStep, compare};
use arenascope::runtime::RuntimeKind;

const SAMPLES: [&str; 4] =
    ["four_branches.tflite", "keyword_spotting.tflite", "residual_block.tflite", "seven_buffers.csv"];

fn analysis(name: &str, settings: &Settings) -> report::Analysis {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("www/samples").join(name);
    report::analyse(&std::fs::read(path).unwrap(), name, settings).unwrap()
}

fn side(name: &str, runtime: RuntimeKind) -> Side {
    Side::of(&analysis(name, &Settings::new(runtime))).unwrap()
}

/// One buffer in the arena: reference, name, bytes, offset, first and last step.
fn buffer((reference, name, bytes, offset, first, last): (&str, &str, u64, u64, i64, i64)) -> SideBuffer {
    SideBuffer {
        reference: reference.to_owned(),
        name: name.to_owned(),
        bytes: Some(bytes),
        place: String::from("arena"),
        offset: Some(offset),
        first_step: Some(first),
        last_step: Some(last),
    }
}

fn side_of(sha256: &str, ops: &[&str], buffers: &[(&str, &str, u64, u64, i64, i64)]) -> Side {
    let mut side = side("seven_buffers.csv", RuntimeKind::Tflite);
    sha256.clone_into(&mut side.model.sha256);
    let step = |(index, op): (u32, &&str)| SideStep {
        step: i64::from(index),
        subgraph: 0,
        op_index: (*op != "START").then_some(index),
        op: (*op).to_owned(),
    };
    side.steps = (0..).zip(ops).map(step).collect();
    side.buffers = buffers.iter().copied().map(buffer).collect();
    side
}

/// References before and after, and the aspects that are different.
fn told(found: &Comparison, before: &Side, after: &Side) -> Vec<String> {
    let name =
        |side: &Side, index: Option<u32>| index.map_or("-", |index| &side.buffers[index as usize].reference).to_owned();
    let row = |row: &report::compare::Row| {
        let aspects: Vec<_> =
            Aspect::ALL.iter().filter(|one| row.differs(**one)).map(|one| format!("{one:?}")).collect();
        format!("{}>{} {}", name(before, row.before), name(after, row.after), aspects.join("+")).trim_end().to_owned()
    };
    found.rows.iter().map(row).collect()
}

#[test]
fn a_plan_is_the_same_as_itself_however_it_comes() {
    for name in SAMPLES {
        for runtime in [RuntimeKind::Tflite, RuntimeKind::Tflm] {
            let analysis = analysis(name, &Settings::new(runtime));
            let side = Side::of(&analysis).unwrap();
            assert_eq!(Side::from_json(&report::to_json(&analysis).unwrap()).unwrap(), side, "{name}");
            let found = compare(&side, &side);
            assert!(
                found.same_model && !found.peak_moved && found.rows.iter().all(report::compare::Row::is_same),
                "{name}"
            );
            assert_eq!(found.counts, Counts { same: found.rows.len(), ..Counts::default() }, "{name}");
            assert!(found.steps.iter().all(|(old, new)| old == new) && found.steps.len() == side.steps.len(), "{name}");
            assert!(found.figures.iter().all(|figure| matches!(figure.change, None | Some(0))), "{name}");
        }
    }
}

#[test]
fn tensors_pair_up_by_name_then_by_reference_and_never_by_reference_alone() {
    let before = side_of(
        "one",
        &["A", "B"],
        &[
            ("t0", "kept", 16, 0, 0, 1),
            ("t1", "twice", 16, 16, 0, 1),
            ("t2", "twice", 32, 32, 0, 1),
            ("tmp3", "", 16, 64, 0, 0),
            ("t4", "other", 16, 80, 0, 1),
            ("t5", "lives", 16, 96, 0, 0),
        ],
    );
    let after = side_of(
        "two",
        &["A", "B"],
        &[
            ("t9", "kept", 16, 8, 0, 1),
            ("t2", "twice", 32, 32, 0, 1),
            ("t7", "twice", 16, 16, 0, 1),
            ("tmp3", "", 48, 64, 0, 0),
            ("t4", "new", 16, 80, 0, 1),
            ("t5", "lives", 16, 96, 0, 1),
        ],
    );
    let found = compare(&before, &after);
    assert_eq!(
        told(&found, &before, &after),
        ["t0>t9 Offset", "t2>t2", "t1>t7", "tmp3>tmp3 Size", "->t4", "t5>t5 Life", "t4>-"]
    );
    let counts = Counts { same: 2, moved: 1, resized: 1, relived: 1, replaced: 0, added: 1, gone: 1 };
    assert_eq!(found.counts, counts);
}

#[test]
fn two_runtimes_have_their_steps_matched_by_operator() {
    let (tflite, tflm) =
        (side("keyword_spotting.tflite", RuntimeKind::Tflite), side("keyword_spotting.tflite", RuntimeKind::Tflm));
    let found = compare(&tflite, &tflm);
    assert!(found.same_model);
    // TFLite-Micro has a start that TFLite does not have.
    assert_eq!(found.steps, (0..8).map(|op| (op, op + 1)).collect::<Vec<_>>());
    assert!(!found.peak_moved, "operator 4 on both sides");
    let relived: Vec<String> = told(&found, &tflite, &tflm).into_iter().filter(|row| row.contains("Life")).collect();
    // TFLite keeps inputs to the end, and what RESHAPE shares; all others live at the same operators.
    assert_eq!(relived, ["t0>t0 Offset+Life", "t12>t12 Offset+Life"]);
    let figure = |key: &str| *found.figures.iter().find(|figure| figure.key == key).unwrap();
    assert_eq!(
        (figure("arena").before, figure("arena").after, figure("arena").change),
        (Some(52_800), Some(51_200), Some(-1_600))
    );
    assert_eq!(figure("arena").percent, Some(-3.0));
    assert_eq!((figure("minimum").before, figure("minimum").change), (None, None));
    // And back again.
    let back = compare(&tflm, &tflite);
    assert_eq!(back.steps, (0..8).map(|op| (op + 1, op)).collect::<Vec<_>>());
    let turned = Counts { added: found.counts.gone, gone: found.counts.added, ..found.counts };
    assert_eq!(back.counts, turned);
}

#[test]
fn another_planner_moves_tensors_and_nothing_else() {
    let settings = Settings::new(RuntimeKind::Tflite);
    let linear = Settings { planner: Settings::planner_from_name("no-reuse").unwrap(), ..settings.clone() };
    let [before, after] =
        [settings, linear].map(|settings| Side::of(&analysis("seven_buffers.csv", &settings)).unwrap());
    let found = compare(&before, &after);
    let Counts { moved, same, .. } = found.counts;
    assert!(moved > 0);
    assert_eq!(found.counts, Counts { moved, same, ..Counts::default() });
    let arena = found.figures.iter().find(|figure| figure.key == "arena").unwrap();
    assert_eq!((arena.change, arena.percent), (Some(12 << 20), Some(66.7)));
}

#[test]
fn the_csv_keeps_hostile_names_in_one_cell() {
    let before = side_of("one", &["A"], &[("t0", "=1+1,\"x\"\n\u{202e}", 16, 0, 0, 0)]);
    let after = side_of("one", &["A"], &[("t0", "=1+1,\"x\"\n\u{202e}", 16, 32, 0, 0), ("t1", "", 8, 0, 0, 0)]);
    let csv = compare(&before, &after).to_csv(&before, &after);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 3, "{csv}");
    assert_eq!(lines[1], "t0,t0,\"'=1+1,\"\"x\"\"  \",offset,16,16,0,32,0,0,0,0");
    assert_eq!(lines[2], ",t1,\"\",added,,8,,0,,,0,0");
}

#[test]
fn text_that_is_no_report_is_refused() {
    for text in ["", "{}", "[]", "null", "{\"model\": 3}"] {
        assert!(Side::from_json(text).is_err(), "{text}");
    }
}
