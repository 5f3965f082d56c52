//! Tuning: the weights of an evaluation found by machine, explained to people, and shown to be stronger by matches.
//!
//! **Invariants:** no game is named here: weights are numbers with names, games are played and positions judged by what the catalog has
//! compiled; with a seed every session repeats itself, however many threads play; what a session has found is on the disk before the next step rests on it.

mod cma;
mod data;
mod error;
pub mod genetic;
mod ground;
mod hall;
mod network;
mod positions;
mod regression;
mod session;
mod spsa;

pub use cma::{Cma, step as cma_step};
pub use data::{Data, DataFile, LabelledGame, Making};
pub use error::TuneError;
pub use ground::Ground;
pub use hall::{Bout, Hall};
pub use network::Network;
pub use positions::{Positions, Split, Target, View, judge_all};
pub use regression::{Fitted, Fitting, fit};
pub use session::TuningSession;
pub use spsa::{Spsa, step as spsa_step};
