//! What plays a game: bots, and games between weights by the thousand.
//!
//! Everything here is generic over an [`Instance`], a playable game with the keys that its searches
//! are compiled with. The crates of the families compile the instances that serve any parameters, a
//! generated engine just its own.

pub mod bots;
pub mod duels;
mod keys;
mod make;

pub use bots::{Searcher, SearcherOf, fitting_hash, usual};
pub use bots::{compiled, compiled_table, compiled_tree, with_strategy};
pub use keys::Instance;
pub use make::{analyse, evaluation, player, time};
