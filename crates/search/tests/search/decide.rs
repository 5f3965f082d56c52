//! Every question about a random game gets the answer that minimax gives.

use crate::common::{Guesses, RandomGame, blackboard, random_game, without_symmetry};
use evaluation::{Evaluation, MoveOrder, Proofs};
use game::{Game, Meaning, Notation, Path, Rng, Side, Spec, moves_of};
use games::reversi;
use play::{Info, Limits, Stop};
use proptest::prelude::*;
use search::{Decision, SearchRoot, Settings, Table, decide};

fn ask(game: &RandomGame, at_least: i32, limits: Limits) -> Decision<<RandomGame as Game>::Move> {
    let table = Table::new(0);
    let settings = Settings { limits, ..Settings::default() };
    let (start, path) = (game.start(), Path::new());
    let from = SearchRoot { game, position: &start, path: &path, among: &[] };
    decide(&table, &from, at_least, Guesses, &settings, &Stop::new(), &mut |_| {})
}

fn margin_of(game: &RandomGame, start: &<RandomGame as Game>::Position, path: &mut Path) -> i32 {
    let value = blackboard(game, start, path, None, &|_| 0);
    match value.meaning() {
        Meaning::WonIn(_) => 1,
        Meaning::LostIn(_) => -1,
        Meaning::Margin(margin) | Meaning::Score(margin) => margin,
    }
}

fn check(game: &RandomGame) -> Result<(), TestCaseError> {
    let start = game.start();
    let truth = margin_of(game, &start, &mut Path::new());
    let limit = game.margin_limit();
    for at_least in 1 - limit..=limit {
        let decision = ask(game, at_least, Limits::default());
        prop_assert_eq!(decision.holds, Some(truth >= at_least));
        if let Some(best) = decision.best {
            let (mut path, mut next) = (Path::new(), start);
            path.push(game.path_key(&start));
            game.make(&mut next, best);
            let kept = margin_of(game, &next, &mut path);
            prop_assert_eq!(kept >= at_least, truth >= at_least);
        }
        let hurried = ask(game, at_least, Limits { nodes: Some(3), ..Limits::default() });
        prop_assert!(hurried.holds.is_none_or(|holds| holds == (truth >= at_least)));
        prop_assert!(hurried.nodes <= 4);
        for nodes in [0, 3, 10, 30] {
            let hurried = ask(game, at_least, Limits { nodes: Some(nodes), ..Limits::default() });
            check_what_was_learnt(game, at_least, &hurried)?;
        }
    }
    Ok(())
}

/// What a search that came to nothing says of the moves is true: they are legal, none is named twice, and those that it calls refuted are.
fn check_what_was_learnt(
    game: &RandomGame,
    at_least: i32,
    learnt: &Decision<<RandomGame as Game>::Move>,
) -> Result<(), TestCaseError> {
    let start = game.start();
    let legal = moves_of(game, &start);
    prop_assert!(learnt.refuted <= learnt.order.len());
    for (place, &m) in learnt.order.iter().enumerate() {
        prop_assert!(legal.contains(&m) && !learnt.order[..place].contains(&m));
        if place < learnt.refuted {
            let (mut path, mut next) = (Path::new(), start);
            path.push(game.path_key(&start));
            game.make(&mut next, m);
            let hoped_for = game.to_move(&start) == Side::First;
            prop_assert_ne!(margin_of(game, &next, &mut path) >= at_least, hoped_for);
        }
    }
    prop_assert!(learnt.holds.is_none() || learnt.order.is_empty());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn random_games(game in random_game(false)) {
        check(&game)?;
    }

    #[test]
    fn random_games_that_look_back(game in random_game(true)) {
        check(&game)?;
    }
}

/// Neither looks ahead nor counts out the last squares.
#[derive(Clone, Default)]
struct Shortsighted(reversi::ReversiEvaluation);

impl Evaluation<reversi::Reversi> for Shortsighted {
    fn evaluate(&mut self, game: &reversi::Reversi, p: &reversi::Position) -> i32 {
        self.0.evaluate(game, p)
    }
}

impl MoveOrder<reversi::Reversi> for Shortsighted {
    fn rank(
        &mut self,
        game: &reversi::Reversi,
        p: &reversi::Position,
        moves: &[reversi::Move],
        promise: &mut [i32],
    ) {
        self.0.rank(game, p, moves, promise);
    }
}

impl Proofs<reversi::Reversi> for Shortsighted {}

/// In the middle of a game of Reversi moves are ordered by looking ahead and the last squares counted
/// out: who does neither says the same.
#[test]
fn looking_ahead_changes_no_answer() {
    let spec = Spec::parse("reversi:6x6").unwrap();
    let game = reversi::Reversi::new(reversi::Parameters::from_spec(&spec).unwrap());
    let mut rng = Rng::new(6);
    for (empties, rounds) in [(14, 20), (17, 3)] {
        for _ in 0..rounds {
            let mut p = game.start();
            while game.margin(&p).is_none() && game.empties(&p).count_ones() > empties {
                let m = game.sample(&p, &mut rng).unwrap();
                game.make(&mut p, m);
            }
            for at_least in [-3, 0, 1, 6] {
                let quick = ask_reversi(&game, &p, at_least, reversi::ReversiEvaluation::default());
                let plain = ask_reversi(&game, &p, at_least, Shortsighted::default());
                assert_eq!(quick, plain, "{} {at_least}", game.write_position(&p));
            }
        }
    }
}

fn ask_reversi(
    game: &reversi::Reversi,
    position: &reversi::Position,
    at_least: i32,
    heuristics: impl Proofs<reversi::Reversi>,
) -> Option<bool> {
    let (table, path) = (Table::new(16), Path::new());
    let from = SearchRoot { game, position, path: &path, among: &[] };
    let (with, settings) = (heuristics, Settings::exhaustive());
    decide(&table, &from, at_least, with, &settings, &Stop::new(), &mut |_| {}).holds
}

/// Whoever watches sees how far from the position asked about the search has been.
#[test]
fn watchers_are_told_the_depth() {
    let spec = Spec::parse("reversi:4x4").unwrap();
    let game = reversi::Reversi::new(reversi::Parameters::from_spec(&spec).unwrap());
    let (start, table, path) = (game.start(), Table::new(1), Path::new());
    let from = SearchRoot { game: &game, position: &start, path: &path, among: &[] };
    let (with, settings) = (Shortsighted::default(), without_symmetry(&Settings::exhaustive()));
    let mut deepest = 0;
    let mut watch = |now: &Info<_>| deepest = deepest.max(now.selective_depth);
    decide(&table, &from, 1, with, &settings, &Stop::new(), &mut watch);
    // Twelve squares, and a pass before each of them at most.
    assert!((1..=24).contains(&deepest), "{deepest} plies");
}
