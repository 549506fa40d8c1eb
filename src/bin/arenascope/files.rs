//! Reading inputs and writing outputs, with `-` for the standard streams.

use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;

use arenascope::error::{Error, ErrorKind};
use arenascope::limits;
use arenascope::report::{self, Analysis, Settings};

use crate::Failure;

/// The bytes of a file or of standard input, and the name to show.
pub(crate) fn read(path: &Path) -> Result<(Vec<u8>, String), Failure> {
    let is_stdin = path.as_os_str() == "-";
    let shown = if is_stdin { String::from("standard input") } else { path.display().to_string() };
    let failed = |error: io::Error| Failure::Input(format!("{shown}: cannot be read: {error}"));
    let mut bytes = Vec::new();
    // One byte more than the limit, so that a longer input is seen to be longer.
    let limit = limits::MAX_MODEL_BYTES + 1;
    if is_stdin {
        io::stdin().take(limit).read_to_end(&mut bytes).map_err(failed)?;
    } else {
        fs::File::open(path).and_then(|file| file.take(limit).read_to_end(&mut bytes)).map_err(failed)?;
    }
    if bytes.len() as u64 > limits::MAX_MODEL_BYTES {
        let message = format!("{shown}: larger than {} bytes, which no model is", limits::MAX_MODEL_BYTES);
        return Err(Failure::Input(message));
    }
    let name = path.file_name().map_or_else(|| shown.clone(), |name| name.to_string_lossy().into_owned());
    Ok((bytes, if is_stdin { String::from("stdin") } else { name }))
}

/// What `settings` make of the file at `path`.
pub(crate) fn analyse(path: &Path, settings: &Settings) -> Result<Analysis, Failure> {
    let (bytes, name) = read(path)?;
    report::analyse(&bytes, &name, settings).map_err(|error| failure(path, &error))
}

/// An error about the input at `path`, or about the options.
pub(crate) fn failure(path: &Path, error: &Error) -> Failure {
    match error.kind {
        ErrorKind::BadOption => Failure::Usage(error.to_string()),
        _ => Failure::Input(format!("{}: {error}", path.display())),
    }
}

/// Writes the whole text to a file, or to standard output for `None` and `-`.
pub(crate) fn write(path: Option<&Path>, text: &str) -> Result<(), Failure> {
    match path.filter(|path| path.as_os_str() != "-") {
        Some(path) => fs::write(path, text)
            .map_err(|error| Failure::Usage(format!("{}: cannot be written: {error}", path.display()))),
        None => match io::stdout().lock().write_all(text.as_bytes()) {
            // A reader that has seen enough (`head`) is no failure.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(Failure::Usage(format!("standard output cannot be written: {error}")))
            }
            _ => Ok(()),
        },
    }
}

/// Writes bytes to a file, or to standard output for `-`.
pub(crate) fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let written = if path.as_os_str() == "-" { io::stdout().lock().write_all(bytes) } else { fs::write(path, bytes) };
    written.map_err(|error| Failure::Usage(format!("{}: cannot be written: {error}", path.display())))
}

/// One line on standard error; when even that is closed, nobody is listening.
pub(crate) fn say(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}
