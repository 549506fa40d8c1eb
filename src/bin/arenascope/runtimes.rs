//! `arenascope runtimes MODEL`: why TFLite and TFLite-Micro need different amounts for the same model.

use std::path::PathBuf;

use arenascope::report;
use arenascope::runtime::RuntimeKind;

use crate::options::Options;
use crate::{Failure, files};

/// Say why `TFLite` and TFLite-Micro need different amounts for the same model, in bytes for each reason
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A .tflite model (also inside gzip, zip, .task, .litertlm or a C array)
    model: PathBuf,
    #[command(flatten)]
    options: Options,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let mut settings = args.options.settings();
    settings.runtime = RuntimeKind::Tflite;
    let tflite = files::analyse(&args.model, &settings)?;
    settings.runtime = RuntimeKind::Tflm;
    let tflm = files::analyse(&args.model, &settings)?;
    let text = report::runtimes_to_text(&tflite, &tflm).map_err(|error| files::failure(&args.model, &error))?;
    files::write(None, &text)
}
