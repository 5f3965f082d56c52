//! The tables of the store, and how those of older versions become the newest.

use rusqlite::{Connection, TransactionBehavior, params};
use serde::Deserialize;

use super::{TableStoreError, as_json, load};
use crate::history::Summary;
use crate::seats::{Secrets, Tokens};
use crate::sheet::Sheet;

/// `Zrmw` in letters: the file is ours.
const MAGIC: i32 = 0x5a72_6d77;
const VERSION: i32 = 5;

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

/// What version 4 added: how many events a game has, so that the last ones cannot be lost unnoticed.
/// Reviews of before know another scale.
const FOURTH: &str = "
DELETE FROM reviews;
ALTER TABLE summaries ADD COLUMN version INTEGER;
";

/// And that nothing of a game is changed, not by `INSERT OR REPLACE` either, which deletes without a trigger; a game
/// goes with all its events, or not at all. Tokens are hashes since then.
const LOCKS: &str = "
DROP TRIGGER events_last;
CREATE TRIGGER events_last BEFORE DELETE ON events
    WHEN EXISTS (SELECT 1 FROM games WHERE id = OLD.game)
    BEGIN SELECT RAISE(ABORT, 'events are not deleted without their game'); END;
CREATE TRIGGER events_once BEFORE INSERT ON events
    WHEN EXISTS (SELECT 1 FROM events WHERE game = NEW.game AND version = NEW.version)
    BEGIN SELECT RAISE(ABORT, 'events stay as they are'); END;
CREATE TRIGGER games_stay BEFORE UPDATE ON games BEGIN SELECT RAISE(ABORT, 'games stay as they began'); END;
CREATE TRIGGER games_once BEFORE INSERT ON games
    WHEN EXISTS (SELECT 1 FROM games WHERE id = NEW.id)
    BEGIN SELECT RAISE(ABORT, 'games stay as they began'); END;
";

/// What version 5 added: how much time each side of a game has, and what turns in progress have taken of it.
const FIFTH: &str = "
ALTER TABLE games ADD COLUMN clock TEXT;
CREATE TABLE turns (
    game       TEXT PRIMARY KEY REFERENCES games(id),
    began      INTEGER NOT NULL,
    had        INTEGER NOT NULL,
    used       INTEGER NOT NULL,
    by_machine INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
";

/// Makes the tables, or those of an older version new; looks whether the file is whole.
pub(super) fn prepare(connection: &mut Connection) -> Result<(), TableStoreError> {
    match (number(connection, "application_id")?, number(connection, "user_version")?) {
        (MAGIC, VERSION) => check(connection),
        (MAGIC, 1..VERSION) => {
            check(connection)?;
            upgrade(connection)
        }
        (MAGIC, other) => Err(TableStoreError::Foreign(format!(
            "version {other}, while this program knows version {VERSION}"
        ))),
        (0, 0) if is_empty(connection)? => Ok(connection.execute_batch(&format!(
            "BEGIN IMMEDIATE; {FIRST} {SECOND} {THIRD} {FOURTH} {LOCKS} {FIFTH} \
             PRAGMA application_id = {MAGIC}; PRAGMA user_version = {VERSION}; COMMIT;"
        ))?),
        _ => Err(TableStoreError::Foreign("the file is not one of this program".to_owned())),
    }
}

/// Whether SQLite finds its file as it left it.
fn check(connection: &Connection) -> Result<(), TableStoreError> {
    let found: String =
        connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).or_else(|error| {
            let is_damage = error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseCorrupt);
            if is_damage { Ok(error.to_string()) } else { Err(error) }
        })?;
    match found.as_str() {
        "ok" => Ok(()),
        _ => Err(TableStoreError::Damaged(found.lines().collect::<Vec<_>>().join(" "))),
    }
}

fn upgrade(connection: &mut Connection) -> Result<(), TableStoreError> {
    connection.pragma_update(None, "secure_delete", true)?;
    let work = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another program may have been faster.
    let found = number(&work, "user_version")?;
    if found == VERSION {
        return Ok(());
    }
    if found == 1 {
        work.execute_batch(SECOND)?;
    }
    if found < 3 {
        work.execute_batch(THIRD)?;
    }
    work.execute_batch(FIFTH)?;
    if found < 4 {
        to_fourth(&work, found)?;
    }
    work.pragma_update(None, "user_version", VERSION)?;
    work.commit()?;
    if found < 4 {
        // Nothing of the tokens stays behind in pages that are not used any more.
        connection.execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);")?;
    }
    Ok(())
}

fn to_fourth(work: &Connection, found: i32) -> Result<(), TableStoreError> {
    work.execute_batch(FOURTH)?;
    match found {
        1 => summarise(work)?,
        _ => {
            let last =
                "SELECT coalesce(max(version), 0) FROM events AS e WHERE e.game = summaries.game";
            work.execute(&format!("UPDATE summaries SET version = ({last})"), [])?;
        }
    }
    hash_tokens(work)?;
    Ok(work.execute_batch(LOCKS)?)
}

/// As tokens were stored before version 4.
#[derive(Deserialize)]
struct Plain {
    host: String,
    first: Option<String>,
    second: Option<String>,
}

/// Puts hashes in place of tokens. Those of a game that cannot be read open nothing.
fn hash_tokens(work: &Connection) -> Result<(), TableStoreError> {
    let mut statement = work.prepare("SELECT id, tokens FROM games")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let all: Vec<(String, String)> = rows.collect::<Result<_, _>>()?;
    for (id, text) in all {
        let tokens = serde_json::from_str(&text).map_or_else(
            |_| Ok("{}".to_owned()),
            |Plain { host, first, second }| as_json(&Tokens::of(&Secrets { host, first, second })),
        )?;
        work.execute("UPDATE games SET tokens = ? WHERE id = ?", params![tokens, id])?;
    }
    Ok(())
}

