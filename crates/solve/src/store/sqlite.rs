//! [`SqliteStore`]: a project in one SQLite file, for one process at a time.
//!
//! What comes in is written at once, but only on the disk after [`sync`](super::Door::sync) or a commit: so
//! a step of the coordinator costs one wait for the disk, whatever it takes in. A batch first looks
//! whether its coordinator may still write.

mod door;
mod writing;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use certificate::LemmaHash;
use game::TextError;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, Row, params};
use storage::{Lock, LockError};

use super::schema::{CHECKED, LEMMAS, MAGIC, TABLES, VERSION, row};
use super::upgrade::{self, OldStore, Upgraded};
use super::{Claimed, Epoch, Store, StoreError, StoredFact};
use crate::coordinator::{Batch, Event, NodeLemma, NodeRow, ProjectId, UserRecord, Voter};
use crate::goal::Bounds;
use crate::message::{Unit, UnitId, UnitReport};
use crate::method::Method;
use crate::name::NodeName;
use crate::rules::SolverRules;
use writing::{write, write_nodes};

const LIVE: i64 = 0;
const EXPIRED: i64 = 1;
const DELIVERED: i64 = 2;
const JUDGED: i64 = 3;
/// Delivered, and waits for others.
const HEARD: i64 = 4;

/// An open store.
#[derive(Debug)]
pub struct SqliteStore {
    connection: Connection,
    file: PathBuf,
    /// Whether something was written that is not on the disk yet.
    is_pending: bool,
    /// Whether it is kept who said what: not where all who work are this program itself.
    keeps_votes: bool,
    /// Rows that were damaged and left out.
    damaged: u64,
    /// Let go of last, when the file is closed.
    _lock: Lock,
}

impl SqliteStore {
    /// Opens a store for what these rules ask about: a new file, or with `resume` the one that is
    /// there. A store of version 1 is written anew, in one step, by this method.
    ///
    /// # Errors
    /// If the file is not what was asked for; it is then left as it was.
    pub fn open(
        file: &Path,
        resume: bool,
        rules: &dyn SolverRules,
        method: Method,
    ) -> Result<SqliteStore, StoreError> {
        // Before anything is looked at: two that begin at once would both find nothing there.
        let lock = Lock::of(file)?;
        match (file.exists(), resume) {
            (true, false) => return Err(StoreError::HoldsWork(file.to_owned())),
            (false, true) => return Err(StoreError::Missing(file.to_owned())),
            _ => {}
        }
        if !resume {
            create(file, rules, &Upgraded::default())?;
        } else if let Some(old) = check(&connect(file, file, false)?, file, rules)? {
            let upgraded = old.upgraded(rules, method);
            let damaged =
                |error: TextError| StoreError::Damaged(file.to_owned(), error.to_string());
            create(file, rules, &upgraded.map_err(damaged)?)?;
        }
        let connection = connect(file, file, false)?;
        let mut store = SqliteStore {
            connection,
            file: file.to_owned(),
            is_pending: false,
            keeps_votes: false,
            damaged: 0,
            _lock: lock,
        };
        store.settings().map_err(|error| failure(file, error))?;
        Ok(store)
    }

    /// Keeps who said what, for a project that strangers take part in.
    pub fn keep_votes(&mut self) {
        self.keeps_votes = true;
    }

    /// How many damaged rows were met and left out.
    #[must_use]
    pub fn damaged(&self) -> u64 {
        self.damaged
    }

    fn settings(&mut self) -> rusqlite::Result<()> {
        // One program at a time, also where locks of files mean nothing: two would each know half.
        self.connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
        self.connection.pragma_update(None, "journal_mode", "WAL")?;
        self.connection.pragma_update(None, "synchronous", "FULL")?;
        self.connection.set_prepared_statement_cache_capacity(64);
        // Takes the lock, which then stays.
        self.connection.execute_batch("BEGIN IMMEDIATE; COMMIT")?;
        self.connection.execute_batch(LEMMAS)?;
        let known = "SELECT count(*) FROM pragma_table_info('users') WHERE name = 'checked'";
        match self.connection.query_row(known, [], |row| row.get(0))? {
            0i64 => self.connection.execute_batch(CHECKED),
            _ => Ok(()),
        }
    }

