//! The whole pipeline on damaged models: whatever the bytes, an analysis and all that is printed of it, or one error;
//! never a panic, never long.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test that cannot prepare its models has failed")]

mod support;

use std::path::Path;
use std::time::{Duration, Instant};

use arenascope::container::PlanFigures;
use arenascope::plan::Strategy;
use arenascope::report::{self, Settings, view};
use arenascope::runtime::RuntimeKind;

/// The next number of a fixed sequence (Knuth's MMIX), below `below`.
fn random(state: &mut u64, below: usize) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    usize::try_from(*state >> 33).unwrap() % below.max(1)
}

/// Changes a few bytes or words of `bytes`, or cuts it short.
fn damage(bytes: &mut Vec<u8>, state: &mut u64) {
    for _ in 0..=random(state, 4) {
        let at = random(state, bytes.len());
        match random(state, 8) {
            0 => bytes.truncate(at.max(8)),
            1..=3 => bytes[at] ^= 1 << random(state, 8),
            4 => bytes[at] = [0, 1, 127, 128, 255][random(state, 5)],
            _ => {
                let at = at & !3;
                let word = [0_u32, 1, 2, 0xffff_ffff, 0x7fff_ffff, 0x8000_0000, 65_536, 1000][random(state, 8)];
                if let Some(place) = bytes.get_mut(at..at + 4) {
                    place.copy_from_slice(&word.to_le_bytes());
                }
            }
        }
    }
}

/// Analyses `bytes` and prints all that can be printed; whether it was a model.
fn exercise(bytes: &[u8], runtime: RuntimeKind, what: &str) -> bool {
    let start = Instant::now();
    let result = report::analyse(bytes, "damaged.tflite", &Settings::new(runtime));
    let is_model = result.is_ok();
    match result {
        Ok(analysis) => {
            let printed = [report::to_text(&analysis), report::to_csv(&analysis), report::to_plan_file(&analysis)];
            assert!(printed.iter().all(|text| !text.is_empty()), "{what}");
            if let Ok(json) = report::to_json(&analysis) {
                let value: serde_json::Value = serde_json::from_str(&json).unwrap();
                assert_eq!(value["buffers"].as_array().map(Vec::len), Some(analysis.program.buffers.len()), "{what}");
            }
            let plan_file = report::analyse(printed[2].as_bytes(), "again", &Settings::new(runtime));
            let again = plan_file.unwrap_or_else(|error| panic!("{what}: our own plan file: {error}"));
            assert_eq!(again.arena_bytes(), analysis.arena_bytes(), "{what}");
        }
        Err(error) => assert!(!error.message.is_empty() && !error.to_string().contains('\n'), "{what}: {error}"),
    }
    assert!(start.elapsed() < Duration::from_secs(20), "{what}: {:?}", start.elapsed());
    is_model
}

/// Damages each of `models` `rounds` times, each time for both runtimes.
fn rounds(models: &[(String, Vec<u8>)], rounds: usize) {
    let mut state = 42;
    let mut read = 0;
    for (name, sound) in models {
        for round in 0..rounds {
            let mut bytes = sound.clone();
            if round > 0 && !bytes.is_empty() {
                damage(&mut bytes, &mut state);
            }
            for runtime in [RuntimeKind::Tflite, RuntimeKind::Tflm] {
                read += usize::from(exercise(&bytes, runtime, &format!("{name}, round {round}, {runtime:?}")));
            }
        }
    }
    let all = 2 * rounds * models.len();
    println!("{read} of {all} damaged models were read all the same");
    assert!(read * 20 > all, "damage so great that it reaches nothing: {read} of {all}");
}

#[test]
fn damaged_models_give_an_analysis_or_an_error() {
    let texts = [
        "in a:16\nop a -> b:32\nop b -> c:16\nADD a c -> d:16\nout d",
        "in a:f32[1,8]\nRELU a -> b:f32[1,8]\nSOFTMAX b -> c:f32[1,8]\nLOGISTIC c -> d:f32[1,8]\nout d",
        "in a:f32[1,8] b:f32[1,8]\nvar s:f32[1,8]\nADD a b -> c:f32[1,8]\nMUL c s -> d:f32[1,8]\nout c d",
        "in a:f32[4]\nconst w:f32[4]\nSUB a w -> b:f32[4]\nout b\ngraph other\nin x:f32[4]\nNEG x -> y:f32[4]\nout y",
    ];
    let models = texts.map(|text| (text.to_owned(), support::graph_text::parse(text).build()));
    rounds(&models, 150);
}

