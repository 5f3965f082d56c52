//! How positions and moves are named in the tables of a search.

use game::Game;
#[cfg(feature = "study")]
use game::PositionName;

/// Names positions by their canonical image where the game has one, unless that is switched off.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TableNames {
    pub(crate) symmetry: bool,
}

impl TableNames {
    /// The key of a position and the symmetry that leads to the position it stands for.
    #[inline]
    pub(crate) fn key<G: Game>(self, game: &G, p: &G::Position) -> (u64, usize) {
        if self.symmetry { game.table_key(p) } else { (game.key(p), 0) }
    }

    /// The same for solvers, who compare more than a key.
    #[cfg(feature = "study")]
    #[inline]
    pub(crate) fn name<G: Game>(self, game: &G, p: &G::Position) -> PositionName {
        match self.symmetry {
            true => game.table_name(p),
            false => PositionName { key: game.key(p), check: 0, symmetry: 0 },
        }
    }

    /// The code of a move of a position in the image of it under that symmetry.
    #[inline]
    pub(crate) fn code<G: Game>(
        self,
        game: &G,
        p: &G::Position,
        m: G::Move,
        symmetry: usize,
    ) -> u32 {
        if self.symmetry { game.table_code(p, m, symmetry) } else { game.code(m) }
    }
}
