//! Squares next to stones on a [`LineBoard`], by whole words.

use game::{Rng, Square};

use super::board::Board;
use super::line_board::{LineBoard, LineTables};
use super::shape::Shape;
use super::word::Word;

/// Rows of the highest board.
const MOST_ROWS: usize = 250;
/// On a board whose lines are long one square is drawn so often in the hope that it is next to a stone. To draw again is as fair
/// as to look at all of them.
const TRIES: usize = 16;

/// The stones of a row that has so many words.
type Row<const WORDS: usize> = [u64; WORDS];

/// A playable square next to a stone, each with the same chance; `None` if there is none.
#[inline]
pub(super) fn sample_near<S: Shape>(
    board: &LineBoard,
    tables: &LineTables,
    shape: S,
    free: usize,
    rng: &mut Rng,
) -> Option<usize> {
    if shape.gravity() || tables.has_holes() {
        return sample_among_playable(board, tables, shape, rng);
    }
    let columns = shape.columns();
    if shape.rows().max(columns) >= 64 {
        for _ in 0..TRIES {
            let square = board.sample_playable(tables, shape, free, rng)?;
            if touches(board, tables, shape, square) {
                return Some(square);
            }
        }
    }
    // As many words as a row and the free bit after it need, if that is a power of two.
    match columns {
        0..64 => sample_by_rows::<1, S>(board, shape, rng),
        64..128 => sample_by_rows::<2, S>(board, shape, rng),
        _ => sample_by_rows::<4, S>(board, shape, rng),
    }
}

/// Counts by rows, draws a number, and goes to the square that has it.
fn sample_by_rows<const WORDS: usize, S: Shape>(
    board: &LineBoard,
    shape: S,
    rng: &mut Rng,
) -> Option<usize> {
    let mut counted = [0u16; MOST_ROWS];
    let mut all = 0;
    near_rows::<WORDS, S>(board, shape, |row, near| {
        let count = near.iter().map(|word| word.count()).sum::<usize>();
        counted[row] = count as u16;
        all += count;
    });
    if all == 0 {
        return None;
    }
    let mut below = rng.below(all);
    let row = counted.iter().position(|&count| {
        let is_here = below < usize::from(count);
        below -= if is_here { 0 } else { usize::from(count) };
        is_here
    })?;
    let [before, here, after] = [row.wrapping_sub(1), row, row + 1]
        .map(|row| if row < shape.rows() { board.row::<WORDS>(row) } else { [0; WORDS] });
    for (n, word) in near_row(shape, before, here, after).into_iter().enumerate() {
        let count = word.count();
        if below < count {
            return Some(row * shape.columns() + n * 64 + word.select(below));
        }
        below -= count;
    }
    None
}

/// Calls `visit` for each row that has empty squares next to stones, with these squares.
#[inline]
fn near_rows<const WORDS: usize, S: Shape>(
    board: &LineBoard,
    shape: S,
    mut visit: impl FnMut(usize, Row<WORDS>),
) {
    let rows = shape.rows();
    let (mut before, mut here) = ([0; WORDS], board.row::<WORDS>(0));
    for row in 0..rows {
        let after = if row + 1 < rows { board.row::<WORDS>(row + 1) } else { [0; WORDS] };
        let near = near_row(shape, before, here, after);
        if near != [0; WORDS] {
            visit(row, near);
        }
        (before, here) = (here, after);
    }
}

/// The empty squares of a row that are next to a stone of it or of its neighbours.
#[inline]
fn near_row<const WORDS: usize, S: Shape>(
    shape: S,
    before: Row<WORDS>,
    here: Row<WORDS>,
    after: Row<WORDS>,
) -> Row<WORDS> {
    let stones: Row<WORDS> = std::array::from_fn(|n| before[n] | here[n] | after[n]);
    let mut near: Row<WORDS> = std::array::from_fn(|n| {
        let left = if n > 0 { stones[n - 1] >> 63 } else { 0 };
        let right = if n + 1 < WORDS { stones[n + 1] << 63 } else { 0 };
        (stones[n] | stones[n] << 1 | stones[n] >> 1 | left | right) & !here[n]
    });
    // The last word of a row has room for one more square at least.
    near[shape.columns() / 64 % WORDS] &= u64::first(shape.columns() % 64);
    near
}

/// Whether there is a stone next to a square.
#[inline]
fn touches<S: Shape>(board: &LineBoard, tables: &LineTables, shape: S, square: usize) -> bool {
    let Square { row, column } = shape.grid().square(square);
    let rows = row.saturating_sub(1)..(row + 2).min(shape.rows());
    let mut columns = column.saturating_sub(1)..(column + 2).min(shape.columns());
    columns.any(|column| {
        rows.clone().any(|row| board.stone(tables, row * shape.columns() + column).is_some())
    })
}

/// The same by looking at every square that can be played.
fn sample_among_playable<S: Shape>(
    board: &LineBoard,
    tables: &LineTables,
    shape: S,
    rng: &mut Rng,
) -> Option<usize> {
    let mut near = Vec::new();
    board.for_each_playable(tables, shape, |square| {
        if touches(board, tables, shape, square) {
            near.push(square);
        }
    });
    (!near.is_empty()).then(|| near[rng.below(near.len())])
}
