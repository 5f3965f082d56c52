//! Searches stop when they are told, and say what they know then.

use std::time::Duration;

use crate::common::{classic, run};
use game::{Game, Path, Spec};
use games::mnk::{LineBoard, Lines, Mnk, Parameters};
use games::reversi::Reversi;
use play::{Limits, Stop};
use search::{Algorithm, SearchRoot, Settings, Techniques, search};

fn settings(limits: Limits) -> Settings {
    Settings { limits, hash_megabytes: 4, ..Settings::default() }
}

#[test]
fn node_limits_hold() {
    let game = Reversi::default();
    for nodes in [1, 100, 5_000, 200_000] {
        for algorithm in [Algorithm::AlphaBeta, Algorithm::NegaScout, Algorithm::MtdF] {
            let settings = Settings {
                algorithm,
                ..settings(Limits { nodes: Some(nodes), ..Limits::default() })
            };
            let report = run(&game, &game.start(), classic(), &settings);
            // The first depth is always finished, so that there is a move; leaves do not look at the
            // clock.
            assert!(
                report.nodes <= nodes.max(100) + 30,
                "{algorithm}: {} for {nodes}",
                report.nodes
            );
            assert!(report.value.is_some() && report.best.is_some() && !report.exact);
        }
    }
}

#[test]
fn a_node_limit_gives_the_same_every_time() {
    let game = Reversi::default();
    let settings =
        Settings { seed: Some(7), ..settings(Limits { nodes: Some(30_000), ..Limits::default() }) };
    let once = run(&game, &game.start(), classic(), &settings);
    assert_eq!(run(&game, &game.start(), classic(), &settings), once);
}

#[test]
fn time_runs_out() {
    let game = Reversi::default();
    let limits = Limits { time: Some(Duration::from_millis(20)), ..Limits::default() };
    let report = run(&game, &game.start(), classic(), &settings(limits));
    assert!(report.depth.is_some_and(|depth| depth >= 1), "{report:?}");
    assert!(report.best.is_some());
}

/// Who sets no limit gets an answer, also in games that nobody searches to their end.
#[test]
fn the_default_stops_by_itself() {
    assert_ne!(Settings::default().limits, Limits::default());
    assert_eq!(Settings::exhaustive().limits, Limits::default());
    let game = Reversi::default();
    let settings = Settings { hash_megabytes: 4, ..Settings::default() };
    let report = run(&game, &game.start(), classic(), &settings);
    assert!(report.best.is_some() && !report.exact, "{report:?}");
}

#[test]
fn told_to_stop_at_once_it_still_has_a_move() {
    let game = Reversi::default();
    let stop = Stop::new();
    stop.stop();
    let from = SearchRoot { game: &game, position: &game.start(), path: &Path::new(), among: &[] };
    for techniques in [Techniques::ALL, Techniques::NONE] {
        let settings = Settings { techniques, ..settings(Limits::default()) };
        let report = search(&from, classic(), &settings, &stop, &mut |_| {});
        assert_eq!((report.value, report.exact), (None, false));
        assert!(report.best.is_some());
    }
}

#[test]
fn progress_counts_up_to_the_end() {
    let game = Reversi::default();
    let from = SearchRoot { game: &game, position: &game.start(), path: &Path::new(), among: &[] };
    let mut reports = Vec::new();
    let limits = Limits { depth: Some(8), ..Limits::default() };
    let report = search(&from, classic(), &settings(limits), &Stop::new(), &mut |now| {
        reports.push(now.clone());
    });
    assert!(reports.len() >= 8);
    assert!(reports.is_sorted_by_key(|now| (now.depth, now.root_moves.0)));
    let last = &reports[reports.len() - 1];
    assert_eq!((last.depth, last.root_moves), (Some(8), (4, 4)));
    assert!(last.nodes <= report.nodes);
}

/// All ways to place twenty stones are more than anybody can look at, even once.
#[test]
fn a_first_turn_of_many_stones_ends() {
    let spec = Spec::parse("mnk:20x20,k=15,q=20").unwrap();
    let game = Mnk::<_, LineBoard>::new(&Parameters::from_spec(&spec).unwrap());
    let limits = Limits { nodes: Some(1_000), ..Limits::default() };
    let settings = Settings { algorithm: Algorithm::Playing, ..settings(limits) };
    let report = run(&game, &game.start(), Lines::default(), &settings);
    assert!(report.best.is_some(), "{report:?}");
    assert!(report.nodes < 2_000_000, "{report:?}");
}
