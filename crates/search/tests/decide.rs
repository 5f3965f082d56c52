//! Every question about a random game gets the answer that minimax gives.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Guesses, RandomGame, blackboard, random_game};
use game::{Game, Limits, Meaning, Path, Stop};
use proptest::prelude::*;
use search::{Decision, PlainKeys, Position, Settings, Table, decide};

fn ask(game: &RandomGame, at_least: i32, limits: Limits) -> Decision<<RandomGame as Game>::Move> {
    let table = Table::new(0);
    let settings = Settings { limits, ..Settings::default() };
    let (start, path) = (game.start(), Path::new());
    let from = Position { game, position: &start, path: &path, among: &[] };
    let with = (Guesses, PlainKeys);
    decide(&table, &from, at_least, with, &settings, &Stop::new(), &mut |_| {})
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
    }
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
