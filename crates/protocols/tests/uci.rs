//! Zermelo as a UCI engine.
#![allow(clippy::unwrap_used)]

mod common;

use common::Front;
use game::{Rng, Session};
use protocols::Speaker;
use protocols::uci::{Command, Reply, Uci};

fn speaker(session: Box<dyn Session>) -> Box<dyn Speaker> {
    Box::new(Uci::new("Zermelo", session, ""))
}

#[test]
fn dialogues() {
    common::play_dialogues("uci", speaker);
}

/// Words that UCI knows, and some that nobody does.
const WORDS: [&str; 44] = [
    "uci",
    "isready",
    "ucinewgame",
    "setoption",
    "name",
    "value",
    "position",
    "startpos",
    "fen",
    "moves",
    "go",
    "depth",
    "nodes",
    "movetime",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "mate",
    "searchmoves",
    "infinite",
    "ponder",
    "stop",
    "ponderhit",
    "e2e4",
    "e7e5",
    "e1g1",
    "e7e8q",
    "0",
    "1",
    "-5",
    "99999999999999999999",
    "Hash",
    "Threads",
    "MultiPV",
    "Skill",
    "bestmove",
    "info",
    "score",
    "cp",
    "pv",
    "8/8/8/8/8/8/8/K6k",
    "\u{fffd}",
];

fn any_line(rng: &mut Rng) -> String {
    let mut line: Vec<String> =
        (0..rng.below(12)).map(|_| WORDS[rng.below(WORDS.len())].to_owned()).collect();
    if rng.below(4) == 0 {
        line.push((0..rng.below(9)).map(|_| char::from(rng.below(256) as u8)).collect());
    }
    line.join([" ", "  ", "\t"][rng.below(3)])
}

/// Whatever is said, it is understood or passed over.
#[test]
fn any_line_is_read_or_passed_over() {
    let mut rng = Rng::new(1);
    for _ in 0..20_000 {
        let line = any_line(&mut rng);
        if let Some(Command::Go(go)) = Command::read(&line) {
            // What was understood is written so that it is understood again.
            let Some(Command::Go(again)) = Command::read(&go.write()) else { panic!("{line}") };
            assert_eq!(again.depth, go.depth, "{line}");
            assert_eq!(again.among, go.among, "{line}");
        }
        let _ = Reply::read(&line);
    }
}

/// An engine survives any talk, and is still there at its end.
#[test]
fn an_engine_survives_nonsense() {
    let mut rng = Rng::new(2);
    for _ in 0..60 {
        let front = Front::of("chess", speaker);
        for _ in 0..rng.below(12) {
            let line = any_line(&mut rng);
            if !line.contains("quit") && !line.contains("Hash") && !line.contains("Threads") {
                front.say(&line);
            }
        }
        front.say("stop");
        front.say("isready");
        while front.hear().expect("the engine answers") != "readyok" {}
    }
}
