//! What a two-player game of perfect information is, and the words everything else speaks.
//!
//! A family of games implements [`Game`] (rules) and [`Notation`] (text), and where it can
//! [`Symmetric`] (board symmetries). Searches are generic over these traits and compiled per game;
//! [`Session`] is the thin object-safe layer for command lines, protocols and pages.
//!
//! **Invariant:** nothing here knows a search, a clock, a thread, a file system or a network, and this crate
//! depends on nothing at all.

mod branching;
mod diagram;
mod end_reason;
pub mod features;
mod grid;
mod heuristics;
mod limits;
mod notation;
mod path;
mod perft;
mod player;
mod points;
pub mod record;
mod rng;
mod rules;
mod scores;
mod session;
mod shown;
mod spec;
mod stones;
mod symmetric;
mod tapered;
#[cfg(feature = "testkit")]
pub mod testkit;
mod text_error;
mod value;
pub mod weights;

pub use branching::{Branching, BranchingAt, Estimate, random_branching};
pub use diagram::{Cell, Diagram, Mark};
pub use end_reason::{Decisive, DrawCount, EndReason};
pub use features::{Features, Linear};
pub use grid::{Grid, RowOne, Square, column_name};
pub use heuristics::{Blind, DOOMED, Finding, Foresight, Heuristics, LEFT_OUT, Margins, TWIN};
pub use limits::{Allotment, Clock, Info, InfoLine, Limits, Stop};
pub use notation::{Dialect, Notation, Usual, moves_of};
pub use path::{Path, Recall, allows};
pub use perft::{Perft, perft};
pub use player::{Analysis, Choice, Player, Task, Timing, Turn};
pub use points::Points;
pub use rng::{Rng, mix};
pub use rules::{Game, MoveSink, Side, random_playout};
pub use scores::Scores;
pub use session::{GameSession, Outcome, Session};
pub use shown::{MOST_SHOWN, escaped, quote, shown};
pub use spec::{Arguments, Family, Parameter, Preset, Spec, Variant};
pub use stones::{Stones, adjacent_move};
pub use symmetric::Symmetric;
pub use tapered::Tapered;
pub use text_error::TextError;
pub use value::{Meaning, Value};
pub use weights::Tunable;
