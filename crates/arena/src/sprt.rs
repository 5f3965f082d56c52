//! [`Sprt`]: a match that ends as soon as it has shown enough.
//!
//! The sequential probability ratio test (Wald 1945) compares two hypotheses, "the difference in strength is
//! `elo0`" and "it is `elo1`", by the logarithm of the ratio of their likelihoods, and stops at bounds that follow
//! from the errors that are allowed. Neither hypothesis says how often games are drawn or how the games of a pair hang together; so
//! each is given the benefit of the doubt, the most likely distribution of pairs among those with its strength. That makes
//! the test a generalised one. (Van den Bergh, "Comments on normalized Elo", 2021; the test of the Stockfish project.)

use thiserror::Error;

use crate::pairs::{self, CELLS, Distribution};
use crate::score::{ELO_OF_DEVIATION, Score, share_of};

/// What the strengths of a test are measured in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// The usual Elo: the share of points alone.
    #[default]
    Logistic,
    /// The share of points measured against how much results vary, so that a test takes as long whatever the number of
    /// draws. Scaled such that both kinds agree where no game is drawn and pairs do not matter.
    Normalised,
}

/// A sequential test of two hypotheses about a match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    elo: [f64; 2],
    alpha: f64,
    beta: f64,
    scale: Scale,
}

/// What a test says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SprtDecision {
    /// The difference is `elo0` rather than `elo1`.
    AcceptH0,
    /// The difference is `elo1` rather than `elo0`.
    AcceptH1,
    /// More games are needed.
    Continue,
}

impl Scale {
    /// The largest difference a test may ask about. On the logistic scale the weaker side hardly ever scores beyond it; on the
    /// normalised one a handful of games shows as much, and the most likely distribution is hard to find.
    #[must_use]
    pub fn furthest(self) -> f64 {
        match self {
            Scale::Logistic => 1_000.0,
            Scale::Normalised => 100.0,
        }
    }
}

/// Why hypotheses and chances make no test.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SprtError {
    /// A hypothesis is beyond what the scale can tell.
    #[error("elo0 is {elo0}, elo1 is {elo1}; both must be from -{furthest} to {furthest}")]
    TooFar {
        /// The null hypothesis.
        elo0: f64,
        /// The alternative.
        elo1: f64,
        /// [`Scale::furthest`].
        furthest: f64,
    },
    /// The alternative is not above the null hypothesis.
    #[error("elo0 is {elo0}, elo1 is {elo1}; the first must be the smaller")]
    Order {
        /// The null hypothesis.
        elo0: f64,
        /// The alternative.
        elo1: f64,
    },
    /// A chance of an error is none, or no better than a coin.
    #[error("alpha is {alpha}, beta is {beta}; chances of an error are above 0 and below 0.5")]
    Chances {
        /// Of a false alarm.
        alpha: f64,
        /// Of a miss.
        beta: f64,
    },
}

impl Sprt {
    /// A test that takes `elo0` for `elo1` with a chance of at most about `alpha`, and `elo1` for `elo0` with at most
    /// about `beta`.
    ///
    /// # Errors
    /// If the hypotheses or chances make no test.
    pub fn new(
        elo0: f64,
        elo1: f64,
        alpha: f64,
        beta: f64,
        scale: Scale,
    ) -> Result<Sprt, SprtError> {
        let furthest = scale.furthest();
        let sensible = |elo: f64| (-furthest..=furthest).contains(&elo);
        if !sensible(elo0) || !sensible(elo1) {
            return Err(SprtError::TooFar { elo0, elo1, furthest });
        }
        if elo0 >= elo1 {
            return Err(SprtError::Order { elo0, elo1 });
        }
        let chance = |chance: f64| 0.0 < chance && chance < 0.5;
        if !chance(alpha) || !chance(beta) {
            return Err(SprtError::Chances { alpha, beta });
        }
        Ok(Sprt { elo: [elo0, elo1], alpha, beta, scale })
    }

    /// Where the test ends: at or below the first it accepts H0, at or above the second H1.
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        let (alpha, beta) = (self.alpha, self.beta);
        ((beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln())
    }

    /// The logarithm of how much more likely these results are under `elo1` than under `elo0`.
    #[must_use]
    pub fn log_likelihood_ratio(&self, score: &Score) -> f64 {
        if score.pair_count() == 0 {
            return 0.0;
        }
        let (seen, count) = pairs::seen(&score.pairs);
        let [likely0, likely1] = self.elo.map(|elo| self.most_likely(&seen, elo));
        let gain = |i: usize| seen[i] * (likely1[i] / likely0[i]).ln();
        count * (0..CELLS).map(gain).sum::<f64>()
    }

    /// What these results decide.
    #[must_use]
    pub fn decision(&self, score: &Score) -> SprtDecision {
        let (low, high) = self.bounds();
        match self.log_likelihood_ratio(score) {
            llr if llr >= high => SprtDecision::AcceptH1,
            llr if llr <= low => SprtDecision::AcceptH0,
            _ => SprtDecision::Continue,
        }
    }

    /// The distribution of that strength under which the results seen are most likely.
    fn most_likely(&self, seen: &Distribution, elo: f64) -> Distribution {
        match self.scale {
            Scale::Logistic => pairs::with_mean(seen, share_of(elo)),
            // Pairs vary half as much as games would if they were independent.
            Scale::Normalised => {
                pairs::with_deviations(seen, elo / ELO_OF_DEVIATION * 2_f64.sqrt())
            }
        }
    }
}
