//! [`Store`]: facts that survive, in one SQLite file.
//!
//! What is kept of a place is its name, its bounds, what was spent on it and whether its moves were looked at. Which place leads to which
//! follows from the rules and is not kept. Every save is one transaction that is on the disk when it returns, so that whatever happens
//! to the program, the file holds what was last saved.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use game::{Side, shown};
use rusqlite::{Connection, ErrorCode, OpenFlags, params};
use storage::{Lock, LockError, WriteError};

use crate::question::Bounds;
use crate::tree::{Sight, Tree};

/// `Zrms` in letters: the file is ours.
const MAGIC: i32 = 0x5a72_6d73;
const VERSION: i32 = 1;

const TABLES: &str = "
CREATE TABLE problem (
    game     TEXT NOT NULL,
    position TEXT NOT NULL,
    nodes    INTEGER NOT NULL,
    seconds  REAL NOT NULL
) STRICT;
CREATE TABLE places (
    name     TEXT PRIMARY KEY,
    mover    INTEGER NOT NULL,
    lower    INTEGER NOT NULL,
    upper    INTEGER NOT NULL,
    moves    INTEGER NOT NULL,
    tries    INTEGER NOT NULL,
    nodes    INTEGER NOT NULL,
    expanded INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
";

/// Why a store cannot be used. Prints as one line.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It holds something already, and nobody said to go on with it.
    #[error("{0} holds work already: --resume goes on with it")]
    HoldsWork(PathBuf),
    /// There is nothing to go on with.
    #[error("{0}: there is no store to resume")]
    Missing(PathBuf),
    /// It is a file of another kind.
    #[error("{0} is not a store of zermelo")]
    Foreign(PathBuf),
    /// It was written by another version.
    #[error("{0} is a store of version {1}, and this program reads version {VERSION}")]
    OtherVersion(PathBuf, i32),
    /// It is about something else.
    #[error("{0} is about {is}, not about {wanted}", is = shown(.1), wanted = shown(.2))]
    OtherProblem(PathBuf, String, String),
    /// Somebody else has it open, or it cannot be locked.
    #[error(transparent)]
    NotOurs(#[from] LockError),
    /// It says what the rules deny.
    #[error("{0} is damaged: {1}")]
    Damaged(PathBuf, String),
    /// It cannot be put in its place.
    #[error(transparent)]
    NotMade(#[from] WriteError),
    /// Reading or writing failed.
    #[error("{0}: {1}")]
    Failed(PathBuf, rusqlite::Error),
}

/// A place as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// What is known of it.
    pub sight: Sight,
    /// How often work at it has come to nothing.
    pub tries: u32,
    /// Positions visited for its sake.
    pub nodes: u64,
    /// Whether its moves were looked at.
    pub expanded: bool,
}

/// What was spent so far, by all sessions together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spent {
    /// Positions visited.
    pub nodes: u64,
    /// How long.
    pub time: Duration,
}

/// An open store.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    file: PathBuf,
    /// Let go of last, when the file is closed.
    _lock: Lock,
}

impl Store {
    /// Opens a store for this game and position: a new file, or with `resume` the one that is there.
    ///
    /// # Errors
    /// If the file is not what was asked for; it is then left as it was.
    pub fn open(
        file: &Path,
        resume: bool,
        game: &str,
        position: &str,
    ) -> Result<Store, StoreError> {
        // Before anything is looked at: two that begin at once would both find nothing there.
        let lock = Lock::of(file)?;
        match (file.exists(), resume) {
            (true, false) => return Err(StoreError::HoldsWork(file.to_owned())),
            (false, true) => return Err(StoreError::Missing(file.to_owned())),
            _ => {}
        }
        if !resume {
            Store::create(file, game, position)?;
        }
        let connection = connect(file, file, false)?;
        let store = Store { connection, file: file.to_owned(), _lock: lock };
        store.check(game, position)?;
        store.settings().map_err(|error| failure(file, error))?;
        Ok(store)
    }

    /// Makes a new store beside its place and moves it there: whoever is killed meanwhile leaves no half of one.
    fn create(file: &Path, game: &str, position: &str) -> Result<(), StoreError> {
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
        let made = fill(&mut connection, game, position).map_err(|error| failure(file, error));
        drop(connection);
        let moved = made
            .and_then(|()| storage::move_into_place(&beside, file).map_err(StoreError::NotMade));
        if moved.is_err() {
            drop(fs::remove_file(&beside));
        }
        moved
    }

