//! With `ARENASCOPE_CORPUS` set: every file of the corpus's `cases` is answered within a second, as the runtime model
//! promises, and never with a panic.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::{arenascope, folder};

/// Files about which something must be said, as the error or as a warning, with a word that it holds.
const TOLD: [(&str, &str); 11] = [
    ("c21a_bad_ident", "identifier"),
    ("c21b_empty", "empty"),
    ("c21c_html", "html"),
    ("c21d_truncated", "cut short"),
    ("c21g_buffer_oob", "buffer 9999"),
    ("c21i_opcode_oob", "operator code 77"),
    ("c21k_negative_dim", "-1"),
    ("c21t_future_op", "operator"),
    ("c21u_no_subgraphs", "no subgraphs"),
    ("c21w_required_input_minus1, tflm", "input"),
    ("c19_custom_op", "custom"),
];

#[test]
fn every_case_is_answered() {
    let Some(corpus) = std::env::var_os("ARENASCOPE_CORPUS") else {
        println!("skipped: ARENASCOPE_CORPUS is not set");
        return;
    };
    let cases = Path::new(&corpus).join("cases");
    let folder = folder("corpus");
    let mut paths: Vec<_> = std::fs::read_dir(cases).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let mut count = 0;
    for path in paths.iter().filter(|path| path.extension().is_some_and(|extension| extension == "tflite")) {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let shown = path.to_string_lossy();
        for runtime in ["tflite", "tflm"] {
            let start = Instant::now();
            let done = arenascope(&folder, &["plan", &shown, "--format", "json", "--runtime", runtime], None);
            let took = start.elapsed();
            // Debug builds are an order slower than what is promised for a release build.
            let limit = if cfg!(debug_assertions) { 15 } else { 1 };
            assert!(took < Duration::from_secs(limit), "{name}, {runtime}: {took:?}");
            assert!(matches!(done.code, Some(0 | 3)), "{name}, {runtime}: {:?} {}", done.code, done.stderr);
            let mut said = done.stderr.clone();
            if done.code == Some(0) {
                let report: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
                assert_eq!(report["schema"], 1, "{name}");
                assert_eq!(done.stderr, "", "{name}");
                said = report["warnings"].to_string();
            } else {
                assert_eq!(done.stdout, "", "{name}: a partial report");
                assert_eq!(done.stderr.lines().count(), 1, "{name}: {}", done.stderr);
            }
            if let Some((_, word)) =
                TOLD.iter().find(|(told, _)| *told == name || *told == format!("{name}, {runtime}"))
            {
                assert!(said.to_lowercase().contains(word), "{name}, {runtime}: {said}");
            }
            count += 1;
        }
    }
    assert!(count >= 80, "only {count} answers");
}
