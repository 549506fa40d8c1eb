//! Writes a value as JSON that people can read and `diff`: a line for each key of the outermost object, and one for
//! each element of a list that is such a key's value.

use std::fmt::Write as _;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

use crate::error::{Error, ErrorKind, Result};
use crate::report::words::is_misleading;

/// `value` as JSON, with a line break at its end.
pub(super) fn write(value: &impl Serialize) -> Result<String> {
    let mut bytes = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut bytes, Lines::default());
    let failed = |what: String| Error::new(ErrorKind::TooLarge, format!("the report cannot be written: {what}"));
    value.serialize(&mut serializer).map_err(|error| failed(error.to_string()))?;
    bytes.push(b'\n');
    String::from_utf8(bytes).map(|text| escape_misleading(&text)).map_err(|error| failed(error.to_string()))
}

/// Signs that could make a line read as another, as escapes: they stand inside strings only, where that means the same.
pub(super) fn escape_misleading(text: &str) -> String {
    if !text.contains(is_misleading) {
        return text.to_owned();
    }
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if is_misleading(c) {
            // Writing to a string cannot fail.
            let _ = write!(escaped, "\\u{:04x}", u32::from(c));
        } else {
            escaped.push(c);
        }
    }
    escaped
}

/// How deep the writer is, and whether what is open holds anything yet.
#[derive(Debug, Default)]
struct Lines {
    /// Open objects and lists, outermost first: whether each breaks its elements into lines, and has any.
    open: Vec<(bool, bool)>,
}

impl Lines {
    fn begin(&mut self, breaks: bool) {
        self.open.push((breaks, false));
    }

    fn end<W: ?Sized + Write>(&mut self, writer: &mut W, bracket: &[u8]) -> io::Result<()> {
        if self.open.pop() == Some((true, true)) {
            self.indent(writer)?;
        }
        writer.write_all(bracket)
    }

    fn element<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        let breaks = self.open.last_mut().is_some_and(|open| {
            open.1 = true;
            open.0
        });
        match (first, breaks) {
            (true, false) => Ok(()),
            (false, false) => writer.write_all(b", "),
            (true, true) => self.indent(writer),
            (false, true) => {
                writer.write_all(b",")?;
                self.indent(writer)
            }
        }
    }

    fn indent<W: ?Sized + Write>(&self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b"\n")?;
        self.open.iter().try_for_each(|_| writer.write_all(b"  "))
    }
}

impl Formatter for Lines {
    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.begin(self.open.is_empty());
        writer.write_all(b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.end(writer, b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.element(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }

    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.begin(self.open.len() == 1);
        writer.write_all(b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.end(writer, b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.element(writer, first)
    }
}
