//! A project as a stream of bytes: to keep it elsewhere, and to move it from one engine to the
//! other.
//!
//! The stream is `ZPRJ`, a version, rows and an end with their number and a SHA-256 over all
//! before. A row is the number of its table and its values, each with its kind and, where it may vary, its
//! length. People and machines are found again by their names; everything else stays as it is, but
//! the incarnation, which rises, so that no unit of before is taken for one of after.

use std::collections::HashMap;
use std::io::{BufRead, Read, Write};

use sha2::{Digest, Sha256};

use super::error::RecordError;
use super::link::{Datum, Link, Tuple, tuple};
use super::{ClusterRecord, log};

/// What was written or read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    /// Rows of all tables together.
    pub rows: u64,
}

const MAGIC: [u8; 5] = *b"ZPRJ\x01";
const END: u8 = 255;
/// No value is longer: a lemma, with room.
const LONGEST: u64 = 256 << 20;

/// A table: how its rows are read and written, and which columns are numbers of users, hosts and
/// teams.
struct Table {
    export: &'static str,
    import: &'static str,
    users: &'static [usize],
    hosts: &'static [usize],
}

macro_rules! table {
    (
        $name:literal, $columns:literal, $kinds:literal, $filter:literal, $users:expr, $hosts:expr
    ) => {
        Table {
            export: concat!("SELECT ", $columns, " FROM ", $name, " WHERE ", $filter),
            import: concat!("INSERT INTO ", $name, " (", $columns, ") {rows ", $kinds, "}"),
            users: $users,
            hosts: $hosts,
        }
    };
}

/// The first three hold people and machines of the project, which are matched by name.
const TABLES: [Table; 13] = [
    table!(
        "users",
        "id, name, trusted, revoked, created",
        "int text flag flag int",
        "id IN (SELECT user_id FROM attempts WHERE project = $1
                UNION SELECT user_id FROM user_records WHERE project = $1
                UNION SELECT user_id FROM votes WHERE project = $1)",
        &[],
        &[]
    ),
    table!(
        "hosts",
        "id, user_id, name, network, seen, day, today, errors, quota",
        "int int text int int int int int int",
        "id IN (SELECT host_id FROM attempts WHERE project = $1
                UNION SELECT host_id FROM votes WHERE project = $1)",
        &[1],
        &[]
    ),
    table!(
        "tokens",
        "hash, user_id, created, revoked",
        "bytes int int flag",
        "user_id IN (SELECT user_id FROM attempts WHERE project = $1
                     UNION SELECT user_id FROM user_records WHERE project = $1)",
        &[1],
        &[]
    ),
    table!(
        "projects",
        "id, name, game, position, goal, plan, quorum, trusted_alone, state, share, epoch,
         incarnation, next_number, batches, nodes, seconds, done, lower_bound, upper_bound,
         created",
        "short text text text text text short flag text int int int int int int real int int int \
         int",
        "id = $1",
        &[],
        &[]
    ),
    table!(
        "nodes",
        "project, name, state, moves",
        "short bytes bytes bytes",
        "project = $1",
        &[],
        &[]
    ),
    table!(
        "facts",
        "project, name, at_least, holds, unit, users, trusted, checksum",
        "short bytes short flag int short flag int",
        "project = $1",
        &[],
        &[]
    ),
    table!(
        "units",
        "project, number, incarnation, unit, solver, megabytes, wanted, waiting, trusted_only,
         open, created, closed",
        "short int int bytes int int int int flag flag int int",
        "project = $1",
        &[],
        &[]
    ),
    table!(
        "attempts",
        "project, unit, attempt, user_id, host_id, network, trusted, since, until, delivered,
         state, digest, report, failure",
        "short int int int int int flag int int int flag bytes bytes text",
        "project = $1",
        &[3],
        &[4]
    ),
    table!(
        "votes",
        "project, unit, attempt, user_id, host_id, network, trusted, verdict, credit, revoked,
         made",
        "short int int int int int flag flag int flag int",
        "project = $1",
        &[3],
        &[4]
    ),
    table!(
        "user_records",
        "project, user_id, valid, invalid, failed, since, banned, credit, checked",
        "short int int int int int flag int int",
        "project = $1",
        &[1],
        &[]
    ),
    table!(
        "node_lemmas",
        "project, name, at_least, holds, hash",
        "short bytes short flag bytes",
        "project = $1",
        &[],
        &[]
    ),
    table!(
        "files",
        "project, name, bytes, created",
        "short text bytes int",
        "project = $1",
        &[],
        &[]
    ),
    table!(
        "lemmas",
        "project, hash, pending, position, claim, bytes, unit, attempt, user_id, created",
        "short bytes flag text text bytes int int int int",
        "project = $1",
        &[8],
        &[]
    ),
];
const USERS: usize = 0;
const HOSTS: usize = 1;
const TOKENS: usize = 2;
const PROJECTS: usize = 3;

/// Lines of the audit log get new numbers.
const EXPORT_LOG: &str = "SELECT project, batch, made, line FROM log WHERE project = $1
                          ORDER BY number";
