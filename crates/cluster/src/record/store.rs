//! [`ProjectStore`]: one project of a record, for its coordinator.

use std::collections::HashMap;

use certificate::LemmaHash;
use solve::coordinator::{Batch, Event, NodeLemma, NodeRow, ProjectId, UserRecord, Voter};
use solve::message::{MessageError, Unit, UnitId, UnitReport};
use solve::store::{Claimed, Epoch, Store, StoreError, StoredFact, rows};
use solve::{Bounds, NodeName};

use super::attempt_state::{DELIVERED, EXPIRED, HEARD, SPENT};
use super::commit;
use super::error::RecordError;
use super::link::{Link, tuple};
use super::people::forget_cache;
use super::projects::put_state;
use super::{ClusterRecord, ProjectState, count_waiting, log};

/// One project of a record. Facts are the truth here, and bounds of nodes a cache that they are
/// merged into.
#[derive(Debug)]
pub struct ProjectStore {
    record: ClusterRecord,
    project: u32,
    root: Option<NodeName>,
    damaged: u64,
}

impl ClusterRecord {
    /// What a coordinator of this project writes to.
    #[must_use]
    pub fn store(&self, project: u32) -> ProjectStore {
        ProjectStore { record: self.clone(), project, root: None, damaged: 0 }
    }
}

impl ProjectStore {
    /// The same, which also keeps the bounds of this node as those of the project.
    #[must_use]
    pub fn with_root(self, root: NodeName) -> ProjectStore {
        ProjectStore { root: Some(root), ..self }
    }

    /// How many damaged rows were met and left out.
    #[must_use]
    pub fn damaged(&self) -> u64 {
        self.damaged
    }

    /// Says how the project stands; what it is now. What somebody has decided meanwhile stays: a
    /// cancelled project never changes, and a paused one only when it is solved.
    ///
    /// # Errors
    /// If somebody else drives it, or the record does not answer.
    pub fn advance(&self, epoch: Epoch, state: ProjectState) -> Result<ProjectState, StoreError> {
        let project = self.project;
        let state = self.record.write(|link| {
            let found = driven(link, project, epoch)?.state;
            let stays = match found {
                ProjectState::Cancelled => true,
                ProjectState::Paused => state != ProjectState::Solved,
                _ => found == state,
            };
            if stays {
                return Ok(found);
            }
            put_state(link, project, state)?;
            Ok(state)
        })?;
        Ok(state)
    }

    /// Forgets what was backed up, so that whoever claims the project next knows facts alone.
    ///
    /// # Errors
    /// If somebody else drives it, or the record does not answer.
    pub fn forget_cache(&self, epoch: Epoch, why: &str) -> Result<(), StoreError> {
        let project = self.project;
        Ok(self.record.write(|link| {
            driven(link, project, epoch)?;
            forget_cache(link, project, why)
        })?)
    }

    /// Says that nobody drives the project any longer, so that nobody waits.
    ///
    /// # Errors
    /// If somebody else drives it, or the record does not answer.
    pub fn release(&self, epoch: Epoch) -> Result<(), StoreError> {
        let project = self.project;
        Ok(self.record.write(|link| {
            driven(link, project, epoch)?;
            link.execute("UPDATE projects SET beat = 0 WHERE id = $1", &tuple![project]).map(drop)
        })?)
    }

    /// A report that cannot be read is as good as none.
    fn drop_attempts(
        &self,
        attempts: &[(u64, u32, Option<MessageError>)],
    ) -> Result<(), RecordError> {
        self.record.write(|link| {
            for (unit, attempt, error) in attempts {
                let (unit, attempt) = (*unit, *attempt);
                lock_units(link, self.project, &[unit])?;
                link.execute(
                    "UPDATE attempts SET state = $4, report = NULL
                     WHERE project = $1 AND unit = $2 AND attempt = $3 AND state = 2",
                    &tuple![self.project, unit, attempt, EXPIRED],
                )?;
                count_waiting(link, &[(self.project, unit)])?;
                let why =
                    error.as_ref().map_or_else(|| "it is gone".to_owned(), ToString::to_string);
                let line = format!("a report about unit {unit} cannot be used any longer: {why}");
                log(link, self.project, &line)?;
            }
            Ok(())
        })
    }
}

