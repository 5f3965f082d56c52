//! How positions are named in the table: plainly, or one name for all mirror images.

use game::{Game, Symmetric};

/// Names positions and moves for the transposition table.
pub trait Keys<G: Game>: Copy + Send {
    /// The key of a position and the symmetry that leads to the position it stands for.
    fn key(self, game: &G, p: &G::Position) -> (u64, usize);

    /// How many symmetries there are.
    fn symmetries(self, game: &G) -> usize;

    /// The image of a position under a symmetry.
    fn image(self, game: &G, p: &G::Position, symmetry: usize) -> G::Position;

    /// The code of a move in the image of its position under that symmetry.
    fn code(self, game: &G, m: G::Move, symmetry: usize) -> u32;
}

/// Every position is itself.
#[derive(Clone, Copy, Debug)]
pub struct PlainKeys;

impl<G: Game> Keys<G> for PlainKeys {
    #[inline]
    fn key(self, game: &G, p: &G::Position) -> (u64, usize) {
        (game.key(p), 0)
    }

    fn symmetries(self, _: &G) -> usize {
        1
    }

    #[inline]
    fn image(self, _: &G, p: &G::Position, _: usize) -> G::Position {
        p.clone()
    }

    #[inline]
    fn code(self, game: &G, m: G::Move, _: usize) -> u32 {
        game.code(m)
    }
}

/// Mirrored and turned positions are one.
#[derive(Clone, Copy, Debug)]
pub struct CanonicalKeys;

impl<G: Symmetric> Keys<G> for CanonicalKeys {
    #[inline]
    fn key(self, game: &G, p: &G::Position) -> (u64, usize) {
        game.canonical(p)
    }

    fn symmetries(self, game: &G) -> usize {
        game.symmetries()
    }

    #[inline]
    fn image(self, game: &G, p: &G::Position, symmetry: usize) -> G::Position {
        game.transform(p, symmetry)
    }

    #[inline]
    fn code(self, game: &G, m: G::Move, symmetry: usize) -> u32 {
        game.code(game.transform_move(m, symmetry))
    }
}

/// Keys with a run-time switch: off, every position is itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Switched<K> {
    pub(crate) keys: K,
    pub(crate) on: bool,
}

impl<G: Game, K: Keys<G>> Keys<G> for Switched<K> {
    #[inline]
    fn key(self, game: &G, p: &G::Position) -> (u64, usize) {
        if self.on { self.keys.key(game, p) } else { PlainKeys.key(game, p) }
    }

    fn symmetries(self, game: &G) -> usize {
        if self.on { self.keys.symmetries(game) } else { 1 }
    }

    #[inline]
    fn image(self, game: &G, p: &G::Position, symmetry: usize) -> G::Position {
        // Off, there is no symmetry but the first.
        self.keys.image(game, p, symmetry)
    }

    #[inline]
    fn code(self, game: &G, m: G::Move, symmetry: usize) -> u32 {
        if self.on { self.keys.code(game, m, symmetry) } else { PlainKeys.code(game, m, symmetry) }
    }
}