    /// Does something inside of the transaction that the next commit ends.
    fn pending<T>(
        &mut self,
        act: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let file = &self.file;
        if !self.is_pending {
            let begun = self.connection.execute_batch("BEGIN IMMEDIATE");
            begun.map_err(|error| failure(file, error))?;
            self.is_pending = true;
        }
        act(&self.connection).map_err(|error| failure(file, error))
    }

    /// Ends the transaction; after an error nothing of it is there.
    fn end(&mut self, is_good: bool) -> Result<(), StoreError> {
        if !std::mem::take(&mut self.is_pending) {
            return Ok(());
        }
        let end = if is_good { "COMMIT" } else { "ROLLBACK" };
        let ended = self.connection.execute_batch(end);
        if ended.is_err() && is_good {
            // A failed commit leaves the transaction open.
            drop(self.connection.execute_batch("ROLLBACK"));
        }
        ended.map_err(|error| failure(&self.file, error))
    }
}

impl Store for SqliteStore {
    fn claim(&mut self, alone: bool) -> Result<Claimed, StoreError> {
        let claimed = self.pending(|connection| {
            connection.execute(
                "UPDATE project SET epoch = epoch + 1, incarnation = incarnation + 1",
                [],
            )?;
            if alone {
                connection.execute_batch("DELETE FROM units; DELETE FROM attempts")?;
            }
            // Whoever takes over has heard nothing yet.
            connection
                .execute("UPDATE attempts SET state = ?1 WHERE state = ?2", [DELIVERED, HEARD])?;
            let question =
                "SELECT epoch, incarnation, next_number, batches, nodes, seconds FROM project";
            connection.query_row(question, [], |row| {
                Ok(Claimed {
                    epoch: Epoch(number(row, 0)?),
                    project: ProjectId { project: 0, incarnation: row.get(1)? },
                    next_number: number(row, 2)?,
                    batches: number(row, 3)?,
                    nodes: number(row, 4)?,
                    seconds: row.get(5)?,
                })
            })
        })?;
        self.end(true)?;
        Ok(claimed)
    }

    fn units(&mut self) -> Result<Vec<(Unit, bool)>, StoreError> {
        let read = |connection: &Connection| {
            let question = "SELECT unit, trusted_only FROM units WHERE open ORDER BY number";
            let mut statement = connection.prepare(question)?;
            let rows =
                statement.query_map([], |row| Ok((row.get::<_, Vec<u8>>(0)?, row.get(1)?)))?;
            rows.collect::<rusqlite::Result<Vec<(Vec<u8>, bool)>>>()
        };
        let rows = read(&self.connection).map_err(|error| failure(&self.file, error))?;
        // One that is damaged is made anew.
        let unit = |(bytes, trusted_only): (Vec<u8>, bool)| {
            Some((Unit::decode(&bytes).ok()?, trusted_only))
        };
        Ok(rows.into_iter().filter_map(unit).collect())
    }

    fn nodes(&mut self, names: &[NodeName]) -> Result<Vec<NodeRow>, StoreError> {
        let mut damaged = 0;
        let mut read = |connection: &Connection| {
            let mut statement =
                connection.prepare_cached("SELECT state, moves FROM nodes WHERE name = ?1")?;
            let mut facts =
                connection.prepare_cached("SELECT at_least, holds FROM facts WHERE name = ?1")?;
            let mut rows = Vec::new();
            for name in names {
                let found = statement
                    .query_row([name.as_bytes()], |found| {
                        let state = found.get::<_, Vec<u8>>(0)?;
                        Ok((state, found.get::<_, Option<Vec<u8>>>(1)?))
                    })
                    .optional()?;
                let known = found.and_then(|(state, moves)| {
                    let known = row(name.clone(), &state, moves.as_deref());
                    damaged += u64::from(known.is_none());
                    known
                });
                let mut bounds = Bounds::ANY;
                let mut found = facts.query([name.as_bytes()])?;
                while let Some(fact) = found.next()? {
                    bounds = bounds.with(fact.get(0)?, fact.get(1)?);
                }
                if known.is_some() || bounds != Bounds::ANY {
                    rows.push(NodeRow::with_facts(name, known, bounds));
                }
            }
            Ok(rows)
        };
        let rows = read(&self.connection).map_err(|error| failure(&self.file, error))?;
        self.damaged += damaged;
        Ok(rows)
    }