/// A project as whoever drives it finds it.
struct Driven {
    batches: u64,
    state: ProjectState,
}

/// Locks the row of a project for whoever has claimed it last, and refuses all others: an epoch that
/// was only read would let an old coordinator write.
fn driven(link: &mut dyn Link, project: u32, epoch: Epoch) -> Result<Driven, RecordError> {
    let select = "SELECT epoch, batches, state FROM projects WHERE id = $1 {lock}";
    let row = link.query_one(select, &tuple![project])?;
    let mut row = row.ok_or_else(|| RecordError::NoProject(project.to_string()))?;
    if row.word(0)? != epoch.0 {
        return Err(RecordError::Fenced);
    }
    Ok(Driven { batches: row.word(1)?, state: row.text(2)?.parse()? })
}

/// Locks units by their numbers, in this order.
pub(super) fn lock_units(
    link: &mut dyn Link,
    project: u32,
    numbers: &[u64],
) -> Result<(), RecordError> {
    let mut numbers = numbers.to_vec();
    numbers.sort_unstable();
    numbers.dedup();
    let units: Vec<_> = numbers.iter().map(|&number| tuple![project, number]).collect();
    link.execute_of(
        "WITH given (project, number) AS ({rows short int})
         SELECT 1 FROM units JOIN given
         ON units.project = given.project AND units.number = given.number
         ORDER BY units.number {lock units}",
        &units,
    )
}

impl Store for ProjectStore {
    fn claim(&mut self, alone: bool) -> Result<Claimed, StoreError> {
        let project = self.project;
        let claimed = self.record.write(|link| {
            let row = link.query_one(
                // Who comes at the same moment sees that somebody drives it.
                "UPDATE projects SET epoch = epoch + 1, incarnation = incarnation + 1, beat = {now}
                 WHERE id = $1 RETURNING epoch, incarnation, next_number, batches, nodes, seconds",
                &tuple![project],
            )?;
            let row = row.ok_or_else(|| RecordError::NoProject(project.to_string()))?;
            if alone {
                link.execute("DELETE FROM units WHERE project = $1", &tuple![project])?;
                link.execute("DELETE FROM attempts WHERE project = $1", &tuple![project])?;
            }
            forget_heard(link, project)?;
            Ok(Claimed {
                epoch: Epoch(row.word(0)?),
                project: ProjectId { project, incarnation: row.small(1)? },
                next_number: row.word(2)?,
                batches: row.word(3)?,
                nodes: row.word(4)?,
                seconds: row.real(5)?,
            })
        })?;
        Ok(claimed)
    }

    fn units(&mut self) -> Result<Vec<(Unit, bool)>, StoreError> {
        let select = "SELECT unit, trusted_only FROM units WHERE project = $1 AND open = 1
                      ORDER BY number";
        let mut units = Vec::new();
        for mut row in self.record.read(|link| link.query(select, &tuple![self.project]))? {
            // One that is damaged is made anew.
            if let Ok(unit) = Unit::decode(&row.bytes(0)?) {
                units.push((unit, row.flag(1)?));
            }
        }
        Ok(units)
    }

    fn nodes(&mut self, names: &[NodeName]) -> Result<Vec<NodeRow>, StoreError> {
        let wanted: Vec<_> =
            names.iter().map(|name| tuple![self.project, name.as_bytes()]).collect();
        let (kept, facts) = self.record.read(|link| {
            let kept = link.query_of(
                "WITH given (project, name) AS ({rows short bytes})
                 SELECT n.name, n.state, n.moves FROM given JOIN nodes n
                 ON n.project = given.project AND n.name = given.name",
                &wanted,
            )?;
            let facts = link.query_of(
                "WITH given (project, name) AS ({rows short bytes})
                 SELECT f.name, f.at_least, f.holds, f.unit, f.checksum FROM given JOIN facts f
                 ON f.project = given.project AND f.name = given.name",
                &wanted,
            )?;
            Ok((kept, facts))
        })?;
        let mut known: HashMap<NodeName, NodeRow> = HashMap::new();
        for mut row in kept {
            let name = NodeName::new(row.bytes(0)?);
            let (state, moves) = (row.bytes(1)?, row.optional_bytes(2));
            match kept_row(&name, &state, moves.as_deref()) {
                Some(row) => drop(known.insert(name, row)),
                None => self.damaged += 1,
            }
        }
        for mut row in facts {
            let name = NodeName::new(row.bytes(0)?);
            let (at_least, holds, unit) = (row.int(1)? as i32, row.flag(2)?, row.word(3)?);
            if row.int(4)? != i64::from(fact_checksum(&name, at_least, holds, unit)) {
                self.damaged += 1;
                continue;
            }
            let row = known.entry(name.clone()).or_insert_with(|| nothing_known(&name));
            row.bounds = row.bounds.with(at_least, holds);
        }
        Ok(names.iter().filter_map(|name| known.remove(name)).collect())
    }

