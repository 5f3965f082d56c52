//! Plain data between a search and whoever asked for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// When to stop searching. Nothing set means: at the end of the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// After so many plies.
    pub depth: Option<u32>,
    /// After about so many nodes.
    pub nodes: Option<u64>,
    /// After about so long.
    pub time: Option<Duration>,
}

/// A flag that tells a search to stop; copies share it.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Not yet.
    #[must_use]
    pub fn new() -> Stop {
        Stop::default()
    }

    /// Now.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody said so.
    #[inline]
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// How far a search has come.
#[derive(Clone, Debug, PartialEq)]
pub struct Info {
    /// The depth under way; `None` where the search goes to the end of the game.
    pub depth: Option<u32>,
    /// Positions visited so far.
    pub nodes: u64,
    /// Root moves finished at this depth, and how many there are.
    pub root_moves: (usize, usize),
    /// The best move found so far, as text.
    pub best: Option<String>,
}
