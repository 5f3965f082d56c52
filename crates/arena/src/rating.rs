//! Strengths of many players from what they scored against one another.
//!
//! The model of Bradley and Terry (1952), which is Elo's: a player beats another with the logistic function of the
//! difference in strength; a draw counts as half a win and half a loss. The strengths are the most likely ones, their intervals
//! come from the curvature of the likelihood there.

use crate::score::{ELO_OF_DEVIATION, Elo, Score, Z};

/// Everybody is taken to have drawn this many games with an average player besides. It keeps the strength of one who won
/// all games finite, as well as that of players whose opponents never met, and moves others hardly at all.
const PRIOR: f64 = 0.5;

/// Elo for a natural unit of strength.
const ELO: f64 = ELO_OF_DEVIATION / 2.0;

/// The difference of each player to the average of all, with its 95% interval. `scores[i][j]` is what i scored against j, as i
/// sees it.
pub(crate) fn ratings(scores: &[Vec<Score>]) -> Vec<Elo> {
    let mut strengths = vec![0.0; scores.len()];
    let mut curvature = Matrix::default();
    // Newton's method: the likelihood has one maximum and is smooth, so few steps are needed.
    for _ in 0..100 {
        let (slope, curved) = derivatives(scores, &strengths);
        let step = curved.solve(&slope);
        curvature = curved;
        let longest = step.iter().fold(0.0, |longest: f64, s| longest.max(s.abs()));
        // A step from far away may overshoot, as the curvature is largest between equals.
        let pace = longest_step(longest);
        strengths.iter_mut().zip(&step).for_each(|(strength, by)| *strength += by * pace);
        if longest < 1e-9 {
            break;
        }
    }
    let average = strengths.iter().sum::<f64>() / strengths.len().max(1) as f64;
    let deviations = deviations_from_average(&curvature);
    let elo = |(strength, deviation): (&f64, f64)| {
        let (best, width) = (ELO * (strength - average), ELO * Z * deviation);
        Elo { best, low: best - width, high: best + width }
    };
    strengths.iter().zip(deviations).map(elo).collect()
}

/// What part of a step to take.
fn longest_step(longest: f64) -> f64 {
    const MOST: f64 = 1.0;
    if longest > MOST { MOST / longest } else { 1.0 }
}

/// The chance to win with this advantage.
fn chance(advantage: f64) -> f64 {
    1.0 / (1.0 + (-advantage).exp())
}

/// How the logarithm of the likelihood changes with each strength, and how that changes, with its sign turned.
fn derivatives(scores: &[Vec<Score>], strengths: &[f64]) -> (Vec<f64>, Matrix) {
    let n = strengths.len();
    let mut slope = vec![0.0; n];
    let mut curved = Matrix::zero(n);
    for i in 0..n {
        let alone = chance(strengths[i]);
        slope[i] += PRIOR * (0.5 - alone);
        curved.rows[i][i] += PRIOR * alone * (1.0 - alone);
        for j in (0..n).filter(|&j| j != i) {
            let games = f64::from(scores[i][j].games());
            let expected = chance(strengths[i] - strengths[j]);
            slope[i] += games * (scores[i][j].share() - expected);
            let weight = games * expected * (1.0 - expected);
            curved.rows[i][i] += weight;
            curved.rows[i][j] -= weight;
        }
    }
    (slope, curved)
}

/// The standard deviation of each strength's difference to the average, if this is the inverse of their covariance.
fn deviations_from_average(curvature: &Matrix) -> Vec<f64> {
    let n = curvature.rows.len();
    let one_minus_average = |i: usize| {
        let mut weights = vec![-1.0 / n as f64; n];
        weights[i] += 1.0;
        weights
    };
    let variance = |i: usize| -> f64 {
        let weights = one_minus_average(i);
        let spread = curvature.solve(&weights);
        weights.iter().zip(&spread).map(|(a, b)| a * b).sum()
    };
    (0..n).map(|i| variance(i).max(0.0).sqrt()).collect()
}

/// A symmetric matrix with only positive eigenvalues.
#[derive(Debug, Default)]
struct Matrix {
    rows: Vec<Vec<f64>>,
}

impl Matrix {
    fn zero(n: usize) -> Matrix {
        Matrix { rows: vec![vec![0.0; n]; n] }
    }

    /// What this matrix makes `right` of (Gauss; such matrices need no pivoting).
    fn solve(&self, right: &[f64]) -> Vec<f64> {
        let (mut rows, mut x) = (self.rows.clone(), right.to_vec());
        let n = x.len();
        for column in 0..n {
            let (done, below) = rows.split_at_mut(column + 1);
            let pivot = &done[column];
            for (row, i) in below.iter_mut().zip(column + 1..) {
                let factor = row[column] / pivot[column];
                row.iter_mut().zip(pivot).for_each(|(cell, by)| *cell -= factor * by);
                x[i] -= factor * x[column];
            }
        }
        for row in (0..n).rev() {
            let known: f64 = (row + 1..n).map(|k| rows[row][k] * x[k]).sum();
            x[row] = (x[row] - known) / rows[row][row];
        }
        x
    }
}
