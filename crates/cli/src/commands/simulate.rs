//! `zermelo solve --simulate`: a project among workers that are not there.

use std::io::{self, Write};

use anyhow::Result;
use lab::crowds::{CrowdRow, CrowdSize, crowd_bars, crowd_row, scenarios};
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
        files::write(file, &crowd_bars(&crowds.rows).draw())?;
    }
    console.answer(&crowds, |out| write_words(out, &crowds))?;
    Ok(if crowds.complete { Answer::Yes } else { Answer::No })
}

fn write_words(out: &mut dyn Write, crowds: &Crowds) -> io::Result<()> {
    let Crowds { workers, days, run, rows, .. } = crowds;
    writeln!(out, "{workers} workers, at most {days} days, run {run}")?;
    let heads = ["days", "audit", "Mn/s", "useful", "withdrawn", "results", "waiting", "facts"];
    let proof = ["false", "in proof", "false", "after", "answer"];
    write!(out, "{:<42}", "scenario")?;
    heads.iter().chain(&proof).try_for_each(|head| write!(out, " {head:>9}"))?;
    writeln!(out)?;
    for row in rows {
        let answer = match row.answer {
            None => "open",
            Some(true) => "right",
            Some(false) => "WRONG",
        };
        let share = |part: f64| format!("{:.0}%", part * 100.0);
        let columns = [
            format!("{:.1}", row.days),
            format!("{:.1}", row.audit_days),
            format!("{:.0}", row.mega_nodes_a_second),
            share(row.useful),
            share(row.withdrawn),
            format!("{:.2}", row.results_per_unit),
            share(row.idle),
            row.facts.to_string(),
            row.false_facts.to_string(),
            row.facts_in_proof.to_string(),
            row.false_before.to_string(),
            row.false_after.to_string(),
            answer.to_owned(),
        ];
        write!(out, "{:<42}", row.scenario)?;
        columns.iter().try_for_each(|column| write!(out, " {column:>9}"))?;
        writeln!(out)?;
    }
    Ok(())
}
