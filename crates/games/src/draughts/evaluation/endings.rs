//! Endings: what changes when one side is ahead.
//!
//! Who is ahead wants exchanges. Against bare kings that is not enough: they must be driven out of the
//! double corners and met, which takes more moves than a search sees, so kings are told to come closer.
//! Where kings fly, one alone hardly ever loses to two, and on the largest board not to three either.

use super::landmarks::Landmarks;
use super::weights::Weights;
use crate::draughts::board::{Size, column_of};
use crate::draughts::position::Position;
use crate::draughts::switches::Switches;

/// The score of the side to move, with what the ending adds to it.
#[inline]
pub(super) fn adjusted(weights: &Weights, switches: Switches, p: &Position, score: i32) -> i32 {
    let (sign, strong, weak) = match count(p.own) - count(p.other) {
        0 => return score,
        ahead if ahead > 0 => (1, p.own, p.other),
        _ => (-1, p.other, p.own),
    };
    let missing = switches.size.squares() as i32 - count(strong | weak);
    let score = score + sign * weights.trade * missing;
    if weak & !p.kings != 0 {
        return score;
    }
    against_kings(weights, switches, [strong, weak], p.kings, score, sign)
}

/// One side has nothing but kings.
fn against_kings(
    weights: &Weights,
    switches: Switches,
    [strong, weak]: [u64; 2],
    kings: u64,
    score: i32,
    sign: i32,
) -> i32 {
    let size = switches.size;
    let hopeless = if size == Size::Ten { 3 } else { 2 };
    if switches.flying && count(weak) == 1 && count(strong) <= hopeless && strong & !kings == 0 {
        return score * weights.drawish / 100;
    }
    let sheltered = count(weak & Landmarks::of(size).double_corners);
    let apart: i32 = squares(strong & kings).map(|king| nearest(size, king, weak)).sum();
    score - sign * (weights.shelter * sheltered + weights.apart * apart)
}

/// How many steps of a king it is to the nearest of these, at least.
fn nearest(size: Size, from: usize, to: u64) -> i32 {
    let place = |bit: usize| {
        let (row, place) = size.place(bit);
        (row, column_of(row, place))
    };
    let (row, column) = place(from);
    let steps = squares(to).map(|bit| {
        let (other_row, other_column) = place(bit);
        row.abs_diff(other_row).max(column.abs_diff(other_column)) as i32
    });
    steps.min().unwrap_or(0)
}

fn squares(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then_some(set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        bit
    })
}

#[inline]
fn count(set: u64) -> i32 {
    set.count_ones() as i32
}
