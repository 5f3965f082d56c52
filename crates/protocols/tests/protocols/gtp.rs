//! Zermelo as a GTP engine.

use crate::common::fuzz::{self, TINY};
use play::Session;
use protocols::Speaker;
use protocols::gtp::{Answers, Gtp, Request, TimeSettings, write_answer};

fn speaker(session: Box<dyn Session>) -> Box<dyn Speaker> {
    Box::new(Gtp::new("Zermelo", "1.0", session, ""))
}

fn quick(session: Box<dyn Session>) -> Box<dyn Speaker> {
    Box::new(Gtp::new("Zermelo", "1.0", session, TINY))
}

#[test]
fn dialogues() {
    crate::common::play_dialogues("gtp", speaker);
}

const LINES: &[&str] = &[
    "protocol_version",
    "1 name",
    "known_command play",
    "list_commands",
    "boardsize 5",
    "boardsize 3 4",
    "boardsize 8",
    "clear_board",
    "komi 6.5",
    "komi -0.5",
    "play b C3",
    "play w C3",
    "play b pass",
    "play w pass",
    "play black A1",
    "play white f5",
    "genmove b",
    "genmove w",
    "reg_genmove b",
    "kgs-genmove_cleanup w",
    "loadsgf tests/samples/corner.sgf",
    "loadsgf tests/samples/corner.sgf 3",
    "loadsgf nowhere.sgf",
    "undo",
    "undo",
    "showboard",
    "final_score",
    "final_status_list alive",
    "fixed_handicap 2",
    "place_free_handicap 3",
    "set_free_handicap A1 C3",
    "time_left b 0.05 0",
    "# remark",
    "# interrupt",
    "",
];

const ANSWERS: &[&str] = &[
    "= ",
    "=12 C3",
    "? illegal move",
    "?3 no",
    "",
    "= one\ntwo",
    "text",
    "=",
    "?",
    "= resign",
    "= PASS",
];

#[test]
fn any_line_is_read() {
    let mut answers = Answers::default();
    fuzz::lines(LINES, |line| {
        if let Some(request) = Request::read(line) {
            let again = Request::read(&request.write());
            assert_eq!(again.as_ref(), Some(&request), "{line:?}");
            let _ = TimeSettings::read(&request.arguments);
        }
    });
    fuzz::lines(ANSWERS, |line| {
        if let Some(answer) = answers.hear(line) {
            let text = write_answer("1", &answer);
            assert!(text.starts_with(['=', '?']) && text.ends_with('\n'), "{text:?}");
            assert!(!text.contains("\n\n"), "{text:?}");
        }
    });
}

/// Every request gets one answer, whatever it is.
#[test]
fn any_dialogue_is_answered() {
    fuzz::dialogues(
        LINES,
        &["go:5x5", "go:3x3,ko=basic", "reversi:4x4", "go:4x3,scoring=territory"],
        quick,
        |said, heard| {
            let asked = said.iter().filter(|line| Request::read(line).is_some()).count();
            let is_answer = |line: &&String| line.starts_with(['=', '?']);
            assert_eq!(heard.iter().filter(is_answer).count(), asked, "{said:#?}\n{heard:#?}");
        },
    );
}
