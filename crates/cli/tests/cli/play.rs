//! Games played through a pipe.

use serde_json::{Value, json};

use crate::support::{Ran, command, json, keys, speak, with_input, zermelo};

const TWO_PEOPLE: [&str; 4] = ["play", "tictactoe", "--second", "human"];

fn play(arguments: &[&str], input: &str) -> Ran {
    let ran = with_input(arguments, input.as_bytes());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran
}

/// Plays with `--json`: the object, and what was said on standard error.
fn play_json(arguments: &[&str], input: &str) -> (Value, String) {
    let ran = play(&[arguments, &["--json"]].concat(), input);
    assert_eq!(ran.out.lines().count(), 1, "{ran:?}");
    let expected = ["game", "position", "moves", "over", "value", "margin"];
    assert_eq!(keys(&ran.out), expected);
    (serde_json::from_str(&ran.out).unwrap(), ran.err)
}

#[test]
fn two_people_play_to_the_end() {
    let ran = play(&TWO_PEOPLE, "a1\nb1\na2\nb2\na3\n");
    assert_eq!(ran.err, "");
    assert!(ran.out.contains("The game is over: first player wins."), "{}", ran.out);
    assert!(ran.out.contains("The winning line: a1 a2 a3."), "{}", ran.out);

    let (played, _) = play_json(&TWO_PEOPLE, "a1\nb1\na2\nb2\na3\n");
    assert_eq!(played["moves"], json!(["a1", "b1", "a2", "b2", "a3"]));
    assert_eq!((&played["over"], &played["value"]), (&json!(true), &json!("first")));
}

#[test]
fn wrong_input_is_explained_and_asked_again() {
    let input = "z9\n\nnonsense\n0\n10\n999999999999999999999\n\u{1b}[2J\na1\na1\nb1\nquit\n";
    let (played, said) = play_json(&TWO_PEOPLE, input);
    assert_eq!(played["moves"], json!(["a1", "b1"]));
    assert_eq!((&played["over"], &played["value"]), (&json!(false), &Value::Null));
    assert!(said.contains("\"z9\": "), "{said}");
    assert!(said.contains("10 is not in the list, which has 1 to 9."), "{said}");
    assert!(!said.contains('\u{1b}'), "{said:?}");
    assert_eq!(said.matches("first player> ").count(), 9, "{said}");
}

#[test]
fn bytes_that_are_no_text_are_asked_again() {
    let ran = with_input(&TWO_PEOPLE, b"\xff\xfe\na1\nquit\n");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
}

#[test]
fn numbers_stand_for_listed_moves() {
    let (start, _) = json(&["show", "tictactoe"]);
    let (played, said) = play_json(&TWO_PEOPLE, "2\n1\nquit\n");
    assert_eq!(played["moves"], json!([start["moves"][1], start["moves"][0]]));
    let listed = format!("2. {}", start["moves"][1].as_str().unwrap());
    assert!(said.contains(&listed), "{said}");
}

#[test]
fn words_are_understood() {
    let ran = play(&TWO_PEOPLE, "help\nmoves\nboard\nundo\na1\nundo\nhint\nquit\n");
    assert!(ran.out.contains("take back to your previous turn"), "{}", ran.out);
    assert!(ran.out.contains("There is nothing to take back."), "{}", ran.out);
    assert!(ran.out.contains(": draw."), "{}", ran.out);
    assert!(ran.out.trim_end().ends_with("Goodbye."), "{}", ran.out);
}

#[test]
fn undo_goes_back_to_ones_own_turn() {
    let against_bot = ["play", "tictactoe", "--second", "bot:depth=9", "--seed", "1"];
    let (played, _) = play_json(&against_bot, "a1\nundo\nquit\n");
    assert_eq!(played["moves"], json!([]));
    let (played, _) = play_json(&against_bot, "a1\nundo\nb2\nquit\n");
    assert_eq!((&played["moves"][0], played["moves"].as_array().unwrap().len()), (&json!("b2"), 2));

    let bot_begins =
        ["play", "tictactoe", "--first", "bot:depth=9", "--second", "human", "--seed", "1"];
    let (played, said) = play_json(&bot_begins, "undo\nquit\n");
    assert_eq!(played["moves"].as_array().unwrap().len(), 1);
    assert!(said.contains("There is nothing to take back."), "{said}");

    let (played, _) = play_json(&TWO_PEOPLE, "a1\nb1\nundo\nquit\n");
    assert_eq!(played["moves"], json!(["a1"]));
}

