//! What a project has found out and what there is to do, where it survives: the traits [`Store`], for
//! the one coordinator of a project, and [`Door`], for whoever lets workers in; [`SqliteStore`] is
//! both in one file, [`MemoryStore`] in none.

mod memory;
mod schema;
#[cfg(feature = "sqlite")]
mod sqlite;
#[cfg(feature = "sqlite")]
mod upgrade;

use std::path::PathBuf;

use game::shown;
use storage::{LockError, WriteError};

use crate::coordinator::{Batch, Event, NodeLemma, NodeRow, ProjectId, UserRecord, Voter};
use crate::goal::Bounds;
use crate::message::{Unit, UnitId, UnitReport};
use crate::name::NodeName;
pub use memory::MemoryStore;
#[cfg(feature = "sqlite")]
pub use sqlite::SqliteStore;

/// What is known of nodes, as bytes that say when they are damaged: for every store on a disk.
pub mod rows {
    pub use super::schema::{checksum, moves_bytes, row, state_bytes};
}

/// Why a store cannot be used. Prints as one line.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It holds something already, and nobody said to go on with it.
    #[error("{0} holds work already: --resume goes on with it")]
    HoldsWork(PathBuf),
    /// There is nothing to go on with.
    #[error("{0}: there is no store to resume")]
    Missing(PathBuf),
    /// It is a file of another kind.
    #[error("{0} is not a store of zermelo")]
    Foreign(PathBuf),
    /// It was written by another version.
    #[error("{0} is a store of version {1}, and this program reads versions 1 and {known}", known = schema::VERSION)]
    OtherVersion(PathBuf, i32),
    /// It is about something else.
    #[error("{0} is about {is}, not about {wanted}", is = shown(.1), wanted = shown(.2))]
    OtherProblem(PathBuf, String, String),
    /// Somebody else has it open, or it cannot be locked.
    #[error(transparent)]
    NotOurs(#[from] LockError),
    /// It says what the rules deny.
    #[error("{0} is damaged: {1}")]
    Damaged(PathBuf, String),
    /// It cannot be put in its place.
    #[error(transparent)]
    NotMade(#[from] WriteError),
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
    /// Reading or writing failed.
    #[cfg(feature = "sqlite")]
    #[error("{0}: {1}")]
    Failed(PathBuf, rusqlite::Error),
    /// This program was built without stores in files.
    #[error("{0}: this program keeps nothing in files")]
    NoFiles(PathBuf),
    /// Reading or writing failed in a store that is kept elsewhere.
    #[error(transparent)]
    Elsewhere(Box<dyn std::error::Error + Send + Sync>),
}

/// Which coordinator may write: rises with every claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Epoch(pub u64);

/// What a coordinator that takes a project over has to know.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Claimed {
    /// Lets it write, until somebody else claims.
    pub epoch: Epoch,
    /// Which project, with a new incarnation.
    pub project: ProjectId,
    /// The number of the next unit.
    pub next_number: u64,
    /// The last batch that was written.
    pub batches: u64,
    /// Positions visited, by all sessions together.
    pub nodes: u64,
    /// Time spent, likewise, in seconds.
    pub seconds: f64,
}

/// A fact as a store holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredFact {
    /// About which node.
    pub name: NodeName,
    /// Whether the first player's margin is at least this.
    pub at_least: i32,
    /// It is, or it is not.
    pub holds: bool,
    /// The number of the unit that showed it.
    pub unit: u64,
    /// How many users say so.
    pub users: u32,
    /// Whether one of the project's own machines does.
    pub trusted: bool,
}

impl StoredFact {
    /// What it says about the node.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        Bounds::ANY.with(self.at_least, self.holds)
    }
}

/// Where the one coordinator of a project writes. Nothing is written half.
pub trait Store {
    /// Takes the project over: whoever had it can no longer write. `alone` says that nobody works at
    /// what was handed out before, so that it is forgotten.
    ///
    /// # Errors
    /// If the store fails, as everywhere here.
    fn claim(&mut self, alone: bool) -> Result<Claimed, StoreError>;

    /// Units that wait for results, and whether only the project's own machines may have them.
    fn units(&mut self) -> Result<Vec<(Unit, bool)>, StoreError>;

    /// What is known of these nodes; those of which nothing is known are left out, and so is what
    /// was damaged.
    fn nodes(&mut self, names: &[NodeName]) -> Result<Vec<NodeRow>, StoreError>;

    /// Facts about these nodes, and who vouches for them; damaged ones are left out.
    fn facts(&mut self, names: &[NodeName]) -> Result<Vec<StoredFact>, StoreError>;

    /// Who has been right so far.
    fn users(&mut self) -> Result<Vec<(u64, UserRecord)>, StoreError>;

    /// Which nodes have lemmas that were checked.
    fn lemmas(&mut self) -> Result<Vec<NodeLemma>, StoreError>;

    /// Reports that were delivered and not judged yet, at most so many.
    fn events(&mut self, most: usize) -> Result<Vec<Event>, StoreError>;

    /// What was reported about a unit in these attempts; what is judged already is left out.
    fn reports(&mut self, unit: UnitId, attempts: &[u32]) -> Result<Vec<UnitReport>, StoreError>;

    /// Writes a batch, and all that came in before: it is on the disk when this returns.
    ///
    /// # Errors
    /// If another coordinator has claimed the project, or the batch is not the next one: then
    /// nothing is written. After any other error it is not known whether something was, and a
    /// coordinator has to claim and load again.
    fn commit(&mut self, epoch: Epoch, batch: &Batch, seconds: f64) -> Result<(), StoreError>;
}

/// A unit that somebody works at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// What to do.
    pub unit: Unit,
    /// Which attempt at it this is.
    pub attempt: u32,
    /// Until when it is expected, in seconds.
    pub until: u64,
}

/// What becomes of a delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Receipt {
    /// It is taken, now or when the same bytes came before.
    Taken,
    /// It is not, and that is why.
    Refused(String),
}

/// Where workers come in; any number of doors, none of which remembers anything.
pub trait Door {
    /// Something to do for this worker: it has not had the unit before.
    ///
    /// # Errors
    /// If the store fails, as everywhere here.
    fn lease(&mut self, who: Voter, now: u64, seconds: u64) -> Result<Option<Lease>, StoreError>;

    /// Says that somebody still works at a unit; whether it is still wanted.
    fn renew(
        &mut self,
        unit: UnitId,
        attempt: u32,
        now: u64,
        seconds: u64,
    ) -> Result<bool, StoreError>;

    /// Gives up a lease.
    fn release(&mut self, unit: UnitId, attempt: u32) -> Result<(), StoreError>;

    /// Takes a report. It counts as taken once [`sync`](Door::sync) or a commit has returned.
    fn deliver(&mut self, who: Voter, report: &[u8], now: u64) -> Result<Receipt, StoreError>;

    /// What came in is on the disk when this returns.
    fn sync(&mut self) -> Result<(), StoreError>;
}
