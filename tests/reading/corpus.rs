//! The corpus of real and made models, when `ARENASCOPE_CORPUS` says where it lies.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use arenascope::container::{self, Contents};
use arenascope::error::{ErrorKind, Result};
use arenascope::model::{self, Model};

/// The corpus's folder, or nothing, with a line that says so.
fn corpus() -> Option<PathBuf> {
    let folder = std::env::var_os("ARENASCOPE_CORPUS").map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: ARENASCOPE_CORPUS is not set");
    }
    folder
}

/// All models below a folder, sorted.
fn models(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(models(&path));
        } else if path.extension().is_some_and(|extension| extension == "tflite") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// A second, and room for a build without optimisation on a busy machine.
const MOST: Duration = Duration::from_secs(if cfg!(debug_assertions) { 10 } else { 1 });

/// Opens and reads a file as the program does, in time.
fn read(path: &Path) -> Result<Model> {
    let bytes = std::fs::read(path).unwrap();
    let start = Instant::now();
    let model = container::open(&bytes, None).and_then(|contents| match contents {
        Contents::Models(candidates) => model::read(&container::choose(&candidates, None)?.bytes(&bytes)?),
        other => panic!("{}: {other:?}", path.display()),
    });
    assert!(start.elapsed() < MOST, "{}: {:?}", path.display(), start.elapsed());
    model
}

#[test]
fn cases_give_what_they_must() {
    let Some(corpus) = corpus() else { return };
    // A model with these warnings; or an error of this kind, in this field.
    let odd: BTreeMap<&str, std::result::Result<&str, (ErrorKind, &str)>> = BTreeMap::from([
        ("c21a_bad_ident", Ok("wrong-identifier")),
        ("c21b_empty", Err((ErrorKind::NotAModel, ""))),
        ("c21c_html", Err((ErrorKind::NotAModel, ""))),
        ("c21d_truncated", Err((ErrorKind::Damaged, "operator_codes"))),
        ("c21g_buffer_oob", Err((ErrorKind::Damaged, "subgraphs[0].tensors[0].buffer"))),
        ("c21i_opcode_oob", Err((ErrorKind::Damaged, "subgraphs[0].operators[0].opcode_index"))),
        ("c21k_negative_dim", Ok("negative-dim")),
        ("c21t_future_op", Ok("unknown-op")),
        ("c21u_no_subgraphs", Err((ErrorKind::Damaged, "subgraphs"))),
    ]);
    let files = models(&corpus.join("cases"));
    assert!(files.len() >= 40, "{} files", files.len());
    for path in files {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let told = match read(&path) {
            Ok(model) => Ok(model.warnings.iter().map(|warning| warning.code).collect::<Vec<_>>().join(" ")),
            Err(error) => Err((error.kind, error.path.unwrap_or_default())),
        };
        let expected = match odd.get(name.as_str()) {
            Some(Ok(code)) => Ok((*code).to_owned()),
            Some(Err((kind, field))) => Err((*kind, (*field).to_owned())),
            None => Ok(String::new()),
        };
        assert_eq!(told, expected, "{name}");
    }
}

#[test]
fn real_models_are_read() {
    let Some(corpus) = corpus() else { return };
    let files = models(&corpus.join("models"));
    assert!(!files.is_empty());
    let mut trouble = Vec::new();
    for path in &files {
        match read(path) {
            Ok(model) => {
                let unknown = model.warnings.iter().find(|warning| warning.code.starts_with("unknown"));
                trouble.extend(unknown.map(|warning| format!("{}: {}", path.display(), warning.message)));
            }
            Err(error) => trouble.push(format!("{}: {error}", path.display())),
        }
    }
    assert!(trouble.is_empty(), "of {} models:\n{}", files.len(), trouble.join("\n"));
}
