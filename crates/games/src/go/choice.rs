//! [`GoEvaluation`]: one of the evaluations, chosen at run time. Random games are the same with each.

use std::ops::RangeInclusive;

use evaluation::features::WEIGHT_RANGE;
use evaluation::weights::{Tunable, Visit};
use evaluation::{Evaluation, Linear, MoveOrder, Playouts, Proofs, Tactics};
use game::{Path, Rng, Side};

use super::features::{COUNT, StoneFeatures, USUAL};
use super::heuristics::{AreaCount, rank};
use super::points::PointSet;
use super::position::{Go, Move, Position};
use super::shape::Shape;

/// What an engine believes about Go.
#[derive(Clone, Copy, Debug)]
pub enum GoEvaluation {
    /// The usual one.
    Area(AreaCount),
    /// Twenty-four features, each with a weight.
    Features(Linear<StoneFeatures, COUNT>),
}

impl Default for GoEvaluation {
    fn default() -> GoEvaluation {
        GoEvaluation::Area(AreaCount)
    }
}

impl<S: PointSet, R: Shape> Evaluation<Go<S, R>> for GoEvaluation {
    fn begin(&mut self, game: &Go<S, R>, p: &Position<S>) {
        if let GoEvaluation::Features(features) = self {
            features.begin(game, p);
        }
    }

    #[inline]
    fn evaluate(&mut self, game: &Go<S, R>, p: &Position<S>) -> i32 {
        match self {
            GoEvaluation::Area(AreaCount) => AreaCount::evaluate(game, p),
            GoEvaluation::Features(features) => features.evaluate(game, p),
        }
    }

    fn outlook(&self, score: i32) -> Option<i32> {
        Some(score)
    }
}

impl<S: PointSet, R: Shape> MoveOrder<Go<S, R>> for GoEvaluation {
    #[inline]
    fn rank(&mut self, game: &Go<S, R>, p: &Position<S>, moves: &[Move], promise: &mut [i32]) {
        rank(game, p, moves, promise);
    }
}

impl<S: PointSet, R: Shape> Tactics<Go<S, R>> for GoEvaluation {}
impl<S: PointSet, R: Shape> Proofs<Go<S, R>> for GoEvaluation {}

impl<S: PointSet, R: Shape> Playouts<Go<S, R>> for GoEvaluation {
    const PLAYS_OUT: bool = true;

    #[inline]
    fn playout(
        &mut self,
        game: &Go<S, R>,
        p: &mut Position<S>,
        _: &mut Path,
        last: Option<Move>,
        rng: &mut Rng,
        saw: &mut impl FnMut(Side, Move),
    ) -> i32 {
        game.sensible_game(p, last, rng, saw)
    }

    fn prior(
        &mut self,
        game: &Go<S, R>,
        p: &Position<S>,
        last: Option<Move>,
        moves: &[Move],
        prior: &mut [f32],
    ) {
        game.first_looks(p, last, moves, prior);
    }
}

impl Tunable for GoEvaluation {
    const NAMES: &'static [&'static str] = &["area", "features"];

    fn named(name: &str) -> Option<GoEvaluation> {
        match name {
            "area" => Some(GoEvaluation::Area(AreaCount)),
            "features" => Some(GoEvaluation::Features(Linear::new(USUAL))),
            _ => None,
        }
    }

    fn name(&self) -> &'static str {
        match self {
            GoEvaluation::Area(_) => "area",
            GoEvaluation::Features(_) => "features",
        }
    }

    fn each_weight(&mut self, visit: &mut Visit<'_>) {
        match self {
            GoEvaluation::Area(_) => {}
            GoEvaluation::Features(features) => features.each::<Go<u64>>(visit),
        }
    }

    /// Nothing but features has weights.
    fn range(_: &str) -> RangeInclusive<i32> {
        WEIGHT_RANGE
    }
}
