//! The order problems of real models, from the corpus that `ARENASCOPE_CORPUS` names: every one is solved and proven.

use std::path::Path;
use std::time::Instant;

use arenascope::schedule::Solver;

use crate::text::problem;

/// Best known peaks of those where the file's order can be beaten; everywhere else the given order is the best.
const BETTER: &[(&str, u64)] = &[
    ("alexa", 14_224),
    ("choo_choo_homie", 2_960),
    ("hand_recrop", 1_310_720),
    ("hey_home_assistant", 2_960),
    ("hey_jarvis", 14_224),
    ("hey_peppa_pig", 2_960),
    ("hps_model_2021_09_20_tiled", 236_272),
    ("hps_model_2022_01_05_74ops", 236_272),
    ("okay_computer", 2_960),
    ("okay_nabu", 14_224),
    ("okay_nabu-0689abe1", 2_960),
    ("rope", 1_030_400),
    ("toy_model_with_kv_cache_multi_signature", 2_624_000),
    ("vad", 1_264),
];

#[test]
fn real_models_are_solved_and_proven() {
    let Some(corpus) = std::env::var_os("ARENASCOPE_CORPUS") else {
        println!("skipped: ARENASCOPE_CORPUS is not set");
        return;
    };
    let mut files: Vec<_> = std::fs::read_dir(Path::new(&corpus).join("planner/orders"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "g"))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    let mut failed = Vec::new();
    for path in files {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let problem = problem(&std::fs::read_to_string(&path).unwrap());
        let given: Vec<usize> = (0..problem.ops().len()).collect();
        let given = problem.peak_bytes(&given).unwrap();
        let start = Instant::now();
        let mut solver = Solver::new(&problem);
        solver.step(2_000_000);
        let (seconds, best) = (start.elapsed().as_secs_f64(), solver.best());
        assert_eq!(problem.peak_bytes(&best.ops), Some(best.peak_bytes));
        let expected = BETTER.iter().find(|(model, _)| *model == name).map_or(given, |(_, peak)| *peak);
        println!(
            "{name:60} {:5} ops  given {given:9}  best {:9}  bound {:9}  expected {expected:9}  {:8} states {seconds:.3} s",
            problem.ops().len(),
            best.peak_bytes,
            best.bound_bytes,
            solver.states(),
        );
        if best.peak_bytes > expected || !best.is_proven() {
            failed.push(name);
        }
    }
    assert!(failed.is_empty(), "worse than known, or not proven: {failed:?}");
}
