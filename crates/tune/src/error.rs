//! [`TuneError`]: why weights cannot be looked for.

use std::io;
use std::path::PathBuf;

use compiled::WeightsError;
use game::{Expected, TextError};
use play::PlayerError;
use storage::{LockError, WriteError};
use thiserror::Error;

/// Why a search for weights does not begin, or does not go on.
#[derive(Debug, Error)]
pub enum TuneError {
    /// There is no such game.
    #[error("game {0}")]
    Game(TextError),
    /// There is no such game, or the weights are not for it.
    #[error(transparent)]
    Weights(TextError),
    /// A game to learn from is none.
    #[error("game {number}: {error}")]
    Sample {
        /// Which one, from 1.
        number: usize,
        /// What is wrong with it.
        error: TextError,
    },
    /// An evaluation to play with is not to be had.
    #[error(transparent)]
    Evaluation(#[from] WeightsError),
    /// A bot is not to be had.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// What a bot chose is no move.
    #[error(transparent)]
    Move(TextError),
    /// A bot does not play its games to the end.
    #[error("a bot does not play on")]
    GaveUp,
    /// Nothing can be bred with these settings.
    #[error(transparent)]
    Settings(#[from] Expected),
    /// A weight to be switched off is none.
    #[error("{evaluation} has no weight {name:?} to switch off")]
    NoWeight {
        /// The evaluation.
        evaluation: String,
        /// The name.
        name: String,
    },
    /// A population is one of another evaluation; each with its game and evaluation.
    #[error("the population has weights of {found}, not of {wanted}")]
    OtherWeights {
        /// The population's.
        found: String,
        /// The session's.
        wanted: String,
    },
    /// Another session uses the file or folder.
    #[error(transparent)]
    Locked(#[from] LockError),
    /// A file cannot be used, read, written or removed.
    #[error("cannot {doing} {}: {error}", path.display())]
    File {
        /// What was to be done with it.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A file cannot be replaced by a newer one.
    #[error(transparent)]
    Unwritten(#[from] WriteError),
    /// A file to go on with is damaged, or was made in another way.
    #[error("cannot use {}: {why}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: Expected,
    },
    /// What stands in a file is damaged.
    #[error("{}: {why}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: Expected,
    },
    /// A folder holds no generation.
    #[error("{} holds no generation to go on with", .0.display())]
    NoGeneration(PathBuf),
    /// The last generation cannot be read.
    #[error("{why}; {}", way_out(before.as_ref()))]
    LastGeneration {
        /// Why not.
        why: Box<TuneError>,
        /// The file of the last one that can.
        before: Option<PathBuf>,
    },
    /// A thread broke down.
    #[error("a thread failed")]
    Thread,
}

fn way_out(before: Option<&PathBuf>) -> String {
    match before {
        Some(file) => format!("--resume {} would go on with the one before it", file.display()),
        None => "there is none before it".to_owned(),
    }
}
