//! [`Squares`]: what squares are called.
//!
//! ```text
//!     TopLeft              Mirrored (Italian)       BottomRight (Spanish)
//!
//!   .  1  .  2  …  4      1  .  2  .  …  4  .      32 .  31 .  …  29 .
//!   5  .  6  .  …         .  5  .  6  …     8      .  28 .  27 …     25
//!   …                     …                        …
//!   29 .  30 .  …         .  29 .  30 …     32     .  4  .  3  …     1
//! ```
//!
//! White sits at the bottom. With letters the square at the bottom left is a1.

use game::{Grid, Square};

use super::board::{Size, bits, column_of};

/// Where square 1 is and how the numbers go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Numbering {
    /// From the top left, as in most variants.
    TopLeft,
    /// The same on a board whose dark corner is at the bottom right.
    Mirrored,
    /// From the dark corner at the bottom right.
    BottomRight,
}

/// The names of the squares of one board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Squares {
    pub(super) size: Size,
    pub(super) numbering: Numbering,
    pub(super) algebraic: bool,
}

impl Squares {
    /// The number of a square, from 1.
    pub(super) fn number(self, bit: usize) -> usize {
        let (half, side) = (self.size.half(), self.size.side());
        let (row, place) = self.size.place(bit);
        1 + match self.numbering {
            Numbering::TopLeft => row * half + place,
            Numbering::Mirrored => row * half + half - 1 - place,
            Numbering::BottomRight => (side - 1 - row) * half + place,
        }
    }

    /// The square with a number.
    pub(super) fn of_number(self, number: usize) -> Option<usize> {
        let (half, side) = (self.size.half(), self.size.side());
        let (row, place) = (number.checked_sub(1)? / half, (number - 1) % half);
        (row < side).then(|| match self.numbering {
            Numbering::TopLeft => self.size.bit(row, place),
            Numbering::Mirrored => self.size.bit(row, half - 1 - place),
            Numbering::BottomRight => self.size.bit(side - 1 - row, place),
        })
    }

    /// All squares in the order of their numbers.
    pub(super) fn in_order(self) -> impl Iterator<Item = usize> {
        (1..=self.size.squares()).filter_map(move |number| self.of_number(number))
    }

    /// The board with its light squares.
    pub(super) fn grid(self) -> Grid {
        Grid { rows: self.size.side(), columns: self.size.side() }
    }

    /// Row, from the bottom, and column as they are drawn.
    pub(super) fn square(self, bit: usize) -> Square {
        let (row, place) = self.size.place(bit);
        let column = column_of(row, place);
        let last = self.size.side() - 1;
        let mirrored = self.numbering != Numbering::TopLeft;
        Square { row: last - row, column: if mirrored { last - column } else { column } }
    }

    /// The dark square at a row and column as they are drawn.
    pub(super) fn of_square(self, square: Square) -> Option<usize> {
        bits(self.size.all()).find(|&bit| self.square(bit) == square)
    }

    /// What a square is called in this variant.
    pub(super) fn name(self, bit: usize) -> String {
        if self.algebraic {
            self.grid().name(self.square(bit))
        } else {
            self.number(bit).to_string()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_squares() {
        for size in Size::ALL {
            for numbering in [Numbering::TopLeft, Numbering::Mirrored, Numbering::BottomRight] {
                let squares = Squares { size, numbering, algebraic: true };
                for bit in bits(size.all()) {
                    assert_eq!(squares.of_number(squares.number(bit)), Some(bit));
                    assert_eq!(squares.of_square(squares.square(bit)), Some(bit));
                }
                assert_eq!(squares.in_order().count(), size.squares());
                assert_eq!(squares.of_number(0), None);
                assert_eq!(squares.of_number(size.squares() + 1), None);
                assert_eq!(squares.of_number(usize::MAX), None);
            }
        }
    }

    #[test]
    fn well_known_squares() {
        let named = |size, numbering, number, name: &str| {
            let squares = Squares { size, numbering, algebraic: true };
            assert_eq!(
                squares.of_number(number).map(|bit| squares.name(bit)).as_deref(),
                Some(name)
            );
        };
        named(Size::Eight, Numbering::TopLeft, 1, "b8");
        named(Size::Eight, Numbering::TopLeft, 29, "a1");
        named(Size::Ten, Numbering::TopLeft, 50, "i1");
        named(Size::Eight, Numbering::Mirrored, 1, "a8");
        named(Size::Eight, Numbering::Mirrored, 32, "h1");
        named(Size::Eight, Numbering::BottomRight, 1, "h1");
        named(Size::Eight, Numbering::BottomRight, 32, "a8");
    }
}
