//! [`Evaluation`]: one of the evaluations, chosen at run time.

use std::ops::RangeInclusive;

use evaluation::features::WEIGHT_RANGE;
use evaluation::weights::{LIMIT, Tunable, Visit};
use evaluation::{Foresight, Heuristics, Linear};
use game::Side;

use super::features::{COUNT, NAMES, Shapes, USUAL};
use super::{Classic, Stable, finish, foresight, rank};
use crate::reversi::position::{Move, Position, Reversi};
use crate::reversi::shape::Shape;

/// What an engine believes about Reversi.
#[derive(Clone, Copy, Debug)]
pub enum Evaluation {
    /// The usual one.
    Stable(Stable),
    /// A plain one.
    Classic(Classic),
    /// Twenty-two features, each with a weight.
    Features(Linear<Shapes, COUNT>),
}

impl Default for Evaluation {
    fn default() -> Evaluation {
        Evaluation::Stable(Stable::default())
    }
}

impl<S: Shape> Heuristics<Reversi<S>> for Evaluation {
    fn begin(&mut self, game: &Reversi<S>, p: &Position) {
        if let Evaluation::Features(features) = self {
            features.begin(game, p);
        }
    }

    #[inline]
    fn evaluate(&mut self, game: &Reversi<S>, p: &Position) -> i32 {
        match self {
            Evaluation::Stable(stable) => stable.evaluate(game, p),
            Evaluation::Classic(classic) => classic.evaluate(game, p),
            Evaluation::Features(features) => features.evaluate(game, p),
        }
    }

    #[inline]
    fn rank(&mut self, game: &Reversi<S>, p: &Position, moves: &[Move], promise: &mut [i32]) {
        rank(game, p, moves, promise);
    }

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

impl Tunable for Evaluation {
    const NAMES: &'static [&'static str] = &["stable", "classic", "features"];
    const ADDED: &'static [&'static str] = &["own.sandwich", "opposing.sandwich"];

    fn named(name: &str) -> Option<Evaluation> {
        match name {
            "stable" => Some(Evaluation::Stable(Stable::default())),
            "classic" => Some(Evaluation::Classic(Classic::default())),
            "features" => Some(Evaluation::Features(Linear::new(USUAL))),
            _ => None,
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Evaluation::Stable(_) => "stable",
            Evaluation::Classic(_) => "classic",
            Evaluation::Features(_) => "features",
        }
    }

    fn each_weight(&mut self, visit: &mut Visit<'_>) {
        match self {
            Evaluation::Stable(stable) => stable.weights.each(visit),
            Evaluation::Classic(classic) => classic.each(visit),
            Evaluation::Features(features) => features.each::<Reversi>(visit),
        }
    }

    fn range(name: &str) -> RangeInclusive<i32> {
        if NAMES.contains(&name) { WEIGHT_RANGE } else { -LIMIT..=LIMIT }
    }
}
