//! [`Contest`]: a match of many games, several at a time.

use std::fmt::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use compiled::CompiledGame;
use game::{Meaning, Side, TextError, mix};
use play::record::Record;
use play::{Limits, Player, PlayerError, Stop};
use protocols::Fault;
use thiserror::Error;

use crate::adjudication::Adjudication;
use crate::contestant::Contestant;
use crate::game::{End, Finished, GameTerms, MoveThought, play};
use crate::openings::Openings;
use crate::score::Score;

/// Two contestants and how often they meet.
#[derive(Clone, Debug)]
pub struct Contest {
    /// The spec that both contestants play.
    pub game: String,
    /// Who is judged, and who it is measured against.
    pub contestants: [Contestant; 2],
    /// Pairs of games.
    pub pairs: usize,
    /// How each pair begins.
    pub openings: Openings,
    /// When contestants stop thinking who do not know by themselves.
    pub limits: Option<Limits>,
    /// How far clocks may be overstepped.
    pub grace: Duration,
    /// When games are ended early.
    pub adjudication: Adjudication,
    /// Games at a time.
    pub at_once: usize,
    /// Where the random numbers begin.
    pub seed: u64,
}

/// Why a match cannot be played.
#[derive(Debug, Error)]
pub enum ContestError {
    /// There is no such game.
    #[error("game {0}")]
    Game(TextError),
    /// The opening cannot be played.
    #[error("opening {0}")]
    Opening(TextError),
    /// A contestant's book is for another game.
    #[error("the book is for {book}, not {game}")]
    Book {
        /// The book's game.
        book: String,
        /// What is to be played.
        game: String,
    },
    /// A bot is not to be had.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// An engine does not start, or does not play this.
    #[error("{name}: {fault}")]
    Engine {
        /// What the engine is called.
        name: String,
        /// What it did wrong.
        fault: Fault,
    },
    /// A player was lost between two games.
    #[error("a seat is empty")]
    EmptySeat,
}

/// How a match stands.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// As the first contestant sees it.
    pub score: Score,
    /// What went wrong, each in one line: games that a contestant lost by breaking the rules.
    pub forfeits: Vec<String>,
}

/// What a pair of games brought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairResult {
    /// Which pair, from 0.
    pub number: usize,
    /// Points of the first contestant in each game, in halves.
    pub halves: [u8; 2],
    /// Games lost by breaking the rules, each in one line.
    pub forfeits: Vec<String>,
}

/// A pair of games.
#[derive(Clone, Debug)]
pub struct PlayedPair {
    /// What it brought.
    pub result: PairResult,
    /// The games; the first contestant is the first player in the first.
    pub games: [PlayedGame; 2],
}

/// A game of the match.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// Which side the first contestant had.
    pub side: Side,
    /// How it ended.
    pub finished: Finished,
    /// Its moves, with what the players thought of them.
    pub record: Record,
}

/// Whether a match goes on after a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchVerdict {
    /// It does.
    On,
    /// What was to be found out is known.
    Enough,
}

/// Players that a thread keeps from game to game, one for each contestant.
type Kept = [Option<Box<dyn Player>>; 2];

