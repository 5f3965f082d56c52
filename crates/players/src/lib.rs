//! What plays a game: bots, and games between weights by the thousand.
//!
//! Everything here is generic over a [`Playable`](games::Playable) game. The crates of the families
//! compile it for any parameters, a generated engine just for its own.

pub mod bots;
pub mod duels;
mod make;

pub use bots::{Searcher, SearcherOf, WeightsError, fitting_hash, usual};
pub use bots::{compiled, compiled_table, compiled_tree, with_strategy};
pub use make::{analyse, evaluation, player, time};
