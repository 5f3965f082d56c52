//! [`Symmetric`]: boards that can be turned and mirrored without changing the game.

use crate::rules::Game;

/// A game with symmetries, numbered from 0, which is the identity.
///
/// A symmetry takes positions to positions and moves to moves so that everything commutes: the
/// image of a legal move is legal in the image of the position, leads to the image of the result,
/// and nobody's margin changes.
pub trait Symmetric: Game {
    /// How many there are, at least 1.
    fn symmetries(&self) -> usize;

    /// The image of a position.
    fn transform(&self, p: &Self::Position, symmetry: usize) -> Self::Position;

    /// The image of a move.
    fn transform_move(&self, m: Self::Move, symmetry: usize) -> Self::Move;

    /// The key of one chosen image, the same one for all images, and a symmetry that leads to it: by
    /// default that with the smallest key. A search asks this at every node, so an override must not
    /// allocate.
    fn canonical(&self, p: &Self::Position) -> (u64, usize) {
        (0..self.symmetries())
            .map(|s| (self.key(&self.transform(p, s)), s))
            .min()
            .unwrap_or_default()
    }
}