impl Contest {
    /// Plays all games that were not played earlier; `told` hears of each finished pair, in whatever order they end, and may
    /// end the match. Stopped early, it gives the pairs that were finished.
    ///
    /// # Errors
    /// If the game or a contestant is not to be had.
    pub fn run(
        &self,
        earlier: &[PairResult],
        stop: &Stop,
        told: &mut (dyn FnMut(&Standing, &PlayedPair) -> MatchVerdict + Send),
    ) -> Result<Standing, ContestError> {
        self.try_out()?;
        let mut standing = Standing::default();
        earlier.iter().for_each(|result| standing.add(result));
        let left: Vec<usize> =
            (0..self.pairs).filter(|pair| earlier.iter().all(|old| old.number != *pair)).collect();
        let shared = Mutex::new((standing, told));
        let (next, failure, enough) = (AtomicUsize::new(0), Mutex::new(None), Stop::new());
        let work = || {
            let mut kept = [None, None];
            while let Some(&pair) = left.get(next.fetch_add(1, Ordering::Relaxed))
                && !stop.is_stopped()
                && !enough.is_stopped()
            {
                let pair = match self.play_pair(pair, &mut kept, stop) {
                    Ok(Some(pair)) => pair,
                    Ok(None) => return,
                    Err(error) => {
                        enough.stop();
                        failure.lock().unwrap_or_else(PoisonError::into_inner).replace(error);
                        return;
                    }
                };
                let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
                let (standing, told) = &mut *shared;
                standing.add(&pair.result);
                if told(standing, &pair) == MatchVerdict::Enough {
                    enough.stop();
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..self.at_once.clamp(1, left.len().max(1)) {
                scope.spawn(work);
            }
        });
        match failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => Ok(shared.into_inner().unwrap_or_else(PoisonError::into_inner).0),
        }
    }

    /// Complains before the first game rather than after it: also about an engine that cannot be started.
    fn try_out(&self) -> Result<(), ContestError> {
        let game = self.open()?;
        let mut session = game.session();
        let openings = &self.openings;
        openings.set_up(&*game, &mut *session, self.seed, 0).map_err(ContestError::Opening)?;
        for contestant in &self.contestants {
            contestant.try_out(&*game, &*session)?;
        }
        Ok(())
    }

    fn open(&self) -> Result<Arc<dyn CompiledGame>, ContestError> {
        catalog::open(&self.game).map_err(ContestError::Game)
    }

    /// Both games of a pair; `None` if somebody said stop.
    fn play_pair(
        &self,
        number: usize,
        kept: &mut Kept,
        stop: &Stop,
    ) -> Result<Option<PlayedPair>, ContestError> {
        let first = self.play_game(number as u64, Side::First, kept, stop)?;
        let second = self.play_game(number as u64, Side::Second, kept, stop)?;
        let games = [first, second];
        if games.iter().any(|game| game.finished.end == End::Stopped) {
            return Ok(None);
        }
        let forfeits = games.iter().filter_map(|game| self.forfeit_of(game)).collect();
        let result =
            PairResult { number, halves: games.each_ref().map(PlayedGame::halves), forfeits };
        Ok(Some(PlayedPair { result, games }))
    }

    /// One game, the first contestant on this side.
    fn play_game(
        &self,
        pair: u64,
        side: Side,
        kept: &mut Kept,
        stop: &Stop,
    ) -> Result<PlayedGame, ContestError> {
        let game = self.open()?;
        let mut session = game.session();
        let openings = &self.openings;
        openings.set_up(&*game, &mut *session, self.seed, pair).map_err(ContestError::Opening)?;
        let before = session.plies();
        // Both games draw alike: a bot that plays itself plays the same game twice.
        let drawn = mix(self.seed.wrapping_add(mix(pair)));
        let who = |of: Side| usize::from(of != side);
        for (i, seat) in kept.iter_mut().enumerate() {
            if seat.is_none() || !self.contestants[i].stays() {
                let of = if i == 0 { side } else { side.other() };
                let seed = mix(drawn ^ (1 + of.index() as u64));
                *seat = Some(self.contestants[i].player(&*game, seed)?);
            }
        }
        let [Some(judged), Some(measure)] = kept else { return Err(ContestError::EmptySeat) };
        let players: [&mut dyn Player; 2] = match side {
            Side::First => [&mut **judged, &mut **measure],
            Side::Second => [&mut **measure, &mut **judged],
        };
        let terms = GameTerms {
            limits: [Side::First, Side::Second]
                .map(|of| self.limits_of(&self.contestants[who(of)])),
            grace: self.grace,
            adjudication: self.adjudication,
        };
        let finished = play(&mut *session, players, &terms, stop);
        let mut record = session.record();
        self.describe(&mut record, game.facts().colours, side, &finished, before);
        Ok(PlayedGame { side, finished, record })
    }

