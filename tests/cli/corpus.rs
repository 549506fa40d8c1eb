//! With `ARENASCOPE_CORPUS` set: every file of the corpus's `cases` is answered within a second, as the runtime model
//! promises, and never with a panic.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

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
    ("c21w_required_input_minus1", "input"),
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
            // A release build answers within a second on a quiet machine; a debug build is an order slower, and tests share it.
            let limit = if cfg!(debug_assertions) { 120 } else { 5 };
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
            if let Some((_, word)) = TOLD.iter().find(|(told, _)| *told == name) {
                assert!(said.to_lowercase().contains(word), "{name}, {runtime}: {said}");
            }
            count += 1;
        }
    }
    assert!(count >= 80, "only {count} answers");
}

/// With the corpus: reports about a sample of its models hold what the real runtimes gave for them.
#[test]
fn reports_hold_the_real_runtimes_answers() {
    let Some(corpus) = std::env::var_os("ARENASCOPE_CORPUS") else {
        println!("skipped: ARENASCOPE_CORPUS is not set");
        return;
    };
    let corpus = Path::new(&corpus);
    let folder = folder("answers");
    let mut wrong = Vec::new();
    let mut count = 0;
    for (file, args, check) in [
        ("tflite.jsonl", &["--runtime", "tflite"][..], tflite_difference as fn(&Value, &Value) -> Option<String>),
        ("tflite.jsonl", &["--runtime", "tflite", "--preserve-all-tensors"], preserving_difference),
        ("tflm.jsonl", &["--runtime", "tflm"], tflm_difference),
    ] {
        let facts = std::fs::read_to_string(corpus.join("golden").join(file)).unwrap();
        let facts = facts.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        // Every seventh of the models at hand.
        for fact in facts.filter(|fact| fact["model"].is_string()).step_by(7) {
            let model = fact["model"].as_str().unwrap();
            let path = corpus.join("models").join(model);
            let shown = path.to_string_lossy();
            let args: Vec<&str> = ["plan", &shown, "--format", "json"].iter().chain(args).copied().collect();
            let done = arenascope(&folder, &args, None);
            assert!(matches!(done.code, Some(0 | 3)), "{model}: {:?} {}", done.code, done.stderr);
            let report = serde_json::from_str(&done.stdout).unwrap_or(Value::Null);
            wrong.extend(check(&fact, &report).map(|difference| format!("{file} {model}: {difference}")));
            count += 1;
        }
    }
    println!("{} of {count} differ\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 60 && wrong.len() * 20 <= count, "{} of {count} differ:\n{}", wrong.len(), wrong.join("\n"));
}

fn tflite_difference(fact: &Value, report: &Value) -> Option<String> {
    tflite_places(fact, &fact["tensors"], report)
}

fn preserving_difference(fact: &Value, report: &Value) -> Option<String> {
    tflite_places(fact, &fact["preserve_all"], report)
}

/// The first tensor of the main arena whose offset is not the real address, less the first one's.
fn tflite_places(fact: &Value, tensors: &Value, report: &Value) -> Option<String> {
    // What the runtime refuses for want of a kernel is shown here all the same.
    if fact["error"].is_string() {
        return None;
    }
    let buffers = report["buffers"].as_array();
    let mut zero = None;
    for tensor in tensors.as_array()? {
        let (index, address) = (tensor[0].as_u64()?, tensor[2].as_i64());
        let is_it = |buffer: &&Value| buffer["subgraph"] == 0 && buffer["index"] == index;
        let Some(buffer) = buffers.and_then(|buffers| buffers.iter().find(is_it)) else {
            return Some(format!("no tensor {index}"));
        };
        let (Some(offset), Some(address), "arena") = (buffer["offset"].as_i64(), address, buffer["place"].as_str()?)
        else {
            continue;
        };
        let start = *zero.get_or_insert(address - offset);
        if address - start != offset {
            return Some(format!("tensor {index} at {offset}, the runtime's is at {}", address - start));
        }
    }
    None
}

fn tflm_difference(fact: &Value, report: &Value) -> Option<String> {
    let real = &fact["variants"]["32"];
    let is_refused = report["minimum_arena_bytes"].is_null();
    if real["error"].is_string() {
        return (!is_refused).then(|| format!("the runtime refuses it: {}", real["error"]));
    }
    let of = |value: &Value| value.as_i64().unwrap_or(-1);
    for (name, key) in [("head", "arena_bytes"), ("tail", "persistent_bytes"), ("used", "used_bytes")] {
        if of(&real[name]) != of(&report[key]) {
            return Some(format!("{name} is {}, not {}", real[name], report[key]));
        }
    }
    // Up to 15 bytes may be lost by the base's alignment.
    if of(&real["min_arena"]).abs_diff(of(&report["minimum_arena_bytes"])) > 15 {
        return Some(format!("the smallest arena is {}, not {}", real["min_arena"], report["minimum_arena_bytes"]));
    }
    let ours = report["buffers"].as_array()?;
    real["buffers"].as_array()?.iter().find_map(|buffer| {
        let ours = ours.iter().find(|ours| ours["ref"] == buffer[0]);
        let same = ours.is_some_and(|ours| {
            ours["offset"] == buffer[6] && ours["first_step"] == buffer[3] && ours["last_step"] == buffer[4]
        });
        // Scratch buffers of no bytes have a place in the runtime's list only.
        (!same && buffer[1] != 0).then(|| format!("{buffer}, not {}", ours.unwrap_or(&Value::Null)))
    })
}
