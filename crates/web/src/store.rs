//! Games in SQLite: how each began, and what happened since, one row an event. Events are only ever added;
//! the database itself refuses to change one, and to delete one without its whole game.
//!
//! What was written is on the disk: a move that somebody has heard of survives a power cut.

mod keeping;
mod log;
mod schema;
mod turns;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, OptionalExtension, params};

use crate::history::{Listed, Query, Summary};
use crate::refusal::Refusal;
use crate::review::Review;
use crate::seats::Tokens;
use crate::sheet::{Event, Opening, Sheet};
use crate::timekeeper::Taken;
use crate::worth::Opinion;

/// Why a store does not do what it should.
#[derive(Debug, thiserror::Error)]
pub enum TableStoreError {
    /// SQLite says no.
    #[error("the store of games: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// There is a file, but not one of ours, or of a newer program.
    #[error("the store of games: {0}")]
    Foreign(String),
    /// Nobody may have the file but its owner, and that cannot be.
    #[error("the store of games, {0}: {1}")]
    File(PathBuf, io::Error),
    /// The file is not as SQLite left it.
    #[error(
        "the store of games is damaged: {0}; move the file away to begin a new one, \
         or repair it with `sqlite3 FILE .recover`"
    )]
    Damaged(String),
    /// What was stored cannot be read.
    #[error("the store of games holds what cannot be read: {0}")]
    Unreadable(String),
    /// What happened in a game is not all there.
    #[error("the log of this game is damaged: {0}")]
    Gap(String),
}

pub use keeping::Keep;

/// All games. Everything in it blocks for as long as the disk takes.
#[derive(Debug)]
pub(crate) struct Store {
    connection: Mutex<Connection>,
    /// Whether something that was written last could not be read.
    has_lost: bool,
}

/// A game as it was stored.
#[derive(Debug)]
pub(crate) struct Stored {
    pub(crate) opening: Opening,
    pub(crate) tokens: Tokens,
    pub(crate) events: Vec<Event>,
    /// What the turn in progress has taken.
    pub(crate) taken: Option<Taken>,
    /// What was thought of the position at a version.
    pub(crate) opinions: BTreeMap<u64, Opinion>,
    pub(crate) review: Option<Review>,
}

impl Stored {
    /// What happened, played again; with the review, if it is of the game as it is now.
    pub(crate) fn replay(self) -> Result<(Sheet, Tokens, Option<Review>), Refusal> {
        let mut tokens = self.tokens;
        self.events.iter().for_each(|event| tokens.follow(event));
        let sheet = Sheet::replay(self.opening, self.events, &self.opinions)?;
        let review = self.review.filter(|review| sheet.is_about(review.version));
        Ok((sheet, tokens, review))
    }
}

impl Store {
    /// Opens the store, or begins one. Without a file it lives as long as the program.
    pub(crate) fn open(file: Option<&Path>) -> Result<Store, TableStoreError> {
        let has_lost = file.is_some_and(log::is_damaged);
        let mut connection = match file {
            Some(file) => {
                close_to_others(file)
                    .map_err(|error| TableStoreError::File(file.to_owned(), error))?;
                Connection::open(file)?
            }
            None => Connection::open_in_memory()?,
        };
        connection.busy_timeout(std::time::Duration::from_secs(5))?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        // With less, a power cut could take back moves that somebody has heard of.
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        schema::prepare(&mut connection)?;
        Ok(Store { connection: Mutex::new(connection), has_lost })
    }

    /// What was found to be damaged, a line each.
    pub(crate) fn damage(&self) -> Result<Vec<String>, TableStoreError> {
        const NAMED: usize = 5;
        let lost = "the log beside the store of games is damaged; what was written last is missing";
        let games = self.damaged()?;
        let more = games.len().saturating_sub(NAMED);
        let rest = (more > 0).then(|| format!("{more} more games are damaged"));
        let named = games.into_iter().take(NAMED);
        let named =
            named.map(|id| format!("the log of game {id} is damaged; the game cannot be opened"));
        let lost = self.has_lost.then(|| lost.to_owned());
        Ok(lost.into_iter().chain(named).chain(rest).collect())
    }

