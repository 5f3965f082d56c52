//! `cargo xtask tidy`: the invariants of the workspace that a compiler does not see.

mod edges;
mod lexer;
mod licence;
mod names;
mod sources;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::cargo;

/// Checks everything and names all that is wrong before it fails.
pub(crate) fn run(root: &Path) -> Result<()> {
    let metadata = metadata(root)?;
    let files = sources::rust_files(root)?;
    let mut wrong = edges::wrong_edges(&metadata);
    wrong.extend(edges::foreign_dependencies(&metadata));
    let allowed = fs::read_to_string(root.join("deny.toml")).context("deny.toml")?;
    wrong.extend(licence::unwanted(&metadata, &allowed));
    wrong.extend(sources::wrong_names(&files));
    wrong.extend(sources::trusting_checker(&files));
    wrong.extend(sources::named_families(&files));
    wrong.extend(sources::stray_unsafe(&files));
    wrong.extend(names::shared_names(&files));
    report_lengths(&files);
    for line in &wrong {
        eprintln!("tidy: {line}");
    }
    match wrong.len() {
        0 => {
            println!("tidy: edges, dependencies, licences, names and unsafe are in order");
            Ok(())
        }
        1 => bail!("tidy found one thing"),
        n => bail!("tidy found {n} things"),
    }
}

/// Long files are worth a look, not a failure.
fn report_lengths(files: &[sources::File]) {
    let long = sources::long_files(files);
    if !long.is_empty() {
        println!("tidy: files over {} lines:", sources::LONG);
    }
    for (lines, path) in long {
        println!("  {lines:>6}  {path}");
    }
}

fn metadata(root: &Path) -> Result<Value> {
    let output = cargo()
        .args(["metadata", "--format-version", "1"])
        .current_dir(root)
        .output()
        .context("cargo metadata did not start")?;
    if !output.status.success() {
        bail!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    serde_json::from_slice(&output.stdout).context("cargo metadata is not JSON")
}

/// A list in the metadata; empty where it is missing.
fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

/// A string in the metadata; empty where it is missing.
fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or("")
}
