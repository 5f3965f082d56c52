//! Solving on many machines. A *record* (SQLite or PostgreSQL) holds projects, units and who is to
//! be believed; *doors* hand units out and take reports in; a *worker* asks at a door.

mod door;
pub mod record;

pub use door::{DoorError, Handed, Refused, Visitor, WorkDoor};
pub use record::{ClusterRecord, ProjectStore, RecordError};
