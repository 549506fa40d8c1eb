//! Turns the table of `docs/ARCHITECTURE.md` and one source into complaints. Knows the tokens of a source, not Rust.

use crate::tokens::{Token, tokens};

/// Folders inside `runtime` that must not know each other.
const SEPARATE: [&str; 2] = ["tflite", "tflm"];
/// The files with `unsafe`: what flatc made.
const GENERATED: [&str; 2] = ["schema/generated.rs", "schema/litertlm.rs"];
/// Words that print; the library returns values.
const PRINTING: [&str; 5] = ["println", "print", "eprintln", "eprint", "dbg"];
/// What the library leaves to its callers.
const OUTSIDE: [&str; 4] = ["fs", "net", "process", "env"];
/// Modules whose types may be serialised.
const SERIALISING: [&str; 2] = ["report", "web"];

/// One row: a module, and what it may use.
#[derive(Debug)]
struct Row {
    module: String,
    modules: Vec<String>,
    crates: Vec<String>,
}

/// The table of modules.
#[derive(Debug)]
pub(crate) struct Table {
    rows: Vec<Row>,
}

impl Table {
    /// The rows of the table whose last column is headed `may know`.
    pub(crate) fn parse(markdown: &str) -> Table {
        let rows = markdown
            .lines()
            .skip_while(|line| !(line.starts_with("| module ") && line.trim_end().ends_with("may know |")))
            .skip(2)
            .take_while(|line| line.starts_with('|'))
            .map(|line| {
                let cells: Vec<&str> = line.trim_end().trim_matches('|').split('|').map(str::trim).collect();
                let known = cells.last().copied().unwrap_or_default();
                let (modules, crates) = known.split_once("crate").unwrap_or((known, ""));
                Row {
                    module: quoted(cells.first().copied().unwrap_or_default()).concat(),
                    modules: quoted(modules),
                    crates: quoted(crates),
                }
            })
            .collect();
        Table { rows }
    }

    /// The modules, in the table's order.
    pub(crate) fn modules(&self) -> impl Iterator<Item = &str> {
        self.rows.iter().map(|row| row.module.as_str())
    }

    /// Edges from a row to itself, to a row below it, or to a module without a row.
    pub(crate) fn upward_edges(&self) -> Vec<String> {
        let mut edges = Vec::new();
        for (index, row) in self.rows.iter().enumerate() {
            for known in &row.modules {
                if !self.modules().take(index).any(|module| module == known) {
                    edges.push(format!("{} -> {known}", row.module));
                }
            }
        }
        edges
    }

    fn row(&self, module: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.module == module)
    }

    /// Every crate that some row names.
    pub(crate) fn knows_crate(&self, name: &str) -> bool {
        self.rows.iter().any(|row| row.crates.iter().any(|known| known == name))
    }
}

/// The words between backticks.
fn quoted(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(String::from).collect()
}

/// One file of the library: its path below `src` and its text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a> {
    pub(crate) path: &'a str,
    pub(crate) text: &'a str,
}

/// What `source` does against the table: one line each, with the place.
pub(crate) fn check(table: &Table, source: &Source<'_>) -> Vec<String> {
    let names = module_path(source.path);
    let module = names.first().copied().unwrap_or_default();
    let Some(row) = table.row(module) else {
        return vec![format!("{}:1: `{module}` has no row in the table", source.path)];
    };
    let tokens = tokens(source.text);
    let mut complaints = Vec::new();
    let mut complain = |line: usize, what: String| complaints.push(format!("{}:{line}: {what}", source.path));
    let used = used_paths(&tokens, &names);
    // A module of ours may be called like a crate: `use crate::plan::csv`.
    let imported: Vec<String> = used.iter().filter_map(|used| used.below.last().cloned()).collect();
    for used in used {
        // `below` names what follows the module: `tflm` in `crate::runtime::tflm`.
        let Used { module: other, below, line } = used;
        if table.row(&other).is_some() && other != module && !row.modules.contains(&other) {
            complain(line, format!("`{module}` uses `{other}`"));
        }
        let own = names.get(1).copied().unwrap_or_default();
        if module == "runtime" && other == module && SEPARATE.contains(&own) {
            for part in below.iter().filter(|part| SEPARATE.contains(&part.as_str()) && *part != own) {
                complain(line, format!("`runtime::{own}` uses `{part}`"));
            }
        }
    }
    for (index, token) in tokens.iter().enumerate() {
        let is_ours = imported.iter().any(|name| name == token.text);
        let is_from_outside = index > 0 && tokens[index - 1].text == "::" && !path_goes_on(&tokens, index);
        if is_ours && !is_from_outside {
            continue;
        }
        if let Some(what) = forbidden_word(table, row, source.path, &tokens, index) {
            complain(token.line, what);
        }
    }
    complaints
}

/// `plan/greedy.rs` is `["plan", "greedy"]`, `plan/mod.rs` is `["plan"]`.
fn module_path(path: &str) -> Vec<&str> {
    path.trim_end_matches(".rs").split('/').filter(|part| *part != "mod").collect()
}

