//! The record as a [`WorkDoor`].

use std::net::IpAddr;

use sha2::{Digest, Sha256};
use solve::message::{SolverVersion, Unit, UnitId};
use solve::store::{Lease, Receipt};

use super::attempt_state::{EXPIRED, LIVE};
use super::error::RecordError;
use super::link::{Link, Tuple, tuple};
use super::people::token_hash;
use super::upkeep::sweep;
use super::{ClusterRecord, FeedOrder, WorkLimits, count_waiting, log, random};
use crate::wire::LONGEST_ERROR;
use crate::{DoorError, Handed, Refused, Visitor, WorkDoor};

/// So many expired leases are looked for at a lease.
const SWEPT: u64 = 16;

impl WorkDoor for ClusterRecord {
    fn admit(&self, token: &str, from: IpAddr, host: &str) -> Result<Visitor, DoorError> {
        let network = network(from);
        // Whatever the machine calls itself.
        let name: String = host.chars().filter(|c| !c.is_control()).take(64).collect();
        let hash = token_hash(token);
        let known = self.pool.ask(|link| {
            link.query_one(
                "SELECT u.id, u.trusted, h.id, h.network, h.seen, {now}
                 FROM tokens t JOIN users u ON u.id = t.user_id
                 LEFT JOIN hosts h ON h.user_id = u.id AND h.name = $2
                 WHERE t.hash = $1 AND t.revoked = 0 AND u.revoked = 0",
                &tuple![&*hash, &*name],
            )
        })?;
        let known = known.ok_or(DoorError::UnknownToken)?;
        let (user, trusted) = (known.word(0)?, known.flag(1)?);
        // It is not written down every time that somebody was here.
        let is_fresh = known.optional_int(3) == Some(network as i64)
            && known.optional_int(4).is_some_and(|seen| known.int(5).is_ok_and(|n| n < seen + 60));
        let host = match known.optional_int(2).filter(|_| is_fresh) {
            Some(host) => host as u64,
            None => self.write(|link| {
                let given = tuple![user, &*name, network, self.limits.daily];
                link.number(SEEN, &given).map(|id| id as u64)
            })?,
        };
        Ok(Visitor { user, host, network, trusted })
    }

    fn lease(
        &self,
        who: &Visitor,
        versions: &[(String, SolverVersion)],
        megabytes: u32,
    ) -> Result<Handed, DoorError> {
        let lot = u64::from_le_bytes(random()?);
        let asked = Asked { who, versions, megabytes, limits: self.limits, lot };
        Ok(self.write(|link| asked.lease(link))?)
    }

    fn renew(&self, who: &Visitor, units: &[(UnitId, u32)]) -> Result<Vec<bool>, DoorError> {
        let given = |(unit, attempt): &(UnitId, u32)| {
            tuple![unit.project, unit.number, *attempt, who.user, self.limits.lease_seconds]
        };
        let renewed: Vec<Tuple> =
            units.iter().filter(|(unit, _)| is_plausible(*unit)).map(given).collect();
        let wanted = self.write(|link| {
            // Workers ask more often than leases have to be prolonged, and what writes nothing waits
            // for no disk.
            link.execute_of(
                "WITH given (project, unit, attempt, user_id, seconds)
                 AS ({rows short int int int int})
                 UPDATE attempts SET until = {now} + given.seconds FROM given
                 WHERE attempts.project = given.project AND attempts.unit = given.unit
                 AND attempts.attempt = given.attempt AND attempts.user_id = given.user_id
                 AND attempts.state = 0 AND attempts.until < {now} + given.seconds * 9 / 10",
                &renewed,
            )?;
            link.query_of(
                "WITH given (project, unit, attempt, user_id, seconds)
                 AS ({rows short int int int int})
                 SELECT a.project, u.incarnation, a.unit, a.attempt
                 FROM given JOIN attempts a ON a.project = given.project AND a.unit = given.unit
                     AND a.attempt = given.attempt AND a.user_id = given.user_id
                 JOIN units u ON u.project = a.project AND u.number = a.unit
                 JOIN projects p ON p.id = a.project
                 WHERE u.open = 1 AND a.state IN (0, 1) AND p.state <> 'cancelled'",
                &renewed,
            )
        })?;
        let is_wanted = |(unit, attempt): &(UnitId, u32)| {
            let same = tuple![unit.project, unit.incarnation, unit.number, *attempt];
            wanted.contains(&same)
        };
        Ok(units.iter().map(is_wanted).collect())
    }

