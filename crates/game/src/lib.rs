//! What a two-player game of perfect information is, and the words everything else speaks.
//!
//! A family of games implements [`Game`] (rules with their symmetries) and [`Notation`] (text), and
//! [`WinningSets`] for proofs. Searches are generic over these traits and compiled per game.
//!
//! **Invariant:** nothing here knows a search, a clock, a thread, a file system or a network, and this crate
//! depends on nothing at all.

mod arguments;
mod diagram;
mod end_reason;
mod family;
mod grid;
mod look;
mod margin_step;
mod notation;
mod packing;
mod path;
mod perft;
mod points;
mod position_name;
mod ranked;
mod rng;
mod rules;
mod shown;
mod spec;
mod specialised;
#[cfg(feature = "testkit")]
pub mod testkit;
mod text_error;
mod value;
mod winning_sets;

pub use arguments::Arguments;
pub use diagram::{Cell, Diagram, Mark};
pub use end_reason::{Decisive, DrawCount, EndReason};
pub use family::{
    BoardSizes, Family, FamilyVariant, Keyword, Omitted, Parameter, ParameterKind, Preset, keywords,
};
pub use grid::{Grid, RowOne, Square, column_name};
pub use look::{BoardStyle, Look, PieceSet, Tint};
pub use margin_step::MarginStep;
pub use notation::{Dialect, Notation, Usual, moves_of};
pub use packing::{Packer, Unpacker, read_unpacked};
pub use path::{Path, Recall, allows};
pub use perft::{Perft, perft};
pub use points::Points;
pub use position_name::PositionName;
pub use ranked::sort_by_rank;
pub use rng::{Rng, mix};
pub use rules::{Game, MoveSink, Side, random_playout};
pub use shown::{MOST_SHOWN, escaped, quote, shown};
pub use spec::Spec;
pub use specialised::Specialised;
pub use text_error::{Expected, TextError};
pub use value::{Meaning, Value};
pub use winning_sets::WinningSets;
