//! Castling by the squares that a hand touches.

use games::chess::{Chess, Parameters};
use play::{GameSession, Session};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn fischer(number: usize) -> Chess {
    Chess::new(Parameters::fischer(number).unwrap())
}

/// Both forms of castling are told to who shows moves by their squares, unless one of them is a step.
#[test]
fn castling_has_two_texts() {
    for (spec, text, expected) in [
        (None, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", vec!["e1g1=e1h1", "e1c1=e1a1"]),
        (Some(518), "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", vec!["e8h8=e8g8", "e8a8=e8c8"]),
        // A step to g1 and castling there; the king castles where it stands, or onto its rook.
        (Some(0), "4k3/8/8/8/8/8/8/5K1R w H - 0 1", vec![]),
        (Some(0), "4k3/8/8/8/8/8/8/6KR w H - 0 1", vec![]),
        (Some(0), "4k3/8/8/8/8/8/8/5KR1 w G - 0 1", vec![]),
        (None, START, vec![]),
    ] {
        let game = spec.map_or_else(Chess::default, fischer);
        let mut session = GameSession::new(game);
        session.set_position(text).unwrap();
        let mut told: Vec<String> = expected.into_iter().map(str::to_owned).collect();
        told.sort();
        let mut found: Vec<String> =
            session.other_texts().iter().map(|(m, other)| format!("{m}={other}")).collect();
        found.sort();
        assert_eq!(found, told, "{text}");
        for (m, other) in session.other_texts() {
            assert_eq!(session.play(&other).as_ref(), Ok(&m));
            session.undo();
        }
    }
}
