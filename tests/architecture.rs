//! Keeps the table of modules in `docs/ARCHITECTURE.md`: reads the sources and fails where one uses what its row does
//! not allow, where `unsafe`, printing or `Serialize` stands outside its place, or where the table is stale.
#![expect(clippy::expect_used, reason = "a test that cannot read the sources has failed")]

#[path = "architecture/rules.rs"]
mod rules;
#[path = "architecture/tokens.rs"]
mod tokens;

use std::fs;
use std::path::{Path, PathBuf};

use rules::{Source, Table};

/// The project's root.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All Rust files below `dir`, sorted.
fn rust_files(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut entries: Vec<_> =
        fs::read_dir(dir).expect("read a folder").map(|entry| entry.expect("read an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// The library's sources with their paths below `src`, with `/` on every system.
fn library() -> Vec<(String, String)> {
    let src = root().join("src");
    rust_files(&src)
        .into_iter()
        .map(|path| {
            let below = path.strip_prefix(&src).expect("a path below src");
            let name: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
            (name.join("/"), fs::read_to_string(&path).expect("read a source"))
        })
        .filter(|(name, _)| name != "lib.rs" && !name.starts_with("bin/"))
        .collect()
}

fn table() -> Table {
    let text = fs::read_to_string(root().join("docs/ARCHITECTURE.md")).expect("read the document");
    Table::parse(&text)
}

#[test]
fn sources_keep_the_table() {
    let table = table();
    let mut violations = Vec::new();
    for (name, text) in library() {
        violations.extend(rules::check(&table, &Source { path: &name, text: &text }));
    }
    assert!(violations.is_empty(), "the sources break docs/ARCHITECTURE.md:\n{}", violations.join("\n"));
}

#[test]
fn table_names_every_module_and_has_no_cycle() {
    let table = table();
    let lib = fs::read_to_string(root().join("src/lib.rs")).expect("read lib.rs");
    let mut in_lib: Vec<&str> = lib
        .lines()
        .filter_map(|line| line.strip_prefix("pub mod ").or_else(|| line.strip_prefix("mod ")))
        .map(|rest| rest.trim_end_matches(';'))
        .collect();
    in_lib.sort_unstable();
    let mut in_table: Vec<&str> = table.modules().collect();
    in_table.sort_unstable();
    assert_eq!(in_lib, in_table, "src/lib.rs and the table name other modules");
    assert_eq!(table.upward_edges(), Vec::<String>::new(), "a row may only know rows above it");
}

/// Rows of the made-up table that the made-up sources are held against.
const MADE_UP: &str = "
| module | turns | into | may know |
|---|---|---|---|
| `units` | | ids | nothing |
| `schema` | | code | crate `flatbuffers` |
| `plan` | a problem | a plan | `units` |
| `runtime` | a model | a program | `units`, `plan` |
| `report` | all | text | `units`, `plan`, `runtime`, crates `serde`, `zip` |
| `web` | values | calls | `report`, crate `wasm_bindgen` |
";

fn complaints(path: &str, text: &str) -> Vec<String> {
    rules::check(&Table::parse(MADE_UP), &Source { path, text })
}

/// Asserts that `text` as the file `path` gives one complaint that holds `expected`.
fn assert_breaks(path: &str, text: &str, expected: &str) {
    let found = complaints(path, text);
    assert_eq!(found.len(), 1, "{path}: {text}: {found:?}");
    assert!(found.iter().all(|line| line.contains(expected) && line.starts_with(path)), "{found:?}");
}

#[test]
fn checker_finds_forbidden_edges() {
    assert_breaks("plan/greedy.rs", "use crate::runtime::Program;", "`plan` uses `runtime`");
    assert_breaks("plan/greedy.rs", "\nuse crate::{units::Step, report};", "plan/greedy.rs:2: `plan` uses `report`");
    assert_breaks("plan/mod.rs", "fn f() -> crate::web::X { todo() }", "`plan` uses `web`");
    assert_breaks("plan/a/b.rs", "use super::super::super::runtime::Program;", "`plan` uses `runtime`");
    assert_breaks("plan/mod.rs", "mod tests { use super::super::runtime; }", "`plan` uses `runtime`");
    assert_breaks("plan/mod.rs", "use arenascope::runtime::Program;", "`plan` uses `runtime`");
    assert_breaks("units.rs", "use super::{plan::Plan};", "`units` uses `plan`");
    assert_breaks("runtime/tflite/a.rs", "use crate::runtime::tflm::Micro;", "`runtime::tflite` uses `tflm`");
    assert_breaks("runtime/tflm/a.rs", "use super::super::{Op, tflite};", "`runtime::tflm` uses `tflite`");
    assert_breaks("other.rs", "", "`other` has no row");
}

#[test]
fn checker_finds_forbidden_crates_and_words() {
    assert_breaks("plan/mod.rs", "use zip::ZipArchive;", "`plan` uses the crate `zip`");
    assert_breaks("plan/mod.rs", "fn f() { ::flatbuffers::root() }", "`plan` uses the crate `flatbuffers`");
    assert_breaks("report/mod.rs", "#[wasm_bindgen] fn f() {}", "`report` uses the crate `wasm_bindgen`");
    assert_breaks("web/mod.rs", "use crate::report::zip; fn f() { ::zip::g() }", "`web` uses the crate `zip`");
    assert_breaks("plan/mod.rs", "unsafe fn f() {}", "`unsafe`");
    assert_breaks("schema/mod.rs", "unsafe fn f() {}", "`unsafe`");
    assert_breaks("plan/mod.rs", "fn f() { println!(\"x\") }", "`println`");
    assert_breaks("runtime/mod.rs", "#[derive(Clone, Serialize)] struct A;", "`Serialize`");
    assert_breaks("plan/mod.rs", "fn f() { std::fs::read(\"x\"); }", "`std::fs`");
}

#[test]
fn table_names_every_crate() {
    let table = table();
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("read the manifest");
    let mut is_dependency = false;
    let mut missing = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            is_dependency = line == "[dependencies]" || (line.contains("wasm32") && !line.contains("not("));
        } else if let (true, Some((name, _))) = (is_dependency, line.split_once('=')) {
            let name = name.trim().replace('-', "_");
            if !name.starts_with('#') && !table.knows_crate(&name) {
                missing.push(name);
            }
        }
    }
    assert!(missing.is_empty(), "the table of docs/ARCHITECTURE.md names no module for {missing:?}");
}

#[test]
fn checker_accepts_what_is_allowed() {
    for (path, text) in [
        ("web/mod.rs", "use crate::report::zip; fn f() { zip::g() }"),
        ("plan/mod.rs", "use crate::units::Step; mod tests { use super::*; use crate::plan::Plan; }"),
        ("plan/a/b.rs", "use super::super::Plan; // crate::runtime in a comment /* crate::web /* nested */ */"),
        (
            "plan/mod.rs",
            "/// Not [`crate::runtime::Program`].\nconst A: &str = \"crate::web unsafe\"; fn f(x: I) { x.zip(y) }",
        ),
        ("plan/mod.rs", "const B: &str = r#\"crate::web \" unsafe\"#; const C: char = '\"'; fn g<'a>(x: &'a str) {}"),
        ("schema/generated.rs", "pub unsafe fn f() { flatbuffers::read() }"),
        ("runtime/mod.rs", "pub mod tflite; use crate::plan::Problem; pub struct P { m: tflm::Micro }"),
        ("report/view.rs", "use serde::Serialize; #[derive(Serialize)] struct A; use crate::runtime::Program;"),
        ("web/mod.rs", "use wasm_bindgen::prelude::wasm_bindgen; #[wasm_bindgen] pub fn f() {}"),
    ] {
        assert_eq!(complaints(path, text), Vec::<String>::new(), "{path}: {text}");
    }
}
