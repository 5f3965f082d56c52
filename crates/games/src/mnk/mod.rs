//! Line games.
