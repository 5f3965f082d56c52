//! [`Classic`]: an evaluation by what draughts books list, for every variant; and [`Zones`], a smaller one.
//! [`Weighed`] sums up features. [`DraughtsEvaluation`] is any of them.
//!
//! `weights` holds the numbers of `Classic`, `terms` counts what they are multiplied with, `endings` knows
//! what it takes to win with more pieces, `landmarks` says where the centre is.

mod choice;
mod endings;
mod landmarks;
mod terms;
mod weighed;
mod weights;

use self::landmarks::Landmarks;
use super::position::{Move, Position};
use super::rules::Draughts;
use super::switches::Rules;
pub use choice::DraughtsEvaluation;
pub use weighed::Weighed;
pub use weights::Weights;

/// What a captured piece adds to a move's promise: more than anything a search remembers.
const CAPTURED: i32 = 1_000;
const CROWNED: i32 = 500;

/// Men and kings, where they stand and where they can go, in hundredths of a man, blended from the
/// opening to the endgame by the pieces left.
#[derive(Clone, Copy, Debug, Default)]
pub struct Classic {
    /// The numbers; there are no others.
    pub weights: Weights,
}

impl Classic {
    /// The worth of a position for the side to move.
    #[inline]
    fn evaluate<R: Rules>(&self, game: &Draughts<R>, p: &Position) -> i32 {
        let switches = game.rules().switches();
        let (left, all) = terms::phase(switches.size, p);
        let score = terms::balance(&self.weights, switches, p).blend(left, all);
        endings::adjusted(&self.weights, switches, p, score)
    }
}

/// Men and kings, and something for every piece by its zone: the border, the squares next to it, and
/// all within.
#[derive(Clone, Copy, Debug)]
pub struct Zones {
    /// What a man is worth, in the units of the evaluation.
    pub man: i32,
    /// A king: one that goes a step, and one that flies.
    pub king: [i32; 2],
    /// A piece in each zone, the outermost first.
    pub zones: [i32; 3],
}

impl Default for Zones {
    fn default() -> Zones {
        Zones { man: 100, king: [150, 300], zones: [2, 5, 8] }
    }
}

impl Zones {
    /// The worth of a position for the side to move.
    #[inline]
    fn evaluate<R: Rules>(&self, game: &Draughts<R>, p: &Position) -> i32 {
        let switches = game.rules().switches();
        let zones = Landmarks::of(switches.size).zones;
        let count = |set: u64| set.count_ones() as i32;
        let worth = |pieces: u64| {
            let placed: i32 = zones
                .iter()
                .zip(self.zones)
                .map(|(zone, worth)| worth * count(pieces & zone))
                .sum();
            let king = self.king[usize::from(switches.flying)];
            self.man * count(pieces & !p.kings) + king * count(pieces & p.kings) + placed
        };
        worth(p.own) - worth(p.other)
    }
}

/// Captures must be made, and a man about to be crowned is not quiet.
#[inline]
fn is_noisy(m: Move) -> bool {
    m.captured != 0 || m.crowns
}

/// Captures of many pieces and of kings first, then crownings.
#[inline]
fn rank(p: &Position, moves: &[Move], promise: &mut [i32]) {
    for (m, promise) in moves.iter().zip(promise) {
        let pieces = m.captured.count_ones() + (m.captured & p.kings).count_ones();
        *promise = CAPTURED * pieces as i32 + CROWNED * i32::from(m.crowns);
    }
}

#[cfg(test)]
mod tests;
