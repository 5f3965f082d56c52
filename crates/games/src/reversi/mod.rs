//! Reversi: even boards from 4x4 to 8x8, rectangles too. Othello is the 8x8 game.
//!
//! Black, written `X`, is the first player. A move places a disc that turns at least one line of the
//! other's discs, between the new disc and another of one's own. Who can place none must pass, and
//! may pass only then; two passes in a row end the game, and so does a full board. The margin is
//! the difference in discs, and squares left empty go to the winner, as tournament rules say.
//!
//! Three layers: [`Board`] (which squares there are, as bits), `moves` (mobility and flips of two
//! words, which know no colours and no rules), and [`Reversi`] (the rules). Text, symmetries and
//! evaluation stand on these.
//!
//! **Invariant:** no square outside the board ever holds a disc. On boards with fewer than eight
//! columns this keeps shifted bits from wrapping into the next row.
//!
//! ```
//! use game::{Game, Notation};
//! use games::reversi::Reversi;
//!
//! let game = Reversi::default();
//! let mut p = game.start();
//! for text in game.split_moves("f5d6c3") {
//!     let m = game.read_move(&p, text)?;
//!     game.make(&mut p, m);
//! }
//! let drawn = game.diagram(&p, None).to_string();
//! let drawn: Vec<&str> = drawn.lines().map(str::trim_end).collect();
//! assert_eq!(drawn, [
//!     "  a  b  c  d  e  f  g  h",
//!     "1 .  .  .  .  .  .  .  .",
//!     "2 .  .  .  .  .  .  .  .",
//!     "3 .  .  X  .  .  .  .  .",
//!     "4 .  .  .  X  X  .  .  .",
//!     "5 .  .  .  O  X  X  .  .",
//!     "6 .  .  .  O  .  .  .  .",
//!     "7 .  .  .  .  .  .  .  .",
//!     "8 .  .  .  .  .  .  .  .",
//! ]);
//! assert!(game.read_move(&p, "a1").is_err());
//! # Ok::<(), game::TextError>(())
//! ```

mod board;
mod digits;
mod ending;
mod evaluation;
mod files;
#[cfg(any(test, not(all(target_feature = "avx2", target_feature = "bmi2"))))]
mod lanes;
mod moves;
mod notation;
mod packed;
mod parameters;
mod playable;
mod position;
#[cfg(feature = "reference")]
pub mod reference;
mod shape;
#[cfg(all(target_feature = "avx2", target_feature = "bmi2"))]
mod simd;
mod symmetry;

pub use board::Board;
pub use evaluation::{Classic, ReversiEvaluation, Shapes, Stable, Stages, TUNED, Weights};
pub use moves::{flips, mobility};
pub use parameters::{FAMILY, Parameters, Start};
pub use position::{Move, Position, Reversi, Undo};
pub use shape::{ConstShape, RunShape, Shape};
