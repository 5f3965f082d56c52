//! `zermelo solve --compare`: how much alpha-beta, NegaScout and MTD(f) look at, with and without what helps them, beside the solver and
//! other programs; and whether all agree.

mod contenders;
mod external;
mod positions;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;

use anyhow::Result;
use forge::plot::{COLOURS, Chart, Curve, draw, three_digits};
use serde::Serialize;
use serde_json::Number;

use self::contenders::{Contender, Limit, Run, contenders};
pub(crate) use self::external::External;
use self::positions::Case;
use crate::args::Solve;
use crate::files;
use crate::output::{Answer, Console};
use crate::progress::{Progress, stop_on_interrupt};

/// What is compared where nobody names a game, and when a run is given up.
const USUAL_GAME: &str = "reversi:6x6";
const USUAL_NODES: u64 = 20_000_000;
const USUAL_TIME: Duration = Duration::from_secs(60);

#[derive(Serialize)]
struct Comparison {
    game: String,
    seed: u64,
    node_limit: u64,
    seconds_limit: f64,
    solvers: Vec<String>,
    positions: Vec<Solved>,
    means: Vec<Mean>,
    disagreements: Vec<String>,
    complete: bool,
}

/// A position and what everybody said of it.
#[derive(Serialize)]
struct Solved {
    #[serde(flatten)]
    case: Case,
    value: Option<Number>,
    runs: Vec<Told>,
}

#[derive(Serialize)]
struct Told {
    solver: String,
    value: Option<Number>,
    nodes: Option<u64>,
    seconds: f64,
}

/// Over all positions of a kind with so many empty squares. What was given up counts with what it took until then, so that the mean is
/// too small.
#[derive(Serialize)]
struct Mean {
    solver: String,
    kind: String,
    empties: usize,
    positions: usize,
    solved: usize,
    nodes: Option<f64>,
    seconds: f64,
}

