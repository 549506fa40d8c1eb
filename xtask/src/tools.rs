//! Finds the tools that the build and the tests need, and installs what may be installed without asking.
//! What it cannot install, it names.

use std::path::PathBuf;

use crate::Result;
use crate::shell::{self, command};

/// The version of the type checker; pinned, since each version finds other errors.
const TYPESCRIPT: &str = "7.0.2";
/// The version of the accessibility checker that the browser tests load.
const AXE: &str = "4.14.1";

/// Adds the wasm target to the toolchain when it is missing.
pub fn wasm_target(target: &str) -> Result<()> {
    let libraries = shell::output(&mut command("rustc", ["--print", "target-libdir", "--target", target]));
    if libraries.is_some_and(|dir| PathBuf::from(dir).exists()) {
        return Ok(());
    }
    shell::run("add the wasm target", &mut command("rustup", ["target", "add", target]))
        .map_err(|error| format!("{error}; install the Rust target {target} (with rustup: rustup target add {target})"))
}

/// The type checker's program, installed under the build directory.
pub fn typescript() -> Result<PathBuf> {
    npm_package("typescript", TYPESCRIPT, "bin/tsc")
}

/// The accessibility checker's script, installed under the build directory.
pub fn axe() -> Result<PathBuf> {
    npm_package("axe-core", AXE, "axe.min.js")
}

/// The browser and its driver, installed with apt where that is ours to do.
pub fn browser() -> Result<()> {
    if has("chromedriver") && has("chromium") {
        return Ok(());
    }
    apt(&["chromium", "chromium-driver"])
}

fn npm_package(name: &str, version: &str, file: &str) -> Result<PathBuf> {
    let dir = shell::target_dir().join("tools").join(format!("{name}-{version}"));
    let path = dir.join("node_modules").join(name).join(file);
    if path.exists() {
        return Ok(path);
    }
    if !(has("npm") && has("node")) {
        apt(&["nodejs", "npm"])?;
    }
    std::fs::create_dir_all(&dir).map_err(|error| format!("cannot make {}: {error}", dir.display()))?;
    let package = format!("{name}@{version}");
    let mut install =
        command("npm", ["install", "--no-audit", "--no-fund", "--no-save", "--ignore-scripts", "--prefix"]);
    install.arg(&dir).arg(package);
    shell::run(&format!("install {name}"), &mut install)?;
    if path.exists() { Ok(path) } else { Err(format!("{name} {version} has no {file}")) }
}

fn has(program: &str) -> bool {
    shell::output(&mut command(program, ["--version"])).is_some()
}

fn apt(packages: &[&str]) -> Result<()> {
    let names = packages.join(" ");
    let root = shell::output(&mut command("id", ["-u"])).is_some_and(|id| id == "0");
    if !(root && has("apt-get")) {
        return Err(format!("not found: {names}; please install them (on Debian: apt-get install {names})"));
    }
    shell::run("update apt's lists", &mut command("apt-get", ["-qq", "update"]))?;
    let mut install = command("apt-get", ["-qq", "-y", "--no-install-recommends", "install"]);
    install.args(packages).env("DEBIAN_FRONTEND", "noninteractive");
    shell::run(&format!("install {names}"), &mut install)
}
