//! How much alpha-beta, NegaScout and MTD(f) look at, with and without what helps them, beside the
//! solver and other programs; and whether all agree.

mod contenders;
mod external;
mod positions;

use std::collections::BTreeMap;
use std::error::Error;

use game::TextError;
use play::Stop;
use serde::Serialize;
use serde_json::Number;

pub use self::contenders::{Contender, Run, RunLimit, contenders};
pub use self::external::{External, ExternalError};
pub use self::positions::{Case, make_positions, read_positions};
use crate::plot::{COLOURS, Chart, Curve};

/// What is compared.
#[derive(Clone, Debug)]
pub struct Comparing {
    /// The game.
    pub game: String,
    /// Its positions.
    pub cases: Vec<Case>,
    /// What they were drawn with; told and not used.
    pub seed: u64,
    /// When a run is given up.
    pub limit: RunLimit,
    /// Who solves them.
    pub contenders: Vec<Contender>,
}

/// Why solvers cannot be compared. Prints as one line.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    /// There is no such game.
    #[error("game {0}")]
    Game(TextError),
    /// A line of a file is no position.
    #[error("line {number}: position {error}")]
    Line {
        /// Its number, from 1.
        number: usize,
        /// What is wrong with it.
        error: TextError,
    },
    /// A file is empty.
    #[error("holds no position")]
    NoPosition,
    /// Games end before.
    #[error("no game of {game} was found that is still under way with {empties} empty squares")]
    NoGame {
        /// Which game.
        game: String,
        /// How many squares should be empty.
        empties: usize,
    },
    /// The bots whose games are looked at play to the end.
    #[error("a bot gave up")]
    GaveUp,
    /// Another program.
    #[error("{program}: {error}")]
    External {
        /// Its command line.
        program: String,
        /// What is wrong with it.
        error: ExternalError,
    },
    /// A search, a solver or a bot of this program.
    #[error("{0}")]
    Search(Box<dyn Error + Send + Sync>),
}

impl CompareError {
    fn search(error: impl Into<Box<dyn Error + Send + Sync>>) -> CompareError {
        CompareError::Search(error.into())
    }
}

/// What came of it.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// The game in full.
    pub game: String,
    /// What positions were drawn with.
    pub seed: u64,
    /// When a run was given up.
    pub node_limit: u64,
    /// The same by the clock.
    pub seconds_limit: f64,
    /// Names of the contenders.
    pub solvers: Vec<String>,
    /// Every position with what was said of it.
    pub positions: Vec<SolvedCase>,
    /// By contender, kind and number of empty squares.
    pub means: Vec<MeanRun>,
    /// Who said something else than most.
    pub disagreements: Vec<String>,
    /// Whether every contender had every position.
    pub complete: bool,
}

/// A position and what everybody said of it.
#[derive(Clone, Debug, Serialize)]
pub struct SolvedCase {
    /// The position.
    #[serde(flatten)]
    pub case: Case,
    /// What most say.
    pub value: Option<Number>,
    /// One for each contender.
    pub runs: Vec<ToldRun>,
}

/// What a contender said.
#[derive(Clone, Debug, Serialize)]
pub struct ToldRun {
    /// Its name.
    pub solver: String,
    /// As [`Run::value`].
    pub value: Option<Number>,
    /// As [`Run::nodes`].
    pub nodes: Option<u64>,
    /// As [`Run::seconds`].
    pub seconds: f64,
}

/// Over all positions of a kind with so many empty squares. What was given up counts with what it
/// took until then, so that the mean is too small.
#[derive(Clone, Debug, Serialize)]
pub struct MeanRun {
    /// The contender's name.
    pub solver: String,
    /// As [`Case::kind`].
    pub kind: String,
    /// As [`Case::empties`].
    pub empties: usize,
    /// How many there are.
    pub positions: usize,
    /// How many it solved.
    pub solved: usize,
    /// The mean, if it tells.
    pub nodes: Option<f64>,
    /// The mean.
    pub seconds: f64,
}

/// Lets everybody solve every position, until somebody stops it; `told` hears how many runs are
/// done, of how many.
///
/// # Errors
/// If a contender fails.
pub fn compare(
    comparing: Comparing,
    stop: &Stop,
    told: &mut dyn FnMut(usize, usize),
) -> Result<Comparison, CompareError> {
    let Comparing { game, cases, seed, limit, contenders } = comparing;
    let (all, mut done) = (cases.len() * contenders.len(), 0);
    let mut measured: Vec<(Case, Vec<Run>)> = Vec::new();
    for case in cases {
        let mut runs = Vec::new();
        for contender in &contenders {
            told(done, all);
            let run = contender.run(&game, &case.position, &limit, stop)?;
            if stop.is_stopped() {
                break;
            }
            runs.push(run);
            done += 1;
        }
        measured.push((case, runs));
        if stop.is_stopped() {
            break;
        }
    }
    let names: Vec<String> = contenders.iter().map(Contender::name).collect();
    Ok(Comparison {
        game: catalog::open(&game).map_err(CompareError::Game)?.facts().spec.clone(),
        seed,
        node_limit: limit.nodes,
        seconds_limit: limit.time.as_secs_f64(),
        means: means(&names, &measured),
        disagreements: disagreements(&names, &measured),
        positions: measured.iter().map(|(case, runs)| solved(&names, case, runs)).collect(),
        complete: done == all,
        solvers: names,
    })
}

/// What most say; of values that are said equally often, the one that was said first.
fn consensus(runs: &[Run]) -> Option<f64> {
    let said = |value: f64| runs.iter().filter(|run| run.value == Some(value)).count();
    let values = runs.iter().filter_map(|run| run.value);
    values.rev().max_by_key(|&value| said(value))
}

