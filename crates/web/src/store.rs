//! Games in SQLite: how each began, and what happened since, one row an event. Events are only ever added;
//! the database itself refuses to change or delete one.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

use crate::history::{Listed, Query, Summary};
use crate::refusal::Refusal;
use crate::review::Review;
use crate::seats::Tokens;
use crate::sheet::{Event, Opening, Sheet};
use crate::worth::Opinion;

/// `Zrmw` in letters: the file is ours.
const MAGIC: i32 = 0x5a72_6d77;
const VERSION: i32 = 3;

/// How version 1 began.
const FIRST: &str = "
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

/// What version 2 added: what a list shows of each game. It follows from the events, and is kept beside them.
const SECOND: &str = "
CREATE TABLE summaries (
    game     TEXT PRIMARY KEY REFERENCES games(id),
    family   TEXT NOT NULL,
    name     TEXT NOT NULL,
    first    TEXT NOT NULL,
    second   TEXT NOT NULL,
    plies    INTEGER NOT NULL,
    value    TEXT,
    margin   REAL,
    reason   TEXT,
    words    TEXT NOT NULL,
    changed  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX summaries_by_time ON summaries (changed);
";

/// What version 3 added: what bots and hints thought of the position at a version, and what a look at a whole game found.
const THIRD: &str = "
CREATE TABLE opinions (
    game     TEXT NOT NULL REFERENCES games(id),
    version  INTEGER NOT NULL,
    opinion  TEXT NOT NULL,
    PRIMARY KEY (game, version)
) STRICT, WITHOUT ROWID;
CREATE TABLE reviews (
    game     TEXT PRIMARY KEY REFERENCES games(id),
    review   TEXT NOT NULL
) STRICT, WITHOUT ROWID;
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
    /// What was thought of the position at a version.
    pub(crate) opinions: BTreeMap<u64, Opinion>,
    pub(crate) review: Option<Review>,
}

impl Stored {
    /// What happened, played again; with the review, if it is of the game as it is now.
    pub(crate) fn replay(self) -> Result<(Sheet, Tokens, Option<Review>), Refusal> {
        let mut tokens = self.tokens;
        for _ in self.events.iter().filter(|event| **event == Event::Swap) {
            tokens.swap();
        }
        let sheet = Sheet::replay(self.opening, self.events, &self.opinions)?;
        let review = self.review.filter(|review| sheet.is_about(review.version));
        Ok((sheet, tokens, review))
    }
}

