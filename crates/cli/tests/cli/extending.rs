//! The family of docs/extending.md: the page says what the example is, and the whole program knows
//! the game.

/// With the tests of a new game that the page shows.
#[path = "../../../../examples/chomp/rules.rs"]
#[allow(dead_code, reason = "the registration is in the program")]
mod rules;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::support::{Ran, speak};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The program with the family in it, built beside these tests.
fn chomp() -> Command {
    let here = std::env::current_exe().unwrap();
    let program = here.parent().and_then(Path::parent).unwrap().join("examples/chomp");
    assert!(program.exists(), "{} is built by tests of the whole workspace", program.display());
    let mut command = Command::new(program);
    command.env_remove("CARGO");
    command.env("ZERMELO_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/chomp-home"));
    command.env("ZERMELO_CACHE", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"));
    command
}

fn ran(words: &str, input: &str) -> Ran {
    speak(chomp().args(words.split(' ')), input.as_bytes())
}

fn json(words: &str) -> Value {
    let ran = ran(&format!("{words} --json"), "");
    assert_eq!(ran.code, Some(0), "{words}: {ran:?}");
    serde_json::from_str(&ran.out).unwrap()
}

/// A folder of its own for each test.
fn fresh(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("chomp-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Block by block, with an empty line between them.
#[test]
fn the_page_is_the_example() {
    let page = fs::read_to_string(format!("{ROOT}/docs/extending.md")).unwrap();
    for file in ["examples/chomp/rules.rs", "examples/chomp/main.rs"] {
        let fence = format!("```rust {file}\n");
        let blocks = page.split(&fence).skip(1).map(|rest| rest.split("```\n").next().unwrap());
        let written = blocks.collect::<Vec<_>>().join("\n");
        assert_eq!(written, fs::read_to_string(format!("{ROOT}/{file}")).unwrap(), "{file}");
    }
}

#[test]
fn it_is_listed_with_its_parameters() {
    let said = ran("games", "").out;
    assert!(said.contains("chomp") && said.contains("Chomp on a small bar"), "{said}");
    let listed = json("games");
    let families = listed["families"].as_array().unwrap();
    let family = families.iter().find(|family| family["name"] == "chomp").unwrap();
    assert_eq!(family["parameters"][0]["name"], "size");
    let refused = ran("show chomp:9x9", "");
    assert_eq!((refused.code, refused.err.lines().count()), (Some(2), 1), "{refused:?}");
}

#[test]
fn it_is_played() {
    let ran = ran("play bar --second random", "b2\nquit\n");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("chomp:3x4"), "{ran:?}");
}

/// On a square bar b2 wins (an argument of pairing), and every classic search says so.
#[test]
fn it_is_analysed_and_solved() {
    for algorithm in ["minimax", "alphabeta", "negascout", "mtdf", "playing"] {
        let found = json(&format!("analyse chomp:3x3 --algorithm {algorithm} --depth 30"));
        assert_eq!(found["best"], "b2", "{algorithm}: {found}");
    }
    let proved = json("analyse chomp:3x3 --algorithm proof --nodes 10000");
    assert_eq!(proved["best"], "b2", "{proved}");
    let solved = json("solve chomp:3x3");
    assert_eq!(solved["value"], "first", "{solved}");
    let table = fresh("solve").join("chomp.cert");
    let words = format!("solve chomp:3x3 --question outcome --certificate {}", table.display());
    assert_eq!(json(&words)["value"], "first");
    assert_eq!(ran(&format!("verify {}", table.display()), "").code, Some(0));
}

#[test]
fn it_is_played_in_matches_and_tuned() {
    let played = json("match chomp:4x4 hard random --games 20 --seed 1");
    let (won, lost) = (played["wins"].as_u64().unwrap(), played["losses"].as_u64().unwrap());
    assert!(won > lost && won + lost == 20, "{played}");
    let folder = fresh("tune").join("session");
    let words = format!(
        "tune genetic chomp:4x4 --evaluation arms --out {} --generations 2 --population 4 --depth 2",
        folder.display()
    );
    let tuned = ran(&words, "");
    assert_eq!(tuned.code, Some(0), "{tuned:?}");
    assert!(folder.is_dir());
}

#[test]
fn an_engine_of_it_is_generated_and_speaks() {
    let out = fresh("engines");
    let made = ran(&format!("-q generate chomp:3x3 --out {}", out.display()), "");
    assert_eq!(made.code, Some(0), "{made:?}");
    for mut command in [Command::new(out.join("chomp-3x3")), engine()] {
        let best = best_move(&mut command);
        assert!(best.starts_with("bestmove b2"), "{best}");
    }
}

/// The program as an engine.
fn engine() -> Command {
    let mut command = chomp();
    command.args(["engine", "chomp:3x3"]);
    command
}

/// What an engine plays at the start of the game; it is not told to go before it has.
fn best_move(command: &mut Command) -> String {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut told = child.stdin.take().unwrap();
    told.write_all(b"uci\nposition startpos\ngo depth 20\n").unwrap();
    let mut said = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let best = said.find(|line| line.starts_with("bestmove")).unwrap();
    told.write_all(b"quit\n").unwrap();
    assert!(child.wait().unwrap().success());
    best
}

/// Nobody speaks a protocol for it that it does not name.
#[test]
fn other_protocols_are_refused_in_one_line() {
    let refused = ran("engine chomp --protocol gtp", "");
    assert_eq!((refused.code, refused.err.lines().count()), (Some(2), 1), "{refused:?}");
}
