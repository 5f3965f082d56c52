//! Zermelo as a Hub engine.

use std::time::{Duration, Instant};

use crate::common::{Front, mangle};
use game::Rng;
use play::Session;
use protocols::Speaker;
use protocols::hub::{Command, Hub, Reply};

fn speaker(session: Box<dyn Session>) -> Box<dyn Speaker> {
    Box::new(Hub::new("Zermelo", "1", session, ""))
}

#[test]
fn dialogues() {
    crate::common::play_dialogues("hub", speaker);
}

/// What a front may say, whole and in pieces.
const LINES: [&str; 18] = [
    "hub",
    "init",
    "new-game",
    "ping",
    "set-param name=variant value=frisian",
    "set-param name=hash value=1",
    "set-param name=tt-size value=16",
    "pos pos=Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww",
    "pos pos=Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww moves=\"32-28 19-23 28x19x23\"",
    "pos pos=BeeeWWeeeeeeeeeeeeeeeeeeeweeeeeeeeewweBeeeeeeeeeBee moves=\"38-15 5-41 48-26\"",
    "level depth=1",
    "level nodes=50",
    "level move-time=0.001",
    "level time=0.01 inc=0.001 moves=3",
    "go think",
    "go analyze",
    "ponder-hit",
    "stop",
];

/// Nothing that a front says makes the engine fall, or silent: to the ping at the end comes its answer, and no question has
/// more than one.
#[test]
fn mangled_dialogues_are_survived() {
    let mut rng = Rng::new(11);
    let until = Instant::now() + Duration::from_secs(100);
    for number in 0..500 {
        let front = Front::of("draughts:international", speaker);
        let mut questions = 0;
        front.say("level depth=1");
        for _ in 0..1 + rng.below(12) {
            let line = mangle(&mut rng, &LINES);
            // Limits must stay tiny, and nobody may leave early.
            match Command::read(&line) {
                Some(Command::Level(level)) if !is_tiny(&level) => continue,
                Some(Command::Quit) => continue,
                Some(Command::Go(_)) => {
                    front.say(&line);
                    front.say("stop");
                    questions += 1;
                }
                _ => front.say(&line),
            }
        }
        front.say("set-param name=last value=1");
        let mut answers = 0;
        loop {
            assert!(Instant::now() < until, "dialogue {number} hangs");
            let Some(line) = front.hear() else { panic!("dialogue {number}: silence") };
            match Reply::read(&line) {
                Some(Reply::Done(_)) => answers += 1,
                Some(Reply::Error(why)) if why.contains("'last'") => break,
                Some(_) => {}
                None => panic!("{line}"),
            }
        }
        assert!(answers <= questions, "dialogue {number}: {answers} answers to {questions}");
        front.say("quit");
    }
}

fn is_tiny(level: &protocols::hub::LevelLimits) -> bool {
    let small = Duration::from_millis(20);
    level.depth.is_some_and(|depth| depth <= 2)
        || level.nodes.is_some_and(|nodes| nodes <= 100)
        || level.move_time.is_some_and(|time| time <= small)
        || level.time.is_some_and(|time| time <= small)
}
