//! The same rules written for being obviously right: discs in rows and columns, and eight
//! directions walked square by square. Tests and benchmarks compare [`Reversi`](super::Reversi) with
//! it; it shares nothing with the fast rules but [`Parameters`] and the names of moves.

use game::{Game, MoveSink, Side, Square, mix};

use super::parameters::{Parameters, Start};
use super::position::Move;

const DIRECTIONS: [(isize, isize); 8] =
    [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

/// The rules of Reversi on one board.
#[derive(Clone, Copy, Debug)]
pub struct Plain {
    parameters: Parameters,
}

/// Who has a disc on each square, by row and column; who moves; passes just made.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// By row, then by column.
    pub discs: Vec<Vec<Option<Side>>>,
    /// Who moves next.
    pub side: Side,
    /// How many passes were just made, one after the other.
    pub passes: u8,
}

impl Plain {
    /// The game with these parameters.
    #[must_use]
    pub fn new(parameters: Parameters) -> Plain {
        Plain { parameters }
    }

    /// The squares whose discs a disc on `square` turns; none where it cannot be placed.
    #[must_use]
    pub fn turned(&self, p: &Position, square: Square) -> Vec<Square> {
        let mut turned = Vec::new();
        if p.discs[square.row][square.column].is_none() {
            for direction in DIRECTIONS {
                turned.extend(self.line(p, square, direction));
            }
        }
        turned
    }

    /// The squares where the side to move can place a disc.
    #[must_use]
    pub fn placements(&self, p: &Position) -> Vec<Square> {
        let squares = self.parameters.size().iter();
        squares.filter(|&s| !self.turned(p, s).is_empty()).collect()
    }

    /// The discs turned in one direction: a line of the other side's, with one's own at its end.
    fn line(&self, p: &Position, from: Square, direction: (isize, isize)) -> Vec<Square> {
        let mut line = Vec::new();
        let mut here = from;
        while let Some(next) = self.step(here, direction) {
            match p.discs[next.row][next.column] {
                None => return Vec::new(),
                Some(side) if side == p.side => return line,
                Some(_) => line.push(next),
            }
            here = next;
        }
        Vec::new()
    }

    /// The next square in a direction, if the board has it.
    fn step(&self, from: Square, (down, right): (isize, isize)) -> Option<Square> {
        let grid = self.parameters.size();
        let row = from.row.checked_add_signed(down)?;
        let column = from.column.checked_add_signed(right)?;
        (row < grid.rows && column < grid.columns).then_some(Square { row, column })
    }

    fn count_discs(&self, p: &Position, whose: Option<Side>) -> i32 {
        let discs = p.discs.iter().flatten();
        discs.filter(|&&disc| disc == whose).count() as i32
    }
}

impl Game for Plain {
    type Position = Position;
    type Move = Move;
    type Undo = Position;

    const ALTERNATES: bool = true;

    fn start(&self) -> Position {
        let grid = self.parameters.size();
        let (up, left) = (grid.rows / 2 - 1, grid.columns / 2 - 1);
        let mut discs = vec![vec![None; grid.columns]; grid.rows];
        let (black, white) = (Some(Side::First), Some(Side::Second));
        let centre = match self.parameters.start() {
            Start::Cross => [[white, black], [black, white]],
            Start::Parallel => [[black, black], [white, white]],
        };
        for (row, colours) in centre.iter().enumerate() {
            discs[up + row][left..left + 2].copy_from_slice(colours);
        }
        Position { discs, side: Side::First, passes: 0 }
    }

    fn to_move(&self, p: &Position) -> Side {
        p.side
    }

    fn generate(&self, p: &Position, out: &mut impl MoveSink<Move>) {
        let placements = self.placements(p);
        if placements.is_empty() {
            out.push(Move::PASS);
        }
        for square in placements {
            out.push(Move::at(square));
        }
    }

    fn margin(&self, p: &Position) -> Option<i32> {
        let empties = self.count_discs(p, None);
        if p.passes < 2 && empties > 0 {
            return None;
        }
        let black = self.count_discs(p, Some(Side::First));
        let white = self.count_discs(p, Some(Side::Second));
        Some(match black.cmp(&white) {
            std::cmp::Ordering::Greater => black + empties - white,
            std::cmp::Ordering::Equal => 0,
            std::cmp::Ordering::Less => black - (white + empties),
        })
    }

    fn stuck(&self, _: &Position) -> i32 {
        0
    }

    fn margin_limit(&self) -> i32 {
        self.parameters.size().squares() as i32
    }

    fn make(&self, p: &mut Position, m: Move) -> Position {
        let before = p.clone();
        match m.bit() {
            None => p.passes += 1,
            Some(bit) => {
                let square = Square { row: bit / 8, column: bit % 8 };
                for Square { row, column } in self.turned(&before, square) {
                    p.discs[row][column] = Some(p.side);
                }
                p.discs[square.row][square.column] = Some(p.side);
                p.passes = 0;
            }
        }
        p.side = p.side.other();
        before
    }

    fn unmake(&self, p: &mut Position, _: Move, before: Position) {
        *p = before;
    }

    fn key(&self, p: &Position) -> u64 {
        let digit = |disc: &Option<Side>| disc.map_or(0, |side| side as u64 + 1);
        let turn = p.side as u64 * 3 + u64::from(p.passes);
        (p.discs.iter().flatten()).fold(mix(turn), |key, disc| mix(key ^ digit(disc)))
    }

    fn slots(&self) -> usize {
        65
    }

    fn slot(&self, m: Move) -> usize {
        m.bit().unwrap_or(64)
    }

    fn code(&self, m: Move) -> u32 {
        m.bit().unwrap_or(64) as u32
    }
}
