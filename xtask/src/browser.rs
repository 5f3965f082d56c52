//! `cargo xtask browser`: the page in a real browser, against the real program. Node's own test runner drives
//! Chromium through playwright-core.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::suite::Length;
use crate::{audit, cargo, peers};

/// The variable that tells the build script of `web` whether the page must be built.
pub(crate) const PAGE: &str = "ZERMELO_UI";

/// Builds the program with its page and runs the tests in `crates/web/e2e`.
pub(crate) fn run(root: &Path, length: Length) -> Result<()> {
    let tests = root.join("crates/web/e2e");
    audit::packages(&[&root.join("crates/web/ui"), &tests], length)?;
    let program = build(root)?;
    // Beside the program, so that nothing is installed among the sources.
    let folder = program.parent().context("the program is in a folder")?.join("e2e");
    let installed = folder.join("node_modules/.package-lock.json").exists()
        && same(&tests.join("package-lock.json"), &folder.join("package-lock.json"));
    fs::create_dir_all(&folder)?;
    let mut files = Vec::new();
    for entry in fs::read_dir(&tests)? {
        let entry = entry?;
        fs::copy(entry.path(), folder.join(entry.file_name()))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        files.extend(name.ends_with(".test.mjs").then_some(name));
    }
    files.sort();
    if !installed {
        call(Command::new("npm").args(["ci", "--no-audit", "--no-fund"]).current_dir(&folder))?;
    }
    let mut node = Command::new("node");
    node.args(["--test", "--test-concurrency=2", "--test-reporter=spec"]).args(&files);
    if length == Length::Long {
        node.env("ZERMELO_LONG", "1");
    }
    call(node.current_dir(&folder).env("ZERMELO", &program).env("CHROMIUM", peers::CHROMIUM))
}

/// The program with its page.
fn build(root: &Path) -> Result<PathBuf> {
    // As the tests build it: a build without them would choose other features of dependencies, and
    // compile every search once more.
    let arguments = "test --no-run --workspace --all-features --profile ci --message-format=json";
    let mut command = cargo();
    command.args(arguments.split(' ')).env(PAGE, "require").current_dir(root);
    let output = command.stderr(std::process::Stdio::inherit()).output()?;
    if !output.status.success() {
        bail!("the program could not be built");
    }
    let said = String::from_utf8_lossy(&output.stdout);
    let messages = said.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut programs =
        messages.filter_map(|message| message["executable"].as_str().map(PathBuf::from));
    let is_ours = |program: &PathBuf| program.file_stem().is_some_and(|name| name == "zermelo");
    programs.find(is_ours).context("cargo built no program")
}

pub(crate) fn same(a: &Path, b: &Path) -> bool {
    matches!((fs::read(a), fs::read(b)), (Ok(a), Ok(b)) if a == b)
}

pub(crate) fn call(command: &mut Command) -> Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status();
    let status = status.with_context(|| format!("{name} did not start; Node.js 20 is needed"))?;
    if !status.success() {
        bail!("`{name}` ended with {status}");
    }
    Ok(())
}
