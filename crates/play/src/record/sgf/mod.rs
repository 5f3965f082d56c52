//! SGF files (`FF[4]`): Go's own, and what Gomoku and Othello players use too. Black is the first player.
//!
//! Points are two letters, the column from the left and the row from the top, as long as letters last
//! (52); larger boards, which the standard does not know, write a square as the game does.

mod read;
mod text;
mod write;

use game::{Grid, Notation, RowOne, Side, Spec, Square, TextError};

use crate::record::Verdict;
use crate::record::walk::{Steps, Walk};
use crate::stones::Stones;

pub use read::read;
pub use write::write;

/// What a family adds to the common form of these files.
pub trait SgfGame: Notation + Stones {
    /// The standard's number of the game: 1 Go, 2 Othello, 4 Gomoku.
    const NUMBER: u32;
    /// Where row 1 is drawn.
    const ROW_ONE: RowOne;

    /// Properties of the first node that say which game this is, other than `GM` and `SZ`. A record
    /// that has them otherwise keeps its own. By default the rules are the game's own text.
    fn own_properties(&self) -> Vec<(&'static str, String)> {
        vec![("RU", self.spec())]
    }

    /// What is wrong with such a property in a file of this game, if it tells of another one. By
    /// default rules that are a text of this family must be those of this game.
    fn contradicts(&self, name: &str, value: &str) -> Option<String> {
        let spec = self.spec();
        let same_family = value.contains(':') && Spec::family_of(value) == Spec::family_of(&spec);
        let another = name == "RU" && same_family && value != spec;
        another.then(|| format!("these are the rules of another game than {spec}"))
    }

    /// The usual text of the move to a square, or of a pass.
    fn move_text(&self, square: Option<Square>) -> String;

    /// A move of the other side that files leave out before this one: a side may play twice in a row.
    fn turn_left_out(&self, p: &Self::Position, text: &str) -> Option<Self::Move> {
        self.left_out(p, text)
    }

    /// The position with these stones and nothing else; who moves next may be left to the rules.
    ///
    /// # Errors
    /// If the rules cannot go on from there.
    fn set_up(
        &self,
        stones: &[(Square, Side)],
        to_move: Option<Side>,
    ) -> Result<Self::Position, TextError>;
}

/// A game of which a file is read or written, without its type.
trait Board: Steps {
    fn rules(&self) -> Rules;
    fn own_properties(&self) -> Vec<(&'static str, String)>;
    fn contradicts(&self, name: &str, value: &str) -> Option<String>;
    fn move_text(&self, square: Option<Square>) -> String;
    fn stone(&self, square: Square) -> Option<Side>;
    fn is_over(&self) -> bool;

    /// Begins at a position.
    fn set_position(&mut self, text: &str) -> Result<(), TextError>;

    /// Begins with these stones, and gives the position's usual text if it is not the usual start.
    fn set_up(
        &mut self,
        stones: &[(Square, Side)],
        to_move: Option<Side>,
    ) -> Result<Option<String>, TextError>;

    /// Puts a move aside and says where it goes.
    fn read_move(&mut self, text: &str) -> Result<Option<Square>, TextError>;

    /// Puts a move aside that files leave out before this one; false if there is none.
    fn read_left_out(&mut self, text: &str) -> bool;
}

/// What files say of the game itself.
struct Rules {
    spec: String,
    number: u32,
    points: PointNames,
}

/// How the points of a board are written.
#[derive(Clone, Copy)]
struct PointNames {
    grid: Grid,
    row_one: RowOne,
}

impl<G: SgfGame> Board for Walk<'_, G> {
    fn rules(&self) -> Rules {
        let points = PointNames { grid: self.game.grid(), row_one: G::ROW_ONE };
        Rules { spec: self.game.spec(), number: G::NUMBER, points }
    }

    fn own_properties(&self) -> Vec<(&'static str, String)> {
        self.game.own_properties()
    }

    fn contradicts(&self, name: &str, value: &str) -> Option<String> {
        self.game.contradicts(name, value)
    }

    fn move_text(&self, square: Option<Square>) -> String {
        self.game.move_text(square)
    }

    fn stone(&self, square: Square) -> Option<Side> {
        self.game.stone(&self.position, square)
    }

