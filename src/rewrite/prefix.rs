//! The new beginning of a file: a root table whose references lead forward into the old file, with longer lists of
//! buffers and metadata.

use crate::error::{Error, ErrorKind, Result};
use crate::model::Model;
use crate::rewrite::plan::{OFFLINE_PLAN, OfflinePlan};
use crate::rewrite::raw::{self, field};

/// The prefix's length is a multiple of this: `Buffer.data` is aligned to 16, and some tools align to a cache line.
const ALIGNMENT: usize = 64;
/// Alignment of a buffer's data.
const DATA_ALIGNMENT: usize = 16;

/// The prefix that adds the plan (and drops any other) to the file `old`.
pub(super) fn with_plan(old: &[u8], model: &Model, plan: &OfflinePlan) -> Result<Vec<u8>> {
    let root = raw::root(old)?;
    check_known_fields(old, root)?;
    let Some(buffers) = raw::list_at(old, root, field::MODEL_BUFFERS)? else {
        return Err(Error::new(ErrorKind::Refused, "the model has no list of buffers").in_field("buffers"));
    };
    let mut writer = Writer::new(old)?;
    let table = writer.root_table(old, root)?;
    // Old parts that lists of the prefix lead to.
    let kept: Vec<usize> = match raw::list_at(old, root, field::MODEL_METADATA)? {
        Some(list) => {
            let entries = list.targets(old)?;
            let names = model.metadata.iter().map(|entry| entry.name.as_str());
            if model.metadata.len() != entries.len() {
                return Err(Error::new(ErrorKind::Refused, "some metadata cannot be read").in_field("metadata"));
            }
            entries.into_iter().zip(names).filter(|(_, name)| *name != OFFLINE_PLAN).map(|(entry, _)| entry).collect()
        }
        None => Vec::new(),
    };
    let buffer_index = u32::try_from(buffers.len).map_err(|_| raw::damaged(buffers.first))?;
    let new_buffer = writer.list(table, field::MODEL_BUFFERS, &buffers.targets(old)?);
    let new_entry = writer.list(table, field::MODEL_METADATA, &kept);
    writer.metadata(new_entry, buffer_index);
    writer.buffer(new_buffer, &plan.to_bytes());
    writer.finish()
}

/// What this version does not know cannot be carried over: it may be a value or a reference.
fn check_known_fields(old: &[u8], root: usize) -> Result<()> {
    for id in field::MODEL_LAST + 1..raw::field_ids(old, root)? {
        if let Some(at) = raw::field_at(old, root, id)? {
            let message = format!("the model has a field {id} that this version does not know");
            return Err(Error::new(ErrorKind::Refused, message).at(at as u64));
        }
    }
    Ok(())
}

/// A reference of the prefix that leads into the old file; known only when the prefix's length is.
struct Link {
    /// Where the reference lies, in the prefix.
    at: usize,
    /// Where it leads, in the old file.
    to: usize,
}

/// Writes the prefix front to back.
struct Writer {
    bytes: Vec<u8>,
    links: Vec<Link>,
}

impl Writer {
    /// The reference to the root (yet unknown) and the old identifier.
    fn new(old: &[u8]) -> Result<Writer> {
        let identifier = old.get(4..8).ok_or_else(|| raw::damaged(4))?;
        Ok(Writer { bytes: [&[0; 4], identifier].concat(), links: Vec::new() })
    }

    fn align(&mut self, alignment: usize) {
        self.bytes.resize(self.bytes.len().next_multiple_of(alignment), 0);
    }

    /// Lets the reference at `at` lead to the end of what is written.
    fn point_here(&mut self, at: usize) {
        let distance = u32::try_from(self.bytes.len() - at).unwrap_or(u32::MAX);
        self.bytes[at..at + 4].copy_from_slice(&distance.to_le_bytes());
    }

    /// A table's layout and the table itself, all fields present ones of 4 bytes, zero for now. Returns where the
    /// table lies; its fields follow it in the order of `ids`.
    fn table(&mut self, ids: &[usize]) -> usize {
        self.align(2);
        let layout = self.bytes.len();
        let slots = ids.iter().max().map_or(0, |last| last + 1);
        let half = |value: usize| u16::try_from(value).unwrap_or(u16::MAX);
        let mut within = vec![0_u16; slots];
        for (place, id) in ids.iter().enumerate() {
            within[*id] = half(4 + 4 * place);
        }
        let sizes = [half(4 + 2 * slots), half(4 + 4 * ids.len())];
        self.bytes.extend(sizes.into_iter().chain(within).flat_map(u16::to_le_bytes));
        self.align(4);
        let table = self.bytes.len();
        let back = u32::try_from(table - layout).unwrap_or(u32::MAX);
        self.bytes.extend_from_slice(&back.to_le_bytes());
        self.bytes.resize(self.bytes.len() + 4 * ids.len(), 0);
        table
    }

