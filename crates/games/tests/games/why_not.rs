//! Why a hand on the board may not do what it tries, in every family; typed moves hear the same.

use game::{Notation, Side, Spec, Square};
use games::chess::Chess;
use games::draughts::{self, AnyRules, Draughts};
use games::go::{self, Go};
use games::mnk::{self, Mnk, WordBoard};
use games::reversi::{self, Reversi};
use play::{GameSession, Session};

/// A session at a position.
fn at<G: Notation>(game: G, position: &str) -> GameSession<G> {
    let mut session = GameSession::new(game);
    session.set_position(position).unwrap();
    session
}

/// Squares by column and row, as in `e2 e4`.
fn squares(names: &str) -> Vec<Square> {
    let square = |name: &str| {
        let column = name.as_bytes()[0] - b'a';
        Square { row: name[1..].parse::<usize>().unwrap() - 1, column: column.into() }
    };
    names.split_whitespace().map(square).collect()
}

fn checkers(spec: &str) -> Draughts<AnyRules> {
    let parameters = draughts::Parameters::from_spec(&Spec::parse(spec).unwrap()).unwrap();
    Draughts::new(parameters).unwrap()
}

#[test]
fn chess() {
    let why = |position: &str, names: &str| {
        let mut session = at(Chess::default(), position);
        let (why, text) = (session.why_not(&squares(names)), names.replace(' ', ""));
        if text.len() == 4 {
            let typed = session.play(&text).unwrap_err();
            assert!(typed.why().starts_with(&why), "{typed} does not begin with {why}");
        }
        why
    };
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(why(start, "e4"), "no piece stands on e4");
    assert_eq!(why(start, "a1"), "the rook on a1 has nowhere to go");
    assert_eq!(why(start, "a1 a2"), "White's own pawn stands on a2");
    assert_eq!(why(start, "e2 e5"), "the pawn on e2 does not go to e5");
    assert_eq!(why(start, "e7 e5"), "the pawn on e7 is Black's, and White is to move");
    assert_eq!(why(start, "e1 g1"), "castling is not possible here");
    let pinned = "4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1";
    let king = "the king would be in check";
    assert_eq!(why(pinned, "e2"), format!("the knight on e2 is pinned: {king}"));
    assert_eq!(why(pinned, "e2 g3"), format!("the knight on e2 is pinned: {king}"));
    assert_eq!(why(pinned, "e2 e4"), "the knight on e2 does not go to e4");
    let check = "4r2k/8/8/8/8/8/8/N3K3 w - - 0 1";
    assert_eq!(why(check, "e1 e2"), "the king would be in check on e2");
    assert_eq!(why(check, "a1 b3"), "White is in check, and this does not answer it");
    assert_eq!(why(check, "a1"), "White is in check, and the knight on a1 cannot help");
    // A pawn that could capture en passant, but for the king on its row.
    let row = "7k/8/8/K1pP3r/8/8/8/8 w - - 0 1";
    assert_eq!(why(row, "d5 c6"), "the pawn on d5 does not go to c6");
}

#[test]
fn draughts() {
    let why = |spec: &str, position: &str, names: &str| {
        at(checkers(spec), position).why_not(&squares(names))
    };
    let english = "draughts:english";
    let start =
        Notation::write_position(&checkers(english), &game::Game::start(&checkers(english)));
    assert_eq!(why(english, &start, "a1"), "no black piece stands on 29");
    assert_eq!(why(english, &start, "b1"), "pieces stand on the dark squares only");
    assert_eq!(why(english, &start, "b8"), "the piece on 1 is blocked");
    assert_eq!(why(english, &start, "b6 b5"), "pieces stand on the dark squares only");
    assert_eq!(why(english, &start, "b6 d4"), "the piece on 9 does not go to 18");
    let capture = "W:W22,32:B18";
    let compulsory = "a capture is compulsory, and the piece on 32 has none that may be chosen";
    assert_eq!(why(english, capture, "g1"), compulsory);
    let other = "a capture is compulsory, and this is none that may be chosen";
    assert_eq!(why(english, capture, "c3 b4"), other);
    let typed = at(checkers(english), capture).play("32-28").unwrap_err();
    assert_eq!(typed.why(), format!("{compulsory}; the moves are 22x15"));
}

#[test]
fn placing_games() {
    let small = Spec::parse("reversi:4x4").unwrap();
    let reversi = GameSession::new(Reversi::new(reversi::Parameters::from_spec(&small).unwrap()));
    assert_eq!(reversi.why_not(&squares("b2")), "b2: taken");
    assert_eq!(reversi.why_not(&squares("a1")), "a1: turns no disc");

    let rows = |spec: &str| {
        let parameters = mnk::Parameters::from_spec(&Spec::parse(spec).unwrap()).unwrap();
        GameSession::new(Mnk::<_, WordBoard<u16>>::new(&parameters))
    };
    let mut line = rows("mnk:3x3,k=3");
    line.play("b2").unwrap();
    let taken = "b2 is taken; place a stone on an empty square";
    assert_eq!(line.why_not(&squares("b2")), taken);
    line.play_all("a1 b1 a2 b3").unwrap();
    assert_eq!(line.why_not(&squares("c3")), "the game is over");
    let mut drop = rows("mnk:2x3,k=3,gravity");
    drop.play_all("a1 a2").unwrap();
    assert_eq!(drop.why_not(&squares("a2")), "column a is full; choose another");
}

#[test]
fn go() {
    let goban = |spec: &str| -> Go<u64> {
        Go::new(go::Parameters::from_spec(&Spec::parse(spec).unwrap()).unwrap())
    };
    let mut ko = at(goban("go:3x4,ko=basic"), ".XO./X.XO/.XO. w");
    ko.play("B2").unwrap();
    let why = ko.why_not(&squares("c2"));
    assert_eq!(why, "C2: the ko may not be retaken at once; play elsewhere first or pass");
    assert!(ko.why_not(&squares("a2")).starts_with("A2: taken"));
    let suicide = at(goban("go:3x3"), ".X./X.X/.X. w");
    assert!(suicide.why_not(&squares("b2")).contains("suicide"));
    let mut superko = at(goban("go:3x4"), ".XO./X.XO/.XO. w");
    superko.play("B2").unwrap();
    assert!(superko.why_not(&squares("c2")).contains("repeat an earlier position"));
}

#[test]
fn who_sits_at_the_lower_edge() {
    let below = |session: &dyn Session| session.diagram().below();
    assert_eq!(below(&GameSession::new(Chess::default())), Some(Side::First));
    for (spec, side) in [
        // Black begins, and White sits below as everywhere in draughts.
        ("draughts:english", Side::Second),
        ("draughts:pool", Side::Second),
        ("draughts:international", Side::First),
        ("draughts:russian", Side::First),
    ] {
        assert_eq!(below(&GameSession::new(checkers(spec))), Some(side), "{spec}");
    }
    assert_eq!(below(&GameSession::new(Reversi::default())), None);
}
