//! Units to work at, and what comes of them.

use game::Side;
use search::on_deep_stack;
use solve::message::{CostFit, Question, Unit, UnitId, UnitReport, UnitTask};
use solve::{Method, Worked, work_through};

/// Many sub-jobs of a game.
pub(crate) fn unit(game: &str, at_least: i32, budget: u64, slice: u64) -> Unit {
    let compiled = catalog::open(game).unwrap();
    let rules = compiled.solver_rules(&compiled.session().position()).unwrap();
    Unit {
        id: UnitId { project: 1, incarnation: 1, number: 7 },
        task: UnitTask::Answer,
        game: rules.game(),
        root: rules.root_text(),
        node: rules.root(),
        question: Question { at_least, prover: Side::First },
        budget,
        slice,
        method: Method::AlphaBeta,
        table_megabytes: 16,
        fit: CostFit::default(),
        solver: rules.version(),
        keep_table: false,
        ask_on: false,
    }
}

/// Some seconds of work in many sub-jobs.
pub(crate) fn long_unit() -> Unit {
    unit("reversi:6x6", 1, 150_000_000, 600_000)
}

/// More than any test waits for.
pub(crate) fn endless_unit() -> Unit {
    unit("reversi", 1, 1 << 40, 1 << 30)
}

/// What an honest worker finds, in this process.
pub(crate) fn worked(unit: &Unit) -> Worked {
    let mut found = None;
    on_deep_stack(&mut || {
        let game = catalog::open(&unit.game).unwrap();
        found = Some(work_through(&*game.solver_rules(&unit.root).unwrap(), unit).unwrap());
    })
    .unwrap();
    found.unwrap()
}

/// The same as a report, of the attempt that clients in these tests make.
pub(crate) fn expected(unit: &Unit) -> UnitReport {
    worked(unit).report(unit, 2)
}

/// The units whose traces are the versions of the solvers.
pub(crate) fn fixed_units() -> Vec<Unit> {
    let lines = include_str!("../../../catalog/tests/data/solver-units.txt").lines();
    lines.filter(|line| !line.starts_with('#')).map(fixed_unit).collect()
}

fn fixed_unit(line: &str) -> Unit {
    let parts: Vec<&str> = line.split('|').map(str::trim).collect();
    let [_, game, start, at_least, method, budget, slice, fit] = parts[..] else {
        panic!("{line}")
    };
    let compiled = catalog::open(game).unwrap();
    let mut session = compiled.session();
    match start.strip_prefix('/') {
        Some(position) => session.set_position(position.trim()).unwrap(),
        None => session.play_all(start).unwrap(),
    }
    let rules = compiled.solver_rules(&session.position()).unwrap();
    let [at_least, plies_left] = [at_least, fit].map(|number| number.parse().unwrap());
    Unit {
        root: rules.root_text(),
        node: rules.root(),
        method: method.parse().unwrap(),
        fit: CostFit { plies_left, ..CostFit::default() },
        ..unit(game, at_least, budget.parse().unwrap(), slice.parse().unwrap())
    }
}
