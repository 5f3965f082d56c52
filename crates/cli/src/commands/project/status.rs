//! How projects stand, and what was logged.

use anyhow::Result;
use cluster::record::{ProjectRow, ProjectState, ProjectStatus};
use game::Points;
use play::record::Date;
use serde::Serialize;
use serde_json::Number;
use solve::{Bounds, Goal};

use super::open;
use crate::args::{ProjectLog, ProjectNamed, ProjectPlace};
use crate::output::{Answer, Console, number};

/// How a project stands, for scripts. Margins are the first player's, in points.
#[derive(Serialize)]
struct StatusLine {
    name: String,
    game: String,
    position: String,
    question: String,
    state: String,
    lower: Option<Number>,
    upper: Option<Number>,
    proved: bool,
    certified: bool,
    quorum: u32,
    share: u32,
    units: UnitsLine,
    facts: u64,
    facts_of_one: u64,
    facts_trusted: u64,
    nodes: u64,
    stored_nodes: u64,
    lemmas: u64,
    credit: u64,
    users: u64,
    seconds: f64,
    created: u64,
}

#[derive(Serialize)]
struct UnitsLine {
    ready: u64,
    leased: u64,
    done: u64,
    invalid: u64,
    pending: u64,
    poison: u64,
}

/// Shows how a project stands.
pub(super) fn run(project: &ProjectNamed, console: &Console) -> Result<Answer> {
    let record = open(&project.place)?;
    let status = record.status(&project.name)?;
    let certified = record.file(status.project.id, cluster::project::ROOT_FILE)?.is_some();
    let line = line(status, certified)?;
    console.answer(&line, |out| {
        let StatusLine { name, question, game, state, units, .. } = &line;
        writeln!(out, "{name}: {question} of {game}, {state}")?;
        let bound =
            |bound: &Option<Number>| bound.as_ref().map_or("?".to_owned(), Number::to_string);
        let how = match (line.proved, line.certified) {
            (true, true) => ", certified",
            (true, false) if line.state == "solved" => ", by quorum",
            _ => "",
        };
        writeln!(out, "margin     {} to {}{how}", bound(&line.lower), bound(&line.upper))?;
        let UnitsLine { ready, leased, done, invalid, pending, poison } = units;
        writeln!(out, "units      {ready} ready, {leased} leased, {pending} pending, {done} done")?;
        writeln!(out, "results    {invalid} invalid, {poison} units set aside")?;
        let StatusLine { facts, stored_nodes, nodes, lemmas, .. } = &line;
        writeln!(out, "found      {facts} facts, {stored_nodes} positions kept, {lemmas} lemmas")?;
        writeln!(out, "spent      {nodes} nodes by {} users", line.users)
    })
}

fn line(status: ProjectStatus, certified: bool) -> Result<StatusLine> {
    let ProjectStatus { project, units, facts, facts_trusted, facts_of_one, .. } = status;
    let ProjectRow { made_of, state, bounds, nodes, seconds, created, .. } = project;
    let game = catalog::open(&made_of.game)?;
    let facts_of_game = game.facts();
    let goal: Goal = made_of.goal.parse()?;
    let limit = game.solver_rules(&made_of.position)?.margin_limit();
    let bounds = bounds.unwrap_or(Bounds { lower: -limit, upper: limit });
    let proved = match goal {
        Goal::Value => bounds.exact().is_some(),
        Goal::Outcome => bounds.outcome().is_some(),
        Goal::AtLeast(margin) => bounds.answer(margin).is_some(),
    };
    let (lower, upper) = bounds.proved(limit);
    let points = |margin: Option<i32>| {
        margin.and_then(|margin| number(Points::new(margin, facts_of_game.margin_scale)))
    };
    Ok(StatusLine {
        name: made_of.name,
        game: made_of.game,
        position: made_of.position,
        question: made_of.goal,
        state: state.to_string(),
        lower: points(lower),
        upper: points(upper),
        proved,
        certified: certified && state == ProjectState::Solved,
        quorum: made_of.quorum,
        share: made_of.share,
        units: UnitsLine {
            ready: units.ready,
            leased: units.leased,
            done: units.done,
            invalid: units.invalid,
            pending: units.pending,
            poison: units.poison,
        },
        facts,
        facts_of_one,
        facts_trusted,
        nodes,
        stored_nodes: status.nodes,
        lemmas: status.lemmas,
        credit: status.credit,
        users: status.users,
        seconds,
        created,
    })
}

#[derive(Serialize)]
struct ListLine {
    name: String,
    game: String,
    question: String,
    state: String,
    share: u32,
}

/// Lists all projects.
pub(super) fn list(place: &ProjectPlace, console: &Console) -> Result<Answer> {
    let projects: Vec<ListLine> = open(place)?
        .projects()?
        .into_iter()
        .map(|ProjectRow { made_of, state, .. }| ListLine {
            name: made_of.name,
            game: made_of.game,
            question: made_of.goal,
            state: state.to_string(),
            share: made_of.share,
        })
        .collect();
    console.answer(&projects, |out| {
        if projects.is_empty() {
            return writeln!(out, "there are no projects; `zermelo project create` makes one");
        }
        projects.iter().try_for_each(|project| {
            let ListLine { name, game, question, state, .. } = project;
            writeln!(out, "{name:<20} {state:<10} {question} of {game}")
        })
    })
}

#[derive(Serialize)]
struct LogEntry {
    number: u64,
    time: u64,
    line: String,
}

/// Shows the newest lines of the audit log.
pub(super) fn log(arguments: &ProjectLog, console: &Console) -> Result<Answer> {
    let record = open(&arguments.project.place)?;
    let project = record.expect_project(&arguments.project.name)?.id;
    let lines: Vec<LogEntry> = record
        .last_lines(project, arguments.most)?
        .into_iter()
        .map(|line| LogEntry { number: line.number, time: line.made, line: line.line })
        .collect();
    console.answer(&lines, |out| {
        lines.iter().try_for_each(|entry| {
            let date = Date::of_unix_time(entry.time as i64).write('-');
            let clock = entry.time % 86_400;
            let (hour, minute, second) = (clock / 3600, clock / 60 % 60, clock % 60);
            writeln!(out, "{date} {hour:02}:{minute:02}:{second:02} {}", entry.line)
        })
    })
}
