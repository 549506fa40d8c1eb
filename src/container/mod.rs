//! Turns any dropped bytes into a model's bytes and where they came from. Knows errors and limits; what a model says
//! inside is the reader's matter.
//!
//! [`open`] lists what a file holds; a [`Candidate`]'s bytes are unwrapped only when asked for:
//!
//! ```text
//! bytes ─ open ─┬─ Models: one candidate, or several to choose from ─ Candidate::bytes ─ a model's bytes
//!               ├─ Plan: a plan file of ours
//!               ├─ PlanCsv: a table with minimalloc's columns, for `plan::csv`
//!               └─ Manifest: what belongs beside a wake-word model
//! ```
//!
//! Anything else is one error that says what the bytes are.

mod archive;
mod beside;
mod c_array;
mod explore;
mod gzip;
mod json;
mod litertlm;
mod plan_file;
mod sniff;

use std::borrow::Cow;
use std::ops::Range;

pub use beside::manifests;
pub use json::Manifest;
pub use plan_file::{PlanBuffer, PlanFigures, PlanFile, PlanSource};

use crate::container::archive::Archive;
use crate::error::{Error, ErrorKind, Result};

/// What a file holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Contents {
    /// Models: at least one.
    Models(Vec<Candidate>),
    /// A plan file of ours.
    Plan(Box<PlanFile>),
    /// A table with the columns of minimalloc's CSV files.
    PlanCsv,
    /// A manifest that belongs beside a wake-word model.
    Manifest(Manifest),
}

/// One model in a file: its name, and the way to its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// For people: the file's name, the path in an archive, the array's name. Maybe empty; any text, also hostile.
    pub name: String,
    /// Bytes of the model, as far as the container tells.
    pub size_bytes: u64,
    /// The wrappings around it, outermost first; none when the file is the model.
    layers: Vec<Layer>,
}

/// One wrapping, and the place of the wanted part in it.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Layer {
    /// A gzip member.
    Gzip,
    /// The entry of a zip archive at this index.
    ZipEntry(usize),
    /// A section of a `.litertlm` file.
    Section(Range<u64>),
    /// The array at this index in C source.
    CArray(usize),
}

/// What `bytes` hold; `file_name` helps to name things, never to decide what they are.
pub fn open(bytes: &[u8], file_name: Option<&str>) -> Result<Contents> {
    explore::contents(bytes, file_name.unwrap_or_default())
}

/// The candidate that the user named, or the only one.
///
/// A name fits when it is the candidate's whole name or its last part, or `#2` for the second in the list.
pub fn choose<'a>(candidates: &'a [Candidate], name: Option<&str>) -> Result<&'a Candidate> {
    let Some(name) = name else {
        return match candidates {
            [only] => Ok(only),
            _ => Err(Error::new(ErrorKind::BadOption, format!("the file holds {} models", candidates.len()))
                .with_hint(format!("choose one of {}", listing(candidates)))),
        };
    };
    let numbered = name.strip_prefix('#').and_then(|number| number.parse::<usize>().ok());
    let found = match numbered {
        Some(number) => number.checked_sub(1).and_then(|index| candidates.get(index)),
        None => candidates
            .iter()
            .find(|candidate| candidate.name == name)
            .or_else(|| candidates.iter().find(|candidate| candidate.name.rsplit(SEPARATORS).next() == Some(name))),
    };
    found.ok_or_else(|| {
        Error::new(ErrorKind::BadOption, format!("no model named {name:?} in the file"))
            .with_hint(format!("choose one of {}", listing(candidates)))
    })
}

/// What separates the parts of a candidate's name: folders, and containers in one another.
const SEPARATORS: [char; 2] = ['/', '!'];

/// The first names of a list, as people read them.
fn listing(candidates: &[Candidate]) -> String {
    const SHOWN: usize = 10;
    let names: Vec<_> =
        candidates.iter().take(SHOWN).map(|candidate| candidate.name.escape_debug().to_string()).collect();
    let more = candidates.len().saturating_sub(SHOWN);
    let tail = if more == 0 { String::new() } else { format!(" and {more} more") };
    names.join(", ") + &tail
}

impl Candidate {
    /// The model's bytes; `file` is what [`open`] was given. Copied only where something is decompressed or decoded.
    pub fn bytes<'a>(&self, file: &'a [u8]) -> Result<Cow<'a, [u8]>> {
        self.layers.iter().try_fold(Cow::Borrowed(file), |outer, layer| match outer {
            Cow::Borrowed(outer) => layer.unwrap(outer),
            Cow::Owned(outer) => layer.unwrap(&outer).map(|inner| Cow::Owned(inner.into_owned())),
        })
    }

    /// How the model is wrapped, for people: `zip`, `gzip, zip`; empty when the file is the model itself.
    pub fn wrapping(&self) -> String {
        let names: Vec<_> = self.layers.iter().map(Layer::name).collect();
        names.join(", ")
    }
}

impl Layer {
    fn unwrap<'a>(&self, outer: &'a [u8]) -> Result<Cow<'a, [u8]>> {
        match self {
            Layer::Gzip => gzip::inflate(outer, gzip::inflated_limit(outer.len())).map(Cow::Owned),
            Layer::ZipEntry(index) => Archive::open(outer)?.entry(*index, gzip::inflated_limit(outer.len())),
            Layer::Section(range) => litertlm::section(outer, range).map(Cow::Borrowed),
            Layer::CArray(index) => c_array::array(outer, *index).map(Cow::Owned),
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Layer::Gzip => "gzip",
            Layer::ZipEntry(_) => "zip",
            Layer::Section(_) => "litertlm",
            Layer::CArray(_) => "C array",
        }
    }
}
