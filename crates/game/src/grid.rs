//! [`Grid`]: rows and columns, names of squares, and the symmetries of a rectangle. The board
//! arithmetic that families share.

use crate::shown::quote;
use crate::text_error::TextError;

/// A board of rows and columns.
///
/// ```
/// use game::{Grid, Square};
///
/// let grid = Grid::read_size("6x7")?;
/// let square = grid.read("d1")?;
/// assert_eq!(square, Square { row: 0, column: 3 });
/// assert_eq!(grid.index(square), 3);
/// assert_eq!(grid.name(grid.square(7)), "a2");
///
/// // Symmetry 1 turns columns round, symmetry 2 rows.
/// let mirrored = grid.transform(grid.read("a1")?, 1);
/// assert_eq!(grid.name(mirrored), "g1");
///
/// assert!(grid.read("h1").is_err());
/// # Ok::<(), game::TextError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grid {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
}

/// A square by row and column, both from 0; row 0 is the row that text calls 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square {
    /// From 0.
    pub row: usize,
    /// From 0.
    pub column: usize,
}

/// Where a family draws row 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowOne {
    /// As chess and Gomoku do.
    Bottom,
    /// As Reversi does.
    Top,
}

impl Grid {
    /// How many squares there are.
    #[must_use]
    pub fn squares(self) -> usize {
        self.rows * self.columns
    }

    /// Squares in reading order of their indices: row 0 first.
    pub fn iter(self) -> impl Iterator<Item = Square> {
        (0..self.squares()).map(move |index| self.square(index))
    }

    /// The number of a square: `row * columns + column`.
    #[inline]
    #[must_use]
    pub fn index(self, square: Square) -> usize {
        square.row * self.columns + square.column
    }

    /// The square of a number.
    #[inline]
    #[must_use]
    pub fn square(self, index: usize) -> Square {
        Square { row: index / self.columns, column: index % self.columns }
    }

    /// How many symmetries the empty board has: 8 if it is square, else 4.
    #[must_use]
    pub fn symmetries(self) -> usize {
        if self.rows == self.columns { 8 } else { 4 }
    }

    /// Where a symmetry takes a square. Bit 0 of its number turns columns round, bit 1 rows, and
    /// bit 2 then swaps rows with columns; number 0 changes nothing.
    #[inline]
    #[must_use]
    pub fn transform(self, square: Square, symmetry: usize) -> Square {
        debug_assert!(symmetry < self.symmetries());
        let Square { mut row, mut column } = square;
        if symmetry & 1 != 0 {
            column = self.columns - 1 - column;
        }
        if symmetry & 2 != 0 {
            row = self.rows - 1 - row;
        }
        if symmetry & 4 != 0 {
            std::mem::swap(&mut row, &mut column);
        }
        Square { row, column }
    }

    /// The name of a square: `c3`, `aa17`.
    #[must_use]
    pub fn name(self, square: Square) -> String {
        format!("{}{}", column_name(square.column), square.row + 1)
    }

    /// Reads the name of a square, in either case.
    pub fn read(self, text: &str) -> Result<Square, TextError> {
        let last = self.name(Square { row: self.rows - 1, column: self.columns - 1 });
        let wrong =
            || TextError::new(text, format!("not a square of this board, which has a1 to {last}"));
        let digits = text.find(|c: char| c.is_ascii_digit()).ok_or_else(wrong)?;
        let (letters, digits) = text.split_at(digits);
        let column = column_number(letters).filter(|&c| c < self.columns).ok_or_else(wrong)?;
        let plain = digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0');
        let row = digits.parse().ok().filter(|_| plain).filter(|r| (1..=self.rows).contains(r));
        Ok(Square { row: row.ok_or_else(wrong)? - 1, column })
    }

    /// Reads the name of a column, in either case.
    pub fn read_column(self, text: &str) -> Result<usize, TextError> {
        column_number(text).filter(|&c| c < self.columns).ok_or_else(|| {
            let last = column_name(self.columns - 1);
            TextError::new(text, format!("not a column of this board, which has a to {last}"))
        })
    }

    /// Row numbers from the top of a drawing downwards.
    pub fn rows_from_top(self, one: RowOne) -> impl Iterator<Item = usize> {
        (0..self.rows).map(move |i| if one == RowOne::Top { i } else { self.rows - 1 - i })
    }

    /// Reads `rows x columns`.
    pub fn read_size(text: &str) -> Result<Grid, TextError> {
        let number = |part: &str| {
            let plain = !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
            part.parse().ok().filter(|_| plain)
        };
        let sides = text.split_once('x').and_then(|(m, n)| Some((number(m)?, number(n)?)));
        let (rows, columns) = sides.ok_or_else(|| {
            TextError::new(
                text,
                format!("{} is not a size; write rows x columns, as in 6x7", quote(text)),
            )
        })?;
        Ok(Grid { rows, columns })
    }
}

/// a … z, aa, ab, …
#[must_use]
pub fn column_name(column: usize) -> String {
    let mut name = String::new();
    if column >= 26 {
        name.push_str(&column_name(column / 26 - 1));
    }
    name.push((b'a' + (column % 26) as u8) as char);
    name
}

fn column_number(letters: &str) -> Option<usize> {
    if letters.is_empty() || letters.len() > 3 {
        return None;
    }
    let digit =
        |b: u8| b.is_ascii_alphabetic().then(|| usize::from(b.to_ascii_lowercase() - b'a') + 1);
    letters.bytes().try_fold(0, |sum, b| Some(sum * 26 + digit(b)?)).map(|n| n - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        let grid = Grid { rows: 250, columns: 250 };
        for square in grid.iter() {
            assert_eq!(grid.read(&grid.name(square)), Ok(square));
        }
        assert_eq!(column_name(0), "a");
        assert_eq!(column_name(25), "z");
        assert_eq!(column_name(26), "aa");
        assert_eq!(column_name(249), "ip");
        assert_eq!(grid.read("IP250"), Ok(Square { row: 249, column: 249 }));
    }

    #[test]
    fn wrong_names_are_refused() {
        let grid = Grid { rows: 3, columns: 4 };
        for text in
            ["", "a", "3", "a0", "a4", "e1", "a01", "a+1", "a 1", "a1x", "é1", "1a", "aaaaaaaa1"]
        {
            assert!(grid.read(text).is_err(), "{text}");
        }
        for text in ["3", "3x", "x3", "3x3x3", "+3x3", "3X3", "99999999999999999999x3"] {
            assert!(Grid::read_size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn symmetries_are_permutations_and_differ() {
        for grid in [Grid { rows: 3, columns: 3 }, Grid { rows: 2, columns: 3 }] {
            let mut seen = Vec::new();
            for symmetry in 0..grid.symmetries() {
                let image: Vec<Square> = grid.iter().map(|s| grid.transform(s, symmetry)).collect();
                let mut sorted = image.clone();
                sorted.sort();
                assert!(sorted.iter().copied().eq(grid.iter()));
                assert!(!seen.contains(&image));
                seen.push(image);
            }
            assert!(seen[0].iter().copied().eq(grid.iter()));
        }
    }
}
