//! `zermelo solve --simulate`: a project among workers that are not there.

use std::io::{self, Write};
use std::thread;

use anyhow::Result;
use lab::crowds::{
    CrowdMean, CrowdRow, CrowdSize, Spread, crowd_bars, crowd_means, crowd_rows, crowd_runs,
};
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
    compared: Vec<CrowdMean>,
}

/// What was found is told even if Ctrl-C ends it, which makes a negative answer.
pub(super) fn run(arguments: &Simulating, console: &Console) -> Result<Answer> {
    let &Simulating { workers, days, run, repeat, .. } = arguments;
    let all = crowd_runs(CrowdSize { workers, days, seed: run, repeats: repeat });
    let stop = stop_on_interrupt()?;
    let progress = Progress::of_parts(console, "runs");
    progress.parts(0, all.len());
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let rows = crowd_rows(&all, threads, &stop, &mut |done| progress.parts(done, all.len()))?;
    drop(progress);
    let compared = crowd_means(&rows);
    let crowds = Crowds { workers, days, run, complete: rows.len() == all.len(), rows, compared };
    if let Some(file) = &arguments.figure {
        files::write(file, &crowd_bars(&crowds.rows).draw())?;
    }
    console.answer(&crowds, |out| write_words(out, &crowds))?;
    Ok(if crowds.complete { Answer::Yes } else { Answer::No })
}

fn write_words(out: &mut dyn Write, crowds: &Crowds) -> io::Result<()> {
    let Crowds { workers, days, run, rows, compared, .. } = crowds;
    writeln!(out, "{workers} workers, at most {days} days, run {run}")?;
    let heads = ["days", "audit", "Mn/s", "useful", "withdrawn", "results", "waiting", "facts"];
    let proof = ["false", "in proof", "false", "struck", "after", "answer"];
    write!(out, "{:<42}", "scenario")?;
    heads.iter().chain(&proof).try_for_each(|head| write!(out, " {head:>9}"))?;
    writeln!(out)?;
    for row in rows.iter().filter(|row| row.run == *run) {
        write!(out, "{:<42}", row.scenario)?;
        columns(row).iter().try_for_each(|column| write!(out, " {column:>9}"))?;
        writeln!(out)?;
    }
    if compared.iter().all(|mean| mean.runs < 2) {
        return Ok(());
    }
    writeln!(out, "\nmean and standard deviation of several runs")?;
    write!(out, "{:<42}", "scenario")?;
    let heads = ["runs", "days", "of first", "Mn/s", "useful", "withdrawn"];
    heads.iter().try_for_each(|head| write!(out, " {head:>13}"))?;
    writeln!(out)?;
    for mean in compared {
        let CrowdMean { useful, withdrawn, days_of_first, .. } = mean;
        let percent = |Spread { mean, deviation }: &Spread| {
            format!("{:.1}% ± {:.1}", mean * 100.0, deviation * 100.0)
        };
        let plain = |Spread { mean, deviation }: &Spread| format!("{mean:.1} ± {deviation:.1}");
        let columns = [
            mean.runs.to_string(),
            plain(&mean.days),
            format!("{:.2} ± {:.2}", days_of_first.mean, days_of_first.deviation),
            format!("{:.0}", mean.mega_nodes_a_second.mean),
            percent(useful),
            percent(withdrawn),
        ];
        write!(out, "{:<42}", mean.scenario)?;
        columns.iter().try_for_each(|column| write!(out, " {column:>13}"))?;
        writeln!(out)?;
    }
    Ok(())
}

fn columns(row: &CrowdRow) -> [String; 14] {
    let answer = match row.answer {
        None => "open",
        Some(true) => "right",
        Some(false) => "WRONG",
    };
    let share = |part: f64| format!("{:.0}%", part * 100.0);
    [
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
        row.struck.to_string(),
        row.false_after.to_string(),
        answer.to_owned(),
    ]
}
