//! Zermelo as an NBoard engine, and GGF.

use crate::common::fuzz::{self, TINY};
use game::Rng;
use play::Session;
use protocols::nboard::{Command, NBoard, Reply};
use protocols::{Speaker, ggf};

fn speaker(session: Box<dyn Session>) -> Box<dyn Speaker> {
    Box::new(NBoard::new("Zermelo", session, ""))
}

fn quick(session: Box<dyn Session>) -> Box<dyn Speaker> {
    Box::new(NBoard::new("Zermelo", session, TINY))
}

#[test]
fn dialogues() {
    crate::common::play_dialogues("nboard", speaker);
}

const GAME: &str = "(;GM[Othello]PC[x]RE[?]TY[4]BO[4 -----O*--*O----- *]B[A2/1.0/2]W[A1];)";

const LINES: &[&str] = &[
    "nboard 2",
    "set depth 2",
    "set game (;GM[Othello]BO[4 -----O*--*O----- *]B[A2]W[A1];)",
    "set game (;GM[Othello]BO[4 -----O*--*O----- *];)",
    "move A2/1.0/2",
    "move B1",
    "a2",
    "PA",
    "hint 2",
    "go",
    "ping 1",
    "learn",
    "analyze",
    "set contempt 1",
    "",
];

const REPLIES: &[&str] = &[
    "=== F5/1.0/2.0",
    "=== PA",
    "pong 1",
    "set myname x",
    "status busy",
    "search F5d6 1.5 0 7 text",
    "nodestats 100 0.1",
    "book F5 (1,2) 3 100%",
    "learned",
];

#[test]
fn any_line_is_read() {
    fuzz::lines(LINES, |line| {
        let _ = Command::read(line);
    });
    fuzz::lines(REPLIES, |line| {
        let _ = Reply::read(line);
    });
}

#[test]
fn any_dialogue_is_survived() {
    fuzz::dialogues(LINES, &["reversi:4x4", "reversi:4x6", "reversi:6x6"], quick, |said, heard| {
        let moves = heard.iter().filter(|line| line.starts_with("===")).count();
        let asked = said.iter().filter(|line| Command::read(line) == Some(Command::Go)).count();
        assert!(moves <= asked, "{said:#?}\n{heard:#?}");
    });
}

/// What is read is written in a way that reads the same.
#[test]
fn any_game_file_is_read_or_refused() {
    let other = GAME.replace("A1", "PA//3");
    fuzz::lines(&[GAME, &other], |text| {
        if let Ok(games) = ggf::read_all(text) {
            for game in games {
                let again = ggf::read(&game.write()).unwrap();
                assert_eq!((&again.start, again.size), (&game.start, game.size), "{text:?}");
                assert_eq!(again.moves.len(), game.moves.len(), "{text:?}");
            }
        }
    });
}

#[test]
fn played_games_round_trip_through_ggf() {
    for seed in 0..50 {
        let spec = ["reversi", "reversi:6x6", "reversi:4x4,start=parallel"][seed as usize % 3];
        let (mut session, mut rng) = (catalog::open(spec).unwrap().session(), Rng::new(seed));
        while session.outcome().is_none() {
            let moves = session.moves();
            session.play(&moves[rng.below(moves.len())]).unwrap();
        }
        let text = ggf::write(&*session).unwrap();
        let game = ggf::read(&text).unwrap();
        assert_eq!(game.write(), text);
        let mut again = catalog::open(spec).unwrap().session();
        again.replay(&game.record()).unwrap();
        assert_eq!(again.position(), session.position());
        assert_eq!(again.played(), session.played());
        let points = session.outcome().unwrap().points().unwrap();
        assert_eq!(game.tag("RE").unwrap().parse::<f64>().unwrap(), points.as_f64());
    }
    assert!(ggf::write(&*catalog::open("reversi:4x6").unwrap().session()).is_err());
    assert!(ggf::write(&*catalog::open("go:5x5").unwrap().session()).is_err());
}