fn disagreements(names: &[String], measured: &[(Case, Vec<Run>)]) -> Vec<String> {
    let mut found = Vec::new();
    for (case, runs) in measured {
        let Some(right) = consensus(runs) else { continue };
        for (name, run) in names.iter().zip(runs) {
            if let Some(value) = run.value.filter(|value| *value != right) {
                let position = &case.position;
                found.push(format!("{name} says {value} of {position}, others {right}"));
            }
        }
    }
    found
}

fn solved(names: &[String], case: &Case, runs: &[Run]) -> SolvedCase {
    let told = |(name, run): (&String, &Run)| ToldRun {
        solver: name.clone(),
        value: run.value.and_then(number),
        nodes: run.nodes,
        seconds: run.seconds,
    };
    SolvedCase {
        case: case.clone(),
        value: consensus(runs).and_then(number),
        runs: names.iter().zip(runs).map(told).collect(),
    }
}

/// A whole number where it is one.
fn number(value: f64) -> Option<Number> {
    match value == value.round() && value.abs() < 1e9 {
        true => Some(Number::from(value as i64)),
        false => Number::from_f64(value),
    }
}

fn means(names: &[String], measured: &[(Case, Vec<Run>)]) -> Vec<MeanRun> {
    let mut cells: BTreeMap<(usize, &str, usize), Vec<Run>> = BTreeMap::new();
    for (case, runs) in measured {
        for (solver, run) in runs.iter().enumerate() {
            cells.entry((solver, &case.kind, case.empties)).or_default().push(*run);
        }
    }
    let mean = |((solver, kind, empties), runs): ((usize, &str, usize), Vec<Run>)| {
        let count = runs.len() as f64;
        let nodes: Option<u64> = runs.iter().map(|run| run.nodes).sum();
        MeanRun {
            solver: names[solver].clone(),
            kind: kind.to_owned(),
            empties,
            positions: runs.len(),
            solved: runs.iter().filter(|run| run.value.is_some()).count(),
            nodes: nodes.map(|nodes| nodes as f64 / count),
            seconds: runs.iter().map(|run| run.seconds).sum::<f64>() / count,
        }
    };
    cells.into_iter().map(mean).collect()
}

impl Comparison {
    /// Nodes and seconds over the number of empty squares, all kinds together; only what was solved
    /// everywhere.
    #[must_use]
    pub fn charts(&self) -> [Chart; 2] {
        let chart = |title: &str, y_name: &str, of: &dyn Fn(&ToldRun) -> Option<f64>| Chart {
            title: format!("{}: {title}", self.game),
            x_name: "empty squares".to_owned(),
            y_name: y_name.to_owned(),
            logarithms: true,
            curves: curves(self, of),
        };
        [
            chart("positions visited", "nodes", &|told| told.nodes.map(|nodes| nodes as f64)),
            chart("processor time", "seconds", &|told| Some(told.seconds.max(1e-4))),
        ]
    }
}

fn curves(comparison: &Comparison, of: &dyn Fn(&ToldRun) -> Option<f64>) -> Vec<Curve> {
    let curve = |(index, name): (usize, &String)| {
        let mut sums: BTreeMap<usize, Option<(f64, f64)>> = BTreeMap::new();
        for SolvedCase { case, runs, .. } in &comparison.positions {
            let Some(told) = runs.iter().find(|told| told.solver == *name) else { continue };
            let measured = of(told).filter(|_| told.value.is_some());
            let sum = sums.entry(case.empties).or_insert(Some((0.0, 0.0)));
            let so_far = *sum;
            *sum = so_far.zip(measured).map(|((sum, count), new)| (sum + new, count + 1.0));
        }
        let point = |(empties, sum): (usize, Option<(f64, f64)>)| {
            sum.map(|(sum, count)| (empties as f64, (sum / count).max(1e-4).log10()))
        };
        Curve {
            name: name.clone(),
            points: sums.into_iter().filter_map(point).collect(),
            colour: COLOURS[index % COLOURS.len()],
            line: true,
            // The colours are used twice.
            dots: index >= COLOURS.len(),
        }
    };
    comparison.solvers.iter().enumerate().map(curve).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(value: Option<f64>) -> Run {
        Run { value, nodes: Some(10), seconds: 0.5 }
    }

    fn case(empties: usize) -> Case {
        Case { kind: "real".to_owned(), empties, position: "here".to_owned() }
    }

    #[test]
    fn who_disagrees_with_most_is_named() {
        let names = ["a", "b", "c"].map(str::to_owned);
        let runs = |values: [Option<f64>; 3]| vec![(case(4), values.map(run).to_vec())];
        let wrong = |values| disagreements(&names, &runs(values));
        assert_eq!(wrong([Some(2.0), Some(2.0), None]), Vec::<String>::new());
        assert_eq!(wrong([Some(2.0), Some(4.0), Some(2.0)]), ["b says 4 of here, others 2"]);
        assert_eq!(wrong([Some(4.0), Some(2.0), Some(2.0)]), ["a says 4 of here, others 2"]);
        assert_eq!(wrong([Some(2.0), Some(4.0), None]), ["b says 4 of here, others 2"]);
    }

    #[test]
    fn what_was_given_up_counts_and_is_told() {
        let names = ["a".to_owned()];
        let measured = [(case(4), vec![run(Some(0.0))]), (case(4), vec![run(None)])];
        let means = means(&names, &measured);
        assert_eq!((means[0].positions, means[0].solved, means[0].nodes), (2, 1, Some(10.0)));
    }
}
