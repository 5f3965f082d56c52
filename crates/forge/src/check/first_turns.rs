//! Turns: who places how many stones, and who is human.

use protocols::text::{Command, Seat};

use crate::talk::{Talk, TalkError};

/// So many turns are looked at.
pub(super) const TURNS: usize = 5;
/// So many games with the engine are followed,
pub(super) const GAMES: usize = 200;
/// but none is begun after so many stones.
pub(super) const STONES: usize = 20_000;

/// Stones in the first turns.
fn stones(talk: &Talk) -> usize {
    talk.game.q + (TURNS - 1) * talk.game.p
}

pub(super) fn order(talk: &mut Talk) -> Result<(), TalkError> {
    talk.new_game([Seat::Human; 2])?;
    let mut free = talk.referee().empties();
    for _ in 0..stones(talk) {
        talk.ask(&Command::GetPlayer)?;
        talk.ask(&Command::MovesLeft)?;
        let Some(point) = talk.draw(&mut free) else { break };
        talk.make(point)?;
        if talk.referee().is_over() {
            break;
        }
    }
    talk.hear_out()
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
    let stones = stones(talk);
    play_humans(talk, stones)?;
    talk.ask_all()?;
    talk.hear_out()
}

/// The humans' stones at random, while there are no more than so many on the board.
fn play_humans(talk: &mut Talk, most: usize) -> Result<(), TalkError> {
    while !talk.referee().is_over() && talk.referee().placed() < most {
        let mut free = talk.referee().empties();
        let Some(point) = talk.draw(&mut free) else { break };
        talk.make(point)?;
    }
    Ok(())
}

pub(super) fn whole_game_of_engine(talk: &mut Talk) -> Result<(), TalkError> {
    talk.new_game([Seat::Ai, Seat::Ai])?;
    talk.ask_all()?;
    talk.hear_out()
}

/// Many games in all seats to the end: every stone of the engine is free, of the right colour and
/// in its turn.
pub(super) fn many_games(talk: &mut Talk) -> Result<(), TalkError> {
    use Seat::{Ai, Human};
    let mut stones = 0;
    for number in 0..GAMES {
        talk.new_game([[Ai, Ai], [Human, Ai], [Ai, Human]][number % 3])?;
        play_humans(talk, usize::MAX)?;
        talk.ask(&Command::GetPlayer)?;
        talk.ask(&Command::MovesLeft)?;
        talk.ask(&Command::MovesMade)?;
        stones += talk.referee().placed();
        if stones > STONES {
            break;
        }
    }
    talk.hear_out()
}
