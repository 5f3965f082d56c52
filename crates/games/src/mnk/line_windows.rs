//! [`LineWindows`]: how many stones are in every window of a board of any size, kept up to date.

use game::{Grid, Side};

use super::shape::{DIRECTIONS, RunShape, Shape};
use super::windows::{window_promise, window_score};

/// Stones in every window of k squares, and what follows from them for the whole board and for each
/// square.
#[derive(Clone, Debug, Default)]
pub struct LineWindows {
    k: usize,
    rows: usize,
    columns: usize,
    /// By direction, then by the window's first square: stones of both sides. A window with a hole
    /// has one more of each, so it counts as dead.
    counts: Vec<[u8; 2]>,
    /// For each square and side, the promise of all windows through it that are open to the side.
    promise: Vec<[i32; 2]>,
    /// What a window with so many stones of one side only is worth, and what it promises.
    scores: Vec<i32>,
    promises: Vec<i32>,
    /// The first player's windows less the second player's.
    score: i32,
    /// For each side, the windows without a stone of the other.
    open: [usize; 2],
}

/// What a window promises that lacks one stone: more than the up to 1,000 other windows through a
/// square together.
const COMPLETES: i32 = 1 << 20;
/// What a window promises that lacks no more stones than a turn has.
const REACHES: i32 = 1 << 10;

/// What a stone that comes or goes does to one window.
#[derive(Clone, Copy)]
struct Change {
    side: Side,
    placed: bool,
}

impl LineWindows {
    /// No stones.
    pub(super) fn new(shape: RunShape, active: &[bool]) -> LineWindows {
        let grid = shape.grid();
        let promises = (0..=shape.k())
            .map(|stones| match shape.k() - stones {
                0 => 0,
                1 => COMPLETES,
                missing if missing <= shape.p() => REACHES,
                _ => window_promise(stones),
            })
            .collect();
        let mut windows = LineWindows {
            k: shape.k(),
            rows: shape.rows(),
            columns: shape.columns(),
            counts: vec![[0; 2]; 4 * grid.squares()],
            promise: vec![[0; 2]; grid.squares()],
            scores: (0..=shape.k()).map(window_score).collect(),
            promises,
            score: 0,
            open: [0; 2],
        };
        for square in 0..grid.squares() {
            let through: usize =
                (0..4).map(|direction| windows.windows_through(square, direction).1).sum();
            windows.open[0] += through;
            windows.promise[square] = [through as i32 * windows.promises[0]; 2];
        }
        // Each window was met once for every square in it.
        windows.open = [windows.open[0] / shape.k; 2];
        for square in (0..grid.squares()).filter(|&square| !active[square]) {
            windows.place(square, Side::First);
            windows.place(square, Side::Second);
        }
        windows.score = 0;
        windows
    }

    /// The first player's score.
    #[inline]
    pub(super) fn score(&self) -> i32 {
        self.score
    }

    /// Whether this side can still fill a window.
    #[inline]
    pub(super) fn are_open(&self, side: Side) -> bool {
        self.open[side.index()] > 0
    }

    /// What windows that are open to a side promise to a stone on an empty square.
    #[inline]
    pub(super) fn promise(&self, square: usize, side: Side) -> i32 {
        self.promise[square][side.index()]
    }

    /// Whether a window lacks only this square, which is empty.
    #[inline]
    pub(super) fn completes(&self, square: usize, side: Side) -> bool {
        self.promise[square][side.index()] >= COMPLETES
    }

    pub(super) fn place(&mut self, square: usize, side: Side) {
        self.change(square, Change { side, placed: true });
    }

    pub(super) fn remove(&mut self, square: usize, side: Side) {
        self.change(square, Change { side, placed: false });
    }

    fn change(&mut self, square: usize, change: Change) {
        for (direction, step) in
            [1, self.columns, self.columns + 1, self.columns - 1].into_iter().enumerate()
        {
            let (from, number) = self.windows_through(square, direction);
            for n in 0..number {
                self.change_window(direction, from + n * step, step, change);
            }
        }
    }

    #[inline]
    fn change_window(&mut self, direction: usize, from: usize, step: usize, change: Change) {
        let Change { side, placed } = change;
        let counts = &mut self.counts[direction * self.rows * self.columns + from];
        let theirs = usize::from(counts[side.other().index()]);
        let mine = &mut counts[side.index()];
        // Without the stone, and with it.
        let fewer = usize::from(*mine) - usize::from(!placed);
        let more = fewer + 1;
        *mine = if placed { more } else { fewer } as u8;
        let sign = if placed { 1 } else { -1 };
        let mut gain = [0; 2];
        if theirs == 0 {
            gain[side.index()] = sign * (self.promises[more] - self.promises[fewer]);
            self.score += sign * side.sign() * (self.scores[more] - self.scores[fewer]);
        }
        if fewer == 0 {
            let open = &mut self.open[side.other().index()];
            *open = if placed { *open - 1 } else { *open + 1 };
            gain[side.other().index()] = -sign * self.promises[theirs];
            self.score += sign * side.sign() * self.scores[theirs];
        }
        if gain != [0; 2] {
            for n in 0..self.k {
                let promise = &mut self.promise[from + n * step];
                promise[0] += gain[0];
                promise[1] += gain[1];
            }
        }
    }

    /// The first square of the first window through a square, and how many windows there are; their
    /// first squares follow each other in the direction.
    #[inline]
    fn windows_through(&self, square: usize, direction: usize) -> (usize, usize) {
        let grid = Grid { rows: self.rows, columns: self.columns };
        let game::Square { row, column } = grid.square(square);
        let (rows_after, columns_after) = (self.rows - 1 - row, self.columns - 1 - column);
        let (before, after) = match DIRECTIONS[direction] {
            d if d.row == 0 => (column, columns_after),
            d if d.column == 0 => (row, rows_after),
            d if d.column > 0 => (row.min(column), rows_after.min(columns_after)),
            _ => (row.min(columns_after), rows_after.min(column)),
        };
        let back = before.min(self.k - 1);
        let number = (back + after + 1).saturating_sub(self.k - 1).min(back + 1);
        let step = [1, self.columns, self.columns + 1, self.columns - 1][direction];
        (square - back * step, number)
    }
}
