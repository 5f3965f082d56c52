//! [`Evaluation`]: one of the evaluations, chosen at run time. Random games are the same with each.

use std::ops::RangeInclusive;

use evaluation::features::WEIGHT_RANGE;
use evaluation::weights::{Tunable, Visit};
use evaluation::{Heuristics, Linear};
use game::{Path, Rng, Side};

use super::features::{COUNT, Stones, USUAL};
use super::heuristics::AreaCount;
use super::points::Points;
use super::position::{Go, Move, Position};
use super::shape::Shape;

/// What an engine believes about Go.
#[derive(Clone, Copy, Debug)]
pub enum Evaluation {
    /// The usual one.
    Area(AreaCount),
    /// Twenty-four features, each with a weight.
    Features(Linear<Stones, COUNT>),
}

impl Default for Evaluation {
    fn default() -> Evaluation {
        Evaluation::Area(AreaCount)
    }
}

impl<S: Points, R: Shape> Heuristics<Go<S, R>> for Evaluation {
    fn begin(&mut self, game: &Go<S, R>, p: &Position<S>) {
        if let Evaluation::Features(features) = self {
            features.begin(game, p);
        }
    }

    #[inline]
    fn evaluate(&mut self, game: &Go<S, R>, p: &Position<S>) -> i32 {
        match self {
            Evaluation::Area(area) => area.evaluate(game, p),
            Evaluation::Features(features) => features.evaluate(game, p),
        }
    }

    #[inline]
    fn rank(&mut self, game: &Go<S, R>, p: &Position<S>, moves: &[Move], promise: &mut [i32]) {
        AreaCount.rank(game, p, moves, promise);
    }

    const PLAYS_OUT: bool = true;

    #[inline]
    fn playout(
        &mut self,
        game: &Go<S, R>,
        p: &mut Position<S>,
        path: &mut Path,
        last: Option<Move>,
        rng: &mut Rng,
        saw: &mut impl FnMut(Side, Move),
    ) -> i32 {
        AreaCount.playout(game, p, path, last, rng, saw)
    }

    #[inline]
    fn prior(
        &mut self,
        game: &Go<S, R>,
        p: &Position<S>,
        last: Option<Move>,
        moves: &[Move],
        prior: &mut [f32],
    ) {
        AreaCount.prior(game, p, last, moves, prior);
    }
}

impl Tunable for Evaluation {
    const NAMES: &'static [&'static str] = &["area", "features"];

    fn named(name: &str) -> Option<Evaluation> {
        match name {
            "features" => Some(Evaluation::Features(Linear::new(USUAL))),
            _ => AreaCount::named(name).map(Evaluation::Area),
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Evaluation::Area(area) => area.name(),
            Evaluation::Features(_) => "features",
        }
    }

    fn each_weight(&mut self, visit: &mut Visit<'_>) {
        match self {
            Evaluation::Area(area) => area.each_weight(visit),
            Evaluation::Features(features) => features.each::<Go<u64>>(visit),
        }
    }

    /// Nothing but features has weights.
    fn range(_: &str) -> RangeInclusive<i32> {
        WEIGHT_RANGE
    }
}
