//! `arenascope bake MODEL -o OUT`: the same model with a smaller arena.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use arenascope::report;
use arenascope::rewrite::{BakeOptions, Phase, Progress};
use indicatif::{ProgressBar, ProgressStyle};

use crate::options::Options;
use crate::{Failure, files};

/// Write the same model with a smaller arena: a better plan (tflm), a better order of operators, or both
///
/// Without --plan and --reorder, both are tried. Weights, names, signatures and appended data stay as they are; what
/// does not get smaller is written as it is.
#[derive(Debug, clap::Args)]
#[command(mut_arg("what_if", |arg| arg.hide(true)))]
#[command(mut_arg("runtime", |arg| arg.default_value("tflm")))]
pub(crate) struct Args {
    /// A .tflite model (also inside gzip, zip, .task, .litertlm or a C array); `-` reads standard input
    model: PathBuf,
    /// Where to write the model
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Write a plan into the model's metadata
    #[arg(long)]
    plan: bool,
    /// Put the operators into another order
    #[arg(long)]
    reorder: bool,
    /// Seconds after which the best found so far is taken
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    time_limit: u64,
    /// Also write the best plan of the written model as C++, for TFLite-Micro's planner for plans from outside
    #[arg(long, value_name = "FILE")]
    buffer_plan: Option<PathBuf>,
    #[command(flatten)]
    options: Options,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let (bytes, name) = files::read(&args.model)?;
    let settings = args.options.settings();
    let both = !args.plan && !args.reorder;
    let effort = BakeOptions::default();
    let wanted = BakeOptions { plan: args.plan || both, reorder: args.reorder || both, ..effort };
    let (start, limit) = (Instant::now(), Duration::from_secs(args.time_limit));
    let bar = ProgressBar::new(0);
    // A template of our own that parses; indicatif draws on standard error, and only on a terminal.
    if let Ok(style) = ProgressStyle::with_template("{msg} {bar:30} {elapsed}") {
        bar.set_style(style);
    }
    let mut go_on = |progress: &Progress| {
        bar.set_length(progress.of);
        bar.set_position(progress.done);
        bar.set_message(words(progress));
        start.elapsed() < limit
    };
    let baked = report::bake(&bytes, &name, &settings, &wanted, &mut go_on);
    bar.finish_and_clear();
    let baked = baked.map_err(|error| files::failure(&args.model, &error))?;
    files::write_bytes(&args.output, &baked.bytes)?;
    if let Some(path) = &args.buffer_plan {
        let text = report::buffer_plan(&baked.bytes, &name, &settings);
        files::write(Some(path), &text.map_err(|error| files::failure(&args.model, &error))?)?;
    }
    if args.output.as_os_str() == "-" {
        return Ok(());
    }
    files::write(None, &report::baked_to_text(&name, &baked))
}

fn words(progress: &Progress) -> String {
    let what = match progress.phase {
        Phase::Order(subgraph) => format!("order of subgraph {subgraph}"),
        Phase::PlanOfGivenOrder => String::from("plan"),
        Phase::PlanOfNewOrder => String::from("plan of the new order"),
    };
    format!("{what}: {} bytes, bound {}", progress.best_bytes, progress.bound_bytes)
}
