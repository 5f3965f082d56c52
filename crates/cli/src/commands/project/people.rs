//! Users, their tokens and machines.

use anyhow::{Result, ensure};
use cluster::ClusterRecord;
use serde::Serialize;

use super::open;
use crate::args::{ProjectPurge, ProjectTeam, ProjectUser, TokenCreate, TokenRevoke};
use crate::output::{Answer, Console, counted};

#[derive(Serialize)]
struct NewToken<'a> {
    user: &'a str,
    trusted: bool,
    token: &'a str,
}

/// Makes a token, which is shown once.
pub(super) fn create_token(arguments: &TokenCreate, console: &Console) -> Result<Answer> {
    let record = open(&arguments.place)?;
    let TokenCreate { user, trusted, team, .. } = arguments;
    let token = record.create_token(user, *trusted)?;
    if let Some(team) = team {
        record.set_team(user, team)?;
    }
    let made = NewToken { user, trusted: *trusted, token: token.reveal() };
    console.answer(&made, |out| {
        writeln!(out, "{}", made.token)?;
        writeln!(out, "That is the token of {user}; it is shown this once.")
    })
}

#[derive(Serialize)]
struct Revoked {
    revoked: bool,
}

/// Makes a token worthless.
pub(super) fn revoke_token(arguments: &TokenRevoke, console: &Console) -> Result<Answer> {
    let revoked = open(&arguments.place)?.revoke_token(&arguments.token.0)?;
    ensure!(revoked, "this token is not known, or was revoked before");
    console.answer(&Revoked { revoked }, |out| writeln!(out, "the token is worth nothing now"))
}

#[derive(Serialize)]
struct UserLine {
    name: String,
    team: Option<String>,
    trusted: bool,
    revoked: bool,
    valid: u64,
    invalid: u64,
    failed: u64,
    pending: u64,
    credit: u64,
}

#[derive(Serialize)]
struct HostLine {
    name: String,
    user: String,
    seen: u64,
    today: u32,
    errors: u32,
    quota: u32,
    live: u32,
    valid: u64,
    invalid: u64,
    credit: u64,
}

#[derive(Serialize)]
struct TeamLine {
    name: String,
    users: u64,
    valid: u64,
    invalid: u64,
    credit: u64,
}

#[derive(Serialize)]
struct RevokedUser<'a> {
    revoked: &'a str,
    facts: u64,
}

/// Lists users or machines, or revokes a user.
pub(super) fn users(arguments: &ProjectUser, console: &Console) -> Result<Answer> {
    let record = open(&arguments.place)?;
    if let Some(name) = &arguments.revoke {
        let facts = record.revoke_user(name)?;
        return console.answer(&RevokedUser { revoked: name, facts }, |out| {
            let facts = counted(facts, "fact");
            writeln!(out, "user {name} is revoked; {facts} rested on too few others and went")
        });
    }
    if arguments.hosts {
        let hosts: Vec<HostLine> = record
            .host_rows()?
            .into_iter()
            .map(|host| HostLine {
                name: host.name,
                user: host.user,
                seen: host.seen,
                today: host.today,
                errors: host.errors,
                quota: host.quota,
                live: host.live,
                valid: host.valid,
                invalid: host.invalid,
                credit: host.credit,
            })
            .collect();
        return console.answer(&hosts, |out| {
            writeln!(
                out,
                "{:<24} {:<16} {:>6} {:>6} {:>7} {:>7} {:>8} {:>8} {:>16}",
                "machine",
                "user",
                "works",
                "today",
                "errors",
                "quota",
                "valid",
                "invalid",
                "credit"
            )?;
            hosts.iter().try_for_each(|host| {
                let HostLine { name, user, today, errors, quota, live, .. } = host;
                let HostLine { valid, invalid, credit, .. } = host;
                writeln!(
                    out,
                    "{name:<24} {user:<16} {live:>6} {today:>6} {errors:>7} {quota:>7} {valid:>8} \
                     {invalid:>8} {credit:>16}"
                )
            })
        });
    }
    let project = project_number(&record, arguments.project.as_deref())?;
    let users: Vec<UserLine> = record
        .user_rows(project)?
        .into_iter()
        .map(|user| UserLine {
            name: user.name,
            team: user.team,
            trusted: user.trusted,
            revoked: user.revoked,
            valid: user.valid,
            invalid: user.invalid,
            failed: user.failed,
            pending: user.pending,
            credit: user.credit,
        })
        .collect();
    console.answer(&users, |out| {
        writeln!(
            out,
            "{:<24} {:<16} {:>8} {:>8} {:>8} {:>8} {:>16}",
            "user", "team", "valid", "invalid", "failed", "pending", "credit"
        )?;
        users.iter().try_for_each(|user| {
            let UserLine { name, valid, invalid, failed, pending, credit, .. } = user;
            let team = user.team.as_deref().unwrap_or("");
            let mark = match (user.revoked, user.trusted) {
                (true, _) => " (revoked)",
                (_, true) => " (trusted)",
                _ => "",
            };
            writeln!(
                out,
                "{name:<24} {team:<16} {valid:>8} {invalid:>8} {failed:>8} {pending:>8} \
                 {credit:>16}{mark}"
            )
        })
    })
}

fn project_number(record: &ClusterRecord, name: Option<&str>) -> Result<Option<u32>> {
    let number = |name: &str| record.expect_project(name).map(|row| row.id);
    Ok(name.map(number).transpose()?)
}

/// Lists teams with what they have done.
pub(super) fn teams(arguments: &ProjectTeam, console: &Console) -> Result<Answer> {
    let record = open(&arguments.place)?;
    let project = project_number(&record, arguments.project.as_deref())?;
    let teams: Vec<TeamLine> = record
        .team_rows(project)?
        .into_iter()
        .map(|team| TeamLine {
            name: team.name,
            users: team.users,
            valid: team.valid,
            invalid: team.invalid,
            credit: team.credit,
        })
        .collect();
    console.answer(&teams, |out| {
        writeln!(
            out,
            "{:<24} {:>8} {:>8} {:>8} {:>16}",
            "team", "users", "valid", "invalid", "credit"
        )?;
        teams.iter().try_for_each(|team| {
            let TeamLine { name, users, valid, invalid, credit } = team;
            writeln!(out, "{name:<24} {users:>8} {valid:>8} {invalid:>8} {credit:>16}")
        })
    })
}

#[derive(Serialize)]
struct PurgedRows {
    units: u64,
    hosts: u64,
    lemmas: u64,
}

/// Deletes what has been done with for long.
pub(super) fn purge(arguments: &ProjectPurge, console: &Console) -> Result<Answer> {
    let purged = open(&arguments.place)?.purge(arguments.days * 24 * 3600)?;
    let rows = PurgedRows { units: purged.units, hosts: purged.hosts, lemmas: purged.lemmas };
    console.answer(&rows, |out| {
        let PurgedRows { units, hosts, lemmas } = &rows;
        writeln!(out, "deleted: {units} units, {hosts} machines, {lemmas} files of proofs")
    })
}
