//! What-ifs: their text, what they do to a plan, what they say, and that a plan file carries them.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test that cannot prepare its models has failed")]

mod support;

use std::path::Path;

use arenascope::plan;
use arenascope::report::{self, Analysis, Settings};
use arenascope::runtime::edit::Edit;
use arenascope::runtime::{Place, RuntimeKind};
use arenascope::simulate::prove;
use support::graph_text;

const BOTH: [RuntimeKind; 2] = [RuntimeKind::Tflite, RuntimeKind::Tflm];

fn settings(runtime: RuntimeKind, edits: &[&str]) -> Settings {
    let edits = edits.iter().map(|text| Edit::parse(text).unwrap()).collect();
    Settings { edits, ..Settings::new(runtime) }
}

fn analyse(text: &str, runtime: RuntimeKind, edits: &[&str]) -> Analysis {
    report::analyse(&graph_text::parse(text).build(), "model", &settings(runtime, edits)).unwrap()
}

fn refusal(text: &str, runtime: RuntimeKind, edits: &[&str]) -> String {
    report::analyse(&graph_text::parse(text).build(), "model", &settings(runtime, edits)).unwrap_err().to_string()
}

/// The warnings of the code `what_if`.
fn said(analysis: &Analysis) -> Vec<String> {
    let warnings = analysis.warnings.iter().filter(|warning| warning.code == "what_if");
    warnings.map(|warning| warning.message.clone()).collect()
}

/// Every plan is sound, no fault is found, and the plan file without the what-ifs takes them to the same bytes.
fn check(analysis: &Analysis, what: &str) {
    for (arena, plan) in analysis.program.arenas.iter().zip(&analysis.plans) {
        match plan::validate(&arena.problem, plan, None) {
            Ok(()) | Err(plan::Violation::FixedOverlap { .. }) => {}
            Err(violation) => panic!("{what}: {violation}"),
        }
    }
    let Some(what_if) = &analysis.what_if else { return };
    let base = prove(&what_if.program, &what_if.plans);
    if base.clobbers.is_empty() {
        assert_eq!(analysis.proof.clobbers, [], "{what}");
    }
    let edits: Vec<_> = what_if.plan_edits().unwrap().iter().map(|text| Edit::parse(text).unwrap()).collect();
    let file = report::to_base_plan(analysis).unwrap();
    let again = Settings { edits, inner: None, external: Vec::new(), resize: Vec::new(), ..analysis.settings.clone() };
    let opened = report::analyse(file.as_bytes(), "plan", &again).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!(opened.arena_bytes(), analysis.arena_bytes(), "{what}: from the plan file");
    let untouched = Settings { edits: Vec::new(), ..again };
    let opened = report::analyse(file.as_bytes(), "plan", &untouched).unwrap();
    assert_eq!(opened.arena_bytes(), what_if.figures().arena_bytes, "{what}: the untouched plan file");
}

#[test]
fn texts_are_read_and_written() {
    for text in ["t31:bytes=4096", "s1:t3:type=int8", "tmp12:last=9", "scratch0:keep", "t0:outside", "t0:last=-1"] {
        assert_eq!(Edit::parse(text).unwrap().to_string(), text);
    }
    let bad = [
        "",
        ":",
        "t3",
        "t3:",
        ":keep",
        "t3:bytes",
        "t3:bytes=",
        "t3:bytes=0",
        "t3:bytes=-4",
        "t3:bytes=4k",
        "t3:type=int9",
        "t3:last=x",
        "t3:keep=1",
        "t3:outside=",
        "t3:shrink",
        "t3:bytes=99999999999999999999",
        "\u{202e}\n:\u{0}",
    ];
    for text in bad {
        let error = Edit::parse(text).unwrap_err().to_string();
        assert!(error.starts_with("what-if ") && !error.contains('\n'), "{text:?}: {error}");
    }
    let long = format!("{}:shrink", "t".repeat(10_000));
    assert!(Edit::parse(&long).unwrap_err().to_string().len() < 400);
}

const CHAIN: &str = "
    in a:f32[1,64]
    const w:f32[1,64]
    RELU a -> b:f32[1,64]
    ADD b w -> c:f32[1,64]
    ADD b c -> d:f32[1,64]
    ADD d w -> e:f32[1,64]
    out e";

