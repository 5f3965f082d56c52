//! Zermelo as a UCI engine.

use crate::common::Front;
use game::Rng;
use play::Session;
use protocols::Speaker;
use protocols::uci::{Command, Reply, Uci};

fn speaker(session: Box<dyn Session>) -> Box<dyn Speaker> {
    Box::new(Uci::new("Zermelo", session, ""))
}

#[test]
fn dialogues() {
    crate::common::play_dialogues("uci", speaker);
}

/// Words that UCI knows, and some that nobody does.
const WORDS: [&str; 48] = [
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
    "d",
    "perft",
    "UCI_Elo",
    "UCI_LimitStrength",
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

/// What is said up to the answer to `go`.
fn hear_answer(front: &Front) -> Vec<String> {
    let mut heard = Vec::new();
    loop {
        heard.push(front.hear().expect("an answer"));
        if heard.last().is_some_and(|line| line.starts_with("bestmove")) {
            return heard;
        }
    }
}

/// The number after a word in the last line that has it.
fn last_number(heard: &[String], name: &str) -> Option<i64> {
    let number = |line: &String| {
        let mut words = line.split_whitespace().skip_while(|&word| word != name);
        words.nth(1)?.parse().ok()
    };
    heard.iter().rev().find_map(number)
}

/// The line of a mate is as long as the mate, for who mates and for who is mated.
#[test]
fn mates_are_told_to_their_end() {
    let front = Front::of("chess", speaker);
    for (position, go) in [
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", "depth 9"),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "nodes 20000"),
        ("6k1/1R6/R7/8/8/8/8/6K1 b - - 0 1", "depth 5"),
        ("8/8/8/8/8/1k6/7r/K7 w - - 0 1", "depth 4"),
        ("7k/8/5K2/8/8/8/8/R7 w - - 0 1", "depth 6"),
    ] {
        front.say(&format!("position fen {position}"));
        front.say(&format!("go {go}"));
        let heard = hear_answer(&front);
        let moves = last_number(&heard, "mate").expect("a mate");
        let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
        let pv = heard.iter().rev().find_map(|line| line.split_once(" pv ")).unwrap().1;
        assert_eq!(pv.split(' ').count() as i64, plies, "{position}: {heard:?}");
    }
}

/// Nobody can win these, and the engine knows.
#[test]
fn drawn_endings_are_even() {
    let front = Front::of("chess", speaker);
    for position in ["7k/8/6KP/8/8/3B4/8/8 w - - 0 1", "7k/8/8/8/3NNK2/8/8/8 w - - 0 1"] {
        front.say(&format!("position fen {position}"));
        front.say("go depth 8");
        assert_eq!(last_number(&hear_answer(&front), "cp"), Some(0), "{position}");
    }
}

/// Whoever is to play below its strength looks at fewer positions, however much time there is;
/// levels too.
#[test]
fn limited_strength_looks_at_less() {
    let front = Front::of("chess", speaker);
    let nodes = |options: &[&str]| {
        for option in options {
            front.say(&format!("setoption name {option}"));
        }
        front.say("position startpos");
        front.say("go wtime 100000 btime 100000");
        last_number(&hear_answer(&front), "nodes").unwrap()
    };
    let weak = nodes(&["UCI_LimitStrength value true", "UCI_Elo value 1500"]);
    let strong = nodes(&["UCI_Elo value 1900"]);
    assert!(weak < strong && strong < 10_000, "{weak} {strong}");
    let beginner = nodes(&["UCI_LimitStrength value false", "Skill value beginner"]);
    assert!(beginner < 1000, "{beginner}");
}

/// A count that takes too long is stopped, and meanwhile the engine is there.
#[test]
fn counts_can_be_stopped() {
    let front = Front::of("chess", speaker);
    front.say("go perft 30");
    front.say("isready");
    assert_eq!(front.hear().as_deref(), Some("readyok"));
    front.say("stop");
    assert_eq!(front.hear().as_deref(), Some("info string the count was stopped"));
    front.say("go perft 1");
    let counted: Vec<String> = (0..22).map_while(|_| front.hear()).collect();
    assert_eq!(counted[21], "Nodes searched: 20", "{counted:?}");
}
