//! Why games are over, in every family: what people at a table are told.

use game::{Notation, Spec, Square};
use games::chess::Chess;
use games::draughts::{self, Draughts};
use games::go::{self, Go};
use games::mnk::{self, Mnk, WordBoard};
use games::reversi::{self, Reversi};
use play::{GameSession, Session};

/// How a game ends after these moves, in words; empty if it goes on.
fn ending<G: Notation>(game: G, position: Option<&str>, moves: &str) -> String {
    let mut session = GameSession::new(game);
    if let Some(position) = position {
        session.set_position(position).unwrap();
    }
    session.play_all(moves).unwrap();
    assert_eq!(session.end_reason().is_some(), session.outcome().is_some());
    session.end_reason().map_or_else(String::new, |reason| reason.to_string())
}

fn goban(spec: &str) -> Go<u128> {
    Go::new(go::Parameters::from_spec(&Spec::parse(spec).unwrap()).unwrap())
}

#[test]
fn chess() {
    let ends = |position, moves| ending(Chess::default(), position, moves);
    assert_eq!(ends(None, "e2e4"), "");
    assert_eq!(ends(None, "f2f3 e7e5 g2g4 d8h4"), "checkmate");
    assert_eq!(ends(Some("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1"), "f1f7"), "stalemate");
    assert_eq!(ends(Some("7k/8/8/8/8/8/1r6/K7 w - - 0 1"), "a1b2"), "insufficient material");
    let around = "g1f3 g8f6 f3g1 f6g8 ".repeat(4);
    assert_eq!(ends(None, &around), "the same position 5 times");
    let clock = Some("7k/8/8/8/8/8/R7/K7 w - - 149 90");
    assert_eq!(ends(clock, "a1b1"), "75 moves without a capture or a pawn move");
    // Mate comes before the clock.
    let mate = Some("7k/8/6K1/8/8/8/R7/8 w - - 149 90");
    assert_eq!(ends(mate, "a2a8"), "checkmate");
}

#[test]
fn what_is_claimed_has_the_reason_of_the_claim() {
    let claimed = |position: Option<&str>, moves: &str| {
        let mut session = GameSession::new(Chess::default());
        if let Some(position) = position {
            session.set_position(position).unwrap();
        }
        session.play_all(moves).unwrap();
        assert_eq!(session.end_reason(), None);
        assert!(session.claim());
        session.end_reason().unwrap().to_string()
    };
    let around = "g1f3 g8f6 f3g1 f6g8 ".repeat(2);
    assert_eq!(claimed(None, &around), "the same position 3 times");
    let clock = Some("7k/8/8/8/8/8/R7/K7 w - - 99 90");
    assert_eq!(claimed(clock, "a1b1"), "50 moves without a capture or a pawn move");
}

#[test]
fn check_is_told() {
    let mut session = GameSession::new(Chess::default());
    assert_eq!(session.check(), None);
    session.play_all("e2e4 f7f6 d1h5").unwrap();
    assert_eq!(session.check(), Some(Square { row: 7, column: 4 }));
    let mut go = GameSession::new(goban("go:9x9"));
    go.play("D4").unwrap();
    assert_eq!(go.check(), None);
}

#[test]
fn draughts() {
    let ends = |game: &str, position, moves| {
        let parameters = draughts::Parameters::from_spec(&Spec::parse(game).unwrap()).unwrap();
        ending(Draughts::<draughts::AnyRules>::new(parameters).unwrap(), Some(position), moves)
    };
    assert_eq!(ends("draughts:international", "W:W32:B28", "32x23"), "no piece left");
    assert_eq!(ends("draughts:international", "W:W32:B1", "32-28"), "");
    assert_eq!(ends("draughts:international", "W:W11,22:B6", "22-17"), "no move left");
    let kings = "31-36 16-21 36-31 21-16 ".repeat(2);
    let repeated = ends("draughts:international", "W:WK31,45:BK16,5", &kings);
    assert_eq!(repeated, "the same position 3 times");
    let quiet = ends("draughts:international", "W:WK31,45:BK16,5:H49", "31-36");
    assert_eq!(quiet, "25 moves without a capture or a move of a man");
    let few = ends("draughts:international", "W:WK31,K1:BK16:E9", "31-36");
    assert_eq!(few, "5 moves in an ending with few pieces");
}

#[test]
fn reversi() {
    let small = || {
        let parameters =
            reversi::Parameters::from_spec(&Spec::parse("reversi:4x4").unwrap()).unwrap();
        Reversi::new(parameters)
    };
    assert_eq!(ending(small(), Some("XXXXXXXXXXXXXXO- X"), "d4"), "the board is full");
    assert_eq!(ending(small(), Some("XXXXXXXXXXXXXXX- X"), "pass pass"), "neither side can move");
}

#[test]
fn go() {
    let ends = |spec, moves| ending(goban(spec), None, moves);
    assert_eq!(ends("go:9x9", "D4 pass"), "");
    assert_eq!(ends("go:9x9", "D4 pass pass"), "two passes in a row");
    let mut session = GameSession::new(goban("go:9x9,scoring=territory"));
    session.play_all("D4 pass pass").unwrap();
    session.agree("").unwrap();
    assert_eq!(session.end_reason().unwrap().to_string(), "as the players agreed");
}

#[test]
fn line_games() {
    let ends = |position, moves| {
        let parameters = mnk::Parameters::from_spec(&Spec::parse("mnk:3x3,k=3").unwrap()).unwrap();
        ending(Mnk::<_, WordBoard<u16>>::new(&parameters), position, moves)
    };
    assert_eq!(ends(None, "a1 b1 a2 b2 a3"), "3 in a row");
    assert_eq!(ends(Some("xox/xoo/ox. x"), "c1"), "the board is full");
}
