//! Solving on many machines. A *record* (SQLite or PostgreSQL) holds projects, units and who is to
//! be believed; *doors* hand units out and take reports in; a *worker* asks at a door.

mod door;
pub mod http;
mod problems;
pub mod wire;
pub mod worker;

pub use door::{DoorError, Handed, Refused, Visitor, WorkDoor};
