//! Whether bits are in a row: the win check of all boards.

use super::shape::Shape;
use super::word::Word;

/// Whether one of four lines, each alone in its word or followed by a 0, has a winning run; from a
/// square of a line to the next it is `strides` bits.
///
/// All four go side by side through the same steps, so that they can share a vector register.
#[inline(always)]
pub(super) fn has_winning_run<W: Word, S: Shape>(
    shape: S,
    mut lines: [W; 4],
    strides: [usize; 4],
) -> bool {
    // A bit that is left says that a run of `length` begins there. A shift beyond the word happens
    // only where a line is too short for k, and then its word must be 0.
    let (mut length, mut shifts) = (1, strides);
    while 2 * length <= shape.k() {
        for (line, shift) in lines.iter_mut().zip(&mut shifts) {
            *line &= line.shift_down_within(*shift);
            *shift *= 2;
        }
        length *= 2;
    }
    let missing = shape.k() - length;
    if missing > 0 {
        for (line, stride) in lines.iter_mut().zip(strides) {
            *line &= line.shift_down_within(missing * stride);
        }
    }
    if shape.exact() {
        // Where a run is longer than k, the beginnings of k have a neighbour.
        for (line, stride) in lines.iter_mut().zip(strides) {
            *line &= !(line.shift_up(stride) | line.shift_down(stride));
        }
    }
    lines[0] | lines[1] | lines[2] | lines[3] != W::NONE
}
