//! `cargo xtask serve|dist|test|parity|samples|schema`: arguments to calls.

mod schema;

use std::process::ExitCode;

use xtask::{Result, parity, serve, shell, site, suite};

const HELP: &str = "\
cargo xtask serve [--port N]   build the page and serve it on 127.0.0.1 (port 8080, or a free one)
cargo xtask dist               write the static site to dist/
cargo xtask test               format, lints, all tests, types of www/, browser tests
cargo xtask parity tflite|tflm [FOLDER]
                               lay our plans beside the real runtime's, for any folder of models
cargo xtask samples            make the page's samples anew (www/samples)
cargo xtask schema [--check]   make src/schema anew from schema/*.fbs, or tell whether it is up to date";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<()> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["serve"] => serve::command(None),
        ["serve", "--port", port] => {
            let port = port.parse().map_err(|_| format!("--port {port}: expected a number from 0 to 65535"))?;
            serve::command(Some(port))
        }
        ["dist"] => site::build(&shell::root().join("dist")),
        ["test"] => suite::command(),
        ["parity", "tflite"] => parity::command_tflite(None),
        ["parity", "tflite", folder] => parity::command_tflite(Some(folder)),
        ["parity", "tflm"] => parity::command_tflm(None),
        ["parity", "tflm", folder] => parity::command_tflm(Some(folder)),
        ["schema", ..] => schema::run(&shell::root(), arguments.get(1..).unwrap_or_default()),
        ["samples"] => suite::samples(),
        ["help" | "--help" | "-h", ..] | [] | [_, "--help" | "-h"] => {
            println!("{HELP}");
            Ok(())
        }
        other => Err(format!("{:?} is not a command\n{HELP}", other.join(" "))),
    }
}
