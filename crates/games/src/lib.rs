//! The rules of each family of games: one folder per family, in each `position`, `moves`,
//! `notation` and `heuristics`, or `evaluation` where that takes several files.
//!
//! What players, solvers and fronts have to know of a game beside its rules, each family says in
//! `playable`: see [`Playable`].
//!
//! **Invariant:** a family never imports another one; shared board arithmetic lives in `game`.

pub mod chess;
pub mod draughts;
pub mod go;
pub mod mnk;
mod playable;
pub mod reversi;

pub use playable::{Playable, Tuned, facts_of, scores_of};
