//! [`Record`]: a whole game as a file tells it, and [`GameFile`]: the files of a family.
//!
//! One plain tree of text serves every format, so that front ends know none. Files are read by
//! [`portable`] (PGN, PDN) and [`sgf`], which play every move they meet: what comes back is legal.

pub mod portable;
pub mod sgf;
mod source;
mod walk;

use crate::notation::Notation;
use crate::rules::Side;
use crate::text_error::TextError;

pub use source::FileError;

/// A game somebody wrote down.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Who, where and when: `Event`, `White`, …, without what the other fields tell.
    pub tags: Vec<(String, String)>,
    /// The first position in the game's usual text, if it is not the usual start.
    pub start: Option<String>,
    /// What was played.
    pub line: Line,
    /// Who won, if the record says so.
    pub result: Option<Verdict>,
}

/// Moves one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// What is said before the first move.
    pub comment: String,
    /// The moves.
    pub plies: Vec<Ply>,
}

/// A move and what is said about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ply {
    /// The move in the game's usual text.
    pub text: String,
    /// Numeric annotation glyphs: 1 is `!`, 2 is `?`, as the PGN standard numbers them.
    pub glyphs: Vec<u8>,
    /// What is said after the move.
    pub comment: String,
    /// What might have been played instead.
    pub variations: Vec<Line>,
}

/// Who won a game that is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The player who moved first.
    First,
    /// Nobody.
    Draw,
    /// The other one.
    Second,
}

impl Verdict {
    /// The verdict for a first player's margin.
    #[must_use]
    pub fn of_margin(margin: i32) -> Verdict {
        match margin.signum() {
            1 => Verdict::First,
            -1 => Verdict::Second,
            _ => Verdict::Draw,
        }
    }

    /// The winner.
    #[must_use]
    pub fn winner(self) -> Option<Side> {
        match self {
            Verdict::First => Some(Side::First),
            Verdict::Draw => None,
            Verdict::Second => Some(Side::Second),
        }
    }
}

impl Record {
    /// The value of a tag.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// What was read from a file: all games before the first thing that could not be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Games {
    /// The good games.
    pub games: Vec<Record>,
    /// Where reading stopped and why, if not at the end.
    pub error: Option<FileError>,
}

/// Whole games in the files that players of the family exchange.
pub trait GameFile: Notation {
    /// How such files' names end: `pgn`.
    const EXTENSION: &'static str;

    /// The tags that name the first and the second player: `Black` and `White`, where the other does not begin.
    fn colours(&self) -> [&'static str; 2] {
        ["Black", "White"]
    }

    /// A move that was generated for this position, as people write it in such files: `Nf3`, where the usual text is for machines.
    fn write_for_people(&self, p: &Self::Position, m: Self::Move) -> String {
        self.write_move(p, m)
    }

    /// Reads a file up to the first thing that is wrong.
    fn read_games(&self, text: &str) -> Games;

    /// A game as it stands in a file.
    ///
    /// # Errors
    /// Names the first move or position of the record that this game does not allow.
    fn write_game(&self, record: &Record) -> Result<String, TextError>;
}

/// Comments of one place in one string, with single spaces and nothing a terminal would obey.
fn add_comment(to: &mut String, words: &str) {
    let is_space = |c: char| c.is_whitespace() || c.is_control();
    for word in words.split(is_space).filter(|word| !word.is_empty()) {
        if !to.is_empty() {
            to.push(' ');
        }
        to.push_str(word);
    }
}
