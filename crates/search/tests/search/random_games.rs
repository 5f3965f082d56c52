//! Every algorithm with every switch combination agrees with minimax on games drawn at random.

use crate::common::{
    Guesses, RandomGame, all_settings, blackboard, random_game, run, value_of_line,
};
use game::{Game, MarginStep, Path, Rng, moves_of};
use proptest::prelude::*;
use search::Settings;

fn check(game: &RandomGame, depth: Option<u32>) {
    let start = game.start();
    let guess = |p: &_| game.guess(p);
    let side = game.to_move(&start);
    let truth = blackboard(game, &start, &mut Path::new(), depth, &guess).seen_by(side);
    for settings in all_settings(depth) {
        let report = run(game, &start, Guesses, &settings);
        assert_eq!(report.value, Some(truth), "{game:?} {settings:?}");
        if report.exact && !game.looks_back {
            let end = blackboard(game, &start, &mut Path::new(), None, &guess).seen_by(side);
            assert_eq!(truth, end, "said to be exact: {game:?} {settings:?}");
        }
        if depth.is_none() {
            assert!(report.exact, "{game:?} {settings:?}");
        }
        if !game.looks_back && report.best.is_some() {
            assert_eq!(report.line.first(), report.best.as_ref());
            assert_eq!(
                value_of_line(game, &start, &report.line, depth, &guess),
                truth,
                "{game:?} {settings:?} {report:?}"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn all_agree_to_the_end(game in random_game(false)) {
        check(&game, None);
    }

    #[test]
    fn all_agree_to_a_depth(game in random_game(false), depth in 1u32..8) {
        check(&game, Some(depth));
    }

    #[test]
    fn all_agree_where_rules_look_back(game in random_game(true), depth in prop::option::of(1u32..8)) {
        check(&game, depth);
    }

    #[test]
    fn the_lot_falls_on_a_best_move(game in random_game(false), seed: u64, depth in prop::option::of(1u32..6)) {
        let start = game.start();
        let guess = |p: &_| game.guess(p);
        let side = game.to_move(&start);
        let truth = blackboard(&game, &start, &mut Path::new(), depth, &guess).seen_by(side);
        for settings in all_settings(depth) {
            let report = run(&game, &start, Guesses, &Settings { seed: Some(seed), ..settings });
            let Some(best) = report.best else { continue };
            let mut next = start;
            game.make(&mut next, best);
            let value = blackboard(&game, &next, &mut Path::new(), depth.map(|d| d - 1), &guess);
            prop_assert_eq!(value.backed_up().seen_by(side), truth);
        }
    }
}

/// Among n equal moves each is drawn in about one of n cases (five standard deviations).
#[test]
fn lots_are_fair() {
    let game = RandomGame {
        seed: 2,
        levels: 1,
        width: 1,
        branching: 4,
        margin_limit: 1,
        margin_step: MarginStep::ONE,
        looks_back: false,
        hopeless: [9, 9],
    };
    // All moves lead to the one place of the next level, so they are equal.
    let games = (0..).map(|seed| RandomGame { seed, ..game.clone() });
    let game = games.into_iter().find(|game| game.count(&game.start()) == 4).unwrap();
    let start = game.start();
    let moves = moves_of(&game, &start);
    let mut seeds = Rng::new(11);
    let draws = 3_000;
    let mut counts = vec![0_i32; moves.len()];
    for _ in 0..draws {
        let settings =
            Settings { seed: Some(seeds.next_u64()), hash_megabytes: 0, ..Default::default() };
        let best = run(&game, &start, Guesses, &settings).best.unwrap();
        counts[usize::from(best)] += 1;
    }
    let expected = f64::from(draws) / moves.len() as f64;
    for count in &counts {
        assert!((f64::from(*count) - expected).abs() < 5.0 * expected.sqrt(), "{counts:?}");
    }
}
