//! [`Ground`]: where weights meet in pairs of games, for methods that learn from nothing but results.

use arena::Score;
use compiled::duels::{Duel, Seeds, Terms};
use evaluation::weights::Sheet;
use game::{Side, mix};
use play::Stop;

use crate::error::TuneError;
use crate::hall::{Bout, Hall};

/// Weights of one evaluation, of which those are looked for that are [free](evaluation::weights::Entry::is_free).
#[derive(Debug)]
pub struct Ground {
    start: Sheet,
    free: Vec<usize>,
    /// What a change of 1 means for each of them.
    scale: Vec<f64>,
    terms: Terms,
    hall: Hall,
}

/// A weight is tried at least as far away as this share of the largest one, and of its own size.
const SMALLEST: f64 = 0.03;
const OWN: f64 = 0.15;

impl Ground {
    /// For the weights of a sheet and what is around them.
    ///
    /// # Errors
    /// If there is no such game or evaluation.
    pub fn new(
        game: &str,
        start: Sheet,
        terms: Terms,
        threads: usize,
    ) -> Result<Ground, TuneError> {
        let hall = Hall::open(game, &start.evaluation, threads)?;
        let free: Vec<usize> =
            (0..start.entries.len()).filter(|&i| start.entries[i].is_free()).collect();
        let largest = start.largest().max(1.0);
        let size = |&i: &usize| {
            let own = f64::from(start.entries[i].value.abs());
            (OWN * own).max(SMALLEST * largest).max(1.0)
        };
        let scale = free.iter().map(size).collect();
        Ok(Ground { start, free, scale, terms, hall })
    }

    /// How many weights are looked for.
    #[must_use]
    pub fn dimensions(&self) -> usize {
        self.free.len()
    }

    /// The weights that changes lead to, in units of their scales.
    #[must_use]
    pub fn sheet(&self, changes: &[f64]) -> Sheet {
        let mut values = self.start.values();
        for ((&place, scale), change) in self.free.iter().zip(&self.scale).zip(changes) {
            let value = f64::from(values[place]) + change * scale;
            // Beyond its range it is kept to that.
            values[place] = value.clamp(-1e9, 1e9).round() as i32;
        }
        self.start.with_values(&values)
    }

    /// Lets changes meet, each couple in so many pairs of games from random openings; what comes of it depends on the seed alone, and
    /// is told as the first of each couple sees it. All couples meet on the same openings, so that luck with them is the same for all.
    pub fn meet(&mut self, couples: &[[&[f64]; 2]], pairs: usize, seed: u64) -> Vec<Score> {
        let weights: Vec<[Vec<i32>; 2]> = couples
            .iter()
            .map(|couple| couple.map(|changes| self.sheet(changes).values()))
            .collect();
        let mut bouts = Vec::new();
        for (couple, [one, other]) in weights.iter().enumerate() {
            for pair in 0..pairs {
                let opening = mix(seed ^ mix(pair as u64));
                let seeds = |game: u64| Seeds {
                    opening,
                    play: mix(opening ^ mix((couple as u64) << 1 | game)),
                };
                bouts.push(Bout { first: one, second: other, seeds: seeds(0) });
                bouts.push(Bout { first: other, second: one, seeds: seeds(1) });
            }
        }
        let played = self.hall.play(&bouts, &self.terms, &Stop::new(), &|_| {}).unwrap_or_default();
        let score_of = |duels: &[Duel]| {
            let mut score = Score::default();
            duels.chunks_exact(2).for_each(|pair| score.add_pair(halves(pair)));
            score
        };
        played.chunks(2 * pairs.max(1)).map(score_of).collect()
    }
}

/// What the first of a couple won in both games of a pair.
fn halves(pair: &[Duel]) -> [u8; 2] {
    [Side::First, Side::Second].map(|side| match pair[side.index()].winner {
        None => 1,
        Some(winner) if winner == side => 2,
        Some(_) => 0,
    })
}
