//! The tables of a store, and rows as bytes.
//!
//! | table | one row for each |
//! |---|---|
//! | `project` | file: what is asked, who may write, what the next unit is called |
//! | `nodes` | node: `state` is bounds, tries and effort, `moves` the order of its moves if it has children; each with its checksum |
//! | `facts` | answer of a unit that was believed |
//! | `units` | unit that waits for results |
//! | `attempts` | lease of a unit, and what came of it |
//! | `votes` | judged attempt, for good |
//! | `lemmas` | answer with a proof that was checked |
//! | `users` | user |
//! | `log` | line of the audit log |

use certificate::crc32;

use crate::coordinator::NodeRow;
use crate::goal::Bounds;
use crate::message::{Sink, Source};
use crate::name::NodeName;

/// `Zrms` in letters: the file is ours.
#[cfg(feature = "sqlite")]
pub(super) const MAGIC: i32 = 0x5a72_6d73;
pub(super) const VERSION: i32 = 2;

#[cfg(feature = "sqlite")]
pub(super) const TABLES: &str = "
CREATE TABLE project (
    game        TEXT NOT NULL,
    position    TEXT NOT NULL,
    epoch       INTEGER NOT NULL,
    incarnation INTEGER NOT NULL,
    next_number INTEGER NOT NULL,
    batches     INTEGER NOT NULL,
    nodes       INTEGER NOT NULL,
    seconds     REAL NOT NULL
) STRICT;
CREATE TABLE nodes (
    name  BLOB PRIMARY KEY,
    state BLOB NOT NULL,
    moves BLOB
) STRICT, WITHOUT ROWID;
CREATE TABLE facts (
    name     BLOB NOT NULL,
    at_least INTEGER NOT NULL,
    holds    INTEGER NOT NULL,
    unit     INTEGER NOT NULL,
    PRIMARY KEY (name, at_least, holds)
) STRICT, WITHOUT ROWID;
CREATE TABLE units (
    number       INTEGER PRIMARY KEY,
    unit         BLOB NOT NULL,
    wanted       INTEGER NOT NULL,
    trusted_only INTEGER NOT NULL,
    open         INTEGER NOT NULL
) STRICT;
CREATE TABLE attempts (
    unit    INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    user    INTEGER NOT NULL,
    network INTEGER NOT NULL,
    trusted INTEGER NOT NULL,
    until   INTEGER NOT NULL,
    state   INTEGER NOT NULL,
    report  BLOB,
    PRIMARY KEY (unit, attempt)
) STRICT, WITHOUT ROWID;
CREATE INDEX delivered ON attempts (unit, attempt) WHERE state = 2;
CREATE TABLE votes (
    unit    INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    user    INTEGER NOT NULL,
    verdict INTEGER NOT NULL,
    credit  INTEGER NOT NULL,
    PRIMARY KEY (unit, attempt)
) STRICT, WITHOUT ROWID;
CREATE TABLE users (
    user    INTEGER PRIMARY KEY,
    valid   INTEGER NOT NULL,
    invalid INTEGER NOT NULL,
    since   INTEGER NOT NULL,
    banned  INTEGER NOT NULL,
    credit  INTEGER NOT NULL,
    checked INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE log (
    number INTEGER PRIMARY KEY,
    batch  INTEGER NOT NULL,
    line   TEXT NOT NULL
) STRICT;
";

/// Stores of version 2 that were made before there were lemmas have no such table.
#[cfg(feature = "sqlite")]
pub(super) const LEMMAS: &str = "
CREATE TABLE IF NOT EXISTS lemmas (
    name     BLOB NOT NULL,
    at_least INTEGER NOT NULL,
    holds    INTEGER NOT NULL,
    hash     BLOB NOT NULL,
    PRIMARY KEY (name, at_least, holds)
) STRICT, WITHOUT ROWID;
";

/// Nor do they know which results were checked.
#[cfg(feature = "sqlite")]
pub(super) const CHECKED: &str = "
ALTER TABLE users ADD COLUMN checked INTEGER NOT NULL DEFAULT 0;
";

/// What is known of a node, with a checksum over that and its name: a bit that flips on the disk
/// must not prove anything.
#[must_use]
pub fn state_bytes(row: &NodeRow) -> Vec<u8> {
    let mut out = Sink::default();
    out.signed(row.bounds.lower);
    out.signed(row.bounds.upper);
    out.number(row.tries.into());
    out.number(row.effort);
    sealed(&row.name, out)
}

/// The order of its moves, likewise.
#[must_use]
pub fn moves_bytes(name: &NodeName, order: &[u16]) -> Vec<u8> {
    let mut out = Sink::default();
    out.places(order);
    sealed(name, out)
}

/// A row of a node; `None` if it is damaged.
#[must_use]
pub fn row(name: NodeName, state: &[u8], moves: Option<&[u8]>) -> Option<NodeRow> {
    let mut from = opened(&name, state)?;
    let bounds = Bounds { lower: from.signed("").ok()?, upper: from.signed("").ok()? };
    let tries = from.number(u32::MAX.into(), "").ok()? as u32;
    let effort = from.number(u64::MAX, "").ok()?;
    from.end().ok()?;
    let order = match moves {
        None => None,
        Some(bytes) => {
            let mut from = opened(&name, bytes)?;
            let order = from.places(1 << 16).ok()?;
            from.end().ok()?;
            Some(order)
        }
    };
    Some(NodeRow { name, bounds, tries, effort, order })
}

fn sealed(name: &NodeName, mut out: Sink) -> Vec<u8> {
    let sum = checksum(name, &out.0);
    out.0.extend(sum.to_le_bytes());
    out.0
}

fn opened<'b>(name: &NodeName, bytes: &'b [u8]) -> Option<Source<'b>> {
    let (body, sum) = bytes.split_last_chunk::<4>()?;
    let is_whole = checksum(name, body) == u32::from_le_bytes(*sum);
    is_whole.then_some(Source { bytes: body, at: 0 })
}

/// The checksum of something about a node.
#[must_use]
pub fn checksum(name: &NodeName, body: &[u8]) -> u32 {
    let mut all = name.as_bytes().to_vec();
    all.extend(body);
    crc32(&all)
}
