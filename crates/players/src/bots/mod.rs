//! [`Bot`]: a player as people describe it in one text, and how it becomes one that plays.
//!
//! ```text
//!   beginner · easy · medium · hard · master      how strong, for every game
//!   random · adjacent                             the simple players of the Connect-k tradition
//!   threats · alphabeta · montecarlo              methods, as generated engines name them
//!   elo=N                                         how strong, where that was measured
//!   depth=N · nodes=N · time=S · clock=S+I        when a move is thought over
//!   algorithm=NAME                                how it searches
//!   weights=NAME|FILE|random                      what it thinks of positions
//!   noise=N · threads=N · hash=MB
//! ```
//!
//! joined by commas, as in `hard` or `depth=7,algorithm=negascout`. What is not said is as at the level named, or
//! else a second a move.

mod known;
mod levels;
mod searcher;
mod simple;
mod text;
mod thinker;
mod timing;
mod weights;

use std::time::Duration;

use play::Limits;
use search::{Algorithm, Settings};

pub use known::with_strategy;
pub use levels::{Level, Levels, Ratings, Strength};
pub(crate) use levels::{depth as plies, nodes};
pub use searcher::{Place, Searcher, compiled, compiled_table, compiled_tree};
pub(crate) use simple::Simple;
pub use text::{depth, fitting_hash, hash_megabytes, node_count, number, seconds, thread_count};
pub use thinker::SearcherOf;
pub(crate) use thinker::{Thinker, search_position};
pub use weights::{Tuned, Weights, usual};

/// A player that needs nobody to move for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Bot {
    /// How it comes by its moves.
    pub way: Way,
    /// When it stops thinking, beside what its level says.
    pub limits: Limits,
    /// How it searches; `None` for what suits the game.
    pub algorithm: Option<Algorithm>,
    /// What it thinks of positions.
    pub weights: Weights,
    /// How far its judgement is off, if not as its level says.
    pub noise: Option<u32>,
    /// Threads of a search; one unless told.
    pub threads: Option<usize>,
    /// Memory of a search, if not the usual.
    pub hash_megabytes: Option<usize>,
    /// How strong it is, in Elo, where that was measured.
    pub elo: Option<u32>,
}

/// How moves are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Any legal move.
    Random,
    /// Any move next to a stone.
    Adjacent,
    /// By a search, at a level or within limits alone.
    Search(Option<Level>),
}

impl Default for Bot {
    fn default() -> Bot {
        Bot {
            way: Way::Search(None),
            limits: Limits::default(),
            algorithm: None,
            weights: Weights::Usual,
            noise: None,
            threads: None,
            hash_megabytes: None,
            elo: None,
        }
    }
}

impl Bot {
    /// What a bot takes unless it is told.
    pub const USUAL_TIME: Duration = Duration::from_secs(1);

    /// A bot of this level.
    #[must_use]
    pub fn at(level: Level) -> Bot {
        Bot { way: Way::Search(Some(level)), ..Bot::default() }
    }

    /// What to search with in a game with these levels and this usual algorithm.
    ///
    /// # Errors
    /// If the limits mean nothing to the algorithm.
    pub(crate) fn settings(
        &self,
        levels: &Levels,
        ratings: &Ratings,
        usual: Algorithm,
        seed: u64,
    ) -> Result<Settings, String> {
        let Strength { limits, noise } = self.strength(levels, ratings)?;
        // A level that looks ahead goes on doing so, whatever else limits it.
        let usual = algorithm_for(None, usual, &self.level(levels, ratings)?.limits)?;
        let ordinary = Settings::default();
        Ok(Settings {
            algorithm: algorithm_for(self.algorithm, usual, &limits)?,
            limits,
            hash_megabytes: self.hash_megabytes.unwrap_or(ordinary.hash_megabytes),
            threads: self.threads.unwrap_or(ordinary.threads),
            noise,
            seed: Some(seed),
            ..ordinary
        })
    }

    /// How far the bot looks at most, whoever asks it for a move and however much time there is:
    /// what its level or its rating says.
    pub(crate) fn sight(&self, levels: &Levels, ratings: &Ratings) -> Result<Limits, String> {
        let Limits { depth, nodes, .. } = self.level(levels, ratings)?.limits;
        Ok(Limits { depth, nodes, ..Limits::default() })
    }

    /// What its level or its rating alone says.
    fn level(&self, levels: &Levels, ratings: &Ratings) -> Result<Strength, String> {
        Ok(match (self.elo, self.way) {
            (Some(elo), _) => ratings.of(elo)?,
            (None, Way::Search(Some(level))) => levels.of(level),
            _ => Strength { limits: Limits::default(), noise: 0 },
        })
    }

    /// Limits and noise, given what the levels of a game are.
    fn strength(&self, levels: &Levels, ratings: &Ratings) -> Result<Strength, String> {
        let level = self.level(levels, ratings)?;
        let (own, usual) = (self.limits, level.limits);
        let mut limits = Limits {
            depth: own.depth.or(usual.depth),
            nodes: own.nodes.or(usual.nodes),
            time: own.time.or(usual.time),
            clock: own.clock,
        };
        if limits == Limits::default() {
            limits.time = Some(Bot::USUAL_TIME);
        }
        Ok(Strength { limits, noise: self.noise.unwrap_or(level.noise) })
    }
}

/// The algorithm that was asked for, or else the usual one. A depth alone is nothing to random games and proof
/// numbers, which know none.
///
/// # Errors
/// If one of these was asked for, and nothing but a depth.
pub fn algorithm_for(
    asked: Option<Algorithm>,
    usual: Algorithm,
    limits: &Limits,
) -> Result<Algorithm, String> {
    let depth_alone =
        limits.depth.is_some() && *limits == Limits { depth: limits.depth, ..Limits::default() };
    match (asked, usual) {
        (Some(asked @ (Algorithm::MonteCarlo | Algorithm::ProofNumber)), _) if depth_alone => {
            Err(format!("{asked} knows no depth; a limit of nodes or time is right"))
        }
        (None, Algorithm::MonteCarlo) if depth_alone => Ok(Algorithm::Playing),
        (asked, usual) => Ok(asked.unwrap_or(usual)),
    }
}
