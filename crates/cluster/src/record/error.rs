//! [`RecordError`].

use std::error::Error;
use std::io;
use std::path::PathBuf;

use postgres::error::SqlState;
use solve::store::StoreError;

use crate::DoorError;

/// Why a record cannot be used, or does not do what it was asked. Prints as one line.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// SQLite says so.
    #[error("{0}: {1}")]
    Sqlite(PathBuf, #[source] rusqlite::Error),
    /// PostgreSQL says so, or cannot be reached.
    #[error("PostgreSQL: {}", in_full(.0))]
    Postgres(postgres::Error),
    /// The connection to PostgreSQL cannot be encrypted as it should be.
    #[error("TLS to PostgreSQL: {0}")]
    Tls(String),
    /// Clients of PostgreSQL know some more of these.
    #[error("sslmode is disable, prefer, require or verify-full, and not {0:?}")]
    SslMode(String),
    /// Neither a file nor a server.
    #[error("{0:?} is no record: write the name of a file, or postgres://user@host/name")]
    UnknownPlace(String),
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
    /// A program for volunteers, its file, signature or key is not as it should be.
    #[error("this program is not taken: {0}")]
    BadProgram(String),
    /// An account of a volunteer.
    #[error("{0}")]
    Account(#[from] AccountError),
    /// The operating system gives no random numbers.
    #[error("there are no random numbers: {0}")]
    NoRandom(String),
}

/// What happened and why, on one line: the client says "db error" and keeps the rest to itself.
fn in_full(error: &postgres::Error) -> String {
    let mut line = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let text = cause.to_string();
        if !line.ends_with(&text) {
            line = format!("{line}: {text}");
        }
        source = cause.source();
    }
    game::escaped(&line)
}

/// Why an account cannot be had. Prints as one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AccountError {
    /// There is none.
    #[error("there is no such account")]
    Unknown,
    /// There is one already, with another password.
    #[error("there is an account of this address already")]
    Exists,
    /// The password is another one.
    #[error("the password is wrong")]
    Password,
    /// It is no address.
    #[error("this is no e-mail address")]
    Address,
    /// It is no name.
    #[error("a name has 1 to 60 letters, and no control characters")]
    Name,
    /// There is no such team.
    #[error("there is no such team")]
    Team,
    /// There is one already.
    #[error("there is a team of this name already")]
    TeamExists,
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
