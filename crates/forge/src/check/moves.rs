//! Moves: which there are, and when there are no more.

use protocols::Point;
use protocols::text::{Command, Reply, Seat};

use crate::talk::{Talk, TalkError};

const HUMANS: [Seat; 2] = [Seat::Human; 2];

/// On boards with more squares than this lists are compared at some moves only.
pub(super) const SMALL: usize = 2_500;
/// At so many of the first and of the last moves.
pub(super) const ENDS: usize = 50;
/// And so often in between.
pub(super) const BETWEEN: usize = 100;

/// Whether lists are compared after so many stones.
fn is_sample(placed: usize, squares: usize) -> bool {
    let step = (squares.saturating_sub(2 * ENDS) / BETWEEN).max(1);
    squares <= SMALL
        || placed <= ENDS
        || placed + ENDS >= squares
        || (placed - ENDS).is_multiple_of(step)
}

pub(super) fn after_every_move(talk: &mut Talk) -> Result<(), TalkError> {
    talk.new_game(HUMANS)?;
    let mut free = talk.referee.empties();
    let squares = free.len();
    talk.compare_moves()?;
    while !talk.referee.is_over() {
        let placed = talk.referee.placed();
        let next = (placed + 1..squares).find(|&placed| is_sample(placed, squares));
        talk.make_some(&mut free, next.unwrap_or(squares) - placed)?;
        talk.compare_moves()?;
    }
    Ok(())
}

/// Until the board is full, or somebody cannot help winning: then nothing can be placed any more.
pub(super) fn all_of_them(talk: &mut Talk) -> Result<(), TalkError> {
    talk.new_game(HUMANS)?;
    let mut free = talk.referee.empties();
    talk.make_some(&mut free, usize::MAX)?;
    talk.compare_moves()?;
    let last = free.first().copied().unwrap_or(Point { x: 0, y: 0 });
    talk.ask(&Command::MakeMove(last), &Reply::InvalidMove)
}

pub(super) fn twice(talk: &mut Talk) -> Result<(), TalkError> {
    talk.new_game(HUMANS)?;
    let free = talk.referee.moves();
    let point = free[free.len() / 2];
    talk.make(point)?;
    talk.ask(&Command::MakeMove(point), &Reply::InvalidMove)?;
    talk.compare_moves()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_boards_are_sampled() {
        assert!((0..=SMALL).all(|placed| is_sample(placed, SMALL)));
        let samples = (0..=62_500).filter(|&placed| is_sample(placed, 62_500)).count();
        assert!((180..=210).contains(&samples), "{samples}");
    }
}
