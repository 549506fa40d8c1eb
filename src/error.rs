//! The one error and the one warning of the project. Knows nothing else.
//!
//! An error ends the work; a warning stands beside a result. Both say what, where in the file (field path and
//! byte offset, when known) and, where it helps, what to do.

use std::fmt;

/// What kind of trouble an [`Error`] is; the page and the command line choose their words by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The bytes are nothing we read: empty, HTML, another format.
    NotAModel,
    /// A model, but cut short or with references that lead nowhere.
    Damaged,
    /// A sound file that uses something beyond our limits.
    TooLarge,
    /// A sound model that the chosen runtime refuses.
    Refused,
    /// An option or another input of the user's does not fit.
    BadOption,
}

/// One sentence about why the input cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// What kind of trouble it is.
    pub kind: ErrorKind,
    /// Lower case, names the field, expected and got, no full stop, no offset.
    pub message: String,
    /// The field, as in `subgraphs[0].tensors[3].buffer`.
    pub path: Option<String>,
    /// Offset in bytes from the start of the model's bytes.
    pub offset: Option<u64>,
    /// What the user can do about it: one sentence, or nothing.
    pub hint: Option<String>,
}

impl Error {
    /// An error of `kind` with its sentence; add the place with [`Error::at`] and [`Error::in_field`].
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Error {
        Error { kind, message: message.into(), path: None, offset: None, hint: None }
    }

    /// The same error, at `offset` bytes from the start of the model's bytes.
    #[must_use]
    pub fn at(mut self, offset: u64) -> Error {
        self.offset = Some(offset);
        self
    }

    /// The same error, in the field `path`.
    #[must_use]
    pub fn in_field(mut self, path: impl Into<String>) -> Error {
        self.path = Some(path.into());
        self
    }

    /// The same error with advice.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Error {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.path {
            write!(f, "{path}: ")?;
        }
        write!(f, "{}", self.message)?;
        if let Some(offset) = self.offset {
            write!(f, " (at {offset:#x})")?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "; {hint}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

/// Shorthand for the project's results.
pub type Result<T> = std::result::Result<T, Error>;

/// Something odd but readable: the result stands, with this beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// A stable word for programs, as in `unknown-op`.
    pub code: &'static str,
    /// One sentence for people.
    pub message: String,
    /// The tensor or buffer it is about, in the report's notation (`t3`, `s1:t3`).
    pub about: Option<String>,
    /// Offset in bytes from the start of the model's bytes.
    pub byte_offset: Option<u64>,
}

impl Warning {
    /// A warning with its stable code and its sentence.
    pub fn new(code: &'static str, message: impl Into<String>) -> Warning {
        Warning { code, message: message.into(), about: None, byte_offset: None }
    }

    /// The same warning, about one tensor or buffer.
    #[must_use]
    pub fn about(mut self, reference: impl Into<String>) -> Warning {
        self.about = Some(reference.into());
        self
    }

    /// The same warning, at `offset` bytes from the start of the model's bytes.
    #[must_use]
    pub fn at(mut self, offset: u64) -> Warning {
        self.byte_offset = Some(offset);
        self
    }
}
