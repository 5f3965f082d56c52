//! [`RecordError`].

use std::io;
use std::path::PathBuf;

use postgres::error::SqlState;
use solve::store::StoreError;

use crate::DoorError;

/// What went wrong, with what the server said about it: its own words stand one level below.
fn told(error: &postgres::Error) -> String {
    match std::error::Error::source(error) {
        Some(source) => game::shown(&format!("{error}: {source}")),
        None => error.to_string(),
    }
}

/// Why a record cannot be used, or does not do what it was asked. Prints as one line.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// SQLite says so.
    #[error("{0}: {1}")]
    Sqlite(PathBuf, #[source] rusqlite::Error),
    /// PostgreSQL says so, or cannot be reached.
    #[error("PostgreSQL: {}", told(.0))]
    Postgres(#[source] postgres::Error),
    /// A file of another kind.
    #[error("{0} is not a record of zermelo")]
    Foreign(PathBuf),
    /// Written by a newer program.
    #[error(
        "this record has schema {found}, and this program knows {known}: a newer one is needed"
    )]
    NewerSchema {
        /// What it has.
        found: i64,
        /// What this program knows.
        known: i64,
    },
    /// What is acknowledged could be lost.
    #[error(
        "this PostgreSQL runs with fsync off: what workers were promised would be lost with the \
         power; set fsync = on"
    )]
    FsyncOff,
    /// Nobody has made such a project.
    #[error("there is no project {0}")]
    NoProject(String),
    /// There is one already.
    #[error("there is a project {0} already")]
    ProjectExists(String),
    /// There is no such user.
    #[error("there is no user {0}")]
    NoUser(String),
    /// Names are short and printable.
    #[error("{0:?} is no name: up to 64 letters, digits, dots, dashes and underscores")]
    BadName(String),
    /// A user is trusted or not.
    #[error("user {0} is there already, and is {is} trusted", is = if *.1 { "" } else { "not" })]
    OtherTrust(String, bool),
    /// The user was revoked.
    #[error("user {0} was revoked")]
    Revoked(String),
    /// Another coordinator has taken the project over.
    #[error("another coordinator has taken this project over")]
    Fenced,
    /// Batches come one after the other.
    #[error("batch {found} was to be written after batch {last}")]
    OutOfOrder {
        /// The last that was written.
        last: u64,
        /// What came.
        found: u64,
    },
    /// Something in it is not as it was written.
    #[error("the record is damaged: {0}")]
    Damaged(String),
    /// What should be an exported project is none.
    #[error("this is no exported project: {0}")]
    NoExport(&'static str),
    /// An export cannot be written or read.
    #[error("an exported project cannot be written or read: {0}")]
    Stream(#[from] io::Error),
    /// The operating system gives no random numbers.
    #[error("there are no random numbers: {0}")]
    NoRandom(String),
}

impl RecordError {
    /// Whether nothing was written and the same may be tried again at once.
    pub(super) fn is_collision(&self) -> bool {
        let RecordError::Postgres(error) = self else { return false };
        let collisions = [
            SqlState::T_R_DEADLOCK_DETECTED,
            SqlState::T_R_SERIALIZATION_FAILURE,
            SqlState::UNIQUE_VIOLATION,
        ];
        error.code().is_some_and(|code| collisions.contains(code))
    }
}

impl From<RecordError> for StoreError {
    fn from(error: RecordError) -> StoreError {
        match error {
            RecordError::Fenced => StoreError::Fenced,
            RecordError::OutOfOrder { last, found } => StoreError::OutOfOrder { last, found },
            other => StoreError::Elsewhere(Box::new(other)),
        }
    }
}

impl From<RecordError> for DoorError {
    fn from(error: RecordError) -> DoorError {
        DoorError::Record(Box::new(error))
    }
}
