//! [`Workbench`]: a session, and the work that needs rules and searches compiled together.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::{Duration, Instant};

use evaluation::weights::{self, Sheet};
use game::{Rng, Spec, TextError, moves_of};
use play::record::{Date, Games, Record};
use play::{Analysis, GameSession, Info, Limits, Player, Scores, Session, Stop, Timing};
use search::{Algorithm, Decisions, Settings};

use crate::bots::{Bot, SearcherOf, Simple, Thinker, Way, Weights, compiled, search_position};
use crate::duels::{Duels, Ring};
use crate::instances::{Instance, scores_of};

/// A game under way with everything compiled for it.
pub trait Workbench: Session {
    /// Something the user should know about these parameters, though they are allowed.
    fn warning(&self) -> Option<String>;

    /// Leaves of the game tree at `depth`, for each move from here. A finished game is one leaf and has
    /// no moves. `progress` hears how many root moves are done, of how many.
    fn perft(&self, depth: u32, progress: &mut dyn FnMut(usize, usize)) -> Perft;

    /// Plays a game from here at random, and says how many legal moves there were at each ply.
    fn random_branching(&self, rng: &mut Rng) -> Vec<u32>;

    /// How many units of margin make a point.
    fn margin_scale(&self) -> i32;

    /// The search that plays this game best.
    fn usual_algorithm(&self) -> Algorithm;

    /// How the scores of the search that plays this game best are to be read.
    fn scores(&self) -> Scores;

    /// Searches from here.
    ///
    /// # Errors
    /// If the system has no memory or thread for it.
    fn analyse(
        &self,
        settings: &Settings,
        stop: &Stop,
        progress: &mut (dyn FnMut(&Info) + Send),
    ) -> Result<Analysis, String>;

    /// The Elo that bots of this game can be asked for, where it was measured.
    fn elo_range(&self) -> Option<RangeInclusive<u32>>;

    /// A bot for this game. What it draws depends on the seed alone.
    ///
    /// # Errors
    /// If this game has no such bot, or the system no memory for it.
    fn player(&self, bot: &Bot, seed: u64) -> Result<Box<dyn Player>, String>;

    /// How long things take in this game, over so many games of a bot, or a few.
    ///
    /// # Errors
    /// As [`player`](Workbench::player).
    fn time(&self, bot: &Bot, games: Option<usize>) -> Result<Timing, String>;

    /// An evaluation of this game as text, for a file that bots can load.
    ///
    /// # Errors
    /// If there is none of that name, or the file is wrong.
    fn weights(&self, weights: &Weights, seed: u64) -> Result<String, String> {
        self.sheet(weights, seed).map(|sheet| sheet.write())
    }

    /// The same as plain data.
    ///
    /// # Errors
    /// As [`weights`](Workbench::weights).
    fn sheet(&self, weights: &Weights, seed: u64) -> Result<Sheet, String>;

    /// Weights that were written for an older evaluation of this game, and what had to be filled in or left out.
    ///
    /// # Errors
    /// If the text is wrong in anything else.
    fn older_weights(&self, text: &str) -> Result<(Sheet, Vec<String>), TextError>;

    /// Where games between weights of an evaluation of that name are played; many of them, quickly.
    ///
    /// # Errors
    /// If there is no such evaluation, or it has no weights.
    fn duels(&self, evaluation: &str, decisions: &Arc<Decisions>)
    -> Result<Box<dyn Duels>, String>;

    /// A move next to a stone, drawn at random, where stones are placed.
    fn adjacent_move(&self, rng: &mut Rng) -> Option<String>;

    /// How the names of this game's files end.
    fn extension(&self) -> &'static str;

