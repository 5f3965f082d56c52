//! [`Classic`]: an evaluation by what every chess book lists; and [`ChessEvaluation`], that one or another.
//!
//! `weights` and `tables` hold the numbers, `terms` counts what they are multiplied with, `endings` knows where their sum
//! is wrong. Nothing is kept from one
//! position to the next: sets of squares are counted as fast as they could be followed.

mod choice;
mod endings;
mod features;
mod tables;
mod terms;
mod weights;

use evaluation::Tapered;

use super::board::Kind;
use super::position::{Move, Position, Special, castled};
pub use choice::ChessEvaluation;
pub use features::Pieces;
pub use weights::Weights;

/// The weights of [`Classic`] that were found by machine, as the file that `zermelo tune` wrote; it begins with the commands that
/// made it.
pub const TUNED: &str = include_str!("tuned.weights");

/// Scores stay within this, whatever stands on the board.
const LIMIT: i32 = 15_000;

/// A capture or a promotion comes before whatever else.
const FORCING: i32 = 100_000;
/// As an attacker the king is the last to capture with.
const KING: i32 = 2_000;
/// Quiet moves differ by no more than twice this, so that what a search has learnt can outdo it.
const QUIET: i32 = 50;

/// Material, squares, mobility, pawns and the danger to kings, in hundredths of a pawn, blended from
/// the opening to the endgame by the pieces left.
#[derive(Clone, Copy, Debug, Default)]
pub struct Classic {
    /// The numbers; there are no others.
    pub weights: Weights,
}

impl Classic {
    /// The worth of a position for the side to move.
    #[inline]
    fn evaluate(&self, p: &Position) -> i32 {
        let weights = &self.weights;
        let balance = terms::balance(weights, p.board()) * p.side.sign() + weights.tempo;
        let score = balance.blend(terms::phase(weights, p.board()), weights.opening_phase);
        endings::adjusted(weights, p, score).clamp(-LIMIT, LIMIT)
    }

    /// The most valuable victim first, by the least valuable attacker; promotions to a queen as
    /// if one were captured, to other pieces last; quiet moves by how much better the new square is.
    #[inline]
    fn rank(&self, p: &Position, moves: &[Move], promise: &mut [i32]) {
        let board = p.board();
        let opening = 2 * terms::phase(&self.weights, board) > self.weights.opening_phase;
        for (&m, promise) in moves.iter().zip(promise) {
            let Some(attacker) = board.kind_at(m.from()) else { continue };
            let victim = match m.special() {
                Special::EnPassant => Some(Kind::Pawn),
                Special::Castling => None,
                _ => board.kind_at(m.to()),
            };
            *promise += match victim {
                Some(victim) => FORCING + 100 * self.value(victim) - self.value(attacker),
                None => {
                    let gain = self.gain(p, attacker, m);
                    let gain = if opening { gain.opening() } else { gain.endgame() };
                    gain.clamp(-QUIET, QUIET)
                }
            };
            *promise += match m.special() {
                Special::Promotion(Kind::Queen) => FORCING + 100 * self.value(Kind::Queen),
                Special::Promotion(_) => -4 * FORCING,
                _ => 0,
            };
        }
    }

    /// What a piece counts in the order of captures.
    #[inline]
    fn value(&self, kind: Kind) -> i32 {
        let material = self.weights.material.get(Weights::place(kind));
        material.map_or(KING, |weight| weight.opening().clamp(0, KING))
    }

    /// How much better the squares are after a move than before.
    #[inline]
    fn gain(&self, p: &Position, kind: Kind, m: Move) -> Tapered {
        let on =
            |kind, bit| self.weights.squares[Weights::place(kind)][terms::seen_by(p.side, bit)];
        if m.special() != Special::Castling {
            return on(kind, m.to()) - on(kind, m.from());
        }
        let after = castled(m.from(), m.to());
        on(Kind::King, after.king) - on(Kind::King, m.from()) + on(Kind::Rook, after.rook)
            - on(Kind::Rook, m.to())
    }
}

#[cfg(test)]
mod tests;
