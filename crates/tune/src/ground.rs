//! [`Ground`]: where weights meet in pairs of games, for methods that learn from nothing but results.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use arena::Score;
use catalog::duels::{Duels, Seeds, Terms};
use game::weights::Sheet;
use game::{Side, mix};

/// Weights of one evaluation, of which those are looked for that are [free](game::weights::Entry::is_free).
pub struct Ground {
    start: Sheet,
    free: Vec<usize>,
    /// What a change of 1 means for each of them.
    scale: Vec<f64>,
    terms: Terms,
    threads: Vec<Box<dyn Duels>>,
}

/// A weight is tried at least as far away as this share of the largest one, and of its own size.
const SMALLEST: f64 = 0.03;
const OWN: f64 = 0.15;

impl fmt::Debug for Ground {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ground")
            .field("start", &self.start)
            .field("terms", &self.terms)
            .finish_non_exhaustive()
    }
}

impl Ground {
    /// For the weights of a sheet and what is around them.
    ///
    /// # Errors
    /// In one line, if there is no such game or evaluation.
    pub fn new(game: &str, start: Sheet, terms: Terms, threads: usize) -> Result<Ground, String> {
        let bench = catalog::open(game).map_err(|e| format!("game {e}"))?;
        let threads: Result<Vec<_>, String> =
            (0..threads.max(1)).map(|_| bench.duels(&start.evaluation)).collect();
        let free: Vec<usize> =
            (0..start.entries.len()).filter(|&i| start.entries[i].is_free()).collect();
        let largest = crate::largest(&start).max(1.0);
        let size = |&i: &usize| {
            let own = f64::from(start.entries[i].value.abs());
            (OWN * own).max(SMALLEST * largest).max(1.0)
        };
        let scale = free.iter().map(size).collect();
        Ok(Ground { start, free, scale, terms, threads: threads? })
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
    /// is told as the first of each couple sees it.
    pub fn meet(&mut self, couples: &[[&[f64]; 2]], pairs: usize, seed: u64) -> Vec<Score> {
        let weights: Vec<[Vec<i32>; 2]> = couples
            .iter()
            .map(|couple| couple.map(|changes| self.sheet(changes).values()))
            .collect();
        let (next, terms, all) = (AtomicUsize::new(0), self.terms, couples.len() * pairs);
        let scores = Mutex::new(vec![Score::default(); couples.len()]);
        std::thread::scope(|scope| {
            for duels in &mut self.threads {
                let (next, scores, weights) = (&next, &scores, &weights);
                scope.spawn(move || {
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        if at >= all {
                            return;
                        }
                        // Couples meet on the same openings, so that luck with them is the same for all.
                        let (couple, pair) = (at / pairs, at % pairs);
                        let halves =
                            play_pair(&mut **duels, &weights[couple], &terms, seed, pair, couple);
                        let mut scores = scores.lock().unwrap_or_else(PoisonError::into_inner);
                        scores[couple].add_pair(halves);
                    }
                });
            }
        });
        scores.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Both games of a pair: the points of the first, in halves.
fn play_pair(
    duels: &mut dyn Duels,
    [one, other]: &[Vec<i32>; 2],
    terms: &Terms,
    seed: u64,
    pair: usize,
    couple: usize,
) -> [u8; 2] {
    let opening = mix(seed ^ mix(pair as u64));
    let seeds =
        |game: u64| Seeds { opening, play: mix(opening ^ mix((couple as u64) << 1 | game)) };
    let halves = |winner: Option<Side>, side: Side| match winner {
        None => 1,
        Some(winner) if winner == side => 2,
        Some(_) => 0,
    };
    let first = duels.play(one, other, terms, seeds(0)).winner;
    let second = duels.play(other, one, terms, seeds(1)).winner;
    [halves(first, Side::First), halves(second, Side::Second)]
}
