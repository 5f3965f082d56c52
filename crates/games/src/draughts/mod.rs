//! Draughts: checkers and its relatives on 6x6, 8x8 and 10x10, as one set of rules with switches.
//!
//! Pieces stand on the dark squares. Men go one step forward; both sides capture by jumping, and who
//! can capture must. Who cannot move has lost. What else there is to decide are [`Switches`], and a
//! [`Variant`] is a set of them with a name.
//!
//! A capture is one move however many pieces it takes: from, to and the captured pieces. Ways that
//! agree in these are one move.
//!
//! Four layers: [`Size`] (squares as bits), `captures` and `moves` (what a set of pieces can do, under
//! any switches), [`Draughts`] (the rules, with counts and draws), and text. Switches are read through
//! [`Rules`]: with [`English`] or [`Russian`] the compiler knows them all, [`AnyRules`] takes any mix.
//!
//! **Invariant:** no bit that is not a square is ever set, and no man stands on its last row.
//!
//! Who can capture must:
//!
//! ```
//! use game::{Game, Notation, Spec, moves_of};
//! use games::draughts::{AnyRules, Draughts, Parameters};
//!
//! let parameters = Parameters::from_spec(&Spec::parse("draughts:english")?)?;
//! let game = Draughts::<AnyRules>::new(parameters).expect("these rules take any parameters");
//! let mut p = game.start();
//! assert_eq!(game.count(&p), 7);
//! for text in ["11-15", "22-18"] {
//!     let m = game.read_move(&p, text)?;
//!     game.make(&mut p, m);
//! }
//! let legal: Vec<String> =
//!     moves_of(&game, &p).into_iter().map(|m| game.write_move(&p, m)).collect();
//! assert_eq!(legal, ["15x22"]);
//! # Ok::<(), game::TextError>(())
//! ```

mod board;
mod captures;
mod catchers;
mod draws;
mod evaluation;
mod features;
mod fen;
mod files;
mod hub;
mod moves;
mod notation;
mod packed;
mod parameters;
mod playable;
mod position;
mod reader;
#[cfg(feature = "reference")]
pub mod reference;
mod rules;
mod squares;
mod switches;
mod tuned;
mod variant;
mod ways;
mod written;

pub use board::Size;
#[cfg(feature = "reference")]
pub use catchers::Ways;
pub use draws::{Draws, Endings, Reset};
pub use evaluation::{Classic, DraughtsEvaluation, Weighed, Weights, Zones};
pub use features::Sixty;
#[cfg(feature = "reference")]
pub use features::reference as feature_reference;
pub use hub::HubDialect;
pub use parameters::{FAMILY, Parameters};
pub use position::{Colour, Move, Position};
pub use rules::Draughts;
pub use squares::Numbering;
pub use switches::{
    AnyRules, Brazilian, Czech, English, Frisian, International, Italian, Landing, Majority, Named,
    Polish, Pool, Promotion, Rules, Russian, Spanish, Switches,
};
pub use tuned::tuned_weights;
pub use variant::Variant;
pub use written::Written;
