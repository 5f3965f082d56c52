//! Rules that look back, through the conformance suite and a session.

use game::testkit::Effort;
use game::{EndReason, Side};
use play::testkit::conforms;
use play::{GameSession, Session};

use crate::ring::Ring;

#[test]
fn conforms_although_it_looks_back() {
    for squares in 3..8 {
        conforms(&Ring(squares), Effort::default());
    }
}

#[test]
fn a_session_refuses_what_would_repeat() {
    let mut session = GameSession::new(Ring(4));
    session.play_all("+ +").unwrap();
    assert_eq!(session.moves(), ["+"]);
    let refused = session.play("-").unwrap_err().to_string();
    assert_eq!(refused, "\"-\": this would repeat an earlier position, which the rules forbid");
    session.play("+").unwrap();
    // Every square was visited: the second player, who is to move, has lost.
    assert_eq!(session.moves(), [""; 0]);
    assert_eq!(session.outcome().and_then(play::Outcome::winner), Some(Side::First));
    assert_eq!(session.end_reason(), Some(EndReason::NoMove));
    assert!(session.undo() && session.outcome().is_none());
    // A position from text has no past.
    session.set_position("2 0").unwrap();
    assert_eq!(session.moves(), ["+", "-"]);
}
