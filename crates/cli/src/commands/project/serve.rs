//! `zermelo project serve`: units are handed out and results taken in.

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use cluster::http::{DoorLimits, DoorOptions, DoorServer};
use cluster::project::{Conducted, Conductor, ProjectPlan, work_here};
use cluster::record::{ProjectRow, ProjectState, WorkLimits};
use cluster::{ClusterRecord, solver_versions};
use play::Stop;
use serde::Serialize;
use serving::{Rate, Tls};

use super::{open, volunteers};
use crate::args::ProjectServe;
use crate::output::{Answer, Console};
use crate::progress::stop_on_interrupt;

#[derive(Serialize)]
struct ServingProjects<'a> {
    address: String,
    projects: &'a [String],
    door_only: bool,
}

/// How often it is looked whether there is something to tidy up, or all is done.
const LOOK: Duration = Duration::from_millis(500);
const PURGES: Duration = Duration::from_secs(3600);

/// Serves until it is interrupted.
pub(super) fn run(arguments: &ProjectServe, console: &Console) -> Result<Answer> {
    let record = open(&arguments.place)?.with_limits(limits(arguments));
    if !record.is_shared() && arguments.door_only {
        bail!(
            "--door-only needs a record in PostgreSQL: with SQLite everything runs on one machine"
        );
    }
    let projects = chosen(&record, arguments)?;
    let stop = stop_on_interrupt()?;
    let server = start(&record, arguments)?;
    let scheme = if arguments.certificate.is_some() { "https" } else { "http" };
    let address = server.addresses().first().map(SocketAddr::to_string).unwrap_or_default();
    let names: Vec<String> = projects.iter().map(|row| row.made_of.name.clone()).collect();
    let serving = ServingProjects {
        address: format!("{scheme}://{address}"),
        projects: &names,
        door_only: arguments.door_only,
    };
    console.answer(&serving, |out| {
        writeln!(out, "workers come in at {}", serving.address)?;
        if let Some(url) = &arguments.boinc.boinc {
            writeln!(out, "volunteers attach to {url}")?;
        }
        writeln!(out, "projects: {}; Ctrl-C ends it", names.join(", "))
    })?;
    let failed = match arguments.door_only {
        true => wait(&stop),
        false => drive(&record, arguments, &projects, &stop, console),
    };
    server.stop();
    failed
}

fn limits(arguments: &ProjectServe) -> WorkLimits {
    WorkLimits {
        lease_seconds: arguments.lease_seconds,
        in_progress: arguments.in_progress,
        daily: arguments.daily,
        later_seconds: 1,
        order: volunteers::feed_order(arguments.boinc.feed),
        ..WorkLimits::default()
    }
}

/// The projects that were named, or all that are not at an end.
fn chosen(record: &ClusterRecord, arguments: &ProjectServe) -> Result<Vec<ProjectRow>> {
    if arguments.names.is_empty() {
        let is_open =
            |row: &ProjectRow| !matches!(row.state, ProjectState::Solved | ProjectState::Cancelled);
        return Ok(record.projects()?.into_iter().filter(is_open).collect());
    }
    let named = |name: &String| Ok(record.expect_project(name)?);
    arguments.names.iter().map(named).collect()
}

fn start(record: &ClusterRecord, arguments: &ProjectServe) -> Result<DoorServer> {
    let mut listen = arguments.listen;
    if let Some(port) = arguments.port {
        listen.set_port(port);
    }
    let listener =
        TcpListener::bind(listen).with_context(|| format!("cannot listen on {listen}"))?;
    let tls = match (&arguments.certificate, &arguments.key) {
        (Some(certificate), Some(key)) => Some(Tls::from_files(certificate, key)?),
        _ => None,
    };
    let versions = solver_versions();
    let per_second = f64::from(arguments.requests);
    let requests = Rate { burst: 10.0 * per_second, per_second };
    let limits = DoorLimits { requests, ..DoorLimits::default() };
    let proxies = arguments.proxy.clone();
    let options = DoorOptions { tls, proxies, versions, limits, ..DoorOptions::default() };
    let door = Arc::new(record.clone());
    let more = volunteers::router(record, arguments)?;
    Ok(DoorServer::start(vec![listener], door, options, more)?)
}

/// Drives all projects, each on a thread of its own, and works here where that was asked for.
fn drive(
    record: &ClusterRecord,
    arguments: &ProjectServe,
    projects: &[ProjectRow],
    stop: &Stop,
    console: &Console,
) -> Result<Answer> {
    let mut conductors = Vec::new();
    let mut wants_own = false;
    for row in projects {
        conductors.push(Conductor::new(record, &row.made_of.name, stop)?);
        wants_own |= !ProjectPlan::from_json(&row.made_of.plan)?.is_trusting();
    }
    let own = arguments.threads.unwrap_or(u32::from(wants_own));
    let own_stop = Stop::new();
    let mut failed = None;
    thread::scope(|scope| {
        let workers: Vec<_> = (0..own)
            .map(|_| {
                let (record, own_stop) = (record.clone(), own_stop.clone());
                let work = move || work_here(&record, &solver_versions(), u32::MAX, &own_stop);
                thread::Builder::new().stack_size(search::STACK_BYTES).spawn_scoped(scope, work)
            })
            .collect();
        let driven: Vec<_> = projects
            .iter()
            .zip(&conductors)
            .map(|(row, conductor)| {
                let name = &row.made_of.name;
                scope.spawn(move || conductor.run(&|line| console.note(&format!("{name}: {line}"))))
            })
            .collect();
        let mut purged = std::time::Instant::now();
        loop {
            let all_ended = driven.iter().all(thread::ScopedJoinHandle::is_finished);
            if stop.is_stopped() || all_ended && arguments.until_solved {
                break;
            }
            if purged.elapsed() >= PURGES {
                purged = std::time::Instant::now();
                if let Err(error) = record.purge(arguments.purge_days * 24 * 3600) {
                    console.note(&format!("old rows were not deleted: {error}"));
                }
            }
            thread::sleep(LOOK);
        }
        own_stop.stop();
        for driven in driven {
            match driven.join() {
                Ok(Ok(Conducted::Ended(_) | Conducted::Stopped)) => {}
                Ok(Err(error)) => failed = Some(anyhow::Error::from(error)),
                Err(_) => failed = Some(anyhow::anyhow!("a coordinator broke down")),
            }
        }
        for worker in workers {
            match worker.map(thread::ScopedJoinHandle::join) {
                Ok(Ok(Err(error))) => failed = Some(error.into()),
                Err(error) => failed = Some(anyhow::Error::from(error)),
                Ok(_) => {}
            }
        }
    });
    match failed {
        Some(error) => Err(error),
        None => Ok(Answer::Yes),
    }
}

fn wait(stop: &Stop) -> Result<Answer> {
    while !stop.is_stopped() {
        thread::sleep(LOOK);
    }
    Ok(Answer::Yes)
}
