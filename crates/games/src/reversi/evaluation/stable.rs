//! [`Stable`]: an evaluation by what lasts: moves to choose from, corners, discs that stay.

use super::WIPED_OUT;
use super::stability::{safe, stable};
use super::weights::{Stages, Weights};
use crate::reversi::board::neighbours;
use crate::reversi::moves::mobility;
use crate::reversi::position::{Position, Reversi};
use crate::reversi::shape::Shape;

/// Mobility, corners and what is beside them, stable and frontier discs, and who moves last; blended by
/// the squares left empty. Knows boards of all sizes, since it asks for corners and edges and not for
/// squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stable {
    /// The numbers; there are no others.
    pub weights: Weights,
}

impl Stable {
    /// The worth of a position for the side to move.
    #[inline]
    pub(super) fn evaluate<S: Shape>(&self, game: &Reversi<S>, p: &Position) -> i32 {
        match (p.own, p.other) {
            (0, 0) => 0,
            (0, _) => -WIPED_OUT,
            (_, 0) => WIPED_OUT,
            _ => balance(&self.weights, game, p),
        }
    }
}

/// The terms of the side to move less the other's.
#[inline]
fn balance<S: Shape>(weights: &Weights, game: &Reversi<S>, p: &Position) -> i32 {
    let (board, empties) = (game.board(), game.empties(p));
    let mut sum = Sum::new(empties.count_ones() as i32, board.squares.count_ones() as i32);
    let difference = |[own, other]: [u64; 2]| count(own) - count(other);
    let both = |zone: u64| difference([p.own & zone, p.other & zone]);

    let moves = [mobility(p.own, p.other) & empties, mobility(p.other, p.own) & empties];
    sum.add(weights.mobility, difference(moves));
    sum.add(weights.corner_reach, difference(moves.map(|set| set & board.corners)));
    sum.add(weights.potential, difference([p.other, p.own].map(|set| neighbours(set) & empties)));
    sum.add(weights.frontier, both(neighbours(empties)));

    let by_empty_corners = neighbours(board.corners & empties) & board.by_corners;
    sum.add(weights.corner, both(board.corners));
    sum.add(weights.x_square, both(by_empty_corners & !board.edges));
    sum.add(weights.c_square, both(by_empty_corners & board.edges));

    let safe = safe(board, empties);
    sum.add(weights.stable, difference([p.own, p.other].map(|discs| stable(&safe, discs))));
    sum.add(weights.disc, both(board.squares));
    sum.add(weights.tempo, 1);
    sum.add(weights.parity, if count(empties) & 1 == 1 { 1 } else { -1 });
    if !sum.is_early() {
        sum.add(weights.odd_region, odd_regions(empties));
    }
    sum.blend()
}

/// Sums of terms for the two stages between which a position lies.
struct Sum {
    sums: [i32; 2],
    earlier: usize,
    /// How much of the way from the later stage to the earlier one is left, of how much.
    left: i32,
    all: i32,
}

impl Sum {
    #[inline]
    fn new(empties: i32, squares: i32) -> Sum {
        let (twice, all) = (2 * empties, squares);
        let (earlier, left) = if twice >= all { (0, twice - all) } else { (1, twice) };
        Sum { sums: [0; 2], earlier, left, all }
    }

    #[inline]
    fn add(&mut self, weight: Stages, times: i32) {
        self.sums[0] += weight.0[self.earlier] * times;
        self.sums[1] += weight.0[self.earlier + 1] * times;
    }

    /// Whether most squares are empty.
    #[inline]
    fn is_early(&self) -> bool {
        self.earlier == 0
    }

    #[inline]
    fn blend(&self) -> i32 {
        (self.sums[0] * self.left + self.sums[1] * (self.all - self.left)) / self.all
    }
}

/// How many regions of empty squares, which touch in any direction, have an odd number of them.
#[inline]
fn odd_regions(mut empties: u64) -> i32 {
    let mut odd = 0;
    while empties != 0 {
        let mut region = empties & empties.wrapping_neg();
        loop {
            let grown = (region | neighbours(region)) & empties;
            if grown == region {
                break;
            }
            region = grown;
        }
        odd += count(region) & 1;
        empties &= !region;
    }
    odd
}

#[inline]
fn count(set: u64) -> i32 {
    set.count_ones() as i32
}
