//! How projects stand, and what was logged.

use std::io::{self, Write};
use std::time::Duration;

use anyhow::Result;
use cluster::ClusterRecord;
use cluster::project::ProjectProgress;
use cluster::record::{DoneLately, LATELY, ProjectRow, ProjectState, ProjectStatus};
use game::Points;
use indicatif::{HumanCount, HumanDuration};
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
    /// Who drives it: the fencing number, and how long ago it was heard of, if somebody does.
    epoch: u64,
    silence: Option<u64>,
    rates: RatesLine,
    frontier: FrontierLine,
    /// Positions that are perhaps left to visit for the question under way, and how long that may
    /// take.
    nodes_left: Option<u64>,
    nodes_left_most: Option<u64>,
    seconds_left: Option<u64>,
    seconds_left_most: Option<u64>,
    lemmas_wanted: u64,
}

#[derive(Serialize)]
struct UnitsLine {
    ready: u64,
    leased: u64,
    done: u64,
    valid: u64,
    invalid: u64,
    failed: u64,
    pending: u64,
    poison: u64,
}

/// What is done in a second, over the last five minutes and the last hour.
#[derive(Serialize)]
struct RatesLine {
    units_5m: f64,
    units_1h: f64,
    nodes_5m: f64,
    nodes_1h: f64,
}

/// The edge of the tree near the root, for the question under way.
#[derive(Serialize)]
struct FrontierLine {
    /// Is the first player's margin at least this?
    at_least: Option<Number>,
    open: Option<u64>,
    proved: Option<u64>,
    disproved: Option<u64>,
    proved_share: Option<f64>,
    disproved_share: Option<f64>,
}

impl FrontierLine {
    fn new(progress: &ProjectProgress, points: impl Fn(i32) -> Option<Number>) -> FrontierLine {
        let ProjectProgress { at_least, open, proved, disproved, .. } = *progress;
        let all = [open, proved, disproved].into_iter().sum::<Option<u64>>();
        let share = |part: Option<u64>| Some(part? as f64 / all.filter(|&all| all > 0)? as f64);
        FrontierLine {
            at_least: at_least.and_then(points),
            open,
            proved,
            disproved,
            proved_share: share(proved),
            disproved_share: share(disproved),
        }
    }
}

const HOUR: u64 = 3600;

/// Shows how a project stands.
pub(super) fn run(project: &ProjectNamed, console: &Console) -> Result<Answer> {
    let record = open(&project.place)?;
    let status = record.status(&project.name)?;
    let line = line(&record, status)?;
    console.answer(&line, |out| in_words(&line, out))
}

