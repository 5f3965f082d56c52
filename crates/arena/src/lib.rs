//! Matches: who is stronger, and how sure that is.
//!
//! Games come in pairs: both begin with the same opening, drawn at random, with colours swapped, so that
//! neither luck with openings nor the first move decides. What a match draws depends on its seed alone.

mod adjudication;
mod contest;
mod contestant;
mod game;
mod house;
mod journal;
mod openings;
mod score;

pub use adjudication::{Adjudication, Agreement};
pub use contest::{Contest, PairResult, PlayedGame, PlayedPair, Standing, Verdict};
pub use contestant::{Contestant, Foreign, limits_of, split_words};
pub use game::{End, Finished, Terms, Thought, play};
pub use house::House;
pub use journal::Journal;
pub use openings::{Openings, opening, usual_plies};
pub use score::{Elo, Score};
