//! `cargo xtask parity tflite|tflm [FOLDER]`: lays our plans beside what the real runtime gives, for any folder of models.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Result;
use crate::corpus;
use crate::shell::{self, cargo, command, run, say};

/// The script that asks the real runtime.
const SCRIPT: &str = "tests/parity/litert.py";
/// New dims of inputs that are tried too, by model.
const RESIZES: &str = "tests/parity/resizes.json";
/// The facts about the packages' models.
const PACKAGES: &str = "tests/golden/tflite_packages.jsonl";
/// The facts about the models of one operator that the tests make.
const OPERATORS: &str = "tests/golden/tflite_ops.jsonl";
/// The script that asks TFLite-Micro's wheel.
const MICRO_SCRIPT: &str = "tests/parity/tflm.py";
/// What the wheel gives for the packages' models.
const MICRO_PACKAGES: &str = "tests/golden/tflm_wheel.jsonl";
/// What the wheel gives for the models of one operator that the tests make.
const MICRO_GENERATED: &str = "tests/golden/tflm_generated.jsonl";

/// Compares every model below `folder` (the packages' models when none is given) and prints the first difference of
/// each. With `BLESS=1` and no folder, what the runtime gives becomes the tests' facts, also those about the models of
/// one operator.
pub fn command_tflite(folder: Option<&str>) -> Result<()> {
    let models = models(folder)?;
    if folder.is_none() && std::env::var_os("BLESS").is_some() {
        bless_operators()?;
        bless(&ask(&models)?, PACKAGES)?;
    }
    let facts = ask(&models)?;
    let mut test = cargo(["test", "--package", "arenascope", "--test", "tflite", "folder", "--", "--nocapture"]);
    test.env("ARENASCOPE_FACTS", &facts).env("ARENASCOPE_MODELS", &models);
    run("compare", &mut test)
}

/// As [`command_tflite`], with TFLite-Micro's wheel: head, tail and the smallest arena of each model.
pub fn command_tflm(folder: Option<&str>) -> Result<()> {
    let models = models(folder)?;
    let facts = ask_micro(&models, "tflm.jsonl")?;
    if folder.is_none() && std::env::var_os("BLESS").is_some() {
        bless(&facts, MICRO_PACKAGES)?;
        let generated = written_models("generated", "tflm", "write_generated", "ARENASCOPE_GENERATED")?;
        bless(&ask_micro(&generated, "tflm_generated.jsonl")?, MICRO_GENERATED)?;
    }
    let mut test = cargo(["test", "--package", "arenascope", "--test", "tflm", "folder", "--", "--nocapture"]);
    test.env("ARENASCOPE_WHEEL_FACTS", &facts).env("ARENASCOPE_MODELS", &models);
    run("compare", &mut test)
}

/// The folder that was asked for, or that of the packages' models.
fn models(folder: Option<&str>) -> Result<PathBuf> {
    match folder {
        Some(folder) => fs::canonicalize(folder).map_err(|error| format!("{folder}: {error}")),
        None => corpus::ensure(),
    }
}

/// Lets the tests write their models of one operator, and asks about them.
fn bless_operators() -> Result<()> {
    let models = written_models("operators", "tflite", "single_operators", "ARENASCOPE_WRITE_MODELS")?;
    bless(&ask(&models)?, OPERATORS)
}

/// Lets a test write its models into a fresh folder.
fn written_models(name: &str, target: &str, test: &str, variable: &str) -> Result<PathBuf> {
    let models = shell::target_dir().join("parity").join(name);
    if models.exists() {
        fs::remove_dir_all(&models).map_err(|error| format!("cannot empty {}: {error}", models.display()))?;
    }
    fs::create_dir_all(&models).map_err(|error| format!("cannot make {}: {error}", models.display()))?;
    let mut write = cargo(["test", "--package", "arenascope", "--test", target, test]);
    run("write the models of one operator", write.env(variable, &models))?;
    Ok(models)
}

fn bless(facts: &Path, golden: &str) -> Result<()> {
    let path = shell::root().join(golden);
    fs::copy(facts, &path).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    say(&format!("wrote {golden}"));
    Ok(())
}

/// Asks the real runtime about every model below `models`; gives the file with its answers.
fn ask(models: &Path) -> Result<PathBuf> {
    answers(&corpus::litert()?, SCRIPT, models, "facts.jsonl")
}

/// Asks TFLite-Micro's wheel about every model below `models`.
fn ask_micro(models: &Path, name: &str) -> Result<PathBuf> {
    answers(&corpus::tflite_micro()?, MICRO_SCRIPT, models, name)
}

/// Runs a script that answers for every model below `models`, into a file of that name.
fn answers(python: &Path, script: &str, models: &Path, name: &str) -> Result<PathBuf> {
    let dir = shell::target_dir().join("parity");
    fs::create_dir_all(&dir).map_err(|error| format!("cannot make {}: {error}", dir.display()))?;
    let facts = dir.join(name);
    say(&format!("ask the real runtime about {}", models.display()));
    let mut ask = command(&python.to_string_lossy(), [script]);
    ask.arg(models).arg(RESIZES);
    let answers = shell::output(&mut ask).ok_or_else(|| format!("{script} failed"))?;
    fs::write(&facts, answers + "\n").map_err(|error| format!("cannot write {}: {error}", facts.display()))?;
    Ok(facts)
}
