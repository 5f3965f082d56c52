//! What an engine believes about a game, kept apart from its rules.
//!
//! Five small traits are what searches ask, each with defaults: [`Evaluation`] says what a position
//! is worth, [`MoveOrder`] which moves to try first, [`Tactics`] what the playing search may
//! extend, reduce or leave out, [`Proofs`] what is certain without a search, [`Playouts`] how a
//! sensible random game goes. A game has one type that implements them. [`features`] and
//! [`weights`] are how evaluations count and how their numbers are named, stored and tuned.
//!
//! **Invariant:** nothing here searches, and this crate depends on the rules' vocabulary alone.

mod evaluation;
pub mod features;
mod heuristics;
mod move_order;
mod playouts;
mod proofs;
mod tactics;
mod tapered;
#[cfg(feature = "testkit")]
pub mod testkit;
pub mod weights;

pub use evaluation::Evaluation;
pub use features::{Features, Linear};
pub use heuristics::{Blind, Heuristics};
pub use move_order::{DOOMED, LEFT_OUT, MoveOrder};
pub use playouts::{Playouts, TWIN};
pub use proofs::{Examination, Foresight, Proofs, examine_by_rank};
pub use tactics::{Margins, Tactics};
pub use tapered::Tapered;
pub use weights::Tunable;
