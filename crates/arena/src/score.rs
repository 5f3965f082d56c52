//! What a match has shown: wins, draws, losses, and the difference in strength with its 95% interval.

/// The two-sided 95% quantile of the normal distribution.
const Z: f64 = 1.96;

/// Results as one side of a match sees them, in pairs of games from the same opening.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Finished pairs by what they brought: 0, a half, 1, one and a half, 2 points.
    pub pairs: [u32; 5],
}

/// A difference in strength on the Elo scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// The best guess; infinite if all games were won or lost.
    pub best: f64,
    /// The lower end of the 95% interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Score {
    /// Counts a pair: the points of both games, in halves.
    pub fn add_pair(&mut self, halves: [u8; 2]) {
        for game in halves {
            match game {
                0 => self.losses += 1,
                1 => self.draws += 1,
                _ => self.wins += 1,
            }
        }
        self.pairs[usize::from(halves[0].min(2) + halves[1].min(2))] += 1;
    }

    /// All games.
    #[must_use]
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The share of points won, from 0 to 1; a half before the first game.
    #[must_use]
    pub fn share(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => (f64::from(self.wins) + f64::from(self.draws) / 2.0) / f64::from(games),
        }
    }

    /// The share of points with its 95% interval.
    ///
    /// Wilson's interval, whose ends stay within 0 and 1, for as many independent games as would vary as much as
    /// the pairs did: games of a pair depend on each other, and draws vary less.
    #[must_use]
    pub fn interval(&self) -> (f64, f64) {
        let pairs = f64::from(self.pairs.iter().sum::<u32>());
        if pairs == 0.0 {
            return (0.0, 1.0);
        }
        let share = self.share();
        let points = |i: usize| i as f64 / 4.0;
        let spread: f64 = (self.pairs.iter().enumerate())
            .map(|(i, &n)| f64::from(n) * (points(i) - share).powi(2))
            .sum();
        let variance = spread / (pairs - 1.0).max(1.0);
        let independent = share * (1.0 - share);
        let n = if variance > 0.0 { pairs * independent / variance } else { pairs };
        let middle = share + Z * Z / (2.0 * n);
        let width = Z * (independent / n + Z * Z / (4.0 * n * n)).sqrt();
        let scale = 1.0 + Z * Z / n;
        let low = if share == 0.0 { 0.0 } else { (middle - width) / scale };
        let high = if share == 1.0 { 1.0 } else { (middle + width) / scale };
        (low, high)
    }

    /// The difference in strength that these results show.
    #[must_use]
    pub fn elo(&self) -> Elo {
        let (low, high) = self.interval();
        Elo { best: elo_of(self.share()), low: elo_of(low), high: elo_of(high) }
    }
}

/// The difference in strength that gives this share of the points.
fn elo_of(share: f64) -> f64 {
    // Adding zero turns a negative zero into the usual one.
    400.0 * (share / (1.0 - share)).log10() + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(pairs: &[[u8; 2]]) -> Score {
        let mut score = Score::default();
        pairs.iter().for_each(|&pair| score.add_pair(pair));
        score
    }

    #[test]
    fn pairs_are_counted() {
        let score = score(&[[2, 0], [1, 1], [2, 1], [2, 2], [0, 0]]);
        assert_eq!((score.wins, score.draws, score.losses), (4, 3, 3));
        assert_eq!(score.pairs, [1, 0, 2, 1, 1]);
        assert_eq!(score.share(), 0.55);
    }

    #[test]
    fn elo_is_what_the_tables_say() {
        for (share, elo) in [(0.5, 0.0), (0.64, 99.95), (0.76, 200.24), (0.36, -99.95)] {
            assert!((elo_of(share) - elo).abs() < 0.01, "{share}: {}", elo_of(share));
        }
    }

    #[test]
    fn intervals_hold_the_share_and_close_with_more_games() {
        let few = score(&[[2, 0], [2, 1], [0, 2], [2, 2]]);
        let many: Vec<[u8; 2]> = (0..50).flat_map(|_| [[2, 0], [2, 1], [0, 2], [2, 2]]).collect();
        let many = score(&many);
        for score in [few, many] {
            let (low, high) = score.interval();
            assert!(0.0 < low && low < score.share() && score.share() < high && high < 1.0);
        }
        let width = |score: Score| score.interval().1 - score.interval().0;
        assert!(width(many) * 4.0 < width(few));
    }

    /// A hundred pairs won leave little doubt, but some.
    #[test]
    fn all_won_has_a_lower_end() {
        let score = score(&[[2, 2]; 100]);
        let elo = score.elo();
        assert!(elo.best.is_infinite() && elo.high.is_infinite(), "{elo:?}");
        assert!(elo.low > 500.0 && elo.low < 700.0, "{elo:?}");
        assert_eq!(Score::default().interval(), (0.0, 1.0));
    }

    /// The interval covers the truth about as often as it says, and pairs of opposite results tell much.
    #[test]
    fn intervals_cover_the_truth() {
        let mut rng = game::Rng::new(3);
        let (mut covered, trials) = (0, 2_000);
        for _ in 0..trials {
            let mut score = Score::default();
            for _ in 0..100 {
                let mut game = || [2, 2, 2, 1, 1, 0, 0, 0][rng.below(8)];
                let pair = [game(), game()];
                score.add_pair(pair);
            }
            let (low, high) = score.interval();
            covered += u32::from(low <= 0.5 && 0.5 <= high);
        }
        let share = f64::from(covered) / f64::from(trials);
        assert!((0.93..=0.97).contains(&share), "{share}");
    }
}
