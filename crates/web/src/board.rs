//! Boards and moves as the page draws them. The page knows no rules: which squares a move touches is
//! read here from the move's own text.

use std::collections::HashMap;

use compiled::CompiledSession;
use game::{Diagram, Grid, Mark, RowOne, Side, Square, TextError};
use serde::{Deserialize, Serialize, Serializer};

use crate::sheet::side_name;

/// Boards with more rows or columns than this are told in short.
pub(crate) const LONG_FORM: usize = 19;
/// What stands for an empty square on them.
const EMPTY: u8 = b'.';

/// A board. Squares are numbered row by row from row 1, column by column from the left.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Board {
    rows: usize,
    columns: usize,
    /// Where row 1 is: `top` or `bottom`.
    #[cfg_attr(test, ts(type = "\"top\" | \"bottom\""))]
    row_one: &'static str,
    column_names: Vec<String>,
    /// Who sits at the lower edge: `first` or `second`; null where the board looks the same from both sides.
    #[cfg_attr(test, ts(as = "Option<crate::typescript::SideName>"))]
    below: Option<&'static str>,
    /// The numbers of squares, where squares have numbers.
    numbers: Option<Vec<Option<usize>>>,
    /// What stands on each square, a letter each.
    #[cfg_attr(test, ts(as = "String"))]
    glyphs: Letters,
    /// Whose that is: `1`, `2` or `.`.
    #[cfg_attr(test, ts(as = "String"))]
    owners: Letters,
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
        let letters = |text: String| match is_large(grid) {
            true => Letters::Runs(text),
            false => Letters::Each(text),
        };
        Board {
            rows: grid.rows,
            columns: grid.columns,
            row_one: match diagram.row_one() {
                RowOne::Top => "top",
                RowOne::Bottom => "bottom",
            },
            column_names: diagram.columns().to_vec(),
            below: diagram.below().map(side_name),
            numbers: numbers.iter().any(Option::is_some).then_some(numbers),
            glyphs: letters(grid.iter().map(|square| diagram.cell(square).glyph).collect()),
            owners: letters(grid.iter().map(owner).collect()),
            last: marked(Mark::Last),
            line: marked(Mark::Line),
        }
    }

    /// Whether it is told in short.
    pub(crate) fn is_large(&self) -> bool {
        matches!(self.glyphs, Letters::Runs(_))
    }

    /// Whether these are the moves to all empty squares of a large board, in order: tens of thousands that
    /// nobody needs to be told.
    pub(crate) fn is_free_to_all(&self, names: &Names, moves: &[String]) -> bool {
        let Letters::Runs(glyphs) = &self.glyphs else { return false };
        let mut empty = (0..).zip(glyphs.bytes()).filter(|(_, glyph)| *glyph == EMPTY);
        !moves.is_empty()
            && moves.iter().all(|text| {
                let named = names.next_square(text).filter(|(_, rest)| rest.is_empty());
                named.map(|(square, _)| square) == empty.next().map(|(square, _)| square)
            })
            && empty.next().is_none()
    }
}

fn is_large(grid: Grid) -> bool {
    grid.rows.max(grid.columns) > LONG_FORM
}

/// A letter for each square.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Letters {
    /// Told one by one.
    Each(String),
    /// Told as runs: a letter, how often if more than once, a blank; and so on.
    Runs(String),
}

impl Serialize for Letters {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Letters::Each(text) => serializer.serialize_str(text),
            Letters::Runs(text) => serializer.serialize_str(&runs(text)),
        }
    }
}

fn runs(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let run = |run: &[char]| match run.len() {
        1 => run[0].to_string(),
        n => format!("{}{n}", run[0]),
    };
    let runs: Vec<String> = letters.chunk_by(|a, b| a == b).map(run).collect();
    runs.join(" ")
}

/// A move and the squares it names, in the order a hand would touch them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Move {
    pub(crate) text: String,
    /// None for a pass.
    pub(crate) squares: Vec<usize>,
    /// What the text says after the squares: the letter of a promotion.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    #[cfg_attr(test, ts(as = "Option<String>", optional))]
    pub(crate) tail: String,
}

