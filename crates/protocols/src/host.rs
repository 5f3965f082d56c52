//! [`Host`]: who lends an engine its games and players, and [`HostError`]: why it cannot.

use std::error::Error;
use std::fmt;
use std::ops::RangeInclusive;

use game::TextError;
use play::record::Games;
use play::{Player, PlayerError, Session, Timing};

/// The house an engine speaks for. Engines open games by name, since their fronts may change board and rules, and
/// ask for players by description, since fronts may change those too.
pub trait Host: Sync {
    /// A new game: `reversi:6x6`.
    ///
    /// # Errors
    /// Says what would be right.
    fn open(&self, spec: &str) -> Result<Box<dyn Session>, TextError>;

    /// Someone to play it: `hard`, `threads=2,hash=64`.
    ///
    /// # Errors
    /// If there is no such player, or no memory for it.
    fn player(&self, spec: &str, bot: &str) -> Result<Box<dyn Player>, HostError>;

    /// The Elo that players of a game can be asked for as `elo=N`; `None` if nobody has measured
    /// any.
    fn elo_range(&self, spec: &str) -> Option<RangeInclusive<u32>>;

    /// The largest table up to this size, in megabytes, that fits into memory.
    fn fitting_hash(&self, megabytes: u32) -> u32;

    /// How long things take in it, over so many games of this player, or a few.
    ///
    /// # Errors
    /// As [`player`](Host::player).
    fn time(&self, spec: &str, bot: &str, games: Option<usize>) -> Result<Timing, HostError>;

    /// The games in the text of a file, in the format of this one's players, up to the first thing that is wrong.
    ///
    /// # Errors
    /// If there is no such game, or its files are not read here.
    fn read_games(&self, spec: &str, text: &str) -> Result<Games, HostError>;
}

/// Why a host does not lend what it was asked for. Prints as one line.
#[derive(Debug)]
pub enum HostError {
    /// It has no such game.
    Game(TextError),
    /// The description of the player cannot be read.
    Bot(TextError),
    /// The player cannot be made, or failed.
    Player(PlayerError),
    /// It reads no files.
    NoFiles,
}

impl fmt::Display for HostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HostError::Game(error) => write!(f, "game {error}"),
            HostError::Bot(error) => write!(f, "bot {error}"),
            HostError::Player(error) => error.fmt(f),
            HostError::NoFiles => f.write_str("this engine reads no files; zermelo engine does"),
        }
    }
}

// What is wrapped is printed already: a source would say it twice.
impl Error for HostError {}

impl From<PlayerError> for HostError {
    fn from(error: PlayerError) -> HostError {
        HostError::Player(error)
    }
}
