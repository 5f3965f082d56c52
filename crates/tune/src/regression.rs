//! Weights fitted to how games ended (logistic regression, as the chess engine Texel made it known), or to their margins (least squares).
//!
//! A score is the sum of factors times weights, so the chance to win by a logistic curve of it makes the fit a convex problem: it has one
//! solution, which L-BFGS (Nocedal 1980) finds in some dozens of steps. What the weights were before is taken for a guess that is worth something: changes are
//! punished by their square, and how much so is chosen by what predicts positions of other games best. The steepness of the curve is fitted once,
//! to the old weights, and kept: it says how large weights are in all.

use std::collections::VecDeque;
use std::ops::Range;

use evaluation::weights::Sheet;

use crate::positions::{Positions, Split, Target};

/// How weights are fitted.
#[derive(Clone, Copy, Debug)]
pub struct Fitting {
    /// What to.
    pub target: Target,
    /// How much changes are punished; `None` tries some and takes what predicts best.
    pub pull: Option<f64>,
    /// No more steps than this.
    pub steps: usize,
    /// How many threads work.
    pub threads: usize,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The new weights, rounded.
    pub sheet: Sheet,
    /// Before rounding.
    pub weights: Vec<f64>,
    /// What a unit of score is to the curve.
    pub steepness: f64,
    /// How much changes were punished.
    pub pull: f64,
    /// Steps taken.
    pub steps: usize,
    /// Mean loss of the old weights: of positions learnt from, and of those held out.
    pub before: [f64; 2],
    /// And of the new ones.
    pub after: [f64; 2],
}

/// What is tried if nothing is said: changes are punished as if so many positions spoke against them.
const PULLS: [f64; 5] = [1.0, 10.0, 100.0, 1_000.0, 10_000.0];
/// Sums are added up in so many parts, whatever the number of threads, so that they are always the same.
const PARTS: usize = 16;
/// Steps that may make positions held out no better before it is enough.
const PATIENCE: usize = 5;

/// Fits the weights of a sheet, from which the positions were judged.
#[must_use]
pub fn fit(sheet: &Sheet, split: &Split, fitting: &Fitting) -> Fitted {
    let Fitting { target, .. } = *fitting;
    let steepness = steepness(&split.training, target);
    let sets = [&split.training, &split.held_out];
    let none = vec![0.0; sheet.entries.len()];
    let loss = |set: &Positions, changes: &[f64]| {
        Problem { positions: set, target, steepness, pull: 0.0, threads: fitting.threads }
            .loss_and_slope(changes)
            .0
    };
    let before = sets.map(|set| loss(set, &none));
    let pulls = fitting.pull.map_or_else(|| PULLS.to_vec(), |pull| vec![pull]);
    let tries = pulls.into_iter().map(|pull| {
        let problem = Problem {
            positions: &split.training,
            target,
            steepness,
            pull,
            threads: fitting.threads,
        };
        let judged = |changes: &[f64]| loss(&split.held_out, changes);
        let (changes, steps) = problem.solve(sheet.entries.len(), fitting.steps, &judged);
        (judged(&changes), pull, changes, steps)
    });
    let best = tries.min_by(|one, other| one.0.total_cmp(&other.0));
    let (_, pull, changes, steps) = best.unwrap_or((0.0, 0.0, none, 0));
    let weights: Vec<f64> = (sheet.entries.iter().zip(&changes))
        .map(|(entry, change)| f64::from(entry.value) + change)
        .collect();
    let rounded: Vec<i32> = weights.iter().map(|weight| weight.round() as i32).collect();
    let sheet_after = sheet.with_values(&rounded);
    let changes: Vec<f64> = (sheet_after.entries.iter().zip(&sheet.entries))
        .map(|(after, before)| f64::from(after.value - before.value))
        .collect();
    let after = sets.map(|set| loss(set, &changes));
    Fitted { sheet: sheet_after, weights, steepness, pull, steps, before, after }
}

/// How steep the curve is that makes the scores as they are predict best: the golden section over its logarithm.
fn steepness(positions: &Positions, target: Target) -> f64 {
    let loss = |log: f64| {
        let rows = positions.scores.iter().zip(&positions.targets);
        rows.map(|(&score, &t)| target.loss(f64::from(score) * log.exp(), f64::from(t)).0)
            .sum::<f64>()
    };
    let golden = (5_f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (1e-6_f64.ln(), 10_f64.ln());
    for _ in 0..40 {
        let (one, other) = (high - golden * (high - low), low + golden * (high - low));
        if loss(one) < loss(other) {
            high = other;
        } else {
            low = one;
        }
    }
    f64::midpoint(low, high).exp()
}

/// What is to be made as small as possible, as a function of how much each weight changes.
struct Problem<'a> {
    positions: &'a Positions,
    target: Target,
    steepness: f64,
    pull: f64,
    threads: usize,
}

