//! Sliders in plain code, the twin of `simd`: hyperbola quintessence (Kannan 2007). Taking the
//! slider from the other pieces of its line flips all bits up to the next piece; the same on the
//! reversed line finds the other end.

use super::attacks::LINES;

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

fn along(bit: usize, occupied: u64, line: u64) -> u64 {
    let (pieces, slider) = (occupied & line, 1_u64 << bit);
    let forward = pieces.wrapping_sub(slider);
    let backward = pieces.reverse_bits().wrapping_sub(slider.reverse_bits());
    (forward ^ backward.reverse_bits()) & line
}
