//! `arenascope boards`: the boards that `check --board` knows.

use arenascope::report::{bytes_words, kernels_name};
use arenascope::runtime::tflm::BOARDS;

use crate::{Failure, files};

/// List the boards that `check --board` knows
#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_: &Args) -> Result<(), Failure> {
    let rows = BOARDS.iter().map(|board| {
        let (budget, kernels) = (bytes_words(board.budget_bytes()), kernels_name(board.kernels));
        format!("{:<16}{:>12}  {kernels:<14}{} ({})\n", board.id, budget, board.name, board.source)
    });
    files::write(None, &rows.collect::<String>())
}
