//! [`TournamentTable`]: how a tournament stands.

use crate::rating::ratings;
use crate::schedule::Meeting;
use crate::score::{Elo, Score};

/// What everybody scored against everybody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TournamentTable {
    /// What the first player scored against the second, as the first sees it.
    scores: Vec<Vec<Score>>,
}

/// A player's line of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TournamentRow {
    /// Who.
    pub player: usize,
    /// From 1; players whom neither points nor Sonneborn-Berger tell apart share a place.
    pub place: usize,
    /// All games together. Its pairs are counted too, but those against different players have different
    /// means, so its own interval says little; [`elo`](TournamentRow::elo) is the one to look at.
    pub score: Score,
    /// Wins and half the draws.
    pub points: f64,
    /// The points of each opponent, times the points scored against that one: wins against the strong count more.
    pub sonneborn_berger: f64,
    /// The strength against the average of the field, with its 95% interval.
    pub elo: Elo,
}

impl TournamentTable {
    /// An empty table for so many players.
    #[must_use]
    pub fn new(players: usize) -> TournamentTable {
        TournamentTable { scores: vec![vec![Score::default(); players]; players] }
    }

    /// The table after these meetings.
    #[must_use]
    pub fn of(players: usize, played: &[Meeting]) -> TournamentTable {
        let mut table = TournamentTable::new(players);
        played.iter().for_each(|meeting| table.add(meeting.encounter.players, &meeting.score));
        table
    }

    /// Counts what the first of two players scored against the second. Players that are not in the table are left out.
    pub fn add(&mut self, players: [usize; 2], score: &Score) {
        let [one, other] = players;
        if one != other && one.max(other) < self.scores.len() {
            self.scores[one][other].add(score);
            self.scores[other][one].add(&score.reversed());
        }
    }

    /// The cell of the cross-table: what one player scored against another, as the one sees it.
    #[must_use]
    pub fn between(&self, one: usize, other: usize) -> Score {
        self.scores.get(one).and_then(|row| row.get(other)).copied().unwrap_or_default()
    }

    /// Everybody, the best first: by points, then by Sonneborn-Berger.
    #[must_use]
    pub fn standings(&self) -> Vec<TournamentRow> {
        let elo = ratings(&self.scores);
        let total = |row: &Vec<Score>| {
            let mut total = Score::default();
            row.iter().for_each(|score| total.add(score));
            total
        };
        let totals: Vec<Score> = self.scores.iter().map(total).collect();
        let row = |(player, score): (usize, &Score)| TournamentRow {
            player,
            place: 0,
            score: *score,
            points: points(score),
            sonneborn_berger: (self.scores[player].iter().zip(&totals))
                .map(|(scored, opponent)| points(scored) * points(opponent))
                .sum(),
            elo: elo[player],
        };
        let mut rows: Vec<TournamentRow> = totals.iter().enumerate().map(row).collect();
        let rank = |row: &TournamentRow| (row.points, row.sonneborn_berger);
        rows.sort_by(|a, b| {
            let by_points = b.points.total_cmp(&a.points);
            by_points.then(b.sonneborn_berger.total_cmp(&a.sonneborn_berger))
        });
        for i in 0..rows.len() {
            let shared = i > 0 && rank(&rows[i]) == rank(&rows[i - 1]);
            rows[i].place = if shared { rows[i - 1].place } else { i + 1 };
        }
        rows
    }
}

