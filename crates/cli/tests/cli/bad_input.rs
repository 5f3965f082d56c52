//! Bad input: exit code 2, nothing on standard output, one clear line on standard error.

use std::ffi::OsString;

use crate::support::{Ran, json, zermelo};

pub(crate) fn assert_refused(ran: &Ran, call: &str) {
    assert_eq!(ran.code, Some(2), "{call}: {ran:?}");
    assert_eq!(ran.out, "", "{call}");
    assert_eq!(ran.err.lines().count(), 1, "{call}: {:?}", ran.err);
    let line = ran.err.strip_suffix('\n').unwrap();
    assert!(line.starts_with("zermelo: "), "{call}: {line}");
    assert!(line.len() > "zermelo: ".len() && line.len() < 600, "{call}: {line}");
    assert!(!line.contains(char::is_control), "{call}: {line:?}");
}

#[test]
fn games_that_are_none() {
    for game in [
        "",
        " ",
        ":",
        "nosuch",
        "nosuch:3x3",
        "MNK:3x3,k=3",
        "mnk",
        "mnk:",
        "mnk:3x3",
        "mnk:0x3,k=3",
        "mnk:0x3",
        "mnk:3x0,k=3",
        "mnk:251x3,k=3",
        "mnk:3x3,k=0",
        "mnk:3x3,k=3,k=4",
        "mnk:3x3,4x4,k=3",
        "mnk:3x3,k=3,z=1",
        "mnk:3x3,k=3,p=0",
        "mnk:3x3,k=3,q=251",
        "mnk:3x3,k=3,win=less",
        "mnk:3x3,k=3,gravity=1",
        "mnk:3x3,k=3,holes=d4",
        "mnk:3x3,k=3,holes=",
        "mnk:3x3,k=",
        "mnk:3x3,k=-1",
        "mnk:3x3,k=+3",
        "mnk:3x3,k=3,",
        "mnk:3x3,,k=3",
        "mnk:3x3 ,k=3",
        "mnk:3X3,k=3",
        "mnk:99999999999999999999x3,k=3",
        "tictactoe:",
        "tictactoe:k=x",
        "reversi:7x7",
        "reversi:2x2",
        "reversi:10x10",
        "reversi:8",
        "reversi:8x8,start=odd",
        "reversi:8x8,8x8",
        "reversi:k=3",
        "reversi\n",
        "reversi:8x8\u{1b}[31m",
        "é",
        "--",
    ] {
        for command in [
            &["show", game][..],
            &["perft", game, "--depth", "1"],
            &["analyse", game, "--depth", "1"],
            &["play", game],
        ] {
            assert_refused(&zermelo(command), game);
        }
    }
}

#[test]
fn an_unknown_game_is_told_what_exists() {
    let ran = zermelo(&["show", "nosuch"]);
    assert!(ran.err.contains("mnk") && ran.err.contains("reversi"), "{}", ran.err);
}

#[test]
fn positions_that_are_none() {
    for game in ["tictactoe", "connect4", "gomoku", "reversi", "reversi:4x6"] {
        let (start, _) = json(&["show", game]);
        let position = start["position"].as_str().unwrap();
        let short = &position[..position.len() - 1];
        let long = format!("{position}X");
        let odd = format!("?{}", &position[1..]);
        for wrong in ["", " ", "x", short, &long, &odd, "é", "\n\n\n", "\u{1b}[2J"] {
            assert_refused(&zermelo(&["show", game, "--position", wrong]), wrong);
        }
    }
}

#[test]
fn moves_that_are_none() {
    for moves in
        ["z9", "a1 a1", "a1,b2", "a0", "a1 b1 a2 b2 a3 c3", "é", "a1\u{7}", "-", "a1 --json"]
    {
        assert_refused(&zermelo(&["show", "tictactoe", "--moves", moves]), moves);
    }
    let ran = zermelo(&["show", "tictactoe", "--moves", "a1 b2 a1"]);
    assert!(ran.err.contains("move 3"), "{}", ran.err);
}

