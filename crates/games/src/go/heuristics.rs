//! [`AreaCount`]: a plain evaluation by what is on the board; and which moves to try first.

use game::Side;

use super::chains::{Removed, placed, surrounded};
use super::points::PointSet;
use super::position::{Go, Move, Position};
use super::shape::Shape;

/// Lifts captures above every other move, by so much for each stone.
const CAPTURED: i32 = 1_000;
/// Passing rarely helps while there are points to fill.
const PASS: i32 = -10_000;
/// Filling one's own eye hardly ever does.
const FILLS_EYE: i32 = -20_000;
/// Suicide even less.
const SUICIDE: i32 = -30_000;

/// Stones, surrounded points and prisoners, mine minus theirs, in half points with komi. Points are
/// points: there is nothing to tune.
#[derive(Clone, Copy, Debug, Default)]
pub struct AreaCount;

impl AreaCount {
    /// The worth of a position for the side to move.
    #[inline]
    pub(super) fn evaluate<S: PointSet, R: Shape>(game: &Go<S, R>, p: &Position<S>) -> i32 {
        let (own, other) = surrounded(game.empties(p), p.own, p.other);
        let worth = |side: Side, stones: S, surrounded: S| {
            (stones.len() + surrounded.len()) as i32 + i32::from(p.prisoners(side))
        };
        let points = worth(p.side, p.own, own) - worth(p.side.other(), p.other, other);
        2 * points - p.side.sign() * game.parameters().komi.halves()
    }
}

/// Captures first, the most stones before others, and one's own eyes last.
#[inline]
pub(super) fn rank<S: PointSet, R: Shape>(
    game: &Go<S, R>,
    p: &Position<S>,
    moves: &[Move],
    promise: &mut [i32],
) {
    let empty = game.empties(p);
    for (m, promise) in moves.iter().zip(promise) {
        let Some(bit) = m.bit() else {
            *promise = PASS;
            continue;
        };
        let stone = S::single(bit);
        *promise = match placed(stone, empty, p.own, p.other) {
            Removed::Other(captured) if captured.any() => CAPTURED * captured.len() as i32,
            Removed::Other(_) if game.is_eye(p, stone) => FILLS_EYE,
            Removed::Other(_) => 0,
            Removed::Own(_) => SUICIDE,
        };
    }
}
