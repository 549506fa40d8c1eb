//! Turns the sources into the static site: wasm, its JavaScript, `index.html` and `www/`.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::Path;

use wasm_bindgen_cli_support::Bindgen;

use crate::shell::{self, command, say};
use crate::{Result, tools};

const TARGET: &str = "wasm32-unknown-unknown";

/// Builds the site into `dir`, which is made anew.
pub fn build(dir: &Path) -> Result<()> {
    tools::wasm_target(TARGET)?;
    let arguments = ["rustc", "--lib", "--target", TARGET, "--release", "--crate-type", "cdylib"];
    shell::run("build the core for the page", &mut shell::cargo(arguments))?;
    let wasm = shell::target_dir().join(TARGET).join("release/arenascope.wasm");
    if dir.exists() {
        fs::remove_dir_all(dir).map_err(|error| format!("cannot empty {}: {error}", dir.display()))?;
    }
    let package = dir.join("pkg");
    say("wasm-bindgen (as a library)");
    bindgen(&wasm, &package).map_err(|error| format!("wasm-bindgen: {error:#}"))?;
    copy(&shell::root().join("index.html"), &dir.join("index.html"))?;
    copy_tree(&shell::root().join("www"), &dir.join("www"))?;
    offline(dir).map_err(|error| format!("cannot write sw.js: {error}"))?;
    let bytes = fs::metadata(package.join("arenascope_bg.wasm")).map_or(0, |data| data.len());
    say(&format!("site in {} (wasm {} KB)", dir.display(), bytes / 1000));
    Ok(())
}

fn bindgen(wasm: &Path, package: &Path) -> std::result::Result<(), Box<dyn std::error::Error>> {
    // Without the default path `init()` would need to be told where the wasm lies.
    Bindgen::new()
        .input_path(wasm)
        .web(true)?
        .typescript(true)
        .omit_default_module_path(false)
        .generate(package)
        .map_err(|error| format!("{error:#}").into())
}

/// Writes the service worker: the list of the site's files and their version, then the code that uses both. It stands
/// at the top, since a worker serves only what lies below it.
fn offline(dir: &Path) -> io::Result<()> {
    let mut files = Vec::new();
    list(dir, dir, &mut files)?;
    files.retain(|file| !file.ends_with(".d.ts") && !file.starts_with("www/offline/"));
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in &files {
        file.hash(&mut hasher);
        fs::read(dir.join(file))?.hash(&mut hasher);
    }
    let names: Vec<_> = files.iter().map(|file| format!("{file:?}")).collect();
    let code = fs::read_to_string(dir.join("www/offline/sw.js"))?;
    let version = hasher.finish();
    let lines = format!("const VERSION = \"{version:016x}\";\nconst FILES = [\"./\", {}];\n{code}", names.join(", "));
    fs::write(dir.join("sw.js"), lines)?;
    fs::remove_dir_all(dir.join("www/offline"))
}

/// Adds the paths of all files under `dir`, relative to `top` and with slashes.
fn list(top: &Path, dir: &Path, files: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_dir() {
            list(top, &path, files)?;
        } else if let Ok(inside) = path.strip_prefix(top) {
            let parts: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
            files.push(parts.join("/"));
        }
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to).map(|_| ()).map_err(|error| format!("cannot copy {}: {error}", from.display()))
}

fn copy_tree(from: &Path, to: &Path) -> Result<()> {
    let trouble = |error: std::io::Error| format!("cannot copy {}: {error}", from.display());
    fs::create_dir_all(to).map_err(trouble)?;
    for entry in fs::read_dir(from).map_err(trouble)? {
        let entry = entry.map_err(trouble)?;
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_tree(&entry.path(), &target)?;
        } else {
            copy(&entry.path(), &target)?;
        }
    }
    Ok(())
}

/// Whether the host's own tools see the JavaScript of `www/` as well-typed against the generated declarations.
pub fn check_types(site: &Path) -> Result<()> {
    let tsc = tools::typescript()?;
    let config = site.join("www/tsconfig.json");
    let mut check = command("node", [tsc.as_os_str(), "-p".as_ref(), config.as_os_str()]);
    shell::run("types of www/", &mut check)
}
