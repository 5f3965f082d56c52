//! [`PlayerError`]: why there is no player, or no choice to be had of one.

use std::error::Error;
use std::{fmt, io};

use game::{Expected, TextError};

/// Why a player cannot be made as described, or has nothing to say. Prints as one line.
#[derive(Debug)]
pub enum PlayerError {
    /// A game, position or move that was given to it is none.
    Text(TextError),
    /// No player of this game is as described; says what would be right.
    Unfit(Expected),
    /// There is no memory for a table of so many megabytes.
    Memory {
        /// What was asked for.
        megabytes: usize,
    },
    /// The system gives no thread to search with.
    Thread(io::Error),
    /// There is nothing to choose.
    GameOver,
    /// The search itself broke down.
    Search,
    /// Whoever chooses for it failed in a way of its own: an engine, a book, a file of weights.
    Other(Box<dyn Error + Send + Sync>),
}

impl PlayerError {
    /// Wraps the error of whoever chooses for a player.
    pub fn other(error: impl Error + Send + Sync + 'static) -> PlayerError {
        PlayerError::Other(Box::new(error))
    }
}

impl fmt::Display for PlayerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerError::Text(error) => error.fmt(f),
            PlayerError::Unfit(why) => why.fmt(f),
            PlayerError::Memory { megabytes } => write!(
                f,
                "there is no memory for a table of {megabytes} MB; a smaller --hash is right"
            ),
            PlayerError::Thread(error) => write!(f, "no thread to search with: {error}"),
            PlayerError::GameOver => f.write_str("the game is over"),
            PlayerError::Search => f.write_str("the search failed"),
            PlayerError::Other(error) => error.fmt(f),
        }
    }
}

// What is wrapped is printed already: a source would say it twice.
impl Error for PlayerError {}

impl From<Expected> for PlayerError {
    fn from(why: Expected) -> PlayerError {
        PlayerError::Unfit(why)
    }
}

impl From<TextError> for PlayerError {
    fn from(error: TextError) -> PlayerError {
        PlayerError::Text(error)
    }
}
