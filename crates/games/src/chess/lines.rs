//! Sliders in plain code, the twin of `simd`: each line by itself.

use super::attacks::{LINES, along};

#[inline]
pub(super) fn rook(bit: usize, occupied: u64) -> u64 {
    let [row, column, _, _] = LINES[bit & 63];
    along(bit, occupied, row) | along(bit, occupied, column)
}

#[inline]
pub(super) fn bishop(bit: usize, occupied: u64) -> u64 {
    let [_, _, up, down] = LINES[bit & 63];
    along(bit, occupied, up) | along(bit, occupied, down)
}

#[inline]
pub(super) fn nth_bit(mut set: u64, n: usize) -> usize {
    for _ in 0..n {
        set &= set - 1;
    }
    set.trailing_zeros() as usize
}
