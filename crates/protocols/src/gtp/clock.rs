//! Time as GTP tells it: so much for the game, then so much for every few stones.

use std::time::Duration;

use game::Side;
use play::{Clock, Limits};

use crate::clock::limit;

/// A move where nobody said how long.
const USUAL: Duration = Duration::from_secs(1);
/// What it takes to hand over a move, at most, beside what every clock leaves.
const OVERHEAD: Duration = Duration::from_millis(80);
/// No number of seconds is taken for more.
const LONGEST: f64 = 1e9;

/// What `time_settings` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeSettings {
    /// For the first part of the game.
    pub main: Duration,
    /// After it, for each group of stones.
    pub overtime: Duration,
    /// How many stones make such a group.
    pub stones: u32,
}

impl TimeSettings {
    /// Reads the three arguments, in seconds.
    #[must_use]
    pub fn read(arguments: &[String]) -> Option<TimeSettings> {
        let [main, overtime, stones] = arguments else { return None };
        let stones: u32 = stones.parse().ok()?;
        Some(TimeSettings { main: read_seconds(main)?, overtime: read_seconds(overtime)?, stones })
    }

    /// Whether there is no limit at all: an overtime for no stones, as the protocol says; more than
    /// anybody waits for; or no time, with which nobody can play.
    fn is_endless(self) -> bool {
        let overtime = self.overtime / self.stones.max(1);
        (self.stones == 0 && !self.overtime.is_zero())
            || limit(self.main + overtime).is_none()
            || (self.main.is_zero() && self.overtime.is_zero())
    }

    fn has_overtime(self) -> bool {
        self.stones > 0 && !self.overtime.is_zero()
    }

    fn begin(self) -> Left {
        match self.main.is_zero() && self.has_overtime() {
            true => Left { time: self.overtime, stones: self.stones },
            false => Left { time: self.main, stones: 0 },
        }
    }
}

/// Seconds, whole or not.
#[must_use]
pub(crate) fn read_seconds(text: &str) -> Option<Duration> {
    let seconds = text.parse().ok().filter(|s: &f64| s.is_finite() && *s >= 0.0);
    seconds.and_then(|s| Duration::try_from_secs_f64(s.min(LONGEST)).ok())
}

/// What is left to a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Left {
    time: Duration,
    /// For so many stones; 0 in the first part of the game.
    stones: u32,
}

/// The clocks of a game. They run by themselves where the front does not say what is left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clocks {
    settings: Option<TimeSettings>,
    left: [Option<Left>; 2],
}

impl Clocks {
    /// Both sides begin anew.
    pub fn set(&mut self, settings: TimeSettings) {
        self.settings = Some(settings);
        self.restart();
    }

    /// Another game begins.
    pub fn restart(&mut self) {
        let settings = self.settings.filter(|settings| !settings.is_endless());
        self.left = [settings.map(TimeSettings::begin); 2];
    }

    /// A side has so much left, for so many stones, or for the first part of the game.
    pub fn correct(&mut self, side: Side, time: Duration, stones: u32) {
        self.left[side.index()] = limit(time).map(|time| Left { time, stones });
    }

    /// A side has thought for so long.
    pub fn spend(&mut self, side: Side, spent: Duration) {
        let Some(left) = &mut self.left[side.index()] else { return };
        let settings = self.settings.filter(|settings| settings.has_overtime());
        let over = spent.saturating_sub(left.time);
        left.time = left.time.saturating_sub(spent);
        match (left.stones, settings) {
            (0, Some(TimeSettings { overtime, stones, .. })) if left.time.is_zero() => {
                *left = Left { time: overtime.saturating_sub(over), stones };
            }
            (1, Some(TimeSettings { overtime, stones, .. })) => {
                *left = Left { time: overtime, stones }
            }
            (stones, _) => left.stones = stones.saturating_sub(1).max(stones.min(1)),
        }
    }

    /// What a player of this side is to heed; `None` if nobody said anything and it has limits of its own.
    #[must_use]
    pub fn limits(&self, side: Side, has_own: bool) -> Option<Limits> {
        let Some(left) = self.left[side.index()] else {
            let usual = Limits { time: Some(USUAL), ..Limits::default() };
            return (!has_own).then_some(usual);
        };
        let overtime = self.settings.filter(|s| s.has_overtime() && left.stones == 0);
        let time = left.time + overtime.map_or(Duration::ZERO, |s| s.overtime / s.stones);
        let time = time.saturating_sub(OVERHEAD.min(time / 10));
        let clock = Clock {
            left: time,
            increment: Duration::ZERO,
            moves: Some(left.stones).filter(|&stones| stones > 0),
        };
        Some(Limits { clock: Some(clock), ..Limits::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn settings(text: &str) -> Option<TimeSettings> {
        TimeSettings::read(&text.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    fn clock(clocks: &Clocks) -> Option<(f64, Option<u32>)> {
        let clock = clocks.limits(Side::First, false)?.clock?;
        Some(((clock.left.as_secs_f64() * 10.0).round() / 10.0, clock.moves))
    }

    #[test]
    fn settings_are_read() {
        let read = TimeSettings { main: SECOND * 300, overtime: SECOND * 30, stones: 5 };
        assert_eq!(settings("300 30 5"), Some(read));
        assert!(settings("0 0.5 1").is_some());
        for wrong in ["", "1 2", "1 2 3 4", "-1 0 0", "nan 0 0", "inf 0 0", "1 2 x", "1 2 -1"] {
            assert_eq!(settings(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn without_a_limit_a_move_takes_a_second() {
        let mut clocks = Clocks::default();
        // The largest number of the protocol, and what fronts write that know no limit of it.
        let huge = ["2147483647 0 0", "1e10 0 0", "99999999999999999999 0 0", "0 2147483647 1"];
        for text in huge.into_iter().chain(["0 1 0", "0 0 0", "600 30 0"]) {
            let limits = clocks.limits(Side::First, false).unwrap();
            assert_eq!((limits.time, limits.clock), (Some(USUAL), None), "{text}");
            assert_eq!(clocks.limits(Side::First, true), None);
            clocks.set(settings(text).unwrap());
        }
    }

    #[test]
    fn clocks_run_into_overtime_and_round_it() {
        let mut clocks = Clocks::default();
        clocks.set(settings("10 6 2").unwrap());
        assert_eq!(clock(&clocks), Some((12.9, None)));
        clocks.spend(Side::First, SECOND * 11);
        assert_eq!(clock(&clocks), Some((4.9, Some(2))));
        clocks.spend(Side::First, SECOND);
        assert_eq!(clock(&clocks), Some((3.9, Some(1))));
        clocks.spend(Side::First, SECOND);
        assert_eq!(clock(&clocks), Some((5.9, Some(2))));
        clocks.correct(Side::First, SECOND * 3, 0);
        assert_eq!(clock(&clocks), Some((5.9, None)));
        clocks.restart();
        assert_eq!(clock(&clocks), Some((12.9, None)));
        clocks.set(settings("10 0 0").unwrap());
        clocks.spend(Side::First, SECOND * 11);
        assert_eq!(clock(&clocks), Some((0.0, None)));
    }

    #[test]
    fn a_huge_time_left_is_no_clock() {
        let mut clocks = Clocks::default();
        clocks.set(settings("300 0 0").unwrap());
        clocks.correct(Side::First, read_seconds("1000000000").unwrap(), 0);
        assert_eq!((clock(&clocks), clocks.limits(Side::First, true)), (None, None));
        clocks.correct(Side::First, SECOND * 3, 0);
        assert!(clock(&clocks).is_some());
    }
}
