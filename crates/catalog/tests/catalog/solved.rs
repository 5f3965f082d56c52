//! Solved games come out right through the same door that the command line uses.

use compiled::{CompiledSession, SolvingTask};
use game::{Points, Value};
use play::Stop;
use search::{Algorithm, Settings};
use solve::{Goal, Method, Options, Solution};

/// Solves by `NegaScout` to the end of the game.
fn solve(table: &dyn CompiledSession) -> play::Analysis {
    let settings = Settings { algorithm: Algorithm::NegaScout, ..Settings::exhaustive() };
    table.analyse(&settings, &Stop::new(), &mut |_| {}).unwrap()
}

/// Every game of the list with its value, and the nodes that it took when it was first computed.
fn rows() -> impl Iterator<Item = (&'static str, &'static str, u64)> {
    let rows = include_str!("../data/mnk-solved.txt").lines().filter(|line| !line.starts_with('#'));
    rows.map(|row| {
        let [spec, value, nodes] = row.split(' ').collect::<Vec<_>>()[..] else { panic!("{row}") };
        (spec, value, nodes.parse().unwrap())
    })
}

/// All rows whose spec passes and which took under five million nodes when they were first computed;
/// how many there were.
fn check(passes: impl Fn(&str) -> bool) -> usize {
    let mut count = 0;
    for (spec, value, nodes) in rows() {
        if passes(spec) && nodes < 5_000_000 {
            let analysis = solve(&*catalog::open(spec).unwrap().session());
            let found = name(analysis.value.map(Value::signum));
            assert_eq!((found, analysis.exact), (value, true), "{spec}");
            count += 1;
        }
    }
    count
}

/// As the list names values, by their sign.
fn name(signum: Option<i32>) -> &'static str {
    match signum {
        Some(1) => "first",
        Some(0) => "draw",
        Some(_) => "second",
        None => "nothing",
    }
}

/// Answers by the solver.
fn solution(spec: &str, question: Goal) -> Solution {
    let options = Options {
        question,
        method: Method::AlphaBeta,
        slice: None,
        threads: 1,
        hash_megabytes: 64,
        nodes: None,
        memory: 64 << 20,
        repeatable: false,
    };
    let game = catalog::open(spec).unwrap();
    let solver = game.solver();
    let task = SolvingTask { options, stored: None, weights: None, certificate: None, solver };
    game.session().solve(&task, &Stop::new(), &mut |_| {}).unwrap().solution
}

/// Every row, the largest ones too; and on 7x4 a tenth of the nodes of the search that the list comes from.
#[test]
fn all_line_games_by_the_solver() {
    let mut count = 0;
    for (spec, value, nodes) in rows() {
        let Solution { bounds, proved, spent, .. } = solution(spec, Goal::Value);
        assert_eq!((name(bounds.outcome()), proved), (value, true), "{spec}");
        assert!(nodes < 30_000_000 || spent.nodes < nodes / 10, "{spec} {spent:?}");
        count += 1;
    }
    assert_eq!(count, 44);
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
        assert_eq!(solve(&*catalog::open(spec).unwrap().session()).distance, Some(plies), "{spec}");
    }
}

/// Known values: 4x4 by ten for the second player; and a finished game has its own.
#[test]
fn reversi() {
    let mut table = catalog::open("reversi:4x4").unwrap().session();
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
