//! `cargo xtask page`: format, lint and unit tests of the page and of its tests in a browser. Everything is done in a
//! copy below `target`, so that nothing is installed among the sources; `--write` formats the sources from there.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::browser::{call, same};

/// What is never copied.
const LEFT_OUT: [&str; 2] = ["node_modules", "dist"];

/// Whether files that are not formatted are told or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Check,
    Write,
}

pub(crate) fn run(root: &Path, format: Format) -> Result<()> {
    let (page, tests) = (root.join("crates/web/ui"), root.join("crates/web/e2e"));
    let folder = root.join("target/page");
    let lock = "package-lock.json";
    let installed = folder.join("node_modules/.package-lock.json").exists()
        && same(&page.join(lock), &folder.join(lock));
    clear(&folder)?;
    copy(&page, &folder)?;
    copy(&tests, &folder.join("e2e"))?;
    if !installed {
        call(Command::new("npm").args(["ci", "--no-audit", "--no-fund"]).current_dir(&folder))?;
    }
    let npm = |script: &str| {
        call(Command::new("npm").args(["run", "--silent", script]).current_dir(&folder))
    };
    if format == Format::Write {
        npm("format")?;
        copy(&folder.join("e2e"), &tests)?;
        fs::remove_dir_all(folder.join("e2e"))?;
        return copy(&folder, &page);
    }
    npm("lint")?;
    npm("test")
}

/// Removes all but what npm installed: a file that was deleted is not checked any more.
fn clear(folder: &Path) -> Result<()> {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let entry = entry?;
        match entry.file_type()?.is_dir() {
            _ if entry.file_name() == "node_modules" => {}
            true => fs::remove_dir_all(entry.path())?,
            false => fs::remove_file(entry.path())?,
        }
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (name, target) = (entry.file_name(), to.join(entry.file_name()));
        match entry.file_type()?.is_dir() {
            _ if LEFT_OUT.iter().any(|left| name == *left) => {}
            true => copy(&entry.path(), &target)?,
            false => {
                fs::copy(entry.path(), target)?;
            }
        }
    }
    Ok(())
}
