//! Strong solving: every position that can come up, with what it is worth and how far the end is, kept in a table.
//!
//! A *tier* is all positions after so many plies, one for each class of mirror images. [`by_tiers`] goes forward from tier to tier until all games are
//! over, and then back: what a position is worth follows from the tier after it. That needs games that end by themselves, whatever is played, and
//! positions whose worth does not depend on what came before. What is found can be written as a [`Tablebase`] (`docs/tables.md`).
//!
//! **Invariants:** positions are compared as a whole, so that nothing rests on keys that happen to be different; in a table no two positions share a key.

mod build;
mod tablebase;
mod worth;

pub use build::{Direction, Solid, Tiering, TieringProgress, by_tiers};
pub use tablebase::{Tablebase, TablebaseError, file_name};
pub use worth::Worth;

/// Why a game cannot be solved by tiers. Prints as one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StrongError {
    /// Values depend on the path.
    #[error(
        "the rules of this game look back, so that its positions have no values of their own to keep"
    )]
    LooksBack,
    /// Whole boards that live on the heap are too many bytes each.
    #[error("the board of this game is too large for a table of all its positions")]
    Large,
    /// Nobody makes games end.
    #[error(
        "games of these rules may last more than {0} plies or for ever, so that there is no last tier"
    )]
    Endless(usize),
    /// There are more positions than memory.
    #[error(
        "{positions} positions, and more to come, do not fit {megabytes} MB (--hash gives more)"
    )]
    Full {
        /// How many there were.
        positions: u64,
        /// How much there was.
        megabytes: usize,
    },
    /// The keys of this game are no names.
    #[error("two positions share the key {0:016x}, so that no table can tell them apart")]
    Clash(u64),
    /// Somebody said so, or the nodes were used up.
    #[error("stopped before the last position was solved")]
    Stopped,
    /// A move leads to where no move led before.
    #[error("a position is missing from its tier: this is a fault of the program")]
    Contradiction,
}
