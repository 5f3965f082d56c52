//! Go: boards from 1x1 to 19x19, rectangles too.
//!
//! Black, written `X`, is the first player. A move places a stone on an empty point or passes; stones
//! of the other side left without a liberty are taken off, then those of one's own, where suicide is
//! allowed at all. A ko rule keeps boards from coming back. Two passes in a row end the game, and a
//! pass lifts the ban of the basic ko rule. Margins are in half points.
//!
//! Four layers: [`PointSet`] (sets of points as bits, in words of three widths), `chains` (what is
//! captured, what breathes, what is surrounded; knows no colours and no rules), [`Go`] (the rules), and
//! `scoring`, `playout` and `sensible` (random games with a little sense) on top of it. Text, symmetries and evaluation stand on these.
//!
//! Chains are found afresh by flooding rather than kept from move to move: a flood stops as soon as it
//! meets a liberty, which it nearly always does after a step or two, and a position stays so small
//! that copying it is the cheapest way to try a move.
//!
//! **Invariant:** between two moves every chain has a liberty, and no point outside the board holds
//! a stone.
//!
//! Black takes the stone in the corner, whose last liberty is gone:
//!
//! ```
//! use game::{Game, Notation, Spec};
//! use games::go::{Go, Parameters};
//!
//! let parameters = Parameters::from_spec(&Spec::parse("go:5x5")?)?;
//! let game = Go::<u64>::new(parameters);
//! let mut p = game.start();
//! for text in ["A2", "A1", "B1"] {
//!     let m = game.read_move(&p, text)?;
//!     game.make(&mut p, m);
//! }
//! let board = game.write_position(&p);
//! assert!(board.starts_with("...../...../...../X..../.X... w"), "{board}");
//! # Ok::<(), game::TextError>(())
//! ```

mod chains;
mod choice;
mod features;
mod files;
mod heuristics;
mod manners;
mod notation;
mod packed;
mod parameters;
mod patterns;
mod playable;
mod playout;
mod points;
mod position;
#[cfg(feature = "reference")]
pub mod reference;
mod scoring;
mod sensible;
mod shape;
#[cfg(all(target_feature = "avx2", target_feature = "bmi2"))]
mod simd;
mod stealing;
mod symmetry;

pub use choice::GoEvaluation;
pub use features::StoneFeatures;
pub use heuristics::AreaCount;
pub use parameters::{Dead, FAMILY, Ko, Komi, Parameters, Scoring, Storage, Suicide};
pub use points::{PointSet, Wide};
pub use position::{Go, Move, Position, Undo};
pub use shape::Shape;
