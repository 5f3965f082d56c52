//! Solving on many machines. A *record* (SQLite or PostgreSQL) holds projects, units and who is to
//! be believed; *doors* hand units out and take reports in; a *worker* asks at a door.

pub mod boinc;
mod door;
pub mod http;
pub mod metrics;
mod problems;
pub mod project;
pub mod record;
pub mod wire;
pub mod worker;

pub use door::{DoorError, Handed, Refused, Visitor, WorkDoor};
pub use record::{ClusterRecord, ProjectStore, RecordError};
pub use worker::WorkHours;

/// The solver versions of this program by family, of those that have one.
#[must_use]
pub fn solver_versions() -> Vec<(String, solve::message::SolverVersion)> {
    let version = |family: &game::Family| {
        Some((family.name.to_owned(), catalog::solver_version(family.name)?))
    };
    catalog::families().filter_map(version).collect()
}
