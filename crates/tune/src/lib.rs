//! Tuning: the weights of an evaluation found by machine, explained to people, and shown to be stronger by matches.
//!
//! **Invariants:** no game is named here: weights are numbers with names, games are played and positions judged by what the catalog has
//! compiled; with a seed every session repeats itself, however many threads play; what a session has found is on the disk before the next step rests on it.

pub mod genetic;
mod hall;
mod priority;
pub mod report;

pub use hall::{Bout, Hall};
pub use priority::Priority;
