//! [`Link`] to a PostgreSQL server, by its socket, or over TLS where it offers that or the address
//! asks for it.

use std::collections::HashMap;
use std::error::Error;
use std::time::Duration;

use bytes::BytesMut;
use postgres::fallible_iterator::FallibleIterator;
use postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use postgres::{Client, Config, Row, Statement};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::error::RecordError;
use super::link::{Datum, Dialect, Hear, Link, Tuple, translated};
use super::place::PostgresPlace;

/// A commit is on the disk before it is acknowledged; a coordinator that was stopped in the middle
/// of a transaction does not keep its heir waiting, and nobody waits for a lock for ever.
const SETTINGS: &str = "SET synchronous_commit = on;
SET idle_in_transaction_session_timeout = '20s';
SET lock_timeout = '20s'";

pub(super) struct PostgresLink {
    client: Client,
    statements: HashMap<&'static str, Statement>,
}

impl PostgresLink {
    pub(super) fn open(
        place: &PostgresPlace,
        tls: &MakeRustlsConnect,
    ) -> Result<PostgresLink, RecordError> {
        let mut config: Config = place.url.parse().map_err(RecordError::Postgres)?;
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(Duration::from_secs(10));
        }
        config.application_name("zermelo");
        let mut client = config.connect(tls.clone()).map_err(RecordError::Postgres)?;
        client.batch_execute(SETTINGS).map_err(RecordError::Postgres)?;
        let row = client.query_one("SHOW fsync", &[]).map_err(RecordError::Postgres)?;
        match row.get::<_, String>(0).as_str() {
            "on" => Ok(PostgresLink { client, statements: HashMap::new() }),
            _ => Err(RecordError::FsyncOff),
        }
    }

    fn prepared(&mut self, text: &'static str) -> Result<Statement, RecordError> {
        if let Some(statement) = self.statements.get(text) {
            return Ok(statement.clone());
        }
        let translated = translated(text, Dialect::Postgres);
        let statement = self.client.prepare(&translated).map_err(RecordError::Postgres)?;
        self.statements.insert(text, statement.clone());
        Ok(statement)
    }

    fn heard<P: ToSql + Sync>(
        &mut self,
        text: &'static str,
        given: &[P],
        hear: Hear<'_>,
    ) -> Result<(), RecordError> {
        let statement = self.prepared(text)?;
        let given = given.iter().map(|value| value as &(dyn ToSql + Sync)).collect::<Vec<_>>();
        let rows = self.client.query_raw(&statement, given);
        let mut rows = rows.map_err(RecordError::Postgres)?;
        while let Some(row) = rows.next().map_err(RecordError::Postgres)? {
            hear(tuple(&row)?)?;
        }
        Ok(())
    }
}

impl Link for PostgresLink {
    fn begin(&mut self, writes: bool) -> Result<(), RecordError> {
        self.script(match writes {
            true => "BEGIN",
            false => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        })
    }

    fn end(&mut self, commit: bool) -> Result<(), RecordError> {
        self.script(if commit { "COMMIT" } else { "ROLLBACK" })
    }

    fn script(&mut self, text: &str) -> Result<(), RecordError> {
        let text = translated(text, Dialect::Postgres);
        self.client.batch_execute(&text).map_err(RecordError::Postgres)
    }

    fn each(
        &mut self,
        text: &'static str,
        given: &Tuple,
        hear: Hear<'_>,
    ) -> Result<(), RecordError> {
        self.heard(text, &given.0, hear)
    }

    fn each_of(
        &mut self,
        text: &'static str,
        given: &[Tuple],
        hear: Hear<'_>,
    ) -> Result<(), RecordError> {
        let Some(first) = given.first() else { return Ok(()) };
        let column = |at: usize| given.iter().map(|row| &row.0[at]).collect::<Vec<&Datum>>();
        let columns: Vec<Vec<&Datum>> = (0..first.0.len()).map(column).collect();
        self.heard(text, &columns, hear)
    }

    fn execute(&mut self, text: &'static str, given: &Tuple) -> Result<u64, RecordError> {
        let statement = self.prepared(text)?;
        let given: Vec<&(dyn ToSql + Sync)> =
            given.0.iter().map(|value| value as &(dyn ToSql + Sync)).collect();
        self.client.execute(&statement, &given).map_err(RecordError::Postgres)
    }

    fn is_broken(&self) -> bool {
        self.client.is_closed()
    }
}

/// Takes the type that the server wants: numbers of each size are one here.
impl ToSql for Datum {
    fn to_sql(
        &self,
        wanted: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match (self, wanted) {
            (Datum::Null, _) => Ok(IsNull::Yes),
            (Datum::Int(number), &Type::INT2) => i16::try_from(*number)?.to_sql(wanted, out),
            (Datum::Int(number), &Type::INT4) => i32::try_from(*number)?.to_sql(wanted, out),
            (Datum::Int(number), &Type::INT8) => number.to_sql(wanted, out),
            (Datum::Real(number), &Type::FLOAT8) => number.to_sql(wanted, out),
            (Datum::Text(text), &Type::TEXT) => text.to_sql(wanted, out),
            (Datum::Bytes(bytes), &Type::BYTEA) => bytes.as_slice().to_sql(wanted, out),
            _ => Err(format!("{self:?} is no {wanted}").into()),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

fn tuple(row: &Row) -> Result<Tuple, RecordError> {
    let value = |column: usize| {
        let found = match *row.columns()[column].type_() {
            Type::INT2 => row.try_get::<_, Option<i16>>(column)?.map(|n| Datum::Int(n.into())),
            Type::INT4 => row.try_get::<_, Option<i32>>(column)?.map(|n| Datum::Int(n.into())),
            Type::INT8 => row.try_get::<_, Option<i64>>(column)?.map(Datum::Int),
            Type::FLOAT8 => row.try_get::<_, Option<f64>>(column)?.map(Datum::Real),
            Type::BYTEA => row.try_get::<_, Option<Vec<u8>>>(column)?.map(Datum::Bytes),
            _ => row.try_get::<_, Option<String>>(column)?.map(Datum::Text),
        };
        Ok(found.unwrap_or(Datum::Null))
    };
    let values = (0..row.len()).map(value).collect::<Result<_, postgres::Error>>();
    values.map(Tuple).map_err(RecordError::Postgres)
}
