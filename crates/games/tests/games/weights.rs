//! Every evaluation of every game: its weights have names, and whatever they are it neither overflows nor
//! panics.

use evaluation::Evaluation;
use evaluation::testkit::weights_conform;
use evaluation::weights::{Tunable, count, draw};
use game::{Game, Rng, Spec};
use games::{chess, draughts, go, mnk, reversi};

#[test]
fn weights_of_all_games_conform() {
    weights_conform::<chess::ChessEvaluation>("chess");
    weights_conform::<draughts::DraughtsEvaluation>("draughts");
    weights_conform::<reversi::ReversiEvaluation>("reversi");
    weights_conform::<go::GoEvaluation>("go");
    weights_conform::<mnk::Lines>("mnk");
}

/// Sets every weight to an end of its range, and evaluates along random games.
fn survives_extremes<G: Game, T: Tunable + Evaluation<G>>(game: &G) {
    let mut rng = Rng::new(1);
    for name in T::NAMES {
        for round in 0..12 {
            let mut heuristics = T::named(name).unwrap();
            heuristics.each_weight(&mut |name, weight| {
                let range = T::range(name);
                let high = round == 0 || round > 1 && rng.below(2) == 1;
                *weight = if high { *range.end() } else { *range.start() };
            });
            let mut p = game.start();
            heuristics.begin(game, &p);
            for _ in 0..200 {
                if game.margin(&p).is_some() {
                    break;
                }
                heuristics.evaluate(game, &p);
                let Some(m) = game.sample(&p, &mut rng) else { break };
                game.make(&mut p, m);
                heuristics.pushed(game, &p, m);
            }
        }
    }
}

#[test]
fn extreme_weights_do_no_harm() {
    survives_extremes::<_, chess::ChessEvaluation>(&chess::Chess::default());
    survives_extremes::<_, go::GoEvaluation>(&go_7x7());
    survives_extremes::<_, mnk::Lines>(&gomoku());
    survives_extremes::<_, reversi::ReversiEvaluation>(&reversi::Reversi::default());
    for variant in [draughts::Variant::English, draughts::Variant::International] {
        let game = draughts::Draughts::<draughts::AnyRules>::new(variant.into()).unwrap();
        survives_extremes::<_, draughts::DraughtsEvaluation>(&game);
    }
}

fn go_7x7() -> go::Go<u64> {
    go::Go::new(go::Parameters::default())
}

fn gomoku() -> mnk::Mnk<mnk::RunShape, mnk::LineBoard> {
    let spec = Spec::parse("mnk:15x15,k=5").unwrap();
    mnk::Mnk::new(&mnk::Parameters::from_spec(&spec).unwrap())
}

/// Evaluations that have weights judge otherwise once these are drawn anew, so many plies after the start.
fn changes_with_weights<G: Game, T: Tunable + Evaluation<G>>(game: &G, plies: usize) {
    let mut rng = Rng::new(7);
    let mut p = game.start();
    for _ in 0..plies {
        let m = game.sample(&p, &mut rng).unwrap();
        game.make(&mut p, m);
    }
    for name in T::NAMES {
        let judged = |evaluation: &T| {
            let mut evaluation = evaluation.clone();
            evaluation.begin(game, &p);
            evaluation.evaluate(game, &p)
        };
        let mut evaluation = T::named(name).unwrap();
        let (usual, weights) = (judged(&evaluation), count(&evaluation));
        draw(&mut evaluation, 100, &mut rng);
        assert_eq!(judged(&evaluation) != usual, weights > 0, "{name}");
    }
}

/// The weights that are there decide what a position is worth.
#[test]
fn drawn_weights_change_the_evaluation() {
    changes_with_weights::<_, reversi::ReversiEvaluation>(&reversi::Reversi::default(), 20);
    changes_with_weights::<_, chess::ChessEvaluation>(&chess::Chess::default(), 20);
    changes_with_weights::<_, go::GoEvaluation>(&go_7x7(), 20);
    changes_with_weights::<_, mnk::Lines>(&gomoku(), 20);
}
