//! Which games are kept and for how long, and which cannot be read any more.

use std::collections::HashSet;

use rusqlite::{Connection, params};

use super::{Store, TableStoreError, now};

/// Which games are kept.
#[derive(Clone, Copy, Debug)]
pub struct Keep {
    /// So many; of more the oldest are removed, games without a move first.
    pub games: u32,
    /// For so many days without a move; by default for ever.
    pub days: Option<u32>,
}

impl Default for Keep {
    fn default() -> Keep {
        Keep { games: 100_000, days: None }
    }
}

const DAY: i64 = 24 * 60 * 60;
/// For how many days games are kept in which nothing has happened.
const UNPLAYED_DAYS: i64 = 1;

impl Store {
    /// Removes the games that are too old, and of too many the oldest, but none of those that are in use. Says how many.
    pub(crate) fn sweep(
        &self,
        keep: Keep,
        used: &HashSet<String>,
    ) -> Result<usize, TableStoreError> {
        let mut connection = self.connection();
        let work = connection.transaction()?;
        // A game goes before its events.
        work.pragma_update(None, "defer_foreign_keys", true)?;
        let mut removed = 0;
        for id in too_old(&work, keep)?.iter().filter(|id| !used.contains(*id)) {
            remove(&work, id)?;
            removed += 1;
        }
        let all = count(&work)?;
        if all > i64::from(keep.games) {
            // Some more than need be, so that the next new game does not sweep again.
            let fitting = i64::from(keep.games - keep.games / 100);
            for id in oldest(&work, all - fitting)?.iter().filter(|id| !used.contains(*id)) {
                remove(&work, id)?;
                removed += 1;
            }
        }
        work.commit()?;
        Ok(removed)
    }

    /// How many games there are.
    pub(crate) fn count(&self) -> Result<i64, TableStoreError> {
        count(&self.connection())
    }

    /// The games whose events are not all there, or no text that can be read.
    pub(super) fn damaged(&self) -> Result<Vec<String>, TableStoreError> {
        let connection = self.connection();
        let mut statement = connection.prepare(
            "SELECT g.id FROM games AS g LEFT JOIN events AS e ON e.game = g.id
             LEFT JOIN summaries AS s ON s.game = g.id GROUP BY g.id
             HAVING count(e.version) != coalesce(max(e.version), 0)
                 OR coalesce(s.version, count(e.version)) != count(e.version)
                 OR coalesce(sum(NOT json_valid(e.event)), 0) > 0
             ORDER BY g.id",
        )?;
        let ids = statement.query_map([], |row| row.get(0))?;
        Ok(ids.collect::<Result<_, _>>()?)
    }
}

fn count(connection: &Connection) -> Result<i64, TableStoreError> {
    Ok(connection.query_row("SELECT count(*) FROM games", [], |row| row.get(0))?)
}

fn too_old(work: &Connection, keep: Keep) -> Result<Vec<String>, TableStoreError> {
    let mut statement = work.prepare(
        "SELECT g.id FROM games AS g LEFT JOIN summaries AS s ON s.game = g.id
         WHERE coalesce(s.changed, g.created) < ?1 OR (s.version = 0 AND g.created < ?2)",
    )?;
    let oldest = keep.days.map_or(i64::MIN, |days| now() - i64::from(days) * DAY);
    let ids =
        statement.query_map(params![oldest, now() - UNPLAYED_DAYS * DAY], |row| row.get(0))?;
    Ok(ids.collect::<Result<_, _>>()?)
}

fn oldest(work: &Connection, many: i64) -> Result<Vec<String>, TableStoreError> {
    let mut statement = work.prepare(
        "SELECT g.id FROM games AS g LEFT JOIN summaries AS s ON s.game = g.id
         ORDER BY s.version > 0, coalesce(s.changed, g.created), g.created LIMIT ?",
    )?;
    let ids = statement.query_map([many], |row| row.get(0))?;
    Ok(ids.collect::<Result<_, _>>()?)
}

