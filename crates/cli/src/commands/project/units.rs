//! Units: what came of them, and one by hand.

use anyhow::{Result, anyhow, ensure};
use cluster::record::FailedAttempt;
use game::{escaped, shown};
use serde::Serialize;
use solve::message::Unit;

use super::open;
use crate::args::{UnitAdd, UnitList};
use crate::files;
use crate::output::{Answer, Console, counted};

#[derive(Serialize)]
struct UnitLine {
    id: String,
    position: String,
    at_least: i32,
    budget: u64,
    open: bool,
    wanted: u32,
    attempts: u32,
    live: u32,
    trusted_only: bool,
    /// Why attempts failed, a word each.
    failures: Vec<String>,
    /// The same attempts, with what their programs said.
    errors: Vec<ErrorLine>,
}

#[derive(Serialize)]
struct ErrorLine {
    attempt: u32,
    user: String,
    machine: Option<String>,
    failure: String,
    error: Option<String>,
}

impl From<FailedAttempt> for ErrorLine {
    fn from(failed: FailedAttempt) -> ErrorLine {
        let FailedAttempt { attempt, user, host, failure, error } = failed;
        ErrorLine { attempt, user, machine: host, failure, error }
    }
}

/// So many failures set a unit aside.
const SET_ASIDE: usize = 3;

/// So many lines are shown of what a program said; `--json` has them all.
const MOST_LINES: usize = 20;

/// Lists units with what came of them.
pub(super) fn list(arguments: &UnitList, console: &Console) -> Result<Answer> {
    let record = open(&arguments.project.place)?;
    let project = record.expect_project(&arguments.project.name)?;
    let game = catalog::open(&project.made_of.game)?;
    let rules = game.solver_rules(&project.made_of.position)?;
    let mut lines = Vec::new();
    for row in record.newest_units(project.id, arguments.most, arguments.failed)? {
        let Ok(unit) = Unit::decode(&row.bytes) else { continue };
        lines.push(UnitLine {
            id: row.id.to_string(),
            position: rules.text(&unit.node).unwrap_or_else(|_| unit.node.to_string()),
            at_least: unit.question.at_least,
            budget: unit.budget,
            open: row.open,
            wanted: row.wanted,
            attempts: row.attempts,
            live: row.live,
            trusted_only: row.trusted_only,
            failures: row.failures.iter().map(|failed| failed.failure.clone()).collect(),
            errors: row.failures.into_iter().map(ErrorLine::from).collect(),
        });
    }
    console.answer(&lines, |out| {
        lines.iter().try_for_each(|line| {
            let UnitLine { id, position, at_least, attempts, .. } = line;
            let state = match (line.open, line.live) {
                (false, _) => "done",
                (true, 0) if line.errors.len() >= SET_ASIDE => "aside",
                (true, 0) => "ready",
                (true, _) => "leased",
            };
            writeln!(
                out,
                "{id:<14} {state:<7} at least {at_least}? {position}, {attempts} attempts"
            )?;
            line.errors.iter().try_for_each(|failed| {
                let ErrorLine { attempt, user, failure, .. } = failed;
                let machine = failed.machine.as_deref().map(shown).unwrap_or_default();
                writeln!(out, "    attempt {attempt} by {user} {machine}: {failure}")?;
                let said = failed.error.as_deref().unwrap_or_default();
                said.lines()
                    .take(MOST_LINES)
                    .try_for_each(|said| writeln!(out, "        {}", escaped(said)))
            })
        })
    })
}

#[derive(Serialize)]
struct Added {
    added: usize,
    duplicates: usize,
}

/// Asks the project's question about positions of one's own, before all others.
pub(super) fn add(arguments: &UnitAdd, console: &Console) -> Result<Answer> {
    let record = open(&arguments.project.place)?;
    let project = record.expect_project(&arguments.project.name)?;
    let game = catalog::open(&project.made_of.game)?;
    let rules = game.solver_rules(&project.made_of.position)?;
    let mut texts = arguments.position.clone();
    if let Some(file) = &arguments.positions {
        let is_position = |line: &&str| !line.is_empty() && !line.starts_with('#');
        texts.extend(
            files::read(file)?.lines().map(str::trim).filter(is_position).map(str::to_owned),
        );
    }
    ensure!(!texts.is_empty(), "--position P or --positions FILE says which");
    let mut names = Vec::new();
    for text in &texts {
        names.push(rules.read(text).map_err(|error| anyhow!("position {error}"))?);
    }
    let added = record.add_wishes(project.id, &names)?;
    let answer = Added { added, duplicates: texts.len() - added };
    console.answer(&answer, |out| {
        let Added { added, duplicates } = answer;
        writeln!(out, "{} added, {duplicates} were there already", counted(added, "unit"))
    })
}
