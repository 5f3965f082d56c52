//! [`Workbench`]: a session, and the work that needs rules and searches compiled together.

use game::{Info, Session, Stop, TextError, Value};
use search::Settings;

/// A game under way with everything compiled for it.
pub trait Workbench: Session {
    /// Something the user should know about these parameters, though they are allowed.
    fn warning(&self) -> Option<String>;

    /// Leaves of the game tree at `depth`, for each move from here; `None` if stopped. A finished
    /// game is one leaf and has no moves. `progress` hears how many root moves are done, of how many.
    fn perft(&self, depth: u32, stop: &Stop, progress: &mut dyn FnMut(usize, usize)) -> Option<Perft>;

    /// Searches from here. An error says what the settings ask that this game cannot give.
    fn analyse(
        &self,
        settings: &Settings,
        stop: &Stop,
        progress: &mut dyn FnMut(&Info),
    ) -> Result<Analysis, TextError>;
}

/// What perft found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Perft {
    /// All leaves.
    pub leaves: u64,
    /// Leaves below each move.
    pub by_move: Vec<(String, u64)>,
}

/// What a search found. Values are the **first player's**.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// What the position is worth; `None` if the search was stopped before it knew anything.
    pub value: Option<Value>,
    /// Whether that is proved.
    pub exact: bool,
    /// The final margin, if it is proved and the game has margins.
    pub margin: Option<i32>,
    /// Plies to the end of the game, if a win or loss is proved and the game is just won or lost.
    pub distance: Option<u32>,
    /// The depth searched; `None` where it was searched to the end of the game.
    pub depth: Option<u32>,
    /// The move to play; `None` where the game is over.
    pub best: Option<String>,
    /// The moves both sides would play.
    pub pv: Vec<String>,
    /// Positions visited.
    pub nodes: u64,
}
