//! Projects at work: their plans, whoever drives their coordinators, and the machine of the project
//! itself.

mod auditing;
mod conductor;
mod generate;
mod jobs;
mod own;
mod plan;
mod progress;
mod walk;

pub use conductor::{ConductError, Conducted, Conductor, ConductorNote};
pub use generate::{GenerateError, Generation, Stored};
pub use jobs::{ROOT_FILE, RecordLemmas};
pub use own::work_here;
pub use plan::ProjectPlan;
pub use progress::ProjectProgress;
pub use walk::{TreeWalk, WalkCounts, WalkedNode};
