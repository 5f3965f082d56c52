//! What has to be done now and then: leases that ran out, rows that nobody needs.

use super::attempt_state::EXPIRED;
use super::error::RecordError;
use super::link::{Link, tuple};
use super::uploads::purge_volunteers;
use super::{ClusterRecord, count_waiting};

/// What was deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Purged {
    /// Units that are done, and their attempts.
    pub units: u64,
    /// Machines that nobody has seen for long.
    pub hosts: u64,
    /// Lemmas that nobody has verified.
    pub lemmas: u64,
}

impl ClusterRecord {
    /// Frees what somebody had and should have delivered by now; how many leases. Doors do some of
    /// it when somebody asks for work.
    ///
    /// # Errors
    /// If the record does not answer, as everywhere here.
    pub fn sweep(&self) -> Result<u64, RecordError> {
        self.write(|link| {
            let now = link.now()?;
            sweep(link, now, 10_000)
        })
    }

    /// Deletes what has been done with for so many seconds. Facts, votes and the audit log stay:
    /// where a fact comes from is known for good.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn purge(&self, older_than: u64) -> Result<Purged, RecordError> {
        self.write(|link| {
            let given = &tuple![older_than];
            // What was acknowledged and not judged waits for its coordinator.
            let old = "SELECT project, number FROM units WHERE open = 0 AND closed <= {now} - $1
                       AND NOT EXISTS (SELECT 1 FROM attempts a WHERE a.project = units.project
                           AND a.unit = units.number AND a.state IN (2, 4))
                       ORDER BY project, number {skip}";
            let units = link.query(old, given)?;
            link.execute_of(
                "WITH given (project, unit) AS ({rows short int}) DELETE FROM attempts
                 WHERE (project, unit) IN (SELECT project, unit FROM given)",
                &units,
            )?;
            link.execute_of(
                "WITH given (project, number) AS ({rows short int}) DELETE FROM units
                 WHERE (project, number) IN (SELECT project, number FROM given)",
                &units,
            )?;
            let hosts = link.execute(
                "DELETE FROM hosts WHERE seen <= {now} - $1 AND NOT EXISTS
                 (SELECT 1 FROM attempts WHERE host_id = hosts.id AND state = 0)",
                given,
            )?;
            let lemmas = link
                .execute("DELETE FROM lemmas WHERE pending = 1 AND created <= {now} - $1", given)?;
            purge_volunteers(link, given)?;
            Ok(Purged { units: units.len() as u64, hosts, lemmas })
        })
    }
}

/// Frees some leases that ran out; those of units that somebody has locked have their turn later.
pub(super) fn sweep(link: &mut dyn Link, now: u64, most: u64) -> Result<u64, RecordError> {
    let late = link.query(
        "SELECT project, unit, attempt FROM attempts WHERE state = 0 AND until <= $1
         ORDER BY until LIMIT $2",
        &tuple![now, most],
    )?;
    let mut swept = 0;
    for row in late {
        let (project, unit, attempt) = (row.small(0)?, row.word(1)?, row.int(2)?);
        let lock = "SELECT 1 FROM units WHERE project = $1 AND number = $2 {skip}";
        if link.query_one(lock, &tuple![project, unit])?.is_none() {
            continue;
        }
        swept += link.execute(
            "UPDATE attempts SET state = $4 WHERE project = $1 AND unit = $2 AND attempt = $3
             AND state = 0 AND until <= $5",
            &tuple![project, unit, attempt, EXPIRED, now],
        )?;
        count_waiting(link, &[(project, unit)])?;
    }
    Ok(swept)
}
