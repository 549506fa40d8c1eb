//! Looks into a file, and into the containers in it, for models.

use crate::container::archive::Archive;
use crate::container::sniff::{self, Kind};
use crate::container::{Candidate, Contents, Layer, c_array, gzip, json, litertlm};
use crate::error::{Error, ErrorKind, Result};
use crate::limits;

/// Names that say "a model inside an archive", when the bytes do not.
const MODEL_EXTENSIONS: [&str; 3] = ["tflite", "lite", "tfl"];
/// Names of files in an archive that are worth unwrapping in turn.
const NESTED_EXTENSIONS: [&str; 10] = ["task", "zip", "gz", "litertlm", "h", "hpp", "c", "cc", "cpp", "inc"];

/// What a file holds.
pub(super) fn contents(bytes: &[u8], name: &str) -> Result<Contents> {
    if bytes.is_empty() {
        return Err(Error::new(ErrorKind::NotAModel, "the file is empty").at(0));
    }
    if let Kind::Text = sniff::kind(bytes)
        && let Some(contents) = text_contents(bytes)
    {
        return contents;
    }
    let budget_bytes = gzip::inflated_limit(bytes.len());
    let mut search = Search { found: Vec::new(), budget_bytes, in_archive: false };
    search.look(bytes, name, &[])?;
    Ok(Contents::Models(search.found))
}

/// A plan file, a manifest or a table, if the text is one.
fn text_contents(bytes: &[u8]) -> Option<Result<Contents>> {
    let text = sniff::trimmed(bytes);
    if text.starts_with(b"{") || text.starts_with(b"[") {
        return json::contents(text);
    }
    is_plan_csv(text).then_some(Ok(Contents::PlanCsv))
}

/// Whether the first line has minimalloc's columns.
fn is_plan_csv(text: &[u8]) -> bool {
    let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line).to_ascii_lowercase();
    let columns: Vec<_> = line.split(',').map(|column| column.trim().trim_matches('"')).collect();
    // Each column by any of the names that `plan::csv` takes.
    [&["id", "buffer", "buffer_id"][..], &["lower", "start", "begin"], &["upper", "end"], &["size"]]
        .iter()
        .all(|names| names.iter().any(|name| columns.contains(name)))
}

struct Search {
    found: Vec<Candidate>,
    /// How many bytes may still be unwrapped.
    budget_bytes: u64,
    /// Whether an archive is being searched, so that only what surely is a model counts.
    in_archive: bool,
}

impl Search {
    /// Adds the models in `bytes`, which lie inside `layers`; an error when there is none.
    fn look(&mut self, bytes: &[u8], name: &str, layers: &[Layer]) -> Result<()> {
        if layers.len() >= limits::MAX_CONTAINER_DEPTH {
            return Err(Error::new(ErrorKind::TooLarge, "containers in containers, too deep to follow"));
        }
        match sniff::kind(bytes) {
            Kind::Unknown if self.in_archive => Err(not_a_model("unknown data", None)),
            // Bytes that say nothing are left to the reader: TFLite-Micro takes models without an identifier.
            Kind::Tflite | Kind::Unknown => {
                self.add(name.to_owned(), bytes.len() as u64, layers.to_vec());
                Ok(())
            }
            Kind::Gzip => {
                if self.in_archive && matches!(sniff::kind(&gzip::start(bytes)), Kind::Unknown) {
                    return Err(not_a_model("unknown data in gzip", None));
                }
                let inner = gzip::inflate(bytes, self.budget_bytes)?;
                self.spend(inner.len());
                self.look(&inner, name.strip_suffix(".gz").unwrap_or(name), &with(layers, Layer::Gzip))
            }
            Kind::Zip => self.look_in_zip(bytes, name, layers),
            Kind::LiteRtLm => self.look_in_litertlm(bytes, name, layers),
            Kind::Text => self.look_in_text(bytes, name, layers),
            Kind::Named(what, hint) => Err(not_a_model(what, hint)),
        }
    }

    fn add(&mut self, name: String, size_bytes: u64, layers: Vec<Layer>) {
        if self.found.len() < limits::MAX_CANDIDATES {
            self.found.push(Candidate { name, size_bytes, layers });
        }
    }

    fn spend(&mut self, bytes: usize) {
        self.budget_bytes = self.budget_bytes.saturating_sub(bytes as u64);
    }

