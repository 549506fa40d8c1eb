//! Turns Rust source into words and signs, without comments, strings, chars and lifetimes: just enough to see which
//! paths a file uses. Knows nothing of the rules.

/// A word (`crate`), the sign `::`, or one other sign, with its line (from 1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub(crate) text: &'a str,
    pub(crate) line: usize,
}

/// The tokens of `source`.
pub(crate) fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut rest = source;
    let mut line = 1;
    while let Some(first) = rest.chars().next() {
        let length = skipped_len(rest).unwrap_or(0);
        let (length, is_token) = match length {
            0 => (token_len(rest, first), !first.is_whitespace()),
            length => (length, false),
        };
        let (text, after) = rest.split_at(length);
        if is_token {
            found.push(Token { text, line });
        }
        line += text.matches('\n').count();
        rest = after;
    }
    found
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn token_len(rest: &str, first: char) -> usize {
    if is_word(first) {
        rest.find(|c: char| !is_word(c)).unwrap_or(rest.len())
    } else if rest.starts_with("::") {
        2
    } else {
        first.len_utf8()
    }
}

/// How many bytes a comment, string, char or lifetime at the start of `rest` takes; `None` when there is none.
fn skipped_len(rest: &str) -> Option<usize> {
    if rest.starts_with("//") {
        return Some(rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return Some(block_comment_len(rest));
    }
    if let Some(raw) = rest.strip_prefix("br").or_else(|| rest.strip_prefix('r')) {
        let hashes = raw.chars().take_while(|&c| c == '#').count();
        if raw[hashes..].starts_with('"') {
            let end = format!("\"{}", "#".repeat(hashes));
            let start = rest.len() - raw.len() + hashes + 1;
            return Some(rest[start..].find(&end).map_or(rest.len(), |at| start + at + end.len()));
        }
    }
    if rest.starts_with('"') {
        return Some(quoted_len(rest, '"'));
    }
    if let Some(quoted) = rest.strip_prefix('\'') {
        let mut chars = quoted.chars();
        let (inner, next) = (chars.next()?, chars.next());
        // `'a'` and `'\n'` are chars; `'a` is a lifetime, whose word is dropped with it.
        return Some(if inner == '\\' || next == Some('\'') {
            quoted_len(rest, '\'')
        } else {
            1 + quoted.find(|c: char| !is_word(c)).unwrap_or(quoted.len())
        });
    }
    None
}

fn quoted_len(rest: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            c if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

fn block_comment_len(rest: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < rest.len() {
        let tail = &rest[at..];
        if tail.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if tail.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += tail.chars().next().map_or(1, char::len_utf8);
        }
    }
    rest.len()
}
