//! `arenascope solve CSV -o CSV`: the lowest plan for a table of buffers.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use arenascope::plan::csv::Table;
use arenascope::plan::{self, Progress, Violation};
use indicatif::{ProgressBar, ProgressStyle};

use crate::{Failure, files, options};

/// Seek the lowest plan for a table of buffers (CSV with minimalloc's columns id,lower,upper,size); exit code 1 when a
/// capacity asked for is not reached
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The table; `-` reads standard input
    table: PathBuf,
    /// Where the table with its offsets goes; standard output without it
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Stop as soon as a plan fits this many bytes: a number, perhaps with K or M (units of 1024)
    #[arg(long, value_name = "BYTES", value_parser = options::bytes)]
    capacity: Option<u64>,
    /// Stop after this many seconds with the best plan so far
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = seconds)]
    time_limit: f64,
    /// Keep the offsets that the table gives
    #[arg(long)]
    keep_offsets: bool,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let (bytes, _) = files::read(&args.table)?;
    let unreadable = |error: arenascope::error::Error| Failure::Input(format!("{}: {error}", args.table.display()));
    let table = Table::read(&bytes).map_err(unreadable)?;
    let problem = if args.keep_offsets { table.problem_with_fixed() } else { table.problem() }.map_err(unreadable)?;
    let start = Instant::now();
    let limit = Duration::from_secs_f64(args.time_limit);
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
        bar.set_style(style);
    }
    let solution = plan::solve(&problem, args.capacity, |progress| {
        bar.set_message(sentence(progress));
        bar.tick();
        start.elapsed() < limit
    });
    bar.finish_and_clear();
    match plan::validate(&problem, &solution.plan, None) {
        // What the table itself lays over each other is its own affair.
        Ok(()) | Err(Violation::FixedOverlap { .. }) => (),
        Err(violation) => return Err(Failure::Input(format!("a bug of ours, please report it: {violation}"))),
    }
    files::write(args.output.as_deref(), &table.with_plan(&solution.plan).write())?;
    files::say(&sentence(&solution.progress));
    match args.capacity {
        Some(capacity) if solution.plan.height_bytes > capacity => Err(Failure::Unmet),
        _ => Ok(()),
    }
}

/// How far the search has come.
fn sentence(progress: &Progress) -> String {
    let Progress { best_bytes, bound_bytes, .. } = progress;
    if progress.is_proven() {
        format!("{best_bytes} bytes, proven to be the least")
    } else {
        format!("{best_bytes} bytes, and no plan is below {bound_bytes}")
    }
}

/// A number of seconds that a clock can count.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=1e9).contains(&seconds) => Ok(seconds),
        _ => Err(String::from("expected a number of seconds from 0 to 1000000000")),
    }
}
