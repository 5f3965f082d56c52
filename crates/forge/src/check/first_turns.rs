//! Turns: who places how many stones, and who is human.

use game::Side;
use protocols::text::{Command, Reply, Seat};

use crate::talk::{Talk, TalkError};

/// So many turns are looked at.
pub(super) const TURNS: usize = 5;

pub(super) fn order(talk: &mut Talk) -> Result<(), TalkError> {
    talk.new_game([Seat::Human; 2])?;
    let mut free = talk.referee.empties();
    let stones = talk.game.q + (TURNS - 1) * talk.game.p;
    for _ in 0..stones {
        let (side, left) = talk.referee.turn();
        talk.ask(&Command::GetPlayer, &Reply::Player(side))?;
        talk.ask(&Command::MovesLeft, &Reply::Number(left as u64))?;
        let Some(point) = talk.draw(&mut free) else { break };
        talk.make(point)?;
        if talk.referee.is_over() {
            break;
        }
    }
    Ok(())
}

pub(super) fn human_human(talk: &mut Talk) -> Result<(), TalkError> {
    turns(talk, [Seat::Human, Seat::Human])
}

pub(super) fn human_engine(talk: &mut Talk) -> Result<(), TalkError> {
    turns(talk, [Seat::Human, Seat::Ai])
}

pub(super) fn engine_human(talk: &mut Talk) -> Result<(), TalkError> {
    turns(talk, [Seat::Ai, Seat::Human])
}

pub(super) fn engine_engine(talk: &mut Talk) -> Result<(), TalkError> {
    turns(talk, [Seat::Ai, Seat::Ai])
}

/// Some turns with these players; what the simple player places touches another stone.
fn turns(talk: &mut Talk, seats: [Seat; 2]) -> Result<(), TalkError> {
    talk.new_game(seats)?;
    let mut placed_before = [false; 2];
    let stones = talk.game.q + (TURNS - 1) * talk.game.p;
    for _ in 0..stones {
        let (side, _) = talk.referee.turn();
        match seats[side.index()] {
            Seat::Human => {
                let mut free = talk.referee.empties();
                let Some(point) = talk.draw(&mut free) else { break };
                talk.make(point)?;
            }
            Seat::Ai => {
                let before = talk.referee.clone();
                let point = talk.hear_stone(side, None)?;
                let must = talk.stays_near && placed_before[side.index()];
                // Where stones fall, or between holes, there may be no such square.
                let could = || before.moves().iter().any(|&point| before.touches(point));
                if must && !before.touches(point) && could() {
                    return Err(TalkError::Said(format!(
                        "expected a stone next to another one, but the engine said {}",
                        Reply::Move(side, point).write()
                    )));
                }
            }
        }
        placed_before[side.index()] = true;
        if talk.referee.is_over() {
            break;
        }
    }
    Ok(())
}

pub(super) fn whole_game_of_engine(talk: &mut Talk) -> Result<(), TalkError> {
    talk.new_game([Seat::Ai, Seat::Ai])?;
    while !talk.referee.is_over() {
        let (side, _): (Side, usize) = talk.referee.turn();
        talk.hear_stone(side, None)?;
    }
    Ok(())
}