    fn settings(&self) -> rusqlite::Result<()> {
        // One program at a time, also where locks of files mean nothing: two would each know half.
        self.connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
        self.connection.pragma_update(None, "journal_mode", "WAL")?;
        self.connection.pragma_update(None, "synchronous", "FULL")?;
        // Takes the lock, which then stays.
        self.connection.execute_batch("BEGIN IMMEDIATE; COMMIT")
    }

    fn check(&self, game: &str, position: &str) -> Result<(), StoreError> {
        let file = || self.file.clone();
        let number = |name| self.connection.pragma_query_value(None, name, |row| row.get(0));
        let magic: i32 = number("application_id").map_err(|error| self.failed(error))?;
        if magic != MAGIC {
            return Err(StoreError::Foreign(file()));
        }
        let version: i32 = number("user_version").map_err(|error| self.failed(error))?;
        if version != VERSION {
            return Err(StoreError::OtherVersion(file(), version));
        }
        let question = "SELECT game, position FROM problem";
        let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
        let found: (String, String) =
            self.connection.query_row(question, [], read).map_err(|error| self.failed(error))?;
        if found != (game.to_owned(), position.to_owned()) {
            let text = |game: &str, position: &str| format!("{game} from {position}");
            let (is, wanted) = (text(&found.0, &found.1), text(game, position));
            return Err(StoreError::OtherProblem(file(), is, wanted));
        }
        Ok(())
    }

    /// All places, and what was spent.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn load(&self) -> Result<(Vec<Row>, Spent), StoreError> {
        self.read().map_err(|error| self.failed(error))
    }

    fn read(&self) -> rusqlite::Result<(Vec<Row>, Spent)> {
        let spent = self.connection.query_row("SELECT nodes, seconds FROM problem", [], |row| {
            let seconds = row.get::<_, f64>(1)?;
            let time = Duration::try_from_secs_f64(seconds).unwrap_or_default();
            Ok(Spent { nodes: row.get::<_, i64>(0)? as u64, time })
        })?;
        let mut statement = self.connection.prepare(
            "SELECT name, mover, lower, upper, moves, tries, nodes, expanded FROM places",
        )?;
        let rows = statement.query_map([], |row| {
            let mover = if row.get::<_, i32>(1)? == 0 { Side::First } else { Side::Second };
            let bounds = Bounds { lower: row.get(2)?, upper: row.get(3)? };
            let moves = row.get::<_, i64>(4)? as usize;
            Ok(Row {
                sight: Sight { name: row.get(0)?, mover, bounds, moves },
                tries: row.get(5)?,
                nodes: row.get::<_, i64>(6)? as u64,
                expanded: row.get(7)?,
            })
        })?;
        Ok((rows.collect::<rusqlite::Result<_>>()?, spent))
    }

    /// Writes what has changed, all or nothing.
    ///
    /// # Errors
    /// If the disk is full or fails; the file then holds what it held before.
    pub fn save(&mut self, tree: &Tree, changed: &[u32], spent: Spent) -> Result<(), StoreError> {
        let written = self.write(tree, changed, spent);
        written.map_err(|error| self.failed(error))
    }

    fn write(&mut self, tree: &Tree, changed: &[u32], spent: Spent) -> rusqlite::Result<()> {
        let transaction = self.connection.transaction()?;
        {
            let mut statement = transaction
                .prepare_cached("INSERT OR REPLACE INTO places VALUES (?1,?2,?3,?4,?5,?6,?7,?8)")?;
            for &place in changed {
                let known = tree.get(place);
                let Sight { name, mover, bounds, moves } = &known.sight;
                statement.execute(params![
                    name,
                    mover.index() as i64,
                    bounds.lower,
                    bounds.upper,
                    *moves as i64,
                    known.tries,
                    known.nodes as i64,
                    known.children.is_some(),
                ])?;
            }
        }
        let total = params![spent.nodes as i64, spent.time.as_secs_f64()];
        transaction.execute("UPDATE problem SET nodes = ?1, seconds = ?2", total)?;
        transaction.commit()
    }

    /// Says that what is in it cannot be.
    #[must_use]
    pub fn damaged(&self, why: impl Into<String>) -> StoreError {
        StoreError::Damaged(self.file.clone(), why.into())
    }

    fn failed(&self, error: rusqlite::Error) -> StoreError {
        failure(&self.file, error)
    }
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

fn fill(connection: &mut Connection, game: &str, position: &str) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    transaction.execute_batch(TABLES)?;
    transaction.execute("INSERT INTO problem VALUES (?1, ?2, 0, 0.0)", [game, position])?;
    transaction.pragma_update(None, "application_id", MAGIC)?;
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.commit()
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
