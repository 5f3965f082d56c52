//! [`Link`]: a connection to either engine, which both take the same statements.
//!
//! Statements are written once. What differs stands in braces and is [`translated`]: types in the
//! schema, the clock, locks of rows, and `{rows …}`, which is where a statement for many rows gets
//! them from: PostgreSQL takes all at once as arrays, SQLite one after the other.

use super::error::RecordError;

/// A value in a row.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Datum {
    Null,
    Int(i64),
    Real(f64),
    Text(String),
    Bytes(Vec<u8>),
}

/// Values that go in or come out together.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Tuple(pub(super) Vec<Datum>);

/// `tuple![a, b]` is a [`Tuple`] of whatever becomes a [`Datum`].
macro_rules! tuple {
    ($($value:expr),* $(,)?) => {
        $crate::record::link::Tuple(vec![$($crate::record::link::Datum::from($value)),*])
    };
}
pub(super) use tuple;

/// Hears row by row what a statement gives.
pub(super) type Hear<'h> = &'h mut dyn FnMut(Tuple) -> Result<(), RecordError>;

/// A connection. Everything happens between [`begin`](Link::begin) and [`end`](Link::end).
pub(super) trait Link: Send {
    fn begin(&mut self, writes: bool) -> Result<(), RecordError>;

    /// What was written is on the disk when this returns after `commit`.
    fn end(&mut self, commit: bool) -> Result<(), RecordError>;

    /// Several statements without parameters.
    fn script(&mut self, text: &str) -> Result<(), RecordError>;

    /// One statement; what it gives is heard.
    fn each(
        &mut self,
        text: &'static str,
        given: &Tuple,
        hear: Hear<'_>,
    ) -> Result<(), RecordError>;

    /// One statement with `{rows …}`.
    fn each_of(
        &mut self,
        text: &'static str,
        given: &[Tuple],
        hear: Hear<'_>,
    ) -> Result<(), RecordError>;

    /// How many rows one statement has changed.
    fn execute(&mut self, text: &'static str, given: &Tuple) -> Result<u64, RecordError>;

    /// Whether nothing can be had from it any longer.
    fn is_broken(&self) -> bool;
}

impl dyn Link + '_ {
    pub(super) fn query(
        &mut self,
        text: &'static str,
        given: &Tuple,
    ) -> Result<Vec<Tuple>, RecordError> {
        let mut rows = Vec::new();
        self.each(text, given, &mut |row| {
            rows.push(row);
            Ok(())
        })?;
        Ok(rows)
    }

    pub(super) fn query_one(
        &mut self,
        text: &'static str,
        given: &Tuple,
    ) -> Result<Option<Tuple>, RecordError> {
        Ok(self.query(text, given)?.into_iter().next())
    }

    /// One number.
    pub(super) fn number(&mut self, text: &'static str, given: &Tuple) -> Result<i64, RecordError> {
        let row = self.query_one(text, given)?;
        row.map_or_else(|| Err(damaged("a number")), |row| row.int(0))
    }

    pub(super) fn query_of(
        &mut self,
        text: &'static str,
        given: &[Tuple],
    ) -> Result<Vec<Tuple>, RecordError> {
        let mut rows = Vec::new();
        // Arrays of a size that the server takes in one piece.
        for part in given.chunks(10_000) {
            self.each_of(text, part, &mut |row| {
                rows.push(row);
                Ok(())
            })?;
        }
        Ok(rows)
    }

    pub(super) fn execute_of(
        &mut self,
        text: &'static str,
        given: &[Tuple],
    ) -> Result<(), RecordError> {
        self.query_of(text, given).map(drop)
    }

    /// Seconds since 1970, by the clock of the engine: the only one that everybody shares.
    pub(super) fn now(&mut self) -> Result<u64, RecordError> {
        self.number("SELECT {now}", &tuple![]).map(|now| now as u64)
    }
}

fn damaged(what: &str) -> RecordError {
    RecordError::Damaged(format!("{what} is missing"))
}

impl Tuple {
    pub(super) fn int(&self, column: usize) -> Result<i64, RecordError> {
        match self.0.get(column) {
            Some(&Datum::Int(number)) => Ok(number),
            _ => Err(damaged("a number")),
        }
    }

    pub(super) fn optional_int(&self, column: usize) -> Option<i64> {
        self.int(column).ok()
    }

    /// Both engines know signed numbers alone.
    pub(super) fn word(&self, column: usize) -> Result<u64, RecordError> {
        self.int(column).map(|number| number as u64)
    }

    pub(super) fn small(&self, column: usize) -> Result<u32, RecordError> {
        u32::try_from(self.int(column)?).map_err(|_| damaged("a small number"))
    }

    pub(super) fn flag(&self, column: usize) -> Result<bool, RecordError> {
        self.int(column).map(|number| number != 0)
    }

    pub(super) fn real(&self, column: usize) -> Result<f64, RecordError> {
        match self.0.get(column) {
            Some(&Datum::Real(number)) => Ok(number),
            Some(&Datum::Int(number)) => Ok(number as f64),
            _ => Err(damaged("a number")),
        }
    }

