//! The project's helper commands: `cargo xtask serve|test|dist|…`.

mod schema;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or_else(|| Path::new("."));
    let result = match args.split_first() {
        Some((command, rest)) if command == "schema" => schema::run(root, rest),
        _ => Err("usage: cargo xtask schema".to_owned()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
