//! `cargo xtask traces`: units of work come to the same on several builds, node by node. The units
//! and what is written of them are those of `crates/catalog/tests/catalog/versions.rs`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::cargo;

/// A way to build: its name, the compiler's flags, and the profile.
struct Build {
    name: &'static str,
    flags: &'static str,
    profile: &'static str,
}

/// The one that `.cargo/config.toml` asks for comes first.
const BUILDS: [Build; 3] = [
    Build { name: "x86-64-v3", flags: "-C target-cpu=x86-64-v3", profile: "ci" },
    Build { name: "x86-64", flags: "-C target-cpu=x86-64", profile: "ci" },
    Build {
        name: "static",
        flags: "-C target-cpu=x86-64-v3 -C target-feature=+crt-static",
        profile: "ci",
    },
];

const PLAIN: Build = Build { name: "debug", flags: "-C target-cpu=x86-64-v3", profile: "dev" };

/// Procedural macros cannot be linked statically: with a target they are built for the host alone.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// What to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// All builds have to agree, and with the versions that the families register.
    Compare,
    /// Likewise, and one without optimisation.
    CompareDebug,
    /// The versions are written into the registrations.
    Renew,
}

impl Task {
    /// Reads what stands behind `traces`; gives back the word that is not understood.
    pub(crate) fn read<'w>(words: &[&'w str]) -> Result<Task, &'w str> {
        match words {
            [] => Ok(Task::Compare),
            ["--debug"] => Ok(Task::CompareDebug),
            ["--renew"] => Ok(Task::Renew),
            [word, ..] => Err(word),
        }
    }
}

pub(crate) fn run(root: &Path, task: Task) -> Result<()> {
    if task == Task::Renew {
        return renew(root, &usual(root)?);
    }
    let mut builds: Vec<&Build> = BUILDS.iter().collect();
    if task == Task::CompareDebug {
        builds.push(&PLAIN);
    }
    let mut first: Option<String> = None;
    for build in builds {
        println!("=== {}", build.name);
        let text = build.traces(root)?;
        match &first {
            None => {
                print!("{text}");
                first = Some(text);
            }
            Some(first) => must_agree(first, &text, build.name)?,
        }
    }
    Ok(())
}

impl Build {
    /// What the units come to; an error if the versions are others.
    fn traces(&self, root: &Path) -> Result<String> {
        let folder = root.join("target/traces").join(self.name);
        let mut command = test(root, self.profile);
        command.args(["--target", TARGET]).env("RUSTFLAGS", self.flags);
        command.arg("--target-dir").arg(&folder);
        let (file, passed) = written(command, &folder)?;
        ensure!(passed, "the versions of {} are not those of the registrations", self.name);
        Ok(fs::read_to_string(file)?)
    }
}

/// What the units come to in the usual build, whatever the versions are.
fn usual(root: &Path) -> Result<String> {
    let (file, _) = written(test(root, "ci"), &root.join("target/traces"))?;
    Ok(fs::read_to_string(file)?)
}

fn test(root: &Path, profile: &str) -> std::process::Command {
    let mut command = cargo();
    command.current_dir(root);
    command.args(["test", "--package", "zermelo-catalog", "--test", "catalog"]);
    command.args(["--profile", profile]);
    command
}

/// Runs the test; the file that it wrote, and whether it passed.
fn written(mut command: std::process::Command, folder: &Path) -> Result<(PathBuf, bool)> {
    fs::create_dir_all(folder)?;
    let file = folder.join("traces.txt");
    drop(fs::remove_file(&file));
    command.args(["--", "--exact", "versions::traces_are_those_of_the_version"]);
    let status = command.env("ZERMELO_TRACES", &file).status().context("cargo did not start")?;
    ensure!(file.exists(), "there are no traces: cargo ended with {status}");
    Ok((file, status.success()))
}

fn must_agree(first: &str, text: &str, name: &str) -> Result<()> {
    let lines = first.lines().zip(text.lines());
    let differing: Vec<_> = lines.filter(|(one, other)| one != other).collect();
    for (one, other) in &differing {
        println!("{}: {one}\n{name}: {other}", BUILDS[0].name);
    }
    if !differing.is_empty() || first.lines().count() != text.lines().count() {
        bail!("{} of the lines of {name} differ", differing.len());
    }
    println!("{name}: {} lines, all the same", text.lines().count());
    Ok(())
}

/// Writes the versions into the registrations of the families.
fn renew(root: &Path, traces: &str) -> Result<()> {
    for line in traces.lines() {
        let Some(("version", rest)) = line.split_once(' ') else { continue };
        let (family, version) = rest.split_once(' ').context("a version without a number")?;
        let file = root.join("crates/families").join(family).join("src/lib.rs");
        let before = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        let after = with_version(&before, version);
        let after = after.with_context(|| format!("{} registers no version", file.display()))?;
        println!("{family}: {version}{}", if after == before { ", as before" } else { "" });
        if after != before {
            fs::write(&file, after)?;
        }
    }
    Ok(())
}

/// The source with another number in `SolverVersion(0x…)`.
fn with_version(source: &str, version: &str) -> Option<String> {
    const BEFORE: &str = "SolverVersion(0x";
    let start = source.find(BEFORE)? + BEFORE.len();
    let end = start + source[start..].find(')')?;
    let parts: Vec<&str> =
        (0..version.len()).step_by(4).map_while(|i| version.get(i..i + 4)).collect();
    Some(format!("{}{}{}", &source[..start], parts.join("_"), &source[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_written_in_place() {
        let source = "solver: SolverVersion(0x0000_1),\n}";
        let written = with_version(source, "0123456789abcdef");
        assert_eq!(written.as_deref(), Some("solver: SolverVersion(0x0123_4567_89ab_cdef),\n}"));
        assert_eq!(with_version("solver: SolverVersion::default()", "01"), None);
    }

    #[test]
    fn builds_that_differ_are_told() {
        assert!(must_agree("a 1\nb 2\n", "a 1\nb 2\n", "other").is_ok());
        assert!(must_agree("a 1\nb 2\n", "a 1\nb 3\n", "other").is_err());
        assert!(must_agree("a 1\nb 2\n", "a 1\n", "other").is_err());
    }
}
