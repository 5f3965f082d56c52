//! Which moves a search looks at, for whoever chooses among them afterwards.

use evaluation::{Proofs, Tactics};
use game::{Game, moves_of};

use super::Playing;
use super::memory::PreviousMoves;
use super::picker::OrderingPlace;

impl<G: Game, H: Tactics<G> + Proofs<G>> Playing<'_, G, H> {
    /// The moves of the current position that are worth a look, as they are generated.
    pub(super) fn moves_worth_a_look(&mut self) -> Vec<G::Move> {
        let mut moves = self.picker.open(self.cx.line.game, &self.cx.line.p, |_, _| false);
        let place = OrderingPlace { ply: 0, previous: PreviousMoves::default() };
        let mut picked = Vec::with_capacity(moves.len());
        while let Some(next) = self.pick(&mut moves, place) {
            picked.push(next.m);
        }
        self.picker.close(&moves);
        let mut listed = moves_of(self.cx.line.game, &self.cx.line.p);
        if moves.are_incomplete() {
            listed.retain(|m| picked.contains(m));
        }
        listed
    }
}
