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
    assert!(ran.out.contains("The game is over: Black wins, 3 in a row."), "{}", ran.out);
    assert!(ran.out.contains("The winning line: a1 a2 a3."), "{}", ran.out);

    let (played, _) = play_json(&TWO_PEOPLE, "a1\nb1\na2\nb2\na3\n");
    assert_eq!(played["moves"], json!(["a1", "b1", "a2", "b2", "a3"]));
    assert_eq!((&played["over"], &played["value"]), (&json!(true), &json!("first")));
}

#[test]
fn wrong_input_is_explained_and_asked_again() {
    let input = "z9\n\nnonsense now\n0\n10\n999999999999999999999\n\u{1b}[2J\na1\na1\nb1\nquit\n";
    let (played, said) = play_json(&TWO_PEOPLE, input);
    assert_eq!(played["moves"], json!(["a1", "b1"]));
    assert_eq!((&played["over"], &played["value"]), (&json!(false), &Value::Null));
    assert!(said.contains("\"z9\": "), "{said}");
    assert!(said.contains("10 is not in the list, which has 1 to 9."), "{said}");
    let unknown =
        "\"nonsense now\" is an unknown word, and no move here. The commands are board, claim, ";
    assert!(said.contains(unknown), "{said}");
    assert!(!said.contains('\u{1b}'), "{said:?}");
    assert_eq!(said.matches("Black> ").count(), 9, "{said}");
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
    assert!(ran.out.contains(": draw;"), "{}", ran.out);
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
    assert!(
        ran.out.contains("The game is over: White wins by 10, neither side can move."),
        "{}",
        ran.out
    );
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
    assert!(over.out.contains("Black wins"), "{}", over.out);
    assert_eq!(play(&["--resume"], "").code, Some(2));
}

#[test]
fn games_are_saved_and_loaded() {
    let file = concat!(env!("CARGO_TARGET_TMPDIR"), "/saved.sgf");
    let _ = std::fs::remove_file(file);
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
    assert!(said.contains("The game is over: Black wins, White resigned."), "{said}");
}

#[test]
fn every_level_plays_every_family() {
    for game in ["mnk:5x5,k=4", "reversi:4x4", "draughts:english", "go:3x3", "chess"] {
        for level in ["beginner", "easy", "medium", "hard", "master,nodes=2000"] {
            let bot = format!("bot:{level}");
            let ran = with_input(&["play", game, "--second", &bot, "--seed", "1"], b"1\nquit\n");
            assert_eq!(ran.code, Some(0), "{game} {level}: {ran:?}");
            assert!(ran.out.contains(", a bot, plays"), "{game} {level}: {ran:?}");
        }
    }
}

#[test]
fn sides_have_their_colours_and_players_their_names() {
    let ran = play(&["play", "chess"], "e4\nquit\n");
    let introduced = "chess\nWhite (capitals): you\nBlack (small letters): easy\n";
    assert!(ran.out.starts_with(introduced), "{}", ran.out);
    assert!(ran.out.contains("\nWhite> "), "{}", ran.out);
    assert!(ran.out.contains("Black, a bot, plays "), "{}", ran.out);
    assert!(!ran.out.contains("first player"), "{}", ran.out);
}

/// The opponent that nobody chose is the same at the terminal and on the page.
#[test]
fn the_terminal_begins_at_the_level_of_the_page() {
    let page = include_str!("../../../web/ui/src/lib/choice.ts");
    let (_, rest) = page.split_once("level: \"").unwrap();
    let (level, _) = rest.split_once('"').unwrap();
    let ran = play(&["play", "tictactoe"], "quit\n");
    assert!(ran.out.contains(&format!("White (o): {level}\n")), "{}", ran.out);
    let ran = play(&["play", "tictactoe", "--first", "bot"], "quit\n");
    assert!(ran.out.contains(&format!("Black (x): {level}\n")), "{}", ran.out);
}

