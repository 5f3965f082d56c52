//! Parameters in, a native engine out.
//!
//! A generated engine is a [`GeneratedProgram`], a type that fixes every parameter and a call, built in a [`Workshop`] from the same
//! sources as everything else. Finished engines are checked and measured from outside.

mod batch;
mod build_error;
mod check;
mod judge;
mod measure;
mod parts;
mod platform;
mod program;
mod referee;
mod replay;
mod sources;
mod talk;
mod transcript;
mod workshop;

pub use batch::{BadLine, LineError, THESIS, read_batch};
pub use build_error::BuildError;
pub use check::{CheckOptions, Checked, RuleVerdict, check_rules, game_of};
pub use measure::{Measured, PlainTimes, Times, measure};
pub use program::GeneratedProgram;
pub use replay::{CheckFailure, replay};
pub use sources::whole_source;
pub use talk::TalkError;
pub use transcript::{Exchange, Transcript, TranscriptError};
pub use workshop::{Flags, Workshop};
