//! Plain data between a search and whoever asked for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::value::Value;

/// When to stop searching. Nothing set means: at the end of the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// After so many plies.
    pub depth: Option<u32>,
    /// After about so many nodes.
    pub nodes: Option<u64>,
    /// After about so long.
    pub time: Option<Duration>,
    /// In time for the moves that are still to come.
    pub clock: Option<Clock>,
}

impl Limits {
    /// How long to search if nothing special happens.
    #[must_use]
    pub fn usual_time(&self) -> Option<Duration> {
        let allotted = self.clock.map(|clock| clock.allotment().usual);
        self.time.into_iter().chain(allotted).min()
    }
}

/// What is left of the time for a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// For all moves still to come.
    pub left: Duration,
    /// What each move adds.
    pub increment: Duration,
    /// How many moves the time left is for; `None` for the rest of the game.
    pub moves: Option<u32>,
}

/// What a move may take of a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allotment {
    /// After it nothing new is begun.
    pub usual: Duration,
    /// After it everything is dropped.
    pub most: Duration,
}

impl Clock {
    /// A share of the time left, and most of the increment; never so much that the flag would fall.
    #[must_use]
    pub fn allotment(&self) -> Allotment {
        /// How many moves a game is taken to last from any moment on.
        const MOVES: u32 = 25;
        /// What it takes to hand over a move.
        const OVERHEAD: Duration = Duration::from_millis(20);
        let moves = self.moves.unwrap_or(MOVES).clamp(1, MOVES);
        let least = Duration::from_millis(1);
        let safe = self.left.saturating_sub(OVERHEAD).max(least);
        let share = safe / moves + self.increment * 3 / 4;
        let reserve = if moves == 1 { safe } else { safe * 2 / 5 };
        Allotment { usual: share.min(reserve), most: (share * 3).min(reserve) }
    }
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
    /// The depth under way, or the one that was just finished; `None` where the search goes to the end of
    /// the game.
    pub depth: Option<u32>,
    /// The longest line looked at so far, in plies.
    pub selective_depth: u32,
    /// Positions visited so far.
    pub nodes: u64,
    /// Since the search began.
    pub elapsed: Duration,
    /// How much of the table is in use, in thousandths.
    pub table_per_mille: u32,
    /// Root moves finished at this depth, and how many there are.
    pub root_moves: (usize, usize),
    /// The best move found so far, as text.
    pub best: Option<String>,
    /// The best lines, if a depth was just finished; else none.
    pub lines: Vec<InfoLine>,
}

/// A line of play that a search thinks of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InfoLine {
    /// What it is worth to the **first player**.
    pub value: Value,
    /// Its moves.
    pub moves: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_never_run_out() {
        let seconds = Duration::from_secs_f64;
        for (left, increment, moves) in [
            (300.0, 0.0, None),
            (300.0, 3.0, None),
            (1.0, 0.0, Some(1)),
            (0.05, 10.0, None),
            (0.001, 0.0, Some(40)),
            (60.0, 0.0, Some(2)),
        ] {
            let clock = Clock { left: seconds(left), increment: seconds(increment), moves };
            let Allotment { usual, most } = clock.allotment();
            assert!(Duration::ZERO < usual && usual <= most, "{clock:?}");
            assert!(most <= clock.left, "{clock:?}");
        }
    }

    /// Whoever uses no more than the usual share never loses on time, however long the game.
    #[test]
    fn shares_last_for_hundreds_of_moves() {
        let increment = Duration::from_millis(100);
        let mut clock = Clock { left: Duration::from_secs(10), increment, moves: None };
        for _ in 0..500 {
            clock.left = clock.left - clock.allotment().most + increment;
            assert!(clock.left >= increment / 2, "{clock:?}");
        }
    }
}