    pub(super) fn text(&mut self, column: usize) -> Result<String, RecordError> {
        match self.0.get_mut(column) {
            Some(Datum::Text(text)) => Ok(std::mem::take(text)),
            _ => Err(damaged("a text")),
        }
    }

    pub(super) fn bytes(&mut self, column: usize) -> Result<Vec<u8>, RecordError> {
        self.optional_bytes(column).ok_or_else(|| damaged("bytes"))
    }

    pub(super) fn optional_bytes(&mut self, column: usize) -> Option<Vec<u8>> {
        match self.0.get_mut(column) {
            Some(Datum::Bytes(bytes)) => Some(std::mem::take(bytes)),
            _ => None,
        }
    }
}

macro_rules! from {
    ($($type:ty: $value:ident => $datum:expr;)*) => {
        $(impl From<$type> for Datum {
            fn from($value: $type) -> Datum {
                $datum
            }
        })*
    };
}

from! {
    i64: value => Datum::Int(value);
    u64: value => Datum::Int(value as i64);
    i32: value => Datum::Int(value.into());
    u32: value => Datum::Int(value.into());
    bool: value => Datum::Int(value.into());
    f64: value => Datum::Real(value);
    &str: value => Datum::Text(value.to_owned());
    String: value => Datum::Text(value);
    &[u8]: value => Datum::Bytes(value.to_owned());
    Vec<u8>: value => Datum::Bytes(value);
}

impl<T: Into<Datum>> From<Option<T>> for Datum {
    fn from(value: Option<T>) -> Datum {
        value.map_or(Datum::Null, Into::into)
    }
}

/// Which engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    Sqlite,
    Postgres,
}

/// What stands in braces, for SQLite and for PostgreSQL.
const WORDS: [(&str, &str, &str); 14] = [
    (
        "id",
        "INTEGER PRIMARY KEY AUTOINCREMENT",
        "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY",
    ),
    ("int", "INTEGER", "BIGINT"),
    ("short", "INTEGER", "INTEGER"),
    ("flag", "INTEGER", "SMALLINT"),
    ("real", "REAL", "DOUBLE PRECISION"),
    ("text", "TEXT", "TEXT"),
    ("bytes", "BLOB", "BYTEA"),
    ("end", " STRICT", ""),
    ("clustered", " STRICT, WITHOUT ROWID", ""),
    ("now", "unixepoch()", "CAST(floor(extract(epoch FROM clock_timestamp())) AS BIGINT)"),
    ("lock", "", "FOR UPDATE"),
    ("lock units", "", "FOR UPDATE OF units"),
    ("skip", "", "FOR UPDATE SKIP LOCKED"),
    ("no bytes", "x''", "''::bytea"),
];

/// A statement as an engine wants it.
pub(super) fn translated(text: &str, dialect: Dialect) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let (word, after) = after.split_once('}').unwrap_or((after, ""));
        rest = after;
        if let Some(types) = word.strip_prefix("rows ") {
            push_rows(types, dialect, &mut out);
        } else {
            let known = WORDS.iter().find(|(name, ..)| *name == word);
            debug_assert!(known.is_some(), "{word} stands in no table");
            let (_, sqlite, postgres) = known.unwrap_or(&("", "", ""));
            out.push_str(if dialect == Dialect::Sqlite { sqlite } else { postgres });
        }
    }
    out.push_str(rest);
    match dialect {
        // `$1` would be numbered where it first appears.
        Dialect::Sqlite => out.replace('$', "?"),
        Dialect::Postgres => out,
    }
}

fn push_rows(types: &str, dialect: Dialect, out: &mut String) {
    let each = types.split(' ').enumerate();
    let columns: Vec<String> = match dialect {
        Dialect::Sqlite => each.map(|(at, _)| format!("?{}", at + 1)).collect(),
        Dialect::Postgres => {
            let name = |kind| WORDS.iter().find(|(name, ..)| *name == kind).map_or("", |w| w.2);
            each.map(|(at, kind)| format!("${}::{}[]", at + 1, name(kind))).collect()
        }
    };
    let columns = columns.join(", ");
    out.push_str(&match dialect {
        Dialect::Sqlite => format!("VALUES ({columns})"),
        Dialect::Postgres => format!("SELECT * FROM unnest({columns})"),
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_text_for_both() {
        let text = "INSERT INTO t (a, b) {rows short bytes} WHERE a < $2 AND b = {now} {skip}";
        assert_eq!(
            translated(text, Dialect::Sqlite),
            "INSERT INTO t (a, b) VALUES (?1, ?2) WHERE a < ?2 AND b = unixepoch() "
        );
        assert_eq!(
            translated("INSERT INTO t (a, b) {rows short bytes} {lock}", Dialect::Postgres),
            "INSERT INTO t (a, b) SELECT * FROM unnest($1::INTEGER[], $2::BYTEA[]) FOR UPDATE"
        );
    }
}
