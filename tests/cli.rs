//! Spawns the command line. Each file `tests/cli/*.case` is a test: files to make, commands to run in their folder, and
//! beside it `*.expected` with what they print and their exit codes. `BLESS=1` writes the expectations anew.
//!
//! ```text
//! # what it is about
//! file model graph          # `graph`: graph text; `model`: the name of one in `cli/models.rs`; `text`: as it stands
//!   in  a:16
//!   op  a -> b:32
//!   out b
//! run plan model --format csv
//! ```
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test that cannot prepare its case has failed")]

#[path = "cli/corpus.rs"]
mod corpus;
#[path = "cli/models.rs"]
mod models;
#[path = "cli/seeds.rs"]
mod seeds;
mod support;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A folder of its own for `name`, empty.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// What a command did.
struct Done {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

/// Runs `arenascope` with `args` in `folder`; `input` goes to its standard input.
fn arenascope(folder: &Path, args: &[&str], input: Option<&Path>) -> Done {
    let stdin = input.map_or_else(Stdio::null, |path| fs::File::open(path).unwrap().into());
    let mut command = Command::new(env!("CARGO_BIN_EXE_arenascope"));
    let output = command.args(args).current_dir(folder).stdin(stdin).output().unwrap();
    Done {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Writes the files of a case into `folder`, runs its commands and gives what they did, as an expectation.
fn play(case: &str, folder: &Path) -> String {
    let mut done = String::new();
    let mut lines = case.lines().peekable();
    while let Some(line) = lines.next() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["file", name, kind, rest @ ..] => {
                let mut body = String::new();
                while let Some(line) = lines.next_if(|line| line.starts_with("  ") || line.is_empty()) {
                    body.push_str(line.trim_start());
                    body.push('\n');
                }
                let bytes = match *kind {
                    "graph" => support::graph_text::parse(&body).build(),
                    "model" => models::named(rest[0]),
                    "text" => body.trim_start().as_bytes().to_vec(),
                    other => panic!("unknown kind of file {other:?}"),
                };
                fs::write(folder.join(name), bytes).unwrap();
            }
            ["run", args @ ..] => {
                let (args, input) = match args {
                    [args @ .., "<", input] => (args, Some(folder.join(input))),
                    args => (args, None),
                };
                let ran = arenascope(folder, args, input.as_deref());
                let code = ran.code.map_or_else(|| "a signal".to_owned(), |code| code.to_string());
                write!(done, "$ {}\nexit {code}\n{}", &words[1..].join(" "), ran.stdout).unwrap();
                for line in ran.stderr.lines() {
                    writeln!(done, "! {line}").unwrap();
                }
                done.push('\n');
            }
            ["show", name] => {
                writeln!(done, "{name}:\n{}", fs::read_to_string(folder.join(name)).unwrap()).unwrap();
            }
            [] => {}
            [first, ..] => assert!(first.starts_with('#'), "unknown line {line:?}"),
        }
    }
    done
}

#[test]
fn cases() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli");
    let mut paths: Vec<_> = fs::read_dir(&here).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "case"));
    paths.sort();
    assert!(!paths.is_empty(), "no cases in {}", here.display());
    let mut wrong = Vec::new();
    for path in paths {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let done = play(&fs::read_to_string(&path).unwrap(), &folder(&name));
        let expectation = path.with_extension("expected");
        if std::env::var_os("BLESS").is_some() {
            fs::write(&expectation, done).unwrap();
            continue;
        }
        match fs::read_to_string(&expectation) {
            Ok(expected) if expected == done => {}
            Ok(expected) => wrong.push(format!("{name}: {}", first_difference(&expected, &done))),
            Err(error) => wrong.push(format!("{name}: no expectation ({error}); make it with BLESS=1 and read it")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn first_difference(expected: &str, got: &str) -> String {
    let mut pairs = expected.lines().zip(got.lines()).enumerate();
    pairs.find(|(_, (expected, got))| expected != got).map_or_else(
        || format!("{} lines expected, got {}", expected.lines().count(), got.lines().count()),
        |(index, (expected, got))| format!("line {}: expected\n  {expected}\ngot\n  {got}", index + 1),
    )
}

#[test]
fn output_goes_to_a_file_whole_or_not_at_all() {
    let folder = folder("output");
    fs::write(folder.join("model"), models::named("keyword-spotting")).unwrap();
    let done = arenascope(&folder, &["plan", "model", "--format", "json", "-o", "report.json"], None);
    assert_eq!((done.code, done.stdout.as_str(), done.stderr.as_str()), (Some(0), "", ""));
    let report: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.join("report.json")).unwrap()).unwrap();
    assert_eq!(report["schema"], 1);
    fs::write(folder.join("broken"), models::named("keyword-spotting-cut")).unwrap();
    let done = arenascope(&folder, &["plan", "broken", "--format", "json", "-o", "none.json"], None);
    assert_eq!(done.code, Some(3));
    assert!(!folder.join("none.json").exists(), "a partial report");
}
