//! [`ChessEvaluation`]: one of the evaluations, chosen at run time.

use std::ops::RangeInclusive;

use evaluation::features::WEIGHT_RANGE;
use evaluation::weights::{LIMIT, Tunable, Visit};
use evaluation::{Evaluation, Linear, Margins, MoveOrder, Playouts, Proofs, Tactics};
use game::{Path, Side};

use super::features::{COUNT, NAMES, Pieces, USUAL};
use super::{Classic, Weights, endings};
use crate::chess::position::{Chess, Move, Position};
use crate::chess::{exchange, forcing, recall};

/// What an engine believes about chess.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one for each thread of a search")]
pub enum ChessEvaluation {
    /// The usual one.
    Classic(Classic),
    /// Forty-four features, each with a weight.
    Features(Linear<Pieces, COUNT>),
}

impl ChessEvaluation {
    /// What orders moves. Features say nothing about that.
    #[inline]
    fn order(&self) -> &Classic {
        static USUAL_ORDER: Classic = Classic { weights: Weights::DEFAULT };
        match self {
            ChessEvaluation::Classic(classic) => classic,
            ChessEvaluation::Features(_) => &USUAL_ORDER,
        }
    }
}

impl Default for ChessEvaluation {
    fn default() -> ChessEvaluation {
        ChessEvaluation::Classic(Classic::default())
    }
}

impl Evaluation<Chess> for ChessEvaluation {
    fn begin(&mut self, game: &Chess, p: &Position) {
        if let ChessEvaluation::Features(features) = self {
            features.begin(game, p);
        }
    }

    #[inline]
    fn evaluate(&mut self, game: &Chess, p: &Position) -> i32 {
        match self {
            ChessEvaluation::Classic(classic) => classic.evaluate(p),
            ChessEvaluation::Features(features) => features.evaluate(game, p),
        }
    }
}

impl MoveOrder<Chess> for ChessEvaluation {
    #[inline]
    fn rank(&mut self, _: &Chess, p: &Position, moves: &[Move], promise: &mut [i32]) {
        self.order().rank(p, moves, promise);
    }

    #[inline]
    fn counter_move_keys(&self, _: &Chess) -> usize {
        forcing::COUNTER_MOVE_KEYS
    }

    #[inline]
    fn counter_move_key(&mut self, _: &Chess, p: &Position, m: Move) -> usize {
        forcing::counter_move_key(p, m)
    }
}

impl Tactics<Chess> for ChessEvaluation {
    const QUIESCENCE: bool = true;

    const MARGINS: Option<Margins> = Some(forcing::MARGINS);

    #[inline]
    fn is_noisy(&mut self, _: &Chess, p: &Position, m: Move) -> bool {
        forcing::is_noisy(p, m)
    }

    #[inline]
    fn noisy_moves(&mut self, game: &Chess, p: &Position, out: &mut Vec<Move>) -> bool {
        forcing::noisy_moves(game, p, out)
    }

    #[inline]
    fn see_at_least(&mut self, _: &Chess, p: &Position, m: Move, least: i32) -> bool {
        exchange::see_at_least(p, m, least)
    }

    #[inline]
    fn must_answer(&mut self, game: &Chess, p: &Position) -> bool {
        game.in_check(p)
    }

    #[inline]
    fn threatens(&mut self, game: &Chess, p: &Position, m: Move) -> Option<bool> {
        Some(forcing::gives_check(game, p, m))
    }

    #[inline]
    fn null_move(&mut self, game: &Chess, p: &Position) -> Option<Position> {
        forcing::null_move(game, p)
    }

    #[inline]
    fn repeats(&mut self, game: &Chess, p: &Position, path: &Path) -> bool {
        recall::repeats(game, p, path)
    }
}

impl Proofs<Chess> for ChessEvaluation {
    #[inline]
    fn can_win(&mut self, _: &Chess, p: &Position, side: Side) -> bool {
        match self {
            ChessEvaluation::Classic(_) => endings::can_win(p.board(), side),
            // Features may favour anybody.
            ChessEvaluation::Features(_) => true,
        }
    }
}

impl Playouts<Chess> for ChessEvaluation {}

impl Tunable for ChessEvaluation {
    const NAMES: &'static [&'static str] = &["classic", "features"];

    fn named(name: &str) -> Option<ChessEvaluation> {
        match name {
            "classic" => Some(ChessEvaluation::default()),
            "features" => Some(ChessEvaluation::Features(Linear::new(USUAL))),
            _ => None,
        }
    }

    fn name(&self) -> &'static str {
        match self {
            ChessEvaluation::Classic(_) => "classic",
            ChessEvaluation::Features(_) => "features",
        }
    }

    fn each_weight(&mut self, visit: &mut Visit<'_>) {
        match self {
            ChessEvaluation::Classic(classic) => classic.weights.each(visit),
            ChessEvaluation::Features(features) => features.each::<Chess>(visit),
        }
    }

    /// What others are multiplied with is kept small, and a phase is what the blend is divided by.
    fn range(name: &str) -> RangeInclusive<i32> {
        match name.split('.').next() {
            _ if NAMES.contains(&name) => WEIGHT_RANGE,
            Some("opening_phase") => 1..=100,
            Some("phase" | "attack") => 0..=50,
            _ => -LIMIT..=LIMIT,
        }
    }
}
