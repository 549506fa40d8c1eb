//! The zip archive that metadata tools append to a model: its directory counts from the start of the file.

use crate::model::{BufferData, Model};
use crate::rewrite::raw;

/// Begins the record at an archive's end.
const END: [u8; 4] = *b"PK\x05\x06";
/// Bytes of that record before its comment.
const END_BYTES: usize = 22;
/// Begins an entry of the directory.
const ENTRY: [u8; 4] = *b"PK\x01\x02";
/// Bytes of an entry before its name.
const ENTRY_BYTES: usize = 46;
/// Begins a file inside.
const LOCAL: [u8; 4] = *b"PK\x03\x04";

/// Adds `by` to the positions in the directory of an archive at the end of `bytes`. Leaves alone what is no archive,
/// lies inside the model's data, counts from elsewhere (readers cope with that), or is in the 64-bit form.
pub(super) fn shift(bytes: &mut [u8], model: &Model, by: u64) {
    let Ok(by) = u32::try_from(by) else { return };
    let Some(archive) = Archive::find(bytes) else { return };
    let is_inside = model.buffers.iter().any(|buffer| match &buffer.data {
        BufferData::File(range) => range.end > archive.start as u64,
        BufferData::Empty => false,
    });
    if is_inside {
        return;
    }
    for at in archive.positions {
        if let Ok(position) = raw::u32_at(bytes, at)
            && let Some(moved) = position.checked_add(by)
        {
            // The place was just read.
            let _ = raw::put(bytes, at, &moved.to_le_bytes());
        }
    }
}

/// An archive whose positions count from the start of the file.
struct Archive {
    /// Where its first file lies.
    start: usize,
    /// Where its positions are written.
    positions: Vec<usize>,
}

impl Archive {
    fn find(bytes: &[u8]) -> Option<Archive> {
        let end = find_end(bytes)?;
        let entries = usize::from(raw::u16_at(bytes, end + 10).ok()?);
        let directory_bytes = raw::u32_at(bytes, end + 12).ok()? as usize;
        let directory = raw::u32_at(bytes, end + 16).ok()? as usize;
        if directory.checked_add(directory_bytes)? != end {
            return None;
        }
        let mut archive = Archive { start: directory, positions: vec![end + 16] };
        let mut at = directory;
        for _ in 0..entries {
            if bytes.get(at..at + 4)? != ENTRY {
                return None;
            }
            let local = raw::u32_at(bytes, at + 42).ok()? as usize;
            if bytes.get(local..local.checked_add(4)?)? != LOCAL {
                return None;
            }
            archive.start = archive.start.min(local);
            archive.positions.push(at + 42);
            let lengths = [28, 30, 32].map(|field| raw::u16_at(bytes, at + field).ok().map(usize::from));
            at += ENTRY_BYTES + lengths[0]? + lengths[1]? + lengths[2]?;
        }
        (at == end).then_some(archive)
    }
}

/// The end record: the last one whose comment reaches to the end of the file.
fn find_end(bytes: &[u8]) -> Option<usize> {
    let last = bytes.len().checked_sub(END_BYTES)?;
    let first = last.saturating_sub(usize::from(u16::MAX));
    (first..=last).rev().find(|at| {
        let comment = raw::u16_at(bytes, at + 20).map_or(usize::MAX, usize::from);
        bytes[*at..].starts_with(&END) && at + END_BYTES + comment == bytes.len()
    })
}