#[test]
fn bots_are_named_with_and_without_their_word() {
    for second in ["random", "bot:random"] {
        let call = ["play", "tictactoe", "--second", second, "--seed", "3"];
        let ran = play(&call, "a1\nquit\n");
        assert!(ran.out.contains("White (o): random\n"), "{}", ran.out);
        assert!(ran.out.contains("White, a bot, plays "), "{}", ran.out);
        let matched = zermelo(&["match", "tictactoe", "easy", second, "--games", "2"]);
        assert_eq!(matched.code, Some(0), "{matched:?}");
        assert!(matched.out.contains("easy against random"), "{}", matched.out);
    }
}

#[test]
fn chess_is_written_as_people_write_it() {
    let ran = play(&["play", "chess", "--second", "human"], "e4\ne7e5\nNf3\nhint\nquit\n");
    assert!(ran.out.contains(" Nf3"), "{}", ran.out);
    assert!(!ran.out.contains("g1f3"), "{}", ran.out);
    let mate = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - -";
    let call = ["analyse", "chess", "--position", mate, "--algorithm", "alphabeta", "--depth", "3"];
    let ran = zermelo(&call);
    assert!(ran.out.contains("best   Qg6\n") && ran.out.contains("Qh7#"), "{}", ran.out);
    // Programs are told in the game's own notation.
    let (found, _) = json(&call);
    assert_eq!(found["best"], "g3g6");
}

#[test]
fn the_board_shows_the_players_side_below_and_can_be_turned() {
    let rows = |ran: &Ran| -> Vec<String> {
        let row = |line: &&str| {
            let mut letters = line.chars();
            letters.next().is_some_and(|c| c.is_ascii_digit()) && letters.next() == Some(' ')
        };
        ran.out.lines().filter(row).map(str::to_owned).collect()
    };
    let white = play(&["play", "chess"], "turn\nquit\n");
    let (seen, turned) = (&rows(&white)[..8], &rows(&white)[8..16]);
    assert!(seen[7].starts_with("1 R  N  B  Q  K"), "{}", white.out);
    assert!(turned[7].starts_with("8 r  n  b  k  q"), "{}", white.out);
    let black = play(&["play", "chess", "--first", "human", "--second", "human"], "quit\n");
    assert!(rows(&black)[7].starts_with("1 R"), "{}", black.out);
    let black = play(&["play", "chess", "--first", "random", "--second", "human"], "quit\n");
    assert!(rows(&black)[7].starts_with('8'), "{}", black.out);
}

#[test]
fn draws_are_offered_and_agreed_on() {
    let (played, said) = play_json(&TWO_PEOPLE, "a1\ndraw\nno\ndraw\nyes\n");
    assert_eq!((&played["over"], &played["value"]), (&json!(true), &json!("draw")));
    assert!(said.contains("White offers a draw. Does Black agree, yes or no?"), "{said}");
    assert!(said.contains("Black declines the draw."), "{said}");
    assert!(said.contains("The game is over: draw by agreement."), "{said}");
    // A machine agrees where it sees that nothing is to be won, and not where it wins.
    let bot = ["play", "tictactoe", "--second", "depth=9", "--seed", "1"];
    let (played, said) = play_json(&bot, "b2\ndraw\n");
    assert_eq!((&played["over"], &played["value"]), (&json!(true), &json!("draw")), "{said}");
    let lost = ["play", "tictactoe", "--second", "depth=9", "--moves", "b1 b2 a2 a1 c2 c1"];
    let (played, said) = play_json(&lost, "draw\nquit\n");
    assert_eq!(played["over"], false, "{said}");
    assert!(said.contains("White declines the draw."), "{said}");
    // What may be claimed needs nobody's consent.
    let back = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8";
    let (played, _) = play_json(&["play", "chess", "--moves", back], "draw\n");
    assert_eq!((&played["over"], &played["value"]), (&json!(true), &json!("draw")));
}

