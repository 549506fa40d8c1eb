//! Recorded facts: of a corpus beside the project, of registry packages' models, and of the Python wheel for any folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use arenascope::advise::compare::compare;
use arenascope::model;
use arenascope::runtime::tflm::{self, Condition, Recorded, RecordingLog};
use arenascope::runtime::{Options, RuntimeKind, tflite};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::facts::{self, Facts};
use crate::generated;

/// At least so many of a hundred models must be equal, in every build.
const WANTED_PERCENT: usize = 99;

fn folder_in(variable: &str) -> Option<PathBuf> {
    let folder = std::env::var_os(variable).map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: {variable} is not set");
    }
    folder
}

fn golden(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)).unwrap()
}

fn sha256(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
}

/// All files below `dir`, by the hash of their bytes.
fn files(dir: &Path, found: &mut BTreeMap<String, PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.insert(sha256(&fs::read(&path).unwrap()), path);
        }
    }
}

/// How many models are equal, and how many refusals agreed on.
#[derive(Debug, Default)]
struct Tally {
    /// By build: equal, all with an answer.
    builds: BTreeMap<String, (usize, usize)>,
    /// Refused by both, refused by the runtime.
    refusals: (usize, usize),
}

impl Tally {
    fn add(&mut self, facts: &Facts, bytes: &[u8]) {
        for (name, variant) in &facts.variants {
            let planned = facts::planned(bytes, &facts::options(name));
            if let Some(error) = &variant.error {
                self.refusals.1 += 1;
                if planned.is_ok_and(|planned| planned.needs.is_some()) {
                    println!("{name} {}: loads, but the runtime says {error:?}", facts.source);
                } else {
                    self.refusals.0 += 1;
                }
                continue;
            }
            let differences = match planned {
                Ok(planned) => facts::differences(&planned, variant),
                Err(error) => vec![error.to_string()],
            };
            self.count(name, &facts.source, &differences);
        }
    }

    fn count(&mut self, build: &str, source: &str, differences: &[String]) {
        let build_tally = self.builds.entry(build.to_owned()).or_default();
        build_tally.1 += 1;
        if differences.is_empty() {
            build_tally.0 += 1;
        } else {
            println!("{build} {source}: {}", differences[..differences.len().min(3)].join("\n    "));
        }
    }

    fn check(&self) {
        println!("refusals agreed on: {} of {}", self.refusals.0, self.refusals.1);
        for (name, (equal, all)) in &self.builds {
            println!("{name}: {equal} of {all} equal");
        }
        for (name, (equal, all)) in &self.builds {
            assert!(equal * 100 >= all * WANTED_PERCENT, "{name}: only {equal} of {all} models are equal");
        }
    }
}

/// With `ARENASCOPE_CORPUS` set: every model at hand against the facts file that lies beside it, unless its source lacks
/// the text in `ARENASCOPE_ONLY`.
#[test]
fn corpus() {
    let Some(corpus) = folder_in("ARENASCOPE_CORPUS") else { return };
    let only = std::env::var("ARENASCOPE_ONLY").unwrap_or_default();
    let mut models = BTreeMap::new();
    files(&corpus.join("models"), &mut models);
    let mut tally = Tally::default();
    for line in fs::read_to_string(corpus.join("golden/tflm.jsonl")).unwrap().lines() {
        let facts: Facts = serde_json::from_str(line).unwrap();
        let Some(path) = models.get(&facts.sha256).filter(|_| facts.source.contains(&only)) else { continue };
        let bytes = fs::read(path).unwrap();
        tally.add(&facts, &bytes);
        sums_up(&facts.source, &bytes);
    }
    tally.check();
}