#[test]
fn hostile_names_stay_text_in_every_print() {
    let hostile = "</title><script>alert(1)</script>\n\u{1b}[31m\"'&\u{202e}";
    let mut model = support::graph_text::parse("in a:16\nRELU a -> b:16\nout b");
    model.graphs[0].tensors[0].name = hostile.to_owned();
    model.graphs[0].ops[0] = support::Op::custom(hostile, &[0], &[1]);
    for runtime in [RuntimeKind::Tflite, RuntimeKind::Tflm] {
        let analysis = report::analyse(&model.build(), hostile, &Settings::new(runtime)).unwrap();
        let (html, svg) = (report::to_html(&analysis).unwrap(), report::to_svg(&analysis, None).unwrap());
        for page in [&html, &svg] {
            assert!(!page.contains("<script") && !page.contains('\u{1b}') && !page.contains('\u{202e}'), "{page}");
        }
        assert!(html.contains("&lt;script&gt;"), "the name is shown as text");
        let text = report::to_text(&analysis);
        assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'), "{text}");
        let json: serde_json::Value = serde_json::from_str(&report::to_json(&analysis).unwrap()).unwrap();
        assert_eq!(json["buffers"][0]["name"], hostile, "programs get the name as it is");
    }
}

/// What a terminal obeys and JSON lets stand: C1 controls, line separators, a direction mark.
#[test]
fn terminal_controls_stay_out_of_text_and_are_escaped_in_json() {
    const SIGNS: [char; 6] = ['\u{7f}', '\u{9b}', '\u{61c}', '\u{2028}', '\u{2029}', '\u{202e}'];
    let hostile: String = SIGNS.iter().collect();
    let mut model = support::graph_text::parse("in a:16\nRELU a -> b:16\nout b");
    model.graphs[0].tensors[0].name.clone_from(&hostile);
    let analysis = report::analyse(&model.build(), &hostile, &Settings::new(RuntimeKind::Tflite)).unwrap();
    let json = report::to_json(&analysis).unwrap();
    for print in [&report::to_text(&analysis), &json, &report::to_plan_file(&analysis)] {
        assert!(!print.contains(SIGNS), "{print:?}");
    }
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["buffers"][0]["name"], hostile.as_str(), "programs get the name as it is");
}

#[test]
fn an_offline_plan_above_the_runtimes_own_is_never_called_the_least() {
    let mut model = support::graph_text::parse("in a:64\nNEG a -> b:64\nNEG b -> c:64\nout c");
    model.offline_plan(&[0, 256, -1]);
    let analysis = report::analyse(&model.build(), "offline", &Settings::new(RuntimeKind::Tflm)).unwrap();
    let placed = &analysis.arenas[0];
    assert_eq!((analysis.arena_bytes(), placed.optimal, placed.better), (320, Some(false), None));
    let told = analysis.warnings.iter().find(|warning| warning.code == "offline-plan").unwrap();
    assert!(told.message.contains("places 2 of 3") && told.message.contains("needs 128 bytes"), "{}", told.message);
    let (bytes, settings) = (model.build(), Settings::new(RuntimeKind::Tflm));
    let advices = report::advice(&bytes, "offline", &settings, arenascope::advise::Effort::default()).unwrap();
    assert!(advices.verdict.ends_with("without the offline plan in the file"), "{}", advices.verdict);
    model.metadata.clear();
    model.offline_plan(&[0, 64, 0]);
    let analysis = report::analyse(&model.build(), "offline", &settings).unwrap();
    assert_eq!((analysis.arena_bytes(), analysis.arenas[0].optimal), (128, Some(true)));
}

#[test]
fn a_check_says_what_tflite_refuses_and_what_is_not_known() {
    let model = support::graph_text::parse("in a:16\nop a -> b:16\nout b");
    let check = |bytes: &[u8]| {
        let analysis = report::analyse(bytes, "model", &Settings::new(RuntimeKind::Tflite)).unwrap();
        report::check(&analysis, 4096)
    };
    let mut bytes = model.build();
    let custom = check(&bytes);
    assert!(custom.holds() && custom.is_lower_bound && custom.to_text().contains("needs at least "), "{custom:?}");
    bytes[4..8].copy_from_slice(b"TFLX");
    let renamed = check(&bytes);
    assert!(!renamed.holds() && renamed.refused.is_some_and(|reason| reason.contains("TFLX")));
}

