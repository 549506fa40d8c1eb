//! Lays our plans for the `tflite` runtime beside what the real one gave.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test that cannot read its facts has failed")]

#[path = "tflite/golden.rs"]
mod golden;

use std::path::Path;

/// At least this share of the corpus's answers must be ours, in both modes.
const WANTED_PERCENT: usize = 85;

/// With `ARENASCOPE_CORPUS` set: every model at hand against the facts file that lies beside it.
#[test]
fn corpus() {
    let Some(corpus) = std::env::var_os("ARENASCOPE_CORPUS") else {
        println!("skipped: ARENASCOPE_CORPUS is not set");
        return;
    };
    let corpus = Path::new(&corpus);
    let facts = std::fs::read_to_string(corpus.join("golden/tflite.jsonl")).unwrap();
    let only = std::env::var("ARENASCOPE_ONLY").unwrap_or_default();
    let mut tally = golden::Tally::default();
    for line in facts.lines() {
        let fact: golden::Fact = serde_json::from_str(line).unwrap();
        let Some(model) = &fact.model else { continue };
        if fact.error.is_some() || !model.contains(&only) {
            continue;
        }
        let bytes = std::fs::read(corpus.join("models").join(model)).unwrap();
        tally.add(model, &bytes, &fact);
    }
    println!("{tally}");
    assert!(tally.equal * 100 >= tally.all * WANTED_PERCENT, "{tally}");
}
