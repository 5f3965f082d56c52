//! Machines of volunteers, and what they have: results, which are leases with a name.

use std::net::IpAddr;

use solve::message::{SolverVersion, UnitId};
use solve::store::Lease;

use super::accounts::{CreditRow, credit};
use super::error::RecordError;
use super::link::{Link, Tuple, tuple};
use super::work::{Asked, SEEN, network};
use super::{ClusterRecord, log, random};
use crate::boinc::hexadecimal;
use crate::{Handed, Refused, Visitor};

/// What a machine says of itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HostTold {
    /// Its number here, as far as it knows; 0 if it has none.
    pub host: u64,
    /// How often it has asked.
    pub seqno: i64,
    /// Its number in all projects.
    pub cpid: String,
    /// Its name.
    pub shown: String,
    /// What it runs.
    pub platform: String,
    /// Its operating system.
    pub system: String,
    /// Its processor.
    pub processor: String,
    /// How many of them.
    pub processors: u32,
    /// Operations in a second.
    pub flops: f64,
    /// Bytes.
    pub memory: f64,
    /// The version of its client.
    pub client: String,
}

/// A machine that was met.
#[derive(Clone, Debug, PartialEq)]
pub struct HostMet {
    /// Who asks.
    pub who: Visitor,
    /// Whether it has to be told its number.
    pub is_new: bool,
    /// What it has earned.
    pub credit: CreditRow,
    /// When it last asked for work before this.
    pub asked: u64,
    /// The record's clock.
    pub now: u64,
}

/// A machine of a volunteer.
#[derive(Clone, Debug, PartialEq)]
pub struct VolunteerHost {
    /// Its number.
    pub id: u64,
    /// Whose.
    pub user: u64,
    /// What it says.
    pub told: HostTold,
    /// When it was here.
    pub seen: u64,
    /// How many units it may have on one day.
    pub quota: u32,
    /// What it has earned.
    pub credit: CreditRow,
    /// When it was first here.
    pub created: u64,
}

/// How a result ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultOutcome {
    /// There is a report.
    Delivered = 0,
    /// The program or the client failed.
    Failed = 1,
    /// The volunteer or the server wanted no more of it.
    Aborted = 2,
    /// The machine does not know it, and nobody wants it.
    Lost = 3,
    /// What came was refused.
    Refused = 4,
}

const OUTCOMES: [ResultOutcome; 5] = [
    ResultOutcome::Delivered,
    ResultOutcome::Failed,
    ResultOutcome::Aborted,
    ResultOutcome::Lost,
    ResultOutcome::Refused,
];

/// A result: an attempt at a unit by a machine of a volunteer.
#[derive(Clone, Debug, PartialEq)]
pub struct VolunteerResult {
    /// What the client calls it.
    pub name: String,
    /// Of which unit.
    pub unit: UnitId,
    /// Which attempt.
    pub attempt: u32,
    /// Whose.
    pub user: u64,
    /// On which machine.
    pub host: u64,
    /// By which version of the program.
    pub version: u64,
    /// When it was sent.
    pub sent: u64,
    /// When it should be back.
    pub deadline: u64,
    /// Whether its machine was told that nobody needs it.
    pub told: bool,
    /// When it was back.
    pub reported: Option<u64>,
    /// What came of it.
    pub outcome: Option<ResultOutcome>,
    /// How far it has come, as its program said.
    pub progress: Option<f64>,
    /// The verdict: 0 valid, 1 invalid, 2 failed, 3 gone, 4 taken as advice.
    pub verdict: Option<i64>,
    /// Positions that were granted.
    pub credit: u64,
    /// Whether its unit still waits for answers.
    pub is_open: bool,
    /// Whether its unit has an answer that was believed, so that an equal one is paid.
    pub is_answered: bool,
    /// Whether its project has come to an end.
    pub is_over: bool,
}