#[test]
fn tensors_at_the_peak_go_by_their_own_size_where_the_runtime_rounds() {
    let model = support::graph_text::parse("in a:1 b:9\nADD a b -> c:16\nout c");
    let analysis = report::analyse(&model.build(), "rounded", &Settings::new(RuntimeKind::Tflm)).unwrap();
    let peak = analysis.timeline().peak(arenascope::units::ArenaId(0)).unwrap();
    let names: Vec<_> = peak.buffers.iter().map(|id| analysis.program.buffer(*id).name.as_str()).collect();
    assert_eq!(names, ["c", "b", "a"]);
}

/// With `ARENASCOPE_CORPUS` set: the same on small real models.
#[test]
fn damaged_corpus() {
    let Some(corpus) = std::env::var_os("ARENASCOPE_CORPUS") else {
        println!("skipped: ARENASCOPE_CORPUS is not set");
        return;
    };
    let mut models = Vec::new();
    for folder in ["cases", "models/own", "models/tensorflow+tflite-micro", "models/google-ai-edge+LiteRT"] {
        let mut paths: Vec<_> = std::fs::read_dir(Path::new(&corpus).join(folder)).unwrap().flatten().collect();
        paths.sort_by_key(std::fs::DirEntry::path);
        let small = paths.into_iter().filter(|entry| entry.metadata().is_ok_and(|meta| meta.len() < 40_000));
        models.extend(small.map(|entry| (entry.path().display().to_string(), std::fs::read(entry.path()).unwrap())));
    }
    models.retain(|(name, _)| name.ends_with(".tflite"));
    let count = std::env::var("ARENASCOPE_ROUNDS").ok().and_then(|count| count.parse().ok()).unwrap_or(4);
    rounds(&models, count);
}

#[test]
fn a_plan_file_opens_as_the_plan_it_was() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("www/samples");
    for name in ["keyword_spotting.tflite", "residual_block.tflite", "four_branches.tflite"] {
        let bytes = std::fs::read(samples.join(name)).unwrap();
        for runtime in [RuntimeKind::Tflite, RuntimeKind::Tflm] {
            for planner in [None, Some(Strategy::Optimal)] {
                let settings = Settings { planner, ..Settings::new(runtime) };
                let first = report::analyse(&bytes, name, &settings).unwrap();
                let file = report::to_plan_file(&first);
                let again = report::analyse(file.as_bytes(), name, &settings).unwrap();
                let what = format!("{name} {runtime:?} {planner:?}");
                assert_eq!(report::to_plan_file(&again), file, "{what}: shared again");
                assert_eq!(again.source.as_ref().unwrap().figures.minimum_bytes, first.minimum_arena_bytes(), "{what}");
                let [first, again] =
                    [first, again].map(|one| serde_json::to_value(view::report(&one).unwrap()).unwrap());
                assert_eq!(again["peak"], first["peak"], "{what}");
                let placed = |report: &serde_json::Value| {
                    let list = report["buffers"].as_array().unwrap();
                    let roots = list.iter().filter(|one| one["place"] == "arena" && one["alias_of"].is_null());
                    let mut roots: Vec<_> = roots.cloned().collect();
                    for one in &mut roots {
                        // An alias shares its root's bytes, and a plan file has no aliases.
                        one["share_count"] = serde_json::Value::Null;
                    }
                    roots.sort_by_key(|one| one["ref"].to_string());
                    roots
                };
                assert_eq!(placed(&again), placed(&first), "{what}");
            }
        }
    }
}

#[test]
fn a_plan_file_keeps_the_runtime_it_was_made_for() {
    let model = support::graph_text::parse("in a:16\nRELU a -> b:32\nRELU b -> c:16\nout c").build();
    let micro = Settings { abi: arenascope::runtime::Abi::Lp64, ..Settings::new(RuntimeKind::Tflm) };
    for (made, other) in
        [(micro.clone(), Settings::new(RuntimeKind::Tflite)), (Settings::new(RuntimeKind::Tflite), micro)]
    {
        let first = report::analyse(&model, "m", &made).unwrap();
        let file = report::to_plan_file(&first);
        // Whatever runtime is chosen when it is opened.
        let again = report::analyse(file.as_bytes(), "m", &other).unwrap();
        assert_eq!(report::to_plan_file(&again), file, "{made:?}");
        let [was, now] = [&first, &again].map(|one| serde_json::to_value(view::report(one).unwrap()).unwrap());
        assert_eq!(now["options"], was["options"], "{made:?}");
        assert_eq!(now["peak"], was["peak"], "{made:?}");
        let figures = again.stated_figures();
        assert_eq!(
            (figures.minimum_bytes, figures.persistent_bytes),
            (first.minimum_arena_bytes(), first.persistent_bytes())
        );
        let (text, checked) = (report::to_text(&again), report::check(&again, 1 << 20));
        let is_micro = made.runtime == RuntimeKind::Tflm;
        assert_eq!(text.contains("set the arena to "), is_micro, "{text}");
        assert!(
            text.contains(if is_micro {
                "planned for TFLite-Micro, without its model"
            } else {
                "planned for TFLite, without"
            }),
            "{text}"
        );
        let needed = first.minimum_arena_bytes().unwrap_or(first.arena_bytes());
        assert_eq!(checked.needed_bytes, needed, "{checked:?}");
        // Planned anew, the whole arena is no longer known, and it is said.
        let anew = Settings { planner: Some(Strategy::NoReuse), ..other };
        let text = report::to_text(&report::analyse(file.as_bytes(), "m", &anew).unwrap());
        assert!(!text.contains("set the arena to "), "{text}");
        assert_eq!(text.contains("only the model tells: this is its planned part alone"), is_micro, "{text}");
    }
    let table =
        report::analyse(b"id,lower,upper,size\na,0,2,10\n", "t.csv", &Settings::new(RuntimeKind::Tflm)).unwrap();
    let text = report::to_text(&table);
    assert!(!text.contains("set the arena") && text.contains("arena               10 bytes"), "{text}");
}

