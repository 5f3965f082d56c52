//! One generated engine of each family, each asked in its own protocol.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use super::callgrind;
use super::table::Row;
use crate::cargo;

/// Any PC since about 2013, and what Valgrind knows.
const PROCESSOR: &str = "x86-64-v3";

/// What an engine is asked; `{}` stands for the limit.
struct Asked {
    family: &'static str,
    game: &'static str,
    /// The file that is generated.
    name: &'static str,
    lines: &'static str,
    /// How its answer begins.
    answer: &'static str,
    limits: [u64; 2],
    unit: Unit,
}

/// What the limit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    /// Nodes, which are kept to.
    Nodes,
    /// A depth; the engine tells its nodes behind this word.
    Depth(&'static str),
    /// Nodes that are part of the engine, as its protocol has no word for them.
    Inside,
}

const START: &str = "---------------------------O*------*O---------------------------";

const ASKED: [Asked; 5] = [
    Asked {
        family: "mnk",
        game: "gomoku",
        name: "mnk-15x15-k5-p1-q1-more",
        lines: "mnk 2\nposition start\nnodes {}\ngo\n",
        answer: "best ",
        limits: [10_000, 30_000],
        unit: Unit::Nodes,
    },
    Asked {
        family: "reversi",
        game: "reversi",
        name: "reversi-8x8",
        lines: "nboard 2\nset depth {}\nset game (;GM[Othello]PB[a]PW[b]TY[8]BO[8 {start} *];)\ngo\n",
        answer: "=== ",
        limits: [9, 12],
        unit: Unit::Depth("nodestats "),
    },
    Asked {
        family: "draughts",
        game: "draughts",
        name: "draughts-english",
        lines: "hub\ninit\nnew-game\nlevel nodes={}\npos\ngo think\n",
        answer: "done ",
        limits: [20_000, 80_000],
        unit: Unit::Nodes,
    },
    Asked {
        family: "go",
        game: "go:9x9",
        name: "go-9x9",
        lines: "clear_board\nreg_genmove b\n",
        answer: "= ",
        limits: [300, 900],
        unit: Unit::Inside,
    },
    Asked {
        family: "chess",
        game: "chess",
        name: "chess",
        lines: "uci\nsetoption name Hash value 1\nposition startpos\ngo nodes {}\n",
        answer: "bestmove ",
        limits: [20_000, 60_000],
        unit: Unit::Nodes,
    },
];

/// An engine that is there, or two that differ in their limit.
pub(super) struct Built {
    asked: &'static Asked,
    programs: [PathBuf; 2],
}

/// Generates all engines in a folder.
pub(super) fn built(program: &Path, scratch: &Path) -> Result<Vec<Built>> {
    println!("zermelo generate");
    let out = scratch.join("engines");
    let games = ASKED.iter().map(|asked| asked.game);
    let mut generate = Command::new(program);
    generate.arg("generate").args(games).arg("--out").arg(&out);
    generate.args(["--force", "--quiet", "--keep-source", "--target-cpu", PROCESSOR]);
    let done = generate.env("ZERMELO_CACHE", scratch.join("cache")).output()?;
    ensure!(done.status.success(), "generate: {}", String::from_utf8_lossy(&done.stderr));
    ASKED.iter().map(|asked| Built::of(asked, &out)).collect()
}

impl Built {
    fn of(asked: &'static Asked, out: &Path) -> Result<Built> {
        let program = out.join(asked.name);
        ensure!(program.is_file(), "{} was not generated", program.display());
        let programs = match asked.unit {
            Unit::Inside => {
                let [few, many] = asked.limits.map(|nodes| with_nodes(asked, out, nodes));
                [few?, many?]
            }
            _ => [program.clone(), program],
        };
        Ok(Built { asked, programs })
    }

    pub(super) fn measure(&self) -> Result<Row> {
        let [few, many] = [0, 1].map(|i| self.run(i));
        let ((few, less), (many, more)) = (few?, many?);
        let game = self.asked.game;
        ensure!(many > few, "the engine of {game} visits as many nodes with either limit");
        Ok(Row {
            family: self.asked.family.to_owned(),
            who: "engine".to_owned(),
            search: if self.asked.family == "go" { "montecarlo" } else { "playing" }.to_owned(),
            nodes: many - few,
            instructions: more - less,
        })
    }

    /// The nodes of one search and its instructions. The engine is not told to leave before it has answered, as that
    /// would end its search.
    fn run(&self, which: usize) -> Result<(u64, u64)> {
        let Asked { lines, answer, limits, unit, game, .. } = self.asked;
        let limit = limits[which];
        let mut command = callgrind::command(&self.programs[which]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut engine = command.spawn()?;
        let mut input = engine.stdin.take().context("no input")?;
        let mut output = BufReader::new(engine.stdout.take().context("no output")?);
        let lines = lines.replace("{}", &limit.to_string()).replace("{start}", START);
        input.write_all(lines.as_bytes())?;
        let (mut line, mut told) = (String::new(), None);
        while !is_answer(line.trim_end(), answer) {
            if let Unit::Depth(word) = unit
                && let Some(nodes) = line.strip_prefix(word)
            {
                told = nodes.split_whitespace().next().and_then(|nodes| nodes.parse().ok());
            }
            line.clear();
            ensure!(output.read_line(&mut line)? > 0, "the engine of {game} did not answer");
        }
        input.write_all(b"quit\n")?;
        output.read_to_string(&mut line)?;
        drop(input);
        let counted = callgrind::instructions(&engine.wait_with_output()?.stderr)?;
        let nodes = match unit {
            Unit::Depth(_) => {
                told.with_context(|| format!("the engine of {game} told no nodes"))?
            }
            Unit::Nodes | Unit::Inside => limit,
        };
        Ok((nodes, counted))
    }
}

/// An answer has something behind its beginning; GTP answers `=` alone to what is only to be done.
fn is_answer(line: &str, beginning: &str) -> bool {
    line.strip_prefix(beginning).is_some_and(|rest| !rest.trim().is_empty())
}

/// Where the source of an engine says how it thinks if nobody tells it, and what stands there.
const PLAYER: &str = "parts/standalone/src/lib.rs";
const USUAL: &str = "bot: String::new()";

/// The same engine, built from its source with a limit of nodes: GTP knows none.
fn with_nodes(asked: &Asked, out: &Path, nodes: u64) -> Result<PathBuf> {
    let source = out.join(format!("{}.src", asked.name));
    let file = source.join(PLAYER);
    let text = fs::read_to_string(&file).with_context(|| format!("{}", file.display()))?;
    ensure!(text.contains(USUAL), "{} does not say {USUAL}", file.display());
    let limited = format!("bot: \"nodes={nodes},hash=1\".to_owned()");
    fs::write(&file, text.replace(USUAL, &limited))?;
    let target = out.join(format!("{}-target", asked.name));
    let mut build = cargo();
    build.args(["build", "--release", "--quiet", "--offline", "--target-dir"]).arg(&target);
    let built = build
        .current_dir(&source)
        .env("RUSTFLAGS", format!("-C target-cpu={PROCESSOR} --cap-lints allow"))
        .status();
    fs::write(&file, text)?;
    ensure!(built?.success(), "{} could not be built", source.display());
    let folder = target.join("release");
    let bin = fs::read_dir(source.join("engines/src/bin"))?.next().context("no program")??;
    let name = bin.path().file_stem().context("no name")?.to_owned();
    let limited = folder.join(format!("limited-{nodes}"));
    fs::copy(folder.join(name), &limited)?;
    Ok(limited)
}
