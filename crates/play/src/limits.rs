//! Plain data between a search and whoever asked for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::scores::Scores;
use game::Value;

/// When to stop searching. Nothing set means: at the end of the game.
///
/// ```
/// use std::time::Duration;
///
/// use play::{Clock, Limits};
///
/// // A minute for the game and half a second more for each move: not all of it is for this one.
/// let clock = Clock { left: Duration::from_secs(60), increment: Duration::from_millis(500), moves: None };
/// let limits = Limits { clock: Some(clock), depth: Some(20), ..Limits::default() };
/// let usual = limits.usual_time().expect("there is a clock");
/// assert!(usual > Duration::from_secs(1) && usual < Duration::from_secs(5));
/// ```
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

    /// What is left of the limits for a search that begins so much later than it was asked for.
    #[must_use]
    pub fn after(self, delay: Duration) -> Limits {
        let clock =
            self.clock.map(|clock| Clock { left: clock.left.saturating_sub(delay), ..clock });
        Limits { time: self.time.map(|time| time.saturating_sub(delay)), clock, ..self }
    }

    /// These limits for a player that may look no further than another's depth and nodes allow.
    #[must_use]
    pub fn at_most(self, most: &Limits) -> Limits {
        Limits {
            depth: self.depth.into_iter().chain(most.depth).min(),
            nodes: self.nodes.into_iter().chain(most.nodes).min(),
            ..self
        }
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
    /// Some time is kept back for a machine that has other things to do just when a move is due,
    /// and while there is little more than that, less than the increment is spent, so that it comes
    /// back.
    #[must_use]
    pub fn allotment(&self) -> Allotment {
        /// How many moves a game is taken to last from any moment on.
        const MOVES: u32 = 25;
        /// What it takes to hand over a move.
        const OVERHEAD: Duration = Duration::from_millis(20);
        /// How long a busy machine may forget a program.
        const RESERVE: Duration = Duration::from_millis(500);
        /// Nobody waits longer for a move, whatever a clock says.
        const LONGEST: Duration = Duration::from_secs(300);
        const LEAST: Duration = Duration::from_millis(1);
        let moves = self.moves.unwrap_or(MOVES).clamp(1, MOVES);
        // After the last move of a period the clock is filled up again.
        let reserve = RESERVE.min(if moves == 1 { self.left / 4 } else { self.left / 4 * 3 });
        let spare = self.left.saturating_sub(OVERHEAD + reserve);
        let sixteenths = match self.left {
            left if left > 2 * RESERVE => 12,
            left if left > RESERVE => 8,
            left if left > RESERVE / 2 => 4,
            _ => 1,
        };
        let share = (spare / moves).saturating_add(self.increment / 16 * sixteenths).max(LEAST);
        let bound = if moves == 1 { spare } else { spare / 5 * 2 };
        let bound = bound.max(self.left / 16).max(LEAST);
        Allotment {
            usual: share.min(bound).min(LONGEST),
            most: share.saturating_mul(3).min(bound).min(3 * LONGEST),
        }
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

/// How far a search has come. Inside a search moves are those of the game and values those of the side
/// to move at the root; whoever shows them writes moves as text, and values as the **first player's**.
#[derive(Clone, Debug, PartialEq)]
pub struct Info<M = String> {
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
    /// The best move found so far.
    pub best: Option<M>,
    /// The best lines, if a depth was just finished; else none.
    pub lines: Vec<InfoLine<M>>,
    /// How values that are scores are to be read, if that is known.
    pub scores: Option<Scores>,
}

/// A line of play that a search thinks of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InfoLine<M = String> {
    /// What it is worth, seen as [`Info`] says.
    pub value: Value,
    /// The move to play first.
    pub moves: Vec<M>,
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
            (1.0, 0.01, None),
            (0.3, 0.01, None),
            (0.1, 0.01, None),
            (1e9, 1e9, None),
            (1.8e19, 1.8e19, Some(1)),
        ] {
            let clock = Clock { left: seconds(left), increment: seconds(increment), moves };
            let Allotment { usual, most } = clock.allotment();
            assert!(Duration::ZERO < usual && usual <= most, "{clock:?}");
            assert!(most <= clock.left, "{clock:?}");
        }
        let most = Clock { left: Duration::MAX, increment: Duration::MAX, moves: None }.allotment();
        assert_eq!((most.usual, most.most), (seconds(300.0), seconds(900.0)));
    }

    /// A second and a hundredth a move on a machine that takes a little longer for every move, and
    /// now and then much longer: no flag falls.
    #[test]
    fn a_busy_machine_costs_no_game() {
        let millis = Duration::from_millis;
        for (lag, stall) in [(1, 100), (4, 150), (5, 200), (0, 250)] {
            let mut clock = Clock { left: millis(1000), increment: millis(10), moves: None };
            for number in 1..=300 {
                let late = millis(if number % 60 == 59 { stall } else { lag });
                // Most moves take what is usual.
                let Allotment { usual, most } = clock.allotment();
                let spent = late + if number % 10 == 0 { most } else { usual };
                assert!(spent < clock.left, "lag {lag}, stall {stall}, move {number}: {clock:?}");
                clock.left = clock.left - spent + clock.increment;
            }
        }
    }

    #[test]
    fn a_late_beginning_is_counted() {
        let millis = Duration::from_millis;
        let clock = Clock { left: millis(50), increment: millis(7), moves: Some(3) };
        let limits = Limits { time: Some(millis(10)), clock: Some(clock), ..Limits::default() };
        let after = limits.after(millis(20));
        assert_eq!(after.time, Some(Duration::ZERO));
        assert_eq!(after.clock, Some(Clock { left: millis(30), ..clock }));
        assert_eq!(Limits::default().after(millis(20)), Limits::default());
    }

    #[test]
    fn the_narrower_of_depths_and_nodes_counts() {
        let of = |depth, nodes| Limits { depth, nodes, ..Limits::default() };
        let time = Some(Duration::from_secs(1));
        assert_eq!(of(None, Some(9)).at_most(&of(Some(3), Some(7))), of(Some(3), Some(7)));
        assert_eq!(of(Some(2), None).at_most(&of(Some(3), None)), of(Some(2), None));
        assert_eq!(of(None, None).at_most(&Limits { time, ..of(None, None) }), of(None, None));
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
