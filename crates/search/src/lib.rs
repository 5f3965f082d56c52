//! Game-tree searches, generic over the game.

mod settings;

pub use settings::{Algorithm, Settings, Techniques};
