//! What volunteers see and change: their account, machines and results, teams, notices; all that is
//! kept of them, as one file, and its deletion. JSON, with the account key as
//! `Authorization: Bearer KEY`.

use axum::body::Body;
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use serving::{Client, single};

use super::door::{BoincDoor, Inside, plain};
use super::reply::credits;
use super::xml::{XmlText, escaped};
use crate::record::{
    AccountChange, AccountRow, CreditRow, RecordError, ResultOutcome, TeamAccount, VolunteerHost,
    VolunteerResult, averaged,
};

/// Bodies have at most so many bytes.
const LARGEST_CHANGE: usize = 16 << 10;
const MOST_RESULTS: u32 = 1000;
const MOST_NOTICES: u32 = 20;

#[derive(Serialize)]
struct CreditJson {
    total: f64,
    average: f64,
}

#[derive(Serialize)]
struct AccountJson {
    id: u64,
    name: String,
    cpid: String,
    email_hash: String,
    statistics: bool,
    resource_share: f64,
    preferences: String,
    team: Option<u64>,
    credit: CreditJson,
    created: u64,
}

#[derive(Serialize)]
struct HostJson {
    id: u64,
    name: String,
    platform: String,
    system: String,
    processor: String,
    processors: u32,
    flops: f64,
    memory: f64,
    client: String,
    seen: u64,
    daily_quota: u32,
    credit: CreditJson,
    created: u64,
}

#[derive(Serialize)]
struct ResultJson {
    name: String,
    unit: String,
    host: u64,
    sent: u64,
    deadline: u64,
    reported: Option<u64>,
    state: &'static str,
    progress: Option<f64>,
    credit: f64,
}

#[derive(Serialize)]
struct TeamJson {
    id: u64,
    name: String,
    url: String,
    about: String,
    users: u64,
    credit: CreditJson,
    created: u64,
}

#[derive(Serialize)]
struct ExportJson {
    account: AccountJson,
    hosts: Vec<HostJson>,
    results: Vec<ResultJson>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ChangeJson {
    name: Option<String>,
    statistics: Option<bool>,
    resource_share: Option<f64>,
    preferences: Option<String>,
}

#[derive(Deserialize)]
struct NewTeamJson {
    name: String,
    #[serde(default)]
    url: String,
    #[serde(default)]
    about: String,
}

#[derive(Deserialize)]
struct JoinJson {
    team: Option<u64>,
}

fn credit_json(credit: &CreditRow, now: u64) -> CreditJson {
    let average = credits(averaged(credit.average, credit.at, now));
    CreditJson { total: credits(credit.total as f64), average }
}

fn account_json(row: AccountRow, now: u64) -> AccountJson {
    AccountJson {
        id: row.user,
        name: row.shown,
        cpid: row.cpid,
        email_hash: row.email_hash,
        statistics: row.exports,
        resource_share: row.share,
        preferences: row.preferences,
        team: row.team,
        credit: credit_json(&row.credit, now),
        created: row.created,
    }
}

fn host_json(row: VolunteerHost, now: u64) -> HostJson {
    let told = row.told;
    HostJson {
        id: row.id,
        name: told.shown,
        platform: told.platform,
        system: told.system,
        processor: told.processor,
        processors: told.processors,
        flops: told.flops,
        memory: told.memory,
        client: told.client,
        seen: row.seen,
        daily_quota: row.quota,
        credit: credit_json(&row.credit, now),
        created: row.created,
    }
}

/// Nothing of what others answered is shown while a unit is open.
fn result_json(row: VolunteerResult, now: u64) -> ResultJson {
    let state = match (row.outcome, row.verdict) {
        (_, Some(0)) => "valid",
        (_, Some(4)) if row.credit > 0 => "valid",
        (_, Some(1 | 4)) => "invalid",
        (Some(ResultOutcome::Delivered), _) => "pending",
        (Some(ResultOutcome::Failed), _) => "failed",
        (Some(ResultOutcome::Aborted), _) => "aborted",
        (Some(ResultOutcome::Lost), _) => "lost",
        (Some(ResultOutcome::Refused), _) => "refused",
        (None, _) if row.deadline < now => "late",
        (None, _) => "in progress",
    };
    ResultJson {
        name: row.name,
        unit: row.unit.to_string(),
        host: row.host,
        sent: row.sent,
        deadline: row.deadline,
        reported: row.reported,
        state,
        progress: row.progress,
        credit: credits(row.credit as f64),
    }
}

fn team_json(row: TeamAccount, now: u64) -> TeamJson {
    TeamJson {
        id: row.id,
        name: row.name,
        url: row.url,
        about: row.about,
        users: row.users,
        credit: credit_json(&row.credit, now),
        created: row.created,
    }
}

/// Somebody with an account key, whosever it is.
pub(super) struct KeyHolder {
    client: Client,
    key: String,
}

impl FromRequestParts<BoincDoor> for KeyHolder {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, _: &BoincDoor) -> Result<KeyHolder, Response> {
        let client = parts.extensions.get::<Client>().copied();
        let key = single(&parts.headers, &header::AUTHORIZATION)
            .and_then(|line| line.strip_prefix("Bearer "))
            .map(|key| key.trim().to_owned());
        match (client, key) {
            (Some(client), Some(key)) => Ok(KeyHolder { client, key }),
            _ => Err(refused(StatusCode::UNAUTHORIZED, "Authorization: Bearer KEY is missing")),
        }
    }
}

