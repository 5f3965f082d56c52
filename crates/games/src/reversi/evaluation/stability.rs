//! Discs that can never be turned again.
//!
//! A disc is safe along a line if the line is full, if it ends there, or if a disc of the same colour next
//! to it on the line is stable. Who is safe along all four lines is stable; so corners are, and from them
//! stability grows. Discs that are stable for subtler reasons are not found.

use crate::reversi::board::Board;

const COLUMN_A: u64 = 0x0101_0101_0101_0101;

/// By line, along rows, columns, `\` and `/`: the squares where a disc is safe whatever stands beside it.
pub(in crate::reversi) type Safe = [u64; 4];

/// Where lines are full or end, with these squares empty.
#[inline]
pub(in crate::reversi) fn safe(board: &Board, empties: u64) -> Safe {
    let [row_ends, column_ends] = board.ends;
    let border = row_ends | column_ends;
    let reached = |step: u32| along(empties, step);
    [row_ends | !reached(1), column_ends | !reached(8), border | !reached(9), border | !reached(7)]
}

/// The stable ones of these discs.
#[inline]
pub(in crate::reversi) fn stable(safe: &Safe, discs: u64) -> u64 {
    let mut stable = discs & safe[0] & safe[1] & safe[2] & safe[3];
    loop {
        let beside =
            |step: u32| stable << step & !wrapped(step, 1) | (stable & !wrapped(step, 1)) >> step;
        let grown = discs
            & (safe[0] | beside(1))
            & (safe[1] | beside(8))
            & (safe[2] | beside(9))
            & (safe[3] | beside(7));
        if grown == stable {
            return stable;
        }
        stable = grown;
    }
}

/// All squares on the lines of these in the directions of one step up and down.
#[inline]
fn along(set: u64, step: u32) -> u64 {
    let (mut up, mut down) = (set, set);
    for times in [1, 2, 4] {
        let over = wrapped(step, times);
        up |= up << (step * times) & !over;
        down |= (down & !over) >> (step * times);
    }
    up | down
}

/// The squares at which so many steps towards higher bits arrive only by going around the border.
#[inline]
const fn wrapped(step: u32, times: u32) -> u64 {
    // The columns at the left, so many.
    let left = COLUMN_A * ((1 << times) - 1);
    match step {
        8 => 0,
        7 => left << (8 - times),
        _ => left,
    }
}
