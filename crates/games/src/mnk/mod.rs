//! Line games: the whole (m,n,k,p,q) family, from tic-tac-toe over Connect Four to Connect6.
//!
//! On m rows and n columns, k stones of one colour in a row, column or diagonal win. Black moves
//! first and places q stones in the first turn; every later turn has p stones. One stone is one ply,
//! so a turn of several stones is several plies of the same player.
//!
//! The bits of a board, drawn once (row 1, which text writes at the bottom, is row 0 here):
//!
//! ```text
//!   WordBoard (up to 128 squares): one       LineBoard (more squares): each line of each of four
//!   word per colour, no guard bits           directions has words of its own, whose top bit stays 0
//!
//!   3 | 8  9 10 11 |                         rows             a1 b1 c1 d1 0 … 0 | a2 b2 c2 d2 0 … 0
//!   2 | 4  5  6  7 |                         columns          a1 a2 a3 0 … 0 | b1 b2 b3 0 … 0
//!   1 | 0  1  2  3 |                         diagonals        0 0 a3 0 … | 0 a2 b3 0 … | a1 b2 c3 0 …
//!      --a--b--c--d-                         antidiagonals    a1 0 … | b1 a2 0 … | c1 b2 a3 0 …
//!
//!   next square of a row +1, column +n,      next square of any line +1; in columns and diagonals
//!   diagonal +n+1, antidiagonal +n-1         the bit is the row, in rows it is the column
//! ```
//!
//! **Invariant:** the turn follows from the number of stones on the board, and the winner from the
//! stones; positions carry both only so that nobody has to work them out again.
//!
//! ```
//! use game::{Game, Notation, Spec};
//! use games::mnk::{Mnk, Parameters, RunShape, WordBoard};
//!
//! let parameters = Parameters::from_spec(&Spec::parse("mnk:3x3,k=3")?)?;
//! let game = Mnk::<RunShape, WordBoard<u16>>::new(&parameters);
//! let mut p = game.start();
//! for text in ["b2", "a1", "a2", "b1", "c2"] {
//!     assert_eq!(game.margin(&p), None);
//!     let m = game.read_move(&p, text)?;
//!     game.make(&mut p, m);
//! }
//! assert_eq!(game.write_position(&p), ".../xxx/oo. o");
//! assert_eq!(game.margin(&p), Some(1), "three crosses in a row");
//! # Ok::<(), game::TextError>(())
//! ```

mod board;
mod double_threats;
mod features;
mod files;
mod follow_up;
mod heuristics;
mod line_board;
mod line_windows;
mod live_windows;
mod near;
mod notation;
mod packed;
mod pairing;
mod parameters;
mod patterns;
mod playable;
mod position;
#[cfg(feature = "reference")]
pub mod reference;
mod runs;
mod shape;
mod survey;
mod symmetry;
mod threats;
mod turn;
mod weights;
mod windows;
mod winning_sets;
mod word;
mod word_board;

pub use board::Board;
pub use features::Shapes;
pub use heuristics::{LineEvaluation, Lines};
pub use line_board::LineBoard;
pub use parameters::{FAMILY, Parameters, Storage};
pub use position::{Mnk, Position, Stone, Undo};
pub use shape::{ConstShape, RunShape, Shape};
pub use weights::LineWeights;
pub use windows::WindowBoard;
pub use word::Word;
pub use word_board::WordBoard;