    fn release(&self, who: &Visitor, unit: UnitId, attempt: u32) -> Result<(), DoorError> {
        if !is_plausible(unit) {
            return Ok(());
        }
        self.write(|link| {
            lock_unit(link, unit)?;
            link.execute(
                "UPDATE attempts SET state = $5 WHERE project = $1 AND unit = $2 AND attempt = $3
                 AND user_id = $4 AND state = 0",
                &tuple![unit.project, unit.number, attempt, who.user, EXPIRED],
            )?;
            count_waiting(link, &[(unit.project, unit.number)])
        })?;
        Ok(())
    }

    fn deliver(&self, who: &Visitor, report: &[u8]) -> Result<Receipt, DoorError> {
        Ok(self.take_delivery(who, report)?)
    }

    fn explain(
        &self,
        who: &Visitor,
        unit: UnitId,
        attempt: u32,
        error: &str,
    ) -> Result<(), DoorError> {
        if !is_plausible(unit) {
            return Ok(());
        }
        let error = kept_error(error);
        self.write(|link| {
            link.execute(
                "UPDATE attempts SET error = $5 WHERE project = $1 AND unit = $2 AND attempt = $3
                 AND user_id = $4 AND failure IS NOT NULL AND error IS NULL",
                &tuple![unit.project, unit.number, attempt, who.user, &*error],
            )
        })?;
        Ok(())
    }

    fn keep_lemma(
        &self,
        who: &Visitor,
        unit: UnitId,
        attempt: u32,
        file: &[u8],
    ) -> Result<Receipt, DoorError> {
        let most = self.limits.lemma_bytes;
        if file.len() > most {
            let why = format!("a lemma has at most {most} bytes, and this one {}", file.len());
            return Ok(Receipt::Refused(why));
        }
        if !is_plausible(unit) {
            return Ok(Receipt::Refused(format!("there is no unit {unit}")));
        }
        Ok(self.write(|link| {
            let live = link.query(
                "SELECT 1 FROM attempts a
                 JOIN units u ON u.project = a.project AND u.number = a.unit
                 WHERE a.project = $1 AND a.unit = $2 AND a.attempt = $3 AND a.user_id = $4
                 AND a.state = 0 AND u.incarnation = $5",
                &tuple![unit.project, unit.number, attempt, who.user, unit.incarnation],
            )?;
            if live.is_empty() {
                let why = format!("unit {unit} is not leased to you under attempt {attempt}");
                return Ok(Receipt::Refused(why));
            }
            link.execute(
                "INSERT INTO lemmas (project, hash, pending, position, claim, bytes, unit, attempt,
                     user_id, created)
                 VALUES ($1, $2, 1, '', '', $3, $4, $5, $6, {now}) ON CONFLICT DO NOTHING",
                &tuple![
                    unit.project,
                    Sha256::digest(file).to_vec(),
                    file,
                    unit.number,
                    attempt,
                    who.user
                ],
            )?;
            Ok(Receipt::Taken)
        })?)
    }
}

pub(super) const SEEN: &str =
    "INSERT INTO hosts (user_id, name, network, seen, day, today, errors, quota)
    VALUES ($1, $2, $3, {now}, 0, 0, 0, $4)
    ON CONFLICT (user_id, name) DO UPDATE SET network = excluded.network, seen = excluded.seen
    RETURNING id";

/// What is kept of an error: no more than the protocol allows, whichever door it comes by, and
/// nothing that PostgreSQL has no text for.
fn kept_error(error: &str) -> String {
    let mut kept = error.replace('\0', "\u{fffd}");
    kept.truncate(kept.floor_char_boundary(LONGEST_ERROR));
    kept
}

