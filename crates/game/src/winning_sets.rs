//! [`WinningSets`]: what a side still has to do to win, in games where that can be listed.

use crate::rules::{Game, Side};

/// For proofs that one side does not win, because the other one can answer in time wherever it
/// tries.
pub trait WinningSets: Game {
    /// Sets of moves, by their [codes](Game::code), of which a side still has to make all of one to
    /// win.
    ///
    /// For games that are just won or lost, in which the sides take turns with one move each, every
    /// move takes a square that neither side can use again, all free squares are open to both, and
    /// nobody wins but by such a set; `None` for all others.
    fn winning_sets(&self, _p: &Self::Position, _side: Side) -> Option<Vec<Vec<u32>>> {
        None
    }
}
