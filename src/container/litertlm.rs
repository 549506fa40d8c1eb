//! Turns a `.litertlm` file into its sections: a header names where each lies and what it holds.
//!
//! ```text
//! 0         8              20  24          32            end of header
//! │LITERTLM │ three u32     │   │ u64 end of │ FlatBuffer │ … sections, from 16 KiB multiples on
//! │         │ of version    │   │ the header │  LmHeader  │
//! ```
//! (LiteRT-LM, `schema/core/litertlm_read.cc` at 9c176ada.)

use std::ops::Range;

use flatbuffers::{InvalidFlatbuffer, VerifierOptions};

use crate::error::{Error, ErrorKind, Result};
use crate::schema::litertlm::{LmHeader, LmSection};

/// How a file begins.
pub(super) const MAGIC: &[u8] = b"LITERTLM";
/// Where the end of the header stands.
const HEADER_END_AT: usize = 24;
/// Where the header begins.
const HEADER_AT: usize = 32;
/// The section type of a TensorFlow Lite model.
const TFLITE_MODEL: u8 = 3;

/// One section that holds a model.
pub(super) struct ModelSection {
    /// What the file calls it (its `model_type`), or its number.
    pub(super) name: String,
    /// Where it lies.
    pub(super) range: Range<u64>,
}

/// All sections that hold models.
pub(super) fn model_sections(bytes: &[u8]) -> Result<Vec<ModelSection>> {
    let end = bytes.get(HEADER_END_AT..HEADER_AT).and_then(|raw| raw.try_into().ok()).map(u64::from_le_bytes);
    let header = end.and_then(|end| usize::try_from(end).ok()).and_then(|end| bytes.get(HEADER_AT..end));
    let Some(header) = header else {
        let message = "the header of the .litertlm file reaches beyond the file's end";
        return Err(Error::new(ErrorKind::Damaged, message).in_field("header_end_offset").at(HEADER_END_AT as u64));
    };
    let options = VerifierOptions { max_depth: 8, max_tables: 100_000, ..VerifierOptions::default() };
    let root = flatbuffers::root_with_opts::<LmHeader<'_>>(&options, header).map_err(|error| damaged(&error))?;
    let sections = root.section_metadata().and_then(|sections| sections.objects());
    let mut models = Vec::new();
    for (index, section) in sections.iter().flatten().enumerate() {
        if section.data_type() == TFLITE_MODEL {
            let range = section.begin_offset()..section.end_offset();
            models.push(ModelSection { name: name(&section).unwrap_or_else(|| format!("section {index}")), range });
        }
    }
    Ok(models)
}

/// The bytes of a section.
pub(super) fn section<'a>(bytes: &'a [u8], range: &Range<u64>) -> Result<&'a [u8]> {
    let (start, end) = (usize::try_from(range.start), usize::try_from(range.end));
    let part = start.ok().zip(end.ok()).and_then(|(start, end)| bytes.get(start..end));
    part.ok_or_else(|| {
        let (start, end, len) = (range.start, range.end, bytes.len());
        let message = format!("a section should lie at bytes {start:#x} to {end:#x}, but the file ends at {len:#x}");
        Error::new(ErrorKind::Damaged, message).with_hint("the file is cut short: download it again")
    })
}

/// The section's `model_type`.
fn name(section: &LmSection<'_>) -> Option<String> {
    let item = section.items()?.iter().find(|item| item.key().is_some_and(|key| key.bytes() == b"model_type"))?;
    let text = item.value_as_text()?.value()?;
    Some(String::from_utf8_lossy(text.bytes()).into_owned())
}

fn damaged(error: &InvalidFlatbuffer) -> Error {
    let message =
        format!("the header of the .litertlm file is damaged: {}", error.to_string().trim().replace('\n', ", "));
    Error::new(ErrorKind::Damaged, message).at(HEADER_AT as u64)
}
