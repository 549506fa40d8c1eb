//! `cargo xtask parity tflite [FOLDER]`: lays our plans beside what the real runtime gives, for any folder of models.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Result;
use crate::corpus;
use crate::shell::{self, cargo, command, run, say};

/// The script that asks the real runtime.
const SCRIPT: &str = "tests/parity/litert.py";
/// The facts about the packages' models.
const PACKAGES: &str = "tests/golden/tflite_packages.jsonl";
/// The facts about the models of one operator that the tests make.
const OPERATORS: &str = "tests/golden/tflite_ops.jsonl";

/// Compares every model below `folder` (the packages' models when none is given) and prints the first difference of
/// each. With `BLESS=1` and no folder, what the runtime gives becomes the tests' facts, also those about the models of
/// one operator.
pub fn command_tflite(folder: Option<&str>) -> Result<()> {
    let models = match folder {
        Some(folder) => fs::canonicalize(folder).map_err(|error| format!("{folder}: {error}"))?,
        None => corpus::ensure()?,
    };
    if folder.is_none() && std::env::var_os("BLESS").is_some() {
        bless_operators()?;
        bless(&ask(&models)?, PACKAGES)?;
    }
    let facts = ask(&models)?;
    let mut test = cargo(["test", "--package", "arenascope", "--test", "tflite", "folder", "--", "--nocapture"]);
    test.env("ARENASCOPE_FACTS", &facts).env("ARENASCOPE_MODELS", &models);
    run("compare", &mut test)
}

/// Lets the tests write their models of one operator, and asks about them.
fn bless_operators() -> Result<()> {
    let models = shell::target_dir().join("parity").join("operators");
    if models.exists() {
        fs::remove_dir_all(&models).map_err(|error| format!("cannot empty {}: {error}", models.display()))?;
    }
    fs::create_dir_all(&models).map_err(|error| format!("cannot make {}: {error}", models.display()))?;
    let mut write = cargo(["test", "--package", "arenascope", "--test", "tflite", "single_operators"]);
    run("write the models of one operator", write.env("ARENASCOPE_WRITE_MODELS", &models))?;
    bless(&ask(&models)?, OPERATORS)
}

fn bless(facts: &Path, golden: &str) -> Result<()> {
    let path = shell::root().join(golden);
    fs::copy(facts, &path).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    say(&format!("wrote {golden}"));
    Ok(())
}

/// Asks the real runtime about every model below `models`; gives the file with its answers.
fn ask(models: &Path) -> Result<PathBuf> {
    let python = corpus::litert()?;
    let dir = shell::target_dir().join("parity");
    fs::create_dir_all(&dir).map_err(|error| format!("cannot make {}: {error}", dir.display()))?;
    let facts = dir.join("facts.jsonl");
    say(&format!("ask the real runtime about {}", models.display()));
    let mut ask = command(&python.to_string_lossy(), [SCRIPT]);
    ask.arg(models);
    let answers = shell::output(&mut ask).ok_or_else(|| format!("{SCRIPT} failed"))?;
    fs::write(&facts, answers + "\n").map_err(|error| format!("cannot write {}: {error}", facts.display()))?;
    Ok(facts)
}
