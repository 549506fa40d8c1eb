//! `arenascope diff BEFORE AFTER`: what changed between two models, for pipelines.

use std::path::PathBuf;

use arenascope::report;

use crate::options::Options;
use crate::{Failure, files};

/// Compare two models under the same options
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The model before
    before: PathBuf,
    /// The model after
    after: PathBuf,
    /// Exit with code 1 when the arena grows by more than this many bytes
    #[arg(long, value_name = "BYTES")]
    fail_over: Option<u64>,
    #[command(flatten)]
    options: Options,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    if args.before == args.after && args.before.as_os_str() == "-" {
        return Err(Failure::Usage(String::from(
            "standard input can be read only once: give one of the models as a file",
        )));
    }
    let settings = args.options.settings();
    let before = files::analyse(&args.before, &settings)?;
    let after = files::analyse(&args.after, &settings)?;
    let difference = report::diff(&before, &after);
    files::write(None, &difference.to_text())?;
    match args.fail_over {
        Some(most) if difference.grown_bytes() > most => Err(Failure::Unmet),
        _ => Ok(()),
    }
}
