//! `arenascope plan MODEL`: where every tensor lies, as text, JSON, CSV or a picture.

use std::path::PathBuf;

use arenascope::report;

use crate::options::Options;
use crate::{Failure, files};

/// Show where every tensor of a model lies, and when
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A .tflite model (also inside gzip, zip, .task, .litertlm or a C array), a plan file, or a CSV table of buffers
    /// (id,lower,upper,size[,offset]); `-` reads standard input
    model: PathBuf,
    #[command(flatten)]
    options: Options,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Where to write it [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Format {
    /// For people
    Text,
    /// For programs
    Json,
    /// The arena's buffers in minimalloc's columns
    Csv,
    /// A picture of the arena over the steps
    Svg,
    /// One page with the picture and all tables, for any browser
    Html,
    /// What TFLite-Micro's `PrintMemoryPlan` would print
    MemoryPlan,
    /// The plan as C++ constants
    Cpp,
    /// The plan as a `BufferPlan` for TFLite-Micro's planner for plans from outside
    BufferPlan,
    /// A plan file that opens again, here and in the page
    Plan,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let analysis = files::analyse(&args.model, &args.options.settings())?;
    let text = match args.format {
        Format::Text => report::to_text(&analysis),
        Format::Json => report::to_json(&analysis).map_err(|error| files::failure(&args.model, &error))?,
        Format::Csv => report::to_csv(&analysis),
        Format::Svg => report::to_svg(&analysis, None).map_err(|error| files::failure(&args.model, &error))?,
        Format::Html => report::to_html(&analysis).map_err(|error| files::failure(&args.model, &error))?,
        Format::MemoryPlan => report::to_memory_plan(&analysis).map_err(|error| files::failure(&args.model, &error))?,
        Format::Cpp => report::to_cpp(&analysis),
        Format::BufferPlan => report::to_buffer_plan(&analysis).map_err(|error| files::failure(&args.model, &error))?,
        Format::Plan => report::to_plan_file(&analysis),
    };
    files::write(args.output.as_deref(), &text)
}
