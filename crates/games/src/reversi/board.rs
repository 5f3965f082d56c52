//! [`Board`]: squares as bits, and the geometry of a board of any size.
//!
//! Every board is a corner of the same 8x8 layout, so that one set of shifts serves all sizes: a
//! step right is one bit up, a step down eight.
//!
//! ```text
//!      a  b  c  d  e  f  g  h
//!  1   0  1  2  3  4  5  6  7
//!  2   8  9 10 11 12 13 14 15
//!  3  16 17 18 19 20 21 22 23
//!  4  24 25 26 27 28 29 30 31       a 6x4 board is a1 to d6:
//!  5  32 33 34 35 36 37 38 39       the other bits are always 0
//!  6  40 41 42 43 44 45 46 47
//!  7  48 49 50 51 52 53 54 55
//!  8  56 57 58 59 60 61 62 63
//! ```

use game::{Grid, Square};

pub(super) const STRIDE: usize = 8;
const COLUMN_A: u64 = 0x0101_0101_0101_0101;

/// The squares of a board and those that matter in evaluation, as sets of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    grid: Grid,
    /// One bit for each square of the board, 0 elsewhere.
    pub squares: u64,
    /// The four corners.
    pub corners: u64,
    /// The squares along the sides without the corners.
    pub edges: u64,
    /// The squares next to a corner: the two beside it (C squares) and the diagonal one (X square).
    pub by_corners: u64,
    /// The squares at the end of a row, and those at the end of a column.
    pub ends: [u64; 2],
}

impl Board {
    /// # Panics
    /// Where a side is 0 or longer than 8.
    #[must_use]
    pub const fn new(grid: Grid) -> Board {
        let Grid { rows, columns } = grid;
        assert!(
            1 <= rows && rows <= STRIDE && 1 <= columns && columns <= STRIDE,
            "the board does not fit 64 bits"
        );
        let top = u64::MAX >> (64 - columns);
        let left = COLUMN_A >> (STRIDE * (STRIDE - rows));
        let (bottom, right) = (top << (STRIDE * (rows - 1)), left << (columns - 1));
        let squares = left * top;
        let corners = (top | bottom) & (left | right);
        Board {
            grid,
            squares,
            corners,
            edges: (top | bottom | left | right) & !corners,
            by_corners: neighbours(corners) & squares & !corners,
            ends: [left | right, top | bottom],
        }
    }

    /// Rows and columns.
    #[must_use]
    pub fn grid(&self) -> Grid {
        self.grid
    }
}

/// The number of a square's bit.
#[inline]
pub(super) fn bit_of(square: Square) -> usize {
    square.row * STRIDE + square.column
}

/// The square of a bit's number.
#[inline]
pub(super) fn square_of(bit: usize) -> Square {
    Square { row: bit / STRIDE, column: bit % STRIDE }
}

/// All squares next to one of these, in eight directions; perhaps some of these too, and squares
/// outside a board smaller than 8x8.
#[inline]
pub(super) const fn neighbours(set: u64) -> u64 {
    let sideways = (set << 1) & !COLUMN_A | (set & !COLUMN_A) >> 1;
    let row = set | sideways;
    sideways | row << STRIDE | row >> STRIDE
}

/// All squares between two of these that they touch, in a row, a column or a diagonal.
#[inline]
pub(super) const fn between(set: u64) -> u64 {
    let (right, left) = ((set << 1) & !COLUMN_A, (set & !COLUMN_A) >> 1);
    right & left
        | set << STRIDE & set >> STRIDE
        | right << STRIDE & left >> STRIDE
        | left << STRIDE & right >> STRIDE
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws a set with rows one under the other.
    fn drawn(board: &Board, set: u64) -> String {
        let grid = board.grid();
        let glyph = |s| if set >> bit_of(s) & 1 == 1 { '#' } else { '.' };
        let rows: Vec<String> = (0..grid.rows)
            .map(|row| (0..grid.columns).map(|column| glyph(Square { row, column })).collect())
            .collect();
        rows.join("/")
    }

    fn board(rows: usize, columns: usize) -> Board {
        Board::new(Grid { rows, columns })
    }

    #[test]
    fn zones_of_a_rectangle() {
        let board = board(4, 6);
        assert_eq!(drawn(&board, board.squares), "######/######/######/######");
        assert_eq!(drawn(&board, board.corners), "#....#/....../....../#....#");
        assert_eq!(drawn(&board, board.edges), ".####./#....#/#....#/.####.");
        assert_eq!(drawn(&board, board.by_corners), ".#..#./##..##/##..##/.#..#.");
    }

    #[test]
    fn zones_have_the_right_sizes() {
        for (rows, columns) in [(4, 4), (6, 6), (8, 8), (4, 8), (8, 6)] {
            let board = board(rows, columns);
            assert_eq!(board.squares.count_ones() as usize, rows * columns);
            assert_eq!(board.corners.count_ones(), 4);
            assert_eq!(board.edges.count_ones() as usize, 2 * (rows + columns) - 8);
            assert_eq!(board.by_corners.count_ones(), 12);
        }
    }

    #[test]
    fn neighbours_do_not_wrap() {
        let board = board(8, 8);
        let around = neighbours(1 << 24 | 1 << 63);
        assert_eq!(
            drawn(&board, around & !(1 << 24 | 1 << 63)),
            "......../......../##....../.#....../##....../......../......##/......#."
        );
    }
}
