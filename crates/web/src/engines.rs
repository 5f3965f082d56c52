//! [`Roster`]: the engines that whoever runs the server has given names on the command line. Guests say a name;
//! what it stands for they never hear, not even when something goes wrong with it.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use arena::{Contestant, ContestantKind, Foreign, Registered, Registry, RegistryError};
use compiled::{CompiledGame, CompiledSession};
use game::{Spec, TextError};
use play::{BotSpec, Limits, Player, PlayerError, Task};
use protocols::Patience;
use tokio::sync::Semaphore;

use crate::seats::{LONGEST, Named};

/// How long an engine may be late, or take to stop.
pub(crate) const LATENESS: Duration = Duration::from_secs(3);
/// How many engines are tried at once.
const TRIALS: usize = 2;
/// Of how many games it is remembered that an engine plays them.
const MOST_TRIED: usize = 1_000;

/// Why an engine cannot be had, as guests may hear it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RosterError {
    #[error("the list of engines cannot be read")]
    Unreadable,
    #[error(transparent)]
    Registry(#[from] RegistryError),
    #[error(transparent)]
    Command(#[from] TextError),
    #[error("{name} plays {plays}, not {family}")]
    OtherFamily { name: String, plays: String, family: String },
    #[error("{0} is no engine")]
    NoEngine(String),
    #[error("the server is closing")]
    Closing,
    /// The thread that tried it broke down.
    #[error("the engine failed")]
    Failed,
    /// It was tried in vain; without the program's place.
    #[error("{0}")]
    Trial(String),
    /// It gave no move; without the program's place.
    #[error("{name}: {why}")]
    Move { name: String, why: String },
}

/// The engines that have names. The list is read whenever it is needed, so that it may change while the server runs.
#[derive(Debug)]
pub(crate) struct Roster {
    file: Option<PathBuf>,
    /// Commands that have been seen to play games.
    tried: Mutex<HashSet<(String, String)>>,
    trials: Semaphore,
}

impl Roster {
    pub(crate) fn new(file: Option<PathBuf>) -> Roster {
        Roster { file, tried: Mutex::default(), trials: Semaphore::new(TRIALS) }
    }

    /// All of them. A list that cannot be read is an empty one.
    pub(crate) fn all(&self) -> Vec<Registered> {
        self.registry().map_or_else(|_| Vec::new(), |registry| registry.engines().to_vec())
    }

    fn registry(&self) -> Result<Registry, RosterError> {
        let Some(file) = &self.file else { return Ok(Registry::default()) };
        Registry::load(file).map_err(|error| {
            tracing::warn!(%error, "the list of engines");
            RosterError::Unreadable
        })
    }

    /// The engine of this name, if it plays games of this family.
    fn engine(&self, name: &str, game: &str) -> Result<(Contestant, Foreign), RosterError> {
        let registry = self.registry()?;
        let known = registry.find(name)?;
        let family = Spec::family_of(game);
        if known.family != family {
            let (name, plays) = (name.to_owned(), known.family.clone());
            return Err(RosterError::OtherFamily { name, plays, family: family.to_owned() });
        }
        let mut contestant = known.contestant()?;
        let ContestantKind::Engine(engine) = &mut contestant.kind else {
            return Err(RosterError::NoEngine(name.to_owned()));
        };
        engine.setup.patience =
            Patience { timeless: LONGEST, lateness: LATENESS, ..Patience::default() };
        let engine = (**engine).clone();
        Ok((contestant, engine))
    }

    /// Whether an engine can be told to say what it has found so far.
    pub(crate) fn can_be_hurried(&self, named: &Named, game: &str) -> bool {
        let engine = self.engine(&named.name, game);
        engine.is_ok_and(|(_, engine)| engine.setup.protocol.can_stop())
    }

    /// Makes sure that an engine plays this, by starting it unless that has been seen before.
    pub(crate) async fn try_out(
        &self,
        named: &Named,
        game: Arc<dyn CompiledGame>,
        session: Box<dyn CompiledSession>,
    ) -> Result<(), RosterError> {
        let spec = &game.facts().spec;
        let (contestant, engine) = self.engine(&named.name, spec)?;
        let key = (contestant.described().to_owned(), spec.clone() + &session.first_position());
        if self.tried.lock().unwrap_or_else(PoisonError::into_inner).contains(&key) {
            return Ok(());
        }
        let Ok(_place) = self.trials.acquire().await else {
            return Err(RosterError::Closing);
        };
        let trial = tokio::task::spawn_blocking(move || contestant.try_out(&*game, &*session));
        let tried = trial.await.map_err(|_| RosterError::Failed)?;
        tried.map_err(|why| RosterError::Trial(veiled(&why, &engine)))?;
        let mut known = self.tried.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST_TRIED {
            known.clear();
        }
        known.insert(key);
        Ok(())
    }

    /// Somebody to play for an engine, and what to ask of it.
    pub(crate) fn player(
        &self,
        named: &Named,
        game: &dyn CompiledGame,
        seed: u64,
    ) -> Result<Box<dyn Player>, PlayerError> {
        let found = self.engine(&named.name, &game.facts().spec);
        let (contestant, engine) = found.map_err(PlayerError::other)?;
        let usual = Limits { time: Some(BotSpec::USUAL_TIME), ..Limits::default() };
        let limits = match named.limits == Limits::default() {
            true => engine.limits.unwrap_or(usual),
            false => named.limits,
        };
        Ok(Box::new(Hired { player: contestant.player(game, seed)?, limits, engine }))
    }
}

/// An engine that thinks as long as it was told to, and whose failures do not tell what it is.
struct Hired {
    player: Box<dyn Player>,
    limits: Limits,
    engine: Foreign,
}

impl Player for Hired {
    fn choose(
        &mut self,
        session: &dyn play::Session,
        task: &Task,
        stop: &play::Stop,
        tell: &mut (dyn FnMut(&play::Info) + Send),
    ) -> Result<play::Choice, PlayerError> {
        // Under a clock it looks no further than it was told to, and may be done sooner.
        let limits = task.limits.map_or(self.limits, |limits| limits.at_most(&self.limits));
        let limits = Some(limits);
        let chosen = self.player.choose(session, &Task { limits, ..task.clone() }, stop, tell);
        chosen.map_err(|why| {
            let (name, why) = (self.engine.name.clone(), veiled(&why, &self.engine));
            PlayerError::other(RosterError::Move { name, why })
        })
    }
}

/// What went wrong, without the program's place.
fn veiled(why: &impl std::error::Error, engine: &Foreign) -> String {
    why.to_string().replace(&engine.setup.program.program, &engine.name)
}
