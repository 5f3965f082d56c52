//! [`Images`]: what a checker knows of a game beside its moves: which mirror images of a position a proof may use, and what a side still needs to
//! win.

use game::{Game, Side, Symmetric};

/// The images of a position that are worth the same, numbered from 0, which is the position itself.
pub trait Images<G: Game>: Copy {
    /// How many there are.
    fn count(self, game: &G) -> usize;

    /// The image with a number below [`count`](Images::count).
    fn image(self, game: &G, p: &G::Position, symmetry: usize) -> G::Position;

    /// Sets of moves, by their codes, of which a side still has to make all of one to win. For games that are just won or lost, in which the sides take turns with
    /// one move each, every move takes a square that neither side can use again, all free squares are open to both, and nobody wins but by
    /// such a set; `None` for all others.
    fn needs(self, _game: &G, _p: &G::Position, _side: Side) -> Option<Vec<Vec<u32>>> {
        None
    }
}

/// For games without symmetries: a position is its only image.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

impl<G: Game> Images<G> for Plain {
    fn count(self, _: &G) -> usize {
        1
    }

    fn image(self, _: &G, p: &G::Position, _: usize) -> G::Position {
        p.clone()
    }
}

/// For games with symmetries: positions may be turned and mirrored.
#[derive(Clone, Copy, Debug)]
pub struct Turned;

impl<G: Symmetric> Images<G> for Turned {
    fn count(self, game: &G) -> usize {
        game.symmetries()
    }

    fn image(self, game: &G, p: &G::Position, symmetry: usize) -> G::Position {
        game.transform(p, symmetry)
    }
}
