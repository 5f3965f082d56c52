//! [`Duels`]: games between two sets of weights, by the thousand.
//!
//! A duel is a pure function of the weights, the [`Terms`] and the seeds: what was played before on the same tables
//! makes no difference, so games may be shared out among threads in any way, and all of them may share their [`Decisions`].

mod ring;

use std::ops::RangeInclusive;

use game::Side;

use crate::bots::WeightsError;

pub use ring::duels;
pub use search::{Decisions, STACK_BYTES};

/// What plays duels in one game with one evaluation. Each thread has its own.
pub trait Duels: Send {
    /// The weights of the evaluation, in the order in which [`play`](Duels::play) takes them.
    fn weights(&self) -> &[DuelWeight];

    /// The evaluation with these weights as text, for a file that bots can load.
    fn text(&self, weights: &[i32]) -> String;

    /// The weights that a text holds.
    ///
    /// # Errors
    /// If it is not a text of weights of this evaluation.
    fn read(&self, text: &str) -> Result<Vec<i32>, WeightsError>;

    /// Plays one game. `first` moves first.
    fn play(&mut self, first: &[i32], second: &[i32], terms: &Terms, seeds: Seeds) -> Duel;
}

/// A number of an evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuelWeight {
    /// As in [`evaluation::Tunable::each_weight`].
    pub name: String,
    /// What it may be.
    pub range: RangeInclusive<i32>,
    /// What it is if nobody changes it.
    pub usual: i32,
}

/// How duels are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// How many plies both players look ahead.
    pub depth: u32,
    /// How many positions they look at for a move instead, by the search of bots: it finishes captures and looks deeper where it
    /// matters.
    pub nodes: Option<u64>,
    /// How many random plies every game begins with.
    pub opening: u32,
    /// A game that has not ended after so many plies is drawn.
    pub longest: u32,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms { depth: 4, nodes: None, opening: 0, longest: 400 }
    }
}

/// What chance decides in a duel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seeds {
    /// The random plies at the beginning: the same opening for the same seed.
    pub opening: u64,
    /// Which of equally good moves are played.
    pub play: u64,
}

/// How a duel ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Duel {
    /// Who won, if anybody did.
    pub winner: Option<Side>,
    /// How many plies were played.
    pub plies: u32,
}
