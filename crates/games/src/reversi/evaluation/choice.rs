//! [`ReversiEvaluation`]: one of the evaluations, chosen at run time.

use std::ops::RangeInclusive;

use evaluation::features::WEIGHT_RANGE;
use evaluation::weights::{LIMIT, Tunable, Visit};
use evaluation::{Evaluation, Foresight, Linear, MoveOrder, Playouts, Proofs, Tactics};
use game::Side;

use super::features::{COUNT, NAMES, Shapes, USUAL};
use super::{Classic, DISC, Stable, finish, foresight, rank};
use crate::reversi::position::{Move, Position, Reversi};
use crate::reversi::shape::Shape;

/// What an engine believes about Reversi.
#[derive(Clone, Copy, Debug)]
pub enum ReversiEvaluation {
    /// The usual one.
    Stable(Stable),
    /// A plain one.
    Classic(Classic),
    /// Twenty-two features, each with a weight.
    Features(Linear<Shapes, COUNT>),
}

impl Default for ReversiEvaluation {
    fn default() -> ReversiEvaluation {
        ReversiEvaluation::Stable(Stable::default())
    }
}

impl<S: Shape> Evaluation<Reversi<S>> for ReversiEvaluation {
    fn begin(&mut self, game: &Reversi<S>, p: &Position) {
        if let ReversiEvaluation::Features(features) = self {
            features.begin(game, p);
        }
    }

    #[inline]
    fn evaluate(&mut self, game: &Reversi<S>, p: &Position) -> i32 {
        match self {
            ReversiEvaluation::Stable(stable) => stable.evaluate(game, p),
            ReversiEvaluation::Classic(classic) => classic.evaluate(game, p),
            ReversiEvaluation::Features(features) => features.evaluate(game, p),
        }
    }

    fn outlook(&self, score: i32) -> Option<i32> {
        Some(score / DISC)
    }
}

impl<S: Shape> MoveOrder<Reversi<S>> for ReversiEvaluation {
    #[inline]
    fn rank(&mut self, game: &Reversi<S>, p: &Position, moves: &[Move], promise: &mut [i32]) {
        rank(game, p, moves, promise);
    }
}

impl<S: Shape> Proofs<Reversi<S>> for ReversiEvaluation {
    #[inline]
    fn foresight(&self, game: &Reversi<S>, p: &Position) -> Option<Foresight> {
        foresight(game, p)
    }

    #[inline]
    fn finish(
        &mut self,
        game: &Reversi<S>,
        p: &Position,
        attacker: Side,
        least: i32,
        nodes: &mut u64,
    ) -> Option<bool> {
        finish(game, p, attacker, least, nodes)
    }
}

impl<S: Shape> Tactics<Reversi<S>> for ReversiEvaluation {}
impl<S: Shape> Playouts<Reversi<S>> for ReversiEvaluation {}

impl Tunable for ReversiEvaluation {
    const NAMES: &'static [&'static str] = &["stable", "classic", "features"];
    const ADDED: &'static [&'static str] = &["own.sandwich", "opposing.sandwich"];

    fn named(name: &str) -> Option<ReversiEvaluation> {
        match name {
            "stable" => Some(ReversiEvaluation::Stable(Stable::default())),
            "classic" => Some(ReversiEvaluation::Classic(Classic::default())),
            "features" => Some(ReversiEvaluation::Features(Linear::new(USUAL))),
            _ => None,
        }
    }

    fn name(&self) -> &'static str {
        match self {
            ReversiEvaluation::Stable(_) => "stable",
            ReversiEvaluation::Classic(_) => "classic",
            ReversiEvaluation::Features(_) => "features",
        }
    }

    fn each_weight(&mut self, visit: &mut Visit<'_>) {
        match self {
            ReversiEvaluation::Stable(stable) => stable.weights.each(visit),
            ReversiEvaluation::Classic(classic) => classic.each(visit),
            ReversiEvaluation::Features(features) => features.each::<Reversi>(visit),
        }
    }

    fn range(name: &str) -> RangeInclusive<i32> {
        if NAMES.contains(&name) { WEIGHT_RANGE } else { -LIMIT..=LIMIT }
    }
}
