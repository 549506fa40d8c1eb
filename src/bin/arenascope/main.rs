//! The command line: arguments to calls. Thin; one file for each subcommand.
//!
//! Exit codes: 0 done; 1 a check did not hold; 2 bad usage; 3 the input cannot be read.

mod advise;
mod bake;
mod boards;
mod check;
mod decode;
mod diff;
mod files;
mod options;
mod plan;
mod runtimes;
mod solve;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Shows where every tensor of a TensorFlow Lite model lies in memory, when, and why.
#[derive(Debug, Parser)]
#[command(name = "arenascope", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Plan(plan::Args),
    Check(check::Args),
    Boards(boards::Args),
    Diff(diff::Args),
    Decode(decode::Args),
    Advise(advise::Args),
    Bake(bake::Args),
    Runtimes(runtimes::Args),
    Solve(solve::Args),
}

/// Why a command ends without its result.
#[derive(Debug)]
enum Failure {
    /// A check does not hold; what was found has been printed.
    Unmet,
    /// The arguments do not fit, in one sentence.
    Usage(String),
    /// An input cannot be read, in one sentence.
    Input(String),
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version go to standard output with exit code 0, all else to standard error with 2.
            let _ = error.print();
            return ExitCode::from(u8::from(error.use_stderr()) * 2);
        }
    };
    let done = match cli.command {
        Command::Plan(args) => plan::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Boards(args) => boards::run(&args),
        Command::Decode(args) => decode::run(&args),
        Command::Diff(args) => diff::run(&args),
        Command::Advise(args) => advise::run(&args),
        Command::Bake(args) => bake::run(&args),
        Command::Runtimes(args) => runtimes::run(&args),
        Command::Solve(args) => solve::run(&args),
    };
    let (code, sentence) = match done {
        Ok(()) => (0, None),
        Err(Failure::Unmet) => (1, None),
        Err(Failure::Usage(sentence)) => (2, Some(sentence)),
        Err(Failure::Input(sentence)) => (3, Some(sentence)),
    };
    if let Some(sentence) = sentence {
        files::say(&format!("arenascope: {}", one_line(&sentence)));
    }
    ExitCode::from(code)
}

/// The sentence on one line, whatever text of the model it holds.
fn one_line(sentence: &str) -> String {
    arenascope::report::clean(sentence)
}
