//! A plain, slow twin of the rules, written for being obviously right: tests and benchmarks compare
//! with it.

use game::{Game, MoveSink, Side, Square};

use super::parameters::Parameters;
use super::shape::{RunShape, Shape};

/// The rules of one line game, in the plainest way.
#[derive(Clone, Debug)]
pub struct PlainMnk {
    shape: RunShape,
    holes: Vec<Square>,
}

/// What is on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlainCell {
    /// Not part of the board.
    Hole,
    /// Nothing.
    Empty,
    /// A stone.
    Stone(Side),
}

/// Rows of cells, and whose turn it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainPosition {
    /// Row 1 first.
    pub cells: Vec<Vec<PlainCell>>,
    /// Who places the next stone.
    pub to_move: Side,
    /// Stones left in the turn.
    pub left: usize,
    /// Who has won.
    pub winner: Option<Side>,
}

impl PlainMnk {
    /// The game with these parameters.
    #[must_use]
    pub fn new(parameters: &Parameters) -> PlainMnk {
        PlainMnk { shape: parameters.shape(), holes: parameters.holes().to_vec() }
    }

    /// Looks at every square and walks in every direction.
    fn has_won(&self, p: &PlainPosition, side: Side) -> bool {
        for row in 0..self.shape.rows() as isize {
            for column in 0..self.shape.columns() as isize {
                for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                    if self.is_stone(p, row - down, column - right, side) {
                        continue;
                    }
                    let mut length = 0;
                    while self.is_stone(p, row + length * down, column + length * right, side) {
                        length += 1;
                    }
                    let k = self.shape.k() as isize;
                    if length == k || length > k && !self.shape.exact {
                        return true;
                    }
                }
            }
        }
        false
    }

    fn is_stone(&self, p: &PlainPosition, row: isize, column: isize, side: Side) -> bool {
        (0..self.shape.rows() as isize).contains(&row)
            && (0..self.shape.columns() as isize).contains(&column)
            && p.cells[row as usize][column as usize] == PlainCell::Stone(side)
    }

    fn is_playable(&self, p: &PlainPosition, row: usize, column: usize) -> bool {
        if p.cells[row][column] != PlainCell::Empty {
            return false;
        }
        let empty_below = (0..row).any(|below| p.cells[below][column] == PlainCell::Empty);
        !self.shape.gravity || !empty_below
    }

    fn is_full(p: &PlainPosition) -> bool {
        p.cells.iter().flatten().all(|&cell| cell != PlainCell::Empty)
    }
}

impl Game for PlainMnk {
    type Position = PlainPosition;
    type Move = Square;
    /// Who moved, with how many stones left in the turn.
    type Undo = (Side, usize);

    const ALTERNATES: bool = false;

    fn start(&self) -> PlainPosition {
        let mut cells = vec![vec![PlainCell::Empty; self.shape.columns()]; self.shape.rows()];
        for hole in &self.holes {
            cells[hole.row][hole.column] = PlainCell::Hole;
        }
        PlainPosition { cells, to_move: Side::First, left: self.shape.q(), winner: None }
    }

    fn to_move(&self, p: &PlainPosition) -> Side {
        p.to_move
    }

    fn generate(&self, p: &PlainPosition, out: &mut impl MoveSink<Square>) {
        for row in 0..self.shape.rows() {
            for column in 0..self.shape.columns() {
                if self.is_playable(p, row, column) {
                    out.push(Square { row, column });
                }
            }
        }
    }

    fn margin(&self, p: &PlainPosition) -> Option<i32> {
        match p.winner {
            Some(winner) => Some(winner.sign()),
            None if Self::is_full(p) => Some(0),
            None => None,
        }
    }

    fn stuck(&self, _: &PlainPosition) -> i32 {
        0
    }

    fn margin_limit(&self) -> i32 {
        1
    }

    fn make(&self, p: &mut PlainPosition, m: Square) -> (Side, usize) {
        let undo = (p.to_move, p.left);
        p.cells[m.row][m.column] = PlainCell::Stone(p.to_move);
        if self.has_won(p, p.to_move) {
            p.winner = Some(p.to_move);
        }
        p.left -= 1;
        if p.left == 0 {
            p.to_move = p.to_move.other();
            p.left = self.shape.p();
        }
        undo
    }

    fn unmake(&self, p: &mut PlainPosition, m: Square, undo: (Side, usize)) {
        p.cells[m.row][m.column] = PlainCell::Empty;
        p.winner = None;
        (p.to_move, p.left) = undo;
    }

    /// Not meant for tables: stones, mixed one by one.
    fn key(&self, p: &PlainPosition) -> u64 {
        p.cells.iter().flatten().fold(0, |key, cell| {
            game::mix(
                key ^ match cell {
                    PlainCell::Hole | PlainCell::Empty => 0,
                    PlainCell::Stone(Side::First) => 1,
                    PlainCell::Stone(Side::Second) => 2,
                },
            )
        })
    }

    fn slots(&self) -> usize {
        self.shape.rows() * self.shape.columns()
    }

    fn slot(&self, m: Square) -> usize {
        m.row * self.shape.columns() + m.column
    }

    fn code(&self, m: Square) -> u32 {
        self.slot(m) as u32
    }
}
