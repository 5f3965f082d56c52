//! `cargo xtask golden`: the release build does what it did, in as many instructions. The files that it is compared with
//! stand in `tests/golden`; `--write` renews them. What searches visit is compared by the tests
//! (`crates/cli/tests/cli/golden.rs`).

mod callgrind;
mod engines;
mod table;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::cargo;
use table::{Row, Table};

/// Above this share of the instructions of before, something has become slower.
const MOST: f64 = 1.01;

/// What to do.
#[derive(Debug, Default)]
pub(crate) struct Options {
    /// The files are written anew.
    write: bool,
    /// A release build that is there already, instead of one of this workspace.
    program: Option<PathBuf>,
}

impl Options {
    /// Reads what stands behind `golden`; gives back the word that is not understood.
    pub(crate) fn read<'w>(words: &[&'w str]) -> Result<Options, &'w str> {
        let (mut options, mut words) = (Options::default(), words.iter());
        while let Some(&word) = words.next() {
            match word {
                "--write" => options.write = true,
                "--program" => options.program = Some(words.next().ok_or(word)?.into()),
                other => return Err(other),
            }
        }
        Ok(options)
    }
}

pub(crate) fn run(root: &Path, options: &Options) -> Result<()> {
    callgrind::ensure()?;
    let program = match &options.program {
        Some(program) => program.canonicalize().context("the program cannot be found")?,
        None => build(root)?,
    };
    let folder = root.join("tests/golden");
    let bench = bench(&program)?;
    let mut wrong = compare_bench(&folder.join("bench.txt"), &bench, options.write)?;
    let scratch = root.join("target/golden");
    let mut rows = Vec::new();
    for search in PROGRAM {
        rows.push(search.measure(&program)?);
        println!("{}", rows[rows.len() - 1]);
    }
    for engine in engines::built(&program, &scratch)? {
        rows.push(engine.measure()?);
        println!("{}", rows[rows.len() - 1]);
    }
    wrong += compare_table(&folder.join("instructions.txt"), rows, options.write)?;
    ensure!(wrong == 0, "{wrong} differences from {}", folder.display());
    Ok(())
}

fn build(root: &Path) -> Result<PathBuf> {
    let built =
        cargo().args(["build", "--release", "--bin", "zermelo"]).current_dir(root).status()?;
    ensure!(built.success(), "the release build failed");
    Ok(root.join("target/release/zermelo"))
}

/// The pieces of `zermelo bench` with their nodes, and the signature.
fn bench(program: &Path) -> Result<String> {
    println!("zermelo bench");
    let output = Command::new(program).args(["bench", "--json"]).output()?;
    let answer: Value = serde_json::from_slice(&output.stdout).context("bench said no JSON")?;
    let mut text = String::new();
    for run in answer["runs"].as_array().context("bench has no runs")? {
        let word = |key: &str| run[key].as_str().unwrap_or_default().to_owned();
        let depth = run["depth"].as_u64().map_or("end".to_owned(), |depth| depth.to_string());
        text += &format!("{} {} {depth} {}\n", word("game"), word("work"), run["nodes"]);
    }
    Ok(text + &format!("signature {}\n", answer["signature"]))
}

fn compare_bench(file: &Path, found: &str, write: bool) -> Result<usize> {
    if write {
        std::fs::write(file, found)?;
    }
    let golden = std::fs::read_to_string(file).with_context(|| format!("{}", file.display()))?;
    let (mut before, mut now) = (golden.lines(), found.lines());
    let mut wrong = 0;
    loop {
        match (before.next(), now.next()) {
            (None, None) => break,
            (one, other) if one == other => {}
            (one, other) => {
                wrong += 1;
                println!("golden {}\nnow    {}", one.unwrap_or("-"), other.unwrap_or("-"));
            }
        }
    }
    println!("bench: {}, {wrong} differences", found.lines().last().unwrap_or_default());
    Ok(wrong)
}

fn compare_table(file: &Path, rows: Vec<Row>, write: bool) -> Result<usize> {
    let now = Table { rows };
    if write {
        std::fs::write(file, now.to_string())?;
    }
    let text = std::fs::read_to_string(file).with_context(|| format!("{}", file.display()))?;
    let before = Table::read(&text).with_context(|| format!("{}", file.display()))?;
    let (shown, wrong) = before.compare(&now, MOST);
    println!("\n{shown}");
    Ok(wrong)
}

