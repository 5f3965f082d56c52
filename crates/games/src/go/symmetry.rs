//! Turning and mirroring boards.

use game::Symmetric;

use super::points::Points;
use super::position::{Go, Move, NO_KO, Position};

impl<S: Points> Symmetric for Go<S> {
    fn symmetries(&self) -> usize {
        self.parameters().size().symmetries()
    }

    #[inline]
    fn transform(&self, p: &Position<S>, symmetry: usize) -> Position<S> {
        debug_assert!(symmetry < self.symmetries());
        let grid = self.parameters().size();
        let image = |set: S| set.transformed(grid, symmetry);
        let ko = p.ko().map_or(NO_KO, |bit| image(S::single(bit)).lowest() as u16);
        Position { own: image(p.own), other: image(p.other), ko, ..*p }
    }

    fn transform_move(&self, m: Move, symmetry: usize) -> Move {
        let image = |square| self.move_at(self.parameters().size().transform(square, symmetry));
        self.square(m).map_or(m, image)
    }
}
