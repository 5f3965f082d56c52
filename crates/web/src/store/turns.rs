//! Turns in progress whose time is counted: they begin with the event that began them, and what
//! they have taken is noted now and then. Nothing here tells the time of day: what passes while no
//! server runs is nobody's.

use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::{Store, TableStoreError};
use crate::timekeeper::{Taken, Turn};

impl Store {
    /// The turns of people, which go on whether or not somebody looks at them.
    pub(crate) fn turns(&self) -> Result<Vec<(String, Turn, Duration)>, TableStoreError> {
        let connection = self.connection();
        let mut statement = connection
            .prepare_cached("SELECT game, began, used, had FROM turns WHERE NOT by_machine")?;
        let rows = statement.query_map([], |row| {
            let Taken { game, began, used } = taken(row)?;
            let left = Duration::from_millis(row.get::<_, i64>(3)?.cast_unsigned());
            Ok((game, Turn { began, left, by_machine: false }, used))
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Writes down what turns have taken so far. One that has ended meanwhile is left alone.
    pub(crate) fn note_turns(&self, all: &[Taken]) -> Result<(), TableStoreError> {
        let mut connection = self.connection();
        let work = connection.transaction()?;
        for Taken { game, began, used } in all {
            work.prepare_cached("UPDATE turns SET used = ? WHERE game = ? AND began = ?")?
                .execute(params![milliseconds(*used), game, began.cast_signed()])?;
        }
        Ok(work.commit()?)
    }
}

/// The turn that a game is at now. The same one keeps what it has taken.
pub(super) fn write(
    work: &Connection,
    game: &str,
    turn: Option<Turn>,
) -> Result<(), TableStoreError> {
    let Some(Turn { began, left, by_machine }) = turn else {
        work.prepare_cached("DELETE FROM turns WHERE game = ?")?.execute([game])?;
        return Ok(());
    };
    work.prepare_cached(
        "INSERT INTO turns VALUES (?1, ?2, ?3, 0, ?4) ON CONFLICT (game) DO UPDATE SET
         used = CASE WHEN began = ?2 THEN used ELSE 0 END, began = ?2, had = ?3, by_machine = ?4",
    )?
    .execute(params![game, began.cast_signed(), milliseconds(left), by_machine])?;
    Ok(())
}

pub(super) fn read(from: &Connection, game: &str) -> Result<Option<Taken>, TableStoreError> {
    let mut statement =
        from.prepare_cached("SELECT game, began, used FROM turns WHERE game = ?")?;
    Ok(statement.query_row([game], taken).optional()?)
}

fn taken(row: &Row<'_>) -> Result<Taken, rusqlite::Error> {
    let used = Duration::from_millis(row.get::<_, i64>(2)?.cast_unsigned());
    Ok(Taken { game: row.get(0)?, began: row.get::<_, i64>(1)?.cast_unsigned(), used })
}

fn milliseconds(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::tests::begun;

    #[test]
    fn a_turn_keeps_what_it_has_taken_until_it_ends() {
        let store = Store::open(None).unwrap();
        begun(&store, "a", 1);
        let (second, left) = (Duration::from_secs(1), Duration::from_secs(60));
        let turn = |began, by_machine| Some(Turn { began, left, by_machine });
        let put = |turn| write(&store.connection(), "a", turn).unwrap();
        let used = || read(&store.connection(), "a").unwrap().map(|taken| taken.used);
        put(turn(4, false));
        let taken = |began| Taken { game: "a".to_owned(), began, used: 5 * second };
        store.note_turns(&[taken(3)]).unwrap();
        assert_eq!(used(), Some(Duration::ZERO), "that was another turn");
        store.note_turns(&[taken(4)]).unwrap();
        put(turn(4, false));
        assert_eq!(used(), Some(5 * second));
        assert_eq!(store.turns().unwrap(), [("a".to_owned(), turn(4, false).unwrap(), 5 * second)]);
        put(turn(4, true));
        assert!(store.turns().unwrap().is_empty(), "machines wait for somebody to come");
        put(turn(5, false));
        assert_eq!(used(), Some(Duration::ZERO));
        put(None);
        assert_eq!(used(), None);
    }
}
