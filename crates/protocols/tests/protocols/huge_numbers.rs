//! Fronts that mean "no limit" write the largest number they know. No engine waits for it to pass.

use play::Session;
use protocols::gomocup::Gomocup;
use protocols::gtp::Gtp;
use protocols::hub::Hub;
use protocols::text::Text;
use protocols::uci::Uci;
use protocols::{Identity, Speaker};

type Make = fn(Box<dyn Session>) -> Box<dyn Speaker>;

fn identity() -> Identity {
    Identity {
        name: "Zermelo".to_owned(),
        version: "1.0".to_owned(),
        bot: String::new(),
        text_ai: String::new(),
    }
}

/// Every dialogue must come to its answer by itself.
fn answers(spec: &str, make: Make, is_answer: fn(&str) -> bool, dialogues: &[&str]) {
    for dialogue in dialogues {
        let lines: Vec<String> = dialogue.split("; ").map(str::to_owned).collect();
        let said = crate::common::say_all(spec, make, &lines);
        assert!(said.iter().any(|line| is_answer(line)), "{dialogue}: {said:?}");
    }
}

const MOST: &str = "9223372036854775807";

#[test]
fn uci() {
    answers(
        "chess",
        |session| Box::new(Uci::new("Zermelo", session, "")),
        |line| line.starts_with("bestmove "),
        &[
            &format!("go wtime {MOST} btime {MOST} winc {MOST} binc {MOST} movestogo 1"),
            "go wtime 999999999999 btime 999999999999",
            &format!("go depth 3 wtime 0 winc {MOST} movetime {MOST}"),
            &format!("go depth {MOST} nodes 100"),
            "go wtime -9223372036854775808 btime -1",
        ],
    );
}

#[test]
fn gtp() {
    answers(
        "go:5x5",
        |session| Box::new(Gtp::new("Zermelo", "1.0", session, "")),
        |line| line.starts_with("=7"),
        &[
            "time_settings 2147483647 0 0; 7 genmove b",
            "time_settings 99999999999999999999 0 0; 7 genmove b",
            "time_settings 0 2147483647 1; 7 genmove b",
            "time_settings 1 0 0; time_left b 2147483647 0; 7 genmove b",
        ],
    );
}

#[test]
fn hub() {
    answers(
        "draughts:english",
        |session| Box::new(Hub::new("Zermelo", "1", session, "")),
        |line| line.starts_with("done "),
        &[
            "level move-time=1e300; go think",
            "level time=99999999999 inc=99999999999; go think",
            "level depth=3 time=0 inc=1e300; go think",
        ],
    );
}

#[test]
fn gomocup() {
    answers(
        "gomoku",
        |session| Box::new(Gomocup::new(&identity(), session).unwrap()),
        |line| line.starts_with(|c: char| c.is_ascii_digit()),
        &[
            &format!("START 15; INFO timeout_turn {MOST}; BEGIN"),
            &format!("START 15; INFO timeout_match {MOST}; INFO time_left {MOST}; BEGIN"),
            &format!("START 15; INFO timeout_turn {MOST}; INFO max_depth {MOST}; BEGIN"),
        ],
    );
}

#[test]
fn text() {
    answers(
        "gomoku",
        |session| Box::new(Text::new(&identity(), session).unwrap()),
        |line| line.starts_with("best "),
        &[
            "mnk 2; go time 18446744073709551615",
            "mnk 2; go clock 18446744073709551615 18446744073709551615 4294967295",
            "mnk 2; go depth 18446744073709551615 nodes 100",
        ],
    );
}
