//! SGF files (`FF[4]`): Go's own, and what Gomoku and Othello players use too. Black is the first player.
//!
//! Points are two letters, the column from the left and the row from the top, as long as letters last
//! (52); larger boards, which the standard does not know, write a square as the game does.

mod read;
mod text;
mod write;

use game::{Grid, Notation, RowOne, Side, Spec, Square, TextError};

use crate::record::Verdict;
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
fn read_point<G: SgfGame>(grid: Grid, text: &str) -> Result<Option<Square>, TextError> {
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
            Ok(Some(Square { row: turned::<G>(grid, row), column }))
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

fn write_point<G: SgfGame>(grid: Grid, square: Square) -> String {
    if grid.rows.max(grid.columns) > LETTERS.len() {
        return grid.name(square);
    }
    let letter = |n: usize| char::from(LETTERS[n]);
    [letter(square.column), letter(turned::<G>(grid, square.row))].iter().collect()
}

const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// Rows counted from the top instead of from row 1, and back.
fn turned<G: SgfGame>(grid: Grid, row: usize) -> usize {
    match G::ROW_ONE {
        RowOne::Top => row,
        RowOne::Bottom => grid.rows - 1 - row,
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
