//! [`Ring`]: where the duels of one compiled game take place.

use std::sync::Arc;

use evaluation::weights::{self, Tunable};
use game::{Path, Recall, Rng, Side, Spec, mix};
use games::Playable;
use play::{Limits, Stop};
use search::{Algorithm, Decisions, FixedDepth, SearchRoot, Settings, Table};

use super::{Duel, DuelWeight, Duels, Seeds, Terms};
use crate::bots::WeightsError;

/// Where games between weights of an evaluation are played. Decisions are shared with others.
pub fn duels<G: Playable>(
    game: G,
    evaluation: &G::Heuristics,
    decisions: &Arc<Decisions>,
) -> Box<dyn Duels> {
    Box::new(Ring::new(game, evaluation, decisions))
}

/// Two players and what they need, used for one game after another.
struct Ring<G: Playable> {
    game: G,
    evaluation: G::Heuristics,
    weights: Vec<DuelWeight>,
    players: [Contestant<G>; 2],
    path: Path,
    moves: Vec<G::Move>,
}

struct Contestant<G: Playable> {
    search: FixedDepth<G, G::Heuristics>,
    /// What its evaluation has now.
    weights: Vec<i32>,
    /// What it remembers within a game if it searches as bots do.
    table: Option<Table>,
}

/// Enough for a game of some thousand positions a move.
const TABLE_MEGABYTES: usize = 1;

impl<G: Playable> Ring<G> {
    /// For an evaluation of the game, with its usual weights. Decisions are shared with other rings.
    fn new(game: G, evaluation: &G::Heuristics, decisions: &Arc<Decisions>) -> Ring<G> {
        let weights: Vec<DuelWeight> = weights::list(evaluation)
            .into_iter()
            .map(|(name, usual)| DuelWeight { range: G::Heuristics::range(&name), name, usual })
            .collect();
        let usual: Vec<i32> = weights.iter().map(|weight| weight.usual).collect();
        let players = [0; 2].map(|_| {
            let mut search = FixedDepth::new(&game, evaluation.clone());
            search.share(decisions.clone());
            search.play_as(number_of(&usual));
            Contestant { search, weights: usual.clone(), table: None }
        });
        let (path, moves) = (Path::new(), Vec::with_capacity(256));
        Ring { game, evaluation: evaluation.clone(), weights, players, path, moves }
    }

    /// Plays a move that no rule forbids, and says what the rules that look back think of what comes of it. `None` where
    /// there is no such move.
    fn step(&mut self, p: &mut G::Position, terms: &Terms, chance: &mut Chance) -> Option<Recall> {
        self.moves.clear();
        self.game.generate(p, &mut self.moves);
        while !self.moves.is_empty() {
            let m = if self.path.len() < terms.opening as usize {
                self.moves[chance.opening.below(self.moves.len())]
            } else {
                self.choose(p, terms, chance)?
            };
            self.path.push(self.game.path_key(p));
            let undo = self.game.make(p, m);
            match self.game.recall(p, &self.path) {
                Recall::Forbidden => {
                    self.game.unmake(p, m, undo);
                    self.path.pop();
                    self.moves.retain(|&other| other != m);
                }
                verdict => return Some(verdict),
            }
        }
        None
    }

    /// The move that the side to move thinks best.
    fn choose(
        &mut self,
        p: &mut G::Position,
        terms: &Terms,
        chance: &mut Chance,
    ) -> Option<G::Move> {
        let (game, seat) = (&self.game, self.game.to_move(p).index());
        let (player, lots) = (&mut self.players[seat], &mut chance.lots[seat]);
        let (Some(nodes), [_, _, ..]) = (terms.nodes, &self.moves[..]) else {
            return player.search.choose(game, p, &self.moves, terms.depth, lots);
        };
        let settings = Settings {
            algorithm: Algorithm::Playing,
            limits: Limits { nodes: Some(nodes), ..Limits::default() },
            hash_megabytes: TABLE_MEGABYTES,
            seed: Some(lots.next_u64()),
            ..Settings::default()
        };
        let table = player.table.get_or_insert_with(|| Table::new(TABLE_MEGABYTES));
        let from = SearchRoot { game, position: p, path: &self.path, among: &[] };
        let heuristics = player.search.heuristics().clone();
        let (stop, mut quiet) = (Stop::new(), |_: &_| {});
        let report = search::search_with(table, &from, heuristics, &settings, &stop, &mut quiet);
        report.best.filter(|m| self.moves.contains(m)).or(self.moves.first().copied())
    }

    /// Plays a game to its end, and gives the first player's margin.
    fn play_out(&mut self, terms: &Terms, chance: &mut Chance) -> i32 {
        self.path.clear();
        let mut p = self.game.start();
        loop {
            if let Some(margin) = self.game.margin(&p) {
                return margin;
            }
            if self.path.len() >= terms.longest as usize {
                return 0;
            }
            match self.step(&mut p, terms, chance) {
                Some(Recall::Over(margin) | Recall::Claim(margin)) => return margin,
                Some(_) => {}
                None => return self.game.stuck(&p),
            }
        }
    }
}

/// What decides where nobody does.
struct Chance {
    opening: Rng,
    lots: [Rng; 2],
}

impl<G: Playable> Duels for Ring<G> {
    fn weights(&self) -> &[DuelWeight] {
        &self.weights
    }

    fn text(&self, weights: &[i32]) -> String {
        let mut evaluation = self.evaluation.clone();
        set(&mut evaluation, weights);
        weights::write(Spec::family_of(&self.game.spec()), &evaluation)
    }

    fn read(&self, text: &str) -> Result<Vec<i32>, WeightsError> {
        let game = self.game.spec();
        let read: G::Heuristics =
            weights::read(Spec::family_of(&game), text).map_err(WeightsError::Text)?;
        let named: Vec<(String, i32)> = weights::list(&read);
        let same = named.len() == self.weights.len()
            && named.iter().zip(&self.weights).all(|((name, _), weight)| *name == weight.name);
        match same {
            true => Ok(named.into_iter().map(|(_, weight)| weight).collect()),
            false => {
                let (found, wanted) = (read.name(), self.evaluation.name());
                Err(WeightsError::Other { found, wanted })
            }
        }
    }

    fn play(&mut self, first: &[i32], second: &[i32], terms: &Terms, seeds: Seeds) -> Duel {
        for (player, weights) in self.players.iter_mut().zip([first, second]) {
            player.search.forget();
            player.table.iter_mut().for_each(Table::clear);
            if player.weights != weights {
                player.weights.copy_from_slice(weights);
                set(player.search.play_as(number_of(weights)), weights);
            }
        }
        let lots = [0, 1].map(|seat| Rng::new(mix(seeds.play) ^ seat));
        let margin = self.play_out(terms, &mut Chance { opening: Rng::new(seeds.opening), lots });
        let winner = match margin.signum() {
            1 => Some(Side::First),
            -1 => Some(Side::Second),
            _ => None,
        };
        Duel { winner, plies: self.path.len() as u32 }
    }
}

/// Gives an evaluation these numbers.
fn set<T: Tunable>(evaluation: &mut T, weights: &[i32]) {
    let mut left = weights.iter();
    evaluation.each_weight(&mut |_, weight| {
        if let Some(&new) = left.next() {
            *weight = new;
        }
    });
    debug_assert!(left.next().is_none(), "more numbers than weights");
}

/// What tells a player from all others.
fn number_of(weights: &[i32]) -> u64 {
    weights.iter().fold(weights.len() as u64, |number, &weight| mix(number ^ weight as u64))
}
