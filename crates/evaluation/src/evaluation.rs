//! [`Evaluation`]: what an unfinished position is worth.

use game::Game;

/// A static evaluation of positions. One value belongs to one search thread and may carry state
/// that follows the moves (an incremental evaluation); each thread of a search has a copy.
///
/// The other traits of this crate are about the same value, so that they can use that state.
pub trait Evaluation<G: Game>: Clone + Send {
    /// A search begins at this position: builds the incremental state, if there is any. An
    /// evaluation may see all that follows from the side that moves here.
    fn begin(&mut self, _game: &G, _p: &G::Position) {}

    /// A move was made and led to `p`.
    #[inline]
    fn pushed(&mut self, _game: &G, _p: &G::Position, _m: G::Move) {}

    /// A move was unmade, back to `p`.
    #[inline]
    fn popped(&mut self, _game: &G, _p: &G::Position, _m: G::Move) {}

    /// The worth of an unfinished position for the **side to move**; kept to the score band.
    fn evaluate(&mut self, game: &G, p: &G::Position) -> i32;

    /// What a score says to a proof about the margin: the margin that it expects, or a small number
    /// that grows with it where games are only won or lost. Nothing where it would mislead: mates
    /// begin with what an evaluation calls a loss.
    fn outlook(&self, _score: i32) -> Option<i32> {
        None
    }
}