    /// Whoever works at a store of one process is the program itself.
    fn facts(&mut self, names: &[NodeName]) -> Result<Vec<StoredFact>, StoreError> {
        let read = |connection: &Connection| {
            let question = "SELECT at_least, holds, unit FROM facts WHERE name = ?1";
            let mut statement = connection.prepare_cached(question)?;
            let mut facts = Vec::new();
            for name in names {
                let rows = statement.query_map([name.as_bytes()], |row| {
                    let (at_least, holds, unit) = (row.get(0)?, row.get(1)?, number(row, 2)?);
                    let name = name.clone();
                    Ok(StoredFact { name, at_least, holds, unit, users: 1, trusted: true })
                })?;
                for fact in rows {
                    facts.push(fact?);
                }
            }
            Ok(facts)
        };
        read(&self.connection).map_err(|error| failure(&self.file, error))
    }

    fn users(&mut self) -> Result<Vec<(u64, UserRecord)>, StoreError> {
        let read = |connection: &Connection| {
            let question = "SELECT user, valid, invalid, since, banned, checked FROM users";
            let mut statement = connection.prepare(question)?;
            let rows = statement.query_map([], |row| {
                let record = UserRecord {
                    valid: row.get(1)?,
                    invalid: row.get(2)?,
                    since: number(row, 3)?,
                    banned: row.get(4)?,
                    checked: row.get(5)?,
                };
                Ok((number(row, 0)?, record))
            })?;
            rows.collect::<rusqlite::Result<_>>()
        };
        read(&self.connection).map_err(|error| failure(&self.file, error))
    }

    fn lemmas(&mut self) -> Result<Vec<NodeLemma>, StoreError> {
        let read = |connection: &Connection| {
            let question = "SELECT name, at_least, holds, hash FROM lemmas";
            let mut statement = connection.prepare(question)?;
            let rows = statement.query_map([], |row| {
                let name = NodeName::new(row.get::<_, Vec<u8>>(0)?);
                let hash = LemmaHash(row.get::<_, [u8; 32]>(3)?);
                Ok(NodeLemma { name, at_least: row.get(1)?, holds: row.get(2)?, hash })
            })?;
            rows.collect::<rusqlite::Result<_>>()
        };
        read(&self.connection).map_err(|error| failure(&self.file, error))
    }

    fn events(&mut self, most: usize) -> Result<Vec<Event>, StoreError> {
        let read = |connection: &Connection| {
            let mut statement = connection.prepare_cached(
                "SELECT user, network, trusted, report FROM attempts WHERE state = 2 LIMIT ?1",
            )?;
            let rows = statement.query_map([most as i64], |row| {
                let voter =
                    Voter { user: number(row, 0)?, network: number(row, 1)?, trusted: row.get(2)? };
                Ok((voter, row.get::<_, Vec<u8>>(3)?))
            })?;
            rows.collect::<rusqlite::Result<Vec<_>>>()
        };
        let rows = read(&self.connection).map_err(|error| failure(&self.file, error))?;
        let event = |(voter, bytes): (Voter, Vec<u8>)| {
            Some(Event::Delivered(voter, Box::new(UnitReport::decode(&bytes).ok()?)))
        };
        Ok(rows.into_iter().filter_map(event).collect())
    }

    fn reports(&mut self, unit: UnitId, attempts: &[u32]) -> Result<Vec<UnitReport>, StoreError> {
        let read = |connection: &Connection| {
            let mut statement = connection.prepare_cached(
                "SELECT report FROM attempts WHERE unit = ?1 AND attempt = ?2
                 AND report IS NOT NULL",
            )?;
            let mut found: Vec<Vec<u8>> = Vec::new();
            for attempt in attempts {
                let row = params![unit.number as i64, attempt];
                found.extend(statement.query_row(row, |row| row.get(0)).optional()?);
            }
            Ok(found)
        };
        let found = read(&self.connection).map_err(|error| failure(&self.file, error))?;
        Ok(found.iter().filter_map(|bytes| UnitReport::decode(bytes).ok()).collect())
    }

