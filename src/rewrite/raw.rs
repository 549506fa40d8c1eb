//! Positions of fields in a verified `FlatBuffer`, by field id: what the generated code does not give, since it reads
//! values and a rewriter needs places. Every read is checked all the same.

use crate::error::{Error, ErrorKind, Result};

/// Field ids of the format (`schema/tflite.fbs`).
pub(super) mod field {
    pub(in crate::rewrite) const MODEL_VERSION: usize = 0;
    pub(in crate::rewrite) const MODEL_SUBGRAPHS: usize = 2;
    pub(in crate::rewrite) const MODEL_BUFFERS: usize = 4;
    pub(in crate::rewrite) const MODEL_METADATA: usize = 6;
    /// `external_buffers`, the last field this version knows.
    pub(in crate::rewrite) const MODEL_LAST: usize = 9;
    pub(in crate::rewrite) const SUBGRAPH_OPERATORS: usize = 3;
    pub(in crate::rewrite) const OPERATOR_LARGE_OPTIONS_OFFSET: usize = 9;
    pub(in crate::rewrite) const BUFFER_DATA: usize = 0;
    pub(in crate::rewrite) const BUFFER_OFFSET: usize = 1;
    pub(in crate::rewrite) const METADATA_NAME: usize = 0;
    pub(in crate::rewrite) const METADATA_BUFFER: usize = 1;
}

/// The little-endian number at `at`.
pub(super) fn u32_at(bytes: &[u8], at: usize) -> Result<u32> {
    slice(bytes, at).map(u32::from_le_bytes)
}

/// The little-endian number at `at`.
pub(super) fn u64_at(bytes: &[u8], at: usize) -> Result<u64> {
    slice(bytes, at).map(u64::from_le_bytes)
}

/// The little-endian number at `at`.
pub(super) fn u16_at(bytes: &[u8], at: usize) -> Result<u16> {
    slice(bytes, at).map(u16::from_le_bytes)
}

fn slice<const N: usize>(bytes: &[u8], at: usize) -> Result<[u8; N]> {
    at.checked_add(N).and_then(|end| bytes.get(at..end)?.try_into().ok()).ok_or_else(|| damaged(at))
}

/// Writes `value` at `at`.
pub(super) fn put(bytes: &mut [u8], at: usize, value: &[u8]) -> Result<()> {
    let place = at.checked_add(value.len()).and_then(|end| bytes.get_mut(at..end)).ok_or_else(|| damaged(at))?;
    place.copy_from_slice(value);
    Ok(())
}

/// Where the reference at `at` leads.
pub(super) fn follow(bytes: &[u8], at: usize) -> Result<usize> {
    at.checked_add(u32_at(bytes, at)? as usize).ok_or_else(|| damaged(at))
}

/// The root table.
pub(super) fn root(bytes: &[u8]) -> Result<usize> {
    follow(bytes, 0)
}

/// Where field `id` of the table at `table` lies, if it is there.
pub(super) fn field_at(bytes: &[u8], table: usize, id: usize) -> Result<Option<usize>> {
    let layout = layout_of(bytes, table)?;
    if layout.ids <= id {
        return Ok(None);
    }
    let within = u16_at(bytes, layout.at + 4 + 2 * id)?;
    Ok((within != 0).then_some(table + usize::from(within)))
}

/// How many field ids the table's layout has room for.
pub(super) fn field_ids(bytes: &[u8], table: usize) -> Result<usize> {
    layout_of(bytes, table).map(|layout| layout.ids)
}

struct Layout {
    at: usize,
    ids: usize,
}

fn layout_of(bytes: &[u8], table: usize) -> Result<Layout> {
    let back = i64::from(u32_at(bytes, table)?.cast_signed());
    let at = i64::try_from(table).ok().and_then(|table| usize::try_from(table - back).ok());
    let at = at.ok_or_else(|| damaged(table))?;
    let ids = usize::from(u16_at(bytes, at)?).saturating_sub(4) / 2;
    Ok(Layout { at, ids })
}

/// A list's elements: where each lies (`stride` 4 for references).
pub(super) struct List {
    /// Where the first element lies.
    pub(super) first: usize,
    /// How many there are.
    pub(super) len: usize,
}

impl List {
    /// Where element `index` lies, for elements of 4 bytes.
    pub(super) fn slot(&self, index: usize) -> usize {
        self.first + 4 * index
    }

    /// Where the references lead.
    pub(super) fn targets(&self, bytes: &[u8]) -> Result<Vec<usize>> {
        (0..self.len).map(|index| follow(bytes, self.slot(index))).collect()
    }
}

/// The list in field `id` of the table at `table`; an absent one is `None`.
pub(super) fn list_at(bytes: &[u8], table: usize, id: usize) -> Result<Option<List>> {
    let Some(at) = field_at(bytes, table, id)? else { return Ok(None) };
    let list = follow(bytes, at)?;
    Ok(Some(List { first: list + 4, len: u32_at(bytes, list)? as usize }))
}

/// The error of a reference that leads out of the file: verified files have none.
pub(super) fn damaged(at: usize) -> Error {
    Error::new(ErrorKind::Damaged, "a reference leads out of the file").at(at as u64)
}
