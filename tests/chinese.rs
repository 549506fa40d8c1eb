//! What the core says in English the page says in Chinese: every code of a warning, every kind of advice and of failure has a
//! Chinese sentence in `www/texts-core-zh.js`, and whatever stands there is still said by the core.
#![expect(clippy::expect_used, reason = "a test that cannot read the sources has failed")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A file of the project.
fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect(path)
}

/// All Rust sources of the library, each as it stands.
fn sources(dir: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(dir).expect("read a folder") {
        let path = entry.expect("read an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(fs::read_to_string(&path).expect("read a source"));
        }
    }
}

fn library() -> Vec<String> {
    let mut found = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    found
}

/// The keys of a table of texts, one a line: `'key': 'text',`.
fn keys(table: &str) -> BTreeSet<String> {
    let key = |line: &str| {
        let line = line.trim_start();
        let quote = line.chars().next().filter(|one| ['\'', '"'].contains(one))?;
        let (key, _) = line.get(1..)?.split_once(&format!("{quote}: "))?;
        Some(key.to_owned())
    };
    table.lines().filter_map(key).collect()
}

/// The two tables of `texts-core-zh.js`: sentences by code, and by what the core says.
fn tables() -> (BTreeSet<String>, BTreeSet<String>) {
    let text = read("www/texts-core-zh.js");
    let (codes, phrases) = text.split_once("export const PHRASES").expect("two tables");
    (keys(codes), keys(phrases))
}

/// What stands in quotes right behind `start`, wherever `start` stands; what is no literal goes to `others`.
fn literals(text: &str, start: &str, others: &mut BTreeSet<String>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for rest in text.split(start).skip(1) {
        let rest = rest.trim_start();
        match rest.strip_prefix('"').and_then(|literal| literal.split_once('"')) {
            Some((literal, _)) => found.insert(literal.to_owned()),
            None => others.insert(rest.split([',', ')']).next().unwrap_or_default().to_owned()),
        };
    }
    found
}

/// The keys that begin so, without that beginning.
fn below(keys: &BTreeSet<String>, start: &str) -> BTreeSet<String> {
    keys.iter().filter_map(|key| key.strip_prefix(start)).map(str::to_owned).collect()
}

#[test]
fn every_warning_has_a_chinese_sentence() {
    let text = library().join("\n");
    let mut others = BTreeSet::new();
    let mut codes = literals(&text, "Warning::new(", &mut others);
    codes.extend(literals(&text, "capped(", &mut others));
    codes.extend(literals(&text, "const WHAT_IF: &str = ", &mut others));
    // A code that comes through a name would be missed below: each such name is known here.
    let known = ["WHAT_IF", "code", "code: &'static str", "edit::WHAT_IF"];
    let unknown: Vec<_> = others.iter().filter(|name| !known.contains(&name.as_str())).collect();
    assert!(unknown.is_empty(), "where do these codes come from? {unknown:?}");
    assert!(codes.len() > 20, "only {codes:?}");
    assert_eq!(below(&tables().0, "warn."), codes, "in www/texts-core-zh.js, and in the sources");
}

#[test]
fn every_advice_has_a_chinese_sentence() {
    let text = read("src/advise/mod.rs");
    let named = text.lines().filter_map(|line| {
        let (kind, name) = line.trim().strip_prefix("Kind::")?.split_once(" => \"")?;
        Some((kind.to_owned(), name.strip_suffix("\",")?.to_owned()))
    });
    let kinds: BTreeSet<String> = named.map(|(_, name)| name).collect();
    assert!(kinds.len() > 10, "only {kinds:?}");
    let mut worded = below(&tables().0, "advice.");
    // What is said of all of them together, and of a better plan that none can beat.
    for more in ["verdict", "verdict.none", "better-plan.least"] {
        assert!(worded.remove(more), "{more}");
    }
    assert_eq!(worded, kinds, "in www/texts-core-zh.js, and in the sources");
}

#[test]
fn every_failure_has_its_sentences_in_both_languages() {
    let text = read("src/web/failure.rs");
    let kinds = text.lines().filter_map(|line| line.trim().strip_prefix("ErrorKind::")?.split('"').nth(1));
    let mut kinds: BTreeSet<String> = kinds.map(str::to_owned).collect();
    assert!(kinds.len() > 4, "only {kinds:?}");
    // The page's own.
    kinds.extend(["crash", "unreadable", "start"].map(str::to_owned));
    let worded = below(&tables().0, "core.");
    assert_eq!(worded, kinds);
    for table in ["www/texts.js", "www/texts-zh.js"] {
        let keys = keys(&read(table));
        for kind in &kinds {
            for key in [format!("fail.{kind}"), format!("fail.next.{kind}")] {
                assert!(keys.contains(&key), "{table} lacks {key}");
            }
        }
    }
}

#[test]
fn what_is_translated_is_still_said() {
    // A string over several lines is one sentence.
    let text = library().join("\n").replace("\\\"", "\"");
    let mut said = String::new();
    for (index, part) in text.split("\\\n").enumerate() {
        said.push_str(if index == 0 { part } else { part.trim_start() });
    }
    let gone: Vec<String> = tables().1.into_iter().filter(|phrase| !said.contains(phrase.as_str())).collect();
    assert!(gone.is_empty(), "the core no longer says {gone:?}");
}
