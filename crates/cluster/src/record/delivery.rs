//! Reports that are delivered.

use solve::message::{Finding, UnitId, UnitReport, hash_of};
use solve::store::Receipt;

use super::attempt_state::{DELIVERED, EXPIRED, HEARD, JUDGED, LIVE, SPENT};
use super::error::RecordError;
use super::link::{Link, tuple};
use super::work::is_plausible;
use super::{ClusterRecord, count_waiting, log};
use crate::Visitor;

impl ClusterRecord {
    /// A report, as it came.
    pub(super) fn take_delivery(
        &self,
        who: &Visitor,
        report: &[u8],
    ) -> Result<Receipt, RecordError> {
        let decoded = match UnitReport::decode(report) {
            Ok(decoded) => decoded,
            Err(error) => return Ok(Receipt::Refused(error.to_string())),
        };
        if self.take_at_once(who, &decoded, report)? {
            return Ok(Receipt::Taken);
        }
        self.write(|link| deliver(link, who, &decoded, report))
    }

    /// Takes what nearly all reports are, the first one about a lease that has not run out, by one
    /// statement, which locks the unit as all others do; whether it was such a one.
    fn take_at_once(
        &self,
        who: &Visitor,
        report: &UnitReport,
        bytes: &[u8],
    ) -> Result<bool, RecordError> {
        let UnitReport { unit, attempt, finding, .. } = report;
        if matches!(finding, Finding::Failed(_)) || !is_plausible(*unit) {
            return Ok(false);
        }
        let digest = hash_of(bytes).to_be_bytes();
        let given = tuple![
            unit.project,
            unit.number,
            *attempt,
            who.user,
            unit.incarnation,
            DELIVERED,
            bytes,
            &digest[..],
        ];
        let taken = self.pool.tell(|link| {
            link.execute(
                "UPDATE attempts SET state = $6, report = $7, digest = $8, delivered = {now}
                 WHERE project = $1 AND unit = $2 AND attempt = $3 AND user_id = $4 AND state = 0
                 AND unit = (SELECT number FROM units
                     WHERE project = $1 AND number = $2 AND incarnation = $5 {lock})",
                &given,
            )
        })?;
        Ok(taken == 1)
    }
}

fn deliver(
    link: &mut dyn Link,
    who: &Visitor,
    report: &UnitReport,
    bytes: &[u8],
) -> Result<Receipt, RecordError> {
    let refused = |why: String| Ok(Receipt::Refused(why));
    let (unit, attempt) = (report.unit, report.attempt);
    let gone = || refused(format!("unit {unit} is gone"));
    if !is_plausible(unit) {
        return gone();
    }
    let select = "SELECT units.incarnation, a.user_id, a.state, a.digest
                  FROM units LEFT JOIN attempts a ON a.project = units.project
                      AND a.unit = units.number AND a.attempt = $3
                  WHERE units.project = $1 AND units.number = $2 {lock units}";
    let mut known = match link.query_one(select, &tuple![unit.project, unit.number, attempt])? {
        Some(row) if row.small(0)? == unit.incarnation => row,
        _ => return gone(),
    };
    if known.optional_int(1).is_none() {
        let line =
            format!("unit {unit}: user {} reports attempt {attempt}, never leased", who.user);
        blame(link, unit.project, who, &line)?;
        return refused(format!("unit {unit} was never leased under attempt {attempt}"));
    }
    if known.word(1)? != who.user {
        let line = format!("unit {unit}: user {} reports somebody else's attempt", who.user);
        blame(link, unit.project, who, &line)?;
        return refused(format!("this attempt at unit {unit} is somebody else's"));
    }
    let digest = hash_of(bytes).to_be_bytes();
    match known.int(2)? {
        was @ (LIVE | EXPIRED) => {
            if take(link, who, report, bytes, &digest)? {
                if was == EXPIRED {
                    count_waiting(link, &[(unit.project, unit.number)])?;
                }
                return Ok(Receipt::Taken);
            }
            // Somebody was quicker, between the two statements: what is there now is looked at.
            deliver(link, who, report, bytes)
        }
        DELIVERED | HEARD | JUDGED | SPENT
            if known.optional_bytes(3).as_deref() == Some(&digest[..]) =>
        {
            Ok(Receipt::Taken)
        }
        DELIVERED | HEARD | JUDGED | SPENT => {
            let line = format!("unit {unit}: user {} reports attempt {attempt} anew", who.user);
            blame(link, unit.project, who, &line)?;
            refused("another report of this attempt came before".to_owned())
        }
        _ => refused(format!("attempt {attempt} at unit {unit} was taken from you")),
    }
}

/// Whether it was still to be taken.
fn take(
    link: &mut dyn Link,
    who: &Visitor,
    report: &UnitReport,
    bytes: &[u8],
    digest: &[u8],
) -> Result<bool, RecordError> {
    let UnitId { project, number, .. } = report.unit;
    let failure = match &report.finding {
        Finding::Failed(failure) => Some(format!("{failure:?}")),
        _ => None,
    };
    let failed = failure.is_some();
    let taken = link.execute(
        "UPDATE attempts SET state = $4, report = $5, digest = $6, failure = $7, delivered = {now}
         WHERE project = $1 AND unit = $2 AND attempt = $3 AND state IN (0, 1)",
        &tuple![project, number, report.attempt, DELIVERED, bytes, digest, failure],
    )?;
    if failed && taken == 1 {
        count_error(link, who)?;
    }
    Ok(taken == 1)
}

/// An honest program does not do this: it is logged and counts as an error.
fn blame(link: &mut dyn Link, project: u32, who: &Visitor, line: &str) -> Result<(), RecordError> {
    log(link, project, line)?;
    count_error(link, who)
}

fn count_error(link: &mut dyn Link, who: &Visitor) -> Result<(), RecordError> {
    link.execute(
        "UPDATE hosts SET errors = errors + 1,
         quota = CASE WHEN quota > 1 THEN quota / 2 ELSE 1 END WHERE id = $1",
        &tuple![who.host],
    )?;
    Ok(())
}
