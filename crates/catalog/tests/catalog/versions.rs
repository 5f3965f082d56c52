//! The version of a family's solver is what the traces of fixed units hash to.
//!
//! A new game of a family, other weights, another order of moves: whatever changes a trace fails this
//! test, since results of before can no longer be compared. `cargo xtask traces --renew` writes the
//! new versions into the registrations, and `cargo xtask traces` compares several builds.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use compiled::{CompiledGame, SolverVersion};
use game::{Side, mix};
use search::on_deep_stack;
use solve::message::{CostFit, Question, Unit, UnitId, UnitTask};
use solve::{SolverRules, Worked, work_through};

/// A file that gets the traces, if somebody wants them.
const FILE: &str = "ZERMELO_TRACES";

/// A line of the list of units.
struct Fixed {
    family: &'static str,
    game: &'static str,
    start: &'static str,
    rest: Vec<&'static str>,
}

fn fixed_units() -> Vec<Fixed> {
    let lines = include_str!("../data/solver-units.txt").lines();
    let lines = lines.filter(|line| !line.starts_with('#'));
    let fixed = |line: &'static str| {
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let [family, game, start, ..] = parts[..] else { panic!("{line}") };
        Fixed { family, game, start, rest: parts[3..].to_vec() }
    };
    lines.map(fixed).collect()
}

impl Fixed {
    /// Where it begins, as text.
    fn root(&self, game: &dyn CompiledGame) -> String {
        let mut session = game.session();
        match self.start.strip_prefix('/') {
            Some(position) => session.set_position(position.trim()).unwrap(),
            None => session.play_all(self.start).unwrap(),
        }
        session.position()
    }

    fn unit(&self, rules: &dyn SolverRules) -> Unit {
        let [at_least, method, budget, slice, fit] = self.rest[..] else { panic!("{}", self.game) };
        Unit {
            task: UnitTask::Answer,
            id: UnitId { project: 0, incarnation: 0, number: 0 },
            game: rules.game(),
            root: rules.root_text(),
            node: rules.root(),
            question: Question { at_least: at_least.parse().unwrap(), prover: Side::First },
            budget: budget.parse().unwrap(),
            slice: slice.parse().unwrap(),
            method: method.parse().unwrap(),
            table_megabytes: 16,
            fit: CostFit { plies_left: fit.parse().unwrap(), ..CostFit::default() },
            solver: rules.version(),
            keep_table: false,
            ask_on: false,
        }
    }

    /// The unit, and what comes of it.
    fn work(&self) -> (Unit, Worked) {
        let game = catalog::open(self.game).unwrap();
        let root = self.root(&*game);
        let rules = game.solver_rules(&root).unwrap();
        let unit = self.unit(&*rules);
        let worked = work_through(&*rules, &unit).unwrap();
        (unit, worked)
    }
}

/// What all units come to, a line each, and the version of each family.
fn traces() -> (String, BTreeMap<&'static str, SolverVersion>) {
    let (mut text, mut versions) = (String::new(), BTreeMap::new());
    for fixed in fixed_units() {
        let (unit, worked) = fixed.work();
        let (nodes, jobs) = (worked.nodes, worked.trace.len());
        let agreement = worked.report(&unit, 0).agreement();
        let Fixed { family, game, start, rest } = fixed;
        let asked = rest.join(" ");
        writeln!(text, "{game} {start} {asked}: {nodes} nodes, {jobs} jobs, {agreement:032x}")
            .unwrap();
        let SolverVersion(sum) = versions.entry(family).or_default();
        *sum = mix(*sum ^ mix(agreement as u64) ^ (agreement >> 64) as u64);
    }
    for (family, version) in &versions {
        writeln!(text, "version {family} {version}").unwrap();
    }
    (text, versions)
}

#[test]
fn traces_are_those_of_the_version() {
    let mut found = None;
    on_deep_stack(&mut || found = Some(traces())).unwrap();
    let (text, versions) = found.unwrap();
    if let Some(file) = std::env::var_os(FILE) {
        std::fs::write(file, text).unwrap();
    }
    let mut wrong = Vec::new();
    for family in catalog::families() {
        let name = family.name;
        let version = versions[name];
        let game = fixed_units().into_iter().find(|fixed| fixed.family == name).unwrap().game;
        if catalog::open(game).unwrap().solver() != version {
            wrong.push(format!("{name}: solver: SolverVersion(0x{version})"));
        }
    }
    assert!(wrong.is_empty(), "`cargo xtask traces --renew` writes: {}", wrong.join(", "));
}