const IMPORT_LOG: &str = "INSERT INTO log (project, batch, made, line) {rows short int int text}";
const LOG: usize = TABLES.len();

impl ClusterRecord {
    /// Writes a project as it is at one moment.
    ///
    /// # Errors
    /// If there is none of this name, or it cannot be written.
    pub fn export(&self, name: &str, to: &mut dyn Write) -> Result<Exported, RecordError> {
        let project = self.expect_project(name)?.id;
        self.read(|link| {
            let mut out = Hashed { to: &mut *to, hash: Sha256::new() };
            out.put(&MAGIC)?;
            let mut rows = 0;
            let texts = TABLES.iter().map(|table| table.export).chain([EXPORT_LOG]);
            for (table, text) in texts.enumerate() {
                link.each(text, &tuple![project], &mut |row| {
                    rows += 1;
                    let mut bytes = vec![table as u8, row.0.len() as u8];
                    row.0.iter().for_each(|value| push(value, &mut bytes));
                    out.put(&bytes)
                })?;
            }
            out.put(&[END])?;
            out.put(&u64::to_le_bytes(rows))?;
            let hash = out.hash.finalize();
            to.write_all(&hash)?;
            to.flush()?;
            Ok(Exported { rows })
        })
    }

    /// Reads a project that was [exported](ClusterRecord::export), all of it or nothing. If `name`
    /// is given it gets this name.
    ///
    /// # Errors
    /// If it is there already, or what is read is no whole project.
    pub fn import(
        &self,
        name: Option<&str>,
        from: &mut dyn BufRead,
    ) -> Result<Exported, RecordError> {
        let mut was_begun = false;
        self.write(|link| {
            // What was read cannot be read again.
            if std::mem::replace(&mut was_begun, true) {
                return Err(RecordError::NoExport("it collided with something else; try again"));
            }
            Import { link, name, users: HashMap::new(), hosts: HashMap::new(), project: None }
                .run(from)
        })
    }
}

struct Hashed<'t> {
    to: &'t mut dyn Write,
    hash: Sha256,
}

impl Hashed<'_> {
    fn put(&mut self, bytes: &[u8]) -> Result<(), RecordError> {
        self.hash.update(bytes);
        Ok(self.to.write_all(bytes)?)
    }
}

fn push(value: &Datum, out: &mut Vec<u8>) {
    let mut long = |kind: u8, bytes: &[u8]| {
        out.push(kind);
        out.extend((bytes.len() as u64).to_le_bytes());
        out.extend(bytes);
    };
    match value {
        Datum::Text(text) => long(3, text.as_bytes()),
        Datum::Bytes(bytes) => long(4, bytes),
        Datum::Null => out.push(0),
        Datum::Int(number) => {
            out.push(1);
            out.extend(number.to_le_bytes());
        }
        Datum::Real(number) => {
            out.push(2);
            out.extend(number.to_bits().to_le_bytes());
        }
    }
}

/// A project on its way in.
struct Import<'a> {
    link: &'a mut dyn Link,
    name: Option<&'a str>,
    /// Numbers of users there and here.
    users: HashMap<i64, i64>,
    hosts: HashMap<i64, i64>,
    project: Option<u32>,
}

/// So many rows are written at once.
const TOGETHER: usize = 5000;