impl Store {
    /// Opens the store, or begins one. Without a file it lives as long as the program.
    pub(crate) fn open(file: Option<&Path>) -> Result<Store, StoreError> {
        let mut connection = match file {
            Some(file) => Connection::open(file)?,
            None => Connection::open_in_memory()?,
        };
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        connection.busy_timeout(std::time::Duration::from_secs(5))?;
        match (number(&connection, "application_id")?, number(&connection, "user_version")?) {
            (MAGIC, VERSION) => {}
            (MAGIC, 1..VERSION) => upgrade(&mut connection)?,
            (MAGIC, other) => {
                return Err(StoreError::Foreign(format!(
                    "version {other}, while this program knows version {VERSION}"
                )));
            }
            (0, 0) if is_empty(&connection)? => connection.execute_batch(&format!(
                "BEGIN IMMEDIATE; {FIRST} {SECOND} {THIRD} PRAGMA application_id = {MAGIC}; \
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
        sheet: &Sheet,
        tokens: &Tokens,
        events: &[Event],
    ) -> Result<(), StoreError> {
        let opening = sheet.opening();
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
        Summary::of(sheet).write(&work, id, now())?;
        Ok(work.commit()?)
    }

    /// Writes down what happened last on a sheet, and what was thought of the position before. Two events of one
    /// version are an error.
    pub(crate) fn add(
        &self,
        id: &str,
        sheet: &Sheet,
        event: &Event,
        opinion: Option<&(u64, Opinion)>,
    ) -> Result<(), StoreError> {
        let mut connection = self.connection();
        let work = connection.transaction()?;
        if let Some((version, opinion)) = opinion {
            note(&work, id, *version, opinion)?;
        }
        insert(&work, id, sheet.version().cast_signed(), event)?;
        Summary::of(sheet).write(&work, id, now())?;
        Ok(work.commit()?)
    }

    /// Writes down what was thought of the position at a version.
    pub(crate) fn note(&self, id: &str, version: u64, opinion: &Opinion) -> Result<(), StoreError> {
        note(&self.connection(), id, version, opinion)
    }

    /// Writes down what a look at a game found, in place of what an earlier one did.
    pub(crate) fn keep_review(&self, id: &str, review: &Review) -> Result<(), StoreError> {
        let mut connection = self.connection();
        let work = connection.transaction()?;
        let to = "INSERT OR REPLACE INTO reviews VALUES (?, ?)";
        work.execute(to, params![id, as_json(review)?])?;
        Ok(work.commit()?)
    }

    /// A whole game.
    pub(crate) fn load(&self, id: &str) -> Result<Option<Stored>, StoreError> {
        load(&self.connection(), id)
    }

    /// A page of the list of games.
    pub(crate) fn list(&self, query: &Query) -> Result<Listed, StoreError> {
        query.run(&self.connection())
    }

    /// The secrets of a game.
    pub(crate) fn tokens(&self, id: &str) -> Result<Option<Tokens>, StoreError> {
        let found: Option<String> = self
            .connection()
            .query_row("SELECT tokens FROM games WHERE id = ?", [id], |row| row.get(0))
            .optional()?;
        found.map(|text| serde_json::from_str(&text).map_err(unreadable)).transpose()
    }

    /// A panic elsewhere has left no half-written row: SQLite rolls back.
    fn connection(&self) -> std::sync::MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// From older versions.
fn upgrade(connection: &mut Connection) -> Result<(), StoreError> {
    let work = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another program may have been faster.
    let found = number(&work, "user_version")?;
    if found < VERSION {
        work.execute_batch(THIRD)?;
    }
    if found == 1 {
        work.execute_batch(SECOND)?;
        summarise(&work)?;
    }
    work.pragma_update(None, "user_version", VERSION)?;
    Ok(work.commit()?)
}

/// Reads from the events what lists show. A game that cannot be read any more is not listed.
fn summarise(work: &Connection) -> Result<(), StoreError> {
    let ids =
        "SELECT id, coalesce((SELECT max(at) FROM events WHERE game = id), created) FROM games";
    let mut statement = work.prepare(ids)?;
    let games = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    for game in games {
        let (id, changed): (String, i64) = game?;
        let stored = load(work, &id).ok().flatten();
        let sheet = stored
            .and_then(|stored| Sheet::replay(stored.opening, stored.events, &stored.opinions).ok());
        match sheet {
            Some(sheet) => Summary::of(&sheet).write(work, &id, changed)?,
            None => tracing::warn!(id, "a game cannot be read and is not listed"),
        }
    }
    Ok(())
}

fn number(connection: &Connection, name: &str) -> Result<i32, rusqlite::Error> {
    connection.pragma_query_value(None, name, |row| row.get(0))
}

fn load(connection: &Connection, id: &str) -> Result<Option<Stored>, StoreError> {
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
    let (opinions, review) = (opinions(connection, id)?, review(connection, id)?);
    let opening = Opening { game, position, seats };
    Ok(Some(Stored { opening, tokens, events, opinions, review }))
}

fn opinions(connection: &Connection, id: &str) -> Result<BTreeMap<u64, Opinion>, StoreError> {
    let mut statement =
        connection.prepare_cached("SELECT version, opinion FROM opinions WHERE game = ?")?;
    let rows = statement.query_map([id], |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))?;
    let mut opinions = BTreeMap::new();
    for row in rows {
        let (version, text): (i64, String) = row?;
        let opinion = serde_json::from_str(&text).map_err(unreadable)?;
        opinions.insert(version.cast_unsigned(), opinion);
    }
    Ok(opinions)
}

fn review(connection: &Connection, id: &str) -> Result<Option<Review>, StoreError> {
    let found: Option<String> = connection
        .query_row("SELECT review FROM reviews WHERE game = ?", [id], |row| row.get(0))
        .optional()?;
    found.map(|text| serde_json::from_str(&text).map_err(unreadable)).transpose()
}

fn note(to: &Connection, id: &str, version: u64, opinion: &Opinion) -> Result<(), StoreError> {
    let mut statement = to.prepare_cached("INSERT OR REPLACE INTO opinions VALUES (?, ?, ?)")?;
    statement.execute(params![id, version.cast_signed(), as_json(opinion)?])?;
    Ok(())
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

    fn opinion() -> Opinion {
        let text = r#"{"value": {"winner": null, "plies": null, "margin": null, "score": 14,
            "exact": false, "chance": 0.51}, "depth": 9}"#;
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn games_come_back_as_they_were() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games.db");
        let (play, back) = (Event::Play { text: "b2".to_owned() }, Event::GoTo { ply: 0 });
        let tokens = Tokens::new(&opening().seats);
        let review = Review { version: 2, values: vec![None, Some(opinion())], turns: Vec::new() };
        {
            let store = Store::open(Some(&file)).unwrap();
            let mut sheet = Sheet::new(opening()).unwrap();
            sheet.apply(play.clone()).unwrap();
            store.begin("a", &sheet, &tokens, std::slice::from_ref(&play)).unwrap();
            sheet.apply(back.clone()).unwrap();
            let thought = (1, opinion());
            store.add("a", &sheet, &back, Some(&thought)).unwrap();
            assert!(store.add("a", &sheet, &play, None).is_err(), "a version is given once");
            assert!(store.add("b", &sheet, &play, None).is_err(), "a game must have begun");
            store.note("a", 2, &opinion()).unwrap();
            store.note("a", 2, &opinion()).unwrap();
            store.keep_review("a", &review).unwrap();
        }
        let store = Store::open(Some(&file)).unwrap();
        let stored = store.load("a").unwrap().unwrap();
        assert_eq!((stored.opening, stored.events), (opening(), vec![play, back]));
        assert_eq!(stored.tokens.host, tokens.host);
        assert_eq!(stored.opinions, BTreeMap::from([(1, opinion()), (2, opinion())]));
        assert_eq!(stored.review, Some(review));
        assert!(store.load("b").unwrap().is_none());
        for change in ["DELETE FROM events", "UPDATE events SET at = 0"] {
            assert!(store.connection().execute(change, []).is_err(), "{change}");
        }
    }

    #[test]
    fn files_of_version_2_are_upgraded() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games.db");
        let old = Connection::open(&file).unwrap();
        old.execute_batch(&format!(
            "{FIRST} {SECOND} PRAGMA application_id = {MAGIC}; PRAGMA user_version = 2;
             INSERT INTO games VALUES ('a', 'mnk:3x3,k=3', NULL, 'human', 'bot:easy',
                 '{{\"host\":\"h\",\"first\":\"f\",\"second\":null}}', 100);
             INSERT INTO events VALUES ('a', 1, 110, '{{\"event\":\"play\",\"move\":\"b2\"}}');
             INSERT INTO summaries VALUES ('a', 'mnk', 'tictactoe', 'human', 'bot:easy', 1, NULL, NULL, NULL, '', 110);"
        ))
        .unwrap();
        drop(old);
        for _ in 0..2 {
            let store = Store::open(Some(&file)).unwrap();
            let stored = store.load("a").unwrap().unwrap();
            assert_eq!(stored.events.len(), 1);
            assert!(stored.review.is_none());
            store.note("a", 1, &opinion()).unwrap();
            assert_eq!(store.load("a").unwrap().unwrap().opinions.len(), 1);
            assert_eq!(store.list(&Query::default()).unwrap().total, 1);
        }
    }

