//! Moves what counts from the start of the file: data outside the `FlatBuffer`, and an appended zip's directory.

use std::collections::BTreeSet;

use crate::error::Result;
use crate::model::Model;
use crate::rewrite::raw::{self, field};
use crate::rewrite::zip;

/// Positions up to this one stand for "not outside" (`Buffer.offset` and `large_custom_options_offset` in the format).
const NOT_OUTSIDE: u64 = 1;

/// Adds `by` to every position in `bytes` (the file before the prefix is put in front).
pub(super) fn shift(bytes: &mut [u8], model: &Model, by: u64) -> Result<()> {
    // Tables may be named more than once: each position moves once.
    let mut places = BTreeSet::new();
    let root = raw::root(bytes)?;
    for table in targets(bytes, root, field::MODEL_BUFFERS)? {
        places.extend(raw::field_at(bytes, table, field::BUFFER_OFFSET)?);
    }
    for subgraph in targets(bytes, root, field::MODEL_SUBGRAPHS)? {
        for table in targets(bytes, subgraph, field::SUBGRAPH_OPERATORS)? {
            places.extend(raw::field_at(bytes, table, field::OPERATOR_LARGE_OPTIONS_OFFSET)?);
        }
    }
    for place in places {
        let position = raw::u64_at(bytes, place)?;
        if position > NOT_OUTSIDE {
            let moved = position.checked_add(by).ok_or_else(|| raw::damaged(place))?;
            raw::put(bytes, place, &moved.to_le_bytes())?;
        }
    }
    zip::shift(bytes, model, by);
    Ok(())
}

fn targets(bytes: &[u8], table: usize, id: usize) -> Result<Vec<usize>> {
    raw::list_at(bytes, table, id)?.map_or(Ok(Vec::new()), |list| list.targets(bytes))
}