impl Import<'_> {
    fn run(&mut self, from: &mut dyn BufRead) -> Result<Exported, RecordError> {
        let mut from = Reading { from, hash: Sha256::new() };
        if from.take::<5>()? != MAGIC {
            return Err(RecordError::NoExport("it begins otherwise"));
        }
        let (mut rows, mut together, mut table) = (0, Vec::new(), 0);
        loop {
            let next = usize::from(from.take::<1>()?[0]);
            if next != table || together.len() == TOGETHER {
                self.put(table, std::mem::take(&mut together))?;
                table = next;
            }
            if next == usize::from(END) {
                break;
            }
            if next > LOG {
                return Err(RecordError::NoExport("a table is unknown"));
            }
            together.push(from.row()?);
            rows += 1;
        }
        if u64::from_le_bytes(from.take()?) != rows {
            return Err(RecordError::NoExport("rows are missing"));
        }
        let hash = from.hash.clone().finalize();
        if from.take::<32>()? != hash[..] {
            return Err(RecordError::NoExport("its checksum is wrong"));
        }
        let project = self.project.ok_or(RecordError::NoExport("there is no project in it"))?;
        // Nobody else may write, and no unit of before is one of after.
        self.link.execute(
            "UPDATE projects SET epoch = epoch + 1, incarnation = incarnation + 1 WHERE id = $1",
            &tuple![project],
        )?;
        log(self.link, project, &format!("imported: {rows} rows"))?;
        Ok(Exported { rows })
    }

    fn put(&mut self, table: usize, mut rows: Vec<Tuple>) -> Result<(), RecordError> {
        if rows.is_empty() {
            return Ok(());
        }
        let import = TABLES.get(table).map_or(IMPORT_LOG, |known| known.import);
        if rows.iter().any(|row| row.0.len() != columns(import)) {
            return Err(RecordError::NoExport("a row has another number of values"));
        }
        if table > PROJECTS && rows.iter().any(|row| row.small(0).ok() != self.project) {
            return Err(RecordError::NoExport("a row is of another project"));
        }
        let Some(known) = TABLES.get(table) else {
            return self.link.execute_of(import, &rows);
        };
        for row in &mut rows {
            renumber(row, known.users, &self.users)?;
            renumber(row, known.hosts, &self.hosts)?;
            match table {
                USERS => self.put_user(row)?,
                HOSTS => self.put_host(row)?,
                PROJECTS => self.check_project(row)?,
                TOKENS => {
                    let put = "INSERT INTO tokens (hash, user_id, created, revoked)
                               VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING";
                    self.link.execute(put, row)?;
                }
                _ => {}
            }
        }
        if [USERS, HOSTS, TOKENS].contains(&table) {
            return Ok(());
        }
        self.link.execute_of(import, &rows)
    }

    /// Somebody of this name, who may be there.
    fn put_user(&mut self, row: &mut Tuple) -> Result<(), RecordError> {
        let (there, name) = (row.int(0)?, row.text(1)?);
        let known = "SELECT id, trusted FROM users WHERE name = $1";
        let here = match self.link.query_one(known, &tuple![&*name])? {
            // Nobody becomes trusted by being of the same name as somebody else.
            Some(known) if known.flag(1)? != row.flag(2)? => {
                return Err(RecordError::OtherTrust(name, known.flag(1)?));
            }
            Some(known) => known.int(0)?,
            None => self.link.number(
                "INSERT INTO users (name, trusted, revoked, created) VALUES ($1, $2, $3, $4)
                 RETURNING id",
                &tuple![name, row.flag(2)?, row.flag(3)?, row.int(4)?],
            )?,
        };
        self.users.insert(there, here);
        Ok(())
    }

    fn put_host(&mut self, row: &mut Tuple) -> Result<(), RecordError> {
        let there = row.int(0)?;
        let given = tuple![row.int(1)?, row.text(2)?, row.int(3)?, row.int(4)?, row.int(8)?];
        let here = self.link.number(
            "INSERT INTO hosts (user_id, name, network, seen, day, today, errors, quota)
             VALUES ($1, $2, $3, $4, 0, 0, 0, $5)
             ON CONFLICT (user_id, name) DO UPDATE SET seen = excluded.seen RETURNING id",
            &given,
        )?;
        self.hosts.insert(there, here);
        Ok(())
    }

    fn check_project(&mut self, row: &mut Tuple) -> Result<(), RecordError> {
        if let Some(name) = self.name {
            row.0[1] = Datum::from(name);
        }
        let name = row.text(1)?;
        row.0[1] = Datum::from(&*name);
        let same = "SELECT 1 FROM projects WHERE id = $1 OR name = $2";
        if !self.link.query(same, &tuple![row.int(0)?, &*name])?.is_empty() {
            return Err(RecordError::ProjectExists(name));
        }
        self.project = Some(row.small(0)?);
        Ok(())
    }
}

/// How many values a row has.
fn columns(import: &str) -> usize {
    import.split_once("{rows ").map_or(0, |(_, kinds)| kinds.split(' ').count())
}

fn renumber(
    row: &mut Tuple,
    columns: &[usize],
    numbers: &HashMap<i64, i64>,
) -> Result<(), RecordError> {
    for &column in columns {
        let there = row.int(column)?;
        // Hosts that were purged, and lemmas of nobody, stay without one.
        let here = numbers.get(&there).copied().unwrap_or(0);
        row.0[column] = Datum::Int(here);
    }
    Ok(())
}

struct Reading<'f> {
    from: &'f mut dyn BufRead,
    hash: Sha256,
}

impl Reading<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], RecordError> {
        let mut bytes = [0; N];
        self.from.read_exact(&mut bytes)?;
        self.hash.update(bytes);
        Ok(bytes)
    }

    fn long(&mut self) -> Result<Vec<u8>, RecordError> {
        let length = u64::from_le_bytes(self.take()?);
        if length > LONGEST {
            return Err(RecordError::NoExport("a value is too long"));
        }
        // No more is set aside than there is to read.
        let mut bytes = Vec::new();
        Read::take(&mut *self.from, length).read_to_end(&mut bytes)?;
        if bytes.len() as u64 != length {
            return Err(RecordError::NoExport("it ends too early"));
        }
        self.hash.update(&bytes);
        Ok(bytes)
    }

    fn row(&mut self) -> Result<Tuple, RecordError> {
        let [columns] = self.take()?;
        let value = |_| {
            Ok(match self.take::<1>()? {
                [0] => Datum::Null,
                [1] => Datum::Int(i64::from_le_bytes(self.take()?)),
                [2] => Datum::Real(f64::from_bits(u64::from_le_bytes(self.take()?))),
                [3] => {
                    let text = String::from_utf8(self.long()?);
                    Datum::Text(text.map_err(|_| RecordError::NoExport("a text is none"))?)
                }
                [4] => Datum::Bytes(self.long()?),
                _ => return Err(RecordError::NoExport("a value is of no kind")),
            })
        };
        (0..columns).map(value).collect::<Result<_, _>>().map(Tuple)
    }
}
