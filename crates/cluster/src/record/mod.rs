//! [`ClusterRecord`]: the record of a cluster, in a SQLite file or in PostgreSQL. It holds any
//! number of projects, what they have found out, what there is to do, who works and who is
//! believed.
//!
//! | table | one row for each |
//! |---|---|
//! | `projects` | project: what is asked, how it stands, which coordinator may write (`epoch`) |
//! | `nodes` | node: `state` is bounds, tries and effort, `moves` the order of its moves, each with its checksum; a cache, and an empty `state` says nothing |
//! | `facts` | answer that was believed, by unit: the truth, with how many users and whether a trusted machine vouch for it |
//! | `units` | unit; `waiting` is how many more attempts at it are wanted |
//! | `attempts` | lease of a unit, and what came of it: see `attempt_state` |
//! | `votes` | judged attempt, for good: where facts come from |
//! | `users`, `teams` | user, team |
//! | `user_records` | user of a project: how often it was right, its credit |
//! | `tokens` | token, by its SHA-256 |
//! | `hosts` | machine of a user, with its quota of today |
//! | `lemmas` | certificate that others rest on; `pending` until a coordinator has verified it |
//! | `log` | line of the audit log |
//! | `accounts`, `volunteer_hosts`, `volunteer_results`, `uploads`, `app_versions`, … | what BOINC needs beside that: see `volunteer_schema` |
//! | `zermelo_schema` | version that the schema has been brought to |
//!
//! **Invariants.** Both engines take the same statements (`link`) and pass one suite. Whoever
//! changes the attempts of a unit holds the lock of the unit's row; locks are waited for in the
//! order project, units by number, hosts. A number of a unit is never used twice. Nothing that was
//! acknowledged is lost: both engines wait for the disk.

mod accounts;
mod apps;
mod commit;
mod delivery;
mod error;
mod generation;
mod link;
mod overview;
mod people;
mod place;
mod pool;
mod postgres;
mod projects;
mod schema;
mod sqlite;
mod statistics;
mod store;
mod tls;
mod transfer;
mod unfit;
mod upkeep;
mod uploads;
mod volunteer_schema;
mod volunteers;
mod work;

use std::path::PathBuf;
use std::sync::Arc;

pub use accounts::{AccountChange, AccountRow, Authenticator, CreditRow, NoticeRow, TeamAccount};
pub use apps::{AppVersionRow, CodeKeyRow, NewAppVersion};
pub use error::{AccountError, RecordError};
pub use generation::Portion;
use link::{Link, tuple};
pub use overview::{DoneLately, LATELY, ProjectOverview, RecordOverview};
pub use people::TokenText;
pub use place::without_passwords;
use place::{PostgresPlace, is_postgres};
use pool::Pool;
pub(crate) use pool::PoolCounters;
pub use projects::{NewProject, ProjectRow, ProjectState};
pub use statistics::{
    FailedAttempt, HostRow, LemmaRow, LogLine, ProjectStatus, TeamRow, UnitCounts, UnitRow, UserRow,
};
pub use store::ProjectStore;
pub use transfer::Exported;
pub use upkeep::Purged;
pub use uploads::UploadState;
pub(crate) use uploads::averaged;
pub use volunteers::{
    HostMet, HostTold, ResultEnd, ResultLease, ResultOutcome, ResultRequest, VolunteerHost,
    VolunteerResult,
};

/// The states of an attempt. All but `EXPIRED`, `REVOKED` and `SPENT` count as one of the wanted.
mod attempt_state {
    /// Somebody works at it.
    pub(super) const LIVE: i64 = 0;
    /// Given back, or nobody waits for it; what comes late is still taken.
    pub(super) const EXPIRED: i64 = 1;
    /// A coordinator has not heard of it yet.
    pub(super) const DELIVERED: i64 = 2;
    /// Right or wrong, as its vote says.
    pub(super) const JUDGED: i64 = 3;
    /// Delivered, and waits for others.
    pub(super) const HEARD: i64 = 4;
    /// Its user was revoked.
    pub(super) const REVOKED: i64 = 5;
    /// Judged, by a coordinator before this one, and its unit is still open: it came to nothing,
    /// and the next coordinator counts without it.
    pub(super) const SPENT: i64 = 6;
}

/// What workers may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkLimits {
    /// How long a lease lasts that nobody renews.
    pub lease_seconds: u64,
    /// How many units a host may have at once.
    pub in_progress: u32,
    /// How many units a host may have on one day, if it makes no errors. The projects' own
    /// machines may have any number.
    pub daily: u32,
    /// The largest file of a lemma.
    pub lemma_bytes: usize,
    /// When to come again if there is nothing to do.
    pub later_seconds: u32,
    /// Which of the units that are ready comes first.
    pub order: FeedOrder,
}