#[test]
fn numbers_out_of_range() {
    for depth in ["0", "100", "1000000000", "-1", "", "x", "1.5", "99999999999999999999"] {
        assert_refused(&zermelo(&["perft", "reversi", "--depth", depth]), depth);
    }
    for (flag, values) in [
        ("--depth", &["0", "1000", "x", ""][..]),
        ("--nodes", &["0", "-1", "1e6", "", "99999999999999999999"]),
        ("--time", &["0", "-1", "nan", "inf", "1e300", "", "x"]),
        ("--hash", &["0", "65537", "x", ""]),
        ("--threads", &["0", "257", "x"]),
        ("--lines", &["0", "x", "1001"]),
        ("--seed", &["-1", "x", "", "99999999999999999999"]),
        ("--algorithm", &["", "x", "Minimax", "alpha-beta"]),
        ("--techniques", &["", "x", "all,x", ",", "all,,killers"]),
    ] {
        for value in values {
            assert_refused(&zermelo(&["analyse", "reversi", flag, value]), flag);
        }
    }
}

#[test]
fn flags_and_commands_that_are_none() {
    for call in [
        &["nosuch"][..],
        &[""],
        &["--nosuch"],
        &["-x"],
        &["shwo", "tictactoe"],
        &["show"],
        &["show", "tictactoe", "reversi"],
        &["show", "tictactoe", "--depth", "3"],
        &["perft", "reversi"],
        &["perft", "reversi", "--depth"],
        &["perft", "reversi", "--depth", "3", "--depth", "4"],
        &["games", "mnk"],
        &["bench", "--depth", "3"],
        &["completions"],
        &["completions", "nosuch"],
        &["help", "nosuch"],
        &["--json", "--json"],
        &["play", "tictactoe", "--first", "nobody"],
        &["play", "tictactoe", "--first", ""],
        &["play", "tictactoe", "--second", "bot:"],
        &["play", "tictactoe", "--second", "bot:depth=0"],
        &["play", "tictactoe", "--second", "bot:level=3"],
        &["play", "tictactoe", "--second", "bot:time=1,time=2"],
        &["play", "tictactoe", "--resume", "--moves", "a1"],
        &["play", "mnk:7x9,k=7", "--resume"],
        &["play", "chess", "--second", "bot:adjacent"],
        &["match", "reversi", "easy"],
        &["match", "nosuch", "easy", "medium"],
        &["match", "reversi", "easy", "strong"],
        &["match", "reversi", "easy", "medium", "--games", "0"],
        &["match", "chess", "easy", "adjacent"],
        &["match", "go:5x5", "easy", "algorithm=montecarlo,depth=3"],
        &["show", "a\n\nb", "c\n\nd"],
    ] {
        assert_refused(&zermelo(call), &format!("{call:?}"));
    }
}

#[test]
fn errors_stay_off_standard_output_with_json_too() {
    assert_refused(&zermelo(&["show", "nosuch", "--json"]), "show nosuch --json");
    assert_refused(&zermelo(&["--json", "nosuch"]), "--json nosuch");
}

#[cfg(unix)]
#[test]
fn bytes_that_are_no_text() {
    use std::os::unix::ffi::OsStringExt;

    let garbage = OsString::from_vec(vec![0xff, 0xfe, b'\n', 0x80]);
    for before in [
        &[][..],
        &["show"],
        &["show", "tictactoe"],
        &["show", "tictactoe", "--position"],
        &["perft", "reversi", "--depth"],
        &["analyse", "reversi", "--techniques"],
        &["play", "tictactoe", "--first"],
    ] {
        let mut call: Vec<OsString> = before.iter().map(OsString::from).collect();
        call.push(garbage.clone());
        assert_refused(&zermelo(&call), &format!("{call:?}"));
    }
}