/// A path from the crate's root: its module, the names right below it, and its line.
#[derive(Debug)]
struct Used {
    module: String,
    below: Vec<String>,
    line: usize,
}

/// All paths that start at the crate's root, by `crate`, `arenascope`, or enough `super`s. `file` is the file's own
/// module path.
fn used_paths(tokens: &[Token<'_>], file: &[&str]) -> Vec<Used> {
    let mut found = Vec::new();
    let mut braces = 0_usize;
    // The brace depth at which each open `mod name {` was opened.
    let mut inline: Vec<usize> = Vec::new();
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        let text = |offset: usize| tokens.get(index + offset).map_or("", |token| token.text);
        match token.text {
            "{" => braces += 1,
            "}" => {
                braces = braces.saturating_sub(1);
                inline.pop_if(|opened| *opened == braces);
            }
            "mod" if text(2) == "{" => inline.push(braces),
            "crate" | "arenascope" if text(1) == "::" => found.extend(tree(tokens, index + 2, &[])),
            "super" if index == 0 || tokens[index - 1].text != "::" => {
                let supers =
                    (0..tokens.len()).take_while(|n| text(2 * n) == "super" && text(2 * n + 1) == "::").count();
                let own = file.len() + inline.len();
                if supers >= own {
                    found.extend(tree(tokens, index + 2 * supers, &[]));
                } else if supers + 1 == own {
                    // One name is left: the path goes on inside the file's own module.
                    found.extend(tree(tokens, index + 2 * supers, &file[..1]));
                }
            }
            _ => {}
        }
        index += 1;
    }
    found
}

/// The paths of the use tree at `index`, each `prefix` and up to two names.
fn tree(tokens: &[Token<'_>], index: usize, prefix: &[&str]) -> Vec<Used> {
    let mut leaves = Vec::new();
    walk(tokens, index, &mut prefix.iter().map(|name| String::from(*name)).collect(), &mut leaves);
    leaves
        .into_iter()
        .filter_map(|(names, line)| {
            let (module, below) = names.split_first()?;
            Some(Used { module: module.clone(), below: below.iter().take(1).cloned().collect(), line })
        })
        .collect()
}

/// Walks one branch of a use tree and returns the index behind it.
fn walk(tokens: &[Token<'_>], start: usize, names: &mut Vec<String>, leaves: &mut Vec<(Vec<String>, usize)>) -> usize {
    let mut index = start;
    let kept = names.len();
    while let Some(token) = tokens.get(index) {
        if token.text == "{" {
            index += 1;
            while tokens.get(index).is_some_and(|token| token.text != "}") {
                let next = walk(tokens, index, names, leaves);
                index = next.max(index + 1);
            }
            names.truncate(kept);
            return index + 1;
        }
        names.push(String::from(token.text));
        if tokens.get(index + 1).is_none_or(|next| next.text != "::") {
            leaves.push((names.clone(), token.line));
            names.truncate(kept);
            // `as name` and the comma are stepped over by the caller, word by word, as leaves that name no module.
            return index + 1;
        }
        index += 2;
    }
    names.truncate(kept);
    index
}

/// The complaint about the word at `index`, if it is out of place there.
fn forbidden_word(table: &Table, row: &Row, path: &str, tokens: &[Token<'_>], index: usize) -> Option<String> {
    let word = tokens[index].text;
    let before = index.checked_sub(1).map_or("", |at| tokens[at].text);
    let after = tokens.get(index + 1).map_or("", |token| token.text);
    if word == "unsafe" && !GENERATED.contains(&path) {
        return Some(format!("`unsafe` stands only in {}", GENERATED.join(" and ")));
    }
    if PRINTING.contains(&word) && after == "!" {
        return Some(format!("`{word}` in the library: return a value"));
    }
    if matches!(word, "Serialize" | "Deserialize") && before != "::" && !SERIALISING.contains(&row.module.as_str()) {
        return Some(format!("`{word}` stands only in {}", SERIALISING.join(" and ")));
    }
    if OUTSIDE.contains(&word) && before == "::" && index >= 2 && tokens[index - 2].text == "std" {
        return Some(format!("`std::{word}` in the library: its callers know files and the system"));
    }
    let is_attribute = before == "[" && after != ";";
    let is_path = after == "::" && !path_goes_on(tokens, index);
    let is_use = before == "use" || (before == "crate" && index >= 2 && tokens[index - 2].text == "extern");
    if (is_attribute || is_path || is_use) && table.knows_crate(word) && !row.crates.iter().any(|known| known == word) {
        return Some(format!("`{}` uses the crate `{word}`", row.module));
    }
    None
}

/// Whether the word at `index` continues a path (`a::zip`); `::zip` alone starts one.
fn path_goes_on(tokens: &[Token<'_>], index: usize) -> bool {
    let sign = |back: usize| index.checked_sub(back).map_or("", |at| tokens[at].text);
    let is_name = sign(2).chars().all(|c| c.is_alphanumeric() || c == '_') && !sign(2).is_empty();
    sign(1) == "." || (sign(1) == "::" && is_name)
}