impl Problem<'_> {
    /// The mean loss with the punishment, and how it changes with each weight.
    fn loss_and_slope(&self, changes: &[f64]) -> (f64, Vec<f64>) {
        let count = self.positions.len();
        let part = |i: usize| i * count / PARTS..(i + 1) * count / PARTS;
        let threads = self.threads.clamp(1, PARTS);
        let mut parts: Vec<(usize, f64, Vec<f64>)> = std::thread::scope(|scope| {
            let work = |first: usize| {
                let mine = (first..PARTS).step_by(threads);
                mine.map(|i| self.part(i, changes, part(i))).collect::<Vec<_>>()
            };
            let threads: Vec<_> =
                (0..threads).map(|first| scope.spawn(move || work(first))).collect();
            threads.into_iter().filter_map(|thread| thread.join().ok()).flatten().collect()
        });
        parts.sort_by_key(|part| part.0);
        let (mut loss, mut slope) = (0.0, vec![0.0; changes.len()]);
        for (_, part_loss, part_slope) in parts {
            loss += part_loss;
            slope.iter_mut().zip(part_slope).for_each(|(sum, part)| *sum += part);
        }
        let count = count.max(1) as f64;
        // In units of the curve, so that it means the same whatever weights are measured in.
        let punished = self.pull * self.steepness.powi(2);
        loss += changes.iter().map(|change| punished * change * change / 2.0).sum::<f64>();
        slope.iter_mut().zip(changes).for_each(|(slope, change)| *slope += punished * change);
        slope.iter_mut().for_each(|slope| *slope /= count);
        (loss / count, slope)
    }

    fn part(&self, i: usize, changes: &[f64], rows: Range<usize>) -> (usize, f64, Vec<f64>) {
        let (mut loss, mut slope) = (0.0, vec![0.0; changes.len()]);
        for row in rows {
            let terms = self.positions.row(row);
            let change: f64 = terms.map(|(place, factor)| changes[place] * f64::from(factor)).sum();
            let score = f64::from(self.positions.scores[row]) + change;
            let target = f64::from(self.positions.targets[row]);
            let (part, steep) = self.target.loss(self.steepness * score, target);
            loss += part;
            for (place, factor) in self.positions.row(row) {
                slope[place] += steep * self.steepness * f64::from(factor);
            }
        }
        (i, loss, slope)
    }

    /// The changes that positions held out like best, on the way to what those learnt from like best.
    fn solve(
        &self,
        weights: usize,
        most_steps: usize,
        held_out: &dyn Fn(&[f64]) -> f64,
    ) -> (Vec<f64>, usize) {
        let mut memory = Memory::default();
        let mut at = vec![0.0; weights];
        let (mut loss, mut slope) = self.loss_and_slope(&at);
        let (mut best, mut best_loss, mut best_step) = (at.clone(), held_out(&at), 0);
        for step in 1..=most_steps {
            let direction = memory.direction(&slope);
            let Some((next, next_loss, next_slope)) = self.descend(&at, loss, &slope, &direction)
            else {
                break;
            };
            let gained = loss - next_loss;
            memory.remember(&at, &next, &slope, &next_slope);
            (at, loss, slope) = (next, next_loss, next_slope);
            let seen = held_out(&at);
            if seen < best_loss {
                (best, best_loss, best_step) = (at.clone(), seen, step);
            }
            if step - best_step >= PATIENCE || gained < 1e-9 * loss.abs() {
                break;
            }
        }
        (best, best_step)
    }

    /// Goes in a direction, half as far as long as that does not help enough (Armijo's rule).
    fn descend(
        &self,
        at: &[f64],
        loss: f64,
        slope: &[f64],
        direction: &[f64],
    ) -> Option<(Vec<f64>, f64, Vec<f64>)> {
        let downhill = dot(slope, direction);
        let mut far = 1.0;
        for _ in 0..40 {
            let next: Vec<f64> = at.iter().zip(direction).map(|(at, d)| at + far * d).collect();
            let (next_loss, next_slope) = self.loss_and_slope(&next);
            if next_loss <= loss + 1e-4 * far * downhill {
                return Some((next, next_loss, next_slope));
            }
            far /= 2.0;
        }
        None
    }
}

/// The last steps and how the slope changed with them, from which L-BFGS guesses how the loss is curved.
#[derive(Default)]
struct Memory {
    steps: VecDeque<Remembered>,
}

struct Remembered {
    step: Vec<f64>,
    change: Vec<f64>,
    /// One over their product.
    scale: f64,
}

impl Memory {
    const LAST: usize = 10;

    fn remember(&mut self, at: &[f64], next: &[f64], slope: &[f64], next_slope: &[f64]) {
        let difference = |one: &[f64], other: &[f64]| -> Vec<f64> {
            one.iter().zip(other).map(|(one, other)| one - other).collect()
        };
        let (step, change) = (difference(next, at), difference(next_slope, slope));
        let product = dot(&step, &change);
        // In a convex problem always so, but for what rounding does.
        if product > 0.0 {
            self.steps.push_back(Remembered { step, change, scale: 1.0 / product });
            if self.steps.len() > Memory::LAST {
                self.steps.pop_front();
            }
        }
    }

    /// Where to go: the two loops of Nocedal.
    fn direction(&self, slope: &[f64]) -> Vec<f64> {
        let mut direction: Vec<f64> = slope.iter().map(|slope| -slope).collect();
        let mut shares = Vec::new();
        for Remembered { step, change, scale } in self.steps.iter().rev() {
            let share = scale * dot(step, &direction);
            direction.iter_mut().zip(change).for_each(|(d, change)| *d -= share * change);
            shares.push(share);
        }
        let size = match self.steps.back() {
            Some(last) => 1.0 / (last.scale * dot(&last.change, &last.change)),
            // Nothing is known of the curve yet: a small step, half of which may be too far as well.
            None => 1.0 / dot(slope, slope).sqrt().max(f64::MIN_POSITIVE),
        };
        direction.iter_mut().for_each(|d| *d *= size);
        for (Remembered { step, change, scale }, share) in
            self.steps.iter().zip(shares.into_iter().rev())
        {
            let other = scale * dot(change, &direction);
            direction.iter_mut().zip(step).for_each(|(d, step)| *d += (share - other) * step);
        }
        direction
    }
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}