    /// Writes down how a game begins, and what has happened in it already.
    pub(crate) fn begin(
        &self,
        id: &str,
        sheet: &Sheet,
        tokens: &Tokens,
        events: &[Event],
    ) -> Result<(), TableStoreError> {
        let opening = sheet.opening();
        let mut connection = self.connection();
        let work = connection.transaction()?;
        let [first, second] = opening.seats.each_ref().map(ToString::to_string);
        work.execute(
            "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            params![
                id,
                opening.game,
                opening.position,
                first,
                second,
                as_json(tokens)?,
                now(),
                opening.clock.map(|clock| clock.to_string())
            ],
        )?;
        for (version, event) in (1_i64..).zip(events) {
            insert(&work, id, version, event)?;
        }
        turns::write(&work, id, sheet.turn())?;
        Summary::of(sheet).write(&work, id, now())?;
        Ok(work.commit()?)
    }

    /// When a game began, in seconds since 1970.
    pub(crate) fn began(&self, id: &str) -> Result<Option<i64>, TableStoreError> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached("SELECT created FROM games WHERE id = ?")?;
        Ok(statement.query_row([id], |row| row.get(0)).optional()?)
    }

    /// Writes down what happened last on a sheet, and what was thought of the position before. Two events of one
    /// version are an error.
    pub(crate) fn add(
        &self,
        id: &str,
        sheet: &Sheet,
        event: &Event,
        opinion: Option<&(u64, Opinion)>,
    ) -> Result<(), TableStoreError> {
        let mut connection = self.connection();
        let work = connection.transaction()?;
        if let Some((version, opinion)) = opinion {
            note(&work, id, *version, opinion)?;
        }
        insert(&work, id, sheet.version().cast_signed(), event)?;
        turns::write(&work, id, sheet.turn())?;
        Summary::of(sheet).write(&work, id, now())?;
        Ok(work.commit()?)
    }

    /// Writes down what was thought of the position at a version.
    pub(crate) fn note(
        &self,
        id: &str,
        version: u64,
        opinion: &Opinion,
    ) -> Result<(), TableStoreError> {
        note(&self.connection(), id, version, opinion)
    }

    /// Writes down what a look at a game found, in place of what an earlier one did.
    pub(crate) fn keep_review(&self, id: &str, review: &Review) -> Result<(), TableStoreError> {
        let mut connection = self.connection();
        let work = connection.transaction()?;
        let to = "INSERT OR REPLACE INTO reviews VALUES (?, ?)";
        work.execute(to, params![id, as_json(review)?])?;
        Ok(work.commit()?)
    }

    /// A whole game.
    pub(crate) fn load(&self, id: &str) -> Result<Option<Stored>, TableStoreError> {
        load(&self.connection(), id)
    }

    /// A page of the list of games.
    pub(crate) fn list(&self, query: &Query) -> Result<Listed, TableStoreError> {
        query.run(&self.connection())
    }

    /// The secrets of a game, as they are now.
    pub(crate) fn tokens(&self, id: &str) -> Result<Option<Tokens>, TableStoreError> {
        let connection = self.connection();
        let mut games = connection.prepare_cached("SELECT tokens FROM games WHERE id = ?")?;
        let found: Option<String> = games.query_row([id], |row| row.get(0)).optional()?;
        let Some(text) = found else { return Ok(None) };
        let mut tokens: Tokens = serde_json::from_str(&text).map_err(unreadable)?;
        let mut changes = connection.prepare_cached(
            "SELECT event FROM events WHERE game = ?
             AND json_extract(event, '$.event') IN ('sit', 'swap') ORDER BY version",
        )?;
        for text in changes.query_map([id], |row| row.get::<_, String>(0))? {
            tokens.follow(&serde_json::from_str(&text?).map_err(unreadable)?);
        }
        Ok(Some(tokens))
    }

    /// A panic elsewhere has left no half-written row: SQLite rolls back.
    fn connection(&self) -> std::sync::MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn load(connection: &Connection, id: &str) -> Result<Option<Stored>, TableStoreError> {
    type Row = (String, Option<String>, String, String, String, Option<String>);
    let row: Option<Row> = connection
        .query_row(
            "SELECT game, position, first, second, tokens, clock FROM games WHERE id = ?",
            [id],
            |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?))
            },
        )
        .optional()?;
    let Some((game, position, first, second, tokens, clock)) = row else { return Ok(None) };
    let events = events(connection, id)?;
    let seat = |text: &str| text.parse().map_err(unreadable);
    let seats = [seat(&first)?, seat(&second)?];
    let tokens = serde_json::from_str(&tokens).map_err(unreadable)?;
    let (opinions, review) = (opinions(connection, id)?, review(connection, id)?);
    let clock = clock.map(|text| text.parse().map_err(unreadable)).transpose()?;
    let opening = Opening { game, position, seats, clock };
    let taken = turns::read(connection, id)?;
    Ok(Some(Stored { opening, tokens, events, taken, opinions, review }))
}

