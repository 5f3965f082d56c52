//! Statistics as BOINC's statistics sites fetch them: users, machines and teams, of those who have
//! said that they may be shown.

use std::collections::HashSet;
use std::io::Write;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Extension;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use serving::Client;

use super::door::{BoincDoor, Inside, plain};
use super::reply::credits;
use super::xml::XmlText;
use crate::record::{AccountRow, CreditRow, RecordError, TeamAccount, VolunteerHost, averaged};

/// The files, made anew now and then.
#[derive(Debug)]
pub(super) struct StatisticsCache {
    fresh: Duration,
    made: Mutex<Option<(Instant, Files)>>,
}

type Files = Vec<(&'static str, Bytes)>;

impl StatisticsCache {
    pub(super) fn new(fresh: Duration) -> StatisticsCache {
        StatisticsCache { fresh, made: Mutex::default() }
    }
}

pub(super) async fn serve(
    State(door): State<BoincDoor>,
    Extension(client): Extension<Client>,
    Path(file): Path<String>,
) -> Response {
    let found = door.call(client, move |inside, _| inside.statistics_file(&file)).await;
    match found {
        Some(Ok(Some((name, bytes)))) => {
            let kind = if name.ends_with(".gz") { "application/gzip" } else { "text/xml" };
            ([(header::CONTENT_TYPE, kind)], bytes).into_response()
        }
        Some(Ok(None)) => plain(StatusCode::NOT_FOUND, "there is no such file"),
        Some(Err(_)) | None => plain(StatusCode::SERVICE_UNAVAILABLE, "please come back later"),
    }
}

impl Inside {
    /// A file, and what it is called.
    fn statistics_file(&self, file: &str) -> Result<Option<(&'static str, Bytes)>, RecordError> {
        // Whoever comes while they are made waits for them.
        let mut made = self.statistics.made.lock().unwrap_or_else(PoisonError::into_inner);
        let is_fresh = made.as_ref().is_some_and(|(at, _)| at.elapsed() < self.statistics.fresh);
        if !is_fresh {
            *made = Some((Instant::now(), self.make_statistics()?));
        }
        let files = made.as_ref().map(|(_, files)| files);
        let known = files.and_then(|files| files.iter().find(|(name, _)| *name == file));
        Ok(known.cloned())
    }

    fn make_statistics(&self) -> Result<Files, RecordError> {
        let record = &self.scheduler.record;
        let now = record.now()?;
        let users = record.accounts(true)?;
        let shown: HashSet<u64> = users.iter().map(|user| user.user).collect();
        let mut hosts = record.volunteer_hosts(None)?;
        hosts.retain(|host| shown.contains(&host.user));
        let teams = record.team_accounts()?;
        let (versions, position) = (record.app_versions()?, now);
        let mut tables = XmlText::new("tables");
        tables.value("update_time", position);
        tables.value("nusers_total", users.len()).value("nteams_total", teams.len());
        tables.value("nhosts_total", hosts.len());
        let total: u64 = users.iter().map(|user| user.credit.total).sum();
        tables.value("total_credit", format!("{:.6}", credits(total as f64)));
        tables.open("applications");
        for version in versions.iter().filter(|version| !version.superseded) {
            tables.open("application").value("name", &version.app);
            tables.value("platform", &version.platform).close("application");
        }
        tables.close("applications");
        Ok(vec![
            ("tables.xml", tables.finish("tables").into()),
            ("user.gz", zipped("users", users.iter(), |text, user| user_row(text, user, now))),
            ("host.gz", zipped("hosts", hosts.iter(), |text, host| host_row(text, host, now))),
            ("team.gz", zipped("teams", teams.iter(), |text, team| team_row(text, team, now))),
        ])
    }
}

fn zipped<'r, R: 'r>(
    name: &str,
    rows: impl Iterator<Item = &'r R>,
    write: impl Fn(&mut XmlText, &R),
) -> Bytes {
    let mut text = XmlText::new(name);
    rows.for_each(|row| write(&mut text, row));
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    // A vector takes everything.
    let written = encoder.write_all(text.finish(name).as_bytes()).and_then(|()| encoder.finish());
    written.unwrap_or_default().into()
}

fn credit(text: &mut XmlText, credit: &CreditRow, now: u64) {
    text.value("total_credit", format!("{:.6}", credits(credit.total as f64)));
    let average = credits(averaged(credit.average, credit.at, now));
    text.value("expavg_credit", format!("{average:.6}")).value("expavg_time", now);
}

fn user_row(text: &mut XmlText, user: &AccountRow, now: u64) {
    text.open("user").value("id", user.user).value("name", &user.shown);
    text.value("country", "International").value("create_time", user.created);
    credit(text, &user.credit, now);
    text.value("cpid", &user.cpid);
    if let Some(team) = user.team {
        text.value("teamid", team);
    }
    text.close("user");
}

fn host_row(text: &mut XmlText, host: &VolunteerHost, now: u64) {
    let told = &host.told;
    text.open("host").value("id", host.id).value("userid", host.user);
    credit(text, &host.credit, now);
    text.value("p_model", &told.processor).value("os_name", &told.system);
    text.value("p_ncpus", told.processors).value("p_fpops", format!("{:.0}", told.flops));
    text.value("m_nbytes", format!("{:.0}", told.memory)).value("create_time", host.created);
    text.value("rpc_time", host.seen).value("host_cpid", &told.cpid).close("host");
}

fn team_row(text: &mut XmlText, team: &TeamAccount, now: u64) {
    text.open("team").value("id", team.id).value("type", 1).value("name", &team.name);
    text.value("userid", team.founder.unwrap_or(0));
    credit(text, &team.credit, now);
    text.value("nusers", team.users).value("create_time", team.created);
    text.value("url", &team.url).value("description", &team.about).close("team");
}
