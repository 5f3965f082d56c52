//! Strategies of small games hold against every reply.

use std::collections::HashSet;

use game::{Game, Side, Spec, moves_of};
use games::mnk::{Mnk, Parameters, RunShape, WordBoard};
use games::reversi::Reversi;
use search::{Strategy, strategy_of};

type Lines = Mnk<RunShape, WordBoard<u32>>;

fn game(spec: &str) -> Lines {
    let parameters = Spec::parse(spec).and_then(|spec| Parameters::from_spec(&spec));
    Mnk::new(&parameters.expect("a game"))
}

/// The worst that can happen to a side that plays by the strategy; asserts that it always knows a move.
fn worst(
    game: &Lines,
    strategy: Strategy<'_>,
    side: Side,
    p: &mut <Lines as Game>::Position,
    seen: &mut HashSet<u64>,
) -> i32 {
    if let Some(margin) = game.margin(p) {
        return margin * side.sign();
    }
    if !seen.insert(game.key(p)) {
        return 1;
    }
    let mut moves = moves_of(game, p);
    if game.to_move(p) == side {
        let (key, symmetry) = game.table_key(p);
        let code = strategy.find(key).unwrap_or_else(|| panic!("{p:?} is not known"));
        moves.retain(|&m| game.table_code(p, m, symmetry) == code);
        assert_eq!(moves.len(), 1, "{p:?}");
    }
    let results = moves.into_iter().map(|m| {
        let undo = game.make(p, m);
        let result = worst(game, strategy, side, p, seen);
        game.unmake(p, m, undo);
        result
    });
    results.min().unwrap_or(0)
}

#[test]
fn strategies_hold_against_every_reply() {
    // What the first player gets, from the tables of solved games.
    for (spec, value) in [
        ("mnk:1x1,k=1", 1),
        ("mnk:3x3,k=3", 0),
        ("mnk:3x3,k=4", 0),
        ("mnk:3x4,k=3", 1),
        ("mnk:4x4,k=3", 1),
        ("mnk:4x4,k=4", 0),
        ("mnk:2x6,k=3", 0),
        ("mnk:3x3,k=3,p=2,q=2", 1),
        ("mnk:4x4,k=4,gravity", 0),
    ] {
        let game = game(spec);
        let bytes = strategy_of(&game, 3_000_000).unwrap();
        let strategy = Strategy(&bytes);
        for (side, least) in [(Side::First, value), (Side::Second, -value)] {
            let worst = worst(&game, strategy, side, &mut game.start(), &mut HashSet::new());
            assert_eq!(worst, least, "{spec} for {side:?}");
        }
    }
}

#[test]
fn large_games_have_none() {
    assert_eq!(strategy_of(&game("mnk:4x4,k=4"), 1000), None);
    assert_eq!(strategy_of(&Reversi::default(), 1000), None);
}

#[test]
fn damaged_bytes_know_nothing_or_something() {
    assert_eq!(Strategy(&[]).find(1), None);
    assert_eq!(Strategy(&[1; 9]).find(0), None);
    let record = [7, 0, 0, 0, 0, 0, 0, 0, 5, 0];
    assert_eq!(Strategy(&record).find(7), Some(5));
    assert_eq!(Strategy(&record).find(8), None);
}
