//! [`CompiledGame`] itself, and how a family registers its own.

use std::fmt;
use std::sync::Arc;

use certificate::{Certificate, ProofVerdict, Refusal};
use evaluation::weights::Sheet;
use game::{Family, Spec, TextError};
use play::record::{Games, Record};
use play::{BotSpec, Facts, Player, PlayerError, Timing, WeightsChoice};
use players::WeightsError;
use search::Decisions;
use solve::message::SolverVersion;
use solve::{Method, SolverRules};

use crate::duels::Duels;
use crate::engine::EngineSource;
use crate::judge::Judge;
use crate::session::CompiledSession;

/// A game with everything that is compiled for it. It never changes: one serves everybody.
pub trait CompiledGame: Send + Sync {
    /// What there is to know without a position.
    fn facts(&self) -> &Facts;

    /// A new game, at its start.
    fn session(&self) -> Box<dyn CompiledSession>;

    /// A bot. What it draws depends on the seed alone.
    ///
    /// # Errors
    /// If this game has no such bot, or the system no memory for it.
    fn player(&self, bot: &BotSpec, seed: u64) -> Result<Box<dyn Player>, PlayerError>;

    /// How long things take, over so many games of a bot, or a few.
    ///
    /// # Errors
    /// As [`player`](CompiledGame::player).
    fn time(&self, bot: &BotSpec, games: Option<usize>) -> Result<Timing, PlayerError>;

    /// Whole games in the files that players of the family exchange.
    fn files(&self) -> &dyn GameFiles;

    /// Its evaluations as numbers.
    fn weights(&self) -> &dyn WeightSheets;

    /// Where games between weights of an evaluation of that name are played; many of them, quickly.
    ///
    /// # Errors
    /// If there is no such evaluation, or it has no weights.
    fn duels(
        &self,
        evaluation: &str,
        decisions: &Arc<Decisions>,
    ) -> Result<Box<dyn Duels>, WeightsError>;

    /// Somebody who judges positions by these weights, which are text as in a file.
    ///
    /// # Errors
    /// If the weights are not for this game.
    fn judge(&self, weights: &str) -> Result<Box<dyn Judge>, TextError>;

    /// Checks a certificate of this game.
    ///
    /// # Errors
    /// Says what is wrong with it.
    fn verify(
        &self,
        certificate: &Certificate<'_>,
        options: &certificate::VerifyOptions<'_>,
        progress: &mut dyn FnMut(&certificate::VerifyProgress),
    ) -> Result<ProofVerdict, Refusal>;

    /// Whose results in a shared solve can be compared with those of this program.
    fn solver(&self) -> SolverVersion;

    /// The game as a solver sees it that is asked about a position, which is text; empty for the
    /// start. With the game's own best evaluation, which is part of the version.
    ///
    /// # Errors
    /// If the text is no position of this game.
    fn solver_rules(&self, root: &str) -> Result<Arc<dyn SolverRules>, TextError>;

    /// What an engine is generated from that plays this game and no other.
    ///
    /// # Errors
    /// If the family has no generated engines.
    fn engine(&self) -> Result<EngineSource, TextError>;
}

/// Whole games in files.
pub trait GameFiles {
    /// Reads a file. A bad game costs none of those behind it.
    fn read(&self, text: &str) -> Games;

    /// A game as it stands in a file.
    ///
    /// # Errors
    /// Names the first move or position of the record that this game does not allow.
    fn write(&self, record: &Record) -> Result<String, TextError>;
}

/// The evaluations of a game as plain data.
pub trait WeightSheets {
    /// An evaluation, which can be written to a file that bots load.
    ///
    /// # Errors
    /// If there is none of that name, or the file is wrong.
    fn sheet(&self, weights: &WeightsChoice, seed: u64) -> Result<Sheet, WeightsError>;

    /// Weights that were written for an older evaluation, and what had to be filled in or left out.
    ///
    /// # Errors
    /// If the text is wrong in anything else.
    fn older(&self, text: &str) -> Result<(Sheet, Vec<String>), TextError>;
}

/// Writes the source of an engine for the game of a spec.
pub type WriteEngine = fn(&Spec) -> Result<EngineSource, TextError>;

/// A family as the catalog knows it: one of these is all that adds a family to the program.
#[derive(Clone, Copy)]
pub struct Registration {
    /// Its name, parameters and presets.
    pub family: &'static Family,
    /// The game of a spec whose name is the family's.
    pub open: fn(&Spec) -> Result<Arc<dyn CompiledGame>, TextError>,
    /// The protocols whose engines usually play this family, each with the game to try one with.
    pub played_in: &'static [(&'static str, &'static str)],
    /// What an engine of such a game is generated from; `None` if the family has none.
    pub engine: Option<WriteEngine>,
    /// What the traces of fixed units hash to, so that results of several programs can be compared;
    /// 0 for a family that nobody solves together.
    pub solver: SolverVersion,
}

impl fmt::Debug for Registration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registration").field("family", &self.family.name).finish_non_exhaustive()
    }
}

/// What suits solving a game where nobody chooses: proof numbers where rules look back, since a
/// search to the end of the game would go round in circles.
#[must_use]
pub fn default_method(facts: &Facts) -> Method {
    match facts.looks_back {
        true => Method::ProofNumber,
        false => Method::default(),
    }
}
