//! Instructions of a program, counted by Valgrind's Callgrind: the same on every run but for a few thousandths of a per cent.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

const VALGRIND: &str = "valgrind";

/// Makes sure that Valgrind is there.
pub(super) fn ensure() -> Result<()> {
    let found = Command::new(VALGRIND).arg("--version").stdout(Stdio::null()).status();
    ensure!(
        found.is_ok_and(|status| status.success()),
        "valgrind is missing; `apt-get install valgrind` is right"
    );
    Ok(())
}

/// The program, with its instructions counted. Arguments of the program may be added.
pub(super) fn command(program: &Path) -> Command {
    let mut command = Command::new(VALGRIND);
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(program);
    command.env_remove("CARGO");
    command
}

/// How many instructions Valgrind has told on standard error.
pub(super) fn instructions(told: &[u8]) -> Result<u64> {
    let told = String::from_utf8_lossy(told);
    let number = told.lines().find_map(|line| line.split_once("Collected :"));
    let (_, number) = number.with_context(|| format!("callgrind counted nothing: {told}"))?;
    number.trim().parse().with_context(|| format!("callgrind said {number}"))
}
