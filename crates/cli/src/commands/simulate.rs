//! `zermelo solve --simulate`: a project among workers that are not there.

use std::io::{self, Write};

use anyhow::Result;
use lab::crowds::{CrowdRow, CrowdSize, crowd_charts, crowd_row, scenarios};
use lab::plot::draw;
use serde::Serialize;

use crate::args::Simulating;
use crate::files;
use crate::output::{Answer, Console};
use crate::progress::{Progress, stop_on_interrupt};

#[derive(Serialize)]
struct Crowds {
    workers: usize,
    days: u32,
    run: u64,
    complete: bool,
    rows: Vec<CrowdRow>,
}

/// What was found is told even if Ctrl-C ends it, which makes a negative answer.
pub(super) fn run(arguments: &Simulating, console: &Console) -> Result<Answer> {
    let &Simulating { workers, days, run, .. } = arguments;
    let all = scenarios(CrowdSize { workers, days, seed: run });
    let stop = stop_on_interrupt()?;
    let progress = Progress::of_parts(console, "scenarios");
    let mut rows = Vec::new();
    for (nth, (name, simulation)) in all.iter().enumerate() {
        progress.parts(nth, all.len());
        if stop.is_stopped() {
            break;
        }
        rows.push(crowd_row(name, simulation, &mut |passed| {
            progress.remark(format!("{name}: {:.0}% of the days", passed * 100.0));
        })?);
    }
    drop(progress);
    let crowds = Crowds { workers, days, run, complete: rows.len() == all.len(), rows };
    if let Some(file) = &arguments.figure {
        files::write(file, &draw(&crowd_charts(&crowds.rows), (620, 420))?)?;
    }
    console.answer(&crowds, |out| write_words(out, &crowds))?;
    Ok(if crowds.complete { Answer::Yes } else { Answer::No })
}

fn write_words(out: &mut dyn Write, crowds: &Crowds) -> io::Result<()> {
    let Crowds { workers, days, run, rows, .. } = crowds;
    writeln!(out, "{workers} workers, at most {days} days, run {run}")?;
    writeln!(
        out,
        "{:<42} {:>8} {:>6} {:>7} {:>8} {:>5} {:>7} {:>6} {:>9} {:>6}",
        "scenario",
        "answer",
        "days",
        "useful",
        "results",
        "idle",
        "facts",
        "false",
        "in proof",
        "false"
    )?;
    for row in rows {
        let answer = match row.answer {
            None => "open",
            Some(true) => "right",
            Some(false) => "WRONG",
        };
        writeln!(
            out,
            "{:<42} {answer:>8} {:>6.1} {:>6.0}% {:>8.2} {:>4.0}% {:>7} {:>6} {:>9} {:>6}",
            row.scenario,
            row.days,
            row.useful * 100.0,
            row.results_per_unit,
            row.idle * 100.0,
            row.facts,
            row.false_facts,
            row.facts_in_proof,
            row.false_in_proof,
        )?;
    }
    Ok(())
}