    fn facts(&mut self, names: &[NodeName]) -> Result<Vec<StoredFact>, StoreError> {
        let wanted: Vec<_> =
            names.iter().map(|name| tuple![self.project, name.as_bytes()]).collect();
        let rows = self.record.read(|link| {
            link.query_of(
                "WITH given (project, name) AS ({rows short bytes})
                 SELECT f.name, f.at_least, f.holds, f.unit, f.checksum, f.users, f.trusted
                 FROM given JOIN facts f ON f.project = given.project AND f.name = given.name",
                &wanted,
            )
        })?;
        let mut facts = Vec::new();
        for mut row in rows {
            let name = NodeName::new(row.bytes(0)?);
            let (at_least, holds, unit) = (row.int(1)? as i32, row.flag(2)?, row.word(3)?);
            if row.int(4)? != i64::from(fact_checksum(&name, at_least, holds, unit)) {
                self.damaged += 1;
                continue;
            }
            let (users, trusted) = (row.small(5)?, row.flag(6)?);
            facts.push(StoredFact { name, at_least, holds, unit, users, trusted });
        }
        Ok(facts)
    }

    fn users(&mut self) -> Result<Vec<(u64, UserRecord)>, StoreError> {
        let select = "SELECT r.user_id, r.valid, r.invalid, r.since, r.checked,
                      CASE WHEN r.banned = 1 OR u.revoked = 1 THEN 1 ELSE 0 END
                      FROM user_records r JOIN users u ON u.id = r.user_id
                      WHERE r.project = $1 ORDER BY r.user_id";
        let mut users = Vec::new();
        for row in self.record.read(|link| link.query(select, &tuple![self.project]))? {
            let record = UserRecord {
                valid: row.small(1)?,
                invalid: row.small(2)?,
                since: row.word(3)?,
                checked: row.small(4)?,
                banned: row.flag(5)?,
            };
            users.push((row.word(0)?, record));
        }
        Ok(users)
    }

    fn lemmas(&mut self) -> Result<Vec<NodeLemma>, StoreError> {
        let select = "SELECT name, at_least, holds, hash FROM node_lemmas WHERE project = $1";
        let mut lemmas = Vec::new();
        for mut row in self.record.read(|link| link.query(select, &tuple![self.project]))? {
            // One that is damaged is made anew.
            let Ok(hash) = row.bytes(3)?.try_into() else { continue };
            lemmas.push(NodeLemma {
                name: NodeName::new(row.bytes(0)?),
                at_least: row.int(1)? as i32,
                holds: row.flag(2)?,
                hash: LemmaHash(hash),
            });
        }
        Ok(lemmas)
    }

    /// Found by their state: whoever looks for numbers above the last one overlooks what was
    /// committed late.
    fn events(&mut self, most: usize) -> Result<Vec<Event>, StoreError> {
        let select = "SELECT user_id, network, trusted, report, unit, attempt FROM attempts
                      WHERE project = $1 AND state = 2
                      ORDER BY delivered, unit, attempt LIMIT $2";
        let given = tuple![self.project, most as u64];
        let (mut events, mut unreadable) = (Vec::new(), Vec::new());
        for mut row in self.record.read(|link| link.query(select, &given))? {
            let (user, network, trusted) = (row.word(0)?, row.word(1)?, row.flag(2)?);
            match row.optional_bytes(3).map(|bytes| UnitReport::decode(&bytes)) {
                Some(Ok(report)) => {
                    let voter = Voter { user, network, trusted };
                    events.push(Event::Delivered(voter, Box::new(report)));
                }
                Some(Err(error)) => unreadable.push((row.word(4)?, row.small(5)?, Some(error))),
                None => unreadable.push((row.word(4)?, row.small(5)?, None)),
            }
        }
        if !unreadable.is_empty() {
            self.drop_attempts(&unreadable)?;
        }
        Ok(events)
    }

