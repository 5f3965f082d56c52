//! The dialect of SGF files: two letters for a point, its column and then its row, with `aa` at the upper
//! left; nothing at all for a pass, or `tt` as older files have it. Positions and drawings are the usual
//! ones.

use game::{Diagram, Notation, Square, TextError, Usual};

use super::points::Points;
use super::position::{Go, Move, Position};

/// The dialect of SGF files.
#[derive(Clone, Copy, Debug)]
pub enum Sgf {}

const OLD_PASS: &str = "tt";

impl<S: Points> Notation<Sgf> for Go<S> {
    fn spec(&self) -> String {
        Notation::<Usual>::spec(self)
    }

    fn write_position(&self, p: &Position<S>) -> String {
        Notation::<Usual>::write_position(self, p)
    }

    fn read_position(&self, text: &str) -> Result<Position<S>, TextError> {
        Notation::<Usual>::read_position(self, text)
    }

    fn write_move(&self, _: &Position<S>, m: Move) -> String {
        let rows = self.parameters().size().rows;
        let letter = |number: usize| char::from(b'a' + number as u8);
        self.square(m).map_or_else(String::new, |Square { row, column }| {
            [letter(column), letter(rows - 1 - row)].iter().collect()
        })
    }

    fn read_move(&self, p: &Position<S>, text: &str) -> Result<Move, TextError> {
        let grid = self.parameters().size();
        let said = text.trim();
        if said.is_empty() || said == OLD_PASS {
            return self.checked(p, Move::PASS, text);
        }
        let square = match *said.as_bytes() {
            [column @ b'a'..=b'z', row @ b'a'..=b'z'] => {
                let column = usize::from(column - b'a');
                let row = grid.rows.checked_sub(usize::from(row - b'a') + 1);
                row.filter(|_| column < grid.columns).map(|row| Square { row, column })
            }
            _ => None,
        };
        let square = square.ok_or_else(|| {
            let letter = |side: usize| char::from(b'a' + (side - 1) as u8);
            let last = [letter(grid.columns), letter(grid.rows)].iter().collect::<String>();
            TextError::new(
                text,
                format!("not a point of this board, which has aa to {last}; nothing is a pass"),
            )
        })?;
        self.checked(p, self.move_at(square), text)
    }

    fn diagram(&self, p: &Position<S>, last: Option<Move>) -> Diagram {
        Notation::<Usual>::diagram(self, p, last)
    }
}