#[test]
fn nonsense_is_refused_in_one_sentence() {
    for runtime in BOTH {
        for (edit, words) in [
            ("t99:keep", "there is no such tensor or buffer"),
            ("b:keep", "there is no such tensor or buffer"),
            ("t1:type=int8", "constant"),
            ("t2:type=string", "no size for string"),
            ("t2:bytes=999999999999999", "must be 1 to"),
            ("t4:last=0", "so it cannot end at step 0"),
            ("t2:last=400", "there is no step 400"),
            ("t2:last=-5", "there is no step -5"),
        ] {
            let error = refusal(CHAIN, runtime, &[edit]);
            assert!(error.starts_with(&format!("what-if {edit}: ")) && error.contains(words), "{runtime:?}: {error}");
        }
        let error = refusal(CHAIN, runtime, &["t2:outside", "t2:bytes=4"]);
        assert!(error.contains("another what-if has moved it"), "{error}");
    }
    let many: Vec<&str> = vec!["t2:keep"; 1_001];
    assert!(refusal(CHAIN, RuntimeKind::Tflite, &many).contains("the most is 1000"));
}

/// Custom operators, so that nothing shares bytes in place.
const PLAIN: &str = "in a:512\nop a -> b:1024\nop b -> c:2048\nop b c -> d:256\nop d -> e:64\nout e";

#[test]
fn each_kind_of_change_gives_the_plan_it_says() {
    for runtime in BOTH {
        let arena = |edits: &[&str]| {
            let analysis = analyse(PLAIN, runtime, edits);
            check(&analysis, &format!("{runtime:?} {edits:?}"));
            analysis.arena_bytes()
        };
        let input = if runtime == RuntimeKind::Tflite { 512 } else { 0 };
        assert_eq!(arena(&[]), input + 1024 + 2048 + 256, "{runtime:?}");
        assert_eq!(arena(&["t2:bytes=1024"]), input + 1024 + 1024 + 256);
        assert_eq!(arena(&["t2:type=float32"]), input + 1024 + 8192 + 256);
        assert_eq!(arena(&["t1:outside"]), input + 2048 + 256);
        assert_eq!(arena(&["t1:outside", "t2:bytes=64"]), input + 64 + 256 + if input == 0 { 192 } else { 0 });
        assert_eq!(arena(&["t0:keep", "t1:keep", "t2:keep", "t3:keep"]), 512 + 1024 + 2048 + 256 + 64);
    }
}

#[test]
fn what_reads_a_tensor_after_its_end_is_told_and_is_no_fault() {
    for runtime in BOTH {
        // TFLite-Micro's step 0 is the start.
        let last = if runtime == RuntimeKind::Tflite { 1 } else { 2 };
        let edit = format!("t1:last={last}");
        let analysis = analyse(PLAIN, runtime, &[&edit]);
        check(&analysis, "ended");
        let sentences = said(&analysis);
        assert_eq!(sentences.len(), 1, "{sentences:?}");
        let expected = format!("op 2 op reads t1 after its end at step {last}; by then t3 has been put there");
        assert_eq!(sentences[0], expected);
        assert!(!analysis.warnings.iter().any(|warning| warning.code == "overwritten"));
        let verdict = report::check(&analysis, 1 << 20);
        assert_eq!(verdict.overwritten, Vec::<String>::new());
    }
    // An output that ends early, and TFLite's input, which the next run would find.
    let analysis = analyse(PLAIN, RuntimeKind::Tflite, &["t3:last=2", "t0:last=0"]);
    check(&analysis, "input and middle");
    assert!(said(&analysis).iter().any(|text| text.starts_with("op 3 op reads t3 after its end at step 2")));
    let analysis = analyse("in a:64\nop a -> b:64\nop a -> c:64\nout b c", RuntimeKind::Tflite, &["t1:last=0"]);
    check(&analysis, "output");
    assert!(said(&analysis).iter().any(|text| text.contains("t1 is an output")), "{:?}", said(&analysis));
}

#[test]
fn a_change_of_shared_bytes_is_made_to_all_of_them() {
    let shape = "f32[1,64]";
    let text =
        format!("in a:{shape}\nop a -> b:{shape}\nop a -> k:{shape}\nADD k b -> c:{shape}\nop k c -> d:{shape}\nout d");
    let plain = analyse(&text, RuntimeKind::Tflite, &[]);
    assert!(plain.program.buffers[3].alias_of.is_some(), "ADD works in place");
    assert_eq!(plain.arena_bytes(), 4 * 256);
    let edited = analyse(&text, RuntimeKind::Tflite, &["t3:type=int8"]);
    check(&edited, "alias");
    assert_eq!(edited.arena_bytes(), 3 * 256 + 64);
    assert_eq!((edited.program.buffers[1].size_bytes, edited.program.buffers[3].size_bytes), (Some(64), Some(64)));
    assert!(said(&edited).iter().any(|text| text.contains("it shares its bytes with t1")), "{:?}", said(&edited));
    let packed = analyse(&text, RuntimeKind::Tflite, &["t3:type=int4"]);
    assert_eq!(packed.program.buffers[3].size_bytes, Some(32));
    // Where it shares nothing there is nothing to say of it.
    let alone = analyse(&text, RuntimeKind::Tflm, &["t3:type=int4"]);
    check(&alone, "int4");
    assert_eq!(alone.program.buffers[3].size_bytes, Some(64));
    assert!(said(&alone).iter().any(|text| text.contains("a byte of its own")), "{:?}", said(&alone));
    assert!(!said(&alone).iter().any(|text| text.contains("shares")));
}

