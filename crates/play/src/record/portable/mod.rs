//! Files in the manner of PGN: tags in brackets, then moves with comments, glyphs and variations.
//! Chess writes them as PGN, draughts as PDN.

mod read;
mod text;
mod write;

use game::{Dialect, Notation, TextError};

use super::walk::{Steps, Walk};

pub use read::read;
pub use write::write;

/// What a family adds to the common form of these files.
pub trait Portable: Notation {
    /// The dialect its moves are written in.
    type Moves: Dialect<Self>;

    /// How a win of the first player, a draw and a win of the second are written.
    fn results(&self) -> [&'static str; 3];

    /// Tags that say which game this is.
    fn own_tags(&self) -> Vec<(&'static str, String)>;

    /// What is wrong with a tag in a file of this game, if it tells of another one.
    fn contradicts(&self, name: &str, value: &str) -> Option<String>;

    /// The number of the move about to be made, as written before it.
    fn move_number(&self, p: &Self::Position) -> u32;
}

/// A game of which a file is read or written, without its type.
trait Board: Steps {
    fn results(&self) -> [&'static str; 3];
    fn own_tags(&self) -> Vec<(&'static str, String)>;
    fn contradicts(&self, name: &str, value: &str) -> Option<String>;
    fn move_number(&self) -> u32;

    /// Begins at a position, and gives its usual text if it is not the usual start.
    fn set_position(&mut self, text: &str) -> Result<Option<String>, TextError>;

    /// Puts a move aside that is written in the dialect, or else in the usual text.
    fn read_move(&mut self, text: &str) -> Result<(), TextError>;

    /// Puts a move aside that is written in the usual text, and gives it in the dialect.
    fn translate_move(&mut self, text: &str) -> Result<String, TextError>;
}

impl<G: Portable> Board for Walk<'_, G> {
    fn results(&self) -> [&'static str; 3] {
        self.game.results()
    }

    fn own_tags(&self) -> Vec<(&'static str, String)> {
        self.game.own_tags()
    }

    fn contradicts(&self, name: &str, value: &str) -> Option<String> {
        self.game.contradicts(name, value)
    }

    fn move_number(&self) -> u32 {
        self.game.move_number(&self.position)
    }

    fn set_position(&mut self, text: &str) -> Result<Option<String>, TextError> {
        let position = self.game.read_position(text)?;
        Ok(self.begin_at(position))
    }

    fn read_move(&mut self, text: &str) -> Result<(), TextError> {
        let (game, p) = (self.game, &self.position);
        let usual = |error| game.read_move(p, text).map_err(|_| error);
        let m = G::Moves::read_move(game, p, text).or_else(usual)?;
        self.put_aside(m);
        Ok(())
    }

    fn translate_move(&mut self, text: &str) -> Result<String, TextError> {
        let m = self.game.read_move(&self.position, text)?;
        self.put_aside(m);
        Ok(G::Moves::write_move(self.game, &self.position, m))
    }
}

/// The tags every game has, as the PGN standard orders them, and what stands for "unknown". `Result`
/// comes last.
const ROSTER: [(&str, &str); 6] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
];
