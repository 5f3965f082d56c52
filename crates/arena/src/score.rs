//! What a match has shown: wins, draws, losses, and the difference in strength with its 95% interval.

use std::f64::consts::{LN_10, SQRT_2, TAU};

/// The two-sided 95% quantile of the normal distribution.
pub(crate) const Z: f64 = 1.96;

/// What a standard deviation of a game is worth in normalised Elo: as much as in Elo near 0 if no game is drawn.
pub(crate) const ELO_OF_DEVIATION: f64 = 800.0 / LN_10;

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

    /// Won, drawn and lost together.
    #[must_use]
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// All finished pairs.
    #[must_use]
    pub fn pair_count(&self) -> u32 {
        self.pairs.iter().sum()
    }

    /// Adds what else was played.
    pub fn add(&mut self, other: &Score) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        (self.pairs.iter_mut().zip(other.pairs)).for_each(|(pairs, more)| *pairs += more);
    }

    /// The same results as the other side sees them.
    #[must_use]
    pub fn reversed(&self) -> Score {
        let [none, half, one, more, two] = self.pairs;
        Score {
            wins: self.losses,
            draws: self.draws,
            losses: self.wins,
            pairs: [two, more, one, half, none],
        }
    }

    /// The share of games drawn; `None` before the first game.
    #[must_use]
    pub fn draw_ratio(&self) -> Option<f64> {
        (self.games() > 0).then(|| f64::from(self.draws) / f64::from(self.games()))
    }

    /// Pairs won for each pair lost; `None` if none was lost.
    #[must_use]
    pub fn pairs_ratio(&self) -> Option<f64> {
        let [none, half, _, more, two] = self.pairs;
        let (won, lost) = (f64::from(more) + f64::from(two), f64::from(none) + f64::from(half));
        (lost > 0.0).then(|| won / lost)
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
        let pairs = f64::from(self.pair_count());
        if pairs == 0.0 {
            return (0.0, 1.0);
        }
        let share = self.share();
        let variance = self.pair_variance();
        let independent = share * (1.0 - share);
        let n = if variance > 0.0 { pairs * independent / variance } else { pairs };
        let middle = share + Z * Z / (2.0 * n);
        let width = Z * (independent / n + Z * Z / (4.0 * n * n)).sqrt();
        let scale = 1.0 + Z * Z / n;
        let low = if share == 0.0 { 0.0 } else { (middle - width) / scale };
        let high = if share == 1.0 { 1.0 } else { (middle + width) / scale };
        (low, high)
    }

    /// How much the share of points varies from pair to pair.
    fn pair_variance(&self) -> f64 {
        let share = self.share();
        let points = |i: usize| i as f64 / 4.0;
        let spread: f64 = (self.pairs.iter().enumerate())
            .map(|(i, &n)| f64::from(n) * (points(i) - share).powi(2))
            .sum();
        spread / (f64::from(self.pair_count()) - 1.0).max(1.0)
    }

    /// How likely it is that this side is the stronger one, whatever the difference.
    ///
    /// The mean of many pairs is about normally distributed, with the variance that pairs show. Pairs that
    /// all brought the same show none; then a won pair counts like heads of a coin of which nothing is known (Laplace's rule
    /// of succession), so that one pair convinces nobody.
    #[must_use]
    pub fn superiority(&self) -> f64 {
        let pairs = f64::from(self.pair_count());
        let ahead = self.share() - 0.5;
        let variance = self.pair_variance();
        if variance > 0.0 {
            return normal_below(ahead / (variance / pairs).sqrt());
        }
        let doubt = 0.5_f64.powf(pairs + 1.0);
        match ahead {
            ahead if ahead > 0.0 => 1.0 - doubt,
            ahead if ahead < 0.0 => doubt,
            _ => 0.5,
        }
    }

    /// The difference in normalised Elo: how far the share of points is from a half, in standard deviations of a game.
    /// Says how many games it takes to see the difference, where [`elo`](Score::elo) says what it is worth.
    #[must_use]
    pub fn normalised_elo(&self) -> Elo {
        let pairs = f64::from(self.pair_count());
        if pairs == 0.0 {
            return Elo { best: 0.0, low: f64::NEG_INFINITY, high: f64::INFINITY };
        }
        let ahead = self.share() - 0.5;
        let best = match self.pair_variance().sqrt() {
            0.0 if ahead == 0.0 => 0.0,
            deviation => ELO_OF_DEVIATION * ahead / (deviation * SQRT_2),
        };
        let width = ELO_OF_DEVIATION * Z / (2.0 * pairs).sqrt();
        Elo { best, low: best - width, high: best + width }
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

/// The share of the points that this difference in strength gives.
pub(crate) fn share_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// How likely a normally distributed number is below `z` (the series of Marsaglia 2004).
fn normal_below(z: f64) -> f64 {
    // Beyond this nothing is left that a double could tell from 0 or 1.
    if z.abs() > 8.0 {
        return if z > 0.0 { 1.0 } else { 0.0 };
    }
    let (mut term, mut sum, mut odd) = (z, z, 1.0);
    while term.abs() > 1e-17 {
        odd += 2.0;
        term *= z * z / odd;
        sum += term;
    }
    (0.5 + sum * (-z * z / 2.0).exp() / TAU.sqrt()).clamp(0.0, 1.0)
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

    #[test]
    fn normal_distribution_is_what_the_tables_say() {
        for (z, below) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_1),
            (1.96, 0.975_002_104_9),
            (-2.575_829_303_5, 0.005),
            (3.0, 0.998_650_102_0),
            (-6.0, 9.865_876e-10),
            (50.0, 1.0),
            (-50.0, 0.0),
        ] {
            assert!((normal_below(z) - below).abs() < 1e-10, "{z}: {}", normal_below(z));
        }
    }

    /// For these pairs fastchess prints a normalised Elo of 3.05 +/- 2.31 (its pull request 783).
    #[test]
    fn ratios_and_superiority() {
        let published = Score { pairs: [379, 10_170, 21_828, 10_640, 343], ..points_of(43_360) };
        let elo = published.normalised_elo();
        assert!((elo.best - 3.05).abs() < 0.01 && (elo.high - elo.best - 2.31).abs() < 0.01);
        let expected = normal_below(3.05 / 2.31 * Z);
        assert!((published.superiority() - expected).abs() < 1e-3, "{}", published.superiority());
        assert!((published.pairs_ratio().unwrap() - 10_983.0 / 10_549.0).abs() < 1e-12);

        let few = score(&[[2, 1], [1, 1], [0, 2]]);
        assert_eq!((few.draw_ratio(), few.pairs_ratio()), (Some(0.5), None));
        assert_eq!((Score::default().draw_ratio(), Score::default().superiority()), (None, 0.5));
        assert_eq!(score(&[[2, 2]]).superiority(), 0.75);
        assert_eq!(score(&[[0, 0]; 3]).superiority(), 0.0625);
        assert_eq!(score(&[[1, 1]; 9]).superiority(), 0.5);
        for score in [few, published, score(&[[2, 2]]), score(&[[2, 1], [1, 1], [2, 2]])] {
            let both = score.superiority() + score.reversed().superiority();
            assert!((both - 1.0).abs() < 1e-12, "{score:?}");
        }
    }

    /// Games that fit the pairs of the published example, all of whose middle pairs were drawn twice.
    fn points_of(pairs: u32) -> Score {
        let (wins, losses) = (2 * 343 + 10_640, 2 * 379 + 10_170);
        Score { wins, losses, draws: 2 * pairs - wins - losses, pairs: [0; 5] }
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
