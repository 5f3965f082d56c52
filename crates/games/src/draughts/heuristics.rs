//! [`Material`]: men and kings counted.

use game::Heuristics;

use super::position::{Move, Position};
use super::rules::Draughts;
use super::switches::Rules;

const MAN: i32 = 100;
/// A king that goes one step.
const SHORT_KING: i32 = 150;
const FLYING_KING: i32 = 300;

/// What a captured piece adds to a move's promise: more than anything a search remembers.
const CAPTURED: i32 = 1_000;
const CROWNED: i32 = 500;

/// A hundred for a man, more for a king; mine minus theirs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Material;

impl<R: Rules> Heuristics<Draughts<R>> for Material {
    #[inline]
    fn evaluate(&mut self, game: &Draughts<R>, p: &Position) -> i32 {
        let king = if game.rules().switches().flying { FLYING_KING } else { SHORT_KING };
        let worth = |pieces: u64| {
            let kings = (pieces & p.kings).count_ones() as i32;
            MAN * (pieces.count_ones() as i32 - kings) + king * kings
        };
        worth(p.own) - worth(p.other)
    }

    /// Captures of many pieces and of kings first, then crownings.
    #[inline]
    fn rank(&mut self, _: &Draughts<R>, p: &Position, moves: &[Move], promise: &mut [i32]) {
        for (m, promise) in moves.iter().zip(promise) {
            let pieces = m.captured.count_ones() + (m.captured & p.kings).count_ones();
            *promise = CAPTURED * pieces as i32 + CROWNED * i32::from(m.crowns);
        }
    }

    const QUIESCES: bool = true;

    /// Captures must be made, and a man about to be crowned is not quiet.
    #[inline]
    fn is_noisy(&mut self, _: &Draughts<R>, _: &Position, m: Move) -> bool {
        m.captured != 0 || m.crowns
    }
}