impl BoincDoor {
    /// Does something for whoever has this key.
    async fn for_account<T: Serialize + Send + 'static>(
        &self,
        holder: KeyHolder,
        work: impl FnOnce(&Inside, AccountRow, u64) -> Result<T, RecordError> + Send + 'static,
    ) -> Response {
        let KeyHolder { client, key } = holder;
        let called = self.call(client, move |inside, _| {
            let record = &inside.scheduler.record;
            let Some(account) = record.account(&key)? else { return Ok(None) };
            let now = record.now()?;
            work(inside, account, now).map(Some)
        });
        match called.await {
            Some(Ok(Some(answer))) => Json(answer).into_response(),
            Some(Ok(None)) => match self.0.guesses.take(client.network) {
                Ok(()) => refused(StatusCode::UNAUTHORIZED, "this account key is not known here"),
                Err(often) => refused(StatusCode::TOO_MANY_REQUESTS, &often.to_string()),
            },
            Some(Err(RecordError::Account(error))) => {
                refused(StatusCode::BAD_REQUEST, &error.to_string())
            }
            Some(Err(error)) => {
                tracing::warn!(%error, "the record does not answer a volunteer");
                refused(StatusCode::SERVICE_UNAVAILABLE, "please come back later")
            }
            None => refused(StatusCode::SERVICE_UNAVAILABLE, "too many ask at once"),
        }
    }

    async fn read_json<T: for<'j> Deserialize<'j>>(
        &self,
        client: Client,
        headers: &HeaderMap,
        body: Body,
    ) -> Result<T, Response> {
        let (bytes, _room) = self.read(client, headers, body, LARGEST_CHANGE).await?;
        serde_json::from_slice(&bytes)
            .map_err(|error| refused(StatusCode::BAD_REQUEST, &game::shown(&error.to_string())))
    }
}

fn refused(status: StatusCode, words: &str) -> Response {
    (status, Json(serde_json::json!({ "error": words }))).into_response()
}

pub(super) async fn account(State(door): State<BoincDoor>, holder: KeyHolder) -> Response {
    door.for_account(holder, |_, row, now| Ok(account_json(row, now))).await
}

pub(super) async fn change(
    State(door): State<BoincDoor>,
    holder: KeyHolder,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let change: ChangeJson = match door.read_json(holder.client, &headers, body).await {
        Ok(change) => change,
        Err(refusal) => return refusal,
    };
    let changed = move |inside: &Inside, row: AccountRow, now| {
        let ChangeJson { name, statistics, resource_share, preferences } = change;
        let share = resource_share.filter(|share| share.is_finite());
        let change = AccountChange { shown: name, exports: statistics, share, preferences };
        let record = &inside.scheduler.record;
        record.change_account(row.user, &change)?;
        let AccountChange { shown, exports, share, preferences } = change;
        let row = AccountRow {
            shown: shown.unwrap_or(row.shown),
            exports: exports.unwrap_or(row.exports),
            share: share.unwrap_or(row.share),
            preferences: preferences.unwrap_or(row.preferences),
            ..row
        };
        Ok(account_json(row, now))
    };
    door.for_account(holder, changed).await
}

pub(super) async fn delete(State(door): State<BoincDoor>, holder: KeyHolder) -> Response {
    let deleted = |inside: &Inside, row: AccountRow, _| {
        inside.scheduler.record.delete_account(row.user)?;
        Ok(serde_json::json!({ "deleted": true }))
    };
    door.for_account(holder, deleted).await
}

impl Inside {
    fn hosts_json(&self, user: u64, now: u64) -> Result<Vec<HostJson>, RecordError> {
        let rows = self.scheduler.record.volunteer_hosts(Some(user))?;
        Ok(rows.into_iter().map(|row| host_json(row, now)).collect())
    }

    fn results_json(&self, user: u64, now: u64) -> Result<Vec<ResultJson>, RecordError> {
        let rows = self.scheduler.record.results_of_user(user, MOST_RESULTS)?;
        Ok(rows.into_iter().map(|row| result_json(row, now)).collect())
    }
}

