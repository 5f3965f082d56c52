//! What there is to see: status, units, users, machines, teams, lemmas, the audit log.

use solve::LemmaFile;
use solve::message::UnitId;

use super::error::RecordError;
use super::link::{Tuple, tuple};
use super::{ClusterRecord, ProjectRow};

/// How many units there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnitCounts {
    /// That somebody may have now.
    pub ready: u64,
    /// Leases that have not run out.
    pub leased: u64,
    /// That are done, purged ones included.
    pub done: u64,
    /// Results that were believed.
    pub valid: u64,
    /// Results that were not.
    pub invalid: u64,
    /// Attempts that came to nothing.
    pub failed: u64,
    /// Results that wait for the coordinator or for others.
    pub pending: u64,
    /// That failed three times and are still open.
    pub poison: u64,
}

/// How a project stands, in numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct ProjectStatus {
    /// Its row.
    pub project: ProjectRow,
    /// Its units.
    pub units: UnitCounts,
    /// Answers that were believed.
    pub facts: u64,
    /// Of these, for how many a trusted machine vouches.
    pub facts_trusted: u64,
    /// Of these, how many only one user vouches for.
    pub facts_of_one: u64,
    /// Nodes that something is stored of.
    pub nodes: u64,
    /// Lemmas that were verified.
    pub lemmas: u64,
    /// All that users have earned.
    pub credit: u64,
    /// Users that have reported something.
    pub users: u64,
}

/// A unit and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitRow {
    /// Which.
    pub id: UnitId,
    /// Whether results are still wanted.
    pub open: bool,
    /// How many results, all in all.
    pub wanted: u32,
    /// How many of these nobody works at.
    pub waiting: i64,
    /// Only the projects' own machines may have it.
    pub trusted_only: bool,
    /// When it was made, in seconds since 1970.
    pub created: u64,
    /// How many attempts at it there were.
    pub attempts: u32,
    /// How many of these have not run out.
    pub live: u32,
    /// Attempts at it that failed.
    pub failures: Vec<FailedAttempt>,
    /// As it is handed out.
    pub bytes: Vec<u8>,
}

/// An attempt that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedAttempt {
    /// Which.
    pub attempt: u32,
    /// Whose.
    pub user: String,
    /// On which of its machines, if that is still known.
    pub host: Option<String>,
    /// Why, in one word.
    pub failure: String,
    /// What the program said, as it came from outside: at most a few kilobytes of any letters.
    pub error: Option<String>,
}

/// A user and what it has done, in one project or in all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserRow {
    /// Its number.
    pub id: u64,
    /// Its name.
    pub name: String,
    /// Its team.
    pub team: Option<String>,
    /// One of the projects' own machines.
    pub trusted: bool,
    /// Nothing it says counts.
    pub revoked: bool,
    /// Results that were believed.
    pub valid: u64,
    /// Results that were not.
    pub invalid: u64,
    /// Attempts that came to nothing.
    pub failed: u64,
    /// Results that wait for the coordinator or for others.
    pub pending: u64,
    /// What it has earned.
    pub credit: u64,
}

/// A machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostRow {
    /// Its number.
    pub id: u64,
    /// What it calls itself.
    pub name: String,
    /// Whose it is.
    pub user: String,
    /// When it was seen last, about, in seconds since 1970.
    pub seen: u64,
    /// Units it had on its last day.
    pub today: u32,
    /// Errors it made on that day.
    pub errors: u32,
    /// Units it may have on one day.
    pub quota: u32,
    /// Units it works at.
    pub live: u32,
    /// Results of it that were believed, in all projects.
    pub valid: u64,
    /// Results that were not.
    pub invalid: u64,
    /// What it has earned.
    pub credit: u64,
}

/// A team and what its users have done in all projects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamRow {
    /// Its name.
    pub name: String,
    /// How many users it has.
    pub users: u64,
    /// Results of theirs that were believed.
    pub valid: u64,
    /// Results that were not.
    pub invalid: u64,
    /// What they have earned.
    pub credit: u64,
}

/// A certificate that others rest on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LemmaRow {
    /// What names it: of one that is pending the SHA-256 of its file.
    pub hash: Vec<u8>,
    /// Nobody has verified it yet.
    pub pending: bool,
    /// The position it is about, as text.
    pub position: String,
    /// What it proves, as text.
    pub claim: String,
    /// How large its file is.
    pub size: u64,
    /// The unit it was made for.
    pub unit: u64,
    /// And the attempt at it.
    pub attempt: u32,
    /// By whom.
    pub user: u64,
}

/// A line of the audit log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// Rises from line to line.
    pub number: u64,
    /// When, in seconds since 1970.
    pub made: u64,
    /// The batch that wrote it; 0 for none.
    pub batch: u64,
    /// What it says.
    pub line: String,
}

