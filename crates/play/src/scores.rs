//! [`Scores`]: what the scores of a game's searches mean to people.

/// How a score is to be read: an opinion, not a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scores {
    /// Hundredths of a piece, of which so many are `ahead` enough to win nearly three games of
    /// four.
    Pieces {
        /// What many of these pieces are called.
        name: &'static str,
        /// See above.
        ahead: i32,
    },
    /// A number of the evaluation's own, which tells a chance of winning and nothing else.
    Own {
        /// With so much one wins nearly three games of four.
        ahead: i32,
    },
    /// The mean of random games in thousandths, from -1000, all are lost, to 1000, all are won.
    Mean,
}

impl Scores {
    /// The chance that goes with a score: from 0, sure to lose, to 1, sure to win. A draw is half
    /// of either.
    #[must_use]
    pub fn chance(self, score: i32) -> f64 {
        match self {
            Scores::Pieces { ahead, .. } | Scores::Own { ahead } => {
                1.0 / (1.0 + (-f64::from(score) / f64::from(ahead)).exp())
            }
            Scores::Mean => (0.5 + f64::from(score) / 2000.0).clamp(0.0, 1.0),
        }
    }

    /// How many pieces a score is worth, where that is what it counts.
    #[must_use]
    pub fn pieces(self, score: i32) -> Option<f64> {
        matches!(self, Scores::Pieces { .. }).then(|| f64::from(score) / 100.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_read() {
        let pawns = Scores::Pieces { name: "pawns", ahead: 250 };
        assert_eq!((pawns.pieces(-125), pawns.chance(0)), (Some(-1.25), 0.5));
        assert!((pawns.chance(250) - 0.731).abs() < 0.001);
        assert!((pawns.chance(250) + pawns.chance(-250) - 1.0).abs() < 1e-9);
        assert_eq!(Scores::Own { ahead: 300 }.pieces(646), None);
        assert!((Scores::Mean.chance(-922) - 0.039).abs() < 1e-9);
        assert_eq!([-2000, 2000].map(|score| Scores::Mean.chance(score)), [0.0, 1.0]);
    }
}
