//! Lays our plans for the `tflite` runtime beside what the real one gave.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test that cannot read its facts has failed")]

#[path = "tflite/golden.rs"]
mod golden;

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// At least this share of the corpus's answers must be ours, in both modes.
const WANTED_PERCENT: usize = 85;

/// Compares every model that `facts` names, where its file is in `folder`, unless its name lacks the text in
/// `ARENASCOPE_ONLY`.
fn compare_all(facts: &Path, folder: &Path) -> golden::Tally {
    let only = std::env::var("ARENASCOPE_ONLY").unwrap_or_default();
    let mut tally = golden::Tally::default();
    for line in std::fs::read_to_string(facts).unwrap().lines() {
        let fact: golden::Fact = serde_json::from_str(line).unwrap();
        let Some(model) = fact.model.as_ref().filter(|model| model.contains(&only)) else { continue };
        let bytes = std::fs::read(folder.join(model)).unwrap();
        let digest = format!("{:x}", Sha256::digest(&bytes));
        assert_eq!(digest, fact.sha256, "{model} is another file than the facts are about");
        tally.add(model, &bytes, &fact);
    }
    tally
}

fn folder_in(variable: &str) -> Option<PathBuf> {
    let folder = std::env::var_os(variable).map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: {variable} is not set");
    }
    folder
}

/// With `ARENASCOPE_CORPUS` set: every model at hand against the facts file that lies beside it.
#[test]
fn corpus() {
    let Some(corpus) = folder_in("ARENASCOPE_CORPUS") else { return };
    let tally = compare_all(&corpus.join("golden/tflite.jsonl"), &corpus.join("models"));
    println!("{tally}");
    assert!(tally.equal * 100 >= tally.all * WANTED_PERCENT, "{tally}");
}

/// With `ARENASCOPE_PACKAGES` set, as `cargo xtask test` does: the models of registry packages.
#[test]
fn packages() {
    let Some(packages) = folder_in("ARENASCOPE_PACKAGES") else { return };
    let facts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/tflite_packages.jsonl");
    let tally = compare_all(&facts, &packages);
    println!("{tally}");
    assert!(tally.equal * 100 >= tally.all * WANTED_PERCENT, "{tally}");
}

/// With `ARENASCOPE_FACTS` and `ARENASCOPE_MODELS` set, as `cargo xtask parity tflite` does: any folder.
#[test]
fn folder() {
    let (Some(facts), Some(models)) = (folder_in("ARENASCOPE_FACTS"), folder_in("ARENASCOPE_MODELS")) else { return };
    println!("{}", compare_all(&facts, &models));
}