/// Machines may have been deleted since.
const FAILED: &str = "SELECT a.attempt, u.name, h.name, a.failure, a.error
    FROM attempts a JOIN users u ON u.id = a.user_id LEFT JOIN hosts h ON h.id = a.host_id
    WHERE a.project = $1 AND a.unit = $2 AND a.failure IS NOT NULL ORDER BY a.attempt";

fn failed(mut row: Tuple) -> Result<FailedAttempt, RecordError> {
    Ok(FailedAttempt {
        attempt: row.small(0)?,
        user: row.text(1)?,
        host: row.text(2).ok(),
        failure: row.text(3)?,
        error: row.text(4).ok(),
    })
}

impl ClusterRecord {
    /// How a project stands.
    ///
    /// # Errors
    /// If there is none of this name.
    pub fn status(&self, name: &str) -> Result<ProjectStatus, RecordError> {
        let project = self.expect_project(name)?;
        let id = &tuple![project.id];
        self.read(|link| {
            let mut count = |text| link.number(text, id).map(|count| count as u64);
            let units = UnitCounts {
                ready: count(
                    "SELECT count(*) FROM units WHERE project = $1 AND open = 1 AND waiting > 0",
                )?,
                leased: count(
                    "SELECT count(*) FROM attempts
                     WHERE project = $1 AND state = 0 AND until > {now}",
                )?,
                done: project.done,
                valid: count(
                    "SELECT CAST(coalesce(sum(valid), 0) AS BIGINT) FROM user_records
                     WHERE project = $1",
                )?,
                failed: count(
                    "SELECT CAST(coalesce(sum(failed), 0) AS BIGINT) FROM user_records
                     WHERE project = $1",
                )?,
                invalid: count("SELECT count(*) FROM votes WHERE project = $1 AND verdict = 1")?,
                pending: count(
                    "SELECT count(*) FROM attempts WHERE project = $1 AND state IN (2, 4)",
                )?,
                poison: count(
                    "SELECT count(*) FROM units u WHERE project = $1 AND open = 1
                     AND (SELECT count(*) FROM attempts a WHERE a.project = u.project
                          AND a.unit = u.number AND a.failure IS NOT NULL) >= 3",
                )?,
            };
            Ok(ProjectStatus {
                units,
                facts: count("SELECT count(*) FROM facts WHERE project = $1")?,
                facts_trusted: count(
                    "SELECT count(*) FROM facts WHERE project = $1 AND trusted = 1",
                )?,
                facts_of_one: count(
                    "SELECT count(*) FROM facts WHERE project = $1 AND users <= 1",
                )?,
                nodes: count("SELECT count(*) FROM nodes WHERE project = $1")?,
                lemmas: count("SELECT count(*) FROM lemmas WHERE project = $1 AND pending = 0")?,
                credit: count(
                    "SELECT CAST(coalesce(sum(credit), 0) AS BIGINT) FROM user_records
                     WHERE project = $1",
                )?,
                users: count("SELECT count(*) FROM user_records WHERE project = $1")?,
                project: project.clone(),
            })
        })
    }

    /// The newest units of a project; with `failed` only those that some attempt failed at.
    ///
    /// # Errors
    /// If the record does not answer, as everywhere here.
    pub fn newest_units(
        &self,
        project: u32,
        most: u32,
        failed: bool,
    ) -> Result<Vec<UnitRow>, RecordError> {
        let select = "SELECT number FROM units u WHERE project = $1
                      AND ($3 = 0 OR EXISTS (SELECT 1 FROM attempts a WHERE a.project = u.project
                           AND a.unit = u.number AND a.failure IS NOT NULL))
                      ORDER BY number DESC LIMIT $2";
        let numbers = self.read(|link| link.query(select, &tuple![project, most, failed]))?;
        let mut units = Vec::new();
        for number in numbers {
            units.extend(self.unit_rows(project, number.word(0)?, 1, false)?);
        }
        Ok(units)
    }

