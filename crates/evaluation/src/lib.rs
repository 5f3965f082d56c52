//! What an engine believes about a game, kept apart from its rules.
//!
//! [`Heuristics`] is what searches ask; [`features`] and [`weights`] are how evaluations count and
//! how their numbers are named, stored and tuned.
//!
//! **Invariant:** nothing here searches, and this crate depends on the rules' vocabulary alone.

pub mod features;
mod heuristics;
mod tapered;
#[cfg(feature = "testkit")]
pub mod testkit;
pub mod weights;

pub use features::{Features, Linear};
pub use heuristics::{Blind, DOOMED, Finding, Foresight, Heuristics, LEFT_OUT, Margins, TWIN};
pub use tapered::Tapered;
pub use weights::Tunable;
