//! `arenascope check MODEL --arena N`: whether a model fits, for pipelines.

use std::path::PathBuf;

use arenascope::report;

use crate::options::Options;
use crate::{Failure, files};

/// Check that a model fits an arena and that its plan destroys nothing; exit code 1 when not
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A .tflite model, or a CSV table of buffers; `-` reads standard input
    model: PathBuf,
    /// Bytes of the arena: a number, perhaps with K or M (units of 1024)
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    arena: u64,
    #[command(flatten)]
    options: Options,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let analysis = files::analyse(&args.model, &args.options.settings())?;
    let verdict = report::check(&analysis, args.arena);
    files::write(None, &verdict.to_text())?;
    if verdict.holds() { Ok(()) } else { Err(Failure::Unmet) }
}

/// `65536`, `64K`, `64KiB`, `1M`.
fn bytes(text: &str) -> Result<u64, String> {
    let (digits, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    let factor = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => Some(1),
        "k" | "kib" => Some(1024),
        "m" | "mib" => Some(1024 * 1024),
        _ => None,
    };
    let number = digits.parse::<u64>().ok();
    let bytes = number.zip(factor).and_then(|(number, factor)| number.checked_mul(factor));
    bytes.ok_or_else(|| String::from("expected a number of bytes, perhaps with K or M behind it"))
}
