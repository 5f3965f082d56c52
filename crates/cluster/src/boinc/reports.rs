//! What comes of a result that a client reports: its files go through the door like everybody's.

use solve::message::{Finding, UnitReport, WorkFailure, decode_lemmas, hash_of};
use solve::store::Receipt;

use super::reply::{lemma_file, report_file};
use super::request::ReportedResult;
use super::scheduler::Scheduler;
use crate::record::{AccountRow, ResultOutcome, VolunteerResult};
use crate::{DoorError, Visitor, WorkDoor};

/// The client's word for a result whose files are uploaded.
const FILES_UPLOADED: i64 = 5;
/// Its word for one that somebody has aborted.
const ABORTED: i64 = 6;
/// Ends that nobody is to blame for: aborted by the client, late and not started, aborted by the
/// project, by the volunteer.
const BLAMELESS: [i64; 4] = [194, 200, 202, 203];

impl Scheduler {
    /// Takes in what a client says about a result. Afterwards the client may forget it.
    pub(super) fn hear(
        &self,
        account: &AccountRow,
        who: &Visitor,
        report: &ReportedResult,
    ) -> Result<(), DoorError> {
        let Some(result) = self.record.volunteer_result(&report.name)? else {
            let words = format!("reports {}, which nobody has sent", game::shown(&report.name));
            return Ok(self.record.blame_host(who, &words)?);
        };
        if result.user != account.user {
            let words = format!("reports {}, which is somebody else's", result.name);
            return Ok(self.record.blame_host(who, &words)?);
        }
        if result.reported.is_some() {
            return Ok(());
        }
        let is_done = report.state == FILES_UPLOADED && report.end.exit_status == 0;
        let outcome = if is_done {
            self.deliver_files(who, &result)?
        } else if report.state == ABORTED || BLAMELESS.contains(&report.end.exit_status) {
            self.record.release(who, result.unit, result.attempt)?;
            ResultOutcome::Aborted
        } else {
            self.deliver_failure(who, &result)?;
            ResultOutcome::Failed
        };
        self.record.end_result(&result.name, outcome, &report.end)?;
        Ok(())
    }

    /// Hands the files of a result to the record.
    fn deliver_files(
        &self,
        who: &Visitor,
        result: &VolunteerResult,
    ) -> Result<ResultOutcome, DoorError> {
        let Some(bytes) = self.record.uploaded(&report_file(&result.name))? else {
            self.record.blame_host(who, &format!("{} comes without its file", result.name))?;
            self.deliver_failure(who, result)?;
            return Ok(ResultOutcome::Failed);
        };
        let is_about =
            |report: &UnitReport| report.unit == result.unit && report.attempt == result.attempt;
        if !UnitReport::decode(&bytes).is_ok_and(|report| is_about(&report)) {
            let words = format!("the file of {} is no report about it", result.name);
            self.record.blame_host(who, &words)?;
            self.deliver_failure(who, result)?;
            return Ok(ResultOutcome::Refused);
        }
        if let Some(lemmas) = self.record.uploaded(&lemma_file(&result.name))? {
            for lemma in decode_lemmas(&lemmas).unwrap_or_default() {
                let kept = self.record.keep_lemma(who, result.unit, result.attempt, &lemma)?;
                if let Receipt::Refused(why) = kept {
                    tracing::info!(%why, result = %result.name, "a lemma is refused");
                }
            }
        }
        match self.record.deliver(who, &bytes)? {
            Receipt::Taken => Ok(ResultOutcome::Delivered),
            Receipt::Refused(why) => {
                tracing::info!(%why, result = %result.name, "a report is refused");
                Ok(ResultOutcome::Refused)
            }
        }
    }

    /// The coordinator hears that the unit could not be worked at there.
    fn deliver_failure(&self, who: &Visitor, result: &VolunteerResult) -> Result<(), DoorError> {
        let Some(unit) = self.record.unit_bytes(result.unit)? else { return Ok(()) };
        let failed = UnitReport {
            unit: result.unit,
            unit_hash: hash_of(&unit),
            attempt: result.attempt,
            finding: Finding::Failed(WorkFailure::Fault),
            nodes: 0,
            trace: Vec::new(),
            cpu_milliseconds: 0,
            peak_bytes: 0,
        };
        self.record.deliver(who, &failed.encode()).map(drop)
    }
}
