//! Lays our plans for the `tflite` runtime beside what the real one gave.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test that cannot read its facts has failed")]

#[path = "tflite/golden.rs"]
mod golden;
#[path = "tflite/plain.rs"]
mod plain;
#[path = "tflite/random.rs"]
mod random;
#[path = "tflite/recurrent.rs"]
mod recurrent;
#[path = "tflite/shaping.rs"]
mod shaping;
#[path = "tflite/single.rs"]
mod single;
#[path = "support/mod.rs"]
mod support;

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// At least this share of the corpus's answers must be ours, in both modes.
const WANTED_PERCENT: usize = 99;

/// Compares every model that `facts` names, where its file is in `folder`, unless its name lacks the text in
/// `ARENASCOPE_ONLY`.
fn compare_all(facts: &Path, folder: &Path) -> golden::Tally {
    let only = std::env::var("ARENASCOPE_ONLY").unwrap_or_default();
    let mut tally = golden::Tally::default();
    for line in std::fs::read_to_string(facts).unwrap().lines() {
        let fact: golden::Fact = serde_json::from_str(line).unwrap();
        let Some(model) = fact.model.as_ref().filter(|model| model.contains(&only)) else { continue };
        let bytes = std::fs::read(folder.join(model)).unwrap();
        assert_eq!(digest(&bytes), fact.sha256, "{model} is another file than the facts are about");
        tally.add(model, &bytes, &fact);
    }
    tally
}

fn digest(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
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

/// With `ARENASCOPE_PACKAGES` set, as `cargo xtask test` does: the models of registry packages, all of them equal.
#[test]
fn packages() {
    let Some(packages) = folder_in("ARENASCOPE_PACKAGES") else { return };
    let facts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/tflite_packages.jsonl");
    let tally = compare_all(&facts, &packages);
    println!("{tally}");
    assert_eq!(tally.equal, tally.all, "{tally}");
}

/// Models of one operator over the variants of its kernel. With `ARENASCOPE_WRITE_MODELS` set to a folder, as
/// `BLESS=1 cargo xtask parity tflite` does, they are only written there, for the real runtime to see.
#[test]
fn single_operators() {
    let cases = single::cases();
    if let Some(folder) = std::env::var_os("ARENASCOPE_WRITE_MODELS") {
        for (name, bytes) in cases {
            std::fs::write(Path::new(&folder).join(format!("{name}.tflite")), bytes).unwrap();
        }
        return;
    }
    let facts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/tflite_ops.jsonl");
    let facts = std::fs::read_to_string(facts).unwrap();
    let facts: Vec<golden::Fact> = facts.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut tally = golden::Tally::default();
    for (name, bytes) in cases {
        let file = format!("{name}.tflite");
        let fact = facts
            .iter()
            .find(|fact| fact.model.as_ref() == Some(&file))
            .unwrap_or_else(|| panic!("no facts of {file}"));
        assert_eq!(fact.sha256, digest(&bytes), "{file} is another model than the facts are about");
        tally.add(&name, &bytes, fact);
    }
    println!("{tally}");
    assert_eq!(tally.equal, tally.all, "{tally}");
}

/// Thirty subgraphs, each an IF that calls the next one twice: a thousand million operators if all were followed.
#[test]
fn calls_that_multiply_end_in_an_error() {
    use arenascope::model::{BuiltinOp, DataType, OpOptions};
    use arenascope::units::SubgraphId;
    let graphs = (0..30_u32).map(|level| {
        let mut graph = support::Graph::new("level");
        let condition = graph.input("condition", &[1], DataType::Bool);
        if level < 29 {
            let (then_subgraph, else_subgraph) = (SubgraphId(level + 1), SubgraphId(level + 1));
            let call = support::Op::new(BuiltinOp::IF, &[condition, condition], &[]);
            graph.op(call.with(OpOptions::If { then_subgraph, else_subgraph }));
        }
        graph
    });
    let bytes = support::Model::new(graphs.collect()).build();
    let model = arenascope::model::read(&bytes).unwrap();
    let options = arenascope::runtime::Options::new(arenascope::runtime::RuntimeKind::Tflite);
    let error = arenascope::runtime::tflite::program(&model, &bytes, &options).unwrap_err();
    assert_eq!(error.kind, arenascope::error::ErrorKind::TooLarge, "{error}");
}

/// With `ARENASCOPE_FACTS` and `ARENASCOPE_MODELS` set, as `cargo xtask parity tflite` does: any folder.
#[test]
fn folder() {
    let (Some(facts), Some(models)) = (folder_in("ARENASCOPE_FACTS"), folder_in("ARENASCOPE_MODELS")) else { return };
    println!("{}", compare_all(&facts, &models));
}