#[test]
fn tflite_micros_whole_arena_follows() {
    let plain = analyse(PLAIN, RuntimeKind::Tflm, &[]).figures();
    let edited = analyse(PLAIN, RuntimeKind::Tflm, &["t2:bytes=4096"]);
    assert_eq!(edited.arena_bytes(), plain.arena_bytes + 2048);
    // A model with custom operators is refused; so is its what-if.
    assert_eq!((plain.minimum_arena_bytes, edited.minimum_arena_bytes()), (None, None));
    let model = std::fs::read("www/samples/residual_block.tflite").unwrap();
    let of = |settings: &Settings| report::analyse(&model, "residual", settings).unwrap();
    let plain = of(&Settings::new(RuntimeKind::Tflm));
    let edited = of(&settings(RuntimeKind::Tflm, &["t3:bytes=100", "t9:bytes=100"]));
    let (before, after) = (plain.needs.as_ref().unwrap(), edited.needs.as_ref().unwrap());
    assert_eq!(before.tail_bytes, after.tail_bytes);
    assert_eq!(before.minimum_arena_bytes - after.minimum_arena_bytes, plain.arena_bytes() - edited.arena_bytes());
    // What the option `external` does is the same as moving outside.
    let outside = of(&settings(RuntimeKind::Tflm, &["t3:outside"]));
    let external = of(&Settings { external: vec![String::from("t3")], ..Settings::new(RuntimeKind::Tflm) });
    assert_eq!(outside.program.buffers[3].place, Place::External);
    assert_eq!((outside.arena_bytes(), &outside.needs), (external.arena_bytes(), &external.needs));
}

#[test]
fn the_report_names_the_what_ifs_and_only_them() {
    let plain = report::to_json(&analyse(PLAIN, RuntimeKind::Tflite, &[])).unwrap();
    assert!(!plain.contains("\"edits\""));
    let edited = analyse(PLAIN, RuntimeKind::Tflite, &["t2:bytes=1024", "t1:keep"]);
    let json: serde_json::Value = serde_json::from_str(&report::to_json(&edited).unwrap()).unwrap();
    assert_eq!(json["options"]["edits"], serde_json::json!(["t2:bytes=1024", "t1:keep"]));
    assert!(
        report::to_text(&edited)
            .contains("what-if, not this file's own plan: t2:bytes=1024, t1:keep; arena 1,024 bytes")
    );
    assert!(report::to_svg(&edited, None).unwrap().contains("what-if: 2 changes"));
    assert!(report::to_cpp(&edited).starts_with("// What-if"));
}

#[test]
fn tables_are_planned_again_only_when_something_is_changed() {
    let table = b"id,lower,upper,size,offset\nA,0,2,4,0\nB,1,3,4,100\n";
    let of = |edits: &[&str]| {
        let analysis = report::analyse(table, "table", &settings(RuntimeKind::Tflite, edits)).unwrap();
        check(&analysis, "table");
        analysis.arena_bytes()
    };
    assert_eq!(of(&[]), 104);
    assert_eq!(of(&["t1:bytes=6"]), 10);
    assert_eq!(of(&["t0:last=0"]), 4);
    assert_eq!(of(&["t0:outside"]), 4);
    // Moments far apart are counted by what changes.
    let far = b"id,lower,upper,size\nA,0,30000,4\nB,20000,50000,4\nC,40000,60000,8\n";
    let analysis = report::analyse(far, "far", &settings(RuntimeKind::Tflite, &["t1:last=1"])).unwrap();
    check(&analysis, "far");
}

/// A few what-ifs of every kind that fit `analysis`, chosen by a fixed sequence.
fn some_edits(analysis: &Analysis, round: usize) -> Vec<String> {
    let mut edits = Vec::new();
    let facts = report::Facts::new(analysis);
    for (index, buffer) in analysis.program.buffers.iter().enumerate() {
        let id = arenascope::units::BufferId::from_index(index);
        let (known, name) = (facts.buffer(id), buffer.reference());
        let Some((first, last)) = known.steps.filter(|_| known.offset_bytes.is_some()) else { continue };
        let state = buffer.place == Place::Persistent;
        match (index * 7 + round * 3) % 11 {
            0 => edits.push(format!("{name}:bytes={}", 1 + (index as u64 * 977) % 50_000)),
            1 if buffer.dtype.is_some() => edits.push(format!("{name}:type=int8")),
            2 if !state => edits.push(format!("{name}:last={}", first + (last - first) / 2)),
            3 if !state => edits.push(format!("{name}:keep")),
            4 if buffer.alias_of.is_none() => edits.push(format!("{name}:outside")),
            _ => {}
        }
        if edits.len() >= 12 {
            break;
        }
    }
    // An alias of something moved outside cannot be changed any more.
    edits.sort_by_key(|edit| edit.ends_with("outside"));
    edits
}

