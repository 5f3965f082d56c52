//! [`Size`]: the dark squares of a board as bits, and the ways between them.
//!
//! Rows are counted from the top, where Black sits. Every second row is followed by a bit that is no
//! square (`··`), so that a step along a diagonal is the same shift from every square and steps off
//! the board end on no square:
//!
//! ```text
//!            8x8: steps of 4 and 5                    10x10: steps of 5 and 6
//!
//!  top      0     1     2     3                      0     1     2     3     4
//!        4     5     6     7    ··8               5     6     7     8     9    ··10
//!           9    10    11    12                     11    12    13    14    15
//!       13    14    15    16    ··17             16    17    18    19    20    ··21
//!          18    19    20    21                     22    23    24    25    26
//!       22    23    24    25    ··26             27    28    29    30    31    ··32
//!          27    28    29    30                     33    34    35    36    37
//!  bottom 31    32    33    34                   38    39    40    41    42    ··43
//!                                                   44    45    46    47    48
//!                                                49    50    51    52    53
//! ```
//!
//! On 6x6 the steps are 3 and 4. Two rows down is twice the half side and one; one square along the
//! row is 1, where rows do wrap: who goes there asks [`Geometry::roomy`] first.

use super::position::Colour;

/// How many bits the largest board takes.
pub(super) const BITS: usize = 54;

/// The side of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Size {
    /// 6x6.
    Six,
    /// 8x8.
    Eight,
    /// 10x10.
    Ten,
}

impl Size {
    /// All of them.
    pub const ALL: [Size; 3] = [Size::Six, Size::Eight, Size::Ten];

    /// Rows and columns.
    #[inline]
    #[must_use]
    pub const fn side(self) -> usize {
        match self {
            Size::Six => 6,
            Size::Eight => 8,
            Size::Ten => 10,
        }
    }

    /// Squares in a row.
    #[inline]
    #[must_use]
    pub const fn half(self) -> usize {
        self.side() / 2
    }

    /// Squares of the board.
    #[must_use]
    pub const fn squares(self) -> usize {
        self.side() * self.half()
    }

    /// The bit of a square by its row from the top and its place in the row from the left.
    #[inline]
    #[must_use]
    pub const fn bit(self, row: usize, place: usize) -> usize {
        let half = self.half();
        row / 2 * (2 * half + 1) + row % 2 * half + place
    }

    /// The row from the top and the place in it of a bit that is a square.
    #[must_use]
    pub const fn place(self, bit: usize) -> (usize, usize) {
        let (pair, rest) = (bit / (2 * self.half() + 1), bit % (2 * self.half() + 1));
        (2 * pair + rest / self.half(), rest % self.half())
    }

    /// The squares of a row from the top.
    #[inline]
    pub(super) const fn row(self, row: usize) -> u64 {
        ((1 << self.half()) - 1) << self.bit(row, 0)
    }

    /// All squares.
    #[inline]
    pub(super) const fn all(self) -> u64 {
        self.geometry().all
    }

    /// The row on which men of a colour are crowned.
    #[inline]
    pub(super) const fn last_row(self, colour: Colour) -> u64 {
        match colour {
            Colour::White => self.row(0),
            Colour::Black => self.row(self.side() - 1),
        }
    }

    #[inline]
    pub(super) const fn geometry(self) -> &'static Geometry {
        match self {
            Size::Six => &SIX,
            Size::Eight => &EIGHT,
            Size::Ten => &TEN,
        }
    }

    /// What a direction adds to the number of a bit, or takes from it.
    #[inline(always)]
    pub(super) const fn shift(self, direction: usize) -> u32 {
        let half = self.half() as u32;
        [half, half + 1, 2 * half + 1, 1][direction & 3]
    }

    /// The next squares in a direction. Only along rows may bits wrap.
    #[inline(always)]
    pub(super) const fn step(self, set: u64, direction: usize) -> u64 {
        if direction < UP { set << self.shift(direction) } else { set >> self.shift(direction) }
    }

    /// The bit before this one in a direction; there must be such a square.
    #[inline(always)]
    pub(super) const fn bit_before(self, bit: usize, direction: usize) -> usize {
        let shift = self.shift(direction) as usize;
        if direction < UP { bit - shift } else { bit + shift }
    }

    /// The squares before these in a direction.
    #[inline(always)]
    pub(super) const fn step_back(self, set: u64, direction: usize) -> u64 {
        self.step(set, opposite(direction))
    }
}

