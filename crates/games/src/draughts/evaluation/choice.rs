//! [`DraughtsEvaluation`]: one of the evaluations, chosen at run time.

use std::ops::RangeInclusive;

use evaluation::features::WEIGHT_RANGE;
use evaluation::weights::{LIMIT, Tunable, Visit, Weight, show_all};
use evaluation::{Evaluation, MoveOrder, Playouts, Proofs, Tactics};

use super::weighed::Weighed;
use super::weights::KINGS;
use super::{Classic, Zones, is_noisy, rank};
use crate::draughts::features::NAMES;
use crate::draughts::position::{Move, Position};
use crate::draughts::rules::Draughts;
use crate::draughts::switches::Rules;

/// What an engine believes about draughts.
#[derive(Clone, Copy, Debug)]
pub enum DraughtsEvaluation {
    /// The usual one.
    Classic(Classic),
    /// A smaller one.
    Zones(Zones),
    /// Sixty features, each with a weight.
    Weighed(Weighed),
}

impl Default for DraughtsEvaluation {
    fn default() -> DraughtsEvaluation {
        DraughtsEvaluation::Classic(Classic::default())
    }
}

impl<R: Rules> Evaluation<Draughts<R>> for DraughtsEvaluation {
    fn begin(&mut self, game: &Draughts<R>, p: &Position) {
        if let DraughtsEvaluation::Weighed(weighed) = self {
            weighed.linear.begin(game, p);
        }
    }

    #[inline]
    fn evaluate(&mut self, game: &Draughts<R>, p: &Position) -> i32 {
        match self {
            DraughtsEvaluation::Classic(classic) => classic.evaluate(game, p),
            DraughtsEvaluation::Zones(zones) => zones.evaluate(game, p),
            DraughtsEvaluation::Weighed(weighed) => weighed.linear.evaluate(game, p),
        }
    }
}

impl<R: Rules> MoveOrder<Draughts<R>> for DraughtsEvaluation {
    #[inline]
    fn rank(&mut self, _: &Draughts<R>, p: &Position, moves: &[Move], promise: &mut [i32]) {
        rank(p, moves, promise);
    }
}

impl<R: Rules> Tactics<Draughts<R>> for DraughtsEvaluation {
    const QUIESCENCE: bool = true;
    const LATE_MOVE_REDUCTION: i32 = 1;

    #[inline]
    fn is_noisy(&mut self, _: &Draughts<R>, _: &Position, m: Move) -> bool {
        is_noisy(m)
    }
}

impl<R: Rules> Proofs<Draughts<R>> for DraughtsEvaluation {}
impl<R: Rules> Playouts<Draughts<R>> for DraughtsEvaluation {}

impl Tunable for DraughtsEvaluation {
    const NAMES: &'static [&'static str] = &["classic", "zones", "features", "thesis", "material"];

    fn named(name: &str) -> Option<DraughtsEvaluation> {
        match name {
            "classic" => Some(DraughtsEvaluation::Classic(Classic::default())),
            "zones" => Some(DraughtsEvaluation::Zones(Zones::default())),
            _ => Weighed::named(name).map(DraughtsEvaluation::Weighed),
        }
    }

    fn name(&self) -> &'static str {
        match self {
            DraughtsEvaluation::Classic(_) => "classic",
            DraughtsEvaluation::Zones(_) => "zones",
            DraughtsEvaluation::Weighed(weighed) => weighed.name,
        }
    }

    fn each_weight(&mut self, visit: &mut Visit<'_>) {
        match self {
            DraughtsEvaluation::Classic(classic) => classic.weights.each(visit),
            DraughtsEvaluation::Zones(Zones { man, king, zones }) => {
                man.show("man", visit);
                show_all("king", KINGS, king, visit);
                show_all("zone", ["outer", "middle", "inner"], zones, visit);
            }
            DraughtsEvaluation::Weighed(weighed) => weighed.linear.each::<Draughts>(visit),
        }
    }

    fn range(name: &str) -> RangeInclusive<i32> {
        match name {
            "drawish" => 0..=100,
            name if NAMES.contains(&name) => WEIGHT_RANGE,
            _ => -LIMIT..=LIMIT,
        }
    }
}