    fn commit(&mut self, epoch: Epoch, batch: &Batch, seconds: f64) -> Result<(), StoreError> {
        let keeps_votes = self.keeps_votes;
        let read = self.pending(|connection| {
            let question = "SELECT epoch, batches FROM project";
            connection.query_row(question, [], |row| Ok((number(row, 0)?, number(row, 1)?)))
        });
        let written = read.and_then(|(now, last)| {
            if Epoch(now) != epoch {
                return Err(StoreError::Fenced);
            }
            if batch.number != last + 1 {
                return Err(StoreError::OutOfOrder { last, found: batch.number });
            }
            self.pending(|connection| write(connection, batch, seconds, keeps_votes))
        });
        match written {
            Ok(()) => self.end(true),
            Err(error) => {
                drop(self.end(false));
                Err(error)
            }
        }
    }
}

/// SQLite knows signed numbers alone.
fn number(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    row.get::<_, i64>(column).map(|number| number as u64)
}

/// Makes a new store beside its place and moves it there: whoever is killed meanwhile leaves no half
/// of one.
fn create(file: &Path, rules: &dyn SolverRules, upgraded: &Upgraded) -> Result<(), StoreError> {
    let with = |ending: &str| {
        let mut name = file.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    };
    let beside = with(".part");
    // Half of one that somebody left.
    for left in [&beside, &with(".part-journal")] {
        drop(fs::remove_file(left));
    }
    let mut connection = connect(&beside, file, true)?;
    let made = fill(&mut connection, rules, upgraded).map_err(|error| failure(file, error));
    drop(connection);
    let moved =
        made.and_then(|()| storage::move_into_place(&beside, file).map_err(StoreError::NotMade));
    if moved.is_err() {
        drop(fs::remove_file(&beside));
    }
    moved
}

fn fill(
    connection: &mut Connection,
    rules: &dyn SolverRules,
    upgraded: &Upgraded,
) -> rusqlite::Result<()> {
    let Upgraded { rows, nodes, seconds } = upgraded;
    let transaction = connection.transaction()?;
    transaction.execute_batch(TABLES)?;
    let (game, position) = (rules.game(), rules.root_text());
    transaction.execute(
        "INSERT INTO project VALUES (?1, ?2, 0, 0, 0, 0, ?3, ?4)",
        params![game, position, *nodes as i64, seconds],
    )?;
    write_nodes(&transaction, rows)?;
    transaction.pragma_update(None, "application_id", MAGIC)?;
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.commit()
}

/// Makes sure that a file is a store about this; what is in it, if it is one of version 1.
fn check(
    connection: &Connection,
    file: &Path,
    rules: &dyn SolverRules,
) -> Result<Option<OldStore>, StoreError> {
    let failed = |error| failure(file, error);
    let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    if number("application_id").map_err(failed)? != MAGIC {
        return Err(StoreError::Foreign(file.to_owned()));
    }
    let version = number("user_version").map_err(failed)?;
    let table = match version {
        VERSION => "project",
        upgrade::VERSION => "problem",
        _ => return Err(StoreError::OtherVersion(file.to_owned(), version)),
    };
    let question = format!("SELECT game, position FROM {table}");
    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
    let found: (String, String) = connection.query_row(&question, [], read).map_err(failed)?;
    let wanted = (rules.game(), rules.root_text());
    if found != wanted {
        let text = |(game, position): &(String, String)| format!("{game} from {position}");
        return Err(StoreError::OtherProblem(file.to_owned(), text(&found), text(&wanted)));
    }
    let old = (version == upgrade::VERSION).then(|| OldStore::read(connection));
    old.transpose().map_err(failed)
}

/// Opens a file that errors call by this name.
fn connect(file: &Path, name: &Path, create: bool) -> Result<Connection, StoreError> {
    let failed = |error: rusqlite::Error| failure(name, error);
    let mut flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    flags.set(OpenFlags::SQLITE_OPEN_CREATE, create);
    let connection = Connection::open_with_flags(file, flags).map_err(failed)?;
    connection.busy_timeout(Duration::from_millis(200)).map_err(failed)?;
    Ok(connection)
}

fn failure(file: &Path, error: rusqlite::Error) -> StoreError {
    let file = file.to_owned();
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => StoreError::Foreign(file),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => LockError::Busy(file).into(),
        Some(ErrorCode::DatabaseCorrupt) => {
            StoreError::Damaged(file, "SQLite cannot read it".to_owned())
        }
        _ => StoreError::Failed(file, error),
    }
}
