//! Squares near the centre of a board, and squares next to stones on a [`LineBoard`], by whole
//! words.

use game::{Grid, Rng, Square};

use super::board::Board;
use super::line_board::{LineBoard, LineTables};
use super::shape::Shape;
use super::word::Word;

/// Rows of the highest board.
const MOST_ROWS: usize = 250;
/// On a board whose lines are long one square is drawn so often in the hope that it is next to a stone. To draw again is as fair
/// as to look at all of them.
const TRIES: usize = 16;

/// How far a square is from the middle third of the board or, if that is less, a block of five or
/// six squares in the middle.
pub(super) fn off_centre(grid: Grid, square: Square) -> usize {
    let off = |at: usize, size: usize| {
        let reach = (size / 6).clamp(1, 2);
        let (first, last) = (((size - 1) / 2).saturating_sub(reach), size / 2 + reach);
        first.saturating_sub(at).max(at.saturating_sub(last))
    };
    off(square.row, grid.rows).max(off(square.column, grid.columns))
}

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
    sample_by_rows(board, tables, shape, rng)
}

/// Counts by rows, draws a number, and goes to the square that has it.
#[inline(never)]
fn sample_by_rows<S: Shape>(
    board: &LineBoard,
    tables: &LineTables,
    shape: S,
    rng: &mut Rng,
) -> Option<usize> {
    let mut counted = [0u16; MOST_ROWS];
    let mut all = 0;
    for (row, counted) in counted.iter_mut().enumerate().take(shape.rows()) {
        let count: usize = near_row(board, tables, shape, row).map(Word::count).sum();
        *counted = count as u16;
        all += count;
    }
    if all == 0 {
        return None;
    }
    let mut below = rng.below(all);
    let row = counted.iter().position(|&count| {
        let is_here = below < usize::from(count);
        below -= if is_here { 0 } else { usize::from(count) };
        is_here
    })?;
    for (n, word) in near_row(board, tables, shape, row).enumerate() {
        let count = word.count();
        if below < count {
            return Some(row * shape.columns() + n * 64 + word.select(below));
        }
        below -= count;
    }
    None
}

/// The empty squares of a row that are next to a stone, word by word.
#[inline]
fn near_row<S: Shape>(
    board: &LineBoard,
    tables: &LineTables,
    shape: S,
    row: usize,
) -> impl Iterator<Item = u64> {
    let rows = row.saturating_sub(1)..(row + 2).min(shape.rows());
    let words = tables.row_words();
    let stones = move |n: usize| {
        rows.clone().fold(0, |stones, row| stones | board.row_word(row * words + n))
    };
    let mut before = 0;
    let mut here = stones(0);
    (0..words).map(move |n| {
        let after = if n + 1 < words { stones(n + 1) } else { 0 };
        let around = here | here << 1 | here >> 1 | before >> 63 | after << 63;
        (before, here) = (here, after);
        // The last word of a row has room for one more square at least.
        let inside = u64::first(shape.columns().saturating_sub(n * 64).min(64));
        around & !board.row_word(row * words + n) & inside
    })
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