    fn is_over(&self) -> bool {
        self.game.margin(&self.position).is_some()
    }

    fn set_position(&mut self, text: &str) -> Result<(), TextError> {
        let position = self.game.read_position(text)?;
        self.begin_at(position);
        Ok(())
    }

    fn set_up(
        &mut self,
        stones: &[(Square, Side)],
        to_move: Option<Side>,
    ) -> Result<Option<String>, TextError> {
        let position = self.game.set_up(stones, to_move)?;
        Ok(self.begin_at(position))
    }

    fn read_move(&mut self, text: &str) -> Result<Option<Square>, TextError> {
        let m = self.game.read_move(&self.position, text)?;
        self.put_aside(m);
        Ok(self.game.square_of(m))
    }

    fn read_left_out(&mut self, text: &str) -> bool {
        let left_out = self.game.turn_left_out(&self.position, text);
        left_out.map(|m| self.put_aside(m)).is_some()
    }
}

/// Properties that other formats have too, and their names there.
const TAGS: [(&str, &str); 6] = [
    ("EV", "Event"),
    ("PC", "Site"),
    ("DT", "Date"),
    ("RO", "Round"),
    ("PW", "White"),
    ("PB", "Black"),
];

/// Properties of the first node that are written anew, so that they are no tags.
const DERIVED: [&str; 9] = ["FF", "CA", "AP", "ST", "GM", "SZ", "AB", "AW", "PL"];

/// Marks of good and bad moves and their glyphs.
const MARKS: [(&str, &str, u8); 6] =
    [("TE", "1", 1), ("BM", "1", 2), ("TE", "2", 3), ("BM", "2", 4), ("IT", "", 5), ("DO", "", 6)];

/// The result, kept as a tag since it tells more than who won.
pub(super) const RESULT: &str = "RE";

/// A point, or none for a pass.
fn read_point(points: PointNames, text: &str) -> Result<Option<Square>, TextError> {
    let PointNames { grid, .. } = points;
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    if grid.rows.max(grid.columns) > LETTERS.len() {
        return grid.read(text).map(Some);
    }
    let mut letters = text.bytes().map(|b| LETTERS.iter().position(|&letter| letter == b));
    let point = match (letters.next(), letters.next(), letters.next()) {
        (Some(Some(column)), Some(Some(row)), None) => Some((column, row)),
        _ => None,
    };
    match point {
        Some((column, row)) if column < grid.columns && row < grid.rows => {
            Ok(Some(Square { row: points.turned(row), column }))
        }
        // How programs of old wrote a pass.
        Some((19, 19)) if grid.rows.max(grid.columns) <= 19 => Ok(None),
        _ => {
            let last = |n: usize| char::from(LETTERS[n - 1]);
            let why = format!(
                "not a point of this board, which has aa to {}{}",
                last(grid.columns),
                last(grid.rows)
            );
            Err(TextError::new(text, why))
        }
    }
}

fn write_point(points: PointNames, square: Square) -> String {
    let PointNames { grid, .. } = points;
    if grid.rows.max(grid.columns) > LETTERS.len() {
        return grid.name(square);
    }
    let letter = |n: usize| char::from(LETTERS[n]);
    [letter(square.column), letter(points.turned(square.row))].iter().collect()
}

const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

impl PointNames {
    /// Rows counted from the top instead of from row 1, and back.
    fn turned(self, row: usize) -> usize {
        match self.row_one {
            RowOne::Top => row,
            RowOne::Bottom => self.grid.rows - 1 - row,
        }
    }
}

/// Whether a tag is a property that other programs may know: two capital letters.
fn is_property(tag: &str) -> bool {
    tag.len() == 2 && tag.bytes().all(|b| b.is_ascii_uppercase()) && !DERIVED.contains(&tag)
}

fn size_text(Grid { rows, columns }: Grid) -> String {
    if rows == columns { rows.to_string() } else { format!("{columns}:{rows}") }
}

fn verdict(text: &str) -> Option<Verdict> {
    match text.trim() {
        "0" | "Draw" | "draw" => Some(Verdict::Draw),
        won if won.starts_with("B+") => Some(Verdict::First),
        won if won.starts_with("W+") => Some(Verdict::Second),
        _ => None,
    }
}
