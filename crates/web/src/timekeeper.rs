//! [`Timekeeper`]: the turns whose time is counted, in all games, also those at which nobody sits.
//! It knows when the next flag falls, and what each turn has taken so far.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;

use crate::time::Time;

/// What a turn in progress has taken is written down so often: what a crash gives back is no more.
pub(crate) const NOTED_EVERY: Duration = Duration::from_secs(1);

/// A turn under a clock that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    /// The version of the game with which it began.
    pub(crate) began: u64,
    /// What its side had then.
    pub(crate) left: Duration,
    /// Whether a machine has to move, whose time only counts while it thinks.
    pub(crate) by_machine: bool,
}

/// What a turn in progress has taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Taken {
    pub(crate) game: String,
    pub(crate) began: u64,
    pub(crate) used: Duration,
}

#[derive(Debug)]
struct Counted {
    turn: Turn,
    used: Duration,
    /// Since when it is counted on, if it is.
    since: Option<Duration>,
    /// What was last written down of it.
    noted: Duration,
}

impl Counted {
    fn used(&self, now: Duration) -> Duration {
        self.used + self.since.map_or(Duration::ZERO, |since| now.saturating_sub(since))
    }

    fn flag_falls(&self) -> Option<Duration> {
        Some(self.since? + self.turn.left.saturating_sub(self.used))
    }

    fn rest(&mut self, now: Duration) {
        (self.used, self.since) = (self.used(now), None);
    }
}

#[derive(Debug)]
pub(crate) struct Timekeeper {
    time: Time,
    turns: Mutex<HashMap<String, Counted>>,
    changed: Notify,
}

impl Timekeeper {
    pub(crate) fn new(time: Time) -> Timekeeper {
        Timekeeper { time, turns: Mutex::default(), changed: Notify::new() }
    }

    pub(crate) fn now(&self) -> Duration {
        self.time.now()
    }

    /// The turn that a game is at, if one is counted. The same one goes on, any other begins;
    /// `used` is what the store knows of one that is taken up again.
    pub(crate) fn follow(&self, game: &str, turn: Option<Turn>, used: Duration) {
        let mut turns = self.turns();
        let Some(turn) = turn else {
            turns.remove(game);
            return;
        };
        let now = self.now();
        let counted = turns.entry(game.to_owned()).or_insert(Counted {
            turn,
            used,
            since: None,
            noted: used,
        });
        if counted.turn.began != turn.began {
            *counted = Counted { turn, used, since: None, noted: used };
        }
        counted.turn = turn;
        match turn.by_machine {
            // Whoever has it think says so.
            true => counted.rest(now),
            false => counted.since = counted.since.or(Some(now)),
        }
        drop(turns);
        self.changed.notify_one();
    }

    /// A machine begins to think about its move.
    pub(crate) fn thinks(&self, game: &str) {
        let now = self.now();
        if let Some(counted) = self.turns().get_mut(game) {
            counted.since = counted.since.or(Some(now));
        }
        self.changed.notify_one();
    }

    /// A machine thinks no more.
    pub(crate) fn rests(&self, game: &str) {
        let now = self.now();
        if let Some(counted) = self.turns().get_mut(game).filter(|one| one.turn.by_machine) {
            counted.rest(now);
        }
    }

    /// What the turn of a game had taken at some moment, and whether it is being counted.
    pub(crate) fn used(&self, game: &str, at: Duration) -> (Duration, bool) {
        let turns = self.turns();
        let counted = turns.get(game);
        counted.map_or((Duration::ZERO, false), |one| (one.used(at), one.since.is_some()))
    }

    /// What a machine's turn has taken, that rests.
    pub(crate) fn resting(&self, game: &str) -> Option<Taken> {
        let turns = self.turns();
        let one = turns.get(game).filter(|one| one.turn.by_machine)?;
        let (began, used) = (one.turn.began, one.used(self.now()));
        Some(Taken { game: game.to_owned(), began, used })
    }

    /// Forgets a machine's turn until somebody looks at the game again. People's turns go on.
    pub(crate) fn forget_machine(&self, game: &str) {
        let mut turns = self.turns();
        if turns.get(game).is_some_and(|one| one.turn.by_machine) {
            turns.remove(game);
        }
    }