/// Lets everybody solve every position. What was measured is told even if Ctrl-C ends it, which makes a negative answer as
/// disagreement does.
pub(super) fn run(arguments: &Solve, console: &Console) -> Result<Answer> {
    let comparing = &arguments.comparing;
    let game = arguments.game.as_deref().unwrap_or(USUAL_GAME);
    let cases = match &comparing.positions {
        Some(file) => positions::read(game, file)?,
        None => positions::made(game, comparing.empties.clone(), comparing.count, comparing.seed)?,
    };
    let limit = Limit {
        nodes: arguments.nodes.unwrap_or(USUAL_NODES),
        time: arguments.time.unwrap_or(USUAL_TIME),
        hash_megabytes: arguments.hash,
    };
    let solvers = contenders(&comparing.external);
    let stop = stop_on_interrupt()?;
    let progress = Progress::of_parts(console, "runs");
    let (all, mut done) = (cases.len() * solvers.len(), 0);
    let mut measured: Vec<(Case, Vec<Run>)> = Vec::new();
    for case in cases {
        let mut runs = Vec::new();
        for solver in &solvers {
            progress.like_parts(done, all);
            let run = solver.run(game, &case.position, &limit, &stop)?;
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
    drop(progress);
    let names: Vec<String> = solvers.iter().map(Contender::name).collect();
    let comparison = Comparison {
        game: catalog::open(game)?.facts().spec.clone(),
        seed: comparing.seed,
        node_limit: limit.nodes,
        seconds_limit: limit.time.as_secs_f64(),
        means: means(&names, &measured),
        disagreements: disagreements(&names, &measured),
        positions: measured.iter().map(|(case, runs)| solved(&names, case, runs)).collect(),
        complete: done == all,
        solvers: names,
    };
    if let Some(file) = &comparing.plot {
        files::write(file, &draw(&charts(&comparison), (700, 520)).map_err(anyhow::Error::msg)?)?;
    }
    console.answer(&comparison, |out| write_words(out, &comparison))?;
    let good = comparison.complete && comparison.disagreements.is_empty();
    Ok(if good { Answer::Yes } else { Answer::No })
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

fn solved(names: &[String], case: &Case, runs: &[Run]) -> Solved {
    let told = |(name, run): (&String, &Run)| Told {
        solver: name.clone(),
        value: run.value.and_then(number),
        nodes: run.nodes,
        seconds: run.seconds,
    };
    Solved {
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

fn means(names: &[String], measured: &[(Case, Vec<Run>)]) -> Vec<Mean> {
    let mut cells: BTreeMap<(usize, &str, usize), Vec<Run>> = BTreeMap::new();
    for (case, runs) in measured {
        for (solver, run) in runs.iter().enumerate() {
            cells.entry((solver, &case.kind, case.empties)).or_default().push(*run);
        }
    }
    let mean = |((solver, kind, empties), runs): ((usize, &str, usize), Vec<Run>)| {
        let count = runs.len() as f64;
        let nodes: Option<u64> = runs.iter().map(|run| run.nodes).sum();
        Mean {
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

/// Nodes and seconds over the number of empty squares, all kinds together; only what was solved everywhere.
fn charts(comparison: &Comparison) -> [Chart; 2] {
    let chart = |title: &str, y_name: &str, of: &dyn Fn(&Told) -> Option<f64>| Chart {
        title: format!("{}: {title}", comparison.game),
        x_name: "empty squares".to_owned(),
        y_name: y_name.to_owned(),
        logarithms: true,
        curves: curves(comparison, of),
    };
    [
        chart("positions visited", "nodes", &|told| told.nodes.map(|nodes| nodes as f64)),
        chart("processor time", "seconds", &|told| Some(told.seconds.max(1e-4))),
    ]
}

fn curves(comparison: &Comparison, of: &dyn Fn(&Told) -> Option<f64>) -> Vec<Curve> {
    let curve = |(index, name): (usize, &String)| {
        let mut sums: BTreeMap<usize, Option<(f64, f64)>> = BTreeMap::new();
        for Solved { case, runs, .. } in &comparison.positions {
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

fn write_words(out: &mut dyn Write, comparison: &Comparison) -> io::Result<()> {
    let Comparison { game, means, positions, .. } = comparison;
    writeln!(
        out,
        "{} positions of {game}, at most {} nodes and {} s each; > where not all were solved within that",
        positions.len(),
        short(comparison.node_limit as f64),
        comparison.seconds_limit
    )?;
    let mut kinds: Vec<&str> = Vec::new();
    for Solved { case, .. } in positions {
        if !kinds.contains(&&*case.kind) {
            kinds.push(&case.kind);
        }
    }
    for kind in kinds {
        let of_kind: Vec<&Mean> = means.iter().filter(|mean| mean.kind == kind).collect();
        write_table(out, &format!("{kind}, mean nodes"), comparison, &of_kind, &|mean| {
            mean.nodes.map_or("-".to_owned(), short)
        })?;
        write_table(out, &format!("{kind}, mean CPU s"), comparison, &of_kind, &|mean| {
            format!("{:.3}", mean.seconds)
        })?;
    }
    for line in &comparison.disagreements {
        writeln!(out, "\nwrong  {line}")?;
    }
    if !comparison.complete {
        writeln!(out, "\nopen   stopped before everything was measured")?;
    }
    Ok(())
}

/// Solvers below each other, empty squares side by side.
fn write_table(
    out: &mut dyn Write,
    title: &str,
    comparison: &Comparison,
    means: &[&Mean],
    show: &dyn Fn(&Mean) -> String,
) -> io::Result<()> {
    let mut empties: Vec<usize> = means.iter().map(|mean| mean.empties).collect();
    empties.sort_unstable();
    empties.dedup();
    let widest = comparison.solvers.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let width = widest.max(title.len());
    write!(out, "\n{title:width$}")?;
    for empties in &empties {
        write!(out, " {empties:>9}")?;
    }
    writeln!(out)?;
    for solver in &comparison.solvers {
        write!(out, "{solver:width$}")?;
        for empties in &empties {
            let cell = means.iter().find(|mean| mean.solver == *solver && mean.empties == *empties);
            let text = cell.map_or("-".to_owned(), |mean| {
                let over = if mean.solved < mean.positions { ">" } else { "" };
                format!("{over}{}", show(mean))
            });
            write!(out, " {text:>9}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Three digits and a letter.
fn short(number: f64) -> String {
    let steps = [(1e9, " G"), (1e6, " M"), (1e3, " k")];
    match steps.iter().find(|(step, _)| number >= *step) {
        Some((step, letter)) => format!("{}{letter}", three_digits(number / step)),
        None => format!("{number:.0}"),
    }
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

    #[test]
    fn large_numbers_are_short() {
        assert_eq!([12.0, 1234.0, 5_600_000.0].map(short), ["12", "1.23 k", "5.60 M"]);
    }
}
