//! [`Board`]: which piece stands where, in four words.
//!
//! Square a1 is bit 0, b1 bit 1, a2 bit 8, h8 bit 63. Each kind of piece has a number of three
//! bits, and each bit has a word of its own, a *plane*; a fourth word holds the squares of White:
//!
//! ```text
//!             high mid low
//!   empty        0   0   0
//!   pawn         0   0   1        diagonal sliders:  high & low
//!   knight       0   1   0        straight sliders:  high & mid
//!   king         0   1   1        occupied:          high | mid | low
//!   bishop       1   0   1
//!   rook         1   1   0
//!   queen        1   1   1
//! ```
//!
//! A move clears both its squares in every plane and sets the new one, whatever it captures.

use game::{Grid, Side, Square};

/// The board's size.
pub(super) const GRID: Grid = Grid { rows: 8, columns: 8 };

pub(super) const COLUMN_A: u64 = 0x0101_0101_0101_0101;
pub(super) const COLUMN_H: u64 = COLUMN_A << 7;
pub(super) const ROW_1: u64 = 0xff;
pub(super) const ROW_8: u64 = ROW_1 << 56;
/// The dark squares: a1 is one.
pub(super) const DARK: u64 = 0xaa55_aa55_aa55_aa55;

/// A kind of piece. Its number has one bit for each plane of a [`Board`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Moves forward, captures sideways.
    Pawn = 1,
    /// Leaps.
    Knight = 2,
    /// The one to mate.
    King = 3,
    /// Slides along diagonals.
    Bishop = 5,
    /// Slides along rows and columns.
    Rook = 6,
    /// Slides along all of them.
    Queen = 7,
}

impl Kind {
    /// Every kind, in the order of the usual values.
    pub const ALL: [Kind; 6] =
        [Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen, Kind::King];
    /// What a pawn can become.
    pub const PROMOTIONS: [Kind; 4] = [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen];

    /// The English letter, lower case.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Kind::Pawn => 'p',
            Kind::Knight => 'n',
            Kind::Bishop => 'b',
            Kind::Rook => 'r',
            Kind::Queen => 'q',
            Kind::King => 'k',
        }
    }

    /// The kind with this letter, in either case.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.letter() == letter.to_ascii_lowercase())
    }

    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Kind::Pawn => "pawn",
            Kind::Knight => "knight",
            Kind::Bishop => "bishop",
            Kind::Rook => "rook",
            Kind::Queen => "queen",
            Kind::King => "king",
        }
    }
}

/// The pieces on the board: planes as the module draws them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Board {
    pub(super) white: u64,
    pub(super) low: u64,
    pub(super) mid: u64,
    pub(super) high: u64,
}

impl Board {
    /// The squares that hold a piece, as bits.
    #[inline]
    #[must_use]
    pub fn occupied(&self) -> u64 {
        self.low | self.mid | self.high
    }

    /// The squares of one side's pieces, as bits.
    #[inline]
    #[must_use]
    pub fn of(&self, side: Side) -> u64 {
        match side {
            Side::First => self.white,
            Side::Second => self.occupied() & !self.white,
        }
    }

    /// The squares of both sides' pieces of a kind, as bits.
    #[inline]
    #[must_use]
    pub fn all(&self, kind: Kind) -> u64 {
        match kind {
            Kind::Pawn => self.low & !self.mid & !self.high,
            Kind::Knight => self.mid & !self.low & !self.high,
            Kind::King => self.low & self.mid & !self.high,
            Kind::Bishop => self.high & self.low & !self.mid,
            Kind::Rook => self.high & self.mid & !self.low,
            Kind::Queen => self.high & self.mid & self.low,
        }
    }

    /// Bishops and queens of both sides.
    #[inline]
    pub(super) fn diagonal(&self) -> u64 {
        self.high & self.low
    }

    /// Rooks and queens of both sides.
    #[inline]
    pub(super) fn straight(&self) -> u64 {
        self.high & self.mid
    }

    /// The bit of a side's king.
    #[inline]
    pub(super) fn king(&self, side: Side) -> usize {
        (self.all(Kind::King) & self.of(side)).trailing_zeros() as usize & 63
    }

    /// The kind of piece on a square.
    #[inline]
    #[must_use]
    pub fn kind_at(&self, bit: usize) -> Option<Kind> {
        let number =
            (self.low >> bit & 1) | (self.mid >> bit & 1) << 1 | (self.high >> bit & 1) << 2;
        match number {
            1 => Some(Kind::Pawn),
            2 => Some(Kind::Knight),
            3 => Some(Kind::King),
            5 => Some(Kind::Bishop),
            6 => Some(Kind::Rook),
            7 => Some(Kind::Queen),
            _ => None,
        }
    }

    /// The piece on a square.
    #[inline]
    #[must_use]
    pub fn piece_at(&self, bit: usize) -> Option<(Side, Kind)> {
        let side = if self.white >> bit & 1 == 1 { Side::First } else { Side::Second };
        self.kind_at(bit).map(|kind| (side, kind))
    }

    /// Clears squares.
    #[inline]
    pub(super) fn lift(&mut self, squares: u64) {
        self.white &= !squares;
        self.low &= !squares;
        self.mid &= !squares;
        self.high &= !squares;
    }

    /// Puts a piece on an empty square.
    #[inline]
    pub(super) fn put(&mut self, side: Side, kind: Kind, square: u64) {
        debug_assert!(self.occupied() & square == 0);
        let plane = |bit: u8| if kind as u8 & bit == 0 { 0 } else { square };
        self.low |= plane(1);
        self.mid |= plane(2);
        self.high |= plane(4);
        if side == Side::First {
            self.white |= square;
        }
    }

    /// Moves a piece of one side to another square, where it replaces what is there.
    #[inline]
    pub(super) fn carry(&mut self, side: Side, from: usize, to: usize) {
        let both = 1 << from | 1 << to;
        let carried = |plane: u64| (plane & !both) | (plane >> from & 1) << to;
        self.low = carried(self.low);
        self.mid = carried(self.mid);
        self.high = carried(self.high);
        self.white &= !both;
        if side == Side::First {
            self.white |= 1 << to;
        }
    }
}

/// The bit of a square.
#[inline]
pub(super) fn bit_of(square: Square) -> usize {
    GRID.index(square)
}

/// The square of a bit.
#[inline]
pub(super) fn square_of(bit: usize) -> Square {
    GRID.square(bit)
}

/// The name of a bit's square.
pub(super) fn name_of(bit: usize) -> String {
    GRID.name(square_of(bit))
}

/// The bits of a set, lowest first.
pub(super) fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros() as usize;
        (set != 0).then(|| {
            set &= set - 1;
            bit
        })
    })
}
