//! Files that volunteers' machines have sent, until they are reported; credit as volunteers see it;
//! what of volunteers is deleted when it is old.

use std::collections::BTreeMap;

use super::ClusterRecord;
use super::error::RecordError;
use super::link::{Link, Tuple, tuple};

/// What came of a piece of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UploadState {
    /// So many bytes are there now.
    Has(u64),
    /// The piece does not begin where the last one ended; so many are there.
    Elsewhere(u64),
    /// Nobody waits for such a file.
    Unwanted,
}

/// Credit is counted in portions of so many votes.
const PORTION: i64 = 1000;
const DAY: f64 = 86_400.0;
/// Half of an average is older than this.
const HALF_LIFE: f64 = 7.0 * DAY;

impl ClusterRecord {
    /// How many bytes of a file are there.
    ///
    /// # Errors
    /// If the record does not answer, as everywhere here.
    pub fn upload_size(&self, name: &str) -> Result<u64, RecordError> {
        let select = "SELECT length(bytes) FROM uploads WHERE name = $1";
        let row = self.read(|link| link.query_one(select, &tuple![name]))?;
        row.map_or(Ok(0), |row| row.word(0))
    }

    /// Takes a piece of a file of a result that is not reported yet. A file is `size` bytes; a
    /// piece begins at `offset`. What is sent again from the beginning takes the place of what was
    /// there.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn take_upload(
        &self,
        name: &str,
        result: &str,
        size: u64,
        offset: u64,
        piece: &[u8],
    ) -> Result<UploadState, RecordError> {
        self.write(|link| {
            let wanted = "SELECT 1 FROM volunteer_results WHERE name = $1 AND reported IS NULL";
            if link.query_one(wanted, &tuple![result])?.is_none() {
                return Ok(UploadState::Unwanted);
            }
            let known = "SELECT bytes FROM uploads WHERE name = $1 {lock}";
            let known = link.query_one(known, &tuple![name])?;
            let mut bytes = known.map(|mut row| row.bytes(0)).transpose()?.unwrap_or_default();
            if offset == 0 {
                bytes.clear();
            }
            let there = bytes.len() as u64;
            if offset != there || there + piece.len() as u64 > size {
                return Ok(UploadState::Elsewhere(there));
            }
            bytes.extend_from_slice(piece);
            let there = bytes.len() as u64;
            link.execute(
                "INSERT INTO uploads (name, result, size, bytes, made)
                 VALUES ($1, $2, $3, $4, {now})
                 ON CONFLICT (name) DO UPDATE SET bytes = excluded.bytes, size = excluded.size,
                     made = excluded.made",
                &tuple![name, result, size, bytes],
            )?;
            Ok(UploadState::Has(there))
        })
    }

    /// A file, if all of it is there.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn uploaded(&self, name: &str) -> Result<Option<Vec<u8>>, RecordError> {
        let select = "SELECT bytes FROM uploads WHERE name = $1 AND length(bytes) = size";
        self.read(|link| link.query_one(select, &tuple![name])?.map(|mut r| r.bytes(0)).transpose())
    }

    /// Adds what coordinators have granted to the accounts, machines and teams of volunteers, each
    /// vote once; how many votes.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn count_credit(&self) -> Result<u64, RecordError> {
        let waiting = "SELECT count(*) FROM (SELECT 1 FROM votes WHERE counted = 0 LIMIT 1) one";
        let mut all = 0;
        while self.read(|link| link.number(waiting, &tuple![]))? > 0 {
            let counted = self.write(count_portion)?;
            all += counted;
            if counted < PORTION as u64 {
                break;
            }
        }
        Ok(all)
    }
}

fn count_portion(link: &mut dyn Link) -> Result<u64, RecordError> {
    let now = link.now()?;
    let votes = link.query(
        "UPDATE votes SET counted = 1 WHERE counted = 0 AND (project, unit, attempt) IN
             (SELECT project, unit, attempt FROM votes WHERE counted = 0 ORDER BY made LIMIT $1)
         RETURNING user_id, host_id, credit",
        &tuple![PORTION],
    )?;
    let (mut users, mut hosts) = (BTreeMap::<i64, u64>::new(), BTreeMap::<i64, u64>::new());
    for vote in &votes {
        let credit = vote.word(2)?;
        if credit > 0 {
            *users.entry(vote.int(0)?).or_default() += credit;
            *hosts.entry(vote.int(1)?).or_default() += credit;
        }
    }
    let mut teams = BTreeMap::<i64, u64>::new();
    for (&user, &credit) in &users {
        let team = "SELECT u.team_id FROM users u JOIN accounts a ON a.user_id = u.id
                    WHERE u.id = $1";
        let team = link.query_one(team, &tuple![user])?.and_then(|row| row.optional_int(0));
        if let Some(team) = team {
            *teams.entry(team).or_default() += credit;
        }
    }
    let kinds = [
        (
            users,
            "SELECT average, average_at FROM accounts WHERE user_id = $1 {lock}",
            "UPDATE accounts SET credit = credit + $2, average = $3, average_at = $4
             WHERE user_id = $1",
        ),
        (
            hosts,
            "SELECT average, average_at FROM volunteer_hosts WHERE host_id = $1 {lock}",
            "UPDATE volunteer_hosts SET credit = credit + $2, average = $3, average_at = $4
             WHERE host_id = $1",
        ),
        (
            teams,
            "SELECT average, average_at FROM teams WHERE id = $1 {lock}",
            "UPDATE teams SET credit = credit + $2, average = $3, average_at = $4 WHERE id = $1",
        ),
    ];
    for (granted, select, update) in kinds {
        for (id, credit) in granted {
            let Some(row) = link.query_one(select, &tuple![id])? else { continue };
            let average = averaged(row.real(0)?, row.word(1)?, now) + by_the_day(credit);
            link.execute(update, &tuple![id, credit, average, now])?;
        }
    }
    Ok(votes.len() as u64)
}

/// What is left of an average after some time.
pub(crate) fn averaged(average: f64, at: u64, now: u64) -> f64 {
    average * (-(now.saturating_sub(at) as f64) / HALF_LIFE).exp2()
}

/// What a grant adds to an average by the day.
fn by_the_day(credit: u64) -> f64 {
    credit as f64 * std::f64::consts::LN_2 * DAY / HALF_LIFE
}

/// Deletes what is old: results that are back, files that nobody reported, quotas and machines that
/// are gone. Within a transaction of `purge`.
pub(super) fn purge_volunteers(link: &mut dyn Link, given: &Tuple) -> Result<u64, RecordError> {
    let results = link.execute(
        "DELETE FROM volunteer_results WHERE sent <= {now} - $1 AND
             (reported <= {now} - $1 OR NOT EXISTS (SELECT 1 FROM units u
              WHERE u.project = volunteer_results.project AND u.number = volunteer_results.unit))",
        given,
    )?;
    link.execute("DELETE FROM uploads WHERE made <= {now} - $1", given)?;
    for rest in [
        "DELETE FROM volunteer_hosts WHERE host_id NOT IN (SELECT id FROM hosts)",
        "DELETE FROM version_quotas WHERE host_id NOT IN (SELECT id FROM hosts)",
    ] {
        link.execute(rest, &tuple![])?;
    }
    Ok(results)
}