    #[test]
    fn files_of_version_1_are_upgraded_and_their_games_listed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games.db");
        let old = Connection::open(&file).unwrap();
        old.execute_batch(&format!(
            "{FIRST} PRAGMA application_id = {MAGIC}; PRAGMA user_version = 1;
             INSERT INTO games VALUES ('a', 'mnk:3x3,k=3', NULL, 'human', 'bot:easy',
                 '{{\"host\":\"h\",\"first\":\"f\",\"second\":null}}', 100);
             INSERT INTO events VALUES ('a', 1, 110, '{{\"event\":\"play\",\"move\":\"b2\"}}');
             INSERT INTO events VALUES ('a', 2, 120, '{{\"event\":\"resign\",\"second\":true}}');
             INSERT INTO games VALUES ('b', 'poker', NULL, 'human', 'human', 'x', 100);"
        ))
        .unwrap();
        drop(old);
        for _ in 0..2 {
            let store = Store::open(Some(&file)).unwrap();
            let listed = store.list(&Query::default()).unwrap();
            assert_eq!(
                (listed.total, listed.games.len()),
                (1, 1),
                "what is unreadable is left out"
            );
            let game = serde_json::to_value(&listed.games[0]).unwrap();
            assert_eq!((&game["id"], &game["changed"]), (&"a".into(), &120.into()));
            assert_eq!((&game["value"], &game["plies"]), (&"first".into(), &1.into()));
            assert_eq!(store.load("a").unwrap().unwrap().events.len(), 2);
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
        Connection::open(&newer).unwrap().pragma_update(None, "user_version", VERSION + 1).unwrap();
        assert!(matches!(Store::open(Some(&newer)), Err(StoreError::Foreign(_))));
        std::fs::write(folder.path().join("text"), "no database at all, but some text").unwrap();
        assert!(Store::open(Some(&folder.path().join("text"))).is_err());
    }
}
