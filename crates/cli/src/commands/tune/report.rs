//! `zermelo tune report`: what sessions agree on.

use std::io::{self, Write};

use anyhow::Result;
use lab::weights::{Average, Findings, Priority};
use serde::Serialize;
use tune::genetic::Population;

use super::genetic::{breeder, champion_of};
use crate::args::TuneReport;
use crate::files;
use crate::output::{Answer, Console};

#[derive(Serialize)]
struct Reported {
    sessions: usize,
    largest: f64,
    weights: Vec<Row>,
    low: Vec<String>,
}

#[derive(Serialize)]
struct Row {
    name: String,
    mean: f64,
    least: i32,
    most: i32,
    agree: usize,
    priority: String,
}

/// Averages, says and writes.
pub(crate) fn run(arguments: &TuneReport, console: &Console) -> Result<Answer> {
    let mut sessions = Vec::new();
    let mut first: Option<Population> = None;
    for session in &arguments.sessions {
        let (population, champion) = champion_of(session)?;
        sessions.push((population.names.clone(), champion));
        first.get_or_insert(population);
    }
    let count = sessions.len();
    let findings = Findings::new(sessions)?;
    let largest = largest_of(first.as_ref());
    let averages = findings.averages(largest);
    let low: Vec<String> =
        averages.iter().filter(|a| a.priority == Priority::Low).map(|a| a.name.clone()).collect();
    if let Some(file) = &arguments.reduced {
        files::write(file, &format!("{}\n", low.join("\n")))?;
    }
    if let (Some(file), Some(population)) = (&arguments.weights, &first) {
        let kept = |a: &Average| arguments.reduced.is_none() || a.priority != Priority::Low;
        let weight = |a: &Average| if kept(a) { a.mean.round() as i32 } else { 0 };
        let weights: Vec<i32> = averages.iter().map(weight).collect();
        files::write(file, &breeder(&population.settings, Some(1))?.text(&weights))?;
    }
    let rows = averages.iter().map(row).collect();
    let reported = Reported { sessions: count, largest, weights: rows, low };
    console.answer(&reported, |out| in_words(&reported, out))
}

/// The size that no weight of a session exceeds: the words compare with it.
pub(super) fn largest_of(population: Option<&Population>) -> f64 {
    let ends = population.and_then(|population| {
        let hall =
            tune::Hall::open(&population.settings.game, &population.settings.evaluation, 1).ok()?;
        hall.weights().iter().map(|weight| -f64::from(*weight.range.start())).reduce(f64::max)
    });
    ends.unwrap_or(1.0)
}

fn row(average: &Average) -> Row {
    let Average { name, mean, range, agree, priority } = average;
    let (name, priority) = (name.clone(), priority.to_string());
    Row { name, mean: *mean, least: range.0, most: range.1, agree: *agree, priority }
}

fn in_words(reported: &Reported, out: &mut dyn Write) -> io::Result<()> {
    let (high, medium) = (Priority::HIGH * reported.largest, Priority::MEDIUM * reported.largest);
    writeln!(
        out,
        "{} session{}; high from {high:.0}, low below {medium:.0}, of at most {:.0}",
        reported.sessions,
        if reported.sessions == 1 { "" } else { "s" },
        reported.largest
    )?;
    let width = reported.weights.iter().map(|row| row.name.len()).max().unwrap_or(0);
    for (number, row) in (1..).zip(&reported.weights) {
        writeln!(
            out,
            "{number:>3}  {:width$}  {:>8.0}  {:>6} to {:>6}  {} of {} agree  {}",
            row.name, row.mean, row.least, row.most, row.agree, reported.sessions, row.priority
        )?;
    }
    match reported.low.is_empty() {
        true => writeln!(out, "none is near zero"),
        false => writeln!(out, "near zero: {}", reported.low.join(" ")),
    }
}
