//! The rules of each family of games: one folder per family, in each `position`, `moves`,
//! `notation` and `heuristics`, or `evaluation` where that takes several files.
//!
//! **Invariant:** a family never imports another one; shared board arithmetic lives in `game`.

pub mod chess;
pub mod draughts;
pub mod go;
pub mod mnk;
pub mod reversi;