#[test]
fn a_plan_file_says_which_planner_made_it() {
    let model = support::graph_text::parse("in a:16\nRELU a -> b:32\nRELU b -> c:16\nout c").build();
    let settings = Settings { planner: Some(Strategy::NoReuse), ..Settings::new(RuntimeKind::Tflite) };
    let file = report::to_plan_file(&report::analyse(&model, "m", &settings).unwrap());
    let again = report::analyse(file.as_bytes(), "m", &Settings::new(RuntimeKind::Tflite)).unwrap();
    assert_eq!(view::report(&again).unwrap().options.planner, "no-reuse");
    assert_eq!(report::to_plan_file(&again), file);
}

#[test]
fn a_plan_that_overwrites_says_so_and_is_never_called_the_least() {
    // As high as the bound, but the second lies over the first.
    let high = "id,lower,upper,size,offset\na,0,2,10,0\nb,1,3,20,5\nc,0,1,20,10\n";
    for table in ["id,lower,upper,size,offset\na,0,2,10,0\nb,1,3,20,5\n", high] {
        let analysis = report::analyse(table.as_bytes(), "t.csv", &Settings::new(RuntimeKind::Tflite)).unwrap();
        assert_eq!(view::report(&analysis).unwrap().optimal, None, "{table}");
        let html = report::to_html(&analysis).unwrap();
        for text in [report::to_text(&analysis), html] {
            let sentence = "this plan overwrites live tensors: step 1 (STEP 1) writes t1 over bytes 5 to 9 of t0";
            assert!(text.contains(sentence), "{text}");
            assert!(!text.contains("no plan of this order"), "{text}");
        }
    }
    let sound = "id,lower,upper,size,offset\na,0,2,10,20\nb,1,3,20,0\n";
    let sound = report::analyse(sound.as_bytes(), "t.csv", &Settings::new(RuntimeKind::Tflite)).unwrap();
    let text = report::to_text(&sound);
    assert!(text.contains("no plan of this order of ops is smaller") && !text.contains("overwrites"), "{text}");
}

#[test]
fn what_a_plan_file_says_of_its_model_holds_only_for_its_own_plan() {
    let model = support::graph_text::parse("in a:16\nRELU a -> b:32\nRELU b -> c:16\nout c").build();
    let settings = Settings::new(RuntimeKind::Tflm);
    let file = report::to_plan_file(&report::analyse(&model, "m", &settings).unwrap());
    let said = |settings: &Settings| report::analyse(file.as_bytes(), "m", settings).unwrap().source.unwrap();
    assert!(said(&settings).figures.set_bytes.is_some());
    let others = [
        Settings { planner: Some(Strategy::NoReuse), ..settings.clone() },
        Settings { alignment: Some(128), ..settings.clone() },
    ];
    for other in others {
        let said = said(&other);
        assert_eq!((said.figures, said.sha256.len()), (PlanFigures::default(), 64), "{other:?}");
    }
    // Two buffers of one name: then they are called by their rows.
    let twice = file.replace("\"t1\"", "\"t0\"");
    let twice = report::analyse(twice.as_bytes(), "m", &settings).unwrap();
    let references: Vec<_> = twice.program.buffers.iter().map(arenascope::runtime::Buffer::reference).collect();
    assert_eq!(references, ["t0", "t1", "t2"]);
    let far = file.replace("\"t1\"", "\"s4294967295:t1\"");
    assert!(report::analyse(far.as_bytes(), "m", &settings).is_ok());
}