    fn reports(&mut self, unit: UnitId, attempts: &[u32]) -> Result<Vec<UnitReport>, StoreError> {
        let asked: Vec<_> =
            attempts.iter().map(|&attempt| tuple![self.project, unit.number, attempt]).collect();
        let rows = self.record.read(|link| {
            link.query_of(
                "WITH given (project, unit, attempt) AS ({rows short int int})
                 SELECT a.report FROM given JOIN attempts a ON a.project = given.project
                 AND a.unit = given.unit AND a.attempt = given.attempt
                 WHERE a.report IS NOT NULL",
                &asked,
            )
        })?;
        let mut reports = Vec::new();
        for mut row in rows {
            reports.extend(UnitReport::decode(&row.bytes(0)?));
        }
        Ok(reports)
    }

    fn commit(&mut self, epoch: Epoch, batch: &Batch, seconds: f64) -> Result<(), StoreError> {
        let root = self.root.as_ref();
        let (project, limits) = (self.project, self.record.limits);
        self.record.write(|link| {
            let Driven { batches: last, .. } = driven(link, project, epoch)?;
            if batch.number != last + 1 {
                return Err(RecordError::OutOfOrder { last, found: batch.number });
            }
            commit::write(link, project, batch, limits.daily)?;
            commit::write_project(link, project, batch, seconds, root)
        })?;
        Ok(())
    }
}

/// Whoever takes over has heard nothing yet: not of results that wait for others, and not of
/// attempts that failed, so that it will not count them among the wanted.
fn forget_heard(link: &mut dyn Link, project: u32) -> Result<(), RecordError> {
    let rows = link.query(
        "SELECT number FROM units WHERE project = $1 AND open = 1 AND EXISTS
             (SELECT 1 FROM attempts a WHERE a.project = units.project AND a.unit = units.number
              AND a.state = 3)
         ORDER BY number {lock}",
        &tuple![project],
    )?;
    link.execute(
        "UPDATE attempts SET state = $2 WHERE project = $1 AND state = $3",
        &tuple![project, DELIVERED, HEARD],
    )?;
    let mut units = Vec::new();
    for row in rows {
        let unit = row.word(0)?;
        let spent = link.execute(
            "UPDATE attempts SET state = $3 WHERE project = $1 AND unit = $2 AND state = 3",
            &tuple![project, unit, SPENT],
        )?;
        link.execute(
            "UPDATE units SET wanted = CASE WHEN wanted > $3 THEN wanted - $3 ELSE 1 END
             WHERE project = $1 AND number = $2",
            &tuple![project, unit, spent],
        )?;
        units.push((project, unit));
    }
    count_waiting(link, &units)
}

/// What stands in `nodes`; an empty state says nothing, a damaged one is none.
fn kept_row(name: &NodeName, state: &[u8], moves: Option<&[u8]>) -> Option<NodeRow> {
    if !state.is_empty() {
        return rows::row(name.clone(), state, moves);
    }
    let nothing = nothing_known(name);
    rows::row(name.clone(), &rows::state_bytes(&nothing), moves)
}

/// Whatever the rules say is closer than this.
fn nothing_known(name: &NodeName) -> NodeRow {
    NodeRow::with_facts(name, None, Bounds::ANY)
}

/// A bit that flips on the disk must not prove anything.
pub(super) fn fact_checksum(name: &NodeName, at_least: i32, holds: bool, unit: u64) -> u32 {
    let mut body = at_least.to_le_bytes().to_vec();
    body.push(holds.into());
    body.extend(unit.to_le_bytes());
    rows::checksum(name, &body)
}
