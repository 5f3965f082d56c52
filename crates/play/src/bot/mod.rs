//! [`BotSpec`]: a player as people describe it in one text. Nothing of it is compiled for a game.
//!
//! ```text
//!   beginner · easy · medium · hard · master      how strong, for every game
//!   random · adjacent                             the simple players of the Connect-k tradition
//!   playing · alphabeta · montecarlo · threats    searches by name
//!   elo=N                                         how strong, where that was measured
//!   depth=N · nodes=N · time=S · clock=S+I        when a move is thought over
//!   algorithm=NAME                                how it searches
//!   weights=NAME|FILE|random                      what it thinks of positions
//!   noise=N · threads=N · hash=MB
//! ```
//!
//! joined by commas, as in `hard` or `depth=7,algorithm=negascout`. What is not said is as at the
//! level named, or else a second a move.

mod text;

use std::fmt;
use std::time::Duration;

use game::Expected;

use crate::algorithm::Algorithm;
use crate::levels::{Level, Levels, Ratings, Strength};
use crate::limits::Limits;

pub use text::one_of;

/// A player that needs nobody to move for it.
#[derive(Clone, Debug, PartialEq)]
pub struct BotSpec {
    /// How it comes by its moves.
    pub way: Way,
    /// When it stops thinking, beside what its level says.
    pub limits: Limits,
    /// How it searches; `None` for what suits the game.
    pub algorithm: Option<Algorithm>,
    /// What it thinks of positions.
    pub weights: WeightsChoice,
    /// How far its judgement is off, if not as its level says.
    pub noise: Option<u32>,
    /// Threads of a search; `None` for one.
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

/// What a bot thinks of positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum WeightsChoice {
    /// What suits the game: the classic evaluation for the classic searches, else the best there is.
    #[default]
    Usual,
    /// The evaluation of this name.
    Named(String),
    /// Drawn anew for each game.
    Random,
    /// Read from a file; names of evaluations have no point or slash in them.
    File(String),
}

impl WeightsChoice {
    /// A name, a file or random.
    ///
    /// # Errors
    /// Says what would be right.
    pub fn read(text: &str) -> Result<WeightsChoice, Expected> {
        match text {
            "" => Err("weights are the name of an evaluation, a file, or random".into()),
            "random" => Ok(WeightsChoice::Random),
            file if file.contains(['.', '/', '\\']) => Ok(WeightsChoice::File(file.to_owned())),
            name => Ok(WeightsChoice::Named(name.to_owned())),
        }
    }
}

impl fmt::Display for WeightsChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            WeightsChoice::Usual => "usual",
            WeightsChoice::Named(text) | WeightsChoice::File(text) => text,
            WeightsChoice::Random => "random",
        })
    }
}

impl Default for BotSpec {
    fn default() -> BotSpec {
        BotSpec {
            way: Way::Search(None),
            limits: Limits::default(),
            algorithm: None,
            weights: WeightsChoice::Usual,
            noise: None,
            threads: None,
            hash_megabytes: None,
            elo: None,
        }
    }
}

impl BotSpec {
    /// What a bot takes for a move where nothing limits it.
    pub const USUAL_TIME: Duration = Duration::from_secs(1);

    /// A bot of this level.
    #[must_use]
    pub fn at(level: Level) -> BotSpec {
        BotSpec { way: Way::Search(Some(level)), ..BotSpec::default() }
    }

    /// Limits alone, as in `clock=2+0.02` or `nodes=1000,depth=9`.
    ///
    /// # Errors
    /// Says what would be right.
    pub fn read_limits(text: &str) -> Result<Limits, Expected> {
        let bot = text.parse::<BotSpec>().ok();
        let limits =
            bot.as_ref().map(|bot| bot.limits).filter(|&limits| limits != Limits::default());
        // Whoever says more than limits describes a bot.
        let alone = limits.filter(|&limits| bot == Some(BotSpec { limits, ..BotSpec::default() }));
        alone.ok_or("limits are depth=N, nodes=N, time=S or clock=S+I, joined by commas".into())
    }

    /// How far the bot looks at most, whoever asks it for a move and however much time there is:
    /// what its level or its rating says.
    ///
    /// # Errors
    /// If the game has no player of that rating.
    pub fn sight(&self, levels: &Levels, ratings: &Ratings) -> Result<Limits, Expected> {
        let Limits { depth, nodes, .. } = self.level(levels, ratings)?.limits;
        Ok(Limits { depth, nodes, ..Limits::default() })
    }

    /// What its level or its rating alone says.
    ///
    /// # Errors
    /// If the game has no player of that rating.
    pub fn level(&self, levels: &Levels, ratings: &Ratings) -> Result<Strength, Expected> {
        Ok(match (self.elo, self.way) {
            (Some(elo), _) => ratings.of(elo)?,
            (None, Way::Search(Some(level))) => levels.of(level),
            _ => Strength { limits: Limits::default(), noise: 0 },
        })
    }

    /// Limits and noise, given what the levels of a game are.
    ///
    /// # Errors
    /// If the game has no player of that rating.
    pub fn strength(&self, levels: &Levels, ratings: &Ratings) -> Result<Strength, Expected> {
        let level = self.level(levels, ratings)?;
        let (own, usual) = (self.limits, level.limits);
        let mut limits = Limits {
            depth: own.depth.or(usual.depth),
            nodes: own.nodes.or(usual.nodes),
            time: own.time.or(usual.time),
            clock: own.clock,
        };
        if limits == Limits::default() {
            limits.time = Some(BotSpec::USUAL_TIME);
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
) -> Result<Algorithm, Expected> {
    let depth_alone =
        limits.depth.is_some() && *limits == Limits { depth: limits.depth, ..Limits::default() };
    match (asked, usual) {
        (Some(asked @ (Algorithm::MonteCarlo | Algorithm::ProofNumber)), _) if depth_alone => {
            Err(format!("{asked} knows no depth; a limit of nodes or time is right").into())
        }
        (None, Algorithm::MonteCarlo) if depth_alone => Ok(Algorithm::Playing),
        (asked, usual) => Ok(asked.unwrap_or(usual)),
    }
}
