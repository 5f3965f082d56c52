//! The golden set: what fixed searches and solves visit and find, line by line in `tests/golden/`. A change that is not meant
//! to change a search leaves every number as it is, in every build profile.
//!
//! With `ZERMELO_GOLDEN=write` in the environment the files are written anew.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::Value;

use crate::support::zermelo;

/// Stands between a command and what it said.
const SAID: &str = " => ";

/// What is kept of an answer, in this order.
const KEPT: [&str; 13] = [
    "nodes",
    "depth",
    "selective_depth",
    "answer",
    "value",
    "margin",
    "lower",
    "upper",
    "distance",
    "proved",
    "exact",
    "best",
    "pv",
];

const FAMILIES: [&str; 5] = ["mnk", "reversi", "draughts", "go", "chess"];

fn file(family: &str) -> PathBuf {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden");
    PathBuf::from(root).join(format!("{family}.txt"))
}

/// The words of a command; those in quotation marks are one.
fn words(command: &str) -> Vec<&str> {
    let parts = command.split('"').enumerate();
    parts
        .flat_map(|(i, part)| match i % 2 {
            0 => part.split_whitespace().collect(),
            _ => vec![part],
        })
        .collect()
}

/// What the program says to a command, in one line.
fn said(command: &str) -> String {
    let ran = zermelo(&[words(command).as_slice(), &["--json"]].concat());
    let Ok(answer) = serde_json::from_str::<Value>(&ran.out) else {
        return format!("no answer: {ran:?}");
    };
    let mut line = String::new();
    for key in KEPT {
        let text = match &answer[key] {
            Value::Null => continue,
            Value::String(text) => text.clone(),
            Value::Array(moves) => {
                moves.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(",")
            }
            number => number.to_string(),
        };
        let _ = write!(line, "{}{key}={text}", if line.is_empty() { "" } else { " " });
    }
    line
}

/// A line for each command, with what it says now.
fn renewed(text: &str, said: impl Fn(&str) -> String) -> String {
    let commands = text.lines().map(|line| line.split_once(SAID).map_or(line, |(call, _)| call));
    commands.map(|command| format!("{command}{SAID}{}\n", said(command))).collect()
}

/// The lines that are not the same, one above the other.
fn difference(expected: &str, found: &str) -> String {
    let pairs = expected.lines().zip(found.lines()).filter(|(one, other)| one != other);
    pairs.fold(String::new(), |mut text, (expected, found)| {
        let (command, before) = expected.split_once(SAID).unwrap_or((expected, ""));
        let now = found.split_once(SAID).map_or("", |(_, now)| now);
        let _ = write!(text, "\nzermelo {command}\n  golden {before}\n  now    {now}");
        text
    })
}

fn compare(family: &str) {
    let file = file(family);
    let expected = std::fs::read_to_string(&file).unwrap();
    let found = renewed(&expected, said);
    if std::env::var_os("ZERMELO_GOLDEN").is_some_and(|value| value == "write") {
        std::fs::write(&file, found).unwrap();
        return;
    }
    let difference = difference(&expected, &found);
    assert!(difference.is_empty(), "{}:{difference}", file.display());
}

#[test]
fn golden_mnk() {
    compare("mnk");
}

#[test]
fn golden_reversi() {
    compare("reversi");
}

#[test]
fn golden_draughts() {
    compare("draughts");
}

#[test]
fn golden_go() {
    compare("go");
}

#[test]
fn golden_chess() {
    compare("chess");
}

/// Each family has every algorithm and the ways to solve that it has.
#[test]
fn golden_files_leave_nothing_out() {
    for family in FAMILIES {
        let text = std::fs::read_to_string(file(family)).unwrap();
        let has = |words: &str| text.lines().any(|line| line.contains(words));
        let algorithms =
            ["minimax", "alphabeta", "negascout", "mtdf", "playing", "montecarlo", "proof"];
        for algorithm in algorithms {
            assert!(has(&format!("--algorithm {algorithm} ")), "{family} {algorithm}");
        }
        assert!(has("perft ") && has("proved=true") && has("--method bestfirst"), "{family}");
        assert!(text.lines().all(|line| line.contains(" => nodes=")), "{family}");
    }
}

#[test]
fn golden_differences_are_seen() {
    let golden = "perft go --depth 1 => nodes=5\nanalyse go => nodes=7 best=C3\n";
    let other = renewed(golden, |command| match command {
        "analyse go" => "nodes=8 best=C3".to_owned(),
        _ => "nodes=5".to_owned(),
    });
    assert_eq!(
        difference(golden, &other),
        "\nzermelo analyse go\n  golden nodes=7 best=C3\n  now    nodes=8 best=C3"
    );
    assert_eq!(difference(golden, golden), "");
    assert_eq!(words("solve x --moves \"a b\" -q"), ["solve", "x", "--moves", "a b", "-q"]);
}
