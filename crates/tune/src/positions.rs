//! [`Positions`]: judged positions with what they are worth, as rows of numbers that learners go through again and again.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use compiled::{Detail, Judged};

use crate::data::LabelledGame;
use crate::error::TuneError;

/// What a position was worth, to a learner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Whether the game was won, drawn or lost.
    Result,
    /// By how much.
    Margin,
}

impl Target {
    /// As a number: from 0 to 1, or a margin.
    fn of(self, margin: i32) -> f32 {
        match self {
            Target::Result => 0.5 * (1 + margin.signum()) as f32,
            Target::Margin => margin as f32,
        }
    }

    /// How wrong a prediction `z` is, and how fast that grows with it: cross-entropy of a logistic curve, or half a square.
    #[must_use]
    pub fn loss(self, z: f64, target: f64) -> (f64, f64) {
        match self {
            Target::Result => {
                // -t ln(p) - (1 - t) ln(1 - p) with p = 1 / (1 + exp(-z)), where neither overflows.
                let loss = z.max(0.0) - z * target + (-z.abs()).exp().ln_1p();
                (loss, 1.0 / (1.0 + (-z).exp()) - target)
            }
            Target::Margin => ((z - target).powi(2) / 2.0, z - target),
        }
    }
}

/// Positions as rows: what the evaluation said, what it should have, and what each weight was multiplied with.
#[derive(Clone, Debug, Default)]
pub struct Positions {
    /// What the evaluation said.
    pub scores: Vec<f32>,
    /// What the position was worth.
    pub targets: Vec<f32>,
    ends: Vec<usize>,
    places: Vec<u32>,
    factors: Vec<f32>,
}

impl Positions {
    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        self.scores.len()
    }

    /// None at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.scores.is_empty()
    }

    /// The places and factors of weights in a row.
    pub fn row(&self, row: usize) -> impl Iterator<Item = (usize, f32)> {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        let range = start..self.ends[row];
        let places = self.places[range.clone()].iter().map(|&place| place as usize);
        places.zip(self.factors[range].iter().copied())
    }

    /// How many factors there are that count.
    #[must_use]
    pub fn factors(&self) -> usize {
        self.factors.len()
    }

    fn add(&mut self, sample: &LabelledGame, judged: &[Judged], target: Target) {
        for position in judged.iter().filter(|position| position.score.abs() <= DECIDED) {
            self.scores.push(position.score as f32);
            self.targets.push(target.of(sample.label(position.ply)));
            for &(place, factor) in &position.terms {
                self.places.push(place);
                self.factors.push(factor);
            }
            self.ends.push(self.places.len());
        }
    }

    fn append(&mut self, other: &Positions) {
        let offset = self.places.len();
        self.scores.extend_from_slice(&other.scores);
        self.targets.extend_from_slice(&other.targets);
        self.ends.extend(other.ends.iter().map(|end| end + offset));
        self.places.extend_from_slice(&other.places);
        self.factors.extend_from_slice(&other.factors);
    }
}

/// Positions to learn from, and positions of other games to see how much was learnt.
#[derive(Clone, Debug, Default)]
pub struct Split {
    /// To learn from.
    pub training: Positions,
    /// Of each tenth game.
    pub held_out: Positions,
}

/// Larger scores are no sums of weights: somebody has nothing left.
const DECIDED: i32 = 200_000;
/// Every so many games one is held out.
const HELD_OUT: usize = 10;
/// Games that a thread judges at a time.
const PART: usize = 16;

/// Judges the quiet positions of games by weights given as text.
///
/// # Errors
/// If there is no such game, the weights are not for it, or a move is not legal.
pub fn judge_all(
    game: &str,
    weights: &str,
    samples: &[LabelledGame],
    view: View,
    told: &(dyn Fn(usize) + Sync),
) -> Result<Split, TuneError> {
    let parts: Vec<&[LabelledGame]> = samples.chunks(PART).collect();
    let (next, done) = (AtomicUsize::new(0), Mutex::new(vec![None; parts.len()]));
    let compiled = catalog::open(game).map_err(TuneError::Weights)?;
    let work = || -> Result<(), TuneError> {
        let mut judge = compiled.judge(weights).map_err(TuneError::Weights)?;
        loop {
            let part = next.fetch_add(1, Ordering::Relaxed);
            let Some(samples) = parts.get(part) else { return Ok(()) };
            let mut split = Split::default();
            for (i, sample) in samples.iter().enumerate() {
                let moves: Vec<&str> = sample.moves.iter().map(|m| &**m).collect();
                let number = part * PART + i;
                let wrong = |error| TuneError::Sample { number: number + 1, error };
                let judged = judge.judge(&moves, view.after, view.detail).map_err(wrong)?;
                let of = match number % HELD_OUT == HELD_OUT - 1 {
                    true => &mut split.held_out,
                    false => &mut split.training,
                };
                of.add(sample, &judged, view.target);
            }
            told(part * PART);
            done.lock().unwrap_or_else(PoisonError::into_inner)[part] = Some(split);
        }
    };
    let outcomes: Vec<Result<(), TuneError>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..view.threads.max(1)).map(|_| scope.spawn(work)).collect();
        let joined = threads.into_iter().map(std::thread::ScopedJoinHandle::join);
        joined.map(|done| done.unwrap_or_else(|_| Err(TuneError::Thread))).collect()
    });
    outcomes.into_iter().collect::<Result<(), TuneError>>()?;
    let mut split = Split::default();
    for part in done.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().flatten() {
        split.training.append(&part.training);
        split.held_out.append(&part.held_out);
    }
    Ok(split)
}

/// How positions are looked at.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// Positions after fewer plies are left out: they are random.
    pub after: usize,
    /// Whether weights are to be learnt, or just scores seen.
    pub detail: Detail,
    /// What they were worth.
    pub target: Target,
    /// How many threads look.
    pub threads: usize,
}
