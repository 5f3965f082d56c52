//! [`Stones`]: games in which a move puts a stone on a square.

use game::Rng;
use game::moves_of;
use game::{Game, Side};
use game::{Grid, Square};

/// A game whose moves put stones on the squares of a board.
pub trait Stones: Game {
    /// The board.
    fn grid(&self) -> Grid;

    /// Where a move goes; `None` is a pass.
    fn square_of(&self, m: Self::Move) -> Option<Square>;

    /// Whose stone lies on a square.
    fn stone(&self, p: &Self::Position, square: Square) -> Option<Side>;

    /// Whether there is no stone yet.
    fn is_bare(&self, p: &Self::Position) -> bool {
        self.grid().iter().all(|square| self.stone(p, square).is_none())
    }

    /// A move next to a stone, each with the same chance; `None` if there is none.
    fn sample_near(&self, p: &Self::Position, rng: &mut Rng) -> Option<Self::Move> {
        let (grid, around) = (self.grid(), around_stones(self, p));
        let is_near =
            |m: &Self::Move| self.square_of(*m).is_some_and(|square| around[grid.index(square)]);
        let near: Vec<Self::Move> = moves_of(self, p).into_iter().filter(is_near).collect();
        (!near.is_empty()).then(|| near[rng.below(near.len())])
    }
}

/// A simple player: a move next to a stone, each with the same chance; in the middle as long as the board is
/// empty; if there is no such move, any.
#[inline]
pub fn adjacent_move<G: Stones>(game: &G, p: &G::Position, rng: &mut Rng) -> Option<G::Move> {
    let opening = if game.is_bare(p) { most_central(game, p) } else { None };
    opening.or_else(|| game.sample_near(p, rng)).or_else(|| game.sample(p, rng))
}

/// The move nearest to the middle.
fn most_central<G: Stones>(game: &G, p: &G::Position) -> Option<G::Move> {
    let grid = game.grid();
    let centre = Square { row: grid.rows / 2, column: grid.columns / 2 };
    let distance = |square: Square| {
        square.row.abs_diff(centre.row).pow(2) + square.column.abs_diff(centre.column).pow(2)
    };
    let moves = moves_of(game, p);
    let squares = || moves.iter().filter_map(|&m| Some((m, game.square_of(m)?)));
    let centre = squares().find(|&(_, square)| square == centre);
    centre.or_else(|| squares().min_by_key(|&(_, square)| distance(square))).map(|(m, _)| m)
}

/// The squares next to a stone.
fn around_stones<G: Stones>(game: &G, p: &G::Position) -> Vec<bool> {
    let grid = game.grid();
    let mut around = vec![false; grid.squares()];
    for stone in grid.iter().filter(|&square| game.stone(p, square).is_some()) {
        neighbours(grid, stone).for_each(|near| around[grid.index(near)] = true);
    }
    around
}

/// The up to eight squares around one.
fn neighbours(grid: Grid, square: Square) -> impl Iterator<Item = Square> {
    let around = |at: usize, size: usize| at.saturating_sub(1)..(at + 2).min(size);
    let rows = around(square.row, grid.rows);
    rows.flat_map(move |row| {
        around(square.column, grid.columns).map(move |column| Square { row, column })
    })
    .filter(move |&near| near != square)
}
