//! [`Evaluation`]: one of the evaluations, chosen at run time.

use std::ops::RangeInclusive;

use evaluation::Heuristics;
use evaluation::features::WEIGHT_RANGE;
use evaluation::weights::{LIMIT, Tunable, Visit, Weight, show_all};

use super::weighed::Weighed;
use super::weights::KINGS;
use super::{Classic, Zones, is_noisy, rank};
use crate::draughts::features::NAMES;
use crate::draughts::position::{Move, Position};
use crate::draughts::rules::Draughts;
use crate::draughts::switches::Rules;

/// What an engine believes about draughts.
#[derive(Clone, Copy, Debug)]
pub enum Evaluation {
    /// The usual one.
    Classic(Classic),
    /// A smaller one.
    Zones(Zones),
    /// Sixty features, each with a weight.
    Weighed(Weighed),
}

impl Default for Evaluation {
    fn default() -> Evaluation {
        Evaluation::Classic(Classic::default())
    }
}

impl<R: Rules> Heuristics<Draughts<R>> for Evaluation {
    fn begin(&mut self, game: &Draughts<R>, p: &Position) {
        if let Evaluation::Weighed(weighed) = self {
            weighed.linear.begin(game, p);
        }
    }

    #[inline]
    fn evaluate(&mut self, game: &Draughts<R>, p: &Position) -> i32 {
        match self {
            Evaluation::Classic(classic) => classic.evaluate(game, p),
            Evaluation::Zones(zones) => zones.evaluate(game, p),
            Evaluation::Weighed(weighed) => weighed.linear.evaluate(game, p),
        }
    }

    #[inline]
    fn rank(&mut self, _: &Draughts<R>, p: &Position, moves: &[Move], promise: &mut [i32]) {
        rank(p, moves, promise);
    }

    const QUIESCES: bool = true;
    const HASTE: i32 = <Classic as Heuristics<Draughts<R>>>::HASTE;

    #[inline]
    fn is_noisy(&mut self, _: &Draughts<R>, _: &Position, m: Move) -> bool {
        is_noisy(m)
    }
}

impl Tunable for Evaluation {
    const NAMES: &'static [&'static str] = &["classic", "zones", "features", "thesis", "material"];

    fn named(name: &str) -> Option<Evaluation> {
        match name {
            "classic" => Some(Evaluation::Classic(Classic::default())),
            "zones" => Some(Evaluation::Zones(Zones::default())),
            _ => Weighed::named(name).map(Evaluation::Weighed),
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Evaluation::Classic(_) => "classic",
            Evaluation::Zones(_) => "zones",
            Evaluation::Weighed(weighed) => weighed.name,
        }
    }

    fn each_weight(&mut self, visit: &mut Visit<'_>) {
        match self {
            Evaluation::Classic(classic) => classic.weights.each(visit),
            Evaluation::Zones(Zones { man, king, zones }) => {
                man.show("man", visit);
                show_all("king", KINGS, king, visit);
                show_all("zone", ["outer", "middle", "inner"], zones, visit);
            }
            Evaluation::Weighed(weighed) => weighed.linear.each::<Draughts>(visit),
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