#[test]
fn counts_towards_a_draw_are_shown() {
    let people = ["play", "chess", "--second", "human", "--moves"];
    let shown = |arguments: &[&str]| play(&[&people[..], arguments].concat(), "quit\n").out;
    let twice = shown(&["Nf3 Nf6 Ng1 Ng8"]);
    assert!(twice.contains("Towards a draw: 2 of 3 times the same position."), "{twice}");
    assert!(!shown(&["Nf3"]).contains("Towards a draw"));
    let endgame =
        ["play", "chess", "--second", "human", "--position", "4k3/8/8/8/8/8/8/R3K3 w - - 60 90"];
    let ran = play(&endgame, "quit\n");
    let quiet = "Towards a draw: 60 of 100 plies without a capture or a pawn move.";
    assert!(ran.out.contains(quiet), "{}", ran.out);
}

#[test]
fn draughts_moves_are_typed_in_many_ways() {
    let people = ["play", "draughts:english", "--second", "human"];
    // 11-15 22-18, by numbers and by columns and rows; 15-22 is the capture.
    let (played, said) = play_json(&people, "11 15\nc3d4\n15-22\nquit\n");
    assert_eq!(played["moves"], json!(["11-15", "22-18", "15x22"]), "{said}");
    let jumps =
        ["play", "draughts:english", "--second", "human", "--position", "B:B11:W15,22,23,32"];
    for input in ["11x18\n18x25\nquit\n", "11 18\n25\nquit\n", "11x18x25\nquit\n", "11-25\nquit\n"]
    {
        let (played, said) = play_json(&jumps, input);
        assert_eq!(played["moves"], json!(["11x25"]), "{said}");
    }
    let (played, said) = play_json(&jumps, "11x18\n\n11x18\n32\n11x27\nquit\n");
    assert_eq!(played["moves"], json!(["11x27"]), "{said}");
    assert!(said.contains("It goes on, as 11x25 or 11x27: where to next?"), "{said}");
    assert!(said.contains("Black, after 11x18> "), "{said}");
}

#[test]
fn saving_asks_before_it_writes_over_a_file() {
    let file = concat!(env!("CARGO_TARGET_TMPDIR"), "/twice.sgf");
    std::fs::write(file, "precious").unwrap();
    let ran = play(&TWO_PEOPLE, &format!("a1\nsave {file}\nno\nsave\nquit\n"));
    assert!(ran.out.contains("is there already. Write over it, yes or no?"), "{}", ran.out);
    assert!(ran.out.contains("Nothing was written."), "{}", ran.out);
    assert!(ran.out.contains("save needs a file, as in save game.sgf."), "{}", ran.out);
    // The end of the input is no consent.
    play(&TWO_PEOPLE, &format!("a1\nsave {file}\n"));
    assert_eq!(std::fs::read_to_string(file).unwrap(), "precious");
    play(&TWO_PEOPLE, &format!("a1\nsave {file}\nyes\nquit\n"));
    assert!(std::fs::read_to_string(file).unwrap().contains("(;"));
}

#[test]
fn endings_have_their_reasons() {
    let mate = ["play", "chess", "--second", "human", "--moves", "f3 e5 g4"];
    for (call, input, end) in [
        (&mate[..], "Qh4\n", "The game is over: Black wins, checkmate."),
        (
            &["play", "chess", "--moves", "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8"],
            "claim\n",
            "The game is over: draw, the same position 3 times.",
        ),
        (
            &["play", "chess", "--second", "human", "--position", "7k/8/6K1/8/8/8/8/5Q2 w - -"],
            "Qf7\n",
            "The game is over: draw, stalemate.",
        ),
        (
            &["play", "draughts:english", "--second", "human", "--position", "B:B11:W15"],
            "11x18\n",
            "The game is over: Black wins, no piece left.",
        ),
    ] {
        let ran = play(call, input);
        assert!(ran.out.contains(end), "{}", ran.out);
    }
}