/// A search of the main program: which, and the two limits between which it is measured.
struct Search {
    family: &'static str,
    name: &'static str,
    command: &'static str,
    nodes: [u64; 2],
}

const fn search(
    family: &'static str,
    name: &'static str,
    command: &'static str,
    nodes: [u64; 2],
) -> Search {
    Search { family, name, command, nodes }
}

/// How each family is played, searched and solved.
const PROGRAM: [Search; 23] = [
    search("mnk", "playing", "analyse gomoku --algorithm playing", [10_000, 30_000]),
    search("mnk", "playing-word", "analyse connect4 --algorithm playing", [20_000, 80_000]),
    search("mnk", "playing-double", "analyse connect6 --algorithm playing", [5_000, 15_000]),
    search("mnk", "negascout", "analyse connect4 --algorithm negascout", [20_000, 80_000]),
    search("mnk", "montecarlo", "analyse gomoku --algorithm montecarlo", [500, 2_000]),
    search("mnk", "proof", "analyse connect4 --algorithm proof", [5_000, 20_000]),
    search("mnk", "solve", "solve connect4 --slice 20000", [40_000, 140_000]),
    search("reversi", "playing", "analyse reversi --algorithm playing", [20_000, 80_000]),
    search("reversi", "negascout", "analyse reversi --algorithm negascout", [20_000, 80_000]),
    search("reversi", "montecarlo", "analyse reversi --algorithm montecarlo", [500, 2_000]),
    search("reversi", "proof", "analyse reversi:6x6 --algorithm proof", [5_000, 20_000]),
    search("reversi", "solve", "solve reversi:6x6 --slice 20000", [40_000, 140_000]),
    search("draughts", "playing", "analyse draughts --algorithm playing", [20_000, 80_000]),
    search("draughts", "negascout", "analyse draughts --algorithm negascout", [20_000, 80_000]),
    search("draughts", "montecarlo", "analyse draughts --algorithm montecarlo", [500, 2_000]),
    search("draughts", "proof", "analyse draughts --algorithm proof", [5_000, 20_000]),
    search("go", "montecarlo", "analyse go:9x9 --algorithm montecarlo", [300, 900]),
    search("go", "negascout", "analyse go:9x9 --algorithm negascout", [5_000, 20_000]),
    search("go", "proof", "analyse go:5x5 --algorithm proof", [5_000, 20_000]),
    search("chess", "playing", "analyse chess --algorithm playing", [20_000, 60_000]),
    search("chess", "negascout", "analyse chess --algorithm negascout", [20_000, 60_000]),
    search("chess", "montecarlo", "analyse chess --algorithm montecarlo", [300, 1_000]),
    search("chess", "proof", "analyse chess --algorithm proof", [5_000, 20_000]),
];

impl Search {
    /// Both searches; their difference is free of what starting costs.
    fn measure(&self, program: &Path) -> Result<Row> {
        let [few, many] = self.nodes.map(|nodes| self.run(program, nodes));
        let ((few, less), (many, more)) = (few?, many?);
        ensure!(many > few, "{} visits as many nodes with either limit", self.command);
        Ok(Row {
            family: self.family.to_owned(),
            who: "program".to_owned(),
            search: self.name.to_owned(),
            nodes: many - few,
            instructions: more - less,
        })
    }

    /// The nodes of a search and its instructions.
    fn run(&self, program: &Path, nodes: u64) -> Result<(u64, u64)> {
        let mut command = callgrind::command(program);
        command.args(self.command.split(' '));
        command.args(["--hash", "1", "--json", "--nodes", &nodes.to_string()]);
        let output = command.output()?;
        let Ok(answer) = serde_json::from_slice::<Value>(&output.stdout) else {
            bail!("{}: {}", self.command, String::from_utf8_lossy(&output.stderr));
        };
        let visited = answer["nodes"].as_u64().context("the answer has no nodes")?;
        Ok((visited, callgrind::instructions(&output.stderr)?))
    }
}
