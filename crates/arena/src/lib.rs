//! Matches and tournaments: who is stronger, and how sure that is; and books of openings.
//!
//! Games come in pairs: both begin with the same opening, drawn at random, with colours swapped, so that
//! neither luck with openings nor the first move decides. What a match draws depends on its seed alone.

mod adjudication;
mod book;
mod check;
mod contest;
mod contestant;
mod game;
mod house;
mod journal;
mod openings;
mod pairs;
mod rating;
mod registry;
mod schedule;
mod score;
mod sprt;
mod table;

pub use adjudication::{Adjudication, Agreement};
pub use book::{Book, BookMove, Booked};
pub use check::{CheckFinding, check};
pub use contest::{Contest, MatchVerdict, PairResult, PlayedGame, PlayedPair, Standing};
pub use contestant::{Contestant, ContestantKind, Foreign, split_words};
pub use game::{End, Finished, GameTerms, MoveThought, play};
pub use house::House;
pub use journal::Journal;
pub use openings::{Openings, opening};
pub use registry::{Registered, Registry, RegistryError, usual_game};
pub use schedule::{Encounter, Format, Meeting};
pub use score::{Elo, Score};
pub use sprt::{Scale, Sprt, SprtDecision, SprtError};
pub use table::{TournamentRow, TournamentTable};
