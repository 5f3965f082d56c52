//! The flags of the commands about files of games and the books made of them.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::values::{book_count, book_depth};

/// `zermelo record`.
#[derive(Args, Debug)]
pub(crate) struct Record {
    /// The game, as in chess, draughts:russian or go:9x9
    pub(crate) game: String,
    /// The file to read; - is standard input
    pub(crate) file: PathBuf,
    /// Write the games that could be read to this file; - is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Stop at the first game that cannot be read
    #[arg(long)]
    pub(crate) strict: bool,
}

/// `zermelo book`.
#[derive(Args, Debug)]
pub(crate) struct Book {
    #[command(subcommand)]
    pub(crate) command: BookCommand,
}

/// What to do with a book.
#[derive(Debug, Subcommand)]
pub(crate) enum BookCommand {
    /// Count what was played in the openings of games, and write it to a file
    ///
    /// Games are read in the game's own format, as by `zermelo record`. Those that cannot be read are named and left out.
    Build(BookBuild),
    /// List the moves that a book knows in a position, with how often they were played and how games ended
    Show(BookShow),
}

/// `zermelo book build`.
#[derive(Args, Debug)]
pub(crate) struct BookBuild {
    /// The game, as in chess, draughts:russian or go:9x9
    pub(crate) game: String,
    /// The file of games to read; - is standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) games: PathBuf,
    /// How many plies of each game count, 1 to 1000
    #[arg(long, value_name = "N", default_value = "16", value_parser = book_depth)]
    pub(crate) depth: usize,
    /// How many games must have come to a position
    #[arg(long, value_name = "K", default_value = "2", value_parser = book_count)]
    pub(crate) min_count: u32,
    /// The file to write the book to; - is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Stop at the first game that cannot be read
    #[arg(long)]
    pub(crate) strict: bool,
}

/// `zermelo book show`.
#[derive(Args, Debug)]
pub(crate) struct BookShow {
    /// The game, as in chess, draughts:russian or go:9x9
    pub(crate) game: String,
    /// The book; - is standard input
    pub(crate) file: PathBuf,
    /// The position to look at, instead of the start of the game
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    pub(crate) position: Option<String>,
    /// Moves to play first, as the game writes them
    #[arg(long, value_name = "M", allow_hyphen_values = true)]
    pub(crate) moves: Option<String>,
}
