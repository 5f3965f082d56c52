//! [`on_deep_stack`]: room for searches that descend once per ply.

use std::error::Error;
use std::{fmt, io, thread};

/// A search descends once per ply, and the longest game has 62,500: far more than a thread's usual
/// stack. The system hands out only what is used.
pub const STACK_BYTES: usize = 256 << 20;

/// How far a search to the end of the game may descend. Where nobody knows how many plies are left
/// and no rule looks back, play may go round in circles for ever; no other game of that kind gets so
/// far.
#[cfg(feature = "study")]
pub(crate) fn most_plies<G: game::Game>(game: &G, p: &G::Position) -> usize {
    const ENDLESS: usize = 10_000;
    match (game.looks_back(), game.plies_left(p)) {
        (false, None) => ENDLESS,
        _ => usize::MAX,
    }
}

/// Does something on a thread of its own that has [`STACK_BYTES`]. What comes of it is for the work to
/// keep: so this is compiled once for all games.
///
/// # Errors
/// If the system gives no thread, or the work ended by a fault of the program.
pub fn on_deep_stack(work: &mut (dyn FnMut() + Send)) -> Result<(), DeepStackError> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
        let thread = thread.map_err(DeepStackError::NoThread)?;
        thread.join().map_err(|_| DeepStackError::Failed)
    })
}

/// Why something was not done [on a deep stack](on_deep_stack).
#[derive(Debug)]
pub enum DeepStackError {
    /// The system gives no thread.
    NoThread(io::Error),
    /// The work ended by a fault of the program.
    Failed,
}

impl fmt::Display for DeepStackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DeepStackError::NoThread(error) => write!(f, "the system gives no thread: {error}"),
            DeepStackError::Failed => f.write_str("the work ended by a fault of the program"),
        }
    }
}

impl Error for DeepStackError {}