    /// The newest lines of the audit log of a project, the oldest of them first.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn last_lines(&self, project: u32, most: u32) -> Result<Vec<LogLine>, RecordError> {
        let select = "SELECT coalesce(min(number), 1) FROM (SELECT number FROM log
                      WHERE project = $1 ORDER BY number DESC LIMIT $2) newest";
        let first = self.read(|link| link.number(select, &tuple![project, most]))?;
        self.log_lines(Some(project), (first as u64).saturating_sub(1), most)
    }

    /// Units from this number on, at most so many; with `poison` only those that failed three times
    /// and are still open.
    ///
    /// # Errors
    /// If the record does not answer, as everywhere here.
    pub fn unit_rows(
        &self,
        project: u32,
        from: u64,
        most: u32,
        poison: bool,
    ) -> Result<Vec<UnitRow>, RecordError> {
        self.read(|link| {
            let rows = link.query(
                "SELECT u.number, u.incarnation, u.open, u.wanted, u.waiting, u.trusted_only,
                     u.created, u.unit,
                     (SELECT count(*) FROM attempts a
                      WHERE a.project = u.project AND a.unit = u.number),
                     (SELECT count(*) FROM attempts a
                      WHERE a.project = u.project AND a.unit = u.number
                      AND a.state = 0 AND a.until > {now})
                 FROM units u WHERE u.project = $1 AND u.number >= $2
                 AND ($4 = 0 OR u.open = 1 AND 3 <= (SELECT count(*) FROM attempts a
                      WHERE a.project = u.project AND a.unit = u.number
                      AND a.failure IS NOT NULL))
                 ORDER BY u.number LIMIT $3",
                &tuple![project, from, most, poison],
            )?;
            let mut units = Vec::new();
            for mut row in rows {
                let number = row.word(0)?;
                let why = link.query(FAILED, &tuple![project, number])?;
                units.push(UnitRow {
                    id: UnitId { project, incarnation: row.small(1)?, number },
                    open: row.flag(2)?,
                    wanted: row.small(3)?,
                    waiting: row.int(4)?,
                    trusted_only: row.flag(5)?,
                    created: row.word(6)?,
                    bytes: row.bytes(7)?,
                    attempts: row.small(8)?,
                    live: row.small(9)?,
                    failures: why.into_iter().map(failed).collect::<Result<_, _>>()?,
                });
            }
            Ok(units)
        })
    }

    /// All users with what they have done in one project, or in all, those with the most credit
    /// first.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn user_rows(&self, project: Option<u32>) -> Result<Vec<UserRow>, RecordError> {
        let rows = self.read(|link| {
            link.query(
                "SELECT u.id, u.name, t.name, u.trusted, u.revoked,
                     CAST(coalesce(sum(r.valid), 0) AS BIGINT),
                     CAST(coalesce(sum(r.invalid), 0) AS BIGINT),
                     CAST(coalesce(sum(r.failed), 0) AS BIGINT),
                     CAST(coalesce(sum(r.credit), 0) AS BIGINT),
                     (SELECT count(*) FROM attempts a WHERE a.user_id = u.id
                      AND a.state IN (2, 4) AND (a.project = $1 OR $1 = 0))
                 FROM users u LEFT JOIN teams t ON t.id = u.team_id
                 LEFT JOIN user_records r ON r.user_id = u.id AND (r.project = $1 OR $1 = 0)
                 GROUP BY u.id, u.name, t.name, u.trusted, u.revoked ORDER BY 9 DESC, u.name",
                &tuple![project.unwrap_or(0)],
            )
        })?;
        let user = |mut row: Tuple| {
            Ok(UserRow {
                id: row.word(0)?,
                name: row.text(1)?,
                team: row.text(2).ok(),
                trusted: row.flag(3)?,
                revoked: row.flag(4)?,
                valid: row.word(5)?,
                invalid: row.word(6)?,
                failed: row.word(7)?,
                credit: row.word(8)?,
                pending: row.word(9)?,
            })
        };
        rows.into_iter().map(user).collect()
    }

    /// All teams with what they have done in one project, or in all, those with the most credit
    /// first.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn team_rows(&self, project: Option<u32>) -> Result<Vec<TeamRow>, RecordError> {
        let rows = self.read(|link| {
            link.query(
                "SELECT t.name, count(DISTINCT u.id),
                     CAST(coalesce(sum(r.valid), 0) AS BIGINT),
                     CAST(coalesce(sum(r.credit), 0) AS BIGINT),
                     CAST(coalesce(sum(r.invalid), 0) AS BIGINT)
                 FROM teams t LEFT JOIN users u ON u.team_id = t.id
                 LEFT JOIN user_records r ON r.user_id = u.id AND (r.project = $1 OR $1 = 0)
                 GROUP BY t.id, t.name ORDER BY 4 DESC, t.name",
                &tuple![project.unwrap_or(0)],
            )
        })?;
        let team = |mut row: Tuple| {
            Ok(TeamRow {
                name: row.text(0)?,
                users: row.word(1)?,
                valid: row.word(2)?,
                credit: row.word(3)?,
                invalid: row.word(4)?,
            })
        };
        rows.into_iter().map(team).collect()
    }

    /// All machines.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn host_rows(&self) -> Result<Vec<HostRow>, RecordError> {
        let rows = self.read(|link| {
            link.query(
                "WITH done AS (
                     SELECT host_id, count(CASE WHEN verdict = 0 THEN 1 END) AS valid,
                         count(CASE WHEN verdict = 1 THEN 1 END) AS invalid,
                         CAST(sum(credit) AS BIGINT) AS credit
                     FROM votes GROUP BY host_id)
                 SELECT h.id, h.name, u.name, h.seen, h.today, h.errors, h.quota,
                     (SELECT count(*) FROM attempts WHERE host_id = h.id AND state = 0),
                     coalesce(done.valid, 0), coalesce(done.invalid, 0), coalesce(done.credit, 0)
                 FROM hosts h JOIN users u ON u.id = h.user_id
                 LEFT JOIN done ON done.host_id = h.id ORDER BY u.name, h.name",
                &tuple![],
            )
        })?;
        let host = |mut row: Tuple| {
            Ok(HostRow {
                id: row.word(0)?,
                name: row.text(1)?,
                user: row.text(2)?,
                seen: row.word(3)?,
                today: row.small(4)?,
                errors: row.small(5)?,
                quota: row.small(6)?,
                live: row.small(7)?,
                valid: row.word(8)?,
                invalid: row.word(9)?,
                credit: row.word(10)?,
            })
        };
        rows.into_iter().map(host).collect()
    }

    /// The audit log of a project, or of the whole record, after this number.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn log_lines(
        &self,
        project: Option<u32>,
        after: u64,
        most: u32,
    ) -> Result<Vec<LogLine>, RecordError> {
        let rows = self.read(|link| {
            link.query(
                "SELECT number, made, batch, line FROM log WHERE project = $1 AND number > $2
                 ORDER BY number LIMIT $3",
                &tuple![project.unwrap_or(0), after, most],
            )
        })?;
        let line = |mut row: Tuple| {
            Ok(LogLine {
                number: row.word(0)?,
                made: row.word(1)?,
                batch: row.word(2)?,
                line: row.text(3)?,
            })
        };
        rows.into_iter().map(line).collect()
    }

    /// The lemmas of a project, without their files.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn lemma_rows(&self, project: u32) -> Result<Vec<LemmaRow>, RecordError> {
        let rows = self.read(|link| {
            link.query(
                "SELECT hash, pending, position, claim, CAST(length(bytes) AS BIGINT), unit,
                     attempt, user_id
                 FROM lemmas WHERE project = $1 ORDER BY created, hash",
                &tuple![project],
            )
        })?;
        let lemma = |mut row: Tuple| {
            Ok(LemmaRow {
                hash: row.bytes(0)?,
                pending: row.flag(1)?,
                position: row.text(2)?,
                claim: row.text(3)?,
                size: row.word(4)?,
                unit: row.word(5)?,
                attempt: row.small(6)?,
                user: row.word(7)?,
            })
        };
        rows.into_iter().map(lemma).collect()
    }

    /// The file of a lemma.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn lemma_bytes(&self, project: u32, hash: &[u8]) -> Result<Option<Vec<u8>>, RecordError> {
        let select = "SELECT bytes FROM lemmas WHERE project = $1 AND hash = $2";
        let row = self.read(|link| link.query_one(select, &tuple![project, hash]))?;
        row.map(|mut row| row.bytes(0)).transpose()
    }

    /// Keeps a lemma that was verified, in the place of one that was pending, or by itself.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn keep_verified(
        &self,
        project: u32,
        pending: Option<&[u8]>,
        lemma: &LemmaFile,
    ) -> Result<(), RecordError> {
        self.write(|link| {
            let select = "SELECT unit, attempt, user_id FROM lemmas
                          WHERE project = $1 AND hash = $2 AND pending = 1";
            let from = pending.map(|hash| link.query_one(select, &tuple![project, hash]));
            let (unit, attempt, user) = match from.transpose()?.flatten() {
                Some(row) => (row.int(0)?, row.int(1)?, row.int(2)?),
                None => (0, 0, 0),
            };
            link.execute(
                "DELETE FROM lemmas WHERE project = $1 AND hash = $2 AND pending = 1",
                &tuple![project, pending.unwrap_or_default()],
            )?;
            let LemmaFile { hash, position, claim, bytes } = lemma;
            link.execute(
                "INSERT INTO lemmas (project, hash, pending, position, claim, bytes, unit, attempt,
                     user_id, created)
                 VALUES ($1, $2, 0, $3, $4, $5, $6, $7, $8, {now})
                 ON CONFLICT (project, hash) DO UPDATE SET pending = 0",
                &tuple![
                    project,
                    &hash.0[..],
                    position.as_str(),
                    claim.to_string(),
                    bytes.as_slice(),
                    unit,
                    attempt,
                    user
                ],
            )?;
            Ok(())
        })
    }
}