    /// The root table: the old one's fields, and room for the two lists. Its field `id` lies where `field_at` finds it.
    fn root_table(&mut self, old: &[u8], root: usize) -> Result<usize> {
        let mut ids = Vec::new();
        for id in 0..=field::MODEL_LAST {
            let is_ours = id == field::MODEL_BUFFERS || id == field::MODEL_METADATA;
            if is_ours || raw::field_at(old, root, id)?.is_some() {
                ids.push(id);
            }
        }
        let table = self.table(&ids);
        let to_root = u32::try_from(table).unwrap_or(u32::MAX);
        self.bytes[..4].copy_from_slice(&to_root.to_le_bytes());
        for (place, id) in ids.into_iter().enumerate() {
            let at = table + 4 + 4 * place;
            match raw::field_at(old, root, id)? {
                _ if id == field::MODEL_BUFFERS || id == field::MODEL_METADATA => {}
                None => {}
                Some(value) if id == field::MODEL_VERSION => {
                    self.bytes[at..at + 4].copy_from_slice(&raw::u32_at(old, value)?.to_le_bytes());
                }
                Some(reference) => self.links.push(Link { at, to: raw::follow(old, reference)? }),
            }
        }
        Ok(table)
    }

    /// A list of references to old parts with one more at its end; returns where that one lies.
    fn list(&mut self, root: usize, id: usize, old: &[usize]) -> usize {
        self.align(4);
        // The writer's own tables are sound.
        let at = raw::field_at(&self.bytes, root, id).ok().flatten().unwrap_or(root);
        self.point_here(at);
        let len = u32::try_from(old.len() + 1).unwrap_or(u32::MAX);
        self.bytes.extend_from_slice(&len.to_le_bytes());
        for to in old {
            self.links.push(Link { at: self.bytes.len(), to: *to });
            self.bytes.extend_from_slice(&[0; 4]);
        }
        self.bytes.extend_from_slice(&[0; 4]);
        self.bytes.len() - 4
    }

    /// The metadata's entry: its name and the buffer it lies in.
    fn metadata(&mut self, reference: usize, buffer: u32) {
        let table = self.table(&[field::METADATA_NAME, field::METADATA_BUFFER]);
        let distance = u32::try_from(table - reference).unwrap_or(u32::MAX);
        self.bytes[reference..reference + 4].copy_from_slice(&distance.to_le_bytes());
        self.bytes[table + 8..table + 12].copy_from_slice(&buffer.to_le_bytes());
        self.point_here(table + 4);
        self.counted(OFFLINE_PLAN.as_bytes());
        self.bytes.push(0);
    }

    /// The buffer that holds `data`.
    fn buffer(&mut self, reference: usize, data: &[u8]) {
        let table = self.table(&[field::BUFFER_DATA]);
        let distance = u32::try_from(table - reference).unwrap_or(u32::MAX);
        self.bytes[reference..reference + 4].copy_from_slice(&distance.to_le_bytes());
        // The data, not their length, are to be aligned.
        self.bytes.resize((self.bytes.len() + 4).next_multiple_of(DATA_ALIGNMENT) - 4, 0);
        self.point_here(table + 4);
        self.counted(data);
    }

    fn counted(&mut self, data: &[u8]) {
        let len = u32::try_from(data.len()).unwrap_or(u32::MAX);
        self.bytes.extend_from_slice(&len.to_le_bytes());
        self.bytes.extend_from_slice(data);
    }

    /// Fills the prefix up and lets the links lead behind it.
    fn finish(mut self) -> Result<Vec<u8>> {
        self.align(ALIGNMENT);
        let len = self.bytes.len();
        for Link { at, to } in self.links {
            let distance = u32::try_from(len - at + to).map_err(|_| raw::damaged(to))?;
            self.bytes[at..at + 4].copy_from_slice(&distance.to_le_bytes());
        }
        Ok(self.bytes)
    }
}
