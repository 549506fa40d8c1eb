//! Every model of the corpus that `ARENASCOPE_CORPUS` names takes a plan and a turned order.

use std::path::{Path, PathBuf};

use arenascope::model;
use arenascope::rewrite::{Change, write};
use arenascope::units::OperatorId;

use crate::{any_plan, plan_in, words_of};

/// The corpus's models, sorted; says so when there is none.
pub(crate) fn files() -> Option<Vec<PathBuf>> {
    let Some(corpus) = std::env::var_os("ARENASCOPE_CORPUS") else {
        println!("skipped: ARENASCOPE_CORPUS is not set");
        return None;
    };
    let mut files = Vec::new();
    for folder in ["models", "cases"] {
        models(&Path::new(&corpus).join(folder), &mut files);
    }
    files.sort();
    Some(files)
}

/// The models of registry packages below `ARENASCOPE_PACKAGES`, sorted; says so when there are none.
pub(crate) fn packages() -> Option<Vec<PathBuf>> {
    let Some(packages) = std::env::var_os("ARENASCOPE_PACKAGES") else {
        println!("skipped: ARENASCOPE_PACKAGES is not set (cargo xtask test sets it)");
        return None;
    };
    let mut files = Vec::new();
    models(Path::new(&packages), &mut files);
    files.sort();
    Some(files)
}

fn models(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            models(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "tflite") {
            found.push(path);
        }
    }
}

#[test]
fn every_model_takes_a_plan_and_another_order() {
    let Some(files) = files() else { return };
    let mut written = 0;
    for path in &files {
        let bytes = std::fs::read(path).unwrap();
        let Ok(model) = model::read(&bytes) else { continue };
        let plan = any_plan(&model);
        let orders: Vec<Vec<OperatorId>> = model
            .subgraphs
            .iter()
            .map(|subgraph| (0..subgraph.operators.len()).rev().map(OperatorId::from_index).collect())
            .collect();
        let result = write(&bytes, &model, Change { plan: Some(&plan), orders: Some(&orders) });
        let new = result.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(plan_in(&new), words_of(&plan), "{}", path.display());
        written += 1;
    }
    println!("{written} of {} models written", files.len());
    assert!(written * 10 > files.len() * 9, "only {written} of {}", files.len());
}
