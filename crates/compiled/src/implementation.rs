//! [`compile`]: the one implementation of [`CompiledGame`], for every playable game.

use std::sync::Arc;

use certificate::{Certificate, ProofVerdict, Refusal};
use evaluation::weights::{self, Sheet};
use game::{Path, Spec, TextError};
use games::{Playable, facts_of};
use play::record::{Games, Record};
use play::{BotSpec, Facts, GameSession, Player, PlayerError, Timing, WeightsChoice};
use players::WeightsError;
use search::Decisions;
use solve::message::SolverVersion;
use solve::{Problem, SolverRules};

use crate::duels::Duels;
use crate::engine::EngineSource;
use crate::game::{CompiledGame, GameFiles, Registration, WeightSheets};
use crate::judge::{CompiledJudge, Judge};
use crate::session::CompiledSession;
use crate::solving::usual_heuristics;

/// Compiles all that a game of this type needs, in the crate that calls this.
pub fn compile<G: Playable>(game: G, registration: &'static Registration) -> Arc<dyn CompiledGame> {
    Arc::new(Compiled { facts: facts_of(&game), game, registration })
}

struct Compiled<G> {
    game: G,
    facts: Facts,
    registration: &'static Registration,
}

impl<G: Playable> CompiledGame for Compiled<G> {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn session(&self) -> Box<dyn CompiledSession> {
        Box::new(GameSession::new(self.game.clone()))
    }

    fn player(&self, bot: &BotSpec, seed: u64) -> Result<Box<dyn Player>, PlayerError> {
        players::player(&self.game, bot, seed, &|heuristics, settings| {
            players::compiled(self.game.clone(), heuristics, settings)
        })
    }

    fn time(&self, bot: &BotSpec, games: Option<usize>) -> Result<Timing, PlayerError> {
        players::time(&self.game, bot, games, &|heuristics, settings| {
            players::compiled(self.game.clone(), heuristics, settings)
        })
    }

    fn files(&self) -> &dyn GameFiles {
        self
    }

    fn weights(&self) -> &dyn WeightSheets {
        self
    }

    fn duels(
        &self,
        name: &str,
        decisions: &Arc<Decisions>,
    ) -> Result<Box<dyn Duels>, WeightsError> {
        let named = WeightsChoice::Named(name.to_owned());
        let found = players::evaluation(&self.game, &named, G::ALGORITHM, 0)?;
        match weights::count(&found) {
            0 => {
                let (game, name) = (G::FAMILY.name, name.to_owned());
                Err(WeightsError::NoWeights { game, name })
            }
            _ => Ok(players::duels::duels(self.game.clone(), &found, decisions)),
        }
    }

    fn judge(&self, weights: &str) -> Result<Box<dyn Judge>, TextError> {
        let judge = CompiledJudge::new(self.game.clone(), G::FAMILY.name, weights)?;
        Ok(Box::new(judge))
    }

    fn verify(
        &self,
        certificate: &Certificate<'_>,
        options: &certificate::VerifyOptions<'_>,
        progress: &mut dyn FnMut(&certificate::VerifyProgress),
    ) -> Result<ProofVerdict, Refusal> {
        certificate::verify(&self.game, certificate, options, progress)
    }

    fn solver(&self) -> SolverVersion {
        self.registration.solver
    }

    fn solver_rules(&self, root: &str) -> Result<Arc<dyn SolverRules>, TextError> {
        let game = self.game.clone();
        let start = if root.is_empty() { game.start() } else { game.read_position(root)? };
        let (path, heuristics) = (Path::new(), usual_heuristics::<G>());
        let solver = self.registration.solver;
        Ok(Arc::new(Problem { game, start, path, heuristics, solver }))
    }

    fn engine(&self) -> Result<EngineSource, TextError> {
        let spec = Spec::parse(&self.facts.spec)?;
        match self.registration.engine {
            Some(engine) => engine(&spec),
            None => Err(spec.error(format!("{} has no generated engines", G::FAMILY.name))),
        }
    }
}

impl<G: Playable> GameFiles for Compiled<G> {
    fn read(&self, text: &str) -> Games {
        self.game.read_games(text)
    }

    fn write(&self, record: &Record) -> Result<String, TextError> {
        self.game.write_game(record)
    }
}

impl<G: Playable> WeightSheets for Compiled<G> {
    fn sheet(&self, choice: &WeightsChoice, seed: u64) -> Result<Sheet, WeightsError> {
        let evaluation = players::evaluation(&self.game, choice, G::ALGORITHM, seed)?;
        Ok(Sheet::of(G::FAMILY.name, &evaluation))
    }

    fn older(&self, text: &str) -> Result<(Sheet, Vec<String>), TextError> {
        let family = G::FAMILY.name;
        let (evaluation, remarks) = weights::read_older::<G::Heuristics>(family, text)?;
        Ok((Sheet::of(family, &evaluation), remarks))
    }
}
