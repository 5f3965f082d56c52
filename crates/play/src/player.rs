//! [`Player`]: whoever chooses moves, behind one object-safe door, and [`Analysis`]: what it thinks.

use crate::limits::{Clock, Info, InfoLine, Limits, Stop};
use crate::player_error::PlayerError;
use crate::scores::Scores;
use crate::session::Session;
use game::Points;
use game::Value;

/// Chooses moves, and may remember what it thought of before.
pub trait Player: Send {
    /// Chooses for the side to move of a game that is not over. `tell` hears how far the thinking has come.
    ///
    /// # Errors
    /// If there is no choice to be had: the system has no memory, an engine has died.
    fn choose(
        &mut self,
        session: &dyn Session,
        task: &Task,
        stop: &Stop,
        tell: &mut (dyn FnMut(&Info) + Send),
    ) -> Result<Choice, PlayerError>;
}

/// What is asked of a player beside the position; by default nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Task {
    /// When to stop thinking, instead of what the player was made with.
    pub limits: Option<Limits>,
    /// The other side's clock, for players who look at it.
    pub other_clock: Option<Clock>,
    /// How many of the best lines to tell.
    pub lines: Option<usize>,
    /// The moves to choose among; all if there are none.
    pub among: Vec<String>,
}

/// What a player does, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// What to do.
    pub turn: Turn,
    /// What it thought, if it did.
    pub analysis: Option<Analysis>,
}

/// What can be done in a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// A legal move as the game writes it.
    Play(String),
    /// The claim that the rules allow here.
    Claim,
    /// To give up.
    Resign,
}

/// What a search found. Values are the **first player's**.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// What the position is worth; `None` if the search was stopped before it knew anything.
    pub value: Option<Value>,
    /// Whether that is proved.
    pub exact: bool,
    /// The final margin, if it is proved and the game has margins.
    pub margin: Option<Points>,
    /// How many units of margin make a point, for values that are margins.
    pub margin_scale: i32,
    /// How values that are scores are to be read, if that is known.
    pub scores: Option<Scores>,
    /// Plies to the end of the game, if a win or loss is proved and the game is just won or lost.
    pub distance: Option<u32>,
    /// The depth searched; `None` where it was searched to the end of the game.
    pub depth: Option<u32>,
    /// The longest line looked at, in plies.
    pub selective_depth: u32,
    /// The move to play; `None` where the game is over, or a claim is best.
    pub best: Option<String>,
    /// The moves both sides would play.
    pub pv: Vec<String>,
    /// The next best moves with their lines, as many as were asked for.
    pub others: Vec<InfoLine>,
    /// Positions visited.
    pub nodes: u64,
}

/// How long things take, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Timing {
    /// To choose a move, for players that do not search.
    pub choose: Option<f64>,
    /// To make a move and see whether the game is over.
    pub make: f64,
    /// To list the moves of a position.
    pub list: f64,
    /// A game of random moves from the start.
    pub playout: f64,
    /// A node of the search that plays.
    pub node: Option<f64>,
}
