//! What a side still needs to win, for proofs: said as plainly as the rules say it, by squares and
//! directions.

use game::{Grid, Side, Square, WinningSets};

use super::board::Board;
use super::position::{Mnk, Position};
use super::shape::Shape;

impl<S: Shape, B: Board> WinningSets for Mnk<S, B> {
    /// The empty squares of every k squares in a row in which the other side has no stone: to win,
    /// a side has to fill all of one. `None` where turns have several stones or stones fall.
    fn winning_sets(&self, p: &Position<B>, side: Side) -> Option<Vec<Vec<u32>>> {
        let shape = self.shape;
        if shape.p() > 1 || shape.q() > 1 || shape.gravity() {
            return None;
        }
        let grid = Grid { rows: shape.rows(), columns: shape.columns() };
        let mut sets = Vec::new();
        for first in grid.iter() {
            for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                let squares = (0..shape.k() as isize).map(|step| {
                    let row = first.row.checked_add_signed(step * down)?;
                    let column = first.column.checked_add_signed(step * right)?;
                    Some(Square { row, column })
                        .filter(|_| row < grid.rows && column < grid.columns)
                        .filter(|&square| self.active[grid.index(square)])
                        .filter(|&square| self.stone(p, square) != Some(side.other()))
                });
                let Some(window) = squares.collect::<Option<Vec<Square>>>() else { continue };
                let empty = window.into_iter().filter(|&square| self.stone(p, square).is_none());
                sets.push(empty.map(|square| grid.index(square) as u32).collect());
            }
        }
        // A single square is a row in every direction.
        sets.sort_unstable();
        sets.dedup();
        Some(sets)
    }
}
