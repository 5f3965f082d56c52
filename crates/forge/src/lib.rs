//! Parameters in, a native engine out.
//!
//! A generated engine is a [`GeneratedProgram`], a type that fixes every parameter and a call, built in a [`Workshop`] from the same
//! sources as everything else. Finished engines are checked and measured from outside.

mod batch;
mod build_error;
mod check;
mod measure;
mod parts;
mod platform;
mod program;
mod referee;
mod sources;
mod talk;
mod workshop;

pub use batch::{BadLine, LineError, THESIS, read_batch};
pub use build_error::BuildError;
pub use check::{Checked, RuleVerdict, check_rules, game_of};
pub use measure::{Measured, PlainTimes, Times, measure};
pub use program::GeneratedProgram;
pub use sources::whole_source;
pub use talk::TalkError;
pub use workshop::{Flags, Workshop};