fn in_words(line: &StatusLine, out: &mut dyn Write) -> io::Result<()> {
    let StatusLine { name, question, game, state, units, rates, frontier, .. } = line;
    writeln!(out, "{name}: {question} of {game}, {state}")?;
    let is_over = matches!(&**state, "solved" | "cancelled");
    match line.silence {
        _ if is_over => {}
        None => writeln!(out, "driven     by nobody: `zermelo project serve {name}` does it")?,
        Some(seconds) => {
            writeln!(out, "driven     by coordinator {}, {seconds} s ago", line.epoch)?;
        }
    }
    let bound = |bound: &Option<Number>| bound.as_ref().map_or("?".to_owned(), Number::to_string);
    let how = match (line.proved, line.certified) {
        (true, true) => ", certified",
        (true, false) if state == "solved" => ", by quorum",
        _ => "",
    };
    writeln!(out, "margin     {} to {}{how}", bound(&line.lower), bound(&line.upper))?;
    if let (Some(asked), Some(open)) = (&frontier.at_least, frontier.open) {
        let percent = |share: Option<f64>| 100.0 * share.unwrap_or_default();
        let (proved, disproved) =
            (percent(frontier.proved_share), percent(frontier.disproved_share));
        writeln!(
            out,
            "question   at least {asked}? {open} open nodes at the edge, {proved:.1}% proved, \
             {disproved:.1}% disproved"
        )?;
    }
    if let Some((low, high)) = line.nodes_left.zip(line.nodes_left_most) {
        let time = |seconds: u64| HumanDuration(Duration::from_secs(seconds));
        let times = line.seconds_left.zip(line.seconds_left_most);
        let times = times.map(|(low, high)| format!(", {} to {}", time(low), time(high)));
        let (low, high) = (HumanCount(low), HumanCount(high));
        writeln!(out, "left       {low} to {high} nodes{}", times.unwrap_or_default())?;
    }
    let UnitsLine { ready, leased, done, valid, invalid, failed, pending, poison } = units;
    writeln!(out, "units      {ready} ready, {leased} leased, {pending} pending, {done} done")?;
    writeln!(out, "results    {valid} valid, {invalid} invalid, {failed} failed")?;
    if *poison > 0 {
        writeln!(
            out,
            "set aside  {poison} units: `zermelo project unit list {name} --failed` says why"
        )?;
    }
    let RatesLine { units_5m, units_1h, nodes_5m, nodes_1h } = *rates;
    writeln!(
        out,
        "rates      {:.1} units/min, {} nodes/s in 5 minutes; {:.1}, {} in an hour",
        60.0 * units_5m,
        HumanCount(nodes_5m as u64),
        60.0 * units_1h,
        HumanCount(nodes_1h as u64)
    )?;
    let StatusLine { facts, stored_nodes, nodes, lemmas, lemmas_wanted, .. } = line;
    let wanted = match lemmas_wanted {
        0 => String::new(),
        wanted => format!(" of about {wanted}"),
    };
    writeln!(
        out,
        "found      {facts} facts, {stored_nodes} positions kept, {lemmas} lemmas{wanted}"
    )?;
    writeln!(out, "spent      {nodes} nodes by {} users", line.users)
}

fn line(record: &ClusterRecord, status: ProjectStatus) -> Result<StatusLine> {
    let ProjectStatus { project, units, facts, facts_trusted, facts_of_one, .. } = status;
    let certified = record.file(project.id, cluster::project::ROOT_FILE)?.is_some();
    let lately = record.done_lately(project.id, LATELY)?;
    let hour = record.done_lately(project.id, HOUR)?;
    let now = record.now()?;
    let ProjectRow { made_of, state, bounds, nodes, seconds, created, epoch, beat, .. } = project;
    let is_over = matches!(state, ProjectState::Solved | ProjectState::Cancelled);
    let progress = project.progress.as_deref().filter(|_| !is_over);
    let progress = progress.and_then(ProjectProgress::from_json).unwrap_or_default();
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
    let points = |margin: i32| number(Points::new(margin, facts_of_game.margin_scale));
    let per_second = [lately, hour].map(DoneLately::nodes_per_second);
    let per_second = per_second.into_iter().find(|&rate| rate > 0.0);
    let left = |nodes: u64| per_second.map(|rate| (nodes as f64 / rate) as u64);
    Ok(StatusLine {
        name: made_of.name,
        game: made_of.game,
        position: made_of.position,
        question: made_of.goal,
        state: state.to_string(),
        lower: lower.and_then(points),
        upper: upper.and_then(points),
        proved,
        certified: certified && state == ProjectState::Solved,
        quorum: made_of.quorum,
        share: made_of.share,
        units: UnitsLine {
            ready: units.ready,
            leased: units.leased,
            done: units.done,
            valid: units.valid,
            invalid: units.invalid,
            failed: units.failed,
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
        epoch,
        silence: (beat > 0).then(|| now.saturating_sub(beat)),
        rates: RatesLine {
            units_5m: lately.units_per_second(),
            units_1h: hour.units_per_second(),
            nodes_5m: lately.nodes_per_second(),
            nodes_1h: hour.nodes_per_second(),
        },
        frontier: FrontierLine::new(&progress, points),
        nodes_left: progress.left,
        nodes_left_most: progress.left_most,
        seconds_left: progress.left.and_then(left),
        seconds_left_most: progress.left_most.and_then(left),
        lemmas_wanted: progress.lemmas_wanted,
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
