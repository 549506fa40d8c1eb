//! Text without a browser: a width table (so that layout is the same everywhere), cleaning of hostile names, and
//! shortening to a width.

/// Widths of the ASCII characters from space to `~` in thousandths of the font size: those of the common sans-serif
/// faces (Helvetica, Arial, Liberation Sans share them).
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
];

/// Characters as wide as the font size: Chinese, Japanese, Korean, emoji, the ellipsis.
const WIDE: [std::ops::RangeInclusive<char>; 9] = [
    '…'..='…',
    '\u{1100}'..='\u{115f}',
    '\u{2e80}'..='\u{a4cf}',
    '\u{ac00}'..='\u{d7a3}',
    '\u{f900}'..='\u{faff}',
    '\u{fe30}'..='\u{fe4f}',
    '\u{ff00}'..='\u{ff60}',
    '\u{1f300}'..='\u{1faff}',
    '\u{20000}'..=char::MAX,
];

/// Characters that turn the direction of text, or that XML forbids.
const FORBIDDEN: [std::ops::RangeInclusive<char>; 5] = [
    '\u{200e}'..='\u{200f}',
    '\u{202a}'..='\u{202e}',
    '\u{2066}'..='\u{2069}',
    '\u{61c}'..='\u{61c}',
    '\u{fffe}'..='\u{ffff}',
];

/// Fonts differ: some sans-serif faces run this much wider than the table.
const SLACK: f64 = 1.08;

/// The longest text that is shown in one piece; names can be as long as a file.
const MAX_CHARS: usize = 200;

/// The width of `text` at a font size, rather a little too wide than too narrow.
pub fn width(text: &str, size: f64) -> f64 {
    text.chars().map(char_width).sum::<f64>() * size * SLACK
}

/// The height of a line at a font size.
pub fn line_height(size: f64) -> f64 {
    size * 1.25
}

fn char_width(character: char) -> f64 {
    match character {
        ' '..='~' => f64::from(WIDTHS[character as usize - 32]) / 1000.0,
        '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200d}' | '\u{fe00}'..='\u{fe0f}' => 0.0,
        character if WIDE.iter().any(|range| range.contains(&character)) => 1.0,
        '·' | '\u{a0}' => 0.28,
        _ => 0.65,
    }
}

/// A name fit to be shown: control characters and those that turn the direction of text become visible signs, and
/// what is longer than a sentence is cut. (Escaping for a format is the format's business.)
pub fn clean(name: &str) -> String {
    let mut text = String::new();
    for (count, character) in name.chars().enumerate() {
        if count == MAX_CHARS {
            text.push('…');
            break;
        }
        text.push(match character {
            '\t' | '\n' | '\r' => ' ',
            character if character.is_control() || FORBIDDEN.iter().any(|range| range.contains(&character)) => {
                '\u{fffd}'
            }
            character => character,
        });
    }
    text
}

/// The end of `text` that fits into `room` pixels, with an ellipsis in front when it was cut (the end of a tensor's
/// name says more than its beginning); `None` when fewer than three characters would be left.
pub fn fit_end(text: &str, room: f64, size: f64) -> Option<String> {
    if width(text, size) <= room {
        return (!text.is_empty()).then(|| text.to_string());
    }
    let mut left = room - width("…", size);
    let mut kept = 0;
    let mut start = text.len();
    for (at, character) in text.char_indices().rev() {
        left -= char_width(character) * size * SLACK;
        if left < 0.0 {
            break;
        }
        (start, kept) = (at, kept + 1);
    }
    (kept >= 3).then(|| format!("…{}", &text[start..]))
}

/// The beginning of `text` that fits into `room` pixels, with an ellipsis behind when it was cut; `None` when fewer
/// than three characters would be left.
pub fn fit_start(text: &str, room: f64, size: f64) -> Option<String> {
    if width(text, size) <= room {
        return (!text.is_empty()).then(|| text.to_string());
    }
    let mut left = room - width("…", size);
    let mut kept = String::new();
    for character in text.chars() {
        left -= char_width(character) * size * SLACK;
        if left < 0.0 {
            break;
        }
        kept.push(character);
    }
    (kept.chars().count() >= 3).then(|| format!("{kept}…"))
}