    /// The tags that name the first and the second player in such files.
    fn colours(&self) -> [&'static str; 2];

    /// A day as such files write it.
    fn date_text(&self, date: Date) -> String;

    /// A legal move as people write it in such files: `Nf3` for `g1f3`.
    ///
    /// # Errors
    /// If it is not legal here.
    fn for_people(&self, text: &str) -> Result<String, TextError>;

    /// Moves from here on, one after the other, as people write them; as far as they are legal.
    fn line_for_people(&self, moves: &[String]) -> Vec<String>;

    /// Whether games are won by so much, and not just won, lost or drawn.
    fn has_margins(&self) -> bool;

    /// Reads a file of whole games. A bad game costs none of those behind it.
    fn read_games(&self, text: &str) -> Games;

    /// A whole game as it stands in a file.
    ///
    /// # Errors
    /// Names the first move or position of the record that this game does not allow.
    fn write_game(&self, record: &Record) -> Result<String, TextError>;
}

/// What perft found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Perft {
    /// All leaves.
    pub leaves: u64,
    /// Leaves below each move.
    pub by_move: Vec<(String, u64)>,
}

impl<G: Instance> Workbench for GameSession<G> {
    fn warning(&self) -> Option<String> {
        self.game().warning()
    }

    fn perft(&self, depth: u32, progress: &mut dyn FnMut(usize, usize)) -> Perft {
        let all = moves_of(self.game(), self.current()).len();
        let mut by_move = Vec::new();
        progress(0, all);
        let leaves = self.divide(depth, &Stop::new(), &mut |text, leaves| {
            by_move.push((text, leaves));
            progress(by_move.len(), all);
        });
        // Nobody says stop.
        Perft { leaves: leaves.unwrap_or_default(), by_move }
    }

    fn random_branching(&self, rng: &mut Rng) -> Vec<u32> {
        play::random_branching(self.game(), self.current(), self.path(), rng)
    }

    fn analyse(
        &self,
        settings: &Settings,
        stop: &Stop,
        progress: &mut (dyn FnMut(&Info) + Send),
    ) -> Result<Analysis, String> {
        has_memory(settings)?;
        let heuristics = evaluation(self.game(), &Weights::Usual, settings.algorithm, 0)?;
        let mut searcher = compiled(self.game().clone(), heuristics, settings);
        search_position(self, &[], &mut *searcher, settings, stop, progress)
    }

    fn player(&self, bot: &Bot, seed: u64) -> Result<Box<dyn Player>, String> {
        player(self.game(), bot, seed, &|heuristics, settings| {
            compiled(self.game().clone(), heuristics, settings)
        })
    }

    fn time(&self, bot: &Bot, games: Option<usize>) -> Result<Timing, String> {
        time(self.game(), bot, games, &|heuristics, settings| {
            compiled(self.game().clone(), heuristics, settings)
        })
    }

    fn sheet(&self, weights: &Weights, seed: u64) -> Result<Sheet, String> {
        let evaluation = evaluation(self.game(), weights, G::ALGORITHM, seed)?;
        Ok(Sheet::of(&family_of(self), &evaluation))
    }

    fn older_weights(&self, text: &str) -> Result<(Sheet, Vec<String>), TextError> {
        let family = family_of(self);
        let (evaluation, remarks) = weights::read_older::<G::Heuristics>(&family, text)?;
        Ok((Sheet::of(&family, &evaluation), remarks))
    }

    fn duels(&self, name: &str, decisions: &Arc<Decisions>) -> Result<Box<dyn Duels>, String> {
        let family = family_of(self);
        let named = Weights::Named(name.to_owned());
        let found = evaluation(self.game(), &named, G::ALGORITHM, 0)?;
        match weights::count(&found) {
            0 => Err(format!("the evaluation {name} of {family} has no weights to play with")),
            _ => Ok(Box::new(Ring::new(self.game().clone(), &found, decisions))),
        }
    }

    fn adjacent_move(&self, rng: &mut Rng) -> Option<String> {
        let (game, p) = (self.game(), self.current());
        let near = game.adjacent(p, rng).filter(|m| self.legal().contains(m));
        near.map(|m| game.write_move(p, m))
    }

    fn margin_scale(&self) -> i32 {
        self.game().margin_scale()
    }

    fn elo_range(&self) -> Option<RangeInclusive<u32>> {
        self.game().ratings().range()
    }

    fn usual_algorithm(&self) -> Algorithm {
        G::ALGORITHM
    }

