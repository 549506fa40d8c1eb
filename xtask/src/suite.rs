//! `cargo xtask test`: everything that must hold, step by step, quickest complaints first.

use std::time::Instant;

use crate::shell::{self, cargo, run, say};
use crate::{Result, corpus, site, tools};

/// Formats, lints, builds, tests; stops at the first step that fails.
pub fn command() -> Result<()> {
    let started = Instant::now();
    run("format", &mut cargo(["fmt", "--all", "--check"]))?;
    tools::wasm_target("wasm32-unknown-unknown")?;
    run("lints, host", &mut cargo(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))?;
    let wasm = ["clippy", "--lib", "--target", "wasm32-unknown-unknown", "--", "-D", "warnings"];
    run("lints, wasm", &mut cargo(wasm))?;
    let dir = shell::target_dir().join("site");
    site::build(&dir)?;
    site::check_types(&dir)?;
    let mut host = cargo(["test", "--package", "arenascope", "--no-fail-fast"]);
    host.env("ARENASCOPE_PACKAGES", corpus::ensure()?).env("ARENASCOPE_PYTHON", corpus::runtimes()?);
    run("tests, host", &mut host)?;
    tools::browser()?;
    let axe = tools::axe()?;
    let mut browser = cargo(["test", "--package", "xtask", "--no-fail-fast"]);
    browser.env("ARENASCOPE_SITE", &dir).env("ARENASCOPE_AXE", axe);
    run("tests, browser", &mut browser)?;
    say(&format!("all passed in {} s", started.elapsed().as_secs()));
    Ok(())
}

/// Makes the page's samples anew: the test that guards them can also write them.
pub fn samples() -> Result<()> {
    run("samples", cargo(["test", "--package", "arenascope", "--test", "samples"]).env("BLESS", "1"))
}