/// With `ARENASCOPE_PACKAGES` set, as `cargo xtask test` does: the models of registry packages.
#[test]
fn packages() {
    let Some(packages) = folder_in("ARENASCOPE_PACKAGES") else { return };
    let mut tally = Tally::default();
    for line in golden("tflm_packages.jsonl").lines() {
        let facts: Facts = serde_json::from_str(line).unwrap();
        let bytes = fs::read(packages.join(facts.file.as_ref().unwrap())).unwrap();
        assert_eq!(sha256(&bytes), facts.sha256, "{} is another file than the facts are about", facts.source);
        tally.add(&facts, &bytes);
    }
    tally.check();
}

/// What the wheel gives for one model.
#[derive(Debug, Deserialize)]
struct WheelFacts {
    file: String,
    sha256: String,
    error: Option<String>,
    #[serde(default)]
    head: u64,
    #[serde(default)]
    tail: u64,
    #[serde(default)]
    minimum: u64,
    #[serde(default)]
    kinds: BTreeMap<String, u64>,
}

/// Lays every model below `models` that the wheel was asked about beside its answer.
fn compare_wheel(text: &str, models: &Path) -> Tally {
    compare_wheel_with(text, |file| fs::read(models.join(file)).unwrap())
}

fn compare_wheel_with(text: &str, read: impl Fn(&str) -> Vec<u8>) -> Tally {
    let mut tally = Tally::default();
    for line in text.lines().filter(|line| !line.is_empty()) {
        let wheel: WheelFacts = serde_json::from_str(line).unwrap();
        let bytes = read(&wheel.file);
        assert_eq!(sha256(&bytes), wheel.sha256, "{} is another file than the facts are about", wheel.file);
        let planned = facts::planned(&bytes, &facts::wheel());
        if let Some(error) = &wheel.error {
            tally.refusals.1 += 1;
            match planned {
                Ok(planned) if planned.needs.is_some() => {
                    println!("{}: loads, but the wheel says {error:?}", wheel.file);
                }
                _ => tally.refusals.0 += 1,
            }
            continue;
        }
        let differences = match planned {
            Ok(planned) => wheel_differences(&planned, &wheel),
            Err(error) => vec![error.to_string()],
        };
        tally.count("wheel", &wheel.file, &differences);
    }
    tally
}

fn wheel_differences(planned: &facts::Planned, wheel: &WheelFacts) -> Vec<String> {
    let Some(needs) = &planned.needs else { return vec![format!("refused: {:?}", planned.micro().refusal)] };
    let kinds = wheel.kinds.iter().map(|(name, bytes)| Recorded {
        name: name.clone(),
        used_bytes: *bytes,
        requested_bytes: *bytes,
        count: 1,
    });
    let (head_bytes, tail_bytes) = (Some(wheel.head), Some(wheel.tail));
    let log = RecordingLog { total_bytes: None, head_bytes, tail_bytes, kinds: kinds.collect() };
    let differences = tflm::compare_recording(planned.micro(), needs, &log);
    let mut found: Vec<String> = differences.iter().map(|difference| format!("{difference:?}")).collect();
    // The wheel's arena is one of whole multiples of 16 bytes. Where one node's temporaries decide, it also works in a
    // slightly smaller one by accident: the tail then overwrites structs whose bytes nobody happens to need any more.
    let minimum = needs.minimum_arena_bytes.next_multiple_of(tflm::ALIGNMENT);
    let by_accident =
        needs.deciding == Condition::Temporaries && (16..=48).contains(&minimum.saturating_sub(wheel.minimum));
    if minimum != wheel.minimum && !by_accident {
        found.push(format!("minimum {minimum}, but the wheel needs {}", wheel.minimum));
    }
    found
}

/// The generated models, one for each operator, against the facts in the repository.
#[test]
fn generated_models_equal_the_wheel() {
    let models: BTreeMap<String, Vec<u8>> =
        generated::models().into_iter().map(|(name, bytes)| (format!("{name}.tflite"), bytes)).collect();
    let text = golden("tflm_generated.jsonl");
    let tally =
        compare_wheel_with(&text, |file| models.get(file).cloned().expect("facts are about another set of models"));
    assert_eq!(text.lines().filter(|line| !line.is_empty()).count(), models.len(), "ask the wheel anew");
    assert_eq!(tally.refusals.0, tally.refusals.1);
    tally.check();
}

