//! The door of a store in one file.

use rusqlite::{OptionalExtension, params};

use super::{DELIVERED, EXPIRED, HEARD, LIVE, SqliteStore, number};
use crate::coordinator::Voter;
use crate::message::{Unit, UnitId, UnitReport};
use crate::store::{Door, Lease, Receipt, StoreError};

impl Door for SqliteStore {
    fn lease(&mut self, who: Voter, now: u64, seconds: u64) -> Result<Option<Lease>, StoreError> {
        let until = now.saturating_add(seconds).min(i64::MAX as u64);
        let found = self.pending(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT number, unit, (SELECT count(*) FROM attempts WHERE unit = number) FROM units
                 WHERE open AND (?1 OR NOT trusted_only)
                 AND (?1 OR NOT EXISTS (SELECT 1 FROM attempts WHERE unit = number AND user = ?2))
                 AND (SELECT count(*) FROM attempts
                      WHERE unit = number AND (state > 1 OR state = 0 AND until > ?3)) < wanted
                 ORDER BY number LIMIT 1",
            )?;
            let found = statement
                .query_row(params![who.trusted, who.user as i64, now as i64], |row| {
                    Ok((number(row, 0)?, row.get::<_, Vec<u8>>(1)?, row.get::<_, u32>(2)?))
                })
                .optional()?;
            if let Some((unit, _, attempt)) = &found {
                let mut insert = connection.prepare_cached(
                    "INSERT INTO attempts VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, NULL)",
                )?;
                insert.execute(params![
                    *unit as i64,
                    attempt,
                    who.user as i64,
                    who.network as i64,
                    who.trusted,
                    until as i64,
                    LIVE
                ])?;
            }
            Ok(found)
        })?;
        let Some((_, bytes, attempt)) = found else { return Ok(None) };
        match Unit::decode(&bytes) {
            Ok(unit) => Ok(Some(Lease { unit, attempt, until })),
            Err(error) => Err(StoreError::Damaged(self.file.clone(), error.to_string())),
        }
    }

    fn renew(
        &mut self,
        unit: UnitId,
        attempt: u32,
        now: u64,
        seconds: u64,
    ) -> Result<bool, StoreError> {
        let until = now.saturating_add(seconds).min(i64::MAX as u64);
        self.pending(|connection| {
            connection.execute(
                "UPDATE attempts SET until = ?3 WHERE unit = ?1 AND attempt = ?2 AND state = 0",
                params![unit.number as i64, attempt, until as i64],
            )?;
            let open = "SELECT open FROM units WHERE number = ?1";
            let open = connection.query_row(open, [unit.number as i64], |row| row.get(0));
            Ok(open.optional()?.unwrap_or(false))
        })
    }

    fn release(&mut self, unit: UnitId, attempt: u32) -> Result<(), StoreError> {
        self.pending(|connection| {
            connection.execute(
                "UPDATE attempts SET state = ?3 WHERE unit = ?1 AND attempt = ?2 AND state = 0",
                params![unit.number as i64, attempt, EXPIRED],
            )
        })?;
        Ok(())
    }

    fn deliver(&mut self, who: Voter, report: &[u8], _now: u64) -> Result<Receipt, StoreError> {
        let decoded = match UnitReport::decode(report) {
            Ok(decoded) => decoded,
            Err(error) => return Ok(Receipt::Refused(error.to_string())),
        };
        let refused = |why: String| Ok(Receipt::Refused(why));
        let (unit, attempt) = (decoded.unit, decoded.attempt);
        self.pending(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT user, state, report FROM attempts WHERE unit = ?1 AND attempt = ?2",
            )?;
            let known = statement
                .query_row(params![unit.number as i64, attempt], |row| {
                    let report = row.get::<_, Option<Vec<u8>>>(2)?;
                    Ok((number(row, 0)?, row.get::<_, i64>(1)?, report))
                })
                .optional()?;
            match known {
                None => refused(format!("unit {unit} is gone")),
                Some((user, ..)) if user != who.user => {
                    refused(format!("this attempt at unit {unit} is somebody else's"))
                }
                Some((_, LIVE | EXPIRED, _)) => {
                    let mut update = connection.prepare_cached(
                        "UPDATE attempts SET state = ?3, report = ?4
                         WHERE unit = ?1 AND attempt = ?2",
                    )?;
                    update.execute(params![unit.number as i64, attempt, DELIVERED, report])?;
                    Ok(Receipt::Taken)
                }
                Some((_, DELIVERED | HEARD, known)) if known.as_deref() != Some(report) => {
                    refused("another report of this attempt came before".to_owned())
                }
                Some(_) => Ok(Receipt::Taken),
            }
        })
    }

    fn sync(&mut self) -> Result<(), StoreError> {
        self.end(true)
    }
}
