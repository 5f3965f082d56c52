//! One game between two players, with a referee.

use catalog::Workbench;
use game::{Choice, Outcome, Player, Side, Stop, Task, Turn};

/// Longer games are called a draw: far longer than any that goes anywhere. Rules end all games, some of
/// them very late.
const LONGEST: usize = 100_000;

/// A game that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// Who won; `None` for a draw.
    pub winner: Option<Side>,
    /// Why.
    pub end: End,
}

/// Why a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// By the rules.
    Rules(Outcome),
    /// A player broke them, or could not go on: in one line, what it did.
    Forfeit(String),
    /// It was too long.
    TooLong,
    /// Somebody said stop.
    Stopped,
}

/// Plays a game from where it is to its end. Each side's player sees the game itself and nothing of the other.
pub fn play(
    bench: &mut dyn Workbench,
    players: &mut [Box<dyn Player>; 2],
    stop: &Stop,
) -> Finished {
    for _ in 0..LONGEST {
        if let Some(outcome) = bench.outcome() {
            return Finished { winner: outcome.winner(), end: End::Rules(outcome) };
        }
        if stop.is_stopped() {
            return Finished { winner: None, end: End::Stopped };
        }
        let side = bench.to_move();
        let chosen = players[side.index()].choose(bench, &Task::default(), stop, &mut |_| {});
        if let Err(what) = chosen.and_then(|choice| take(bench, &choice)) {
            return Finished { winner: Some(side.other()), end: End::Forfeit(what) };
        }
    }
    Finished { winner: None, end: End::TooLong }
}

/// Does what a player chose; an error if the rules do not allow it.
fn take(bench: &mut dyn Workbench, choice: &Choice) -> Result<(), String> {
    match &choice.turn {
        Turn::Play(text) => bench.play(text).map(drop).map_err(|e| format!("illegal move {e}")),
        Turn::Claim if bench.claim() => Ok(()),
        Turn::Claim => Err("claimed what the rules do not allow".to_owned()),
        Turn::Resign => Err("gave up".to_owned()),
    }
}
