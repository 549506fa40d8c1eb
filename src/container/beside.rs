//! Finds the manifests of wake-word models: the file itself, or files in an archive. Which model each belongs to is not
//! said here.

use crate::container::archive::Archive;
use crate::container::sniff::{self, Kind};
use crate::container::{Contents, Manifest, json};

/// Bytes of a manifest: real ones have a few hundred.
const MAX_MANIFEST_BYTES: u64 = 64 << 10;
/// Files of an archive that are looked at: more manifests than these nobody keeps together.
const MAX_MANIFESTS: usize = 256;

/// The manifests in `bytes`, each with its path in the archive (a lone one with `file_name`).
pub fn manifests(bytes: &[u8], file_name: Option<&str>) -> Vec<(String, Manifest)> {
    match sniff::kind(bytes) {
        Kind::Text => {
            manifest(bytes).map(|found| (file_name.unwrap_or_default().to_owned(), found)).into_iter().collect()
        }
        Kind::Zip => in_zip(bytes),
        _ => Vec::new(),
    }
}

fn in_zip(bytes: &[u8]) -> Vec<(String, Manifest)> {
    let Ok(mut archive) = Archive::open(bytes) else { return Vec::new() };
    let entries = archive
        .entries()
        .into_iter()
        .filter(|entry| entry.size_bytes <= MAX_MANIFEST_BYTES && entry.name.to_ascii_lowercase().ends_with(".json"));
    let entries: Vec<_> = entries.take(MAX_MANIFESTS).collect();
    let found = entries.into_iter().filter_map(|entry| {
        let inner = archive.entry(entry.index, MAX_MANIFEST_BYTES).ok()?;
        Some((entry.name, manifest(&inner)?))
    });
    found.collect()
}

fn manifest(bytes: &[u8]) -> Option<Manifest> {
    let text = sniff::trimmed(bytes);
    if !text.starts_with(b"{") || bytes.len() as u64 > MAX_MANIFEST_BYTES {
        return None;
    }
    match json::contents(text) {
        Some(Ok(Contents::Manifest(found))) => Some(found),
        _ => None,
    }
}
