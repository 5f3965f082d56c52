//! Solved games come out right through the same door that the command line uses.
#![allow(clippy::unwrap_used)]

use catalog::Workbench;
use game::{Points, Stop, Value};
use search::{Algorithm, Settings};

/// Solves by `NegaScout` to the end of the game.
fn solve(table: &dyn Workbench) -> game::Analysis {
    let settings = Settings { algorithm: Algorithm::NegaScout, ..Settings::default() };
    table.analyse(&settings, &Stop::new(), &mut |_| {}).unwrap()
}

/// All rows whose spec passes and which took under five million nodes when they were first computed;
/// how many there were.
fn check(passes: impl Fn(&str) -> bool) -> usize {
    let rows = include_str!("data/mnk-solved.txt").lines().filter(|line| !line.starts_with('#'));
    let mut count = 0;
    for row in rows {
        let [spec, value, nodes] = row.split(' ').collect::<Vec<_>>()[..] else { panic!("{row}") };
        if passes(spec) && nodes.parse::<u64>().unwrap() < 5_000_000 {
            let analysis = solve(&*catalog::open(spec).unwrap());
            let found = match analysis.value.map(Value::signum) {
                Some(1) => "first",
                Some(0) => "draw",
                Some(_) => "second",
                None => "nothing",
            };
            assert_eq!((found, analysis.exact), (value, true), "{spec}");
            count += 1;
        }
    }
    count
}

#[test]
fn plain_line_games() {
    assert_eq!(check(|spec| !spec.contains([',']) || spec.matches(',').count() == 1), 12);
}

#[test]
fn line_games_with_exactly_k() {
    assert_eq!(check(|spec| spec.contains("exact")), 6);
}

#[test]
fn line_games_with_several_stones_a_turn() {
    assert_eq!(check(|spec| spec.contains(",p=") || spec.contains(",q=")), 11);
}

#[test]
fn line_games_with_gravity() {
    assert_eq!(check(|spec| spec.contains("gravity")), 9);
}

#[test]
fn distances_are_the_quickest_win() {
    // In tic-tac-toe on 3x4 the first player needs four stones; on 5x5 three are enough.
    for (spec, plies) in
        [("mnk:3x4,k=3", 7), ("mnk:5x5,k=3", 5), ("mnk:3x3,k=1", 1), ("mnk:2x2,k=2", 3)]
    {
        assert_eq!(solve(&*catalog::open(spec).unwrap()).distance, Some(plies), "{spec}");
    }
}

/// Known values: 4x4 by ten for the second player; and a finished game has its own.
#[test]
fn reversi() {
    let mut table = catalog::open("reversi:4x4").unwrap();
    let analysis = solve(&*table);
    assert_eq!(
        (analysis.margin, analysis.exact, analysis.depth),
        (Some(Points::new(-10, 1)), true, None)
    );
    table.play_all(&analysis.pv.join(" ")).unwrap();
    assert_eq!(table.outcome().map(|outcome| outcome.margin), Some(-10));
    let over = solve(&*table);
    assert_eq!((over.margin, over.best, over.nodes), (Some(Points::new(-10, 1)), None, 1));
}
