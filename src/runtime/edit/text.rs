//! Edits as text, as in `t31:bytes=4096`, and back.

use std::fmt;

use crate::error::{Error, ErrorKind, Result};
use crate::model::DataType;
use crate::runtime::edit::{Change, Edit};

/// A text is quoted up to here in a message.
const SHOWN: usize = 60;

impl Edit {
    /// Reads `t31:bytes=4096`, `t31:type=int8`, `t31:last=9`, `t31:keep` or `t31:outside`; the tensor is named as reports
    /// print it: `t31`, `s1:t3`, `tmp12`, `scratch0`.
    ///
    /// # Errors
    /// One sentence about what does not fit.
    pub fn parse(text: &str) -> Result<Edit> {
        let text = text.trim();
        let shown: String = text.chars().take(SHOWN).collect();
        let wrong = |message: &str| {
            Error::new(ErrorKind::BadOption, format!("what-if {shown:?}: {message}"))
                .with_hint("write t31:bytes=4096, t31:type=int8, t31:last=9, t31:keep or t31:outside")
        };
        let (target, change) = text.rsplit_once(':').ok_or_else(|| wrong("no colon behind a tensor's name"))?;
        if target.is_empty() {
            return Err(wrong("no tensor's name before the colon"));
        }
        let (what, value) = match change.split_once('=') {
            Some((what, value)) => (what, Some(value)),
            None => (change, None),
        };
        let change = match (what, value) {
            ("bytes", Some(value)) => {
                let bytes = value.parse().ok().filter(|bytes| *bytes > 0);
                Change::Bytes(bytes.ok_or_else(|| wrong("bytes must be a whole number above 0"))?)
            }
            ("type", Some(value)) => {
                Change::Type(DataType::from_name(value).ok_or_else(|| wrong("no type of that name"))?)
            }
            ("last", Some(value)) => Change::Last(value.parse().map_err(|_| wrong("the last step must be a number"))?),
            ("keep", None) => Change::Keep,
            ("outside", None) => Change::Outside,
            _ => return Err(wrong("not one of bytes=, type=, last=, keep and outside")),
        };
        Ok(Edit { target: target.to_owned(), change })
    }
}

impl fmt::Display for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let target: String = self.target.chars().take(SHOWN).map(|c| if c.is_control() { ' ' } else { c }).collect();
        match self.change {
            Change::Bytes(bytes) => write!(f, "{target}:bytes={bytes}"),
            Change::Type(dtype) => write!(f, "{target}:type={}", dtype.name()),
            Change::Last(label) => write!(f, "{target}:last={label}"),
            Change::Keep => write!(f, "{target}:keep"),
            Change::Outside => write!(f, "{target}:outside"),
        }
    }
}
