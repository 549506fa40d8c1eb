//! `arenascope advise MODEL`: what would make the arena smaller.

use std::path::PathBuf;

use arenascope::advise::Effort;
use arenascope::report;

use crate::options::Options;
use crate::{Failure, files};

/// Say what would make the arena smaller, most bytes saved first, each tried by planning again
#[derive(Debug, clap::Args)]
#[command(mut_arg("what_if", |arg| arg.hide(true)))]
pub(crate) struct Args {
    /// A .tflite model (also inside gzip, zip, .task, .litertlm or a C array); `-` reads standard input
    model: PathBuf,
    #[command(flatten)]
    options: Options,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let (bytes, name) = files::read(&args.model)?;
    let advices = report::advice(&bytes, &name, &args.options.settings(), Effort::default());
    let advices = advices.map_err(|error| files::failure(&args.model, &error))?;
    files::write(None, &report::advice_to_text(&name, &advices))
}
