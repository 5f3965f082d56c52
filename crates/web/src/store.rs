//! Games in SQLite: how each began, and what happened since, one row an event. Events are only ever added;
//! the database itself refuses to change or delete one.

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, OptionalExtension, params};

use crate::seats::Tokens;
use crate::sheet::{Event, Opening};

/// `Zrmw` in letters: the file is ours.
const MAGIC: i32 = 0x5a72_6d77;
const VERSION: i32 = 1;

const SCHEMA: &str = "
CREATE TABLE games (
    id       TEXT PRIMARY KEY,
    game     TEXT NOT NULL,
    position TEXT,
    first    TEXT NOT NULL,
    second   TEXT NOT NULL,
    tokens   TEXT NOT NULL,
    created  INTEGER NOT NULL
) STRICT;
CREATE TABLE events (
    game     TEXT NOT NULL REFERENCES games(id),
    version  INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    event    TEXT NOT NULL,
    PRIMARY KEY (game, version)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER events_stay BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events stay as they are'); END;
CREATE TRIGGER events_last BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events are not deleted'); END;
";

/// Why a store does not do what it should.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// SQLite says no.
    #[error("the store of games: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// There is a file, but not one of ours, or of a newer program.
    #[error("the store of games: {0}")]
    Foreign(String),
    /// What was stored cannot be read.
    #[error("the store of games holds what cannot be read: {0}")]
    Unreadable(String),
}

/// All games. Everything in it blocks for as long as the disk takes.
#[derive(Debug)]
pub(crate) struct Store {
    connection: Mutex<Connection>,
}

/// A game as it was stored.
#[derive(Debug)]
pub(crate) struct Stored {
    pub(crate) opening: Opening,
    pub(crate) tokens: Tokens,
    pub(crate) events: Vec<Event>,
}

impl Store {
    /// Opens the store, or begins one. Without a file it lives as long as the program.
    pub(crate) fn open(file: Option<&Path>) -> Result<Store, StoreError> {
        let connection = match file {
            Some(file) => Connection::open(file)?,
            None => Connection::open_in_memory()?,
        };
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        connection.busy_timeout(std::time::Duration::from_secs(5))?;
        let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
        match (number("application_id")?, number("user_version")?) {
            (MAGIC, VERSION) => {}
            (MAGIC, other) => {
                return Err(StoreError::Foreign(format!(
                    "version {other}, while this program knows version {VERSION}"
                )));
            }
            (0, 0) if is_empty(&connection)? => connection.execute_batch(&format!(
                "BEGIN IMMEDIATE; {SCHEMA} PRAGMA application_id = {MAGIC}; \
                 PRAGMA user_version = {VERSION}; COMMIT;"
            ))?,
            _ => return Err(StoreError::Foreign("the file is not one of this program".to_owned())),
        }
        Ok(Store { connection: Mutex::new(connection) })
    }

    /// Writes down how a game begins, and what has happened in it already.
    pub(crate) fn begin(
        &self,
        id: &str,
        opening: &Opening,
        tokens: &Tokens,
        events: &[Event],
    ) -> Result<(), StoreError> {
        let mut connection = self.connection();
        let work = connection.transaction()?;
        let [first, second] = opening.seats.each_ref().map(ToString::to_string);
        work.execute(
            "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?)",
            params![id, opening.game, opening.position, first, second, as_json(tokens)?, now()],
        )?;
        for (version, event) in (1_i64..).zip(events) {
            insert(&work, id, version, event)?;
        }
        Ok(work.commit()?)
    }

    /// Writes down what happened. Two events of one version are an error.
    pub(crate) fn add(&self, id: &str, version: u64, event: &Event) -> Result<(), StoreError> {
        insert(&self.connection(), id, version.cast_signed(), event)
    }

