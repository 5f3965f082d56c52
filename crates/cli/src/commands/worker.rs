//! `zermelo worker`: units of somebody's project are worked at here.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use cluster::worker::{WorkerOptions, WorkerProgress, WorkerState, run_worker};
use indicatif::HumanCount;
use serde::Serialize;

use crate::args::Worker;
use crate::files;
use crate::output::{Answer, Console};
use crate::progress::{Progress, stop_on_interrupt};

#[derive(Serialize)]
struct WorkDone {
    done: u64,
    failed: u64,
    refused: u64,
    withdrawn: u64,
    undelivered: usize,
    nodes: u64,
}

/// Works until there is no work any longer, or somebody says stop.
pub(crate) fn run(arguments: &Worker, console: &Console) -> Result<Answer> {
    let token = match (&arguments.token, &arguments.token_file) {
        (Some(token), _) => token.0.clone(),
        (None, Some(file)) => files::read(file)?.trim().to_owned(),
        (None, None) => String::new(),
    };
    ensure!(!token.is_empty(), "the token is empty; `project token create` makes one");
    let folder = match &arguments.folder {
        Some(folder) => folder.clone(),
        None => usual_folder(&arguments.url)?,
    };
    let megabytes = u32::try_from(arguments.hash * arguments.threads)?;
    let options = WorkerOptions {
        name: arguments.name.clone().unwrap_or_else(host_name),
        certificates: arguments.certificates.clone(),
        threads: arguments.threads,
        megabytes,
        cpu_share: arguments.cpu,
        hours: arguments.hours,
        most_units: arguments.units,
        stays: arguments.stay,
        ..WorkerOptions::new(&arguments.url, &token, &folder)
    };
    let drain = stop_on_interrupt()?;
    let progress = Progress::of_search(console);
    let mut tell = |now: &WorkerProgress| progress.remark(in_words(now));
    let done = run_worker(&options, &drain, &mut tell);
    drop(progress);
    let done = done?;
    let work = WorkDone {
        done: done.done,
        failed: done.failed,
        refused: done.refused,
        withdrawn: done.withdrawn,
        undelivered: done.undelivered,
        nodes: done.nodes,
    };
    console.answer(&work, |out| {
        let WorkDone { done, failed, refused, withdrawn, nodes, .. } = &work;
        writeln!(
            out,
            "{done} units done, {failed} of them failed, {refused} refused, {withdrawn} withdrawn, \
             {} nodes",
            HumanCount(*nodes)
        )?;
        match work.undelivered {
            0 => Ok(()),
            left => writeln!(out, "{left} reports wait in {} for the next time", folder.display()),
        }
    })
}

fn in_words(now: &WorkerProgress) -> String {
    let state = match &now.state {
        WorkerState::Working => String::new(),
        WorkerState::Paused => ", paused".to_owned(),
        WorkerState::Waiting(why) => format!(", waiting: {why}"),
    };
    let running: Vec<String> = now
        .running
        .iter()
        .take(4)
        .map(|unit| format!("{} {:.0}%", unit.unit, unit.fraction * 100.0))
        .collect();
    let running =
        if running.is_empty() { String::new() } else { format!("; {}", running.join(", ")) };
    format!("{} units done, {} nodes{state}{running}", now.done, HumanCount(now.nodes))
}

/// A folder for each server, so that two workers for different ones are not in each other's way.
fn usual_folder(url: &str) -> Result<PathBuf> {
    let home = files::home().context("there is no home to keep work in; --folder names a place")?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
    let name: String = url.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    Ok(home.join("work").join(name))
}

fn host_name() -> String {
    let known = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    known.map_or_else(|| "worker".to_owned(), |name| name.trim().to_owned())
}
