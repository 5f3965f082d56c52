//! [`Evaluation`]: one of the evaluations, chosen at run time.

use std::ops::RangeInclusive;

use evaluation::features::WEIGHT_RANGE;
use evaluation::weights::{LIMIT, Tunable, Visit};
use evaluation::{Heuristics, Linear, Margins};
use game::{Path, Side};

use super::features::{COUNT, NAMES, Pieces, USUAL};
use super::{Classic, Weights, endings};
use crate::chess::position::{Chess, Move, Position};
use crate::chess::{exchange, forcing, recall};

/// What an engine believes about chess.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one for each thread of a search")]
pub enum Evaluation {
    /// The usual one.
    Classic(Classic),
    /// Forty-four features, each with a weight.
    Features(Linear<Pieces, COUNT>),
}

impl Evaluation {
    /// What orders moves. Features say nothing about that.
    #[inline]
    fn order(&self) -> &Classic {
        static USUAL_ORDER: Classic = Classic { weights: Weights::DEFAULT };
        match self {
            Evaluation::Classic(classic) => classic,
            Evaluation::Features(_) => &USUAL_ORDER,
        }
    }
}

impl Default for Evaluation {
    fn default() -> Evaluation {
        Evaluation::Classic(Classic::default())
    }
}

impl Heuristics<Chess> for Evaluation {
    fn begin(&mut self, game: &Chess, p: &Position) {
        if let Evaluation::Features(features) = self {
            features.begin(game, p);
        }
    }

    #[inline]
    fn evaluate(&mut self, game: &Chess, p: &Position) -> i32 {
        match self {
            Evaluation::Classic(classic) => classic.evaluate(p),
            Evaluation::Features(features) => features.evaluate(game, p),
        }
    }

    #[inline]
    fn rank(&mut self, _: &Chess, p: &Position, moves: &[Move], promise: &mut [i32]) {
        self.order().rank(p, moves, promise);
    }

    const QUIESCES: bool = true;

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
    fn pays(&mut self, _: &Chess, p: &Position, m: Move, least: i32) -> bool {
        exchange::pays(p, m, least)
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
    fn passed(&mut self, game: &Chess, p: &Position) -> Option<Position> {
        forcing::passed(game, p)
    }

    #[inline]
    fn can_win(&mut self, _: &Chess, p: &Position, side: Side) -> bool {
        match self {
            Evaluation::Classic(_) => endings::can_win(p.board(), side),
            // Features may favour anybody.
            Evaluation::Features(_) => true,
        }
    }

    #[inline]
    fn comes_back(&mut self, game: &Chess, p: &Position, path: &Path) -> bool {
        recall::comes_back(game, p, path)
    }

    #[inline]
    fn gists(&self, _: &Chess) -> usize {
        forcing::GISTS
    }

    #[inline]
    fn gist(&mut self, _: &Chess, p: &Position, m: Move) -> usize {
        forcing::gist(p, m)
    }
}

impl Tunable for Evaluation {
    const NAMES: &'static [&'static str] = &["classic", "features"];

    fn named(name: &str) -> Option<Evaluation> {
        match name {
            "classic" => Some(Evaluation::default()),
            "features" => Some(Evaluation::Features(Linear::new(USUAL))),
            _ => None,
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Evaluation::Classic(_) => "classic",
            Evaluation::Features(_) => "features",
        }
    }

    fn each_weight(&mut self, visit: &mut Visit<'_>) {
        match self {
            Evaluation::Classic(classic) => classic.weights.each(visit),
            Evaluation::Features(features) => features.each::<Chess>(visit),
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
