//! Chess, from the usual start or any of the 960 of Fischer random chess.
//!
//! White is the first player. The rules are FIDE's with its guidelines for Chess960: castling, en
//! passant and any promotion; mate wins and stalemate draws. What looks back is told by
//! [`recall`](game::Game::recall): the threefold repetition and 50 moves without capture or pawn
//! move let the side to move claim a draw; the fivefold, 75 moves and a dead position are one.
//!
//! Three layers: [`Board`] (which piece stands where, in four words), `attacks` and `moves` (what
//! is attacked and what is legal, in sets of squares), and [`Chess`] (the rules). Text and
//! evaluation stand on these.
//!
//! **Invariant:** a position never names a castling rook in vain, and its key knows an en passant
//! square only where a capture is legal: positions that the rules call the same have the same key.

mod attacks;
mod board;
mod evaluation;
mod exchange;
mod fen;
mod files;
mod forcing;
mod groups;
#[cfg(any(test, not(target_feature = "bmi2")))]
mod lines;
mod moves;
mod notation;
mod parameters;
mod playable;
mod position;
mod recall;
#[cfg(feature = "reference")]
pub mod reference;
mod san;
#[cfg(target_feature = "bmi2")]
mod simd;
mod why;

pub use board::{Board, Kind};
pub use evaluation::{ChessEvaluation, Classic, Pieces, TUNED, Weights};
pub use parameters::{FAMILY, FISCHER_STARTS, Parameters};
pub use position::{Chess, Move, Position, Special};
pub use san::San;
