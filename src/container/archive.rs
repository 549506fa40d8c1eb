//! Turns a zip archive into its entries: which there are, how each begins, and the bytes of one.

use std::borrow::Cow;
use std::io::{Cursor, Read};

use zip::read::ZipFile;
use zip::{CompressionMethod, ZipArchive};

use crate::container::gzip::read_limited;
use crate::error::{Error, ErrorKind, Result};
use crate::limits;

/// How many bytes of each entry [`Archive::entries`] looks at.
const PEEK_BYTES: u64 = 16;

/// One file in an archive.
pub(super) struct Entry {
    /// Its index in the archive.
    pub(super) index: usize,
    /// Its path in the archive.
    pub(super) name: String,
    /// Its size, as the archive says.
    pub(super) size_bytes: u64,
    /// Its first bytes; empty when they cannot be read.
    pub(super) start: Vec<u8>,
}

/// An archive whose directory has been read.
pub(super) struct Archive<'a> {
    bytes: &'a [u8],
    zip: ZipArchive<Cursor<&'a [u8]>>,
}

impl<'a> Archive<'a> {
    pub(super) fn open(bytes: &'a [u8]) -> Result<Archive<'a>> {
        let zip = ZipArchive::new(Cursor::new(bytes)).map_err(|error| damaged(&error))?;
        Ok(Archive { bytes, zip })
    }

    /// All files of the archive, folders left out.
    pub(super) fn entries(&mut self) -> Vec<Entry> {
        let count = self.zip.len().min(limits::MAX_ARCHIVE_ENTRIES);
        (0..count).filter_map(|index| self.peek(index)).collect()
    }

    /// One file with its start; `None` for folders, and for what is encrypted or packed in a way we do not know.
    fn peek(&mut self, index: usize) -> Option<Entry> {
        let mut file = self.zip.by_index(index).ok().filter(ZipFile::is_file)?;
        let mut start = Vec::new();
        if file.by_ref().take(PEEK_BYTES).read_to_end(&mut start).is_err() {
            start.clear();
        }
        Some(Entry { index, name: file.name().to_owned(), size_bytes: file.size(), start })
    }

    /// The bytes of the entry at `index`, at most `most`; borrowed when the archive stores them as they are.
    pub(super) fn entry(&mut self, index: usize, most: u64) -> Result<Cow<'a, [u8]>> {
        let bytes = self.bytes;
        let file = self.zip.by_index(index).map_err(|error| damaged(&error))?;
        if file.compression() == CompressionMethod::Stored && !file.encrypted() {
            return stored(bytes, &file).map(Cow::Borrowed).ok_or_else(|| {
                Error::new(ErrorKind::Damaged, "the archive's entry lies outside the file").at(file.header_start())
            });
        }
        read_limited(file, most, "zip data").map(Cow::Owned)
    }
}

fn stored<'a, R: Read>(bytes: &'a [u8], file: &ZipFile<'_, R>) -> Option<&'a [u8]> {
    let start = usize::try_from(file.data_start()).ok()?;
    let end = start.checked_add(usize::try_from(file.compressed_size()).ok()?)?;
    bytes.get(start..end)
}

fn damaged(error: &zip::result::ZipError) -> Error {
    Error::new(ErrorKind::Damaged, format!("the zip archive cannot be read: {error}"))
        .with_hint("the file is cut short, damaged or encrypted: unpack it and open the model itself")
}
