//! Zermelo as an engine of the Gomocup protocol.

use crate::common::{Front, mangle, say_all};
use game::Rng;
use play::Session;
use protocols::gomocup::{Command, Gomocup, Reply};
use protocols::{Identity, LineGame, Point, Speaker};

fn speaker(session: Box<dyn Session>) -> Box<dyn Speaker> {
    let identity = Identity {
        name: "Zermelo".to_owned(),
        version: "1.0".to_owned(),
        bot: String::new(),
        text_ai: String::new(),
    };
    Box::new(Gomocup::new(&identity, session).unwrap())
}

#[test]
fn dialogues() {
    crate::common::play_dialogues("gomocup", speaker);
}

fn answer(engine: &Front) -> Reply {
    loop {
        let line = engine.hear().unwrap();
        match Reply::read(&line) {
            Some(Reply::Message(_)) => {}
            reply => return reply.unwrap_or_else(|| panic!("{line}")),
        }
    }
}

#[test]
fn limits_may_change_while_it_thinks() {
    let engine = Front::of("gomoku", speaker);
    for enough in ["INFO timeout_turn 20", "YXSTOP"] {
        for line in ["START 15", "INFO timeout_turn 100000000", "BEGIN", enough] {
            engine.say(line);
        }
        assert_eq!(answer(&engine), Reply::Ok);
        assert!(matches!(answer(&engine), Reply::Stones(points) if points.len() == 1));
    }
    for line in ["START 15", "INFO max_depth 2", "INFO max_node 100", "INFO thread_num 2", "BEGIN"]
    {
        engine.say(line);
    }
    assert_eq!(answer(&engine), Reply::Ok);
    assert!(matches!(answer(&engine), Reply::Stones(points) if points.len() == 1));
}

/// Two engines play each other, the test being their manager.
#[test]
fn two_engines_play_a_game() {
    let mut session = catalog::open("mnk:9x9,k=5").unwrap().session();
    let game = LineGame::of(&session.spec()).unwrap();
    let engines = [Front::of("gomoku", speaker), Front::of("gomoku", speaker)];
    for engine in &engines {
        engine.say("START 9");
        assert_eq!(answer(engine), Reply::Ok);
        engine.say("INFO timeout_turn 0");
    }
    let mut last: Option<Point> = None;
    while session.outcome().is_none() {
        let engine = &engines[session.to_move().index()];
        engine.say(&last.map_or("BEGIN".to_owned(), |point| Command::Turn(point).write()));
        let Reply::Stones(points) = answer(engine) else { panic!("no move") };
        assert_eq!(points.len(), 1);
        session.play(&game.name(points[0]).unwrap()).unwrap();
        last = points.first().copied();
    }
}

#[rustfmt::skip]
const LINES: &[&str] = &[
    "START 15", "START 5", "RECTSTART 9,7", "RESTART", "BEGIN", "TURN 3,3", "TURN 4,4", "TURN 0,0", "BOARD", "SWAP2BOARD", "DONE",
    "1,1,1", "2,2,2", "2,3,2", "3,3,3", "1,1", "2,2", "4,3", "INFO timeout_turn 0", "INFO timeout_turn 5", "INFO time_left 10", "INFO time_left -5",
    "INFO timeout_match 50", "INFO max_memory 83886080", "INFO rule 1", "INFO rule 0", "INFO rule 4", "INFO evaluate 3,3", "INFO folder x", "INFO",
    "TAKEBACK 3,3", "ABOUT", "PLAY 1,1", "YXSTOP", "INFO max_depth 2", "INFO max_node 50", "START 99999999999999999999", "START 0", "TURN 99,99", "", "OK", "ERROR x", "UNKNOWN", "MESSAGE a=b", "7,7 8,7 9,9", "SWAP",
    "SUGGEST 1,1", "name=\"a\", version=\"1", "10 , 10",
];

#[test]
fn any_line_is_read_or_refused() {
    let mut rng = Rng::new(5);
    for _ in 0..20_000 {
        let line = mangle(&mut rng, LINES);
        if let Ok(Some(command)) = Command::read(&line) {
            assert_eq!(Command::read(&command.write()), Ok(Some(command)), "{line}");
        }
        // What is said of oneself may have quotes in it; anything else is read as it is written.
        match Reply::read(&line) {
            None | Some(Reply::About(_)) => {}
            Some(reply) => assert_eq!(Reply::read(&reply.write()), Some(reply), "{line}"),
        }
    }
}

/// Whatever a manager says, nothing panics or hangs, and every answer is one the protocol knows.
#[test]
fn any_dialogue_ends() {
    let mut rng = Rng::new(6);
    for number in 0..500 {
        let mut lines = vec!["START 6".to_owned(), "INFO timeout_turn 0".to_owned()];
        for _ in 0..rng.below(25) {
            let line = mangle(&mut rng, LINES);
            // Waiting is not what is tested.
            if !line.to_lowercase().contains("timeout_turn") {
                lines.push(line);
            }
        }
        lines.push("END".to_owned());
        for said in say_all("mnk:6x6,k=4", speaker, &lines) {
            assert!(Reply::read(&said).is_some(), "{number}: {lines:?} {said}");
        }
    }
}
