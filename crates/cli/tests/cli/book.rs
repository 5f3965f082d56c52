//! Books of openings, made from small collections of games.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::support::{Ran, json, keys, with_input, zermelo};

const PGN: &str = "[White \"Ann\"]\n[Black \"Bob\"]\n1. e4 e5 2. Nf3 Nc6 1-0\n\n1. e4 e5 2. Nc3 1/2-1/2\n\n\
                   1. e4 c5 0-1\n\n1. Nf3 e5 2. e4 Nc6 *\n\n1. d4 d5 1-0\n";

const PDN: &str = "1. 11-15 23-19 2. 8-11 1-0\n[Event \"x\"]\n1. 11-15 23-19 2. 9-14 0-1\n\
                   [Event \"y\"]\n1. 9-14 22-18 1/2-1/2\n";

fn path(name: &str) -> String {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name).to_str().unwrap().to_owned()
}

fn file(name: &str, text: &str) -> String {
    let path = path(name);
    fs::write(&path, text).unwrap();
    path
}

fn refused(ran: &Ran, why: &str) {
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{ran:?}");
    assert!(ran.err.contains(why) && ran.err.lines().count() == 1, "{ran:?}");
}

#[test]
fn a_book_of_chess() {
    let (pgn, book) = (file("book.pgn", PGN), path("chess.book"));
    let build = ["book", "build", "chess", "--games", &pgn, "--out", &book];
    let (built, text) = json(&[&build[..], &["--depth", "4", "--min-count", "2"]].concat());
    assert_eq!(keys(&text), ["game", "games", "positions", "depth", "min_count", "errors"]);
    assert_eq!((&built["games"], &built["positions"]), (&json!(5), &json!(4)), "{built}");

    let (shown, text) = json(&["book", "show", "chess", &book]);
    assert_eq!(keys(&text), ["game", "position", "to_move", "games", "moves"]);
    let expected = json!([
        {"move": "e2e4", "games": 3, "share": 0.6, "first": 1, "draw": 1, "second": 1},
        {"move": "d2d4", "games": 1, "share": 0.2, "first": 1, "draw": 0, "second": 0},
        {"move": "g1f3", "games": 1, "share": 0.2, "first": 0, "draw": 0, "second": 0},
    ]);
    assert_eq!(shown["moves"], expected);
    let (shown, _) = json(&["book", "show", "chess", &book, "--moves", "Nf3 e5 e4"]);
    assert_eq!((&shown["games"], &shown["moves"][0]["move"]), (&json!(2), &json!("b8c6")));

    let words = zermelo(&["book", "show", "chess", &book, "--moves", "e4"]);
    assert_eq!((words.code, words.err.as_str()), (Some(0), ""));
    let lines: Vec<Vec<&str>> =
        words.out.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[1], ["move", "games", "share", "first", "draw", "second"]);
    assert_eq!(lines[2], ["e7e5", "2", "66.7%", "1", "1", "0"]);
    let words = zermelo(&["book", "show", "chess", &book, "--moves", "a3"]);
    assert_eq!((words.code, words.out.lines().last()), (Some(1), Some("not in the book")));
}

#[test]
fn a_book_of_draughts() {
    let book = path("checkers.book");
    let build = ["book", "build", "checkers", "--games", "-", "--out", &book];
    let ran = with_input(&build, PDN.as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{ran:?}");
    let said = "draughts:english: 3 positions that came up in at least 2 of 3 games, up to 16 plies deep\n";
    assert_eq!(ran.out, said);
    let (shown, _) = json(&["book", "show", "checkers", &book, "--moves", "11-15 23-19"]);
    assert_eq!(
        (&shown["moves"][0]["move"], &shown["moves"][1]["move"]),
        (&json!("8-11"), &json!("9-14"))
    );
    let position = shown["position"].as_str().unwrap();
    let (same, _) = json(&["book", "show", "checkers", &book, "--position", position]);
    assert_eq!(same["moves"], shown["moves"]);

    let out =
        with_input(&["book", "build", "checkers", "--games", "-", "--out", "-"], PDN.as_bytes());
    assert_eq!((out.code, out.out), (Some(0), fs::read_to_string(&book).unwrap()));
    let again = with_input(&["book", "show", "checkers", "-"], fs::read(&book).unwrap().as_slice());
    assert_eq!(again.code, Some(0), "{again:?}");
}

#[test]
fn games_around_a_bad_one_are_kept() {
    let pgn = file("bad book.pgn", "1. e4 *\n\n1. e4 *\n\n1. e4 e5 2. Ke3 *\n\n1. e4 *\n");
    let book = path("kept.book");
    let build = ["book", "build", "chess", "--games", &pgn, "--out", &book];
    let ran = zermelo(&build);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.err.contains(": game 3, line 5, column 13: \"Ke3\": "), "{ran:?}");
    let ran = zermelo(&[&build[..], &["--json"]].concat());
    let built: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""), "{ran:?}");
    assert_eq!((&built["games"], &built["errors"][0]["line"]), (&json!(3), &json!(5)));
    let (shown, _) = json(&["book", "show", "chess", &book]);
    assert_eq!(shown["games"], 3);
    assert_eq!(zermelo(&[&build[..], &["--strict"]].concat()).code, Some(1));
    assert_eq!(json(&["book", "show", "chess", &book]).0["games"], 2);
}

#[test]
fn what_makes_no_book_is_refused() {
    let (pgn, empty) = (file("good book.pgn", PGN), file("empty.pgn", ""));
    let book = path("refused.book");
    // An earlier run may have left it.
    let _ = fs::remove_file(&book);
    let build = |games: &str, more: &[&str]| {
        zermelo(&[&["book", "build", "chess", "--games", games, "--out", &book], more].concat())
    };
    refused(&build(&empty, &[]), "empty.pgn holds no game");
    refused(
        &build(&file("nonsense.pgn", "1. e5 *\n"), &[]),
        "nonsense.pgn: game 1, line 1, column 4: ",
    );
    refused(&build("no/such/file", &[]), "cannot read no/such/file");
    refused(&build(&pgn, &["--depth", "0"]), "a number of plies is a number from 1 to 1000");
    refused(&build(&pgn, &["--min-count", "0"]), "a number of games is a number from 1 to");
    let both = zermelo(&["book", "build", "chess", "--games", &pgn, "--out", "-", "--json"]);
    refused(&both, "both want standard output");
    assert!(!PathBuf::from(&book).exists());

    assert_eq!(build(&pgn, &[]).code, Some(0));
    let show =
        |game: &str, more: &[&str]| zermelo(&[&["book", "show", game, &book], more].concat());
    refused(&show("checkers", &[]), "is a book of chess, not of draughts:english");
    refused(&show("chess", &["--moves", "e5"]), "\"e5\": move 1: ");
    refused(&show("chess", &["--position", "8/8"]), "position \"8/8\"");
    let text = fs::read_to_string(&book).unwrap();
    fs::write(&book, text.replacen("e2e4", "e2e5", 1)).unwrap();
    refused(&show("chess", &[]), "\"e2e5\": line ");
    refused(&zermelo(&["book", "show", "chess", &pgn]), "not a book, which begins with");
}