/// Users behind one of these count as one: a street, or what one subscriber gets.
pub(super) fn network(from: IpAddr) -> u64 {
    match from.to_canonical() {
        IpAddr::V4(address) => u64::from(u32::from(address) >> 8),
        IpAddr::V6(address) => 1 << 62 | (u128::from(address) >> 80) as u64,
    }
}

/// Somebody else's numbers may be beyond what the record holds.
pub(super) fn is_plausible(unit: UnitId) -> bool {
    i32::try_from(unit.project).is_ok() && i64::try_from(unit.number).is_ok()
}

fn lock_unit(link: &mut dyn Link, unit: UnitId) -> Result<Option<Tuple>, RecordError> {
    let select = "SELECT incarnation FROM units WHERE project = $1 AND number = $2 {lock}";
    link.query_one(select, &tuple![unit.project, unit.number])
}

/// Somebody who wants work.
pub(super) struct Asked<'a> {
    pub(super) who: &'a Visitor,
    pub(super) versions: &'a [(String, SolverVersion)],
    pub(super) megabytes: u32,
    pub(super) limits: WorkLimits,
    pub(super) lot: u64,
}

/// What a host may have.
struct CountedHost {
    refused: Option<Refused>,
    now: u64,
    has_late: bool,
}

/// A project that has something to do.
struct Candidate {
    id: u32,
    share: u64,
    family: String,
}

