//! Quantities and steps in words, the same in every view for people.

use std::fmt::{Arguments, Write};

use crate::chart::format::decimal;
pub use crate::chart::format::grouped;
use crate::runtime::StepInfo;

/// Appends a line.
pub(super) fn line(text: &mut String, words: Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{words}");
}

/// `900 B`, `185.0 KiB`, `2.3 MiB`.
#[expect(clippy::cast_precision_loss, reason = "shown with one digit behind the point")]
pub fn bytes_words(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let mut value = bytes as f64 / 1024.0;
    let mut unit = 0;
    // 1023.95 would be shown as 1024.0.
    while value >= 1023.95 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{} {}", decimal(value, 1), UNITS[unit])
}

/// `189,440 bytes (185.0 KiB)`.
pub fn bytes_exact(bytes: u64) -> String {
    if bytes < 1024 { format!("{bytes} bytes") } else { format!("{} bytes ({})", grouped(bytes), bytes_words(bytes)) }
}

/// `op 14 CONV_2D`, `op 3 ADD of subgraph 2`, or the step's own name.
pub fn step_words(info: &StepInfo) -> String {
    match info.op {
        Some(op) if info.subgraph.0 == 0 => format!("op {op} {}", info.name),
        Some(op) => format!("op {op} {} of subgraph {}", info.name, info.subgraph),
        None => info.name.clone(),
    }
}

/// Text from a model, fit for a terminal or a table: control characters become spaces.
pub fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || is_misleading(c) { ' ' } else { c }).collect()
}

/// Signs that turn the direction of writing or end a line, and so could make a line read as another, and the controls
/// that JSON lets stand but a terminal obeys.
pub(super) fn is_misleading(c: char) -> bool {
    matches!(
        c,
        '\u{7f}'..='\u{9f}' | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    )
}

#[cfg(test)]
mod tests {
    use super::{bytes_exact, bytes_words, clean, grouped};

    #[test]
    fn quantities_read_well() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1000), "1,000");
        assert_eq!(grouped(123_456_789), "123,456,789");
        assert_eq!(bytes_words(1023), "1023 B");
        assert_eq!(bytes_words(1024), "1.0 KiB");
        assert_eq!(bytes_words(1024 * 1024 - 1), "1.0 MiB");
        assert_eq!(bytes_exact(189_440), "189,440 bytes (185.0 KiB)");
    }

    #[test]
    fn hostile_names_lose_their_control_characters() {
        assert_eq!(clean("a\x1b[31m\nb\u{202e}c"), "a [31m b c");
        assert_eq!(clean("\u{9b}31m\u{7f}\u{61c}\u{2028}\u{2029}d"), " 31m    d");
    }
}
