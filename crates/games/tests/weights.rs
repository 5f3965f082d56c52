//! Every evaluation of every game: its weights have names, and whatever they are it neither overflows nor
//! panics.
#![allow(clippy::unwrap_used)]

use game::testkit::weights_conform;
use game::weights::{Tunable, draw};
use game::{Game, Heuristics, Rng};
use games::{chess, draughts, go, mnk, reversi};

#[test]
fn weights_of_all_games_conform() {
    weights_conform::<chess::Classic>("chess");
    weights_conform::<draughts::Evaluation>("draughts");
    weights_conform::<reversi::Evaluation>("reversi");
    weights_conform::<go::AreaCount>("go");
    weights_conform::<mnk::Lines>("mnk");
}

/// Sets every weight to an end of its range, and evaluates along random games.
fn survives_extremes<G: Game, T: Tunable + Heuristics<G>>(game: &G) {
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
    survives_extremes::<_, chess::Classic>(&chess::Chess::default());
    survives_extremes::<_, reversi::Evaluation>(&reversi::Reversi::default());
    for variant in [draughts::Variant::English, draughts::Variant::International] {
        let game = draughts::Draughts::<draughts::AnyRules>::new(variant.into()).unwrap();
        survives_extremes::<_, draughts::Evaluation>(&game);
    }
}

/// The weights that are there decide what a position is worth.
#[test]
fn drawn_weights_change_the_evaluation() {
    let game = reversi::Reversi::default();
    let mut rng = Rng::new(7);
    let mut p = game.start();
    for _ in 0..20 {
        let m = game.sample(&p, &mut rng).unwrap();
        game.make(&mut p, m);
    }
    for name in reversi::Evaluation::NAMES {
        let mut heuristics = reversi::Evaluation::named(name).unwrap();
        let usual = heuristics.evaluate(&game, &p);
        draw(&mut heuristics, 100, &mut rng);
        assert_ne!(heuristics.evaluate(&game, &p), usual, "{name}");
    }
}
