//! `zermelo solve --compare`: how much solvers and searches look at, and whether all agree.

use std::io::{self, Write};
use std::time::Duration;

use anyhow::{Result, anyhow};
use lab::compare::{
    CompareError, Comparing, Comparison, MeanRun, RunLimit, SolvedCase, compare, contenders,
    make_positions, read_positions,
};
use lab::plot::{draw, three_digits};

use crate::args::Solve;
use crate::files;
use crate::output::{Answer, Console};
use crate::progress::{Progress, stop_on_interrupt};

/// What is compared where nobody names a game, and when a run is given up.
const USUAL_GAME: &str = "reversi:6x6";
const USUAL_NODES: u64 = 20_000_000;
const USUAL_TIME: Duration = Duration::from_secs(60);

/// What was measured is told even if Ctrl-C ends it, which makes a negative answer as disagreement
/// does.
pub(super) fn run(arguments: &Solve, console: &Console) -> Result<Answer> {
    let comparison = comparison(arguments, console)?;
    if let Some(file) = &arguments.comparing.plot {
        files::write(file, &draw(&comparison.charts(), (700, 520))?)?;
    }
    console.answer(&comparison, |out| write_words(out, &comparison))?;
    let good = comparison.complete && comparison.disagreements.is_empty();
    Ok(if good { Answer::Yes } else { Answer::No })
}

fn comparison(arguments: &Solve, console: &Console) -> Result<Comparison> {
    let comparing = &arguments.comparing;
    let game = arguments.game.as_deref().unwrap_or(USUAL_GAME);
    let cases = match &comparing.positions {
        Some(file) => {
            let at = file.display();
            read_positions(game, &files::read(file)?).map_err(|error| match error {
                CompareError::Line { .. } => anyhow!("{at}, {error}"),
                CompareError::NoPosition => anyhow!("{at} {error}"),
                other => other.into(),
            })?
        }
        None => make_positions(game, comparing.empties.clone(), comparing.count, comparing.seed)?,
    };
    let limit = RunLimit {
        nodes: arguments.nodes.unwrap_or(USUAL_NODES),
        time: arguments.time.unwrap_or(USUAL_TIME),
        hash_megabytes: arguments.hash,
    };
    let contenders = contenders(&comparing.external);
    let stop = stop_on_interrupt()?;
    let progress = Progress::of_parts(console, "runs");
    let (game, seed) = (game.to_owned(), comparing.seed);
    let comparing = Comparing { game, cases, seed, limit, contenders };
    Ok(compare(comparing, &stop, &mut |done, all| progress.like_parts(done, all))?)
}

fn write_words(out: &mut dyn Write, comparison: &Comparison) -> io::Result<()> {
    let Comparison { game, means, positions, .. } = comparison;
    writeln!(
        out,
        "{} positions of {game}, at most {} nodes and {} s each; > where not all were solved \
         within that",
        positions.len(),
        short(comparison.node_limit as f64),
        comparison.seconds_limit
    )?;
    let mut kinds: Vec<&str> = Vec::new();
    for SolvedCase { case, .. } in positions {
        if !kinds.contains(&&*case.kind) {
            kinds.push(&case.kind);
        }
    }
    for kind in kinds {
        let of_kind: Vec<&MeanRun> = means.iter().filter(|mean| mean.kind == kind).collect();
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
    means: &[&MeanRun],
    show: &dyn Fn(&MeanRun) -> String,
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

    #[test]
    fn large_numbers_are_short() {
        assert_eq!([12.0, 1234.0, 5_600_000.0].map(short), ["12", "1.23 k", "5.60 M"]);
    }
}
