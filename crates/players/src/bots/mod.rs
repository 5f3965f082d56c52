//! Players that are compiled for a game, from those that draw their moves to those that search.

mod known;
mod searcher;
mod simple;
mod thinker;
mod timing;
pub(crate) mod weights;

use search::Table;

pub use known::with_strategy;
pub use searcher::{PlaceInGame, Searcher, compiled, compiled_table, compiled_tree};
pub(crate) use simple::Simple;
pub use thinker::SearcherOf;
pub(crate) use thinker::{Thinker, search_position};
pub use weights::{WeightsError, usual};

/// The largest table up to this size, in megabytes, for which there is memory.
#[must_use]
pub fn fitting_hash(megabytes: u32) -> u32 {
    u32::try_from(Table::largest(megabytes as usize)).unwrap_or(megabytes)
}
