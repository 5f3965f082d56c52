//! `zermelo project serve`: units are handed out and results taken in.

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use cluster::http::{DoorLimits, DoorOptions, DoorServer};
use cluster::metrics::{DoorCounters, Metrics, metrics_router};
use cluster::record::{ProjectRow, ProjectState, WorkLimits};
use cluster::{ClusterRecord, solver_versions};
use play::Stop;
use serde::Serialize;
use serving::{Admin, AdminOptions, Rate, Tls};

use super::driving::Driving;
use super::notes::Notes;
use super::{open, volunteers};
use crate::args::ProjectServe;
use crate::opening::{Opening, admin_file};
use crate::output::{Answer, Console};
use crate::progress::stop_on_interrupt;

#[derive(Serialize)]
struct ServingProjects<'a> {
    address: String,
    projects: &'a [String],
    door_only: bool,
    /// If it was made just now.
    #[serde(skip_serializing_if = "Option::is_none")]
    admin_token: Option<&'a str>,
}

/// The port by default.
const PORT: u16 = 8610;
/// How often it is looked whether there is something to tidy up, or all is done.
const LOOK: Duration = Duration::from_millis(500);
/// How often it is looked whether there are new projects.
const NEWS: Duration = Duration::from_secs(2);
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
    let listening = arguments.listening;
    // A proxy in front of it lets others in.
    let is_open = !listening.address().to_canonical().is_loopback() || !arguments.proxy.is_empty();
    let stop = stop_on_interrupt()?;
    let admin = Arc::new(Admin::new(AdminOptions {
        file: admin_file(&arguments.admin),
        is_open,
        is_encrypted: arguments.certificate.is_some() || !arguments.proxy.is_empty(),
    }));
    let server = start(&record, arguments, &admin)?;
    let opening = Opening::of(&arguments.admin, listening, is_open, console)?;
    let scheme = if arguments.certificate.is_some() { "https" } else { "http" };
    let address = server.addresses().first().map(SocketAddr::to_string).unwrap_or_default();
    let names: Vec<String> = projects.iter().map(|row| row.made_of.name.clone()).collect();
    let serving = ServingProjects {
        address: format!("{scheme}://{address}"),
        projects: &names,
        door_only: arguments.door_only,
        admin_token: opening.revealed(),
    };
    console.answer(&serving, |out| {
        writeln!(out, "workers come in at {}", serving.address)?;
        opening.show(out)?;
        if let Some(url) = &arguments.boinc.boinc {
            writeln!(out, "volunteers attach to {url}")?;
        }
        let projects = match names.is_empty() {
            true => "none yet".to_owned(),
            false => names.join(", "),
        };
        writeln!(out, "projects: {projects}; Ctrl-C ends it")
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
        return open_projects(record);
    }
    let named = |name: &String| Ok(record.expect_project(name)?);
    arguments.names.iter().map(named).collect()
}

fn open_projects(record: &ClusterRecord) -> Result<Vec<ProjectRow>> {
    let is_open =
        |row: &ProjectRow| !matches!(row.state, ProjectState::Solved | ProjectState::Cancelled);
    Ok(record.projects()?.into_iter().filter(is_open).collect())
}

fn start(
    record: &ClusterRecord,
    arguments: &ProjectServe,
    admin: &Arc<Admin>,
) -> Result<DoorServer> {
    let listening = arguments.listening;
    let listen = SocketAddr::new(listening.address(), listening.port().unwrap_or(PORT));
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
    let counters: Arc<DoorCounters> = Arc::default();
    let metrics = metrics_router(Metrics::new(record, &counters), admin);
    let more = match volunteers::door(record, arguments)? {
        Some(door) => metrics.reset_fallback().merge(door.router()),
        None => metrics,
    };
    let options =
        DoorOptions { tls, proxies, versions, limits, counters, ..DoorOptions::default() };
    let door = Arc::new(record.clone());
    Ok(DoorServer::start(vec![listener], door, options, more)?)
}

/// Drives all projects, each on a thread of its own, and works here where that was asked for. Without
/// names it looks for new projects, too.
fn drive(
    record: &ClusterRecord,
    arguments: &ProjectServe,
    projects: &[ProjectRow],
    stop: &Stop,
    console: &Console,
) -> Result<Answer> {
    let notes = Notes::new(console);
    let (mut purged, mut looked) = (Instant::now(), Instant::now());
    thread::scope(|scope| {
        let mut driving = Driving::new(scope, record, &notes, stop);
        for row in projects {
            driving.take_up(row)?;
        }
        while !stop.is_stopped() {
            driving.reap();
            if arguments.names.is_empty() && looked.elapsed() >= NEWS {
                looked = Instant::now();
                // A record that does not answer is told of by those who drive.
                driving.take_up_new(&open_projects(record).unwrap_or_default());
            }
            driving.work(arguments.threads.unwrap_or(u32::from(driving.wants_own())));
            if arguments.until_solved && driving.is_done() {
                break;
            }
            if purged.elapsed() >= PURGES {
                purged = Instant::now();
                if let Err(error) = record.purge(arguments.purge_days * 24 * 3600) {
                    notes.line(&format!("old rows were not deleted: {error}"));
                }
            }
            thread::sleep(LOOK);
        }
        driving.end()
    })
}

fn wait(stop: &Stop) -> Result<Answer> {
    while !stop.is_stopped() {
        thread::sleep(LOOK);
    }
    Ok(Answer::Yes)
}
