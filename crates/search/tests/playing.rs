//! The playing search: what it says is decided is true, and it finds what a player must find.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Guesses, all_techniques, blackboard, random_game, run};
use game::{Game, Heuristics, Limits, Notation, Path, Spec, Stop, Value};
use games::{chess, draughts, mnk, reversi};
use proptest::prelude::*;
use search::{Algorithm, PlainKeys, Position, Report, Settings, search};

fn settings(depth: Option<u32>) -> Settings {
    let limits = Limits { depth, ..Limits::default() };
    Settings { algorithm: Algorithm::Playing, limits, hash_megabytes: 1, ..Settings::default() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// To the end of the game nothing is guessed, so it finds what minimax finds.
    #[test]
    fn agrees_with_minimax_to_the_end(game in random_game(false)) {
        let start = game.start();
        let truth = blackboard(&game, &start, &mut Path::new(), None, &|p| game.guess(p));
        let truth = truth.seen_by(game.to_move(&start));
        for techniques in all_techniques() {
            let settings = Settings { techniques, ..settings(None) };
            let report = run(&game, &start, Guesses, PlainKeys, &settings);
            prop_assert_eq!(report.value, Some(truth), "{:?} {:?}", game, techniques);
            prop_assert!(report.exact);
        }
    }

    /// Whatever the depth, a win or loss it announces is one.
    #[test]
    fn what_is_decided_is_true(game in random_game(false), depth in 1u32..8) {
        let start = game.start();
        let truth = blackboard(&game, &start, &mut Path::new(), None, &|p| game.guess(p));
        let truth = truth.seen_by(game.to_move(&start));
        let report = run(&game, &start, Guesses, PlainKeys, &settings(Some(depth)));
        let value = report.value.unwrap();
        if value.is_decided() || report.exact {
            prop_assert_eq!(value.signum(), truth.signum(), "{:?}", game);
        }
    }

    /// With rules that look back it may be mistaken, but it always has a legal move.
    #[test]
    fn looks_back_without_harm(game in random_game(true), depth in 1u32..8) {
        let report = run(&game, &game.start(), Guesses, PlainKeys, &settings(Some(depth)));
        prop_assert!(report.value.is_some());
    }
}

fn think<G: Notation, H: Heuristics<G> + Default>(
    game: &G,
    position: &str,
    depth: u32,
) -> (String, Report<G::Move>) {
    let p = game.read_position(position).unwrap();
    let from = Position { game, position: &p, path: &Path::new() };
    let settings = Settings { hash_megabytes: 16, ..settings(Some(depth)) };
    let report = search(&from, H::default(), PlainKeys, &settings, &Stop::new(), &mut |_| {});
    let mut end = p.clone();
    for &m in &report.line {
        assert!(game::moves_of(game, &end).contains(&m), "the line has an illegal move");
        game.make(&mut end, m);
    }
    (game.write_move(&p, report.best.unwrap()), report)
}

#[test]
fn chess_mates() {
    let game = chess::Chess::default();
    for (position, depth, best, plies) in [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - -", 2, "d1d8", 1),
        ("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - -", 4, "g3g6", 3),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - -", 6, "f6a6", 5),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - -", 4, "a1a6", 3),
    ] {
        let (found, report) = think::<_, chess::Classic>(&game, position, depth);
        assert_eq!(
            (found.as_str(), report.value),
            (best, Some(Value::won_in(plies))),
            "{position}"
        );
    }
}

/// A queen that can be had at once, one that is defended, and a pawn that must not be taken.
#[test]
fn chess_exchanges_are_seen_beyond_the_horizon() {
    let game = chess::Chess::default();
    for (position, best) in
        [("4k3/8/8/3q4/8/4N3/8/4K3 w - -", "e3d5"), ("4k3/8/2p5/3p4/8/3R4/6P1/4K3 w - -", "d3d5")]
    {
        let (found, _) = think::<_, chess::Classic>(&game, position, 1);
        assert_eq!(found == best, position.contains('q'), "{position}: {found}");
    }
}

#[test]
fn draughts_captures_are_compulsory() {
    let spec = Spec::parse("draughts:english").unwrap();
    let parameters = draughts::Parameters::from_spec(&spec).unwrap();
    let game = draughts::Draughts::<draughts::English>::new(parameters).unwrap();
    // Who can capture must, however little it likes it.
    let (found, _) = think::<_, draughts::Classic>(&game, "B:B14:W17,K30,25", 4);
    assert_eq!(found, "14x21");
}

#[test]
fn solved_games() {
    let four = mnk::Parameters::from_spec(&Spec::parse("mnk:4x4,k=4").unwrap()).unwrap();
    let game = mnk::Mnk::<_, mnk::WordBoard<u16>>::new(&four);
    let start = game.write_position(&game.start());
    let (_, report) = think::<_, mnk::Lines>(&game, &start, 16);
    assert_eq!(report.value, Some(Value::DRAW));
    let small = reversi::Parameters::from_spec(&Spec::parse("reversi:4x4").unwrap()).unwrap();
    let game = reversi::Reversi::new(small);
    let start = game.write_position(&game.start());
    let (_, report) = think::<_, reversi::Classic>(&game, &start, 20);
    assert_eq!(report.value.map(Value::signum), Some(-1));
}
