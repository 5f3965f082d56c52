//! What plays a game: bots, their levels, and the [`Workbench`] that all front ends work with.
//!
//! Everything here is generic over an [`Instance`], a game with the heuristics and keys that its searches are
//! compiled with. `catalog` compiles the instances that serve any parameters, a generated engine just its own.

pub mod bots;
pub mod duels;
mod instances;
mod workbench;

pub use bots::{Bot, Level, Levels, Searcher, SearcherOf, Strength};
pub use bots::{compiled, compiled_table, compiled_tree, usual, with_strategy};
pub use instances::Instance;
pub use workbench::{Perft, Workbench, player, time};
