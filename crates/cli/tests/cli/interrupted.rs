//! Long work that a signal ends, or that ends without an answer: it says what it has and how to go on.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Ran, command, speak, zermelo};

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("interrupted").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn start(arguments: &[&str], home: &Path) -> Child {
    let mut command = command();
    command.args(arguments).env("ZERMELO_HOME", home).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Sends a signal and hears what is said at the end.
fn end(child: Child, signal: &str) -> Ran {
    let pid = child.id().to_string();
    assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    Ran {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

fn wait_for(mut there: impl FnMut() -> bool) {
    while !there() {
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The command that an answer advises, as a shell runs it.
fn run_advised(ran: &Ran, home: &Path) -> Ran {
    let (_, command) = ran.out.split_once("to go on: ").unwrap_or_else(|| panic!("{ran:?}"));
    let mut shell = Command::new("sh");
    shell.args(["-c", command.lines().next().unwrap()]).env("ZERMELO_HOME", home);
    speak(&mut shell, b"")
}

#[test]
fn a_match_that_a_signal_ends_is_gone_on_with() {
    let folder = folder("match");
    let games = folder.join("my games.sgf");
    let games = games.to_str().unwrap();
    let call = [
        "match",
        "reversi:6x6",
        "depth=4",
        "depth=3",
        "--games",
        "40",
        "--threads",
        "1",
        "--save",
        games,
    ];
    for signal in ["-INT", "-TERM"] {
        let _ = std::fs::remove_file(games);
        let child = start(&call, &folder);
        wait_for(|| std::fs::read_to_string(games).is_ok_and(|text| text.contains("(;")));
        let ran = end(child, signal);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.out.contains("games  ") && ran.out.contains("Elo    "), "{ran:?}");
        assert!(
            ran.out.contains("interrupted after ") && ran.out.contains(" of 20 pairs"),
            "{ran:?}"
        );
        let rest = run_advised(&ran, &folder);
        assert_eq!(rest.code, Some(0), "{rest:?}");
        assert!(rest.out.contains("games  40: "), "{rest:?}");
        assert!(!rest.out.contains("to go on"), "{rest:?}");
        let saved = std::fs::read_to_string(games).unwrap().matches("(;").count();
        assert_eq!(saved, 40, "nothing is played twice");
    }
}

#[test]
fn a_test_that_ends_undecided_says_so_and_how_to_go_on() {
    let folder = folder("undecided");
    let call = ["match", "reversi:4x4", "random", "random", "--games", "10", "--sprt", "0,2"];
    let ran = speak(command().args(call).env("ZERMELO_HOME", &folder), b"");
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.contains("SPRT   undecided, more games are needed: "), "{ran:?}");
    assert!(ran.out.contains("--games 20"), "{ran:?}");
    let more = run_advised(&ran, &folder);
    assert!(more.out.contains("games  20: ") && more.out.contains("--games 40"), "{more:?}");
    // Who is told by a program asks for the same.
    let ran = speak(command().args(call).arg("--json").env("ZERMELO_HOME", &folder), b"");
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&answer["finished"], &answer["sprt"]["decision"]), (&json!(true), &json!("open")));
    assert!(answer["resume"].as_str().unwrap().contains("--journal"), "{answer}");
}

#[test]
fn tuning_that_a_signal_ends_is_gone_on_with() {
    let folder = folder("tune");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (session, weights, data) = (path("session"), path("by games.weights"), path("data"));
    let short = ["--population", "8", "--duels", "3", "--depth", "2", "--generations", "400"];
    let genetic =
        [&["tune", "genetic", "draughts:english", "--out", &session], &short[..]].concat();
    let child = start(&genetic, &folder);
    wait_for(|| folder.join("session/generation-000002.population").exists());
    let ran = end(child, "-TERM");
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.contains(" games in ") && ran.out.contains("interrupted"), "{ran:?}");
    assert!(ran.out.contains(" --resume"), "{ran:?}");

    let by_games = "tune spsa draughts:english --games 100000 --pairs 4 --depth 1 --out";
    let by_games: Vec<&str> = by_games.split(' ').chain([&*weights]).collect();
    let mut child = start(&[&by_games[..], &["-vv"]].concat(), &folder);
    // The log says from when on signals are heard.
    let mut log = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains("signals are watched for") {
        line.clear();
        assert_ne!(log.read_line(&mut line).unwrap(), 0, "the log ended");
    }
    let drain = std::thread::spawn(move || log.read_to_string(&mut String::new()));
    let ran = end(child, "-INT");
    drain.join().unwrap().unwrap();
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let kept = format!("--session '{weights}.session'");
    assert!(ran.out.contains(&kept), "{ran:?}");
    assert!(Path::new(&format!("{weights}.session")).exists(), "{ran:?}");

    let fill = ["tune", "data", "draughts:english", "--games", "100000", "--out", &data];
    let child = start(&fill, &folder);
    wait_for(|| std::fs::metadata(&data).is_ok_and(|file| file.len() > 2_000));
    let ran = end(child, "-TERM");
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.contains("to go on: ") && ran.out.contains("tune data"), "{ran:?}");
}

#[test]
fn a_tournament_that_a_signal_ends_is_gone_on_with() {
    let folder = folder("tournament");
    let journal = folder.join("journal");
    let kept = journal.to_str().unwrap();
    let players = ["depth=4", "depth=3", "depth=2"];
    let call =
        [&["tournament", "reversi:6x6"], &players[..], &["--games", "20", "--journal", kept]];
    let child = start(&call.concat(), &folder);
    wait_for(|| journal.read_dir().is_ok_and(|mut files| files.next().is_some()));
    let ran = end(child, "-TERM");
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let rest = run_advised(&ran, &folder);
    assert_eq!(rest.code, Some(0), "{rest:?}");
    assert!(rest.out.contains(" of 40 "), "{rest:?}");
}

/// Weights without a limit are compared quickly, by nodes, and the answer says so.
#[test]
fn a_match_without_limits_is_quick_and_says_its_limit() {
    let call = ["match", "reversi:4x4", "weights=classic", "weights=stable", "--games", "2"];
    let ran = zermelo(&call);
    assert!(ran.out.contains("each   nodes=5000 a move"), "{ran:?}");
    let of = |more: &[&str]| {
        let ran = zermelo(&[&call[..], more, &["--json"]].concat());
        serde_json::from_str::<Value>(&ran.out).unwrap()["each"].clone()
    };
    assert_eq!(of(&[]), "nodes=5000");
    assert_eq!(of(&["--each", "depth=2"]), "depth=2");
    let ran = zermelo(&["match", "tictactoe", "depth=2", "random", "--games", "2"]);
    assert!(!ran.out.contains("each   "), "{ran:?}");
}
