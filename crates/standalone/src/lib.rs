//! The engine that a generated program is: one game whose every parameter the compiler knew, behind the protocols of its
//! family.
//!
//! A generated program is a type, and a call of [`run`] or of one of the functions of [`lines`] and [`territory`]. These
//! are compiled once for all programs: only the search, which takes the time, knows the numbers of its game.

pub mod lines;
pub mod territory;

use std::io::{self, BufRead, BufReader, Write};
use std::ops::RangeInclusive;
use std::process::ExitCode;

use game::{Family, Spec, TextError};
use games::Playable;
use play::record::Games;
use play::{BotSpec, GameSession, Player, Session, Timing};
use players::SearcherOf;
use protocols::{Host, HostError, Identity, Polyglot, Protocol, help, serve};
use search::{Settings, Strategy};

/// What a generated program knows about itself; all of it constants in its source.
#[derive(Clone, Copy, Debug)]
pub struct EngineConstants {
    /// What it calls itself.
    pub name: &'static str,
    /// The game.
    pub spec: &'static str,
    /// The player of its text protocol; empty for one that plays as well as it can.
    pub ai: &'static str,
    /// What it plays where it knows the best move; empty if it has to think.
    pub strategy: &'static [u8],
}

impl EngineConstants {
    fn identity(&self) -> Identity {
        Identity {
            name: self.name.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            bot: String::new(),
            text_ai: self.ai.to_owned(),
        }
    }
}

/// Makes what finds the moves.
type MakeSearcher<G> = Box<dyn Fn(<G as Playable>::Heuristics, &Settings) -> SearcherOf<G> + Sync>;

/// Speaks with whoever started the program until that one leaves. Silent until spoken to; the first line decides about
/// the protocol.
pub fn run<G: Playable>(
    engine: &EngineConstants,
    game: G,
    family: &Family,
    searcher: MakeSearcher<G>,
) -> ExitCode {
    if let Some(argument) = std::env::args_os().nth(1) {
        let spec = GameSession::new(game).spec();
        let spoken = protocols_of(family);
        return explain(&argument.to_string_lossy(), &engine.identity(), &spec, &spoken);
    }
    let input = Box::new(BufReader::new(io::stdin()));
    match talk(engine, game, family, searcher, input, &mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// The same over any lines. The game stays in memory until the program ends.
///
/// # Errors
/// If nobody listens any more.
pub fn talk<G: Playable>(
    engine: &EngineConstants,
    game: G,
    family: &Family,
    searcher: MakeSearcher<G>,
    input: Box<dyn BufRead + Send>,
    output: &mut dyn Write,
) -> io::Result<()> {
    let session = GameSession::new(game.clone());
    let spec = session.spec();
    let mut speaker = Polyglot::new(protocols_of(family), engine.identity(), Box::new(session));
    let host: &'static OneGame<G> = {
        let strategy = Strategy(engine.strategy);
        Box::leak(Box::new(OneGame { game, spec, searcher, strategy }))
    };
    serve(&mut speaker, host, input, output)
}

fn protocols_of(family: &Family) -> Vec<Protocol> {
    family.protocols.iter().filter_map(|name| name.parse().ok()).collect()
}

/// Answers who asks for help instead of speaking a protocol. An engine has no other arguments.
fn explain(argument: &str, identity: &Identity, spec: &str, spoken: &[Protocol]) -> ExitCode {
    // Nobody is left to tell if the output is closed.
    match argument {
        "--help" | "-h" | "help" => {
            let lines = help(identity, spec, spoken).join("\n");
            let _ = writeln!(io::stdout(), "{lines}");
            ExitCode::SUCCESS
        }
        "--version" | "-V" => {
            let _ = writeln!(io::stdout(), "{} {}", identity.name, identity.version);
            ExitCode::SUCCESS
        }
        other => {
            let name = &identity.name;
            let _ =
                writeln!(io::stderr(), "{name}: there is no argument {other:?}; --help says more");
            ExitCode::from(2)
        }
    }
}

/// The same for a game that its own name describes. What finds the moves may be compiled for more than the type of the game tells.
fn run_spec<G: Playable>(
    engine: &EngineConstants,
    game: impl Fn(&Spec) -> Result<G, TextError>,
    family: &Family,
    searcher: impl Fn(&G, G::Heuristics, &Settings) -> SearcherOf<G> + Sync + 'static,
) -> ExitCode {
    match Spec::parse(engine.spec).and_then(|spec| game(&spec)) {
        Ok(game) => {
            let any = game.clone();
            let searcher = move |heuristics, settings: &_| searcher(&any, heuristics, settings);
            run(engine, game, family, Box::new(searcher))
        }
        // Nobody builds an engine for a game that does not exist.
        Err(_) => ExitCode::FAILURE,
    }
}

/// Lends one game, and every bot that plays it.
struct OneGame<G: Playable> {
    game: G,
    spec: String,
    searcher: MakeSearcher<G>,
    strategy: Strategy<'static>,
}

impl<G: Playable> OneGame<G> {
    fn is_ours(&self, spec: &str) -> Result<(), TextError> {
        match G::usual_name(&Spec::parse(spec)?)? == self.spec {
            true => Ok(()),
            false => Err(TextError::new(spec, format!("this engine plays {} only", self.spec))),
        }
    }
}

impl<G: Playable> Host for OneGame<G> {
    fn open(&self, spec: &str) -> Result<Box<dyn Session>, TextError> {
        self.is_ours(spec)?;
        Ok(Box::new(GameSession::new(self.game.clone())))
    }

    fn player(&self, spec: &str, bot: &str) -> Result<Box<dyn Player>, HostError> {
        self.is_ours(spec).map_err(HostError::Game)?;
        let bot: BotSpec = bot.parse().map_err(HostError::Bot)?;
        // Fronts want the same answer to the same question.
        let player = players::player(&self.game, &bot, 1, &*self.searcher)?;
        Ok(players::with_strategy(&self.game, &bot, self.strategy, player))
    }

    fn elo_range(&self, _: &str) -> Option<RangeInclusive<u32>> {
        self.game.ratings().range()
    }

    fn fitting_hash(&self, megabytes: u32) -> u32 {
        players::fitting_hash(megabytes)
    }

    fn time(&self, spec: &str, bot: &str, games: Option<usize>) -> Result<Timing, HostError> {
        self.is_ours(spec).map_err(HostError::Game)?;
        let bot: BotSpec = bot.parse().map_err(HostError::Bot)?;
        Ok(players::time(&self.game, &bot, games, &*self.searcher)?)
    }

    /// Readers of files would make every engine larger and longer to build.
    fn read_games(&self, _: &str, _: &str) -> Result<Games, HostError> {
        Err(HostError::NoFiles)
    }
}
