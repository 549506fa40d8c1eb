//! The recorded facts of a corpus beside the project: at least 99 of 100 models equal in every build.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use arenascope::advise::compare::compare;
use arenascope::model;
use arenascope::runtime::{Options, RuntimeKind, tflite};
use sha2::{Digest, Sha256};

use super::facts::{self, Facts};

/// All files below `dir`, by the hash of their bytes.
fn files(dir: &Path, found: &mut BTreeMap<String, PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else {
            let hash = Sha256::digest(fs::read(&path).unwrap());
            found.insert(format!("{hash:x}"), path);
        }
    }
}

#[test]
fn corpus_equals_the_real_runtime() {
    let Some(corpus) = std::env::var_os("ARENASCOPE_CORPUS") else {
        println!("skipped: ARENASCOPE_CORPUS is not set");
        return;
    };
    let mut models = BTreeMap::new();
    files(&Path::new(&corpus).join("models"), &mut models);
    let text = fs::read_to_string(Path::new(&corpus).join("golden/tflm.jsonl")).unwrap();
    let only = std::env::var("ARENASCOPE_MODEL").ok();
    let (mut equal, mut answered) = (BTreeMap::<String, usize>::new(), BTreeMap::<String, usize>::new());
    let (mut refused, mut refusals) = (0, 0);
    for line in text.lines() {
        let facts: Facts = serde_json::from_str(line).unwrap();
        let Some(path) = models.get(&facts.sha256) else { continue };
        if only.as_ref().is_some_and(|only| !facts.source.contains(only.as_str())) {
            continue;
        }
        let bytes = fs::read(path).unwrap();
        sums_up(&facts.source, &bytes);
        for (name, variant) in &facts.variants {
            let planned = facts::planned(&bytes, &facts::options(name));
            if let Some(error) = &variant.error {
                refusals += 1;
                match planned {
                    Ok(planned) if planned.needs.is_some() => {
                        println!("{name} {}: loads, but the runtime says {error:?}", facts.source);
                    }
                    Ok(planned) => {
                        refused += 1;
                        if only.is_some() {
                            println!(
                                "{name} {}: {:?}, the runtime says {error:?}",
                                facts.source,
                                planned.micro().refusal
                            );
                        }
                    }
                    Err(_) => refused += 1,
                }
                continue;
            }
            *answered.entry(name.clone()).or_default() += 1;
            let differences = match planned {
                Ok(planned) => facts::differences(&planned, variant),
                Err(error) => vec![error.to_string()],
            };
            if differences.is_empty() {
                *equal.entry(name.clone()).or_default() += 1;
            } else {
                println!("{name} {}: {}", facts.source, differences[..differences.len().min(3)].join("\n    "));
            }
        }
    }
    println!("refusals agreed on: {refused} of {refusals}");
    let score = |name: &String| equal.get(name).copied().unwrap_or(0);
    for (name, answered) in &answered {
        println!("{name}: {} of {answered} equal", score(name));
    }
    for (name, answered) in &answered {
        let equal = score(name);
        assert!(equal * 100 >= answered * 99, "{name}: only {equal} of {answered} models are equal");
    }
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
#[derive(Debug, serde::Deserialize)]
struct Case {
    rhead: Option<u64>,
    rtail: Option<u64>,
    used: Option<u64>,
    min: Option<u64>,
}

#[test]
fn cases_equal_the_wheel() {
    let Some(corpus) = std::env::var_os("ARENASCOPE_CORPUS") else {
        println!("skipped: ARENASCOPE_CORPUS is not set");
        return;
    };
    let folder = Path::new(&corpus).join("cases");
    let text = fs::read_to_string(folder.join("expected_tflm_x86_64.json")).unwrap();
    let cases: BTreeMap<String, Case> = serde_json::from_str(&text).unwrap();
    let mut wrong = Vec::new();
    for (file, case) in cases {
        let planned = facts::planned(&fs::read(folder.join(&file)).unwrap(), &facts::wheel()).unwrap();
        let ours = planned.needs.as_ref().map(|needs| {
            (needs.head_bytes, needs.tail_bytes, needs.used_bytes, needs.minimum_arena_bytes.next_multiple_of(16))
        });
        let minimum = case.min.or(ours.map(|ours| ours.3));
        let theirs = case.rhead.zip(case.rtail).zip(case.used).zip(minimum).map(|(((a, b), c), d)| (a, b, c, d));
        if ours != theirs {
            wrong.push(format!("{file}: {ours:?}, but the wheel gives {theirs:?}; {:?}", planned.micro().refusal));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
