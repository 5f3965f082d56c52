//! [`Regions`]: the parts of a board that features ask for.

use super::patterns;
use crate::draughts::board::{Size, column_of};

/// The parts of one board. What depends on the side is by colour, White's first.
#[derive(Debug)]
pub(super) struct Regions {
    /// The squares at the wall, on all four sides.
    pub(super) wall: u64,
    /// The two corners that are squares: at the bottom left and at the top right.
    pub(super) corners: u64,
    /// The two central rows.
    pub(super) middle: u64,
    /// The two rows nearest to the player.
    pub(super) bottom: [u64; 2],
    /// The three rows nearest to the opponent.
    pub(super) top: [u64; 2],
    /// Squares by the bits of their distance to the row of promotion: distances are added up with one count for each.
    pub(super) distance: [[u64; 4]; 2],
    /// Men that make a pattern: own, opposing.
    pub(super) patterns: [[[u64; 2]; patterns::COUNT]; 2],
}

impl Regions {
    /// Those of a board.
    #[inline]
    pub(super) const fn of(size: Size) -> &'static Regions {
        match size {
            Size::Six => &SIX,
            Size::Eight => &EIGHT,
            Size::Ten => &TEN,
        }
    }

    const fn new(size: Size) -> Regions {
        let mut regions = Regions {
            wall: 0,
            corners: 0,
            middle: size.row(size.half() - 1) | size.row(size.half()),
            bottom: [0; 2],
            top: [0; 2],
            distance: [[0; 4]; 2],
            patterns: patterns::masks(size),
        };
        let mut row = 0;
        while row < size.side() {
            let mut place = 0;
            while place < size.half() {
                regions.add(size, row, place);
                place += 1;
            }
            row += 1;
        }
        regions
    }

    const fn add(&mut self, size: Size, row: usize, place: usize) {
        let last = size.side() - 1;
        let column = column_of(row, place);
        let square = 1 << size.bit(row, place);
        let at_side = column == 0 || column == last;
        let at_end = row == 0 || row == last;
        if at_side || at_end {
            self.wall |= square;
        }
        if at_side && at_end {
            self.corners |= square;
        }
        let distances = [row, last - row];
        let mut colour = 0;
        while colour < 2 {
            let distance = distances[colour];
            if distance >= last - 1 {
                self.bottom[colour] |= square;
            }
            if distance <= 2 {
                self.top[colour] |= square;
            }
            let mut bit = 0;
            while bit < 4 {
                if distance >> bit & 1 == 1 {
                    self.distance[colour][bit] |= square;
                }
                bit += 1;
            }
            colour += 1;
        }
    }
}

static SIX: Regions = Regions::new(Size::Six);
static EIGHT: Regions = Regions::new(Size::Eight);
static TEN: Regions = Regions::new(Size::Ten);
