//! SPSA, simultaneous perturbation stochastic approximation (Spall 1992): all weights are changed at once, at random to either side; the two results
//! play each other; and all go a little to the side that won.

use arena::Score;
use game::{Rng, mix};

use crate::ground::Ground;
use crate::session::TuningSession;

/// How it goes about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spsa {
    /// Pairs of games of a step.
    pub pairs: usize,
    /// Steps in all, after which changes are small.
    pub steps: u64,
    /// How far weights are changed at first, in units of their scales.
    pub reach: f64,
    /// How far they go after a won match, as a share of that.
    pub rate: f64,
}

/// How fast the reach and the rate fall with the steps, as Spall advises.
const REACH_FALLS: f64 = 0.101;
const RATE_FALLS: f64 = 0.602;
/// The first tenth of the steps go about as far as each other.
const CALM: f64 = 0.1;

/// Takes a step.
pub fn step(session: &mut TuningSession, ground: &mut Ground, spsa: &Spsa, seed: u64) -> Score {
    let dimensions = ground.dimensions();
    let mean = session.get("mean", dimensions).unwrap_or_else(|| vec![0.0; dimensions]);
    let drawn = mix(seed ^ mix(session.step));
    let mut rng = Rng::new(drawn);
    let sides: Vec<f64> =
        (0..dimensions).map(|_| if rng.below(2) == 0 { 1.0 } else { -1.0 }).collect();
    let (step, steps) = (session.step as f64, spsa.steps.max(1) as f64);
    let reach = spsa.reach / (step + 1.0).powf(REACH_FALLS);
    let rate = spsa.rate * (CALM * steps / (CALM * steps + step)).powf(RATE_FALLS);
    let moved = |sign: f64| -> Vec<f64> {
        mean.iter().zip(&sides).map(|(mean, side)| mean + sign * reach * side).collect()
    };
    let (more, less) = (moved(1.0), moved(-1.0));
    let scores = ground.meet(&[[&more, &less]], spsa.pairs, mix(drawn));
    let score = scores.first().copied().unwrap_or_default();
    let won = 2.0 * score.share() - 1.0;
    let next = mean.iter().zip(&sides).map(|(mean, side)| mean + rate * reach * won * side);
    session.numbers.insert("mean".to_owned(), next.collect());
    session.step += 1;
    session.games += u64::from(score.games());
    score
}