/// A move, and how people write it where it is played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Spoken {
    #[serde(flatten)]
    pub(crate) outline: Move,
    pub(crate) notation: String,
}

/// Plays a move, and says how people write it and whose it was.
pub(crate) fn spoken_on(
    session: &mut dyn CompiledSession,
    names: &Names,
    text: &str,
) -> Result<(Spoken, Side), TextError> {
    let (mover, notation) = (session.to_move(), session.for_people(text));
    let text = session.play(text)?;
    let notation = notation.unwrap_or_else(|_| text.clone());
    Ok((Spoken { outline: names.outline(&text), notation }, mover))
}

/// The names of a board's squares.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    grid: Grid,
    columns: HashMap<String, usize>,
    /// Squares by number, where they have numbers.
    by_number: Vec<(usize, usize)>,
}

impl Names {
    pub(crate) fn new(diagram: &Diagram) -> Names {
        let grid = diagram.grid();
        let numbered = |s: Square| Some((diagram.number(s)?, grid.index(s)));
        let by_number = grid.iter().filter_map(numbered).collect();
        let columns = diagram.columns().iter().cloned().zip(0..).collect();
        Names { grid, columns, by_number }
    }

    /// A square by its number, if the board has it.
    pub(crate) fn square(&self, index: usize) -> Option<Square> {
        (index < self.grid.squares()).then(|| self.grid.square(index))
    }

    /// The number of a square.
    pub(crate) fn index(&self, square: Square) -> usize {
        self.grid.index(square)
    }

    /// Whether the board is told in short.
    pub(crate) fn is_large(&self) -> bool {
        is_large(self.grid)
    }

    /// A move as it is written already.
    pub(crate) fn plain(&self, text: &str) -> Spoken {
        Spoken { outline: self.outline(text), notation: text.to_owned() }
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
        let column = *self.columns.get(letters)?;
        let row =
            digits.parse::<usize>().ok()?.checked_sub(1).filter(|&row| row < self.grid.rows)?;
        Some((self.grid.index(Square { row, column }), after))
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
            let names = Names::new(&catalog::open(game).unwrap().session().diagram());
            let expected = Move { text: text.to_owned(), squares, tail: tail.to_owned() };
            assert_eq!(names.outline(text), expected, "{game}");
        }
    }

    #[test]
    fn moves_begin_on_ones_own_piece_where_pieces_move() {
        for game in ["chess", "draughts:english", "draughts:international", "draughts:czech"] {
            let session = catalog::open(game).unwrap().session();
            let names = Names::new(&session.diagram());
            let board = Board::new(&session.diagram());
            let Letters::Each(owners) = &board.owners else { panic!("{game} is small") };
            for text in session.moves() {
                let squares = names.outline(&text).squares;
                assert_eq!(squares.len(), 2, "{game} {text}");
                assert_eq!(owners.as_bytes()[squares[0]], b'1', "{game} {text}");
                assert_eq!(owners.as_bytes()[squares[1]], b'.', "{game} {text}");
            }
        }
    }
    #[test]
    fn large_boards_are_told_in_short() {
        assert_eq!(runs("....11.  2"), ".4 12 .  2 2");
        let state = |game: &str, moves: &str| {
            let mut session = catalog::open(game).unwrap().session();
            session.play_all(moves).unwrap();
            let board = Board::new(&session.diagram());
            let free = board.is_free_to_all(&Names::new(&session.diagram()), &session.moves());
            (serde_json::to_value(&board).unwrap(), free)
        };
        let (board, free) = state("mnk:250x250,k=5", "b1 c1 ip250");
        assert_eq!((board["glyphs"].as_str(), free), (Some(". x o .62496 x"), true));
        assert_eq!(board["owners"], ". 1 2 .62496 1");
        let (board, free) = state("mnk:20x20,k=5,gravity", "b1 c1");
        assert_eq!((board["glyphs"].as_str(), free), (Some(". x o .397"), false));
        let (board, free) = state("mnk:19x19,k=5", "b1");
        assert_eq!((board["glyphs"].as_str().map(str::len), free), (Some(361), false));
    }
}