fn points(score: &Score) -> f64 {
    f64::from(score.wins) + f64::from(score.draws) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::share_of;
    use game::Rng;

    fn score(wins: u32, draws: u32, losses: u32) -> Score {
        Score { wins, draws, losses, pairs: [0; 5] }
    }

    #[test]
    fn points_and_ties() {
        let mut table = TournamentTable::new(4);
        // 0 and 1 have two points each; 0 beat 2, who has more than 3, whom 1 beat.
        for (players, score) in [
            ([0, 2], score(2, 0, 0)),
            ([1, 3], score(2, 0, 0)),
            ([2, 3], score(1, 1, 0)),
            ([3, 2], score(0, 1, 1)),
        ] {
            table.add(players, &score);
        }
        let rows = table.standings();
        let order: Vec<(usize, usize, f64)> =
            rows.iter().map(|row| (row.player, row.place, row.points)).collect();
        assert_eq!(order, [(2, 1, 3.0), (0, 2, 2.0), (1, 3, 2.0), (3, 4, 1.0)]);
        assert_eq!(rows[1].sonneborn_berger, 6.0);
        assert_eq!(table.between(3, 2), score(0, 2, 2));
        assert_eq!(table.between(2, 3), score(2, 2, 0));
        assert_eq!(table.between(9, 0), Score::default());

        table.add([0, 7], &score(1, 0, 0));
        table.add([1, 1], &score(1, 0, 0));
        assert_eq!(table.standings(), rows, "nobody there");
        let places: Vec<usize> =
            TournamentTable::new(3).standings().iter().map(|row| row.place).collect();
        assert_eq!(places, [1, 1, 1]);
        assert!(TournamentTable::new(0).standings().is_empty());
    }

    /// Between two players there is nothing but the share of points.
    #[test]
    fn two_players_differ_by_their_elo() {
        let mut table = TournamentTable::new(2);
        let result = score(5_300, 2_000, 2_700);
        table.add([0, 1], &result);
        let rows = table.standings();
        let difference = rows[0].elo.best - rows[1].elo.best;
        assert!((difference - result.elo().best).abs() < 0.05, "{difference}");
        assert!((rows[0].elo.best + rows[1].elo.best).abs() < 1e-6);
        // Each is half the difference away from the average, and half its error.
        let share = result.share();
        let error = 1.96 / (10_000.0 * share * (1.0 - share)).sqrt() / 2.0 * 400.0 / 10_f64.ln();
        assert!((rows[0].elo.high - rows[0].elo.best - error).abs() < 0.01);
    }

    #[test]
    fn strengths_stay_finite() {
        let mut table = TournamentTable::new(4);
        table.add([0, 1], &score(1_000, 0, 0));
        let rows = table.standings();
        assert!(rows.iter().all(|row| row.elo.low.is_finite() && row.elo.high.is_finite()));
        let [winner, loser] =
            [0, 1].map(|player| rows.iter().find(|r| r.player == player).unwrap());
        assert!(winner.elo.best - loser.elo.best > 800.0, "{rows:?}");
        let idle = rows.iter().find(|row| row.player == 3).unwrap();
        assert!(idle.elo.best.abs() < 1.0 && idle.elo.high - idle.elo.low > 1_000.0, "{idle:?}");
    }

    /// A round robin of players of these strengths, so many games between any two, without draws.
    fn simulated(strengths: &[f64], games: u32, rng: &mut Rng) -> TournamentTable {
        let mut table = TournamentTable::new(strengths.len());
        for one in 0..strengths.len() {
            for other in 0..one {
                let chance = share_of(strengths[one] - strengths[other]);
                let wins = (0..games)
                    .filter(|_| (rng.below(1 << 30) as f64) < chance * f64::from(1 << 30))
                    .count() as u32;
                table.add([one, other], &score(wins, 0, games - wins));
            }
        }
        table
    }

    #[test]
    fn known_strengths_are_found() {
        let strengths = [-230.0, -110.0, -20.0, 10.0, 90.0, 260.0];
        let mut rng = Rng::new(8);
        let rows = simulated(&strengths, 1_000, &mut rng).standings();
        for row in &rows {
            assert!((row.elo.best - strengths[row.player]).abs() < 25.0, "{row:?}");
        }
        let sum: f64 = rows.iter().map(|row| row.elo.best).sum();
        assert!(sum.abs() < 1e-6);

        // Intervals hold the truth about as often as they say.
        let (mut held, mut all) = (0, 0);
        for _ in 0..300 {
            for row in simulated(&strengths, 40, &mut rng).standings() {
                let truth = strengths[row.player];
                held += u32::from(row.elo.low <= truth && truth <= row.elo.high);
                all += 1;
            }
        }
        let share = f64::from(held) / f64::from(all);
        assert!((0.93..=0.97).contains(&share), "{share}");
    }
}
