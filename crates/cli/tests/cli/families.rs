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
        "[White \"Ann\"]\n[Black \"Bob\"]\n1. f3 e5 2. g4 Qh4# 0-1\n\n1. e4 *\n\n1. e4 e5 2. Ke3 *\n\n1. d4 *\n",
    );
    let pgn = pgn.to_str().unwrap();
    let ran = zermelo(&["record", "chess", pgn]);
    assert_eq!(ran.code, Some(1));
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines[0], "1. White Ann, Black Bob: 4 plies, second player wins");
    assert_eq!(lines[1..], ["2. White ?, Black ?: 1 ply", "4. White ?, Black ?: 1 ply"]);
    let wrong: Vec<&str> = ran.err.lines().map(|line| line.strip_prefix(pgn).unwrap()).collect();
    assert!(wrong[0].starts_with(": game 3, line 7, column 13: \"Ke3\": "), "{wrong:?}");
    assert_eq!(wrong[1..], [": 1 of 4 games cannot be read"]);
    let strict = zermelo(&["record", "chess", pgn, "--strict"]);
    assert_eq!((strict.code, strict.out.lines().count()), (Some(1), 2), "{strict:?}");
    assert!(strict.err.contains(": game 3, line 7, column 13: "), "{strict:?}");

    let ran = zermelo(&["record", "chess", pgn, "--json"]);
    let listed: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(keys(&ran.out), ["game", "games", "errors"]);
    assert_eq!(listed["games"][0]["moves"], json!(["f2f3", "e7e5", "g2g4", "d8h4"]));
    assert_eq!(
        (&listed["games"][2]["number"], &listed["games"].as_array().unwrap().len()),
        (&json!(4), &3)
    );
    let error = &listed["errors"][0];
    assert_eq!(
        (&error["game"], &error["line"], &error["column"]),
        (&json!(3), &json!(7), &json!(13))
    );

    let written = zermelo(&["record", "chess", pgn, "--out", "-"]);
    assert_eq!(written.code, Some(1));
    assert!(written.out.contains("1. f3 e5 2. g4 Qh4# 0-1\n"), "{}", written.out);
    let again = with_input(&["record", "chess", "-"], written.out.as_bytes());
    assert_eq!((again.code, again.out.lines().count()), (Some(0), 3), "{again:?}");
    // Numbers are those of the file, and a bad game is told apart from none.
    let (shown, _) = json(&["show", "chess", "--file", pgn, "--number", "4"]);
    assert_eq!(shown["last"], "d2d4");
    let ran = zermelo(&["show", "chess", "--file", pgn, "--number", "3"]);
    assert!(ran.err.contains("three.pgn: game 3, line 7, column 13: "), "{ran:?}");
}

#[test]
fn files_of_other_encodings_are_read() {
    let text = "[White \"Frydrýšek\"]\n[Black \"Müller\"]\n1. e4 *\n";
    let utf16: Vec<u8> =
        "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let ran = with_input(&["record", "chess", "-"], &utf16);
    assert_eq!(ran.out, "1. White Frydrýšek, Black Müller: 1 ply\n", "{ran:?}");
    let latin1: Vec<u8> = text.chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect();
    let ran = with_input(&["record", "chess", "-"], &latin1);
    assert_eq!(ran.out, "1. White Frydrý?ek, Black Müller: 1 ply\n", "{ran:?}");
}

