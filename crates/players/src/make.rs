//! From the description of a bot to one that plays, thinks or is timed.

use std::time::{Duration, Instant};

use evaluation::weights::count;
use game::{Expected, Spec};
use games::Playable;
use play::{
    Algorithm, Analysis, BotSpec, GameSession, Info, Levels, Limits, Player, PlayerError, Ratings,
    Stop, Strength, Timing, Way, WeightsChoice, algorithm_for, one_of,
};
use search::{ALGORITHMS, Settings};

use crate::bots::{SearcherOf, Simple, Thinker, WeightsError, compiled, search_position, weights};

/// Searches from where a game is, with the usual evaluation.
///
/// # Errors
/// If the system has no memory or thread for it.
pub fn analyse<G: Playable>(
    session: &GameSession<G>,
    settings: &Settings,
    stop: &Stop,
    progress: &mut (dyn FnMut(&Info) + Send),
) -> Result<Analysis, PlayerError> {
    has_memory(settings)?;
    let heuristics = evaluation(session.game(), &WeightsChoice::Usual, settings.algorithm, 0)?;
    let mut searcher = compiled(session.game().clone(), heuristics, settings);
    search_position(session, &[], &mut *searcher, settings, stop, progress)
}

/// What a bot searches with in a game with these levels and this usual algorithm.
fn settings(
    bot: &BotSpec,
    levels: &Levels,
    ratings: &Ratings,
    usual: Algorithm,
    seed: u64,
) -> Result<Settings, Expected> {
    if bot.algorithm.is_some_and(|algorithm| !ALGORITHMS.contains(&algorithm)) {
        return Err(one_of(ALGORITHMS));
    }
    let Strength { limits, noise } = bot.strength(levels, ratings)?;
    // A level that looks ahead goes on doing so, whatever else limits it.
    let usual = algorithm_for(None, usual, &bot.level(levels, ratings)?.limits)?;
    let ordinary = Settings::default();
    Ok(Settings {
        algorithm: algorithm_for(bot.algorithm, usual, &limits)?,
        limits,
        hash_megabytes: bot.hash_megabytes.unwrap_or(ordinary.hash_megabytes),
        threads: bot.threads.unwrap_or(ordinary.threads),
        noise,
        seed: Some(seed),
        ..ordinary
    })
}

/// A bot for a game. One that searches does so with what `searcher` makes of an evaluation and settings: it may be compiled
/// for more than the game's own type tells.
///
/// # Errors
/// If this game has no such bot, or the system no memory for it.
pub fn player<G: Playable>(
    game: &G,
    bot: &BotSpec,
    seed: u64,
    searcher: &dyn Fn(G::Heuristics, &Settings) -> SearcherOf<G>,
) -> Result<Box<dyn Player>, PlayerError> {
    let session = GameSession::new(game.clone());
    match bot.way {
        Way::Adjacent if !G::PLACES_STONES => {
            let why = "adjacent is a player for games in which stones are placed";
            Err(PlayerError::Unfit(why.into()))
        }
        Way::Random | Way::Adjacent => Ok(Box::new(Simple::new(session, bot.way, seed))),
        Way::Search(_) => {
            let (heuristics, settings) = thoughts(game, bot, seed)?;
            has_memory(&settings)?;
            let sight = bot.sight(&game.levels(), &game.ratings())?;
            let searcher = searcher(heuristics, &settings);
            Ok(Box::new(Thinker::new(session, searcher, settings, sight)))
        }
    }
}

/// What a bot that searches thinks of positions, and how it searches. Random games do not ask what a position is worth: who was
/// given weights and no other way looks ahead instead.
fn thoughts<G: Playable>(
    game: &G,
    bot: &BotSpec,
    seed: u64,
) -> Result<(G::Heuristics, Settings), PlayerError> {
    let mut settings = settings(bot, &game.levels(), &game.ratings(), G::ALGORITHM, seed)?;
    let heuristics = evaluation(game, &bot.weights, settings.algorithm, seed)?;
    let by_chance = bot.algorithm.is_none() && settings.algorithm == Algorithm::MonteCarlo;
    if by_chance && count(&heuristics) > 0 {
        settings.algorithm = Algorithm::Playing;
    }
    Ok((heuristics, settings))
}

/// How long things take in a game, over so many games of a bot, or a few. What is compiled for it is what is looked at.
///
/// # Errors
/// As [`player`].
pub fn time<G: Playable>(
    game: &G,
    bot: &BotSpec,
    games: Option<usize>,
    searcher: &dyn Fn(G::Heuristics, &Settings) -> SearcherOf<G>,
) -> Result<Timing, PlayerError> {
    const NODES: u64 = 100_000;
    const TIME: Duration = Duration::from_secs(1);
    let way = match bot.way {
        Way::Search(_) => Way::Random,
        simple => simple,
    };
    let limits = Limits { nodes: Some(NODES), time: Some(TIME), ..Limits::default() };
    let settings = Settings { limits, algorithm: Algorithm::Playing, ..Settings::default() };
    has_memory(&settings)?;
    let heuristics = evaluation(game, &WeightsChoice::Usual, settings.algorithm, 0)?;
    let mut searcher = searcher(heuristics, &settings);
    let mut timing = searcher.time(way, games);
    timing.choose = timing.choose.filter(|_| way == bot.way);
    if games.is_some() {
        let session = GameSession::new(game.clone());
        let start = Instant::now();
        let found =
            search_position(&session, &[], &mut *searcher, &settings, &Stop::new(), &mut |_| {})?;
        timing.node = Some(start.elapsed().as_nanos() as f64 / found.nodes.max(1) as f64);
    }
    Ok(timing)
}

/// What a game's positions are worth to a search by these weights.
///
/// # Errors
/// If there is no evaluation of that name, or the file is wrong.
pub fn evaluation<G: Playable>(
    game: &G,
    weights: &WeightsChoice,
    algorithm: Algorithm,
    seed: u64,
) -> Result<G::Heuristics, WeightsError> {
    let spec = game.spec();
    weights::chosen(weights, Spec::family_of(&spec), game.tuned(), algorithm, seed)
}

fn has_memory(settings: &Settings) -> Result<(), PlayerError> {
    match search::table_fits(settings) {
        true => Ok(()),
        false => Err(PlayerError::Memory { megabytes: settings.hash_megabytes }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::go::{Go, Parameters};

    /// Weights of a bot are never given in vain, and Go is played by random games where nobody gave
    /// any, or a level that looks
    /// ahead.
    #[test]
    fn who_has_weights_looks_ahead() {
        let game = Go::<u64>::new(Parameters::default());
        for (text, algorithm) in [
            ("nodes=100", Algorithm::MonteCarlo),
            ("hard", Algorithm::MonteCarlo),
            ("easy", Algorithm::Playing),
            ("easy,nodes=100", Algorithm::Playing),
            ("easy,algorithm=montecarlo,nodes=100", Algorithm::MonteCarlo),
            ("nodes=100,weights=area", Algorithm::MonteCarlo),
            ("nodes=100,weights=features", Algorithm::Playing),
            ("depth=2,weights=features", Algorithm::Playing),
            ("nodes=100,weights=features,algorithm=montecarlo", Algorithm::MonteCarlo),
        ] {
            let bot: BotSpec = text.parse().unwrap();
            let (_, settings) = thoughts(&game, &bot, 1).unwrap();
            assert_eq!(settings.algorithm, algorithm, "{text}");
        }
    }
}
