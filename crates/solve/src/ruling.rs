//! Who is wrong about a unit: one sub-job is done again, not the whole unit.
//!
//! What came of the sub-jobs before it says which sub-job comes next. So where two traces part, both
//! speak of the same sub-job, and whoever does it again knows which of them is wrong, or that both are.
//! The same for a report by itself is a *spot check*: one of its sub-jobs, drawn after it was
//! delivered, so that nobody can tell which.

use game::TextError;
use play::Stop;

use crate::coordinator::{Batch, Event, Ruling, RulingRequest};
use crate::message::{Finding, Unit, UnitReport, UnitTask};
use crate::rules::{Searched, SolverRules};
use crate::store::{Store, StoreError};
use crate::work::{Replayed, WorkDesk, failure, replay, work};

/// Finds out what is asked about these reports. `None` if it was stopped.
pub fn rule_on(
    rules: &dyn SolverRules,
    request: &RulingRequest,
    reports: &[UnitReport],
    stop: &Stop,
) -> Option<Event> {
    let unit = &request.unit;
    let asked =
        |report: &&UnitReport| report.unit == unit.id && request.attempts.contains(&report.attempt);
    let reports: Vec<&UnitReport> = reports.iter().filter(asked).collect();
    let found = match request.spot {
        Some(lot) => match reports[..] {
            [report] => spot_check(rules, unit, report, lot, stop).map(|right| vec![!right]),
            _ => Err(Unruled::Unknown),
        },
        None => rule(rules, unit, &reports, stop),
    };
    let ruling = match found {
        Ok(wrong) => {
            let wrong = reports.iter().zip(wrong).filter(|(_, wrong)| *wrong);
            Ruling::Wrong(wrong.map(|(report, _)| report.attempt).collect())
        }
        Err(Unruled::Unknown) => Ruling::Unknown,
        Err(Unruled::Stopped) => return None,
    };
    Some(Event::Ruled(unit.id, ruling))
}

/// What a coordinator asked for with this batch, found out here and now.
///
/// # Errors
/// If the store fails.
pub fn answers(
    rules: &dyn SolverRules,
    store: &mut (impl Store + ?Sized),
    batch: &Batch,
    stop: &Stop,
) -> Result<Vec<Event>, StoreError> {
    let mut events = Vec::new();
    if !batch.wanted.is_empty() {
        events.push(Event::Known(store.nodes(&batch.wanted)?));
    }
    for request in &batch.rulings {
        let reports = store.reports(request.unit.id, &request.attempts)?;
        events.extend(rule_on(rules, request, &reports, stop));
    }
    Ok(events)
}

/// Why nobody knows who is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unruled {
    /// The unit cannot be worked at here just as it says.
    Unknown,
    /// Somebody said stop.
    Stopped,
}

/// Which of these reports about a unit are wrong: of two that disagree one surely is. Those that are
/// left agree, which does not make them right.
///
/// # Errors
/// If it cannot be found out here.
pub fn rule(
    rules: &dyn SolverRules,
    unit: &Unit,
    reports: &[&UnitReport],
    stop: &Stop,
) -> Result<Vec<bool>, Unruled> {
    check(rules, unit)?;
    let mut wrong = vec![false; reports.len()];
    while let Some((one, other)) = disagreeing(reports, &wrong) {
        let shared = shared(&reports[one].trace, &reports[other].trace);
        let before = &reports[one].trace[..shared];
        let right = continued(rules, unit, before, stop)?;
        for (report, wrong) in reports.iter().zip(&mut wrong) {
            if report.trace.starts_with(before) {
                *wrong |= !right.as_ref().is_some_and(|right| follows(report, right));
            }
        }
        // They differ in what was done again, so that not both can be what it came to.
        if !wrong[one] && !wrong[other] {
            return Err(Unruled::Unknown);
        }
    }
    Ok(wrong)
}

/// Whether a report is right about one of its sub-jobs, whichever the lot says, and reports what
/// follows from all of them.
///
/// # Errors
/// If it cannot be found out here.
pub fn spot_check(
    rules: &dyn SolverRules,
    unit: &Unit,
    report: &UnitReport,
    lot: u64,
    stop: &Stop,
) -> Result<bool, Unruled> {
    check(rules, unit)?;
    let jobs = report.trace.len();
    if !is_single(unit) {
        // All is played back, searching nothing, before one of them is done again.
        match played(replay(rules, unit, &report.trace, 0, stop))? {
            Some(whole) if whole.end.is_some() && follows(report, &whole) => {}
            _ => return Ok(false),
        }
    }
    let nth = (lot % jobs.max(1) as u64) as usize;
    let right = continued(rules, unit, &report.trace[..nth.min(jobs)], stop)?;
    Ok(right.is_some_and(|right| follows(report, &right)))
}

/// Whether what comes of the unit here can be compared with what others report.
fn check(rules: &dyn SolverRules, unit: &Unit) -> Result<(), Unruled> {
    let is_comparable = unit.task == UnitTask::Answer
        && !unit.keep_table
        && failure(rules, unit, false).is_none()
        && rules.sight(&unit.node).is_ok();
    if is_comparable { Ok(()) } else { Err(Unruled::Unknown) }
}

/// Further questions of a unit of one sub-job share its table, so that all of it is done again.
fn is_single(unit: &Unit) -> bool {
    unit.budget <= unit.slice
}

/// What is right after sub-jobs that came to this; `None` if they cannot have come to it.
fn continued(
    rules: &dyn SolverRules,
    unit: &Unit,
    before: &[Searched],
    stop: &Stop,
) -> Result<Option<Replayed>, Unruled> {
    if !is_single(unit) {
        return played(replay(rules, unit, before, 1, stop));
    }
    let (mut visited, mut keep) = (|_, _| {}, |_: &[u8]| {});
    let desk = &mut WorkDesk {
        tables: None,
        nodes_left: None,
        stop,
        visited: &mut visited,
        checkpoint: None,
        keep: &mut keep,
    };
    match work(rules, unit, desk) {
        Ok(None) => Err(Unruled::Stopped),
        Err(_) => Err(Unruled::Unknown),
        Ok(Some(worked)) if matches!(worked.finding, Finding::Failed(_)) => Err(Unruled::Unknown),
        Ok(Some(worked)) => {
            let end = Some((worked.finding, worked.nodes));
            Ok(Some(Replayed { done: worked.trace, end }))
        }
    }
}

/// What cannot be played back nobody can have found.
fn played(replayed: Result<Option<Replayed>, TextError>) -> Result<Option<Replayed>, Unruled> {
    match replayed {
        Ok(Some(replayed)) => Ok(Some(replayed)),
        Ok(None) => Err(Unruled::Stopped),
        Err(_) => Ok(None),
    }
}

/// Whether a report says this and, where more has to come, more.
fn follows(report: &UnitReport, right: &Replayed) -> bool {
    let UnitReport { trace, finding, nodes, .. } = report;
    match &right.end {
        Some(end) => *trace == right.done && (finding, nodes) == (&end.0, &end.1),
        None => trace.starts_with(&right.done) && trace.len() > right.done.len(),
    }
}

/// Two that are not wrong yet and do not agree.
fn disagreeing(reports: &[&UnitReport], wrong: &[bool]) -> Option<(usize, usize)> {
    let mut left = (0..reports.len()).filter(|&nth| !wrong[nth]);
    let one = left.next()?;
    let agreement = reports[one].agreement();
    let other = left.find(|&other| reports[other].agreement() != agreement)?;
    Some((one, other))
}

/// How many sub-jobs two traces have in common.
fn shared(one: &[Searched], other: &[Searched]) -> usize {
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
}
