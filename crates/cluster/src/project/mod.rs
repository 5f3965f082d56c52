//! Projects at work: their plans, whoever drives their coordinators, and the machine of the project
//! itself.

mod conductor;
mod jobs;
mod own;
mod plan;

pub use conductor::{ConductError, Conducted, Conductor};
pub use jobs::{ROOT_FILE, RecordLemmas};
pub use own::work_here;
pub use plan::ProjectPlan;