/// Directions by number: 0 to 3 raise the number of a bit, and 4 more is the other way.
///
/// ```text
///        6                  0, 1, 4, 5  diagonal
///     5     4               2, 3, 6, 7  straight, in steps of two squares
///  7     +     3
///     0     1
///        2
/// ```
pub(super) const UP: usize = 4;
pub(super) const DIAGONAL: [usize; 4] = [0, 1, 4, 5];
pub(super) const EVERY: [usize; 8] = [0, 1, 4, 5, 2, 3, 6, 7];
const STEPS: [(isize, isize); 8] =
    [(1, -1), (1, 1), (2, 0), (0, 2), (-1, 1), (-1, -1), (-2, 0), (0, -2)];

/// The way back.
#[inline]
pub(super) const fn opposite(direction: usize) -> usize {
    direction ^ UP
}

/// What is worth knowing in advance about a board.
#[derive(Debug)]
pub(super) struct Geometry {
    all: u64,
    /// From each square to the border, by direction.
    pub(super) rays: [[u64; 8]; BITS],
    /// The squares from which two steps in a direction do not wrap round the border.
    pub(super) roomy: [u64; 8],
}

static SIX: Geometry = Geometry::new(Size::Six);
static EIGHT: Geometry = Geometry::new(Size::Eight);
static TEN: Geometry = Geometry::new(Size::Ten);

impl Geometry {
    const fn new(size: Size) -> Geometry {
        let mut geometry = Geometry { all: 0, rays: [[0; 8]; BITS], roomy: [0; 8] };
        let mut row = 0;
        while row < size.side() {
            geometry.all |= size.row(row);
            let mut place = 0;
            while place < size.half() {
                let bit = size.bit(row, place);
                let mut direction = 0;
                while direction < 8 {
                    geometry.rays[bit][direction] = ray(size, bit, direction);
                    let wraps = direction & 3 == 3;
                    if !wraps || geometry.rays[bit][direction].count_ones() >= 2 {
                        geometry.roomy[direction] |= 1 << bit;
                    }
                    direction += 1;
                }
                place += 1;
            }
            row += 1;
        }
        geometry
    }
}

/// All squares from this one to the border.
const fn ray(size: Size, from: usize, direction: usize) -> u64 {
    let side = size.side() as isize;
    let (row, place) = size.place(from);
    let (down, right) = STEPS[direction];
    let (mut row, mut column) = (row as isize, column_of(row, place) as isize);
    let mut ray = 0;
    loop {
        (row, column) = (row + down, column + right);
        if row < 0 || column < 0 || row >= side || column >= side {
            return ray;
        }
        ray |= 1 << size.bit(row as usize, column as usize / 2);
    }
}

/// The column, from the left, of a square by its row from the top and its place in the row.
pub(super) const fn column_of(row: usize, place: usize) -> usize {
    2 * place + 1 - row % 2
}

/// The square of a set on a ray that comes first, or nothing.
#[inline]
pub(super) const fn nearest(set: u64, direction: usize) -> u64 {
    if direction < UP {
        set & set.wrapping_neg()
    } else if set == 0 {
        0
    } else {
        1 << (63 - set.leading_zeros())
    }
}

/// The squares of a ray before the first of its squares that is in `stops`.
#[inline]
pub(super) const fn before(ray: u64, stops: u64, direction: usize) -> u64 {
    let stop = nearest(stops, direction);
    if stop == 0 {
        ray
    } else if direction < UP {
        ray & (stop - 1)
    } else {
        ray & !(stop | (stop - 1))
    }
}

/// The numbers of the bits of a set, lowest first.
#[inline]
pub(super) fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        bit
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_round_trip() {
        for size in Size::ALL {
            let mut all = 0;
            for row in 0..size.side() {
                for place in 0..size.half() {
                    let bit = size.bit(row, place);
                    assert_eq!(size.place(bit), (row, place));
                    all |= 1 << bit;
                }
            }
            assert_eq!(all, size.all());
            assert_eq!(all.count_ones() as usize, size.squares());
        }
        assert_eq!(Size::Eight.bit(7, 3), 34);
        assert_eq!(Size::Ten.bit(9, 4), BITS - 1);
    }

    #[test]
    fn steps_follow_rays_and_never_wrap() {
        for size in Size::ALL {
            for bit in bits(size.all()) {
                for direction in EVERY {
                    let ray = size.geometry().rays[bit][direction];
                    let roomy = size.geometry().roomy[direction] & 1 << bit;
                    let next = size.step(1 << bit, direction) & size.all();
                    if direction & 3 != 3 || roomy != 0 {
                        assert_eq!(next, nearest(ray, direction), "{size:?} {bit} {direction}");
                        assert_eq!(size.step_back(next, direction) & !(1 << bit), 0);
                    }
                    assert_eq!(before(ray, next, direction), 0);
                    assert_eq!(before(ray, 0, direction), ray);
                }
            }
        }
    }
}
