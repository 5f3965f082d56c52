//! Files in the manner of PGN: tags in brackets, then moves with comments, glyphs and variations.
//! Chess writes them as PGN, draughts as PDN.

mod read;
mod text;
mod write;

use game::{Dialect, Notation};

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
