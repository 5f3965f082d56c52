//! [`Position`] and [`Move`]: who stands where, and what a move does.

use super::board::Size;

/// The colour of pieces. White sits at the bottom of the board and moves up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Colour {
    /// White, moving up.
    White,
    /// Black, moving down.
    Black,
}

impl Colour {
    /// The opponent's.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Colour {
        match self {
            Colour::White => Colour::Black,
            Colour::Black => Colour::White,
        }
    }
}

/// Pieces as seen by the side to move, so that moves need not ask whose they are.
///
/// **Invariant:** no man stands on the row where it would be crowned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pub(super) own: u64,
    pub(super) other: u64,
    pub(super) kings: u64,
    pub(super) colour: Colour,
    /// Plies without a capture (or a man's move); 0 where the rules do not count them.
    pub(super) quiet: u16,
    /// Plies since the present ending began; 0 where it has no count of its own.
    pub(super) ending: u8,
    /// The king that the side to move moved last, and the other side's; counted in restless rules.
    pub(super) runs: [Run; 2],
}

/// A king that went a few times in a row without capturing, while its player has men too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Run {
    /// So many times; at most [`Run::LONGEST`].
    pub(super) moves: u8,
    /// Where it is, as the number of a bit; 0 if there is none.
    pub(super) king: u8,
}

impl Run {
    pub(super) const LONGEST: u8 = 3;

    /// The king that may not go on, if any.
    #[inline]
    pub(super) fn tired(self) -> u64 {
        if self.moves == Run::LONGEST { 1 << self.king } else { 0 }
    }

    /// As one byte.
    #[inline]
    pub(super) fn packed(self) -> u64 {
        u64::from(self.moves << 6 | self.king)
    }
}

impl Position {
    /// Black and white men on so many rows each.
    pub(super) fn start(size: Size, rows: usize, first: Colour) -> Position {
        let men = |from: usize| (from..from + rows).fold(0, |set, row| set | size.row(row));
        let (black, white) = (men(0), men(size.side() - rows));
        Position::of([white, black], 0, first)
    }

    /// Pieces by colour, White's first; nothing has been counted.
    pub(super) fn of([white, black]: [u64; 2], kings: u64, colour: Colour) -> Position {
        let (own, other) = match colour {
            Colour::White => (white, black),
            Colour::Black => (black, white),
        };
        Position { own, other, kings, colour, quiet: 0, ending: 0, runs: [Run::default(); 2] }
    }

    /// The pieces of a colour, as bits.
    #[inline]
    #[must_use]
    pub fn pieces(&self, colour: Colour) -> u64 {
        if colour == self.colour { self.own } else { self.other }
    }

    /// The kings of both colours, as bits.
    #[inline]
    #[must_use]
    pub fn kings(&self) -> u64 {
        self.kings
    }

    /// Whose turn it is.
    #[inline]
    #[must_use]
    pub fn colour(&self) -> Colour {
        self.colour
    }

    /// Plies without a capture, or without a capture and a man's move, as the rules count them.
    #[must_use]
    pub fn quiet(&self) -> u16 {
        self.quiet
    }

    /// What stands on a square, by the number of its bit: whose it is and whether it is a king.
    #[must_use]
    pub fn piece(&self, bit: usize) -> Option<(Colour, bool)> {
        let on = |set: u64| set >> bit & 1 == 1;
        let colour = match (on(self.own), on(self.other)) {
            (true, _) => self.colour,
            (_, true) => self.colour.other(),
            _ => return None,
        };
        Some((colour, on(self.kings)))
    }

    /// The run of a colour's king.
    pub(super) fn run(&self, colour: Colour) -> Run {
        self.runs[usize::from(colour != self.colour)]
    }
}

/// A whole move: from, to, and all pieces captured on the way. Two ways that agree in these are one
/// move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    pub(super) from: u8,
    pub(super) to: u8,
    /// A man becomes a king.
    pub(super) crowns: bool,
    pub(super) captured: u64,
}

impl Move {
    /// The number of the bit it starts from.
    #[inline]
    #[must_use]
    pub fn from(self) -> usize {
        usize::from(self.from)
    }

    /// The number of the bit it ends on, perhaps the one it starts from.
    #[inline]
    #[must_use]
    pub fn to(self) -> usize {
        usize::from(self.to)
    }

    /// The captured pieces, as bits.
    #[inline]
    #[must_use]
    pub fn captured(self) -> u64 {
        self.captured
    }

    /// Whether a man becomes a king.
    #[inline]
    #[must_use]
    pub fn crowns(self) -> bool {
        self.crowns
    }
}
