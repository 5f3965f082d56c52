//! [`Record`]: a whole game as a file tells it, and [`GameFile`]: the files of a family.
//!
//! One plain tree of text serves every format, so that front ends know none. Files are read by
//! [`portable`] (PGN, PDN), [`sgf`] and, for games without a format of their own, [`plain`], which play every move
//! they meet: what comes back is legal.

mod date;
pub mod plain;
pub mod portable;
pub mod sgf;
mod source;
mod tag;
mod walk;

use game::Notation;
use game::Side;
use game::TextError;

pub use date::Date;
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

    /// `None` if the game was drawn.
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

    /// Adds a tag that is not there yet.
    pub fn add_tag(&mut self, name: &str, value: String) {
        if self.tag(name).is_none() {
            self.tags.push((name.to_owned(), value));
        }
    }

    /// Takes over from the record that this game went on from: who, where and when, and what is said of the moves they
    /// share; how it ended too, if nothing else was played.
    pub fn go_on_from(&mut self, earlier: &Record) {
        if self.start != earlier.start {
            return;
        }
        let pairs = self.line.plies.iter().zip(&earlier.line.plies);
        let shared = pairs.take_while(|(own, other)| own.text == other.text).count();
        let same = shared == self.line.plies.len() && shared == earlier.line.plies.len();
        self.line.comment.clone_from(&earlier.line.comment);
        self.line.plies[..shared].clone_from_slice(&earlier.line.plies[..shared]);
        if same {
            self.result = self.result.or(earlier.result);
        }
        for (name, value) in &earlier.tags {
            if same || name != sgf::RESULT {
                self.add_tag(name, value.clone());
            }
        }
    }
}

/// The games of a file in its order, good ones and bad ones: the game with the number N is the N-th.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Games(Vec<Result<Record, FileError>>);

impl Games {
    /// How many games the file holds, bad ones too.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the file holds no game, not even a bad one.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The game with this number, counted from 1, or what is wrong with it.
    #[must_use]
    pub fn get(&self, number: usize) -> Option<Result<&Record, &FileError>> {
        self.0.get(number.checked_sub(1)?).map(Result::as_ref)
    }

    /// The games that could be read, each with its number.
    pub fn good(&self) -> impl Iterator<Item = (usize, &Record)> {
        (1..).zip(&self.0).filter_map(|(number, game)| Some((number, game.as_ref().ok()?)))
    }

    /// What is wrong with the others.
    pub fn bad(&self) -> impl Iterator<Item = &FileError> {
        self.0.iter().filter_map(|game| game.as_ref().err())
    }

    /// The games that could be read.
    #[must_use]
    pub fn into_good(self) -> Vec<Record> {
        self.0.into_iter().filter_map(Result::ok).collect()
    }

    /// Nothing behind the first bad game.
    #[must_use]
    pub fn until_bad(mut self) -> Games {
        let bad = self.0.iter().position(Result::is_err);
        self.0.truncate(bad.map_or(self.0.len(), |bad| bad + 1));
        self
    }
}

impl FromIterator<Result<Record, FileError>> for Games {
    fn from_iter<I: IntoIterator<Item = Result<Record, FileError>>>(games: I) -> Games {
        Games(games.into_iter().collect())
    }
}

/// Whole games in the files that players of the family exchange. A game for which nobody has made a format gets files
/// of [`plain`] moves without a line of its own: `impl GameFile for MyGame {}`.
pub trait GameFile: Notation {
    /// How such files' names end: `pgn`.
    const EXTENSION: &'static str = plain::EXTENSION;

    /// What stands between the numbers of a date.
    const DATE_SIGN: char = '-';

    /// The tags that name the first and the second player: `Black` and `White`, where the other does not begin.
    fn colours(&self) -> [&'static str; 2] {
        ["Black", "White"]
    }

    /// A move that was generated for this position, as people write it in such files: `Nf3`, where the usual text is for machines.
    fn write_for_people(&self, p: &Self::Position, m: Self::Move) -> String {
        self.write_move(p, m)
    }

    /// Reads a file. A bad game costs none of those behind it.
    fn read_games(&self, text: &str) -> Games {
        plain::read(self, text)
    }

    /// A game as it stands in a file.
    ///
    /// # Errors
    /// Names the first move or position of the record that this game does not allow.
    fn write_game(&self, record: &Record) -> Result<String, TextError> {
        plain::write(self, record)
    }
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
