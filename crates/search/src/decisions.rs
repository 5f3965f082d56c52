//! [`Decisions`]: what players have found best, shared by all the games they play.
//!
//! Players who meet many others come to the same positions again and again: always in the opening,
//! often later where opponents are alike. What a search of fixed depth finds there is the same
//! every time, so it need be found only once.
//!
//! **Threads** share them without locks: a place is two words, and one that two threads wrote at
//! once matches no key, as in the transposition table.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::platform;

/// A power of two, enough for two generations of some fifty players who all meet: of 16 bytes each.
const PLACES: usize = 1 << 19;

/// The best moves of positions, by position and player. The newest are kept.
#[derive(Debug)]
pub struct Decisions {
    words: Box<[AtomicU64]>,
}

impl Decisions {
    /// None yet.
    #[must_use]
    pub fn new() -> Decisions {
        Decisions { words: platform::zeroed_words(2 * PLACES) }
    }

    /// A bit for each of the best moves, by their places in the list of moves.
    #[inline]
    pub(crate) fn look_up(&self, key: u64) -> Option<u64> {
        let [check, best] = self.place(key);
        let best = best.load(Relaxed);
        (best != 0 && check.load(Relaxed) ^ best == key).then_some(best)
    }

    #[inline]
    pub(crate) fn remember(&self, key: u64, best: u64) {
        let [check, kept] = self.place(key);
        check.store(key ^ best, Relaxed);
        kept.store(best, Relaxed);
    }

    #[inline]
    fn place(&self, key: u64) -> [&AtomicU64; 2] {
        let at = key as usize % PLACES * 2;
        [&self.words[at], &self.words[at + 1]]
    }
}

impl Default for Decisions {
    fn default() -> Decisions {
        Decisions::new()
    }
}