    /// A whole game.
    pub(crate) fn load(&self, id: &str) -> Result<Option<Stored>, StoreError> {
        let connection = self.connection();
        type Row = (String, Option<String>, String, String, String);
        let row: Option<Row> = connection
            .query_row(
                "SELECT game, position, first, second, tokens FROM games WHERE id = ?",
                [id],
                |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?)),
            )
            .optional()?;
        let Some((game, position, first, second, tokens)) = row else { return Ok(None) };
        let mut statement =
            connection.prepare("SELECT event FROM events WHERE game = ? ORDER BY version")?;
        let rows = statement.query_map([id], |row| row.get::<_, String>(0))?;
        let mut events = Vec::new();
        for text in rows {
            events.push(serde_json::from_str(&text?).map_err(unreadable)?);
        }
        let seat = |text: &str| text.parse().map_err(unreadable);
        let seats = [seat(&first)?, seat(&second)?];
        let tokens = serde_json::from_str(&tokens).map_err(unreadable)?;
        Ok(Some(Stored { opening: Opening { game, position, seats }, tokens, events }))
    }

    /// A panic elsewhere has left no half-written row: SQLite rolls back.
    fn connection(&self) -> std::sync::MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn insert(to: &Connection, id: &str, version: i64, event: &Event) -> Result<(), StoreError> {
    let mut statement = to.prepare_cached("INSERT INTO events VALUES (?, ?, ?, ?)")?;
    statement.execute(params![id, version, now(), as_json(event)?])?;
    Ok(())
}

fn is_empty(connection: &Connection) -> Result<bool, StoreError> {
    let tables = "SELECT count(*) FROM sqlite_schema";
    Ok(connection.query_row(tables, [], |row| row.get::<_, i64>(0))? == 0)
}

fn as_json(value: &impl serde::Serialize) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(unreadable)
}

fn unreadable(error: impl Into<Box<dyn std::error::Error>>) -> StoreError {
    StoreError::Unreadable(error.into().to_string())
}

/// Seconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs().cast_signed())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seats::Seat;

    fn opening() -> Opening {
        let seats = [Seat::Human, "bot:easy".parse().unwrap()];
        Opening { game: "mnk:3x3,k=3".to_owned(), position: None, seats }
    }

    #[test]
    fn games_come_back_as_they_were() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games.db");
        let (play, back) = (Event::Play { text: "b2".to_owned() }, Event::GoTo { ply: 0 });
        let tokens = Tokens::new(&opening().seats);
        {
            let store = Store::open(Some(&file)).unwrap();
            store.begin("a", &opening(), &tokens, std::slice::from_ref(&play)).unwrap();
            store.add("a", 2, &back).unwrap();
            assert!(store.add("a", 2, &play).is_err(), "a version is given once");
            assert!(store.add("b", 1, &play).is_err(), "a game must have begun");
        }
        let store = Store::open(Some(&file)).unwrap();
        let stored = store.load("a").unwrap().unwrap();
        assert_eq!((stored.opening, stored.events), (opening(), vec![play, back]));
        assert_eq!(stored.tokens.host, tokens.host);
        assert!(store.load("b").unwrap().is_none());
        for change in ["DELETE FROM events", "UPDATE events SET at = 0"] {
            assert!(store.connection().execute(change, []).is_err(), "{change}");
        }
    }

    #[test]
    fn strange_files_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("other.db");
        Connection::open(&file).unwrap().execute_batch("CREATE TABLE cats (name TEXT)").unwrap();
        assert!(matches!(Store::open(Some(&file)), Err(StoreError::Foreign(_))));
        let newer = folder.path().join("newer.db");
        drop(Store::open(Some(&newer)).unwrap());
        Connection::open(&newer).unwrap().pragma_update(None, "user_version", 2).unwrap();
        assert!(matches!(Store::open(Some(&newer)), Err(StoreError::Foreign(_))));
        std::fs::write(folder.path().join("text"), "no database at all, but some text").unwrap();
        assert!(Store::open(Some(&folder.path().join("text"))).is_err());
    }
}
