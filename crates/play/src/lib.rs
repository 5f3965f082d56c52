//! A game under way: who plays, with what limits, what was played and what was thought.
//!
//! [`Session`] is the thin object-safe layer over the rules that command lines, protocols and pages
//! speak to; a [`Player`] chooses moves in one; [`record`] holds whole games and their files.
//!
//! **Invariant:** no search is known here, and nothing opens a file or a connection.

mod algorithm;
mod bot;
mod branching;
mod facts;
pub mod levels;
mod limits;
pub mod numbers;
mod player;
mod player_error;
pub mod record;
mod scores;
mod session;
mod stones;
#[cfg(feature = "testkit")]
pub mod testkit;

pub use algorithm::Algorithm;
pub use bot::{BotSpec, Way, WeightsChoice, algorithm_for, one_of};
pub use branching::random_branching;
pub use facts::Facts;
pub use levels::{Level, Levels, Ratings, Strength};
pub use limits::{Allotment, Clock, Info, InfoLine, Limits, Stop};
pub use player::{Analysis, Choice, Player, Task, Timing, Turn};
pub use player_error::PlayerError;
pub use scores::Scores;
pub use session::{GameSession, Outcome, Session};
pub use stones::{Stones, adjacent_move};
