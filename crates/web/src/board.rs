//! Boards and moves as the page draws them. The page knows no rules: which squares a move touches is
//! read here from the move's own text.

use game::{Diagram, Mark, RowOne, Side, Square};
use serde::Serialize;

/// A board. Squares are numbered row by row from row 1, column by column from the left.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Board {
    rows: usize,
    columns: usize,
    /// Where row 1 is: `top` or `bottom`.
    row_one: &'static str,
    column_names: Vec<String>,
    /// The numbers of squares, where squares have numbers.
    numbers: Option<Vec<Option<usize>>>,
    /// What stands on each square, a letter each.
    glyphs: String,
    /// Whose that is: `1`, `2` or `.`.
    owners: String,
    /// Where the last move went.
    last: Vec<usize>,
    /// The winning line.
    line: Vec<usize>,
}

impl Board {
    pub(crate) fn new(diagram: &Diagram) -> Board {
        let grid = diagram.grid();
        let owner = |square| match diagram.cell(square).owner {
            Some(Side::First) => '1',
            Some(Side::Second) => '2',
            None => '.',
        };
        let marked = |mark| diagram.marked(mark).map(|square| grid.index(square)).collect();
        let numbers: Vec<Option<usize>> = grid.iter().map(|s| diagram.number(s)).collect();
        Board {
            rows: grid.rows,
            columns: grid.columns,
            row_one: match diagram.row_one() {
                RowOne::Top => "top",
                RowOne::Bottom => "bottom",
            },
            column_names: diagram.columns().to_vec(),
            numbers: numbers.iter().any(Option::is_some).then_some(numbers),
            glyphs: grid.iter().map(|square| diagram.cell(square).glyph).collect(),
            owners: grid.iter().map(owner).collect(),
            last: marked(Mark::Last),
            line: marked(Mark::Line),
        }
    }
}

/// A move and the squares it names, in the order a hand would touch them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Move {
    pub(crate) text: String,
    /// None for a pass.
    pub(crate) squares: Vec<usize>,
    /// What the text says after the squares: the letter of a promotion.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) tail: String,
}

/// The names of a board's squares.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    diagram: Diagram,
    /// Squares by number, where they have numbers.
    by_number: Vec<(usize, usize)>,
}

impl Names {
    pub(crate) fn new(diagram: Diagram) -> Names {
        let numbered = |s: Square| Some((diagram.number(s)?, diagram.grid().index(s)));
        let by_number = diagram.grid().iter().filter_map(numbered).collect();
        Names { diagram, by_number }
    }

    /// Finds the squares in a move's text: `e7e8q`, `25x14`, `c3:e5`, `D4`, `pass`.
    pub(crate) fn outline(&self, text: &str) -> Move {
        let (mut squares, mut rest) = (Vec::new(), text);
        while let Some((square, after)) = self.next_square(rest) {
            squares.push(square);
            rest = after;
        }
        let tail = if squares.is_empty() { "" } else { rest };
        Move { text: text.to_owned(), squares, tail: tail.to_owned() }
    }

    fn next_square<'t>(&self, text: &'t str) -> Option<(usize, &'t str)> {
        if !self.by_number.is_empty() {
            let text = text.trim_start_matches(|c: char| !c.is_ascii_digit());
            let (digits, after) = split_while(text, |c| c.is_ascii_digit());
            let number: usize = digits.parse().ok()?;
            let (_, square) = self.by_number.iter().find(|(known, _)| *known == number)?;
            return Some((*square, after));
        }
        let text = text.trim_start_matches(['-', ':']);
        let (letters, after) = split_while(text, |c| c.is_ascii_alphabetic());
        let (digits, after) = split_while(after, |c| c.is_ascii_digit());
        let grid = self.diagram.grid();
        let column = self.diagram.columns().iter().position(|name| name == letters)?;
        let row = digits.parse::<usize>().ok()?.checked_sub(1).filter(|&row| row < grid.rows)?;
        Some((grid.index(Square { row, column }), after))
    }
}

fn split_while(text: &str, belongs: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c| !belongs(c)).unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_legal_move_of_every_family_has_its_squares() {
        for (game, text, squares, tail) in [
            ("tictactoe", "b3", vec![7], ""),
            ("mnk:4x30,k=4", "ad2", vec![59], ""),
            ("connect4", "d1", vec![3], ""),
            ("othello", "f5", vec![37], ""),
            ("othello", "pass", vec![], ""),
            ("go:9x9", "J9", vec![80], ""),
            ("go", "pass", vec![], ""),
            ("chess", "e2e4", vec![12, 28], ""),
            ("chess", "e7e8q", vec![52, 60], "q"),
            ("draughts:russian", "c3-d4", vec![18, 27], ""),
            ("draughts:russian", "c3:e5:g7", vec![18, 36, 54], ""),
            ("draughts:international", "31-27", vec![31, 42], ""),
        ] {
            let names = Names::new(catalog::open(game).unwrap().diagram());
            let expected = Move { text: text.to_owned(), squares, tail: tail.to_owned() };
            assert_eq!(names.outline(text), expected, "{game}");
        }
    }

    #[test]
    fn moves_begin_on_ones_own_piece_where_pieces_move() {
        for game in ["chess", "draughts:english", "draughts:international", "draughts:czech"] {
            let bench = catalog::open(game).unwrap();
            let names = Names::new(bench.diagram());
            let board = Board::new(&bench.diagram());
            for text in bench.moves() {
                let squares = names.outline(&text).squares;
                assert_eq!(squares.len(), 2, "{game} {text}");
                assert_eq!(board.owners.as_bytes()[squares[0]], b'1', "{game} {text}");
                assert_eq!(board.owners.as_bytes()[squares[1]], b'.', "{game} {text}");
            }
        }
    }
}
