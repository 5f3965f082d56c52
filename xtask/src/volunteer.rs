//! `cargo xtask volunteer`: the program that BOINC clients run, linked statically, for any x86-64
//! machine and for those of x86-64-v3; both have to come to the same, unit by unit.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::cargo;

/// As BOINC names the platform.
const PLATFORM: &str = "x86_64-pc-linux-gnu";
/// As Rust names it.
const TARGET: &str = "x86_64-unknown-linux-gnu";
/// The name of the program in a project.
const APP: &str = "zermelo";
/// Where tests find what was built.
const BUILT: &str = "ZERMELO_VOLUNTEERS";

/// A build: what the processor must have, which is also its plan class.
struct PlanClass {
    processor: &'static str,
    /// As it stands in the name of the file; machines of any kind run the one without.
    suffix: &'static str,
}

const CLASSES: [PlanClass; 2] = [
    PlanClass { processor: "x86-64", suffix: "" },
    PlanClass { processor: "x86-64-v3", suffix: "__x86-64-v3" },
];

/// Builds both, compares what they come to, and says where they are. The number is BOINC's: 100
/// times the major version and the minor one.
pub(crate) fn run(root: &Path, number: Option<u32>) -> Result<()> {
    let number = number.unwrap_or_else(usual_number);
    let folder = root.join("target/volunteer");
    let mut files = Vec::new();
    for class in &CLASSES {
        println!("=== {}", class.processor);
        let built = class.build(root, &folder)?;
        let file = folder.join(format!("{APP}_{number}_{PLATFORM}{}", class.suffix));
        fs::copy(&built, &file).with_context(|| file.display().to_string())?;
        must_be_static(&file)?;
        must_have_no_sqlite(&file)?;
        files.push(file);
    }
    compare(root, &files)?;
    for file in &files {
        let bytes = fs::metadata(file)?.len();
        println!("{:.1} MB  {}", bytes as f64 / 1e6, file.display());
    }
    Ok(())
}

/// The number of this workspace's version.
fn usual_number() -> u32 {
    let part = |text: &str| text.parse::<u32>().unwrap_or_default();
    100 * part(env!("CARGO_PKG_VERSION_MAJOR")) + part(env!("CARGO_PKG_VERSION_MINOR"))
}

impl PlanClass {
    fn build(&self, root: &Path, folder: &Path) -> Result<PathBuf> {
        let folder = folder.join(self.processor);
        let flags = format!(
            "-C target-cpu={} -C target-feature=+crt-static -C strip=symbols",
            self.processor
        );
        let status = cargo()
            .current_dir(root)
            .args(["build", "--release", "--package", "zermelo-volunteer", "--target", TARGET])
            .arg("--target-dir")
            .arg(&folder)
            .env("RUSTFLAGS", flags)
            .status()
            .context("cargo did not start")?;
        ensure!(status.success(), "cargo build ended with {status}");
        Ok(folder.join(TARGET).join("release/zermelo-volunteer"))
    }
}

/// A static program asks for no interpreter and no library.
fn must_be_static(file: &Path) -> Result<()> {
    let bytes = fs::read(file)?;
    if contains(&bytes, b"/lib64/ld-linux-x86-64.so.2\0") {
        bail!("{} is not linked statically", file.display());
    }
    Ok(())
}

fn must_have_no_sqlite(file: &Path) -> Result<()> {
    ensure!(!contains(&fs::read(file)?, b"SQLite format 3\0"), "SQLite is in {}", file.display());
    Ok(())
}

fn contains(bytes: &[u8], wanted: &[u8]) -> bool {
    bytes.windows(wanted.len()).any(|window| window == wanted)
}

/// The units whose traces are the versions of the solvers, worked at by each build.
fn compare(root: &Path, files: &[PathBuf]) -> Result<()> {
    let mut list = OsString::new();
    for file in files {
        list.push(if list.is_empty() { "" } else { ":" });
        list.push(file);
    }
    let mut test = cargo();
    // The features of all tests, so that what they have compiled is taken.
    test.current_dir(root).args(["test", "--workspace", "--all-features", "--test", "volunteer"]);
    test.args(["--profile", "ci", "--", "--exact", "builds::every_build_comes_to_the_same"]);
    let status = test.env(BUILT, list).status().context("cargo did not start")?;
    ensure!(status.success(), "the builds do not come to the same");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_a_file_is_found() {
        assert!(contains(b"abcSQLite format 3\0x", b"SQLite format 3\0"));
        assert!(!contains(b"SQLite format", b"SQLite format 3\0"));
    }
}
