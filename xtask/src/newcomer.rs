//! `cargo xtask newcomer`: does what docs/extending.md says, word for word, in a copy of this
//! workspace: adds a family and a search, and tries both as a user would.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use crate::cargo;

const GUIDE: &str = "docs/extending.md";
/// What the guide writes is not there before.
const WRITTEN: &str = "examples/chomp/";

/// A piece of the guide to follow.
enum Piece {
    /// Goes to the end of this file.
    File(String, String),
    /// A change of files that are there.
    Patch(String),
}

pub(crate) fn run(root: &Path) -> Result<()> {
    let copy = root.join("target/newcomer");
    copy_workspace(root, &copy)?;
    let guide = fs::read_to_string(root.join(GUIDE)).context(GUIDE)?;
    let pieces = pieces(&guide);
    for piece in &pieces {
        follow(piece, &copy)?;
    }
    println!("newcomer: followed {} pieces of {GUIDE}", pieces.len());
    let target = root.join("target");
    let cargo_in_copy = |arguments: &str| {
        println!("newcomer: cargo {arguments}");
        let mut command = cargo();
        command.args(arguments.split(' ')).current_dir(&copy).env("CARGO_TARGET_DIR", &target);
        ensure!(command.status()?.success(), "`cargo {arguments}` failed");
        Ok(())
    };
    cargo_in_copy("build --profile ci --package zermelo --all-features --example chomp")?;
    cargo_in_copy("test --profile ci --package zermelo --all-features --test cli extending")?;
    let program = target.join("ci/examples/chomp");
    for (words, input, wanted) in TRIALS {
        try_command(&program, words, input, wanted)?;
    }
    cargo_in_copy("nextest run --cargo-profile ci --package zermelo-search --all-features")
}

/// Commands of the whole program, what is typed, and what the answer must have in it.
const TRIALS: [(&str, &str, &str); 5] = [
    ("games", "", "chomp"),
    ("play bar --second random", "b2\nquit\n", "chomp:3x4"),
    ("solve bar", "", "wins"),
    ("analyse bar --algorithm failsoft --depth 20", "", "first player wins"),
    ("analyse tictactoe --algorithm failsoft --depth 9", "", "draw"),
];

fn try_command(program: &Path, words: &str, input: &str, wanted: &str) -> Result<()> {
    println!("newcomer: {words}");
    let mut command = Command::new(program);
    command.args(words.split(' ')).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().with_context(|| program.display().to_string())?;
    if let Some(mut pipe) = child.stdin.take() {
        // Who does not read has seen enough.
        let _ = pipe.write_all(input.as_bytes());
    }
    let output = child.wait_with_output()?;
    let said = String::from_utf8_lossy(&output.stdout);
    ensure!(output.status.success(), "`{words}` ended with {}: {said}", output.status);
    ensure!(said.contains(wanted), "`{words}` does not say {wanted:?}: {said}");
    Ok(())
}

/// Every file that belongs to the project, but for what the guide writes.
fn copy_workspace(root: &Path, copy: &Path) -> Result<()> {
    if copy.exists() {
        fs::remove_dir_all(copy)?;
    }
    let listed = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .context("git ls-files")?;
    for name in String::from_utf8(listed.stdout)?.lines().filter(|name| !name.starts_with(WRITTEN))
    {
        let (from, to) = (root.join(name), copy.join(name));
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder)?;
        }
        if from.is_file() {
            fs::copy(&from, &to).with_context(|| name.to_owned())?;
        }
    }
    Ok(())
}

/// The blocks of the guide that name a file, and those that are patches.
fn pieces(guide: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut lines = guide.lines();
    while let Some(line) = lines.next() {
        let Some(kind) = line.strip_prefix("```").filter(|kind| !kind.is_empty()) else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        let text = block.join("\n") + "\n";
        match kind.split_once(' ') {
            Some(("rust", file)) => pieces.push(Piece::File(file.to_owned(), text)),
            None if kind == "diff" => pieces.push(Piece::Patch(text)),
            _ => {}
        }
    }
    pieces
}

fn follow(piece: &Piece, copy: &Path) -> Result<()> {
    match piece {
        Piece::File(name, text) => {
            let file = copy.join(name);
            if let Some(folder) = file.parent() {
                fs::create_dir_all(folder)?;
            }
            let before = fs::read_to_string(&file).unwrap_or_default();
            let gap = if before.is_empty() { "" } else { "\n" };
            fs::write(&file, format!("{before}{gap}{text}")).with_context(|| name.clone())
        }
        Piece::Patch(text) => {
            let mut command = Command::new("git");
            // The copy is no repository, and lies inside of one.
            command.args(["apply", "--unsafe-paths", "-"]).current_dir(copy);
            command.env("GIT_CEILING_DIRECTORIES", copy.parent().unwrap_or(copy));
            let mut child = command.stdin(Stdio::piped()).spawn().context("git apply")?;
            let Some(mut pipe) = child.stdin.take() else { bail!("git apply does not listen") };
            pipe.write_all(text.as_bytes())?;
            drop(pipe);
            ensure!(child.wait()?.success(), "this patch of {GUIDE} does not apply:\n{text}");
            Ok(())
        }
    }
}
