//! A game under way: who plays, with what limits, what was played and what was thought.
//!
//! [`Session`] is the thin object-safe layer over the rules that command lines, protocols and pages
//! speak to; a [`Player`] chooses moves in one; [`record`] holds whole games and their files.
//!
//! **Invariant:** no search is known here, and nothing opens a file or a connection.

mod branching;
mod limits;
mod player;
pub mod record;
mod scores;
mod session;
mod stones;
#[cfg(feature = "testkit")]
pub mod testkit;

pub use branching::{Branching, BranchingAt, Estimate, random_branching};
pub use limits::{Allotment, Clock, Info, InfoLine, Limits, Stop};
pub use player::{Analysis, Choice, Player, Task, Timing, Turn};
pub use scores::Scores;
pub use session::{GameSession, Outcome, Session};
pub use stones::{Stones, adjacent_move};