fn remove(work: &Connection, id: &str) -> Result<(), TableStoreError> {
    work.execute("DELETE FROM games WHERE id = ?", [id])?;
    for table in ["events", "opinions", "reviews", "summaries", "turns"] {
        work.execute(&format!("DELETE FROM {table} WHERE game = ?"), [id])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::Event;
    use crate::store::tests::{begun, opinion};

    /// Says that this game last changed so many days ago.
    fn age(store: &Store, id: &str, days: i64) {
        let to = "UPDATE summaries SET changed = ? WHERE game = ?";
        store.connection().execute(to, params![now() - days * DAY, id]).unwrap();
    }

    fn ids(store: &Store) -> Vec<String> {
        let connection = store.connection();
        let mut all = connection.prepare("SELECT id FROM games ORDER BY id").unwrap();
        let ids = all.query_map([], |row| row.get(0)).unwrap();
        ids.map(Result::unwrap).collect()
    }

    #[test]
    fn old_games_go_as_a_whole() {
        let store = Store::open(None).unwrap();
        for (id, days) in [("new", 0), ("old", 40), ("used", 40)] {
            begun(&store, id, 2);
            store.note(id, 1, &opinion()).unwrap();
            age(&store, id, days);
        }
        let used = HashSet::from(["used".to_owned()]);
        let keep = Keep { days: Some(30), ..Keep::default() };
        assert_eq!(store.sweep(Keep::default(), &used).unwrap(), 0, "nothing is too old");
        assert_eq!(store.sweep(keep, &used).unwrap(), 1);
        assert_eq!(ids(&store), ["new", "used"]);
        for table in ["events", "opinions", "summaries"] {
            let left = format!("SELECT count(*) FROM {table} WHERE game = 'old'");
            let left: i64 = store.connection().query_row(&left, [], |row| row.get(0)).unwrap();
            assert_eq!(left, 0, "{table}");
        }
        assert!(store.connection().execute("DELETE FROM events WHERE game = 'new'", []).is_err());
    }

    #[test]
    fn of_too_many_games_the_oldest_go_and_first_those_nobody_played() {
        let store = Store::open(None).unwrap();
        for (id, events, days) in [("a", 1, 9), ("b", 1, 8), ("c", 0, 0), ("d", 1, 0)] {
            begun(&store, id, events);
            age(&store, id, days);
        }
        let keep = |games| Keep { games, days: None };
        assert_eq!(store.count().unwrap(), 4);
        assert_eq!(store.sweep(keep(4), &HashSet::new()).unwrap(), 0);
        assert_eq!(store.sweep(keep(3), &HashSet::new()).unwrap(), 1);
        assert_eq!(ids(&store), ["a", "b", "d"]);
        assert_eq!(store.sweep(keep(2), &HashSet::new()).unwrap(), 1);
        assert_eq!(ids(&store), ["b", "d"]);
    }

    #[test]
    fn a_log_with_a_gap_is_told() {
        let store = Store::open(None).unwrap();
        for id in ["whole", "gap", "tail", "text"] {
            begun(&store, id, 3);
        }
        assert!(store.damaged().unwrap().is_empty());
        store
            .connection()
            .execute_batch(
                "DROP TRIGGER events_last; DROP TRIGGER events_stay;
                 DELETE FROM events WHERE game = 'gap' AND version = 2;
                 DELETE FROM events WHERE game = 'tail' AND version = 3;
                 UPDATE events SET event = '{\"event\":' WHERE game = 'text' AND version = 1;",
            )
            .unwrap();
        assert_eq!(store.damaged().unwrap(), ["gap", "tail", "text"]);
        for (id, why) in [
            ("gap", "event 2 is missing"),
            ("tail", "3 events were written, 2 are there"),
            ("text", "event 1 cannot be read"),
        ] {
            let error = store.load(id).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
        assert_eq!(store.load("whole").unwrap().unwrap().events.len(), 3);
        let last = Event::GoTo { ply: 0 };
        assert_eq!(store.load("whole").unwrap().unwrap().events.last(), Some(&last));
    }
}