    /// When a contestant stops thinking, if the referee says so.
    fn limits_of(&self, contestant: &Contestant) -> Option<Limits> {
        match contestant.knows_when_to_stop() {
            true => {
                contestant.limits().filter(|limits| limits.clock.is_some() || contestant.stays())
            }
            false => self.limits,
        }
    }

    /// Writes names, result and thoughts into a record.
    fn describe(
        &self,
        record: &mut Record,
        colours: [&str; 2],
        side: Side,
        finished: &Finished,
        before: usize,
    ) {
        let names = self.contestants.each_ref().map(ToString::to_string);
        for of in [Side::First, Side::Second] {
            let name = names[usize::from(of != side)].clone();
            record.tags.push((colours[of.index()].to_owned(), name));
        }
        for (ply, thought) in record.line.plies.iter_mut().skip(before).zip(&finished.thoughts) {
            ply.comment = thought.in_words();
        }
        use play::record::Verdict as Result;
        record.result = match (&finished.end, finished.winner) {
            (End::Stopped, _) => None,
            (_, Some(Side::First)) => Some(Result::First),
            (_, Some(Side::Second)) => Some(Result::Second),
            (_, None) => Some(Result::Draw),
        };
        let why = match &finished.end {
            End::Rules(_) | End::Stopped => return,
            End::Forfeit(what) => what.clone(),
            End::Resigned => "resigned".to_owned(),
            End::Adjudicated => "both players think it is decided".to_owned(),
            End::TooLong => "the game was too long".to_owned(),
        };
        let last = record.line.plies.last_mut().map(|ply| &mut ply.comment);
        let comment = last.unwrap_or(&mut record.line.comment);
        if !comment.is_empty() {
            comment.push_str("; ");
        }
        comment.push_str(&why);
    }

    /// Who lost a game by breaking the rules, and how.
    fn forfeit_of(&self, game: &PlayedGame) -> Option<String> {
        let End::Forfeit(what) = &game.finished.end else { return None };
        let loser = game.finished.winner.map(Side::other);
        let contestant = &self.contestants[usize::from(loser != Some(game.side))];
        Some(format!("{contestant}: {what}"))
    }
}

impl PlayedGame {
    /// Points of the first contestant, in halves.
    fn halves(&self) -> u8 {
        match self.finished.winner {
            None => 1,
            Some(winner) if winner == self.side => 2,
            Some(_) => 0,
        }
    }
}

impl Standing {
    /// Counts a pair.
    pub fn add(&mut self, result: &PairResult) {
        self.forfeits.extend(result.forfeits.iter().cloned());
        self.score.add_pair(result.halves);
    }
}

impl MoveThought {
    /// As comments of game files tell it: the clock, the value for the first player with its depth, and the time.
    fn in_words(&self) -> String {
        let mut text = String::new();
        if let Some(left) = self.left {
            let seconds = left.as_secs_f64();
            let (hours, minutes) = (left.as_secs() / 3600, left.as_secs() / 60 % 60);
            // Writing to a string cannot fail.
            let _ = write!(text, "[%clk {hours}:{minutes:02}:{:04.1}] ", seconds % 60.0);
        }
        if let Some(analysis) = &self.analysis
            && let Some(value) = analysis.value
        {
            let _ = match value.meaning() {
                Meaning::WonIn(plies) => write!(text, "+#{plies}"),
                Meaning::LostIn(plies) => write!(text, "-#{plies}"),
                Meaning::Margin(margin) => write!(text, "{margin:+}"),
                Meaning::Score(score) => write!(text, "{:+.2}", f64::from(score) / 100.0),
            };
            let _ = analysis.depth.map_or(Ok(()), |depth| write!(text, "/{depth}"));
            text.push(' ');
        }
        let _ = write!(text, "{:.3}s", self.time.as_secs_f64());
        text
    }
}
