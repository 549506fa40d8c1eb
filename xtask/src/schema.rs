//! `cargo xtask schema`: turns the files in `schema/` into Rust code in `src/schema/`, with the `flatc` whose version the
//! crate `flatbuffers` asks for. `--check` writes nothing and fails when the checked-in code differs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The crate that bundles flatc's source; its version ends in flatc's own.
const FLATC_CRATE: &str = "flatc-fork";
/// flatc 25.12.19: the generated code must be as old as the crate `flatbuffers` it is compiled with.
const FLATC_CRATE_VERSION: &str = "=0.6.0";

/// Each schema, what flatc calls its code, and where that code lives.
const FILES: [(&str, &str, &str); 2] = [
    ("schema/tflite.fbs", "tflite_generated.rs", "src/schema/generated.rs"),
    ("schema/litertlm.fbs", "litertlm_generated.rs", "src/schema/litertlm.rs"),
];

/// Runs the command with the arguments behind its name.
pub(crate) fn run(root: &Path, args: &[String]) -> Result<(), String> {
    let check = match args {
        [] => false,
        [flag] if flag == "--check" => true,
        _ => return Err("usage: cargo xtask schema [--check]".to_owned()),
    };
    let flatc = build_flatc(root)?;
    for (schema, made, target) in FILES {
        let fresh = generate(root, &flatc, schema, made)?;
        if check {
            compare(root, &fresh, schema, target)?;
        } else {
            fs::write(root.join(target), fresh).map_err(|error| format!("{target}: {error}"))?;
            println!("wrote {target}");
        }
    }
    Ok(())
}

/// Fails when the checked-in code is not the fresh one.
fn compare(root: &Path, fresh: &str, schema: &str, target: &str) -> Result<(), String> {
    let current = fs::read_to_string(root.join(target)).map_err(|error| format!("{target}: {error}"))?;
    if current == fresh {
        println!("{target} is what {schema} gives");
        Ok(())
    } else {
        Err(format!("{target} is not what {schema} gives: run `cargo xtask schema`"))
    }
}

/// Builds flatc in a package of its own under `target`, so that nobody else pays for its C++ code.
fn build_flatc(root: &Path) -> Result<PathBuf, String> {
    for (tool, package) in [("cmake", "cmake"), ("c++", "g++")] {
        if Command::new(tool).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_err() {
            return Err(format!(
                "flatc is built from C++ source, which needs `{tool}` (Debian: apt install {package})"
            ));
        }
    }
    let package = root.join("target/flatc");
    let manifest = format!(
        "[workspace]\n\n[package]\nname = \"flatc\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n\
         [dependencies]\n{FLATC_CRATE} = \"{FLATC_CRATE_VERSION}\"\n"
    );
    let main = "fn main() {\n    print!(\"{}\", flatc_fork::flatc().display());\n}\n";
    fs::create_dir_all(package.join("src"))
        .and_then(|()| fs::write(package.join("Cargo.toml"), manifest))
        .and_then(|()| fs::write(package.join("src/main.rs"), main))
        .map_err(|error| format!("{}: {error}", package.display()))?;
    eprintln!("building flatc (a few minutes the first time)");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["run", "--quiet", "--manifest-path"])
        .arg(package.join("Cargo.toml"))
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cargo: {error}"))?;
    if !output.status.success() {
        return Err("flatc could not be built".to_owned());
    }
    String::from_utf8(output.stdout).map(PathBuf::from).map_err(|error| error.to_string())
}

/// The Rust code that `flatc` makes of a schema, in a file named `made`.
fn generate(root: &Path, flatc: &Path, schema: &str, made: &str) -> Result<String, String> {
    let out = root.join("target/flatc/out");
    let status = Command::new(flatc)
        .args(["--rust", "-o"])
        .arg(&out)
        .arg(root.join(schema))
        .status()
        .map_err(|error| format!("{}: {error}", flatc.display()))?;
    if !status.success() {
        return Err(format!("flatc refused {schema}"));
    }
    let file = out.join(made);
    let code = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    lenient_unions(&code)
}

/// The generated code, with unions verified by `src/schema/union.rs`, which says why.
fn lenient_unions(code: &str) -> Result<String, String> {
    let (head, body) = code.split_once(CRATE_LINE).ok_or("flatc's code begins in another way than expected")?;
    let body = body.replace(".visit_union::<", ".visit_lenient_union::<");
    Ok(format!("{head}{CRATE_LINE}use super::union::VisitUnion as _;\n{body}"))
}

/// The first line of code that flatc writes.
const CRATE_LINE: &str = "extern crate alloc;\n";