/// With `ARENASCOPE_PACKAGES` set: the same models in the wheel.
#[test]
fn packages_in_the_wheel() {
    let Some(packages) = folder_in("ARENASCOPE_PACKAGES") else { return };
    compare_wheel(&golden("tflm_wheel.jsonl"), &packages).check();
}

/// With `ARENASCOPE_GENERATED` set: writes the generated models there, to ask the wheel about them.
#[test]
fn write_generated() {
    let Some(folder) = folder_in("ARENASCOPE_GENERATED") else { return };
    fs::create_dir_all(&folder).unwrap();
    for (name, bytes) in generated::models() {
        fs::write(folder.join(format!("{name}.tflite")), bytes).unwrap();
    }
}

/// With `ARENASCOPE_WHEEL_FACTS` and `ARENASCOPE_MODELS` set, as `cargo xtask parity tflm` does: any folder.
#[test]
fn folder() {
    let (Some(facts), Some(models)) = (folder_in("ARENASCOPE_WHEEL_FACTS"), folder_in("ARENASCOPE_MODELS")) else {
        return;
    };
    compare_wheel(&fs::read_to_string(facts).unwrap(), &models).check();
}

/// The difference to TFLite is split by reason without a rest.
fn sums_up(source: &str, bytes: &[u8]) {
    let Ok(tflm) = facts::planned(bytes, &facts::options("32")) else { return };
    let model = model::read(bytes).unwrap();
    let Ok(tflite) = tflite::program(&model, bytes, &Options::new(RuntimeKind::Tflite)) else { return };
    let compared = compare(&tflite, &tflm.program).unwrap();
    let sum: i64 = compared.reasons.iter().map(|(_, bytes)| bytes).sum();
    let figures = [compared.tflm_bytes, compared.tflite_bytes].map(|bytes| i64::try_from(bytes).unwrap());
    assert_eq!(sum, figures[0] - figures[1], "{source}: {compared:?}");
    if let Some(needs) = &tflm.needs {
        assert!(compared.complete && compared.tflm_bytes == needs.minimum_arena_bytes, "{source}: {compared:?}");
    }
}

/// What the wheel gave for one small case; absent where it refuses the file. `min` was sought in steps of 16 bytes.
#[derive(Debug, Deserialize)]
struct Case {
    rhead: Option<u64>,
    rtail: Option<u64>,
    used: Option<u64>,
    min: Option<u64>,
}

#[test]
fn cases_equal_the_wheel() {
    let Some(corpus) = folder_in("ARENASCOPE_CORPUS") else { return };
    let folder = corpus.join("cases");
    let text = fs::read_to_string(folder.join("expected_tflm_x86_64.json")).unwrap();
    let cases: BTreeMap<String, Case> = serde_json::from_str(&text).unwrap();
    let mut wrong = Vec::new();
    for (file, case) in cases {
        let planned = facts::planned(&fs::read(folder.join(&file)).unwrap(), &facts::wheel()).unwrap();
        let ours = planned.needs.as_ref().map(|needs| {
            let minimum = needs.minimum_arena_bytes.next_multiple_of(tflm::ALIGNMENT);
            (needs.head_bytes, needs.tail_bytes, needs.used_bytes, minimum)
        });
        let minimum = case.min.or(ours.map(|ours| ours.3));
        let theirs = case.rhead.zip(case.rtail).zip(case.used).zip(minimum).map(|(((a, b), c), d)| (a, b, c, d));
        if ours != theirs {
            wrong.push(format!("{file}: {ours:?}, but the wheel gives {theirs:?}; {:?}", planned.micro().refusal));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
