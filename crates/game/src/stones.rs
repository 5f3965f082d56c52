//! [`Stones`]: games in which a move puts a stone on a square.

use crate::grid::{Grid, Square};
use crate::notation::moves_of;
use crate::rng::Rng;
use crate::rules::{Game, Side};

/// A game whose moves put stones on the squares of a board.
pub trait Stones: Game {
    /// The board.
    fn grid(&self) -> Grid;

    /// Where a move goes; `None` is a pass.
    fn square_of(&self, m: Self::Move) -> Option<Square>;

    /// Whose stone lies on a square.
    fn stone(&self, p: &Self::Position, square: Square) -> Option<Side>;
}

/// Where there are more moves than this,
const MANY: usize = 400;
/// so often one is drawn in the hope that it is near a stone.
const TRIES: usize = 16;

/// A simple player: a move next to a stone, each with the same chance; in the middle as long as the board is
/// empty; if there is no such move, any.
pub fn adjacent_move<G: Stones>(game: &G, p: &G::Position, rng: &mut Rng) -> Option<G::Move> {
    let grid = game.grid();
    let moves = moves_of(game, p);
    let squares = || moves.iter().filter_map(|&m| Some((m, game.square_of(m)?)));
    let is_near =
        |square: Square| neighbours(grid, square).any(|near| game.stone(p, near).is_some());
    // To draw again is as fair as to look at all, and quicker on a large board.
    let tries = if moves.len() > MANY { TRIES } else { 0 };
    for _ in 0..tries {
        let m = moves[rng.below(moves.len())];
        if game.square_of(m).is_some_and(is_near) {
            return Some(m);
        }
    }
    let around = around_stones(game, p);
    let is_near = |square: Square| around[grid.index(square)];
    let near: Vec<G::Move> =
        squares().filter(|&(_, square)| is_near(square)).map(|(m, _)| m).collect();
    if !near.is_empty() {
        return Some(near[rng.below(near.len())]);
    }
    if grid.iter().any(|square| game.stone(p, square).is_some()) {
        return (!moves.is_empty()).then(|| moves[rng.below(moves.len())]);
    }
    let centre = Square { row: grid.rows / 2, column: grid.columns / 2 };
    let distance = |square: Square| {
        square.row.abs_diff(centre.row).pow(2) + square.column.abs_diff(centre.column).pow(2)
    };
    squares().min_by_key(|&(_, square)| distance(square)).map(|(m, _)| m)
}

/// The squares next to a stone. There are far more squares than stones, or else one has been drawn before.
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
