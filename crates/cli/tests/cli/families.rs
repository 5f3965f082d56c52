//! Draughts, Go and chess as a user meets them, and files of whole games.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::support::{Ran, json, keys, with_input, zermelo};

/// A file in the tests' own folder.
fn file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).unwrap();
    path
}

fn play(arguments: &[&str], input: &str) -> Ran {
    let ran = with_input(arguments, input.as_bytes());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran
}

#[test]
fn perft_of_every_family() {
    for (game, depth, nodes) in [
        ("checkers", "7", 179_740),
        ("draughts:international", "6", 167_140),
        ("draughts:frisian", "5", 21_265),
        ("chess", "4", 197_281),
        ("chess:fischer=518", "3", 8_902),
        ("go:2x2", "2", 21),
    ] {
        let (counted, _) = json(&["perft", game, "--depth", depth]);
        assert_eq!(counted["nodes"], nodes, "{game}");
    }
}

/// 1. Qg6 threatens mate on two squares and cannot well be taken.
#[test]
fn a_mate_in_two() {
    let position = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - -";
    for algorithm in ["minimax", "alphabeta", "negascout", "mtdf"] {
        let arguments = ["analyse", "chess", "--position", position, "--algorithm", algorithm];
        let (found, _) = json(&[&arguments[..], &["--depth", "3"]].concat());
        assert_eq!(
            (&found["best"], &found["value"], &found["distance"]),
            (&json!("g3g6"), &json!("first"), &json!(3)),
            "{algorithm}"
        );
    }
}

#[test]
fn a_file_of_games_is_listed_checked_and_written_anew() {
    let pgn = file(
        "three.pgn",
        "[White \"Ann\"]\n[Black \"Bob\"]\n1. f3 e5 2. g4 Qh4# 0-1\n\n1. e4 *\n\n1. e4 e5 2. Ke3 *\n",
    );
    let pgn = pgn.to_str().unwrap();
    let ran = zermelo(&["record", "chess", pgn]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""));
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines[0], "1. White Ann, Black Bob: 4 plies, second player wins");
    assert_eq!(lines[1], "2. White ?, Black ?: 1 ply");
    let wrong = lines[2].strip_prefix(pgn).unwrap();
    assert!(wrong.starts_with(": line 7, column 13: \"Ke3\": "), "{wrong}");

    let ran = zermelo(&["record", "chess", pgn, "--json"]);
    let listed: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(keys(&ran.out), ["game", "games", "error"]);
    assert_eq!(listed["games"][0]["moves"], json!(["f2f3", "e7e5", "g2g4", "d8h4"]));
    assert_eq!((&listed["error"]["line"], &listed["error"]["column"]), (&json!(7), &json!(13)));

    let written = zermelo(&["record", "chess", pgn, "--out", "-"]);
    assert_eq!(written.code, Some(1));
    assert!(written.out.contains("1. f3 e5 2. g4 Qh4# 0-1\n"), "{}", written.out);
    let again = with_input(&["record", "chess", "-"], written.out.as_bytes());
    assert_eq!((again.code, again.out.lines().count()), (Some(0), 2), "{again:?}");
}

#[test]
fn a_recorded_game_is_a_place_to_begin() {
    let pdn = file("two.pdn", "1. 11-15 23-19 *\n[Event \"x\"]\n1. 9-14 *\n");
    let pdn = pdn.to_str().unwrap();
    let (shown, _) = json(&["show", "checkers", "--file", pdn]);
    assert_eq!((&shown["last"], &shown["to_move"]), (&json!("23-19"), &json!("first")));
    let (shown, _) =
        json(&["show", "checkers", "--file", pdn, "--number", "2", "--moves", "22-17"]);
    assert_eq!(shown["last"], "22-17");
    for (arguments, why) in [
        (&["--number", "3"][..], "holds 2 games, so there is no number 3"),
        (&["--number", "0"], "from 1 to"),
        (&["--position", "W:W21:B1"], "cannot be used with"),
    ] {
        let ran = zermelo(&[&["show", "checkers", "--file", pdn][..], arguments].concat());
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(ran.err.contains(why) && ran.err.lines().count() == 1, "{}", ran.err);
    }
    let ran = zermelo(&["show", "chess", "--file", pdn]);
    assert!(ran.err.contains("two.pdn: line 1, column 4: \"11-15\": "), "{}", ran.err);
}

