//! [`MoveOrder`]: which moves a search tries first.

use game::Game;

use crate::evaluation::Evaluation;

/// The rank of a move that loses in two plies.
pub const DOOMED: i32 = i32::MIN;

/// The rank of a move that the playing search need not look at as long as there are others.
pub const LEFT_OUT: i32 = i32::MIN + 1;

/// A game's own order of moves, before a search has learnt anything.
pub trait MoveOrder<G: Game>: Evaluation<G> {
    /// How promising each move looks, higher first. All start at 0; all in one call, so that the
    /// position is looked at once. Keep within ±1,000,000, where a difference above 100 outdoes
    /// whatever a search has learnt. A move after which the opponent surely wins with the next one,
    /// in a game that is just won or lost, may be [`DOOMED`]; one that is hardly worth a look
    /// [`LEFT_OUT`], for the playing search only: others try it last.
    #[inline]
    fn rank(&mut self, _game: &G, _p: &G::Position, _moves: &[G::Move], _promise: &mut [i32]) {}

    /// How many different [counter-move keys](MoveOrder::counter_move_key) there are, or 0: then a
    /// search does not remember which move is a good answer to which, for which it needs a number
    /// for each pair. Where there are few [slots](Game::slots), keys are slots and sides.
    #[inline]
    fn counter_move_keys(&self, game: &G) -> usize {
        const FEW: usize = 128;
        if game.slots() <= FEW { 2 * game.slots() } else { 0 }
    }

    /// What matters of a move to whoever answers it: who goes where. Below
    /// [`counter_move_keys`](MoveOrder::counter_move_keys).
    #[inline]
    fn counter_move_key(&mut self, game: &G, p: &G::Position, m: G::Move) -> usize {
        2 * game.slot(m) + game.to_move(p).index()
    }
}
