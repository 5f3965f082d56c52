//! [`Landmarks`]: the sets of squares that evaluations look at.
//!
//! **Invariant:** turning the board by half a turn swaps White's sets with Black's and the left with the
//! right, and leaves the others as they are.

use crate::draughts::board::{Size, column_of};
use crate::draughts::position::Colour;

/// The parts of one board.
#[derive(Debug)]
pub(super) struct Landmarks {
    /// By colour: squares by the bits of their row's number, counted from the colour's first row. Rows
    /// of a set are added up with one count for each bit.
    pub(super) row_bits: [[u64; 4]; 2],
    /// The inner squares: two rows and columns from the border and more.
    pub(super) centre: u64,
    /// The columns at the left and at the right.
    pub(super) border: u64,
    /// From the corner at the bottom left to the one at the top right.
    pub(super) long_diagonal: u64,
    /// The squares by the two corners that are no squares.
    pub(super) double_corners: u64,
    /// The half of the board at the left.
    pub(super) left: u64,
    /// Rings round the centre: the border, the squares next to it, and all within.
    pub(super) zones: [u64; 3],
}

impl Landmarks {
    /// Those of a board.
    #[inline]
    pub(super) const fn of(size: Size) -> &'static Landmarks {
        match size {
            Size::Six => &SIX,
            Size::Eight => &EIGHT,
            Size::Ten => &TEN,
        }
    }

    const fn new(size: Size) -> Landmarks {
        let mut landmarks = Landmarks {
            row_bits: [[0; 4]; 2],
            centre: 0,
            border: 0,
            long_diagonal: 0,
            double_corners: 0,
            left: 0,
            zones: [0; 3],
        };
        let mut row = 0;
        while row < size.side() {
            let mut place = 0;
            while place < size.half() {
                landmarks.add(size, row, place);
                place += 1;
            }
            row += 1;
        }
        landmarks
    }

    const fn add(&mut self, size: Size, row: usize, place: usize) {
        let last = size.side() - 1;
        let column = column_of(row, place);
        let square = 1 << size.bit(row, place);
        let mut bit = 0;
        while bit < 4 {
            if (last - row) >> bit & 1 == 1 {
                self.row_bits[Colour::White as usize][bit] |= square;
            }
            if row >> bit & 1 == 1 {
                self.row_bits[Colour::Black as usize][bit] |= square;
            }
            bit += 1;
        }
        let ring = least(least(row, last - row), least(column, last - column));
        self.zones[least(ring, 2)] |= square;
        if ring >= 2 {
            self.centre |= square;
        }
        if column == 0 || column == last {
            self.border |= square;
        }
        if row + column == last {
            self.long_diagonal |= square;
        }
        if row + column == 1 || row + column == 2 * last - 1 {
            self.double_corners |= square;
        }
        if column <= last / 2 {
            self.left |= square;
        }
    }
}

static SIX: Landmarks = Landmarks::new(Size::Six);
static EIGHT: Landmarks = Landmarks::new(Size::Eight);
static TEN: Landmarks = Landmarks::new(Size::Ten);

const fn least(a: usize, b: usize) -> usize {
    if a < b { a } else { b }
}
