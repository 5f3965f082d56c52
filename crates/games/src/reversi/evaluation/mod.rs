//! What a position is worth: [`Stable`], the usual evaluation; [`Classic`], a plain one; features with weights;
//! [`ReversiEvaluation`] is any of them. And which moves to try first, whatever the evaluation.
//!
//! `weights` holds the numbers of `Stable`, `stability` finds the discs that nobody can turn any more.

mod choice;
mod classic;
mod features;
mod stability;
mod stable;
mod weights;

use evaluation::Foresight;
use game::{Game, Side};

use super::ending::{Ending, MOST_EMPTIES};
use super::moves::{flips, mobility};
use super::position::{Move, Position, Reversi};
use super::shape::Shape;
pub use choice::ReversiEvaluation;
pub use classic::Classic;
pub use features::Shapes;
pub(super) use stability::{safe, stable};
pub use stable::Stable;
pub use weights::{Stages, Weights};

/// The weights of [`Stable`] for 8x8 that were found by machine, as the file that `zermelo tune` wrote. They play as well as those
/// before, not better.
pub const TUNED: &str = include_str!("tuned.weights");

/// What it is worth to have all the discs: more than any sum of the terms, and well inside the band of
/// scores.
const WIPED_OUT: i32 = 1_000_000;

/// What one reply of the opponent takes from a move's promise; one to a corner takes it twice. Large,
/// so that what a search remembers of moves only decides between equals.
const REPLY: i32 = 10_000;
/// Lifts corners above every other move.
const FIRST: i32 = 500_000;

/// Corners first, then by how few moves are left to the opponent, as endgame solvers do
/// ("fastest first"). Plain alpha-beta solved 4x6 with a fifth of the nodes and in a third of
/// the time that a fixed order of squares took. Odd regions first, too, made no difference beyond that.
#[inline]
fn rank<S: Shape>(game: &Reversi<S>, p: &Position, moves: &[Move], promise: &mut [i32]) {
    let empties = game.empties(p);
    for (m, promise) in moves.iter().zip(promise) {
        let Some(bit) = m.bit() else { continue };
        let placed = 1 << bit;
        let flipped = flips(bit, p.own, p.other);
        let replies = mobility(p.other ^ flipped, p.own ^ flipped ^ placed) & empties & !placed;
        let corner_replies = replies & game.board().corners;
        *promise = -REPLY * (replies.count_ones() + corner_replies.count_ones()) as i32;
        if placed & game.board().corners != 0 {
            *promise += FIRST;
        }
    }
}

/// With so many empty squares, a search to the end looks so many plies ahead to order its moves: 24 squares from the end of 6x6 this halves
/// the nodes and takes two thirds of the time.
const LOOK_AHEAD: [(u32, u32); 4] = [(20, 4), (18, 3), (16, 2), (13, 1)];
/// A disc, in the score.
const DISC: i32 = 32;

/// How far to look ahead for the order of moves.
#[inline]
fn foresight<S: Shape>(game: &Reversi<S>, p: &Position) -> Option<Foresight> {
    let empties = game.empties(p).count_ones();
    let (_, plies) = LOOK_AHEAD.into_iter().find(|&(least, _)| empties >= least)?;
    Some(Foresight { plies, reply: DISC })
}

/// Counts out the last squares.
#[inline]
fn finish<S: Shape>(
    game: &Reversi<S>,
    p: &Position,
    attacker: Side,
    least: i32,
    nodes: &mut u64,
) -> Option<bool> {
    if game.empties(p).count_ones() > MOST_EMPTIES {
        return None;
    }
    let mut ending = Ending::new(game.board());
    let attacks = game.to_move(p) == attacker;
    // Who does not attack reaches at least -least + 1, or the attacker succeeds.
    let asked = if attacks { least } else { 1 - least };
    let reached = ending.reaches(p.own(), p.other(), asked, p.passes() > 0);
    *nodes += ending.nodes;
    Some(reached == attacks)
}

#[cfg(test)]
mod tests;