/// Which of the units of a project comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FeedOrder {
    /// The oldest.
    #[default]
    Age,
    /// The one that most have answered already, so that it is done soonest; then the oldest.
    Priority,
    /// Any.
    Random,
}

impl Default for WorkLimits {
    fn default() -> WorkLimits {
        WorkLimits {
            lease_seconds: 600,
            in_progress: 64,
            daily: 2000,
            lemma_bytes: 16 << 20,
            later_seconds: 10,
            order: FeedOrder::Age,
        }
    }
}

/// See the module. Cheap to clone; for any number of threads.
#[derive(Clone)]
pub struct ClusterRecord {
    pool: Arc<Pool>,
    limits: WorkLimits,
    is_postgres: bool,
}

impl std::fmt::Debug for ClusterRecord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ClusterRecord").field("is_postgres", &self.is_postgres).finish()
    }
}

impl ClusterRecord {
    /// Opens `postgres://…` or a file, which is made if it is not there, and brings its schema up
    /// to date.
    ///
    /// # Errors
    /// If it cannot be reached, is something else, or was made by a newer program.
    pub fn open(place: &str) -> Result<ClusterRecord, RecordError> {
        let is_postgres = is_postgres(place);
        let pool = if is_postgres {
            let place = PostgresPlace::read(place)?;
            let tls = tls::connector(&place)?;
            let connect = move || {
                let link = postgres::PostgresLink::open(&place, &tls)?;
                Ok(Box::new(link) as Box<dyn Link>)
            };
            Pool::new(Box::new(connect), false)
        } else if place.contains("://") {
            return Err(RecordError::UnknownPlace(without_passwords(place)));
        } else {
            let file = PathBuf::from(place);
            let connect = move || {
                let link = sqlite::SqliteLink::open(&file)?;
                Ok(Box::new(link) as Box<dyn Link>)
            };
            Pool::new(Box::new(connect), true)
        };
        pool.transact(true, |link| schema::migrate(link, is_postgres))?;
        Ok(ClusterRecord { pool: Arc::new(pool), limits: WorkLimits::default(), is_postgres })
    }

    /// The same with other limits for workers.
    #[must_use]
    pub fn with_limits(self, limits: WorkLimits) -> ClusterRecord {
        ClusterRecord { limits, ..self }
    }

    /// What workers may have.
    #[must_use]
    pub fn limits(&self) -> WorkLimits {
        self.limits
    }

    /// Whether several machines can use it at once.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.is_postgres
    }

    /// What its connections do.
    pub(crate) fn counters(&self) -> RecordCounters<'_> {
        let (used, idle) = self.pool.connections();
        RecordCounters { pool: self.pool.counters(), used, idle }
    }

    /// Seconds since 1970 by the record's clock.
    ///
    /// # Errors
    /// If the record does not answer, as everywhere here.
    pub fn now(&self) -> Result<u64, RecordError> {
        self.read(|link| link.now())
    }

    /// Writes a line into the audit log of a project, or of the whole record.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn log(&self, project: Option<u32>, line: &str) -> Result<(), RecordError> {
        self.write(|link| log(link, project.unwrap_or(0), line))
    }

    fn read<T>(
        &self,
        act: impl FnMut(&mut dyn Link) -> Result<T, RecordError>,
    ) -> Result<T, RecordError> {
        self.pool.transact(false, act)
    }

    fn write<T>(
        &self,
        act: impl FnMut(&mut dyn Link) -> Result<T, RecordError>,
    ) -> Result<T, RecordError> {
        self.pool.transact(true, act)
    }
}

/// What the connections of a record do.
pub(crate) struct RecordCounters<'r> {
    pub(crate) pool: &'r PoolCounters,
    /// Connections in use.
    pub(crate) used: usize,
    /// And others.
    pub(crate) idle: usize,
}

fn log(link: &mut dyn Link, project: u32, line: &str) -> Result<(), RecordError> {
    let line = tuple![project, line];
    link.execute("INSERT INTO log (project, batch, made, line) VALUES ($1, 0, {now}, $2)", &line)?;
    Ok(())
}

/// So many of the wanted attempts at a unit are not there yet. The unit's row has to be locked.
fn count_waiting(link: &mut dyn Link, units: &[(u32, u64)]) -> Result<(), RecordError> {
    let units: Vec<_> = units.iter().map(|&(project, unit)| tuple![project, unit]).collect();
    link.execute_of(
        "WITH given (project, number) AS ({rows short int})
         UPDATE units SET waiting = wanted - (
             SELECT count(*) FROM attempts
             WHERE attempts.project = units.project AND attempts.unit = units.number
             AND attempts.state NOT IN (1, 5, 6))
         FROM given WHERE units.project = given.project AND units.number = given.number",
        &units,
    )
}

/// Random bytes for secrets and lots.
fn random<const N: usize>() -> Result<[u8; N], RecordError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| RecordError::NoRandom(error.to_string()))?;
    Ok(bytes)
}
