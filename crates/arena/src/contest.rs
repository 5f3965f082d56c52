//! [`Contest`]: a match of many games, several at a time.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use catalog::{Bot, Workbench};
use game::record::Record;
use game::{Player, Side, Stop, mix};

use crate::game::{End, Finished, play};
use crate::openings::opening;
use crate::score::Score;

/// Two bots and how often they meet.
#[derive(Clone, Debug)]
pub struct Contest {
    /// The game.
    pub game: String,
    /// Who is judged, and who it is measured against.
    pub bots: [Bot; 2],
    /// Pairs of games.
    pub pairs: usize,
    /// Random plies at the beginning of each pair.
    pub plies: usize,
    /// Games at a time.
    pub at_once: usize,
    /// Where the random numbers begin.
    pub seed: u64,
}

/// How a match stands.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// As the first bot sees it.
    pub score: Score,
    /// What went wrong, each in one line: games that a bot lost by breaking the rules.
    pub forfeits: Vec<String>,
}

/// A game of the match.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// Which side the first bot had.
    pub side: Side,
    /// How it ended.
    pub finished: Finished,
    /// Its moves.
    pub record: Record,
}

impl Contest {
    /// Plays all games; `told` hears of each finished pair, in whatever order they end. Stopped early, it gives
    /// the pairs that were finished.
    ///
    /// # Errors
    /// In one line, if the game or a bot is not to be had.
    pub fn run(
        &self,
        stop: &Stop,
        told: &mut (dyn FnMut(&Standing, &[PlayedGame; 2]) + Send),
    ) -> Result<Standing, String> {
        self.try_out()?;
        let shared = Mutex::new((Standing::default(), told));
        let (next, failure) = (AtomicUsize::new(0), Mutex::new(None));
        std::thread::scope(|scope| {
            for _ in 0..self.at_once.clamp(1, self.pairs.max(1)) {
                scope.spawn(|| {
                    while let pair = next.fetch_add(1, Ordering::Relaxed)
                        && pair < self.pairs
                        && !stop.is_stopped()
                    {
                        let games = match self.play_pair(pair as u64, stop) {
                            Ok(games) => games,
                            Err(error) => {
                                failure
                                    .lock()
                                    .unwrap_or_else(PoisonError::into_inner)
                                    .replace(error);
                                return;
                            }
                        };
                        if games.iter().any(|game| game.finished.end == End::Stopped) {
                            return;
                        }
                        let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
                        let (standing, told) = &mut *shared;
                        standing.add(&games, &self.bots);
                        told(standing, &games);
                    }
                });
            }
        });
        match failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => Ok(shared.into_inner().unwrap_or_else(PoisonError::into_inner).0),
        }
    }

    /// Complains before the first game rather than after it.
    fn try_out(&self) -> Result<(), String> {
        let bench = self.open()?;
        self.bots.iter().try_for_each(|bot| bench.player(bot, 0).map(drop))
    }

    fn open(&self) -> Result<Box<dyn Workbench>, String> {
        catalog::open(&self.game).map_err(|e| format!("game {e}"))
    }

    /// Both games of a pair, the first bot as the first player in the first.
    fn play_pair(&self, pair: u64, stop: &Stop) -> Result<[PlayedGame; 2], String> {
        let game = |side: Side| -> Result<PlayedGame, String> {
            let mut bench = self.open()?;
            let drawn = mix(self.seed.wrapping_add(mix(pair)));
            opening(&mut *bench, self.plies, drawn);
            // Both games draw alike: a bot that plays itself plays the same game twice.
            let seat = |of: Side| -> Result<Box<dyn Player>, String> {
                let bot = &self.bots[usize::from(of != side)];
                bench.player(bot, mix(drawn ^ (1 + of.index() as u64)))
            };
            let mut players = [seat(Side::First)?, seat(Side::Second)?];
            let finished = play(&mut *bench, &mut players, stop);
            Ok(PlayedGame { side, finished, record: bench.record() })
        };
        Ok([game(Side::First)?, game(Side::Second)?])
    }
}

impl Standing {
    fn add(&mut self, games: &[PlayedGame; 2], bots: &[Bot; 2]) {
        for game in games {
            if let End::Forfeit(what) = &game.finished.end {
                let loser = game.finished.winner.map(Side::other);
                let bot = &bots[usize::from(loser != Some(game.side))];
                self.forfeits.push(format!("{bot}: {what}"));
            }
        }
        let halves = |game: &PlayedGame| match game.finished.winner {
            None => 1,
            Some(winner) if winner == game.side => 2,
            Some(_) => 0,
        };
        self.score.add_pair([halves(&games[0]), halves(&games[1])]);
    }
}
