//! `arenascope check MODEL --arena N` or `--board ID`: whether a model fits, for pipelines.

use std::path::PathBuf;

use arenascope::report;
use arenascope::runtime::tflm::Board;
use arenascope::runtime::{RuntimeKind, tflm};

use crate::options::{self, Options};
use crate::{Failure, files};

/// Check that a model fits an arena and that its plan destroys nothing; exit code 1 when not
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A .tflite model, or a CSV table of buffers; `-` reads standard input
    model: PathBuf,
    #[command(flatten)]
    budget: Budget,
    #[command(flatten)]
    options: Options,
}

/// What the model must fit.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct Budget {
    /// Bytes of the arena: a number, perhaps with K or M (units of 1024)
    #[arg(long, value_name = "BYTES", value_parser = options::bytes)]
    arena: Option<u64>,
    /// A board by its id (see `arenascope boards`): TFLite-Micro with its kernels and struct sizes
    #[arg(long, value_name = "ID", value_parser = board)]
    board: Option<&'static Board>,
}

/// The board of that id.
fn board(id: &str) -> Result<&'static Board, String> {
    tflm::board(id).ok_or_else(|| format!("no board {id:?}; `arenascope boards` lists them"))
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let mut settings = args.options.settings();
    let mut budget = args.budget.arena.unwrap_or(0);
    if let Some(board) = args.budget.board {
        (settings.runtime, settings.kernels, settings.abi) = (RuntimeKind::Tflm, board.kernels, board.abi);
        budget = board.budget_bytes();
    }
    let analysis = files::analyse(&args.model, &settings)?;
    let verdict = report::check(&analysis, budget);
    files::write(None, &verdict.to_text())?;
    if verdict.holds() { Ok(()) } else { Err(Failure::Unmet) }
}