/// What a client says about a result that has ended.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResultEnd {
    /// What the program said to the system.
    pub exit_status: i64,
    /// Processor time in seconds.
    pub cpu: f64,
    /// Seconds.
    pub elapsed: f64,
    /// What the program wrote for people.
    pub words: String,
}

/// A result that was handed out.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultLease {
    /// What the client is to call it.
    pub name: String,
    /// The unit and the attempt.
    pub lease: Lease,
    /// When it should be back.
    pub deadline: u64,
}

/// Who asks for a result, with what.
#[derive(Clone, Debug)]
pub struct ResultRequest<'r> {
    /// Who.
    pub who: &'r Visitor,
    /// The solver versions of the program.
    pub solvers: &'r [(String, SolverVersion)],
    /// The program's number.
    pub version: u64,
    /// The largest table the machine can have.
    pub megabytes: u32,
    /// So many seconds later it should be back; the lease lasts longer.
    pub deadline: u64,
}

macro_rules! select_results {
    ($rest:literal) => {
        concat!(
            "SELECT r.name, r.project, r.incarnation, r.unit, r.attempt, r.user_id, r.host_id,
                 r.version, r.sent, r.deadline, r.told, r.reported, r.outcome, r.progress,
                 v.verdict, v.credit, u.open,
                 (SELECT count(*) FROM votes w WHERE w.project = r.project AND w.unit = r.unit
                  AND w.verdict IN (0, 4)), p.state
             FROM volunteer_results r
             LEFT JOIN votes v ON v.project = r.project AND v.unit = r.unit
                 AND v.attempt = r.attempt AND v.user_id = r.user_id
             LEFT JOIN units u ON u.project = r.project AND u.number = r.unit
                 AND u.incarnation = r.incarnation
             LEFT JOIN projects p ON p.id = r.project ",
            $rest
        )
    };
}

impl ClusterRecord {
    /// Finds the machine that asks, by the rules that keep its identity: a number counts with its
    /// user and a sequence that does not go back; otherwise it is a new machine, or, if it has no
    /// number, the one of this user that has the same cross-project number.
    ///
    /// # Errors
    /// If the record does not answer, as everywhere here.
    pub fn meet_host(
        &self,
        user: u64,
        told: &HostTold,
        from: IpAddr,
    ) -> Result<HostMet, RecordError> {
        let network = network(from);
        let name = format!("boinc-{}", hexadecimal(&random::<8>()?));
        self.write(|link| {
            let now = link.now()?;
            let known = known_host(link, user, told)?;
            let (host, is_new, seqno) = match known {
                Some(host) if host == told.host => (host, false, told.seqno),
                Some(host) => (host, true, 0),
                None => {
                    let given = tuple![user, &*name, network, self.limits().daily];
                    let host = link.number(SEEN, &given)? as u64;
                    insert_host(link, host, user)?;
                    (host, true, 0)
                }
            };
            let row = link.query_one(
                "UPDATE volunteer_hosts SET cpid = $2, seqno = $3, shown = $4, platform = $5,
                     system = $6, processor = $7, processors = $8, flops = $9, memory = $10,
                     client = $11 WHERE host_id = $1 RETURNING asked, credit, average, average_at",
                &tuple![
                    host,
                    &*told.cpid,
                    seqno,
                    &*told.shown,
                    &*told.platform,
                    &*told.system,
                    &*told.processor,
                    told.processors,
                    told.flops,
                    told.memory,
                    &*told.client
                ],
            )?;
            let row = row.ok_or_else(|| RecordError::Damaged(format!("host {host}")))?;
            let seen = "UPDATE hosts SET seen = {now}, network = $2 WHERE id = $1";
            link.execute(seen, &tuple![host, network])?;
            let who = Visitor { user, host, network, trusted: false };
            Ok(HostMet { who, is_new, credit: credit(&row, 1)?, asked: row.word(0)?, now })
        })
    }

