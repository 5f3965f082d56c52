//! Several threads find what one finds, and several lines are the best ones.

use std::time::Duration;

use crate::common::{Guesses, RandomGame, blackboard, classic, random_game, run};
use game::{Game, Path, Recall, Value, moves_of};
use games::reversi::Reversi;
use play::{Clock, Limits, Stop};
use proptest::prelude::*;
use search::{Algorithm, SearchRoot, Settings, Table, search, search_with};

/// The true value of every legal move for the side to move, best first.
fn values_of_moves(game: &RandomGame, depth: Option<u32>) -> Vec<Value> {
    let start = game.start();
    let side = game.to_move(&start);
    let mut path = Path::new();
    path.push(game.path_key(&start));
    let mut values = Vec::new();
    for m in moves_of(game, &start) {
        let mut next = start;
        game.make(&mut next, m);
        if game.looks_back && game.recall(&next, &path) == Recall::Forbidden {
            continue;
        }
        let guess = |p: &_| game.guess(p);
        let value = blackboard(game, &next, &mut path, depth.map(|d| d - 1), &guess);
        values.push(value.backed_up().seen_by(side));
    }
    values.sort_by_key(|&value| std::cmp::Reverse(value));
    values
}

fn settings(depth: Option<u32>) -> Settings {
    let limits = Limits { depth, ..Limits::default() };
    Settings { limits, hash_megabytes: 0, ..Settings::default() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn threads_agree_with_minimax(game in random_game(false), depth in prop::option::of(1u32..8)) {
        let start = game.start();
        let side = game.to_move(&start);
        let guess = |p: &_| game.guess(p);
        let truth = blackboard(&game, &start, &mut Path::new(), depth, &guess).seen_by(side);
        for algorithm in Algorithm::CLASSIC {
            let settings = Settings { algorithm, threads: 3, ..settings(depth) };
            let report = run(&game, &start, Guesses, &settings);
            prop_assert_eq!(report.value, Some(truth), "{}", algorithm);
        }
    }

    #[test]
    fn lines_are_the_best_ones(
        game in prop_oneof![random_game(false), random_game(true)],
        depth in prop::option::of(1u32..8),
        lines in 2usize..5,
    ) {
        let truth = values_of_moves(&game, depth);
        for algorithm in [Algorithm::AlphaBeta, Algorithm::NegaScout] {
            let settings = Settings { algorithm, lines, ..settings(depth) };
            let report = run(&game, &game.start(), Guesses, &settings);
            // Where it is best to claim, there is no best move.
            if report.best.is_some() {
                let others = report.others.iter().map(|line| line.value);
                let found: Vec<_> = report.value.into_iter().chain(others).collect();
                let expected: Vec<_> = truth.iter().copied().take(lines).collect();
                prop_assert_eq!(found, expected, "{}", algorithm);
                prop_assert!(report.others.iter().all(|line| !line.moves.is_empty()));
            }
        }
    }
}

#[test]
fn several_threads_count_all_their_nodes_and_stop_with_the_leader() {
    let game = Reversi::default();
    let limits = Limits { nodes: Some(200_000), ..Limits::default() };
    let settings = Settings { algorithm: Algorithm::Playing, limits, ..settings(None) };
    for threads in [2, 4] {
        let settings = Settings { threads, hash_megabytes: 8, ..settings };
        let report = run(&game, &game.start(), classic(), &settings);
        assert!(report.nodes >= 200_000, "{}", report.nodes);
        assert!(report.best.is_some());
    }
}

#[test]
fn a_kept_table_spares_work() {
    let game = Reversi::default();
    let table = Table::new(1);
    let (start, path, stop) = (game.start(), Path::new(), Stop::new());
    let from = SearchRoot { game: &game, position: &start, path: &path, among: &[] };
    let settings = settings(Some(9));
    let run = || search_with(&table, &from, classic(), &settings, &stop, &mut |_| {});
    let (first, second) = (run(), run());
    assert_eq!(first.value, second.value);
    assert!(second.nodes < first.nodes, "{} then {}", first.nodes, second.nodes);
    assert!(table.used_per_mille() > 0);
}

#[test]
fn a_clock_is_heeded_and_every_depth_tells_its_lines() {
    let game = Reversi::default();
    let (start, path) = (game.start(), Path::new());
    let from = SearchRoot { game: &game, position: &start, path: &path, among: &[] };
    let clock = Clock { left: Duration::from_secs(1), increment: Duration::ZERO, moves: Some(20) };
    let limits = Limits { clock: Some(clock), ..Limits::default() };
    let settings = Settings {
        algorithm: Algorithm::Playing,
        limits,
        lines: 3,
        hash_megabytes: 4,
        ..Settings::default()
    };
    let mut depths = Vec::new();
    let report = search(&from, classic(), &settings, &Stop::new(), &mut |now| {
        if !now.lines.is_empty() {
            assert_eq!(now.lines.len(), 3);
            assert!(now.lines.is_sorted_by(|a, b| a.value >= b.value));
            depths.push(now.depth);
        }
    });
    assert!(report.depth >= Some(1) && report.others.len() == 2, "{report:?}");
    assert_eq!(depths.last(), Some(&report.depth));
    assert!(depths.is_sorted());
}