#[test]
fn a_game_is_saved_and_taken_up_again() {
    let sgf = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("saved game.sgf");
    let name = sgf.to_str().unwrap();
    let input = format!("D4\npass\nC3\nsave {name}\nquit\n");
    let said = play(&["play", "go:5x5,komi=0.5", "--second", "human"], &input);
    assert!(said.out.contains("saved game.sgf\"."), "{}", said.out);
    let text = fs::read_to_string(&sgf).unwrap();
    assert!(text.contains("KM[0.5]") && text.contains(";B[db];W[];B[cc]"), "{text}");
    let (shown, _) = json(&["show", "go:5x5,komi=0.5", "--file", name]);
    assert_eq!(shown["position"], "...../...X./..X../...../..... w");
    let said = play(&["play", "go:5x5", "--second", "human"], "save /no/such/folder/x\nquit\n");
    assert!(said.out.contains("cannot write /no/such/folder/x"), "{}", said.out);
}

#[test]
fn a_draw_is_claimed() {
    let shuffle = "g1f3\ng8f6\nf3g1\nf6g8\n".repeat(2);
    let input = format!("claim\n{shuffle}claim\n");
    let said = play(&["play", "chess", "--second", "human"], &input);
    assert!(said.out.contains("There is nothing to claim here."), "{}", said.out);
    assert!(said.out.contains("A draw can be claimed here."), "{}", said.out);
    assert!(said.out.ends_with("The game is over: draw.\n"), "{}", said.out);
}

/// Black owns ten points, White ten with four prisoners to come; the lone stone is dead if both say so.
#[test]
fn dead_stones_are_agreed_on() {
    let position = ".X.O./.X.O./.X.O./.X.OX/.X.O. b";
    let arguments =
        ["play", "go:5x5,scoring=territory,dead=stay", "--position", position, "--second", "human"];
    let unsettled = play(&arguments, "pass\npass\n\n");
    let settled = play(&arguments, "pass\npass\nC3\nE2\n");
    assert!(
        unsettled.out.ends_with("The game is over: first player wins by 5.\n"),
        "{}",
        unsettled.out
    );
    assert!(settled.out.contains("C3 is empty; name stones"), "{}", settled.out);
    assert!(
        settled.out.ends_with("The game is over: second player wins by 1.\n"),
        "{}",
        settled.out
    );
}

/// Go is searched by random games, which know no depth.
#[test]
fn go_is_searched_by_random_games() {
    let position = "OOOO./XXXXO/X.X.O/XXXXO/OOOO. w";
    let call = ["analyse", "go:5x5", "--position", position, "--nodes", "2000"];
    let (found, _) = json(&call);
    assert_eq!(found["algorithm"], "montecarlo");
    assert_eq!(json(&call).0["best"], found["best"]);
    let (found, _) = json(&["analyse", "go:5x5", "--depth", "2"]);
    assert_eq!(found["algorithm"], "playing");
    let ran = zermelo(&["analyse", "go:5x5", "--algorithm", "montecarlo", "--depth", "2"]);
    assert_eq!((ran.code, ran.err.lines().count()), (Some(2), 1), "{ran:?}");
    let ran = zermelo(&["play", "go:5x5", "--second", "bot:depth=2", "--algorithm", "montecarlo"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{ran:?}");
}

#[test]
fn half_points_are_points_in_text() {
    let (shown, _) = json(&["show", "go:3x3,komi=3.5", "--moves", "B2 pass pass"]);
    assert_eq!((&shown["margin"], &shown["value"]), (&json!(5.5), &json!("first")));
    let (shown, _) = json(&["show", "go:3x3,komi=9", "--moves", "B2 pass pass"]);
    assert_eq!((&shown["margin"], &shown["value"]), (&json!(0), &json!("draw")));
}