#[test]
fn the_end_of_input_is_no_error() {
    let (played, _) = play_json(&TWO_PEOPLE, "a1\nb2");
    assert_eq!(played["moves"], json!(["a1", "b2"]));
    let ran = play(&["play", "tictactoe"], "");
    assert!(ran.out.contains("Goodbye"), "{}", ran.out);
}

#[test]
fn bots_play_each_other_repeatably() {
    let call =
        ["play", "tictactoe", "--first", "bot:depth=9", "--second", "bot:depth=9", "--seed", "7"];
    let (played, _) = play_json(&call, "");
    assert_eq!((&played["over"], &played["value"]), (&json!(true), &json!("draw")));
    assert_eq!(played["moves"].as_array().unwrap().len(), 9);
    assert_eq!(play_json(&call, "").0, played);

    let seeds = ["1", "2", "3", "4", "5", "6", "7", "8"];
    let games = seeds.map(|seed| play_json(&[&call[..7], &[seed]].concat(), "").0["moves"].clone());
    assert!(games.iter().any(|moves| moves != &games[0]), "{games:?}");
}

#[test]
fn reversi_ends_with_a_margin() {
    let call = ["play", "reversi:4x4", "--first", "bot:depth=20", "--second", "bot:depth=20"];
    let (played, _) = play_json(&call, "");
    assert_eq!((&played["value"], &played["margin"]), (&json!("second"), &json!(-10)));
    let ran = play(&call, "");
    assert!(ran.out.contains("The game is over: second player wins by 10."), "{}", ran.out);
}

#[test]
fn a_game_can_begin_anywhere() {
    let (played, _) = play_json(&[&TWO_PEOPLE[..], &["--moves", "a1 b1 a2 b2"]].concat(), "a3\n");
    assert_eq!((&played["over"], &played["value"]), (&json!(true), &json!("first")));
    let over = zermelo(&["play", "tictactoe", "--moves", "a1 b1 a2 b2 a3"]);
    assert_eq!(over.code, Some(0));
    assert!(over.out.contains("The game is over"), "{}", over.out);
}

#[test]
fn a_game_is_left_and_resumed() {
    let home = concat!(env!("CARGO_TARGET_TMPDIR"), "/resume");
    let _ = std::fs::remove_dir_all(home);
    let play = |arguments: &[&str], input: &str| {
        let call = [&["play", "tictactoe", "--second", "human"], arguments].concat();
        speak(command().args(call).env("ZERMELO_HOME", home), input.as_bytes())
    };
    let none = play(&["--resume"], "");
    assert_eq!(none.code, Some(2), "{none:?}");
    assert!(none.err.contains("no unfinished game"), "{}", none.err);

    play(&[], "a1\nb1\nquit\n");
    let again = play(&["--resume", "--json"], "a2\n");
    let played: Value = serde_json::from_str(&again.out).unwrap();
    assert_eq!(played["moves"], json!(["a1", "b1", "a2"]));
    // The end of the input lost nothing either, and a finished game is not resumed.
    let over = play(&["--resume"], "b2\na3\n");
    assert!(over.out.contains("first player wins"), "{}", over.out);
    assert_eq!(play(&["--resume"], "").code, Some(2));
}

#[test]
fn games_are_saved_and_loaded() {
    let file = concat!(env!("CARGO_TARGET_TMPDIR"), "/saved.sgf");
    let saving = format!("a1\nb1\nsave {file}\nquit\n");
    assert!(play(&TWO_PEOPLE, &saving).out.contains("The game is in"));
    let loading = format!("c3\nload nowhere.sgf\nload {file}\na2\nquit\n");
    let (played, said) = play_json(&TWO_PEOPLE, &loading);
    assert_eq!(played["moves"], json!(["a1", "b1", "a2"]));
    assert!(said.contains("cannot read nowhere.sgf"), "{said}");
}

#[test]
fn who_resigns_has_lost() {
    let (played, said) = play_json(&TWO_PEOPLE, "a1\nresign\n");
    assert_eq!((&played["over"], &played["value"]), (&json!(true), &json!("first")));
    assert!(said.contains("The second player gives up: first player wins."), "{said}");
}

#[test]
fn every_level_plays_every_family() {
    for game in ["mnk:5x5,k=4", "reversi:4x4", "draughts:english", "go:3x3", "chess"] {
        for level in ["beginner", "easy", "medium", "hard", "master,nodes=2000"] {
            let bot = format!("bot:{level}");
            let ran = with_input(&["play", game, "--second", &bot, "--seed", "1"], b"1\nquit\n");
            assert_eq!(ran.code, Some(0), "{game} {level}: {ran:?}");
            assert!(ran.out.contains("The second player, a bot, plays"), "{game} {level}: {ran:?}");
        }
    }
}
