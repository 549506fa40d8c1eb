//! `arenascope decode LOG`: what TFLite-Micro's messages mean, and which arena they ask for.

use std::path::PathBuf;

use arenascope::report;
use arenascope::runtime::{RuntimeKind, tflm};

use crate::options::{self, Options};
use crate::{Failure, files};

/// Say what TFLite-Micro's error messages mean and how much memory is missing
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The messages as text; `-` reads standard input
    log: PathBuf,
    /// The arena's size when the last line was printed: bytes, perhaps with K or M (units of 1024)
    #[arg(long, value_name = "BYTES", value_parser = options::bytes)]
    arena: Option<u64>,
    /// The model that was loaded, for the exact size
    #[arg(long, value_name = "MODEL")]
    model: Option<PathBuf>,
    #[command(flatten)]
    options: Options,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let (bytes, name) = files::read(&args.log)?;
    let log = String::from_utf8_lossy(&bytes);
    let mut settings = args.options.settings();
    settings.runtime = RuntimeKind::Tflm;
    let analysis = args.model.as_ref().map(|model| files::analyse(model, &settings)).transpose()?;
    let needs = analysis.as_ref().and_then(|analysis| analysis.needs.as_ref());
    let diagnosis = tflm::decode(&log, args.arena, needs);
    if diagnosis.findings.is_empty() {
        let hint = "paste the lines that AllocateTensors or the interpreter printed";
        return Err(Failure::Input(format!("{name}: no line is a message of TFLite-Micro that is known; {hint}")));
    }
    files::write(None, &report::diagnosis_text(&diagnosis))
}
