//! [`CommandError`]: why a front's command is refused, and [`PositionError`]: why a position is.

use std::borrow::Cow;
use std::fmt;

use game::{Expected, TextError, quote};
use play::PlayerError;

use crate::host::HostError;

/// Why an engine does not do what its front asks for, as it is said to the front in one line.
#[derive(Debug)]
pub(crate) enum CommandError {
    /// The command does not fit: what the protocol, or we, say to that.
    Refused(Cow<'static, str>),
    /// A game, position or move in it is none.
    Text(TextError),
    /// The host has no such game or player.
    Host(HostError),
    /// A file that it names cannot be loaded.
    Load(Box<CommandError>),
}

impl CommandError {
    /// The file could not be loaded for this reason.
    pub(crate) fn load(why: impl Into<CommandError>) -> CommandError {
        CommandError::Load(Box::new(why.into()))
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandError::Refused(why) => f.write_str(why),
            CommandError::Text(error) => error.fmt(f),
            CommandError::Host(error) => error.fmt(f),
            CommandError::Load(why) => write!(f, "cannot load file: {why}"),
        }
    }
}

impl std::error::Error for CommandError {}

impl From<&'static str> for CommandError {
    fn from(why: &'static str) -> CommandError {
        CommandError::Refused(Cow::Borrowed(why))
    }
}

impl From<String> for CommandError {
    fn from(why: String) -> CommandError {
        CommandError::Refused(Cow::Owned(why))
    }
}

impl From<Expected> for CommandError {
    fn from(why: Expected) -> CommandError {
        String::from(why).into()
    }
}

impl From<TextError> for CommandError {
    fn from(error: TextError) -> CommandError {
        CommandError::Text(error)
    }
}

impl From<HostError> for CommandError {
    fn from(error: HostError) -> CommandError {
        CommandError::Host(error)
    }
}

impl From<PlayerError> for CommandError {
    fn from(error: PlayerError) -> CommandError {
        CommandError::Host(HostError::Player(error))
    }
}

/// Why an engine cannot go to the position that its front tells.
#[derive(Debug)]
pub(crate) enum PositionError {
    /// The game cannot be opened anew.
    Game(TextError),
    /// The position, or a move from it, cannot be read.
    Position(TextError),
    /// A move is not legal.
    Illegal {
        /// Which one, from 1.
        number: usize,
        /// As it was told.
        said: String,
    },
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PositionError::Game(error) => write!(f, "game {error}"),
            PositionError::Position(error) => write!(f, "position {error}"),
            PositionError::Illegal { number, said } => {
                write!(f, "move {number}: {} is not legal", quote(said))
            }
        }
    }
}

impl std::error::Error for PositionError {}
