//! [`Heuristics`]: all five traits at once; and [`Blind`], which knows nothing.

use game::Game;

use crate::evaluation::Evaluation;
use crate::move_order::MoveOrder;
use crate::playouts::Playouts;
use crate::proofs::Proofs;
use crate::tactics::Tactics;

/// All that any search asks of a game. Nobody implements it: whatever has the five traits has it. A
/// search bounds only what it uses; this is for whoever chooses the search at run time.
pub trait Heuristics<G: Game>:
    Evaluation<G> + MoveOrder<G> + Tactics<G> + Proofs<G> + Playouts<G>
{
}

impl<G: Game, H> Heuristics<G> for H where
    H: Evaluation<G> + MoveOrder<G> + Tactics<G> + Proofs<G> + Playouts<G>
{
}

/// Knows nothing: every unfinished position is even, every move as good as another.
#[derive(Clone, Copy, Debug, Default)]
pub struct Blind;

impl<G: Game> Evaluation<G> for Blind {
    #[inline]
    fn evaluate(&mut self, _game: &G, _p: &G::Position) -> i32 {
        0
    }
}

impl<G: Game> MoveOrder<G> for Blind {}
impl<G: Game> Tactics<G> for Blind {}
impl<G: Game> Proofs<G> for Blind {}
impl<G: Game> Playouts<G> for Blind {}
