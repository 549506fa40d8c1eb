//! Baked models in the real runtimes: `ARENASCOPE_PYTHON` names a Python with `tflite-micro` and `ai-edge-litert`, which
//! load the old and the written model, feed both the same seeded inputs, and must give the same bits; the head that
//! TFLite-Micro reports must be what was promised. Without it the tests say that they skip.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// What a pair of models is expected to do.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) original: PathBuf,
    pub(crate) written: PathBuf,
    /// TFLite-Micro's heads before and after, when they are promised.
    pub(crate) heads: Option<[u64; 2]>,
}

/// What the runtimes said.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) tflm: usize,
    pub(crate) tflite: usize,
    /// The original itself is refused.
    pub(crate) refused: usize,
    /// The original's own outputs change with its placement.
    pub(crate) unstable: usize,
    pub(crate) failed: Vec<String>,
}

/// The Python with the runtimes; says so when there is none.
pub(crate) fn python() -> Option<PathBuf> {
    let python = std::env::var_os("ARENASCOPE_PYTHON").map(PathBuf::from);
    if python.is_none() {
        println!("skipped: ARENASCOPE_PYTHON is not set");
    }
    python
}

/// Runs all jobs and judges the answers.
pub(crate) fn run(python: &Path, jobs: &[Job], runtimes: &[&str]) -> Tally {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rewrite/prove.py");
    let mut child = Command::new(python)
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let lines: Vec<String> = jobs
        .iter()
        .map(|job| json!({"original": job.original, "written": job.written, "runtimes": runtimes}).to_string())
        .collect();
    let writer = std::thread::spawn(move || input.write_all(lines.join("\n").as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<Value> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    assert_eq!(answers.len(), jobs.len(), "one answer for each job: {text}");
    let mut tally = Tally::default();
    for (job, answer) in jobs.iter().zip(&answers) {
        judge(job, answer, &mut tally);
    }
    tally
}

fn judge(job: &Job, answer: &Value, tally: &mut Tally) {
    for runtime in ["tflm", "tflite"] {
        let said = &answer[runtime];
        if said.is_null() {
            continue;
        }
        if said.get("error").is_some() {
            tally.refused += 1;
            continue;
        }
        let heads_hold = job.heads.is_none_or(|heads| said["heads"] == json!(heads));
        if said["unstable"] == json!(true) && heads_hold {
            tally.unstable += 1;
            continue;
        }
        let heads = (runtime == "tflm").then_some(job.heads).flatten();
        if said["equal"] == json!(true) && heads.is_none_or(|heads| said["heads"] == json!(heads)) {
            *(if runtime == "tflm" { &mut tally.tflm } else { &mut tally.tflite }) += 1;
        } else {
            tally.failed.push(format!("{}: {runtime} {said}, promised {:?}", job.written.display(), job.heads));
        }
    }
}
