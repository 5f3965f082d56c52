//! [`Ring`]: where the duels of one compiled game take place.

use game::weights::{self, Tunable};
use game::{Path, Recall, Rng, Side, Spec, mix};
use search::FixedDepth;

use super::{Duel, DuelWeight, Duels, Seeds, Terms};
use crate::instances::Instance;

/// Two players and what they need, used for one game after another.
pub(crate) struct Ring<G: Instance> {
    game: G,
    evaluation: G::Heuristics,
    weights: Vec<DuelWeight>,
    players: [Contestant<G>; 2],
    path: Path,
    moves: Vec<G::Move>,
}

struct Contestant<G: Instance> {
    search: FixedDepth<G, G::Heuristics>,
    /// What its evaluation has now.
    weights: Vec<i32>,
}

impl<G: Instance> Ring<G> {
    /// For an evaluation of the game, with its usual weights.
    pub(crate) fn new(game: G, evaluation: &G::Heuristics) -> Ring<G> {
        let weights: Vec<DuelWeight> = weights::list(evaluation)
            .into_iter()
            .map(|(name, usual)| DuelWeight { range: G::Heuristics::range(&name), name, usual })
            .collect();
        let usual: Vec<i32> = weights.iter().map(|weight| weight.usual).collect();
        let players = [0; 2].map(|_| Contestant {
            search: FixedDepth::new(&game, evaluation.clone()),
            weights: usual.clone(),
        });
        let (path, moves) = (Path::new(), Vec::with_capacity(256));
        Ring { game, evaluation: evaluation.clone(), weights, players, path, moves }
    }

    /// Plays a move that no rule forbids, and says what the rules that look back think of what comes of it. `None` where
    /// there is no such move.
    fn step(&mut self, p: &mut G::Position, terms: &Terms, chance: &mut Chance) -> Option<Recall> {
        self.moves.clear();
        self.game.generate(p, &mut self.moves);
        let seat = self.game.to_move(p).index();
        self.path.push(self.game.path_key(p));
        while !self.moves.is_empty() {
            let m = if self.path.len() <= terms.opening as usize {
                self.moves[chance.opening.below(self.moves.len())]
            } else {
                let (search, lots) = (&mut self.players[seat].search, &mut chance.lots[seat]);
                search.choose(&self.game, p, &self.moves, terms.depth, lots)?
            };
            let undo = self.game.make(p, m);
            match self.game.recall(p, &self.path) {
                Recall::Forbidden => {
                    self.game.unmake(p, m, undo);
                    self.moves.retain(|&other| other != m);
                }
                verdict => return Some(verdict),
            }
        }
        None
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

impl<G: Instance> Duels for Ring<G> {
    fn weights(&self) -> &[DuelWeight] {
        &self.weights
    }

    fn text(&self, weights: &[i32]) -> String {
        let mut evaluation = self.evaluation.clone();
        set(&mut evaluation, weights);
        weights::write(Spec::family_of(&self.game.spec()), &evaluation)
    }

    fn read(&self, text: &str) -> Result<Vec<i32>, String> {
        let game = self.game.spec();
        let read: G::Heuristics =
            weights::read(Spec::family_of(&game), text).map_err(|e| e.to_string())?;
        let named: Vec<(String, i32)> = weights::list(&read);
        let same = named.len() == self.weights.len()
            && named.iter().zip(&self.weights).all(|((name, _), weight)| *name == weight.name);
        match same {
            true => Ok(named.into_iter().map(|(_, weight)| weight).collect()),
            false => {
                let (found, wanted) = (read.name(), self.evaluation.name());
                Err(format!("weights of {found}; those of {wanted} would be right"))
            }
        }
    }

    fn play(&mut self, first: &[i32], second: &[i32], terms: &Terms, seeds: Seeds) -> Duel {
        for (player, weights) in self.players.iter_mut().zip([first, second]) {
            player.search.forget();
            if player.weights != weights {
                player.weights.copy_from_slice(weights);
                set(player.search.heuristics(), weights);
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
