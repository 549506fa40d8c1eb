//! What decoded messages of TFLite-Micro mean, as text.

use crate::report::words::{bytes_exact, clean, line};
use crate::runtime::tflm::{Diagnosis, Progress};

/// The diagnosis in words: one line for each message, then how they compare, then what to set.
pub fn diagnosis_text(diagnosis: &Diagnosis) -> String {
    let mut text = String::new();
    for finding in &diagnosis.findings {
        let stage = finding.stage.map_or_else(String::new, |stage| format!("while {}: ", stage.words()));
        line(&mut text, format_args!("line {}: {stage}{}", finding.line, clean(&finding.meaning.words())));
        let figures = [("requested", finding.requested), ("free", finding.available), ("missing", finding.missing)];
        for (what, bytes) in figures {
            if let Some(bytes) = bytes {
                line(&mut text, format_args!("  {what:<10}{}", bytes_exact(bytes)));
            }
        }
    }
    for progress in &diagnosis.progress {
        line(&mut text, format_args!("{}", progress_words(*progress)));
    }
    if let Some(least) = diagnosis.at_least_bytes {
        line(&mut text, format_args!("the arena must be at least {}; more may follow", bytes_exact(least)));
    }
    if let Some(exact) = diagnosis.exact_bytes {
        line(&mut text, format_args!("set the arena to {}", bytes_exact(exact)));
    }
    for doubt in &diagnosis.doubts {
        line(&mut text, format_args!("note: {}", clean(&doubt.words())));
    }
    text
}

fn progress_words(progress: Progress) -> &'static str {
    match progress {
        Progress::Further => "progress: the next failure comes later",
        Progress::Closer => "progress: the same place, with less missing",
        Progress::Elsewhere => "the same stage, but another allocation",
        Progress::Same => "no progress: nothing changed",
        Progress::Back => "a step back: it fails earlier, or more is missing",
    }
}