    fn look_in_zip(&mut self, bytes: &[u8], name: &str, layers: &[Layer]) -> Result<()> {
        let before = self.found.len();
        let mut archive = Archive::open(bytes)?;
        let entries = archive.entries();
        let outer = if layers.is_empty() { String::new() } else { format!("{name}!") };
        for entry in &entries {
            let inner = with(layers, Layer::ZipEntry(entry.index));
            let path = format!("{outer}{}", entry.name);
            let extension = extension(&entry.name);
            let is_model = matches!(sniff::kind(&entry.start), Kind::Tflite);
            if is_model || (MODEL_EXTENSIONS.contains(&extension.as_str()) && !entry.start.is_empty()) {
                self.add(path, entry.size_bytes, inner);
            } else if NESTED_EXTENSIONS.contains(&extension.as_str()) && inner.len() < limits::MAX_CONTAINER_DEPTH {
                self.look_in_entry(&mut archive, entry.index, &path, &inner);
            }
        }
        if self.found.len() > before {
            return Ok(());
        }
        let names: Vec<_> = entries.iter().map(|entry| entry.name.as_str()).collect();
        let (what, hint) = zip_kind(&names);
        Err(not_a_model(&format!("{what}: {}, none of them a .tflite model", counted(names.len(), "file")), hint))
    }

    /// Looks into a file of an archive. What is no model there is no trouble: other files may be.
    fn look_in_entry(&mut self, archive: &mut Archive<'_>, index: usize, path: &str, layers: &[Layer]) {
        let Ok(inner) = archive.entry(index, self.budget_bytes) else { return };
        self.spend(inner.len());
        let (before, outside) = (self.found.len(), std::mem::replace(&mut self.in_archive, true));
        if self.look(&inner, path, layers).is_err() {
            self.found.truncate(before);
        }
        self.in_archive = outside;
    }

    fn look_in_litertlm(&mut self, bytes: &[u8], name: &str, layers: &[Layer]) -> Result<()> {
        let sections = litertlm::model_sections(bytes)?;
        if sections.is_empty() {
            return Err(not_a_model("a .litertlm file without a TensorFlow Lite model in it", None));
        }
        let outer = if layers.is_empty() { String::new() } else { format!("{name}!") };
        for section in sections {
            let size = section.range.end.saturating_sub(section.range.start);
            self.add(format!("{outer}{}", section.name), size, with(layers, Layer::Section(section.range)));
        }
        Ok(())
    }

    fn look_in_text(&mut self, bytes: &[u8], name: &str, layers: &[Layer]) -> Result<()> {
        let arrays = c_array::arrays(bytes);
        let before = self.found.len();
        let outer = if self.in_archive { format!("{name}!") } else { String::new() };
        for (index, array) in arrays.iter().enumerate() {
            if matches!(sniff::kind(&array.bytes), Kind::Tflite) {
                self.add(
                    format!("{outer}{}", array.name),
                    array.bytes.len() as u64,
                    with(layers, Layer::CArray(index)),
                );
            }
        }
        if self.found.len() > before {
            return Ok(());
        }
        if arrays.is_empty() {
            let (what, hint) = sniff::text_kind(bytes);
            return Err(not_a_model(what, hint));
        }
        let what = format!(
            "C source with {} of numbers, none of them a TensorFlow Lite model",
            counted(arrays.len(), "array")
        );
        Err(not_a_model(&what, Some("the model's array begins with a number, three more, and \"TFL3\"")))
    }
}

/// What an archive without a model is, by the names in it.
fn zip_kind(names: &[&str]) -> (&'static str, Option<&'static str>) {
    let has = |part: &str| names.iter().any(|name| name.contains(part));
    if has("saved_model.pb") {
        ("a TensorFlow SavedModel", Some("convert it with tf.lite.TFLiteConverter.from_saved_model first"))
    } else if has("model.weights.h5") {
        ("a Keras model (.keras)", Some("convert it with tf.lite.TFLiteConverter.from_keras_model first"))
    } else if has("data.pkl") {
        ("a PyTorch file", Some("only TensorFlow Lite models can be opened"))
    } else if has(".npy") {
        ("a NumPy archive", None)
    } else {
        ("a zip archive", None)
    }
}

/// `1 file`, `3 files`.
fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

fn extension(name: &str) -> String {
    name.rsplit_once('.').map_or_else(String::new, |(_, extension)| extension.to_ascii_lowercase())
}

fn with(layers: &[Layer], layer: Layer) -> Vec<Layer> {
    layers.iter().cloned().chain([layer]).collect()
}

fn not_a_model(what: &str, hint: Option<&str>) -> Error {
    let error = Error::new(ErrorKind::NotAModel, format!("this is {what}"));
    match hint {
        Some(hint) => error.with_hint(hint),
        None => error,
    }
}
