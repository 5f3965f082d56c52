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
//!
//! Mate on the back rank, read from FEN, played in UCI's words and written in those of PGN:
//!
//! ```
//! use game::{Dialect, Game, Notation, moves_of};
//! use games::chess::{Chess, San};
//!
//! let game = Chess::default();
//! let mut p = game.read_position("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")?;
//! let m = game.read_move(&p, "a1a8")?;
//! assert_eq!(San::write_move(&game, &p, m), "Ra8#");
//!
//! game.make(&mut p, m);
//! assert!(moves_of(&game, &p).is_empty());
//! assert_eq!(game.stuck(&p), 1, "White, the first player, has won");
//! # Ok::<(), game::TextError>(())
//! ```

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
mod packed;
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