/// The texts of a project of 2008, in and out.
#[test]
fn reversi_positions_in_figures() {
    let unit = "000010211100122210212110200000000000;1";
    let show = ["show", "reversi:6x6", "--position", unit, "--texts"];
    let (shown, _) = json(&show);
    assert_eq!(shown["position"], "----X-OXXX--XOOOX-OXOXX-O----------- O");
    assert_eq!(shown["texts"]["digits"], unit);
    assert_eq!(shown["texts"]["bits"].as_str().unwrap().len(), 72);
    let bits = shown["texts"]["bits"].as_str().unwrap();
    let (again, _) = json(&["show", "reversi:6x6", "--position", &format!("{bits};1")]);
    assert_eq!(again["position"], shown["position"]);
    assert_eq!(again.get("texts"), None);
    let said = zermelo(&show).out;
    assert!(said.contains(&format!("\ndigits    {unit}\n")), "{said}");

    // Nine empty squares are solved at once.
    let end = "000122011222111222112221111111101111;0";
    for command in [
        &["solve", "reversi:6x6", "--question", "outcome"][..],
        &["analyse", "reversi:6x6", "--algorithm", "negascout"],
    ] {
        let (solved, _) = json(&[command, &["--position", end, "--texts"]].concat());
        let value = match solved["value"].as_str().unwrap() {
            "first" => 1,
            "draw" => 0,
            _ => -1,
        };
        assert_eq!(solved["texts"]["digits"], format!("{end};{value}"), "{command:?}");
        let claimed = format!("{end};{value}");
        let said = zermelo(&[command, &["--position", &claimed, "--texts"]].concat()).out;
        assert!(said.contains(&format!("\ndigits {claimed}\n")), "{said}");
    }
    let ran = zermelo(&["analyse", "chess", "--texts"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("positions of chess have one text only"), "{ran:?}");
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
    assert!(ran.err.contains("two.pdn: game 1, line 1, column 4: \"11-15\": "), "{}", ran.err);
}

#[test]
fn a_game_is_saved_and_taken_up_again() {
    let sgf = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("saved game.sgf");
    let name = sgf.to_str().unwrap();
    // An older file would be asked about.
    let _ = fs::remove_file(&sgf);
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

/// Who plays, when, and how it ended; what a file says that was loaded stays.
#[test]
fn a_saved_game_says_who_and_when() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    // An older file would be asked about.
    let save = |name: &str| {
        let file = folder.join(name);
        let _ = fs::remove_file(&file);
        file.to_str().unwrap().to_owned()
    };
    let is_date = |text: &str, sign: char| {
        let parts: Vec<&str> = text.split(sign).collect();
        let digits = |part: &&str| part.bytes().all(|b| b.is_ascii_digit());
        parts.iter().all(digits) && parts.iter().map(|part| part.len()).eq([4, 2, 2])
    };
    let tag = |text: &str, before: &str, after: &str| {
        let value = text.split_once(before).unwrap_or_else(|| panic!("{before} in {text}")).1;
        value.split_once(after).unwrap().0.to_owned()
    };
    let pgn = save("names.pgn");
    play(&["play", "chess", "--second", "bot:depth=1"], &format!("e4\nsave {pgn}\nquit\n"));
    let text = fs::read_to_string(&pgn).unwrap();
    assert!(is_date(&tag(&text, "[Date \"", "\"]"), '.'), "{text}");
    assert!(
        text.contains("[White \"Human\"]\n[Black \"Zermelo depth=1\"]\n[Result \"*\"]"),
        "{text}"
    );
    let sgf = save("names.sgf");
    play(&["play", "go:5x5", "--second", "human"], &format!("C3\npass\nsave {sgf}\nquit\n"));
    let text = fs::read_to_string(&sgf).unwrap();
    assert!(is_date(&tag(&text, "DT[", "]"), '-'), "{text}");
    assert!(text.contains("PB[Human]") && text.contains("PW[Human]"), "{text}");

    let old = "[Event \"Club\"]\n[Date \"1858.??.??\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n\n1. e4 {good} e5 1-0\n";
    let old = file("old names.pgn", old);
    let old = old.to_str().unwrap();
    for (arguments, input) in [
        (&["--file", old][..], format!("d4\nsave {pgn}\nquit\n")),
        (&[], format!("load {old}\nd4\nsave {pgn}\nquit\n")),
        (&["--file", old], format!("save {pgn}\nquit\n")),
    ] {
        save("names.pgn");
        play(&[&["play", "chess", "--second", "human"][..], arguments].concat(), &input);
        let text = fs::read_to_string(&pgn).unwrap();
        assert!(
            text.starts_with("[Event \"Club\"]\n[Site \"?\"]\n[Date \"1858.??.??\"]\n"),
            "{text}"
        );
        assert!(text.contains("[White \"Ann\"]\n[Black \"Bob\"]\n"), "{text}");
        let goes_on = input.contains("d4");
        let end =
            if goes_on { "1. e4 {good} 1... e5 2. d4 *\n" } else { "1. e4 {good} 1... e5 1-0\n" };
        assert!(text.contains(end), "{text}");
    }
}

#[test]
fn a_draw_is_claimed() {
    let shuffle = "g1f3\ng8f6\nf3g1\nf6g8\n".repeat(2);
    let input = format!("claim\n{shuffle}claim\n");
    let said = play(&["play", "chess", "--second", "human"], &input);
    assert!(said.out.contains("There is nothing to claim here."), "{}", said.out);
    assert!(said.out.contains("A draw can be claimed here."), "{}", said.out);
    assert!(
        said.out.ends_with("The game is over: draw, the same position 3 times.\n"),
        "{}",
        said.out
    );
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
        unsettled.out.ends_with("The game is over: Black wins by 5, two passes in a row.\n"),
        "{}",
        unsettled.out
    );
    assert!(settled.out.contains("C3 is empty; name stones"), "{}", settled.out);
    assert!(
        settled.out.ends_with("The game is over: White wins by 1, as the players agreed.\n"),
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