impl Asked<'_> {
    pub(super) fn lease(&self, link: &mut dyn Link) -> Result<Handed, RecordError> {
        let host = self.count_in(link)?;
        if let Some(refused) = host.refused {
            self.count_out(link, false)?;
            return Ok(Handed::Refused(refused));
        }
        if host.has_late {
            sweep(link, host.now, SWEPT)?;
        }
        let mut candidates = candidates(link, self.who.user)?;
        let mut lot = game::Rng::new(self.lot);
        while let Some(candidate) = drawn(&mut candidates, &mut lot) {
            if let Some(lease) = self.lease_of(link, &candidate, host.now)? {
                return Ok(Handed::Unit(Box::new(lease), self.limits.lease_seconds));
            }
        }
        let handed = self.nothing(link)?;
        self.count_out(link, matches!(handed, Handed::Later(_)))?;
        Ok(handed)
    }

    /// Counts a unit for a host, whose row is locked from now on. On a new day it begins anew, with
    /// a little more trust.
    fn count_in(&self, link: &mut dyn Link) -> Result<CountedHost, RecordError> {
        let Visitor { host, trusted, .. } = *self.who;
        let WorkLimits { daily, in_progress, .. } = self.limits;
        let row = link.query_one(
            "UPDATE hosts SET asked = 0, day = {now} / 86400,
                 today = CASE WHEN day = {now} / 86400 THEN today ELSE 0 END + 1,
                 errors = CASE WHEN day = {now} / 86400 THEN errors ELSE 0 END,
                 quota = CASE WHEN day = {now} / 86400 THEN quota
                     WHEN quota * 2 > $2 THEN $2 ELSE quota * 2 END
             WHERE id = $1 RETURNING today, quota, {now},
                 (SELECT count(*) FROM (SELECT 1 FROM attempts
                  WHERE host_id = $1 AND state = 0 AND until > {now} LIMIT $3) live),
                 (SELECT count(*) FROM (SELECT 1 FROM attempts
                  WHERE state = 0 AND until <= {now} LIMIT 1) late)",
            &tuple![host, daily, in_progress],
        )?;
        let missing = || RecordError::Damaged(format!("host {host} is missing"));
        let row = row.ok_or_else(missing)?;
        let quota = row.small(1)?;
        let refused = if row.small(0)? > quota && !trusted {
            Some(Refused::Quota(quota))
        } else {
            (row.small(3)? >= in_progress).then_some(Refused::TooMany(in_progress))
        };
        Ok(CountedHost { refused, now: row.word(2)?, has_late: row.int(4)? > 0 })
    }

    /// It gets nothing after all, and perhaps waits for something.
    fn count_out(&self, link: &mut dyn Link, is_hungry: bool) -> Result<(), RecordError> {
        let today = "UPDATE hosts SET today = today - 1,
                         asked = CASE WHEN $2 = 1 THEN {now} ELSE 0 END WHERE id = $1";
        link.execute(today, &tuple![self.who.host, is_hungry]).map(drop)
    }

    /// The oldest unit of a project that the user has not had; or one that it had and lost, since
    /// perhaps there is nobody else.
    fn lease_of(
        &self,
        link: &mut dyn Link,
        candidate: &Candidate,
        now: u64,
    ) -> Result<Option<Lease>, RecordError> {
        let version = self.versions.iter().find(|(family, _)| *family == candidate.family);
        let Some(&(_, version)) = version else { return Ok(None) };
        let Visitor { user, trusted, .. } = *self.who;
        let kinds: &[i64] = if trusted { &[1, 0] } else { &[0] };
        for (trusted_only, lost) in
            [-1, EXPIRED].iter().flat_map(|l| kinds.iter().map(move |k| (k, l)))
        {
            let found = link.query_one(
                self.limits.order.statement(),
                &tuple![
                    candidate.id,
                    *trusted_only,
                    version.0,
                    self.megabytes,
                    trusted,
                    user,
                    *lost
                ],
            )?;
            if let Some(mut row) = found {
                let (number, bytes, attempt) = (row.word(0)?, row.bytes(1)?, row.small(2)?);
                match Unit::decode(&bytes) {
                    Ok(unit) => {
                        let until = now + self.limits.lease_seconds;
                        let lease = Lease { unit, attempt, until };
                        return self.begin(link, candidate.id, lease, now).map(Some);
                    }
                    Err(error) => close(link, candidate.id, number, &error.to_string())?,
                }
            }
            if trusted && *lost == EXPIRED {
                break;
            }
        }
        Ok(None)
    }

    /// A new attempt at a unit, whose row is locked. If somebody else had its number meanwhile the
    /// transaction is tried again.
    fn begin(
        &self,
        link: &mut dyn Link,
        project: u32,
        lease: Lease,
        now: u64,
    ) -> Result<Lease, RecordError> {
        let Lease { attempt, until, .. } = lease;
        let number = lease.unit.id.number;
        let Visitor { user, host, network, trusted } = *self.who;
        link.execute(
            "INSERT INTO attempts (project, unit, attempt, user_id, host_id, network, trusted,
                 since, until, state)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
            &tuple![project, number, attempt, user, host, network, trusted, now, until, LIVE],
        )?;
        Ok(lease)
    }

    /// What to say to somebody for whom there is nothing.
    fn nothing(&self, link: &mut dyn Link) -> Result<Handed, RecordError> {
        let goes_on = "SELECT count(*) FROM projects
                       WHERE state IN ('running', 'paused', 'auditing')";
        if link.number(goes_on, &tuple![])? == 0 {
            return Ok(Handed::Refused(Refused::Over));
        }
        let bans = link.query_one(
            "SELECT count(*), count(r.user_id) FROM projects p
             LEFT JOIN user_records r ON r.project = p.id AND r.user_id = $1 AND r.banned = 1
             WHERE p.state IN ('running', 'auditing')",
            &tuple![self.who.user],
        )?;
        if let Some(bans) = bans
            && bans.int(0)? > 0
            && bans.int(0)? == bans.int(1)?
        {
            return Ok(Handed::Refused(Refused::Banned));
        }
        let mut wanted: Vec<(String, SolverVersion)> = Vec::new();
        let (mut is_right, mut least) = (false, None);
        let rows = link.query(
            "SELECT p.game, u.solver, min(CASE
                 WHEN u.waiting > 0 AND u.trusted_only <= $1 THEN u.megabytes END)
             FROM projects p JOIN units u ON u.project = p.id
             WHERE p.state IN ('running', 'auditing') AND u.open = 1
             GROUP BY p.game, u.solver ORDER BY p.game, u.solver",
            &tuple![self.who.trusted],
        )?;
        for mut row in rows {
            let version = (family(&row.text(0)?).to_owned(), SolverVersion(row.word(1)?));
            if self.versions.contains(&version) {
                is_right = true;
                least = least.into_iter().chain(row.optional_int(2)).min();
            }
            wanted.push(version);
        }
        Ok(match least {
            Some(least) if least > i64::from(self.megabytes) => {
                Handed::Refused(Refused::Memory(least as u32))
            }
            _ if !is_right && !wanted.is_empty() => {
                wanted.dedup();
                Handed::Refused(Refused::OtherVersion(wanted))
            }
            _ => Handed::Later(self.limits.later_seconds),
        })
    }
}

