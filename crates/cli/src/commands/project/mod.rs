//! `zermelo project`: solving on many machines, seen by whoever runs it.

mod apps;
mod create;
mod driving;
mod notes;
mod people;
mod proof;
mod serve;
mod status;
mod units;
mod volunteers;

use anyhow::{Context, Result};
use cluster::ClusterRecord;
use cluster::record::ProjectState;
use serde::Serialize;

use crate::args::{
    AccountCommand, Project, ProjectCommand, ProjectNamed, ProjectPlace, TokenCommand, UnitCommand,
};
use crate::output::{Answer, Console};

/// Does what was asked.
pub(crate) fn run(arguments: &Project, console: &Console) -> Result<Answer> {
    match &arguments.command {
        ProjectCommand::Create(create) => create::run(create, console),
        ProjectCommand::List(place) => status::list(place, console),
        ProjectCommand::Serve(serve) => serve::run(serve, console),
        ProjectCommand::Status(project) => status::run(project, console),
        ProjectCommand::Pause(project) => set_state(project, ProjectState::Paused, console),
        ProjectCommand::Resume(project) => set_state(project, ProjectState::Running, console),
        ProjectCommand::Cancel(project) => set_state(project, ProjectState::Cancelled, console),
        ProjectCommand::Unit(unit) => match &unit.command {
            UnitCommand::List(list) => units::list(list, console),
            UnitCommand::Add(add) => units::add(add, console),
        },
        ProjectCommand::Token(token) => match &token.command {
            TokenCommand::Create(create) => people::create_token(create, console),
            TokenCommand::Revoke(revoke) => people::revoke_token(revoke, console),
        },
        ProjectCommand::Audit(project) => proof::audit(project, console),
        ProjectCommand::Log(log) => status::log(log, console),
        ProjectCommand::User(user) => people::users(user, console),
        ProjectCommand::Team(team) => people::teams(team, console),
        ProjectCommand::Export(export) => proof::export(export, console),
        ProjectCommand::Backup(backup) => proof::backup(backup, console),
        ProjectCommand::Restore(restore) => proof::restore(restore, console),
        ProjectCommand::App(app) => apps::run(app, console),
        ProjectCommand::Purge(purge) => people::purge(purge, console),
        ProjectCommand::Account(account) => match &account.command {
            AccountCommand::Create(create) => volunteers::create_account(create, console),
        },
        ProjectCommand::Notice(notice) => volunteers::notice(notice, console),
    }
}

/// Opens a record, which is made if there is none.
fn open(place: &ProjectPlace) -> Result<ClusterRecord> {
    ClusterRecord::open(&place.store.0).context("the record cannot be opened")
}

#[derive(Serialize)]
struct StateChange<'a> {
    name: &'a str,
    state: String,
}

fn set_state(project: &ProjectNamed, state: ProjectState, console: &Console) -> Result<Answer> {
    let record = open(&project.place)?;
    let row = record.expect_project(&project.name)?;
    let is_over = matches!(row.state, ProjectState::Solved | ProjectState::Cancelled);
    anyhow::ensure!(!is_over, "project {} is {}, and stays so", project.name, row.state);
    record.set_state(row.id, state)?;
    let change = StateChange { name: &project.name, state: state.to_string() };
    console.answer(&change, |out| writeln!(out, "project {} is {}", change.name, change.state))
}