/// Reads from the events what lists show. A game that cannot be read any more is not listed.
fn summarise(work: &Connection) -> Result<(), TableStoreError> {
    let ids =
        "SELECT id, coalesce((SELECT max(at) FROM events WHERE game = id), created) FROM games";
    let mut statement = work.prepare(ids)?;
    let games = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    for game in games {
        let (id, changed): (String, i64) = game?;
        let sheet = load(work, &id)
            .ok()
            .flatten()
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

fn is_empty(connection: &Connection) -> Result<bool, TableStoreError> {
    let tables = "SELECT count(*) FROM sqlite_schema";
    Ok(connection.query_row(tables, [], |row| row.get::<_, i64>(0))? == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::Query;
    use crate::store::Store;
    use crate::store::tests::{is_in_a_file_of, opinion};

    const HOST_SECRET: &str = "a-secret-of-the-host-000001";
    const FIRST_SECRET: &str = "a-secret-of-the-first-00002";

    #[test]
    fn files_of_version_2_are_upgraded() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games.db");
        let old = Connection::open(&file).unwrap();
        old.execute_batch(&format!(
            "{FIRST} {SECOND} PRAGMA application_id = {MAGIC}; PRAGMA user_version = 2;
             INSERT INTO games VALUES ('a', 'mnk:3x3,k=3', NULL, 'human', 'bot:easy',
                 '{{\"host\":\"{HOST_SECRET}\",\"first\":\"{FIRST_SECRET}\",\"second\":null}}', 100);
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
            let rights = stored.tokens.rights(&[FIRST_SECRET.to_owned()]);
            assert_eq!((rights.host, rights.sides), (false, [true, false]), "tokens still open it");
            assert!(stored.tokens.rights(&[HOST_SECRET.to_owned()]).host);
            assert!(store.damaged().unwrap().is_empty());
            assert_eq!(store.list(&Query::default()).unwrap().total, 1);
        }
        for secret in [HOST_SECRET, FIRST_SECRET] {
            assert!(!is_in_a_file_of(folder.path(), secret), "nothing is left of them");
        }
    }

    #[test]
    fn reviews_of_version_3_are_to_be_done_again() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games.db");
        let old = Connection::open(&file).unwrap();
        old.execute_batch(&format!(
            "{FIRST} {SECOND} {THIRD} PRAGMA application_id = {MAGIC}; PRAGMA user_version = 3;
             INSERT INTO games VALUES ('a', 'mnk:3x3,k=3', NULL, 'human', 'human',
                 '{{\"host\":\"h\",\"first\":\"f\",\"second\":\"s\"}}', 100);
             INSERT INTO events VALUES ('a', 1, 110, '{{\"event\":\"resign\",\"second\":true}}');
             INSERT INTO summaries VALUES ('a', 'mnk', 'tictactoe', 'human', 'human', 0, 'first', NULL, 'resigned', '', 110);
             INSERT INTO reviews VALUES ('a', '{{\"version\":1,\"values\":[],\"turns\":[]}}');"
        ))
        .unwrap();
        drop(old);
        let stored = Store::open(Some(&file)).unwrap().load("a").unwrap().unwrap();
        assert_eq!((stored.events.len(), stored.review), (1, None), "marks have another scale");
        assert_eq!(stored.tokens.rights(&["s".to_owned()]).sides, [false, true]);
    }

    #[test]
    fn games_of_version_4_have_no_clocks() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games.db");
        let old = Connection::open(&file).unwrap();
        let tokens = Tokens::of(&Secrets {
            host: HOST_SECRET.to_owned(),
            first: Some(FIRST_SECRET.to_owned()),
            second: None,
        });
        old.execute_batch(&format!(
            "{FIRST} {SECOND} {THIRD} {FOURTH} {LOCKS}
             PRAGMA application_id = {MAGIC}; PRAGMA user_version = 4;
             INSERT INTO games VALUES ('a', 'mnk:3x3,k=3', NULL, 'human', 'human', '{}', 100);
             INSERT INTO events VALUES ('a', 1, 110, '{{\"event\":\"play\",\"move\":\"b2\"}}');
             INSERT INTO summaries VALUES ('a', 'mnk', 'tictactoe', 'human', 'human', 1, NULL, NULL, NULL, '', 110, 1);",
            as_json(&tokens).unwrap()
        ))
        .unwrap();
        drop(old);
        for _ in 0..2 {
            let store = Store::open(Some(&file)).unwrap();
            let stored = store.load("a").unwrap().unwrap();
            assert_eq!((stored.opening.clock, stored.events.len()), (None, 1));
            assert!(stored.tokens.rights(&[FIRST_SECRET.to_owned()]).sides[0]);
            assert!(store.turns().unwrap().is_empty());
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
                 '{{\"host\":\"{HOST_SECRET}\",\"first\":\"{FIRST_SECRET}\",\"second\":null}}', 100);
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
        assert!(matches!(Store::open(Some(&file)), Err(TableStoreError::Foreign(_))));
        let newer = folder.path().join("newer.db");
        drop(Store::open(Some(&newer)).unwrap());
        Connection::open(&newer).unwrap().pragma_update(None, "user_version", VERSION + 1).unwrap();
        assert!(matches!(Store::open(Some(&newer)), Err(TableStoreError::Foreign(_))));
        std::fs::write(folder.path().join("text"), "no database at all, but some text").unwrap();
        assert!(Store::open(Some(&folder.path().join("text"))).is_err());
    }
}
