//! Engines as generated programs are, in this process: what comes out for what goes in.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::io::Cursor;

use game::Spec;
use games::mnk::{self, Mnk, RunShape, WordBoard};
use games::reversi::{self, Reversi};
use search::strategy_of;
use standalone::{EngineConstants, talk};

type TicTacToe = Mnk<RunShape, WordBoard<u32>>;

fn tictactoe() -> TicTacToe {
    Mnk::new(&mnk::Parameters::from_spec(&Spec::parse("mnk:3x3,k=3").unwrap()).unwrap())
}

/// What an engine for tic-tac-toe answers to all this.
fn line_game(strategy: &'static [u8], said: &[&str]) -> Vec<String> {
    let engine = EngineConstants { name: "Three", spec: "mnk:3x3,k=3", ai: "", strategy };
    let searcher = Box::new(|h, settings: &_| players::compiled(tictactoe(), h, settings));
    let mut heard = Vec::new();
    let input = Box::new(Cursor::new(said.join("\n") + "\n"));
    talk(&engine, tictactoe(), &mnk::FAMILY, searcher, input, &mut heard).unwrap();
    lines(heard)
}

/// The same of one for Reversi that is never asked for a move.
fn reversi_game(said: &[&str]) -> Vec<String> {
    let engine = EngineConstants { name: "Discs", spec: "reversi:8x8", ai: "", strategy: &[] };
    let searcher = Box::new(|_, _: &_| panic!("nobody asked for a move"));
    let mut heard = Vec::new();
    let input = Box::new(Cursor::new(said.join("\n") + "\n"));
    talk(&engine, Reversi::default(), &reversi::FAMILY, searcher, input, &mut heard).unwrap();
    lines(heard)
}

fn lines(heard: Vec<u8>) -> Vec<String> {
    String::from_utf8(heard).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn it_is_silent_until_spoken_to_and_then_helps() {
    assert!(line_game(&[], &[]).is_empty());
    assert!(line_game(&[], &["", "  "]).is_empty());
    // The text protocol says goodbye; nothing is heard of what comes behind.
    assert_eq!(line_game(&[], &["quit", "info"]), ["(3,3,3,1,1)GameEngine has exited"]);
    let help = line_game(&[], &["help", "quit"]);
    assert!(help[0].starts_with("Three ") && help[0].ends_with(" plays mnk:3x3,k=3"), "{help:?}");
    assert!(help.iter().any(|line| line == "the plain text protocol:"), "{help:?}");
    assert!(help.iter().any(|line| line == "gomocup, for example:"), "{help:?}");
}

#[test]
fn people_play_through_it_by_the_rules() {
    let said = [
        "info",
        "newgame black human white human",
        "makemove 1 1",
        "makemove 1 1",
        "makemove 1 2",
        "makemove 2 1",
        "makemove 2 2",
        "makemove 3 1",
        "quit",
    ];
    let heard = line_game(&[], &said);
    assert_eq!(
        heard,
        [
            "(3,3,3,1,1) K_OR_MORE_TO_WIN",
            "game started",
            "move black 1 1",
            "invalid move",
            "move white 1 2",
            "move black 2 1",
            "move white 2 2",
            "move black 3 1",
            "winner is black",
            "wining line is from 3 1 to 1 1",
            "(3,3,3,1,1)GameEngine has exited",
        ]
    );
}

/// With the strategy that the generator puts in, and without: perfect play is a draw.
#[test]
fn it_draws_against_itself() {
    let strategy = strategy_of(&tictactoe(), 10_000).unwrap();
    for strategy in [&[], &*strategy.leak()] {
        let heard = line_game(strategy, &["newgame black ai white ai", "quit"]);
        // Whoever leaves early hears less: the game goes on until then.
        let moves = heard.iter().filter(|line| line.starts_with("move ")).count();
        assert!(heard[0] == "game started" && moves <= 9, "{heard:?}");
        assert!(!heard.iter().any(|line| line.starts_with("winner")), "{heard:?}");
    }
}

#[test]
fn nonsense_is_refused_in_one_line_each() {
    let heard = reversi_game(&[
        "protocol_version",
        "fly away",
        "play black A1",
        "play nobody F5",
        "boardsize 6",
        "loadsgf game.sgf",
        "play black F5",
        "quit",
    ]);
    let (empty, said): (Vec<&str>, Vec<&str>) =
        heard.iter().map(String::as_str).partition(|line| line.is_empty());
    assert_eq!(empty.len(), said.len(), "an empty line ends each answer: {heard:?}");
    assert_eq!(said.len(), 8, "{heard:?}");
    assert_eq!((said[0], said[1], said[2]), ("= 2", "? unknown command", "? illegal move"));
    for refused in &said[1..6] {
        assert!(refused.starts_with("? "), "{heard:?}");
    }
    // What was refused changed nothing.
    assert_eq!((said[6].trim(), said[7].trim()), ("=", "="));
}
