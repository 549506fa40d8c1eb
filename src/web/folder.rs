//! One file of many, in short: a row for each model in it, manifests beside models, or what else it is. See the types of
//! the same names in `www/folder-types.d.ts`.

use serde::Serialize;
use wasm_bindgen::prelude::*;

use super::micro::written;
use super::{Failure, SettingsValue, failure};
use crate::container::{self, Contents, Manifest};
use crate::error::{Error, ErrorKind};
use crate::report::{self, Analysis, Settings};

/// Models of one file that get a row: a list that a person reads.
const MAX_ROWS: usize = 200;

/// A wake-word model's manifest.
#[derive(Debug, Serialize)]
pub(super) struct ManifestValue {
    /// Its name, or its path in an archive.
    path: String,
    wake_word: Option<String>,
    model: Option<String>,
    arena: Option<u64>,
}

/// What a file holds.
#[derive(Debug, Serialize)]
struct FileValue {
    rows: Vec<RowValue>,
    /// Models without a row.
    more: usize,
    manifests: Vec<ManifestValue>,
    /// What it is, when it is nothing that we read.
    other: Option<Failure>,
}

/// One model, or plan.
#[derive(Debug, Serialize)]
struct RowValue {
    /// Its name in a file of several, and how settings choose it.
    name: String,
    inner: Option<String>,
    bytes: u64,
    verdict: Option<VerdictValue>,
    failure: Option<Failure>,
}

/// What the runtime makes of it.
#[derive(Debug, Serialize)]
struct VerdictValue {
    /// The arena to set.
    set: u64,
    /// The least arena that TFLite-Micro starts with.
    minimum: Option<u64>,
    /// What is planned: `TFLite`'s arena, TFLite-Micro's head.
    planned: u64,
    persistent: Option<u64>,
    bound: u64,
    optimal: Option<bool>,
    peak: Option<u64>,
    peak_op: Option<u32>,
    peak_name: String,
    /// Whether an operator of unknown memory may need more.
    at_least: bool,
    warnings: usize,
    /// Why the runtime does not load it.
    refused: Option<String>,
}

/// What a file holds, in short, as JSON.
///
/// # Errors
/// When the settings are none.
#[wasm_bindgen]
pub fn verdicts(bytes: &[u8], name: &str, settings: &tsify::Ts<SettingsValue>) -> Result<String, JsValue> {
    let settings = settings.to_rust().map_err(|error| JsValue::from(error.to_string()))?;
    let file = settings.settings().map(|settings| file(bytes, name, &settings));
    file.and_then(|file| written(&file)).map_err(|error| failure::thrown(&error))
}

/// The manifests in a file, as JSON.
///
/// # Errors
/// When the answer cannot be written.
#[wasm_bindgen]
pub fn manifests(bytes: &[u8], name: &str) -> Result<String, JsValue> {
    written(&manifest_values(bytes, name)).map_err(|error| failure::thrown(&error))
}

pub(super) fn manifest_values(bytes: &[u8], name: &str) -> Vec<ManifestValue> {
    let value = |(path, manifest): (String, Manifest)| {
        let Manifest { wake_word, model, tensor_arena_size: arena } = manifest;
        ManifestValue { path, wake_word, model, arena }
    };
    container::manifests(bytes, Some(name)).into_iter().map(value).collect()
}

fn file(bytes: &[u8], name: &str, settings: &Settings) -> FileValue {
    let manifests = manifest_values(bytes, name);
    let empty = FileValue { rows: Vec::new(), more: 0, manifests, other: None };
    match container::open(bytes, Some(name)) {
        Ok(Contents::Models(candidates)) if candidates.len() > 1 => {
            let shown = candidates.iter().take(MAX_ROWS).enumerate();
            let rows = shown.map(|(index, candidate)| {
                let inner = format!("#{}", index + 1);
                let row = row(bytes, name, &Settings { inner: Some(inner.clone()), ..settings.clone() });
                RowValue { name: candidate.name.clone(), inner: Some(inner), bytes: candidate.size_bytes, ..row }
            });
            FileValue { rows: rows.collect(), more: candidates.len().saturating_sub(MAX_ROWS), ..empty }
        }
        Ok(Contents::Manifest(_)) => empty,
        Ok(_) => match report::analyse(bytes, name, settings) {
            Err(error) if error.kind == ErrorKind::NotAModel => {
                FileValue { other: Some(Failure::from(&error)), ..empty }
            }
            analysed => FileValue { rows: vec![row_of(bytes, analysed)], ..empty },
        },
        Err(error) if error.kind == ErrorKind::NotAModel => FileValue { other: Some(Failure::from(&error)), ..empty },
        Err(error) => FileValue { rows: vec![row_of(bytes, Err(error))], ..empty },
    }
}

fn row(bytes: &[u8], name: &str, settings: &Settings) -> RowValue {
    row_of(bytes, report::analyse(bytes, name, settings))
}

fn row_of(bytes: &[u8], analysed: Result<Analysis, Error>) -> RowValue {
    let empty = RowValue { name: String::new(), inner: None, bytes: bytes.len() as u64, verdict: None, failure: None };
    match analysed {
        Ok(analysis) => RowValue { verdict: Some(verdict(&analysis)), ..empty },
        Err(error) => RowValue { failure: Some(Failure::from(&error)), ..empty },
    }
}

fn verdict(analysis: &Analysis) -> VerdictValue {
    let figures = analysis.figures();
    let first = analysis.arenas.first();
    let checked = report::check(analysis, u64::MAX);
    let stated = analysis.stated_figures();
    VerdictValue {
        set: stated.set_bytes.unwrap_or(figures.set_bytes),
        minimum: stated.minimum_bytes.or(figures.minimum_arena_bytes),
        planned: figures.arena_bytes,
        persistent: stated.persistent_bytes.or(analysis.persistent_bytes()),
        bound: first.map_or(0, |arena| arena.bound.live_bytes),
        optimal: first.and_then(|arena| arena.optimal),
        peak: figures.peak.as_ref().map(|peak| peak.live_bytes),
        peak_op: figures.peak.as_ref().and_then(|peak| peak.op_index),
        peak_name: figures.peak.and_then(|peak| peak.op).unwrap_or_default(),
        at_least: checked.is_lower_bound,
        warnings: analysis.warnings.len(),
        refused: checked.refused,
    }
}
