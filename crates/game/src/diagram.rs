//! [`Diagram`]: a board as people look at it, for terminals and pages.

use std::fmt;

use crate::grid::{Grid, RowOne, Square, column_name};
use crate::rules::Side;

/// Why a square stands out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mark {
    /// It does not.
    #[default]
    None,
    /// The last move went there.
    Last,
    /// It belongs to the winning line.
    Line,
}

/// One square of a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The piece, or what stands for an empty square.
    pub glyph: char,
    /// Why it stands out.
    pub mark: Mark,
    /// Whose piece it is, if there is one.
    pub owner: Option<Side>,
}

/// A drawn board: cells by row number and column number, with row 1 at the bottom or the top.
///
/// ```
/// use game::{Diagram, Grid, RowOne, Square};
///
/// let grid = Grid { rows: 2, columns: 3 };
/// let stone = Square { row: 0, column: 1 };
/// let drawn = Diagram::new(grid, RowOne::Bottom, |square| if square == stone { 'x' } else { '.' });
/// let lines: Vec<String> = drawn.to_string().lines().map(|line| line.trim_end().into()).collect();
/// assert_eq!(lines, ["  a  b  c", "2 .  .  .", "1 .  x  ."]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    grid: Grid,
    row_one: RowOne,
    columns: Vec<String>,
    /// Empty unless squares have numbers.
    numbers: Vec<Option<usize>>,
    cells: Vec<Cell>,
    /// Who sits at its lower edge, where the board has an edge for each side.
    below: Option<Side>,
    turned: bool,
}

impl Diagram {
    /// Draws every square by its glyph.
    pub fn new(grid: Grid, row_one: RowOne, glyph: impl Fn(Square) -> char) -> Diagram {
        let cells =
            grid.iter().map(|s| Cell { glyph: glyph(s), mark: Mark::None, owner: None }).collect();
        let columns = (0..grid.columns).map(column_name).collect();
        Diagram { grid, row_one, columns, numbers: Vec::new(), cells, below: None, turned: false }
    }

    /// Names the columns in another way: Go has no column I.
    #[must_use]
    pub fn with_columns(mut self, name: impl Fn(usize) -> String) -> Diagram {
        self.columns = (0..self.grid.columns).map(name).collect();
        self
    }

    /// Shows the numbers of squares beside the board: draughts players name squares by them.
    #[must_use]
    pub fn with_numbers(mut self, number: impl Fn(Square) -> Option<usize>) -> Diagram {
        self.numbers = self.grid.iter().map(number).collect();
        self
    }

    /// Says whose pieces these are.
    #[must_use]
    pub fn with_owners(mut self, owner: impl Fn(Square) -> Option<Side>) -> Diagram {
        for (square, cell) in self.grid.iter().zip(&mut self.cells) {
            cell.owner = owner(square);
        }
        self
    }

    /// Says who sits at the lower edge: their pieces begin there and move up.
    #[must_use]
    pub fn with_below(mut self, side: Side) -> Diagram {
        self.below = Some(side);
        self
    }

    /// Is drawn as who sits at the other side of the board sees it.
    #[must_use]
    pub fn turned(mut self) -> Diagram {
        self.turned = !self.turned;
        self
    }

    /// Makes a square stand out.
    pub fn mark(&mut self, square: Square, mark: Mark) {
        self.cells[self.grid.index(square)].mark = mark;
    }

    /// The board's size.
    #[must_use]
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// Where row 1 is.
    #[must_use]
    pub fn row_one(&self) -> RowOne {
        self.row_one
    }

    /// The names of the columns, from the left.
    #[must_use]
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The number of a square, where squares have numbers.
    #[must_use]
    pub fn number(&self, square: Square) -> Option<usize> {
        self.numbers.get(self.grid.index(square)).copied().flatten()
    }

    /// Who sits at the lower edge; nobody where the board looks the same from both sides.
    #[must_use]
    pub fn below(&self) -> Option<Side> {
        self.below
    }

    /// One square.
    #[must_use]
    pub fn cell(&self, square: Square) -> Cell {
        self.cells[self.grid.index(square)]
    }

    /// Squares that stand out for a reason.
    pub fn marked(&self, mark: Mark) -> impl Iterator<Item = Square> + '_ {
        self.grid.iter().filter(move |&s| self.cell(s).mark == mark)
    }
}

impl Diagram {
    /// Draws the board as text; `paint` may add to each square, which it is given with its text, what changes no
    /// width: colours.
    pub fn draw(&self, paint: impl Fn(Cell, &str) -> String) -> String {
        let Grid { rows, columns } = self.grid;
        let margin = rows.to_string().len();
        let width = self.columns.iter().map(String::len).max().unwrap_or(1) + 2;
        let mut text = " ".repeat(margin);
        let from_left = self.seen((0..columns).collect());
        for &column in &from_left {
            text += &format!("{:^width$}", self.columns[column]);
        }
        for row in self.seen(self.grid.rows_from_top(self.row_one).collect()) {
            text += &format!("\n{:>margin$}", row + 1);
            for &column in &from_left {
                let cell = self.cell(Square { row, column });
                let glyph = cell.glyph;
                let drawn = match cell.mark {
                    Mark::None => format!(" {glyph} "),
                    Mark::Last => format!("[{glyph}]"),
                    Mark::Line => format!("({glyph})"),
                };
                text += &paint(cell, &format!("{drawn:^width$}"));
            }
            if !self.numbers.is_empty() {
                text += "  ";
            }
            for &column in from_left.iter().take(self.numbers.len()) {
                match self.number(Square { row, column }) {
                    Some(number) => text += &format!("{number:>3}"),
                    None => text += "   ",
                }
            }
        }
        text
    }

    /// Rows or columns in the order in which they are seen.
    fn seen(&self, mut order: Vec<usize>) -> Vec<usize> {
        if self.turned {
            order.reverse();
        }
        order
    }
}

/// Plain text: the last move in `[ ]`, the winning line in `( )`.
impl fmt::Display for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.draw(|_, text| text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_rows_from_either_end() {
        let grid = Grid { rows: 2, columns: 3 };
        let glyph = |s: Square| if s.row == 0 { 'x' } else { '.' };
        let mut diagram = Diagram::new(grid, RowOne::Bottom, glyph);
        diagram.mark(Square { row: 0, column: 1 }, Mark::Last);
        diagram.mark(Square { row: 0, column: 2 }, Mark::Line);
        assert_eq!(diagram.to_string(), "  a  b  c \n2 .  .  . \n1 x [x](x)");
        assert_eq!(
            Diagram::new(grid, RowOne::Top, glyph).to_string(),
            "  a  b  c \n1 x  x  x \n2 .  .  . "
        );
        let numbered = Diagram::new(grid, RowOne::Top, glyph)
            .with_numbers(|s| (s.column != 1).then_some(10 * s.row + s.column));
        assert_eq!(
            numbered.to_string(),
            "  a  b  c \n1 x  x  x     0     2\n2 .  .  .    10    12"
        );
        assert_eq!(
            numbered.turned().to_string(),
            "  c  b  a \n2 .  .  .    12    10\n1 x  x  x     2     0"
        );
        assert_eq!(diagram.clone().turned().to_string(), "  c  b  a \n1(x)[x] x \n2 .  .  . ");
        assert_eq!(diagram.clone().turned().turned(), diagram);
        let named =
            Diagram::new(grid, RowOne::Top, glyph).with_columns(|i| "AHJ"[i..=i].to_owned());
        assert_eq!(named.to_string(), "  A  H  J \n1 x  x  x \n2 .  .  . ");
    }
}
