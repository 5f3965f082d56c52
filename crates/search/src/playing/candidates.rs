//! Which moves a search looks at, for whoever chooses among them afterwards.

use evaluation::{Proofs, Tactics};
use game::{Game, moves_of};

use super::memory::Lately;
use super::picker::Place;
use crate::worker::Worker;

impl<G: Game, H: Tactics<G> + Proofs<G>> Worker<'_, G, H> {
    /// The moves of the current position that are worth a look, as they are generated.
    pub(crate) fn candidates(&mut self) -> Vec<G::Move> {
        let mut moves = self.play.picker.open(self.game, &self.p, |_, _| false);
        let place = Place { ply: 0, lately: Lately::default() };
        let mut picked = Vec::with_capacity(moves.len());
        while let Some(next) = self.pick(&mut moves, place) {
            picked.push(next.m);
        }
        self.play.picker.close(&moves);
        let mut listed = moves_of(self.game, &self.p);
        if moves.are_incomplete() {
            listed.retain(|m| picked.contains(m));
        }
        listed
    }
}