    /// The machines of a user, or of everybody.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn volunteer_hosts(&self, user: Option<u64>) -> Result<Vec<VolunteerHost>, RecordError> {
        self.read(|link| {
            let rows = link.query(
                "SELECT v.host_id, v.user_id, v.seqno, v.cpid, v.shown, v.platform, v.system,
                     v.processor, v.processors, v.flops, v.memory, v.client, h.seen, h.quota,
                     v.credit, v.average, v.average_at, v.created
                 FROM volunteer_hosts v JOIN hosts h ON h.id = v.host_id
                 WHERE v.user_id = $1 OR $1 = 0 ORDER BY v.host_id",
                &tuple![user.unwrap_or(0)],
            )?;
            rows.into_iter().map(host_row).collect()
        })
    }

    /// A unit for a machine of a volunteer, as a result with a name; all or nothing.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn lease_result(
        &self,
        asked: &ResultRequest<'_>,
    ) -> Result<Result<ResultLease, Handed>, RecordError> {
        let lot = u64::from_le_bytes(random()?);
        let suffix = hexadecimal(&random::<4>()?);
        let &ResultRequest { who, solvers, version, megabytes, deadline } = asked;
        self.write(|link| {
            if !count_version(link, who.host, version, self.limits.daily)? {
                return Ok(Err(Handed::Refused(Refused::Quota(0))));
            }
            let asking = Asked { who, versions: solvers, megabytes, limits: self.limits, lot };
            let lease = match asking.lease(link)? {
                Handed::Unit(lease, _) => *lease,
                nothing => {
                    uncount_version(link, who.host, version)?;
                    return Ok(Err(nothing));
                }
            };
            let UnitId { project, incarnation, number } = lease.unit.id;
            let attempt = lease.attempt;
            let name = format!("unit_{project}_{incarnation}_{number}_{suffix}_{attempt}");
            let sent = lease.until.saturating_sub(self.limits.lease_seconds);
            let deadline = sent + deadline;
            link.execute(
                "INSERT INTO volunteer_results (name, project, unit, incarnation, attempt, user_id,
                     host_id, version, sent, deadline, told, words)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0, '')",
                &tuple![
                    &*name,
                    project,
                    number,
                    incarnation,
                    attempt,
                    who.user,
                    who.host,
                    version,
                    sent,
                    deadline
                ],
            )?;
            link.execute(
                "UPDATE volunteer_hosts SET asked = {now} WHERE host_id = $1",
                &tuple![who.host],
            )?;
            Ok(Ok(ResultLease { name, lease, deadline }))
        })
    }

    /// A result by its name.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn volunteer_result(&self, name: &str) -> Result<Option<VolunteerResult>, RecordError> {
        let select = select_results!("WHERE r.name = $1");
        self.read(|link| link.query_one(select, &tuple![name])?.map(result_row).transpose())
    }

    /// What a machine should have.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn open_results(&self, host: u64) -> Result<Vec<VolunteerResult>, RecordError> {
        let select = select_results!("WHERE r.host_id = $1 AND r.reported IS NULL ORDER BY r.sent");
        self.read(|link| link.query(select, &tuple![host])?.into_iter().map(result_row).collect())
    }

    /// The results of a user, the newest first.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn results_of_user(
        &self,
        user: u64,
        most: u32,
    ) -> Result<Vec<VolunteerResult>, RecordError> {
        let select = select_results!("WHERE r.user_id = $1 ORDER BY r.sent DESC, r.name LIMIT $2");
        self.read(|link| {
            link.query(select, &tuple![user, i64::from(most)])?
                .into_iter()
                .map(result_row)
                .collect()
        })
    }

    /// The bytes of the unit of a result, by project, incarnation and number.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn unit_bytes(&self, unit: UnitId) -> Result<Option<Vec<u8>>, RecordError> {
        let Ok(number) = i64::try_from(unit.number) else { return Ok(None) };
        if i32::try_from(unit.project).is_err() {
            return Ok(None);
        }
        let select = "SELECT unit FROM units WHERE project = $1 AND number = $2
                      AND incarnation = $3";
        self.read(|link| {
            let row = link.query_one(select, &tuple![unit.project, number, unit.incarnation])?;
            row.map(|mut row| row.bytes(0)).transpose()
        })
    }

    /// A result is back, or will never be; `false` if that was known.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn end_result(
        &self,
        name: &str,
        outcome: ResultOutcome,
        end: &ResultEnd,
    ) -> Result<bool, RecordError> {
        self.write(|link| {
            let ended = link.query_one(
                "UPDATE volunteer_results SET reported = {now}, outcome = $2, exit_status = $3,
                     cpu = $4, elapsed = $5, words = $6
                 WHERE name = $1 AND reported IS NULL RETURNING host_id, version",
                &tuple![name, outcome as i64, end.exit_status, end.cpu, end.elapsed, &*end.words],
            )?;
            let Some(row) = ended else { return Ok(false) };
            link.execute("DELETE FROM uploads WHERE result = $1", &tuple![name])?;
            let (host, version) = (row.word(0)?, row.word(1)?);
            match outcome {
                ResultOutcome::Delivered => raise_quota(link, host, version, self.limits.daily)?,
                ResultOutcome::Failed | ResultOutcome::Refused => lower_quota(link, host, version)?,
                ResultOutcome::Aborted | ResultOutcome::Lost => {}
            }
            Ok(true)
        })
    }

    /// The machine was told that nobody needs these results.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn mark_told(&self, names: &[String]) -> Result<(), RecordError> {
        let names: Vec<Tuple> = names.iter().map(|name| tuple![&**name]).collect();
        self.write(|link| {
            link.execute_of(
                "WITH given (name) AS ({rows text}) UPDATE volunteer_results SET told = 1
                 FROM given WHERE volunteer_results.name = given.name",
                &names,
            )
        })
    }

    /// A program says how far it has come.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn note_progress(&self, user: u64, result: &str, fraction: f64) -> Result<(), RecordError> {
        let note = "UPDATE volunteer_results SET progress = $3
                    WHERE name = $1 AND user_id = $2 AND reported IS NULL";
        let given = tuple![result, user, fraction.clamp(0.0, 1.0)];
        self.write(|link| link.execute(note, &given).map(drop))
    }

    /// Writes into the audit log what somebody should not have tried.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn blame_host(&self, who: &Visitor, what: &str) -> Result<(), RecordError> {
        let line = format!("user {}, host {}: {what}", who.user, who.host);
        self.write(|link| log(link, 0, &line))
    }
}