/// All that happened, in order. What is missing is not passed over: what follows would make another game of it.
fn events(connection: &Connection, id: &str) -> Result<Vec<Event>, TableStoreError> {
    let mut statement = connection
        .prepare_cached("SELECT version, event FROM events WHERE game = ? ORDER BY version")?;
    let rows = statement.query_map([id], |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))?;
    let mut events = Vec::new();
    for row in rows {
        let (version, text): (i64, String) = row?;
        let expected = events.len() + 1;
        if version != expected as i64 {
            return Err(TableStoreError::Gap(format!("event {expected} is missing")));
        }
        let unreadable = |_| TableStoreError::Gap(format!("event {version} cannot be read"));
        events.push(serde_json::from_str(&text).map_err(unreadable)?);
    }
    let last: Option<Option<i64>> = connection
        .prepare_cached("SELECT version FROM summaries WHERE game = ?")?
        .query_row([id], |row| row.get(0))
        .optional()?;
    match (last.flatten(), events.len()) {
        (Some(last), found) if last != found as i64 => {
            Err(TableStoreError::Gap(format!("{last} events were written, {found} are there")))
        }
        _ => Ok(events),
    }
}

/// Makes the file, or takes from others what they could do with it and with what SQLite keeps beside it.
fn close_to_others(file: &Path) -> io::Result<()> {
    storage::open_private(file)?;
    for beside in ["-wal", "-shm"] {
        let mut name = file.as_os_str().to_owned();
        name.push(beside);
        match storage::keep_private(Path::new(&name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

fn opinions(connection: &Connection, id: &str) -> Result<BTreeMap<u64, Opinion>, TableStoreError> {
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

fn review(connection: &Connection, id: &str) -> Result<Option<Review>, TableStoreError> {
    let found: Option<String> = connection
        .query_row("SELECT review FROM reviews WHERE game = ?", [id], |row| row.get(0))
        .optional()?;
    found.map(|text| serde_json::from_str(&text).map_err(unreadable)).transpose()
}

fn note(to: &Connection, id: &str, version: u64, opinion: &Opinion) -> Result<(), TableStoreError> {
    let mut statement = to.prepare_cached("INSERT OR REPLACE INTO opinions VALUES (?, ?, ?)")?;
    statement.execute(params![id, version.cast_signed(), as_json(opinion)?])?;
    Ok(())
}

fn insert(to: &Connection, id: &str, version: i64, event: &Event) -> Result<(), TableStoreError> {
    let mut statement = to.prepare_cached("INSERT INTO events VALUES (?, ?, ?, ?)")?;
    statement.execute(params![id, version, now(), as_json(event)?])?;
    Ok(())
}

fn as_json(value: &impl serde::Serialize) -> Result<String, TableStoreError> {
    serde_json::to_string(value).map_err(unreadable)
}

fn unreadable(error: impl Into<Box<dyn std::error::Error>>) -> TableStoreError {
    TableStoreError::Unreadable(error.into().to_string())
}

/// Seconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs().cast_signed())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::seats::{Seat, Secrets};

    fn opening() -> Opening {
        let seats = [Seat::Human, "bot:easy".parse().unwrap()];
        Opening { game: "mnk:3x3,k=3".to_owned(), position: None, seats, clock: None }
    }

    pub(super) fn opinion() -> Opinion {
        let text = r#"{"value": {"winner": null, "plies": null, "margin": null, "score": 14,
            "exact": false, "chance": 0.51}, "depth": 9}"#;
        serde_json::from_str(text).unwrap()
    }

    /// A game with so many events: a move, and then back to the start again and again.
    pub(super) fn begun(store: &Store, id: &str, events: usize) {
        let mut sheet = Sheet::new(opening()).unwrap();
        let play = Event::Play { text: "b2".to_owned(), spent: None };
        let rest = std::iter::repeat(Event::GoTo { ply: 0 });
        let all: Vec<Event> = std::iter::once(play).chain(rest).take(events).collect();
        for event in &all {
            sheet.apply(event.clone()).unwrap();
        }
        store.begin(id, &sheet, &Tokens::of(&Secrets::new(&opening().seats)), &all).unwrap();
    }

    #[test]
    fn games_come_back_as_they_were() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games.db");
        let play = Event::Play { text: "b2".to_owned(), spent: None };
        let back = Event::GoTo { ply: 0 };
        let secrets = Secrets::new(&opening().seats);
        let tokens = Tokens::of(&secrets);
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
        assert!(stored.tokens.rights(std::slice::from_ref(&secrets.host)).host);
        assert_eq!(stored.opinions, BTreeMap::from([(1, opinion()), (2, opinion())]));
        assert_eq!(stored.review, Some(review));
        assert!(store.load("b").unwrap().is_none());
        for change in [
            "DELETE FROM events",
            "UPDATE events SET at = 0",
            "INSERT OR REPLACE INTO events VALUES ('a', 1, 0, '{}')",
            "REPLACE INTO events SELECT * FROM events",
            "INSERT INTO events VALUES ('a', 1, 0, '{}') ON CONFLICT DO UPDATE SET at = 0",
            "UPDATE OR REPLACE events SET version = 1 WHERE version = 2",
            "INSERT OR REPLACE INTO games SELECT * FROM games",
            "UPDATE games SET game = 'chess'",
        ] {
            assert!(store.connection().execute(change, []).is_err(), "{change}");
        }
        assert_eq!(store.load("a").unwrap().unwrap().events.len(), 2);
    }

    #[test]
    fn nothing_that_opens_a_game_is_in_the_file_and_nobody_else_may_read_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games.db");
        std::fs::write(&file, "").unwrap();
        let store = Store::open(Some(&file)).unwrap();
        let secrets = Secrets::new(&opening().seats);
        let sheet = Sheet::new(opening()).unwrap();
        store.begin("a", &sheet, &Tokens::of(&secrets), &[]).unwrap();
        assert!(is_in_a_file_of(folder.path(), "mnk:3x3"), "the game itself is there");
        assert!(!is_in_a_file_of(folder.path(), &secrets.host));
        assert!(!is_in_a_file_of(folder.path(), secrets.first.as_ref().unwrap()));
        #[cfg(unix)]
        for entry in std::fs::read_dir(folder.path()).unwrap().map(Result::unwrap) {
            use std::os::unix::fs::PermissionsExt;
            let mode = entry.metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{}", entry.path().display());
        }
    }

    /// Whether some file there has this text in it.
    pub(super) fn is_in_a_file_of(folder: &Path, text: &str) -> bool {
        std::fs::read_dir(folder).unwrap().any(|entry| {
            let bytes = std::fs::read(entry.unwrap().path()).unwrap();
            bytes.windows(text.len()).any(|window| window == text.as_bytes())
        })
    }

    #[test]
    fn what_was_written_is_on_the_disk() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(Some(&folder.path().join("games.db"))).unwrap();
        let asked = |name| store.connection().pragma_query_value(None, name, |row| row.get(0));
        let full: i64 = asked("synchronous").unwrap();
        assert_eq!(full, 2, "a commit waits for the disk");
    }

    #[test]
    fn a_damaged_file_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games.db");
        let store = Store::open(Some(&file)).unwrap();
        for number in 0..200 {
            begun(&store, &format!("game {number}"), 3);
        }
        drop(store);
        let mut bytes = std::fs::read(&file).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle..middle + 8192].fill(0xaa);
        std::fs::write(&file, bytes).unwrap();
        let error = Store::open(Some(&file)).unwrap_err();
        assert!(matches!(error, TableStoreError::Damaged(_)), "{error}");
        let line = error.to_string();
        assert!(line.contains("damaged") && !line.contains('\n'), "{line}");
    }
}