/// One statement cannot be put together from pieces, as statements are constants.
macro_rules! take_ready {
    ($order:literal) => {
        concat!(
            "UPDATE units SET waiting = waiting - 1
             WHERE project = $1 AND number = (SELECT number FROM units
                 WHERE project = $1 AND trusted_only = $2 AND open = 1 AND waiting > 0
                 AND solver = $3 AND megabytes <= $4
                 AND ($5 = 1 OR NOT EXISTS (SELECT 1 FROM attempts a
                      WHERE a.project = units.project AND a.unit = units.number
                      AND a.user_id = $6 AND a.state <> $7))
                 ORDER BY ",
            $order,
            " LIMIT 1 {skip})
             RETURNING number, unit, (SELECT coalesce(max(attempt), -1) + 1 FROM attempts
                 WHERE attempts.project = units.project AND attempts.unit = units.number)"
        )
    };
}

impl FeedOrder {
    fn statement(self) -> &'static str {
        match self {
            FeedOrder::Age => take_ready!("number"),
            FeedOrder::Priority => take_ready!("waiting - wanted, number"),
            FeedOrder::Random => take_ready!("random()"),
        }
    }
}

/// Of `reversi:6x6` it is `reversi`.
pub(super) fn family(game: &str) -> &str {
    game.split(':').next().unwrap_or(game)
}

/// Projects with something to do that would believe this user.
fn candidates(link: &mut dyn Link, user: u64) -> Result<Vec<Candidate>, RecordError> {
    let rows = link.query(
        "SELECT id, share, game FROM projects WHERE state IN ('running', 'auditing') AND share > 0
         AND EXISTS (SELECT 1 FROM units WHERE project = id AND open = 1 AND waiting > 0)
         AND NOT EXISTS (SELECT 1 FROM user_records
             WHERE project = id AND user_id = $1 AND banned = 1)
         ORDER BY id",
        &tuple![user],
    )?;
    let candidate = |mut row: Tuple| {
        let family = family(&row.text(2)?).to_owned();
        Ok(Candidate { id: row.small(0)?, share: row.word(1)?, family })
    };
    rows.into_iter().map(candidate).collect()
}

/// Takes one out at random, each as likely as its share says.
fn drawn(candidates: &mut Vec<Candidate>, lot: &mut game::Rng) -> Option<Candidate> {
    let all: u64 = candidates.iter().map(|candidate| candidate.share).sum();
    let mut left = lot.below(all.max(1) as usize) as u64;
    let reaches = |candidate: &Candidate| match left.checked_sub(candidate.share) {
        Some(rest) => {
            left = rest;
            false
        }
        None => true,
    };
    let at = candidates.iter().position(reaches)?;
    Some(candidates.swap_remove(at))
}

/// A unit that nobody can read is made anew by its coordinator, who finds it gone.
fn close(link: &mut dyn Link, project: u32, number: u64, why: &str) -> Result<(), RecordError> {
    link.execute(
        "UPDATE units SET open = 0, closed = {now} WHERE project = $1 AND number = $2",
        &tuple![project, number],
    )?;
    log(link, project, &format!("unit {number} is damaged: {why}"))
}