fn known_host(link: &mut dyn Link, user: u64, told: &HostTold) -> Result<Option<u64>, RecordError> {
    if told.host == 0 {
        if told.cpid.is_empty() {
            return Ok(None);
        }
        let same = "SELECT v.host_id FROM volunteer_hosts v JOIN hosts h ON h.id = v.host_id
                    WHERE v.user_id = $1 AND v.cpid = $2 ORDER BY v.host_id DESC LIMIT 1";
        let row = link.query_one(same, &tuple![user, &*told.cpid])?;
        return row.map(|row| row.word(0)).transpose();
    }
    let select = "SELECT v.user_id, v.seqno FROM volunteer_hosts v
                        JOIN hosts h ON h.id = v.host_id WHERE v.host_id = $1";
    let Some(row) = link.query_one(select, &tuple![told.host])? else { return Ok(None) };
    if row.word(0)? != user {
        log(link, 0, &format!("user {user} comes with somebody else's host {}", told.host))?;
        return Ok(None);
    }
    if told.seqno < row.int(1)? {
        log(link, 0, &format!("host {} comes with an old sequence number", told.host))?;
        return Ok(None);
    }
    Ok(Some(told.host))
}

fn insert_host(link: &mut dyn Link, host: u64, user: u64) -> Result<(), RecordError> {
    link.execute(
        "INSERT INTO volunteer_hosts (host_id, user_id, cpid, seqno, shown, platform, system,
             processor, processors, flops, memory, client, asked, credit, average, average_at,
             created)
         VALUES ($1, $2, '', 0, '', '', '', '', 1, 0.0, 0.0, '', 0, 0, 0.0, {now}, {now})",
        &tuple![host, user],
    )
    .map(drop)
}

