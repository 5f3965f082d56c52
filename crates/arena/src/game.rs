//! One game between two players, with a referee who keeps the clocks.

use std::time::{Duration, Instant};

use game::Side;
use play::{Analysis, Choice, Clock, Limits, Outcome, Player, Session, Stop, Task, Turn};

use crate::adjudication::{Adjudication, Watcher};

/// Longer games are called a draw: far longer than any that goes anywhere. Rules end all games, some of
/// them very late.
const LONGEST: usize = 100_000;

/// What both sides play under.
#[derive(Clone, Copy, Debug, Default)]
pub struct GameTerms {
    /// When each side stops thinking, the first player's first; `None` leaves that to the player.
    pub limits: [Option<Limits>; 2],
    /// How far a clock may be overstepped: handing over a move takes time too.
    pub grace: Duration,
    /// When games are ended early.
    pub adjudication: Adjudication,
}

/// A game that has ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    /// Who won; `None` for a draw.
    pub winner: Option<Side>,
    /// Why.
    pub end: End,
    /// What the players thought and how long they took, for every move they made.
    pub thoughts: Vec<MoveThought>,
}

/// What a player thought of its move.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveThought {
    /// How long it took.
    pub time: Duration,
    /// What it had left afterwards, if it has a clock.
    pub left: Option<Duration>,
    /// What it found, if it says.
    pub analysis: Option<Analysis>,
}

/// Why a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The rules say so: the margin is that of the last position, or of a claim.
    Rules(Outcome),
    /// A player broke them, or could not go on: in one line, what it did.
    Forfeit(String),
    /// A player gave up.
    Resigned,
    /// Both players thought that it was decided.
    Adjudicated,
    /// It was too long.
    TooLong,
    /// Somebody said stop.
    Stopped,
}

/// Plays a game from where it is to its end. Each side's player sees the game itself and nothing of the other.
pub fn play(
    session: &mut dyn Session,
    mut players: [&mut dyn Player; 2],
    terms: &GameTerms,
    stop: &Stop,
) -> Finished {
    let clocks = terms.limits.map(|limits| limits.and_then(|limits| limits.clock));
    let watcher = Watcher::new(terms.adjudication);
    let mut referee = Referee { terms, clocks, watcher, thoughts: Vec::new() };
    let (winner, end) = referee.follow(session, &mut players, stop);
    Finished { winner, end, thoughts: referee.thoughts }
}

struct Referee<'t> {
    terms: &'t GameTerms,
    /// What is left of each side's clock.
    clocks: [Option<Clock>; 2],
    watcher: Watcher,
    thoughts: Vec<MoveThought>,
}

impl Referee<'_> {
    fn follow(
        &mut self,
        session: &mut dyn Session,
        players: &mut [&mut dyn Player; 2],
        stop: &Stop,
    ) -> (Option<Side>, End) {
        for _ in 0..LONGEST {
            if let Some(outcome) = session.outcome() {
                return (outcome.winner(), End::Rules(outcome));
            }
            if stop.is_stopped() {
                return (None, End::Stopped);
            }
            let side = session.to_move();
            let start = Instant::now();
            let chosen = players[side.index()].choose(session, &self.task(side), stop, &mut |_| {});
            let time = start.elapsed();
            if stop.is_stopped() {
                return (None, End::Stopped);
            }
            let lost = |what| (Some(side.other()), End::Forfeit(what));
            if let Err(late) = self.press_clock(side, time) {
                return lost(format!("overstepped its time by {:.3} s", late.as_secs_f64()));
            }
            let Choice { turn, analysis } = match chosen {
                Ok(choice) => choice,
                Err(what) => return lost(what.to_string()),
            };
            let value = analysis.as_ref().and_then(|analysis| analysis.value);
            match turn {
                Turn::Play(text) => {
                    if let Err(error) = session.play(&text) {
                        return lost(format!("illegal move {error}"));
                    }
                }
                Turn::Claim if session.claim() => continue,
                Turn::Claim => return lost("claimed what the rules do not allow".to_owned()),
                Turn::Resign => return (Some(side.other()), End::Resigned),
            }
            let left = self.clocks[side.index()].map(|clock| clock.left);
            self.thoughts.push(MoveThought { time, left, analysis });
            if let Some(winner) = self.watcher.see(value)
                && session.outcome().is_none()
            {
                return (winner, End::Adjudicated);
            }
        }
        (None, End::TooLong)
    }

    fn task(&self, side: Side) -> Task {
        let clock = self.clocks[side.index()];
        let limits = self.terms.limits[side.index()].map(|limits| Limits { clock, ..limits });
        Task { limits, other_clock: self.clocks[side.other().index()], ..Task::default() }
    }

    /// Takes the time of a move off the clock of its side, and adds what a move brings.
    ///
    /// # Errors
    /// By how much it was overstepped.
    fn press_clock(&mut self, side: Side, time: Duration) -> Result<(), Duration> {
        let Some(whole) = self.terms.limits[side.index()].and_then(|limits| limits.clock) else {
            return Ok(());
        };
        let Some(clock) = &mut self.clocks[side.index()] else { return Ok(()) };
        if time > clock.left + self.terms.grace {
            return Err(time - clock.left);
        }
        clock.left = clock.left.saturating_sub(time) + clock.increment;
        clock.moves = clock.moves.map(|moves| moves.saturating_sub(1));
        if clock.moves == Some(0) {
            clock.left += whole.left;
            clock.moves = whole.moves;
        }
        Ok(())
    }
}