    fn scores(&self) -> Scores {
        scores_of(self.game(), G::ALGORITHM)
    }

    fn extension(&self) -> &'static str {
        G::EXTENSION
    }

    fn colours(&self) -> [&'static str; 2] {
        self.game().colours()
    }

    fn for_people(&self, text: &str) -> Result<String, TextError> {
        let (game, p) = (self.game(), self.current());
        Ok(game.write_for_people(p, game.read_move(p, text)?))
    }

    fn line_for_people(&self, moves: &[String]) -> Vec<String> {
        self.rewrite(moves, G::write_for_people)
    }

    fn has_margins(&self) -> bool {
        self.game().margin_limit() > 1
    }

    fn date_text(&self, date: Date) -> String {
        date.write(G::DATE_SIGN)
    }

    fn read_games(&self, text: &str) -> Games {
        self.game().read_games(text)
    }

    fn write_game(&self, record: &Record) -> Result<String, TextError> {
        self.game().write_game(record)
    }
}

/// A bot for a game. One that searches does so with what `searcher` makes of an evaluation and settings: it may be compiled
/// for more than the game's own type tells.
///
/// # Errors
/// If this game has no such bot, or the system no memory for it.
pub fn player<G: Instance>(
    game: &G,
    bot: &Bot,
    seed: u64,
    searcher: &dyn Fn(G::Heuristics, &Settings) -> SearcherOf<G>,
) -> Result<Box<dyn Player>, String> {
    let session = GameSession::new(game.clone());
    match bot.way {
        Way::Adjacent if !G::PLACES_STONES => {
            Err("adjacent is a player for games in which stones are placed".to_owned())
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
fn thoughts<G: Instance>(
    game: &G,
    bot: &Bot,
    seed: u64,
) -> Result<(G::Heuristics, Settings), String> {
    let mut settings = bot.settings(&game.levels(), &game.ratings(), G::ALGORITHM, seed)?;
    let heuristics = evaluation(game, &bot.weights, settings.algorithm, seed)?;
    let by_chance = bot.algorithm.is_none() && settings.algorithm == Algorithm::MonteCarlo;
    if by_chance && weights::count(&heuristics) > 0 {
        settings.algorithm = Algorithm::Playing;
    }
    Ok((heuristics, settings))
}

/// How long things take in a game, over so many games of a bot, or a few. What is compiled for it is what is looked at.
///
/// # Errors
/// As [`player`].
pub fn time<G: Instance>(
    game: &G,
    bot: &Bot,
    games: Option<usize>,
    searcher: &dyn Fn(G::Heuristics, &Settings) -> SearcherOf<G>,
) -> Result<Timing, String> {
    const NODES: u64 = 100_000;
    const TIME: Duration = Duration::from_secs(1);
    let way = match bot.way {
        Way::Search(_) => Way::Random,
        simple => simple,
    };
    let limits = Limits { nodes: Some(NODES), time: Some(TIME), ..Limits::default() };
    let settings = Settings { limits, algorithm: Algorithm::Playing, ..Settings::default() };
    has_memory(&settings)?;
    let heuristics = evaluation(game, &Weights::Usual, settings.algorithm, 0)?;
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
fn evaluation<G: Instance>(
    game: &G,
    weights: &Weights,
    algorithm: Algorithm,
    seed: u64,
) -> Result<G::Heuristics, String> {
    let spec = game.spec();
    weights.evaluation(Spec::family_of(&spec), game.tuned(), algorithm, seed)
}

/// The name before the colon.
fn family_of(session: &dyn Session) -> String {
    Spec::family_of(&session.spec()).to_owned()
}

fn has_memory(settings: &Settings) -> Result<(), String> {
    match search::table_fits(settings) {
        true => Ok(()),
        false => Err(format!(
            "there is no memory for a table of {} MB; a smaller --hash is right",
            settings.hash_megabytes
        )),
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
            let bot: Bot = text.parse().unwrap();
            let (_, settings) = thoughts(&game, &bot, 1).unwrap();
            assert_eq!(settings.algorithm, algorithm, "{text}");
        }
    }
}