/// Counts a result for a machine and a version of the program; `false` if that is too many.
fn count_version(
    link: &mut dyn Link,
    host: u64,
    version: u64,
    daily: u32,
) -> Result<bool, RecordError> {
    let row = link.query_one(
        "INSERT INTO version_quotas (host_id, version, day, today, quota)
         VALUES ($1, $2, {now} / 86400, 1, $3)
         ON CONFLICT (host_id, version) DO UPDATE SET day = {now} / 86400,
             today = CASE WHEN version_quotas.day = {now} / 86400
                 THEN version_quotas.today ELSE 0 END + 1
         RETURNING today, quota",
        &tuple![host, version, daily],
    )?;
    let row = row.ok_or_else(|| RecordError::Damaged("a quota is missing".to_owned()))?;
    if row.int(0)? > row.int(1)? {
        uncount_version(link, host, version)?;
        return Ok(false);
    }
    Ok(true)
}

fn uncount_version(link: &mut dyn Link, host: u64, version: u64) -> Result<(), RecordError> {
    let less = "UPDATE version_quotas SET today = today - 1 WHERE host_id = $1 AND version = $2";
    link.execute(less, &tuple![host, version]).map(drop)
}

fn lower_quota(link: &mut dyn Link, host: u64, version: u64) -> Result<(), RecordError> {
    let lower = "UPDATE version_quotas SET quota = CASE WHEN quota > 1 THEN quota / 2 ELSE 1 END
                 WHERE host_id = $1 AND version = $2";
    link.execute(lower, &tuple![host, version]).map(drop)
}

fn raise_quota(
    link: &mut dyn Link,
    host: u64,
    version: u64,
    daily: u32,
) -> Result<(), RecordError> {
    let raise = "UPDATE version_quotas SET
                     quota = CASE WHEN quota * 2 > $3 THEN $3 ELSE quota * 2 END
                 WHERE host_id = $1 AND version = $2 AND quota < $3";
    link.execute(raise, &tuple![host, version, daily]).map(drop)
}

fn host_row(mut row: Tuple) -> Result<VolunteerHost, RecordError> {
    let id = row.word(0)?;
    Ok(VolunteerHost {
        id,
        user: row.word(1)?,
        told: HostTold {
            host: id,
            seqno: row.int(2)?,
            cpid: row.text(3)?,
            shown: row.text(4)?,
            platform: row.text(5)?,
            system: row.text(6)?,
            processor: row.text(7)?,
            processors: row.small(8)?,
            flops: row.real(9)?,
            memory: row.real(10)?,
            client: row.text(11)?,
        },
        seen: row.word(12)?,
        quota: row.small(13)?,
        credit: credit(&row, 14)?,
        created: row.word(17)?,
    })
}

fn result_row(mut row: Tuple) -> Result<VolunteerResult, RecordError> {
    let unit = UnitId { project: row.small(1)?, incarnation: row.small(2)?, number: row.word(3)? };
    let outcome = row.optional_int(12).and_then(|at| OUTCOMES.get(at as usize).copied());
    let state = row.text(18).unwrap_or_default();
    Ok(VolunteerResult {
        name: row.text(0)?,
        unit,
        attempt: row.small(4)?,
        user: row.word(5)?,
        host: row.word(6)?,
        version: row.word(7)?,
        sent: row.word(8)?,
        deadline: row.word(9)?,
        told: row.flag(10)?,
        reported: row.optional_int(11).map(|time| time as u64),
        outcome,
        progress: row.real(13).ok(),
        verdict: row.optional_int(14),
        credit: row.optional_int(15).unwrap_or(0) as u64,
        is_open: row.optional_int(16) == Some(1),
        is_answered: row.int(17)? > 0,
        is_over: !matches!(&*state, "running" | "paused" | "auditing"),
    })
}
