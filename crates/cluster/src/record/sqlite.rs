//! [`Link`] to a SQLite file: write-ahead log, synchronous, open to readers in other processes.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{CachedStatement, Connection, ErrorCode, ToSql};

use super::error::RecordError;
use super::link::{Datum, Dialect, Hear, Link, Tuple, translated};

/// `Zrmc` in letters: the file is ours.
const MAGIC: i32 = 0x5a72_6d63;

pub(super) struct SqliteLink {
    connection: Connection,
    file: PathBuf,
    texts: HashMap<&'static str, String>,
}

impl SqliteLink {
    pub(super) fn open(file: &Path) -> Result<SqliteLink, RecordError> {
        let failed = |error| failure(file, error);
        let connection = Connection::open(file).map_err(failed)?;
        let set = |connection: &Connection| {
            // Others are let in: `project status` reads while a server writes.
            connection.busy_timeout(Duration::from_secs(20))?;
            if !is_ours(connection)? {
                return Ok(false);
            }
            set_wal(connection)?;
            connection.pragma_update(None, "synchronous", "FULL")?;
            connection.pragma_update(None, "cache_size", -16_384)?;
            connection.set_prepared_statement_cache_capacity(128);
            Ok(true)
        };
        match set(&connection) {
            Ok(true) => {}
            Ok(false) => return Err(RecordError::Foreign(file.to_owned())),
            Err(error) => return Err(failed(error)),
        }
        Ok(SqliteLink { connection, file: file.to_owned(), texts: HashMap::new() })
    }

    fn with<T>(
        &mut self,
        text: &'static str,
        act: impl FnOnce(&mut CachedStatement<'_>) -> Result<T, Failure>,
    ) -> Result<T, RecordError> {
        let text = self.texts.entry(text).or_insert_with(|| translated(text, Dialect::Sqlite));
        let prepared = self.connection.prepare_cached(text).map_err(Failure::Sqlite);
        prepared.and_then(|mut statement| act(&mut statement)).map_err(|error| match error {
            Failure::Sqlite(error) => failure(&self.file, error),
            Failure::Heard(error) => error,
        })
    }
}

/// Whether the file is a record; an empty one becomes one. Looked at in one transaction, since
/// another program may be making it just now.
fn is_ours(connection: &Connection) -> rusqlite::Result<bool> {
    let read = || {
        let magic: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
        let tables = "SELECT count(*) FROM sqlite_schema";
        let tables: i64 = connection.query_row(tables, [], |row| row.get(0))?;
        rusqlite::Result::Ok((magic, tables))
    };
    connection.execute_batch("BEGIN")?;
    let seen = read();
    connection.execute_batch("COMMIT")?;
    match seen? {
        (MAGIC, _) => return Ok(true),
        (0, 0) => {}
        _ => return Ok(false),
    }
    connection.execute_batch("BEGIN IMMEDIATE")?;
    let made = read().and_then(|seen| {
        if seen == (0, 0) {
            connection.pragma_update(None, "application_id", MAGIC)?;
        }
        Ok(seen == (0, 0) || seen.0 == MAGIC)
    });
    connection.execute_batch(if made.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
    made
}

/// The change to a write-ahead log does not wait for others by itself.
fn set_wal(connection: &Connection) -> rusqlite::Result<()> {
    let mut tries = 0;
    loop {
        tries += 1;
        match connection.pragma_update(None, "journal_mode", "WAL") {
            Err(error)
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) && tries < 500 =>
            {
                std::thread::sleep(Duration::from_millis(20));
            }
            end => return end,
        }
    }
}

enum Failure {
    Sqlite(rusqlite::Error),
    Heard(RecordError),
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Failure {
        Failure::Sqlite(error)
    }
}

impl Link for SqliteLink {
    fn begin(&mut self, writes: bool) -> Result<(), RecordError> {
        self.script(if writes { "BEGIN IMMEDIATE" } else { "BEGIN" })
    }

    fn end(&mut self, commit: bool) -> Result<(), RecordError> {
        let ended = self.script(if commit { "COMMIT" } else { "ROLLBACK" });
        if ended.is_err() && commit {
            // A failed commit leaves the transaction open.
            drop(self.script("ROLLBACK"));
        }
        ended
    }

    fn script(&mut self, text: &str) -> Result<(), RecordError> {
        let text = translated(text, Dialect::Sqlite);
        self.connection.execute_batch(&text).map_err(|error| failure(&self.file, error))
    }

    fn each(
        &mut self,
        text: &'static str,
        given: &Tuple,
        hear: Hear<'_>,
    ) -> Result<(), RecordError> {
        self.with(text, |statement| heard(statement, given, hear))
    }

    fn each_of(
        &mut self,
        text: &'static str,
        given: &[Tuple],
        hear: Hear<'_>,
    ) -> Result<(), RecordError> {
        self.with(text, |statement| {
            given.iter().try_for_each(|one| heard(statement, one, &mut *hear))
        })
    }

    fn execute(&mut self, text: &'static str, given: &Tuple) -> Result<u64, RecordError> {
        self.with(text, |statement| {
            Ok(statement.execute(rusqlite::params_from_iter(&given.0))? as u64)
        })
    }

    fn is_broken(&self) -> bool {
        !self.connection.is_autocommit()
    }
}

fn heard(
    statement: &mut CachedStatement<'_>,
    given: &Tuple,
    hear: Hear<'_>,
) -> Result<(), Failure> {
    let columns = statement.column_count();
    let mut rows = statement.query(rusqlite::params_from_iter(&given.0))?;
    while let Some(row) = rows.next()? {
        let value = |column| row.get_ref(column).map(datum);
        let tuple = (0..columns).map(value).collect::<rusqlite::Result<_>>()?;
        hear(Tuple(tuple)).map_err(Failure::Heard)?;
    }
    Ok(())
}

impl ToSql for Datum {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Datum::Null => ToSqlOutput::Owned(Value::Null),
            Datum::Int(number) => ToSqlOutput::Owned(Value::Integer(*number)),
            Datum::Real(number) => ToSqlOutput::Owned(Value::Real(*number)),
            Datum::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
            Datum::Bytes(bytes) => ToSqlOutput::Borrowed(ValueRef::Blob(bytes)),
        })
    }
}

fn datum(value: ValueRef<'_>) -> Datum {
    match value {
        ValueRef::Null => Datum::Null,
        ValueRef::Integer(number) => Datum::Int(number),
        ValueRef::Real(number) => Datum::Real(number),
        ValueRef::Text(text) => Datum::Text(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Blob(bytes) => Datum::Bytes(bytes.to_owned()),
    }
}

fn failure(file: &Path, error: rusqlite::Error) -> RecordError {
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => RecordError::Foreign(file.to_owned()),
        _ => RecordError::Sqlite(file.to_owned(), error),
    }
}