    /// The games whose flags have fallen.
    pub(crate) fn fallen(&self) -> Vec<String> {
        let now = self.now();
        let is_over = |one: &Counted| one.flag_falls().is_some_and(|at| at <= now);
        let turns = self.turns();
        turns.iter().filter(|(_, one)| is_over(one)).map(|(game, _)| game.clone()).collect()
    }

    /// What turns have taken since it was last asked for.
    pub(crate) fn to_note(&self) -> Vec<Taken> {
        let now = self.now();
        let mut turns = self.turns();
        let news = turns.iter_mut().filter_map(|(game, one)| {
            let used = one.used(now);
            (used != one.noted).then(|| {
                one.noted = used;
                Taken { game: game.clone(), began: one.turn.began, used }
            })
        });
        news.collect()
    }

    /// Waits until a flag falls, or something is to be written down.
    pub(crate) async fn wait(&self, noted: Duration) {
        loop {
            let next = {
                let turns = self.turns();
                let flag = turns.values().filter_map(Counted::flag_falls).min();
                flag.map(|flag| flag.min(noted + NOTED_EVERY))
            };
            tokio::select! {
                () = self.time.until(next) => return,
                () = self.changed.notified() => {}
            }
        }
    }

    fn turns(&self) -> MutexGuard<'_, HashMap<String, Counted>> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn turn(began: u64, by_machine: bool) -> Option<Turn> {
        Some(Turn { began, left: 10 * SECOND, by_machine })
    }

    #[test]
    fn a_persons_time_runs_from_the_start_of_the_turn() {
        let time = Time::by_hand();
        let keeper = Timekeeper::new(time.clone());
        keeper.follow("a", turn(3, false), Duration::ZERO);
        time.advance(4 * SECOND);
        // An offer leaves the turn what it is.
        keeper.follow("a", turn(3, false), Duration::ZERO);
        assert_eq!(keeper.used("a", keeper.now()), (4 * SECOND, true));
        assert!(keeper.fallen().is_empty());
        time.advance(6 * SECOND);
        assert_eq!(keeper.fallen(), ["a"]);
        keeper.follow("a", turn(5, false), Duration::ZERO);
        assert!(keeper.fallen().is_empty(), "another turn");
        keeper.follow("a", None, Duration::ZERO);
        assert_eq!(keeper.used("a", keeper.now()), (Duration::ZERO, false));
    }

    #[test]
    fn a_machines_time_runs_while_it_thinks() {
        let time = Time::by_hand();
        let keeper = Timekeeper::new(time.clone());
        keeper.follow("a", turn(3, true), 2 * SECOND);
        time.advance(50 * SECOND);
        assert!(keeper.fallen().is_empty(), "it waits in line");
        keeper.thinks("a");
        time.advance(3 * SECOND);
        keeper.rests("a");
        time.advance(50 * SECOND);
        assert_eq!(keeper.used("a", keeper.now()), (5 * SECOND, false));
        let taken = Taken { game: "a".to_owned(), began: 3, used: 5 * SECOND };
        assert_eq!(keeper.resting("a"), Some(taken));
        keeper.forget_machine("a");
        assert_eq!(keeper.resting("a"), None);
        keeper.follow("b", turn(1, false), Duration::ZERO);
        keeper.rests("b");
        keeper.forget_machine("b");
        assert!(keeper.resting("b").is_none() && keeper.used("b", keeper.now()).1, "it goes on");
    }

    #[test]
    fn what_has_changed_is_noted_once() {
        let time = Time::by_hand();
        let keeper = Timekeeper::new(time.clone());
        keeper.follow("a", turn(3, false), 2 * SECOND);
        keeper.follow("b", turn(1, true), Duration::ZERO);
        assert!(keeper.to_note().is_empty());
        time.advance(SECOND);
        let noted = [Taken { game: "a".to_owned(), began: 3, used: 3 * SECOND }];
        assert_eq!(keeper.to_note(), noted);
        assert!(keeper.to_note().is_empty());
    }
}