fn exercise(bytes: &[u8], name: &str) -> usize {
    let mut tried = 0;
    for runtime in BOTH {
        let Ok(plain) = report::analyse(bytes, name, &Settings::new(runtime)) else { continue };
        for round in 0..4 {
            let texts = some_edits(&plain, round);
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let what = format!("{name} {runtime:?} {texts:?}");
            for preserve_all_tensors in [false, true] {
                let settings = Settings { preserve_all_tensors, ..settings(runtime, &texts) };
                match report::analyse(bytes, name, &settings) {
                    Ok(analysis) => {
                        tried += analysis.settings.edits.len();
                        check(&analysis, &what);
                    }
                    Err(error) => assert!(
                        error.message.contains("it cannot end")
                            || error.message.contains("moved it")
                            || error.message.contains("in its time"),
                        "{what}: {error}"
                    ),
                }
            }
        }
    }
    tried
}

#[test]
fn plan_files_carry_the_what_ifs_of_samples() {
    let mut tried = 0;
    for name in ["keyword_spotting.tflite", "residual_block.tflite", "four_branches.tflite", "seven_buffers.csv"] {
        tried += exercise(&std::fs::read(Path::new("www/samples").join(name)).unwrap(), name);
    }
    assert!(tried > 40, "{tried}");
}

/// With `ARENASCOPE_CORPUS` set: the same on small real models.
#[test]
fn plan_files_carry_the_what_ifs_of_the_corpus() {
    let Some(corpus) = std::env::var_os("ARENASCOPE_CORPUS") else {
        println!("skipped: ARENASCOPE_CORPUS is not set");
        return;
    };
    let (mut tried, mut models) = (0, 0);
    for folder in [
        "cases",
        "models/own",
        "models/tensorflow+tflite-micro",
        "models/mlcommons+tiny",
        "models/google-ai-edge+LiteRT",
    ] {
        let mut paths: Vec<_> = std::fs::read_dir(Path::new(&corpus).join(folder)).unwrap().flatten().collect();
        paths.sort_by_key(std::fs::DirEntry::path);
        let small = paths.iter().filter(|entry| entry.metadata().is_ok_and(|meta| meta.len() < 400_000));
        for path in small.map(std::fs::DirEntry::path).filter(|path| path.extension().is_some_and(|e| e == "tflite")) {
            tried += exercise(&std::fs::read(&path).unwrap(), &path.display().to_string());
            models += 1;
        }
    }
    println!("{tried} what-ifs in {models} models");
    assert!(tried > models, "{tried}");
}

/// A plan file calls buffers, steps and types what the model's report calls them, so the same what-ifs fit.
#[test]
fn an_opened_plan_file_takes_the_what_ifs_of_its_model() {
    let text = "in a:100\nop a -> b:1000\nop b -> c:2000\nop b c -> d:300\nop d -> e:64\nout e";
    for runtime in BOTH {
        let file = report::to_plan_file(&analyse(text, runtime, &[]));
        for edit in ["t2:type=float32", "t1:bytes=50", "t1:last=2", "t2:keep", "t3:outside"] {
            let opened = report::analyse(file.as_bytes(), "plan", &settings(runtime, &[edit])).unwrap();
            check(&opened, edit);
            assert_eq!(opened.arena_bytes(), analyse(text, runtime, &[edit]).arena_bytes(), "{runtime:?} {edit}");
        }
        let ended = report::analyse(file.as_bytes(), "plan", &settings(runtime, &["t1:last=1"])).unwrap();
        let changed = report::to_plan_file(&ended);
        assert!(changed.contains("plan (what-if)"));
        let base = report::to_base_plan(&ended).unwrap();
        assert!(!base.contains("what-if") && !base.contains("what_if"), "{base}");
        // Opened again it still says what was changed, and so does what is made of it.
        let again = report::analyse(changed.as_bytes(), "again", &settings(runtime, &["t2:keep"])).unwrap();
        assert_eq!(again.source.as_ref().unwrap().what_if, ["t1:last=1"]);
        assert!(report::to_text(&again).contains("with a what-if (t1:last=1)"), "{}", report::to_text(&again));
        let twice = report::to_plan_file(&again);
        let twice = report::analyse(twice.as_bytes(), "twice", &settings(runtime, &[])).unwrap();
        assert_eq!(twice.source.unwrap().what_if, ["t1:last=1", "t2:keep"]);
    }
}
