//! Turns a gzip file into what it holds, up to a limit.

use std::io::Read;

use flate2::read::MultiGzDecoder;

use crate::error::{Error, ErrorKind, Result};
use crate::limits;

/// How many bytes [`start`] reads.
const PEEK_BYTES: u64 = 512;

/// The bytes inside, at most `most`.
pub(super) fn inflate(bytes: &[u8], most: u64) -> Result<Vec<u8>> {
    read_limited(MultiGzDecoder::new(bytes), most, "gzip data")
}

/// The first bytes inside, enough to tell what they are; none when they cannot be read.
pub(super) fn start(bytes: &[u8]) -> Vec<u8> {
    let mut start = Vec::new();
    match MultiGzDecoder::new(bytes).take(PEEK_BYTES).read_to_end(&mut start) {
        Ok(_) => start,
        Err(_) => Vec::new(),
    }
}

/// Reads all of a decompressor's output; refuses what is more than `most` bytes.
pub(super) fn read_limited(reader: impl Read, most: u64, what: &str) -> Result<Vec<u8>> {
    let mut inside = Vec::new();
    // One byte more than allowed tells "too much" from "just enough".
    reader.take(most.saturating_add(1)).read_to_end(&mut inside).map_err(|error| {
        Error::new(ErrorKind::Damaged, format!("the {what} are damaged: {error}"))
            .with_hint("the file is cut short or damaged: download it again")
    })?;
    if inside.len() as u64 > most {
        let message = format!("the {what} unfold to more than {most} bytes");
        return Err(Error::new(ErrorKind::TooLarge, message).with_hint("unpack the file and open the model itself"));
    }
    Ok(inside)
}

/// What a file of `len` bytes may unfold to.
pub(super) fn inflated_limit(len: usize) -> u64 {
    let scaled = (len as u64).saturating_mul(limits::MAX_INFLATED_RATIO);
    limits::MAX_INFLATED_BASE.saturating_add(scaled).min(limits::MAX_MODEL_BYTES)
}
