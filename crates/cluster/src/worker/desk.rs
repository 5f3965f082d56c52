//! What a thread of the worker does with a unit. Nothing but the unit itself decides what comes of
//! it; the settings of the worker decide when.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use game::TextError;
use play::Stop;
use search::{ProofTable, Table};
use solve::message::{Finding, Unit, WorkFailure};
use solve::{LemmaFile, Method, WorkDesk, Worked, work};

use super::pace::Pace;
use super::platform;
use crate::problems::{OpenProblem, Problems};
use crate::wire::{DeliverRequest, LONGEST_ERROR, ReportJson};

/// Tables that are kept from one unit to the next of the same problem.
struct Kept {
    problem: Arc<OpenProblem>,
    megabytes: u32,
    method: Method,
    table: Table,
    proofs: ProofTable,
}

/// Where one thread sits.
pub(super) struct Bench<'w> {
    pub(super) problems: &'w Problems,
    /// The largest table.
    pub(super) megabytes: u32,
    pub(super) pace: &'w Pace<'w>,
    kept: Option<Kept>,
}

/// What is told while a unit is worked at.
pub(super) struct Telling<'t> {
    pub(super) stop: &'t Stop,
    pub(super) checkpoint: Option<Vec<u8>>,
    pub(super) keep: &'t mut dyn FnMut(&[u8]),
    pub(super) visited: &'t mut dyn FnMut(u64),
}

/// What a unit failed by, and what there is to say about it.
type Fault = (WorkFailure, String);

impl<'w> Bench<'w> {
    pub(super) fn new(problems: &'w Problems, megabytes: u32, pace: &'w Pace<'w>) -> Bench<'w> {
        Bench { problems, megabytes, pace, kept: None }
    }

    /// Works at a unit; `None` if it was stopped.
    pub(super) fn report(
        &mut self,
        unit: &Unit,
        attempt: u32,
        telling: &mut Telling<'_>,
    ) -> Option<(DeliverRequest, Vec<LemmaFile>)> {
        let began = (platform::thread_time(), Instant::now());
        let (worked, error) = match guarded(|| self.work(unit, telling)) {
            Ok(None) => return None,
            Ok(Some(worked)) => (worked, None),
            Err((failure, error)) => {
                self.kept = None;
                let finding = Finding::Failed(failure);
                (Worked::bare(finding, 0), Some(error))
            }
        };
        let lemmas = worked.lemmas.clone();
        let mut report = worked.report(unit, attempt);
        report.cpu_milliseconds = spent(began).as_millis().try_into().unwrap_or(u64::MAX);
        report.peak_bytes = platform::peak_bytes();
        let report = ReportJson::from(&report);
        Some((DeliverRequest { report, error: error.map(cut) }, lemmas))
    }

    fn work(&mut self, unit: &Unit, telling: &mut Telling<'_>) -> Result<Option<Worked>, Fault> {
        let unreadable = |error: TextError| (WorkFailure::Unreadable, error.to_string());
        let problem = self.problems.open(&unit.game, &unit.root).map_err(unreadable)?;
        let own = problem.rules.version();
        if own != unit.solver {
            let error = format!("the solver has version {own}, not {}", unit.solver);
            return Err((WorkFailure::OtherVersion, error));
        }
        let wanted = unit.table_megabytes;
        if wanted > self.megabytes || Table::largest(wanted as usize) < wanted as usize {
            let error = format!("there is no memory for a table of {wanted} MB");
            return Err((WorkFailure::Memory, error));
        }
        self.prepare(unit, &problem);
        let kept = self.kept.as_mut().filter(|_| unit.keep_table);
        let Telling { stop, checkpoint, keep, visited } = telling;
        let pace = self.pace;
        let mut rest = pace.begin();
        let mut visited = |nodes: u64, _| {
            visited(nodes);
            pace.rest(&mut rest, stop);
        };
        let desk = &mut WorkDesk {
            tables: kept.map(|kept| (&kept.table, &mut kept.proofs)),
            nodes_left: None,
            stop,
            visited: &mut visited,
            checkpoint: checkpoint.as_deref(),
            keep,
        };
        work(&*problem.rules, unit, desk).map_err(unreadable)
    }

    /// Has tables for a unit that may keep them.
    fn prepare(&mut self, unit: &Unit, problem: &Arc<OpenProblem>) {
        let fits = |kept: &Kept| {
            Arc::ptr_eq(&kept.problem, problem)
                && (kept.megabytes, kept.method) == (unit.table_megabytes, unit.method)
        };
        if !unit.keep_table || self.kept.as_ref().is_some_and(fits) {
            return;
        }
        // Both at once might not fit.
        self.kept = None;
        let by_proof_numbers = unit.method == Method::ProofNumber;
        let megabytes = unit.table_megabytes as usize;
        self.kept = Some(Kept {
            problem: Arc::clone(problem),
            megabytes: unit.table_megabytes,
            method: unit.method,
            table: Table::new(if by_proof_numbers { 0 } else { megabytes }),
            proofs: ProofTable::new(if by_proof_numbers { megabytes } else { 0 }),
        });
    }
}

/// A panic is a fault of the unit, not the end of the worker.
fn guarded<T>(work: impl FnOnce() -> Result<T, Fault>) -> Result<T, Fault> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| {
        let text = payload.downcast_ref::<&str>().map(|&text| text.to_owned());
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        Err((WorkFailure::Fault, text.unwrap_or_else(|| "a panic without words".to_owned())))
    })
}

/// Processor time since then; where the system does not say, time.
fn spent((cpu, began): (Option<Duration>, Instant)) -> Duration {
    let now = platform::thread_time();
    let spent = now.zip(cpu).map(|(now, then)| now.saturating_sub(then));
    spent.unwrap_or_else(|| began.elapsed())
}

/// As much as may be sent.
fn cut(mut text: String) -> String {
    let most = (0..=LONGEST_ERROR).rev().find(|&at| text.is_char_boundary(at));
    text.truncate(most.unwrap_or_default());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_fault_with_its_words() {
        let fault = |text: &str| Err::<(), _>((WorkFailure::Fault, text.to_owned()));
        assert_eq!(guarded::<()>(|| panic!("a {} panic", 1)), fault("a 1 panic"));
        assert_eq!(guarded::<()>(|| panic!("plain")), fault("plain"));
        assert_eq!(guarded(|| Ok(7)), Ok(7));
        assert_eq!(cut("ä".repeat(LONGEST_ERROR)).len(), LONGEST_ERROR);
        assert_eq!(cut("short".to_owned()), "short");
    }
}
