//! What a thread of the worker does with a unit. Nothing but the unit itself decides what comes of
//! it; the settings of the worker decide when.

use std::sync::Arc;

use game::TextError;
use play::Stop;
use search::{ProofTable, Table};
use solve::message::{Unit, WorkFailure};
use solve::{Attempted, LemmaFile, Method, WorkDesk, WorkFault, Worked, attempt, check_unit, work};

use super::pace::Pace;
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
    pub(super) visited: &'t mut (dyn FnMut(u64) + Send),
}

impl<'w> Bench<'w> {
    pub(super) fn new(problems: &'w Problems, megabytes: u32, pace: &'w Pace<'w>) -> Bench<'w> {
        Bench { problems, megabytes, pace, kept: None }
    }

    /// Works at a unit; `None` if it was stopped.
    pub(super) fn report(
        &mut self,
        unit: &Unit,
        number: u32,
        telling: &mut Telling<'_>,
    ) -> Option<(DeliverRequest, Vec<LemmaFile>)> {
        let Attempted { report, lemmas, error } =
            attempt(unit, number, || self.work(unit, telling))?;
        if error.is_some() {
            self.kept = None;
        }
        let report = ReportJson::from(&report);
        Some((DeliverRequest { report, error: error.map(cut) }, lemmas))
    }

    fn work(
        &mut self,
        unit: &Unit,
        telling: &mut Telling<'_>,
    ) -> Result<Option<Worked>, WorkFault> {
        let unreadable = |error: TextError| WorkFault {
            failure: WorkFailure::Unreadable,
            why: error.to_string(),
        };
        let problem = self.problems.open(&unit.game, &unit.root).map_err(unreadable)?;
        check_unit(&*problem.rules, unit, self.megabytes)?;
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
    fn long_errors_are_cut() {
        assert_eq!(cut("ä".repeat(LONGEST_ERROR)).len(), LONGEST_ERROR);
        assert_eq!(cut("short".to_owned()), "short");
    }
}