pub(super) async fn hosts(State(door): State<BoincDoor>, holder: KeyHolder) -> Response {
    door.for_account(holder, |inside, row, now| inside.hosts_json(row.user, now)).await
}

pub(super) async fn results(State(door): State<BoincDoor>, holder: KeyHolder) -> Response {
    door.for_account(holder, |inside, row, now| inside.results_json(row.user, now)).await
}

pub(super) async fn export(State(door): State<BoincDoor>, holder: KeyHolder) -> Response {
    let exported = |inside: &Inside, row: AccountRow, now| {
        let user = row.user;
        Ok(ExportJson {
            account: account_json(row, now),
            hosts: inside.hosts_json(user, now)?,
            results: inside.results_json(user, now)?,
        })
    };
    door.for_account(holder, exported).await
}

pub(super) async fn teams(
    State(door): State<BoincDoor>,
    Extension(client): Extension<Client>,
) -> Response {
    let found = door.call(client, |inside, _| {
        let record = &inside.scheduler.record;
        let now = record.now()?;
        let teams = record.team_accounts()?;
        Ok::<_, RecordError>(teams.into_iter().map(|row| team_json(row, now)).collect::<Vec<_>>())
    });
    match found.await {
        Some(Ok(teams)) => Json(teams).into_response(),
        _ => refused(StatusCode::SERVICE_UNAVAILABLE, "please come back later"),
    }
}

pub(super) async fn create_team(
    State(door): State<BoincDoor>,
    holder: KeyHolder,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let new: NewTeamJson = match door.read_json(holder.client, &headers, body).await {
        Ok(new) => new,
        Err(refusal) => return refusal,
    };
    let made = move |inside: &Inside, row: AccountRow, _| {
        let NewTeamJson { name, url, about } = new;
        let team = inside.scheduler.record.create_team(row.user, &name, &url, &about)?;
        Ok(serde_json::json!({ "team": team }))
    };
    door.for_account(holder, made).await
}

pub(super) async fn join_team(
    State(door): State<BoincDoor>,
    holder: KeyHolder,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let JoinJson { team } = match door.read_json(holder.client, &headers, body).await {
        Ok(join) => join,
        Err(refusal) => return refusal,
    };
    let joined = move |inside: &Inside, row: AccountRow, _| {
        inside.scheduler.record.join_team(row.user, team)?;
        Ok(serde_json::json!({ "team": team }))
    };
    door.for_account(holder, joined).await
}

/// Notices as RSS, which clients show.
pub(super) async fn notices(
    State(door): State<BoincDoor>,
    Extension(client): Extension<Client>,
) -> Response {
    let found = door.call(client, |inside, _| inside.scheduler.record.notices(MOST_NOTICES)).await;
    let Some(Ok(rows)) = found else {
        return plain(StatusCode::SERVICE_UNAVAILABLE, "please come back later");
    };
    let options = &door.0.scheduler.options;
    let mut text = XmlText::default();
    text.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>").raw("<rss version=\"2.0\">");
    text.open("channel").value("title", &options.name).value("link", &options.url);
    text.value("description", format!("Notices of {}", options.name));
    for row in rows {
        text.open("item").value("title", row.title).value("description", row.words);
        text.value("link", &options.url);
        let guid = escaped(&format!("{}notice/{}", options.url, row.id));
        text.raw(&format!("<guid isPermaLink=\"false\">{guid}</guid>"));
        text.value("pubDate", rfc_2822(row.made)).close("item");
    }
    text.close("channel");
    let feed = text.finish("rss");
    ([(header::CONTENT_TYPE, "application/rss+xml; charset=utf-8")], feed).into_response()
}

/// `Wed, 18 Nov 2026 05:43:03 +0000`.
fn rfc_2822(seconds: u64) -> String {
    const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Years begin in March, so that the leap day is the last: Hinnant, "chrono-compatible
    // low-level date algorithms".
    let shifted = days + 719_468;
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 2 } else { month - 10 };
    let year = year_of_era + era * 400 + u64::from(month < 2);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    let (weekday, month) = (DAYS[(days % 7) as usize], MONTHS[month as usize]);
    format!("{weekday}, {day:02} {month} {year} {hour:02}:{minute:02}:{second:02} +0000")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_written_as_mail_has_them() {
        for (seconds, right) in [
            (0, "Thu, 01 Jan 1970 00:00:00 +0000"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 +0000"),
            (1_794_980_583, "Wed, 18 Nov 2026 05:43:03 +0000"),
            (4_102_444_799, "Thu, 31 Dec 2099 23:59:59 +0000"),
        ] {
            assert_eq!(rfc_2822(seconds), right);
        }
    }
}
