//! [`LiveWindows`]: which windows either side can still fill, and what they make of every square.
//!
//! A window is *live* for a side if only its own stones are in it and, where more than k do not win, none
//! of them just beyond its ends: exactly then, to fill it is to win. So with every stone the windows alone
//! tell who can win where, on boards of any kind.

use game::{Side, Square, mix};

use super::board::Board;
use super::position::{Mnk, Position};
use super::shape::{DIRECTIONS, Direction, RunShape, Shape};
use super::weights::LineWeights;

/// Windows that lack more stones than this are alike.
pub(super) const MOST_MISSING: usize = 8;

/// A window or none, for one side: 0 where it is dead, else the number of missing stones; the last number
/// stands for all that lack more, and for the full window of a finished game.
type Missing = usize;
const DEAD: Missing = 0;
const MANY: Missing = MOST_MISSING + 1;

/// By side.
#[derive(Clone, Copy, Debug, Default)]
struct Window {
    stones: [u8; 2],
    /// What keeps the side from filling it: stones of the other side, holes, own stones beyond its ends.
    blockers: [u8; 2],
}

impl Window {
    /// What a side lacks of the k stones in it.
    #[inline]
    fn missing(self, k: usize, side: usize) -> Missing {
        if self.blockers[side] > 0 {
            return DEAD;
        }
        match k - usize::from(self.stones[side]) {
            0 => MANY,
            missing => missing.min(MANY),
        }
    }
}

/// The windows that a stone on some square has to do with, in one direction.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    /// The first square of the first window; those of the others follow one by one.
    first: u32,
    windows: u16,
    /// How many squares after that first one the stone is. -1 or k: just beyond the window.
    offset: i16,
}

/// What the windows through one square tell about it, by direction and side.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    /// How many windows lack 1, 2, … 8 stones, a byte each.
    missing: [[u64; 2]; 4],
    worth: [[i32; 2]; 4],
    promise: [i32; 2],
}

/// Every window of a board and what follows from them, kept up to date.
#[derive(Clone, Debug)]
pub(super) struct LiveWindows {
    shape: RunShape,
    /// By side.
    weights: [LineWeights; 2],
    steps: [usize; 4],
    /// By direction, then by the window's first square.
    windows: Vec<Window>,
    spans: Vec<[Span; 4]>,
    cells: Vec<Cell>,
    /// What is on each square; `None` where nothing can be placed any more.
    empty: Vec<bool>,
    stones: Vec<Option<Side>>,
    /// By side and number of missing stones, if that is at most `listed`.
    lists: [Vec<Vec<u32>>; 2],
    listed: usize,
    /// Where each window is in its list, by side.
    places: Vec<[u32; 2]>,
    totals: [i32; 2],
    /// The same before the first stone.
    bare_totals: [i32; 2],
    live: [usize; 2],
    key: u64,
    /// What the windows of one direction give their squares, while a stone is placed.
    gains: Vec<[u64; 2]>,
}

/// A stone that comes or goes.
#[derive(Clone, Copy)]
struct Change {
    side: Side,
    placed: bool,
    /// Whether the worth of shapes is kept up to date.
    valued: bool,
}

impl LiveWindows {
    /// No stones.
    pub(super) fn new(shape: RunShape, active: &[bool], weights: [LineWeights; 2]) -> LiveWindows {
        let grid = shape.grid();
        let squares = grid.squares();
        let listed = (2 * shape.p + 1).min(MOST_MISSING).min(shape.k);
        let mut all = LiveWindows {
            shape,
            weights,
            steps: [1, grid.columns, grid.columns + 1, grid.columns.max(2) - 1],
            windows: vec![Window::default(); 4 * squares],
            spans: grid
                .iter()
                .map(|at| DIRECTIONS.map(|direction| span(shape, at, direction)))
                .collect(),
            cells: vec![Cell::default(); squares],
            empty: active.to_vec(),
            stones: vec![None; squares],
            lists: [(); 2].map(|()| vec![Vec::with_capacity(256); listed]),
            listed,
            places: vec![[0; 2]; 4 * squares],
            totals: [0; 2],
            bare_totals: [0; 2],
            live: [0; 2],
            key: 0,
            gains: vec![[0; 2]; shape.k + 2],
        };
        for direction in 0..4 {
            for first in grid.iter().filter(|&at| window_fits(shape, at, direction)) {
                all.add_window(direction, grid.index(first), active);
            }
        }
        all.bare_totals = all.totals;
        all
    }

    /// Those of a position.
    pub(super) fn of<S: Shape, B: Board>(
        game: &Mnk<S, B>,
        p: &Position<B>,
        weights: [LineWeights; 2],
    ) -> LiveWindows {
        let mut live = LiveWindows::new(game.shape.values(), &game.active, weights);
        for square in 0..live.squares() {
            if let Some(side) = p.board.stone(&game.tables, square) {
                live.place(square, side);
            }
        }
        live
    }

    /// A window of an empty board.
    fn add_window(&mut self, direction: usize, first: usize, active: &[bool]) {
        let id = direction * self.squares() + first;
        let holes = self.squares_of(id).filter(|&square| !active[square]).count() as u8;
        self.windows[id].blockers = [holes; 2];
        if holes > 0 {
            return;
        }
        let missing = self.missing(id, 0);
        for side in 0..2 {
            self.reclassify(id, side, DEAD, missing);
        }
        for square in self.squares_of(id) {
            self.change_cell(square, direction, [count_of(missing); 2], true);
        }
    }

    /// The numbers of the game.
    #[inline]
    pub(super) fn shape(&self) -> RunShape {
        self.shape
    }

    #[inline]
    pub(super) fn weights(&self, side: Side) -> &LineWeights {
        &self.weights[side.index()]
    }

    /// How many squares the grid has.
    #[inline]
    pub(super) fn squares(&self) -> usize {
        self.cells.len()
    }

    /// A number that tells sets of stones apart.
    #[inline]
    pub(super) fn key(&self) -> u64 {
        self.key
    }

    #[inline]
    pub(super) fn is_empty(&self, square: usize) -> bool {
        self.empty[square]
    }

    /// Whose stone is on a square.
    #[inline]
    pub(super) fn stone(&self, square: usize) -> Option<Side> {
        self.stones[square]
    }

    /// Whether the next stone may go there.
    #[inline]
    pub(super) fn is_playable(&self, square: usize) -> bool {
        let shape = self.shape;
        if !self.empty[square] || !shape.gravity {
            return self.empty[square];
        }
        let mut below = square;
        while below >= shape.columns {
            below -= shape.columns;
            if self.empty[below] {
                return false;
            }
            if self.stones[below].is_some() {
                return true;
            }
        }
        true
    }

    /// Whether this side can still fill a window.
    #[inline]
    pub(super) fn any_live(&self, side: Side) -> bool {
        self.live[side.index()] > 0
    }

    /// The worth of all shapes of a side.
    #[inline]
    pub(super) fn total(&self, side: Side) -> i32 {
        self.totals[side.index()]
    }

    /// The worth of all shapes of a side as long as there is no stone.
    #[inline]
    pub(super) fn bare_total(&self, side: Side) -> i32 {
        self.bare_totals[side.index()]
    }

    /// The worth of the shapes of a side that a stone on this square would be part of.
    #[inline]
    pub(super) fn promise(&self, square: usize, side: Side) -> i32 {
        self.cells[square].promise[side.index()]
    }

    /// Shows every shape of a side: how many stones its windows lack, and how many windows these are.
    pub(super) fn each_shape(&self, side: Side, mut visit: impl FnMut(usize, usize)) {
        for (cell, _) in self.cells.iter().zip(&self.empty).filter(|(_, empty)| **empty) {
            for words in &cell.missing {
                if let Some((missing, windows)) = shape_of(words[side.index()]) {
                    visit(missing, windows);
                }
            }
        }
    }

    /// How many windows of a side through a square lack this many stones.
    #[inline]
    pub(super) fn count_at(&self, square: usize, side: Side, missing: usize) -> usize {
        let shift = 8 * (missing - 1);
        let of = |words: &[u64; 2]| (words[side.index()] >> shift & 0xff) as usize;
        self.cells[square].missing.iter().map(of).sum()
    }

    /// How many windows of a side through a square it fills with so many stones.
    #[inline]
    pub(super) fn fillable_at(&self, square: usize, side: Side, stones: usize) -> usize {
        (1..=stones).map(|missing| self.count_at(square, side, missing)).sum()
    }

    /// Whether two windows or more through a square lack this many stones, all in one direction.
    #[inline]
    pub(super) fn is_open_at(&self, square: usize, side: Side, missing: usize) -> bool {
        let shift = 8 * (missing - 1);
        self.cells[square].missing.iter().any(|words| words[side.index()] >> shift & 0xff > 1)
    }

    /// All windows of a side that lack this many stones, which must be few. Stones change the order.
    #[inline]
    pub(super) fn lacking(&self, side: Side, missing: usize) -> &[u32] {
        self.lists[side.index()].get(missing - 1).map_or(&[], Vec::as_slice)
    }

    /// All windows that a side fills with so many stones.
    #[inline]
    pub(super) fn fillable(&self, side: Side, stones: usize) -> impl Iterator<Item = usize> + '_ {
        let listed = (1..=stones).flat_map(move |missing| self.lacking(side, missing));
        listed.map(|&window| window as usize)
    }

    /// Without a division, which would take longer than all the rest.
    #[inline]
    fn direction(&self, window: usize) -> usize {
        (1..4).filter(|n| window >= n * self.squares()).count()
    }

    /// The squares of a window.
    #[inline]
    pub(super) fn squares_of(&self, window: usize) -> impl Iterator<Item = usize> + use<> {
        let direction = self.direction(window);
        let (first, step) = (window - direction * self.squares(), self.steps[direction]);
        (0..self.shape.k).map(move |n| first + n * step)
    }

    /// The empty squares of a window.
    #[inline]
    pub(super) fn gaps(&self, window: usize) -> impl Iterator<Item = usize> + '_ {
        self.squares_of(window).filter(|&square| self.empty[square])
    }

    /// Whether a side could fill a live window in one go, whatever is placed elsewhere: with gravity its
    /// gaps must be within reach, or above each other.
    pub(super) fn is_ready(&self, window: usize) -> bool {
        let shape = self.shape;
        if !shape.gravity {
            return true;
        }
        let upright = DIRECTIONS[self.direction(window)].column == 0;
        let gaps = if upright { 1 } else { shape.k };
        self.gaps(window).take(gaps).all(|square| self.is_playable(square))
    }

    /// The windows through a square, in all directions.
    pub(super) fn through(&self, square: usize) -> impl Iterator<Item = usize> + '_ {
        let k = self.shape.k as i16;
        (0..4).flat_map(move |direction| {
            let Span { first, windows, offset } = self.spans[square][direction];
            let from = direction * self.squares() + first as usize;
            (0..windows as usize)
                .filter(move |&n| (0..k).contains(&(offset - n as i16)))
                .map(move |n| from + n * self.steps[direction])
        })
    }

    /// How many stones a side lacks in a window; 0 if it cannot fill it.
    #[inline]
    pub(super) fn missing(&self, window: usize, side: usize) -> Missing {
        self.windows[window].missing(self.shape.k, side)
    }

    /// A stone is placed for good, or until [`remove`](LiveWindows::remove).
    pub(super) fn place(&mut self, square: usize, side: Side) {
        for side in 0..2 {
            self.totals[side] -= self.cells[square].promise[side];
        }
        self.put(square, Some(side));
        self.change(square, Change { side, placed: true, valued: true });
    }

    pub(super) fn remove(&mut self, square: usize, side: Side) {
        self.change(square, Change { side, placed: false, valued: true });
        self.put(square, None);
        for side in 0..2 {
            self.totals[side] += self.cells[square].promise[side];
        }
    }

    /// A stone is tried: windows are kept up to date, but not what they are worth.
    pub(super) fn try_stone(&mut self, square: usize, side: Side) {
        self.put(square, Some(side));
        self.change(square, Change { side, placed: true, valued: false });
    }

    pub(super) fn take_back(&mut self, square: usize, side: Side) {
        self.change(square, Change { side, placed: false, valued: false });
        self.put(square, None);
    }

    #[inline]
    fn put(&mut self, square: usize, stone: Option<Side>) {
        self.empty[square] = stone.is_none();
        self.stones[square] = stone;
    }

    fn change(&mut self, square: usize, change: Change) {
        self.key ^= mix(square as u64 * 2 + change.side.index() as u64);
        let k = self.shape.k;
        for direction in 0..4 {
            let Span { first, windows, offset } = self.spans[square][direction];
            let (first, windows, step) = (first as usize, windows as usize, self.steps[direction]);
            if windows == 0 {
                continue;
            }
            let from = direction * self.squares() + first;
            for n in 0..windows {
                let inside = (0..k as i16).contains(&(offset - n as i16));
                self.gains[n] = self.change_window(from + n * step, inside, change);
            }
            // What a square gains is the sum over the up to k windows through it.
            let mut gain = [0u64; 2];
            for n in 0..windows + k - 1 {
                for (side, gain) in gain.iter_mut().enumerate() {
                    let entered = if n < windows { self.gains[n][side] } else { 0 };
                    let left = if n >= k { self.gains[n - k][side] } else { 0 };
                    *gain = gain.wrapping_add(entered).wrapping_sub(left);
                }
                if gain != [0; 2] {
                    self.change_cell(first + n * step, direction, gain, change.valued);
                }
            }
        }
    }

    /// A stone comes or goes, inside a window or just beyond its end. What each of its squares gains.
    #[inline]
    fn change_window(&mut self, id: usize, inside: bool, change: Change) -> [u64; 2] {
        // Read and written as a whole: a word that was just written in parts takes long to read.
        let before = self.windows[id];
        let mut now = before;
        let (mine, other) = (change.side.index(), change.side.other().index());
        let count = |number: &mut u8| {
            *number = if change.placed { *number + 1 } else { *number - 1 };
        };
        if inside {
            count(&mut now.stones[mine]);
            count(&mut now.blockers[other]);
        } else {
            count(&mut now.blockers[mine]);
        }
        self.windows[id] = now;
        let mut gains = [0; 2];
        for (side, gain) in gains.iter_mut().enumerate() {
            let [before, now] = [before, now].map(|window| window.missing(self.shape.k, side));
            if now != before {
                *gain = count_of(now).wrapping_sub(count_of(before));
                self.reclassify(id, side, before, now);
            }
        }
        gains
    }

    /// A window lacks another number of stones than before.
    #[inline]
    fn reclassify(&mut self, id: usize, side: usize, before: Missing, now: Missing) {
        if before == DEAD {
            self.live[side] += 1;
        } else if now == DEAD {
            self.live[side] -= 1;
        }
        if (1..=self.listed).contains(&before) {
            let (list, place) = (&mut self.lists[side][before - 1], self.places[id][side]);
            list.swap_remove(place as usize);
            if let Some(&moved) = list.get(place as usize) {
                self.places[moved as usize][side] = place;
            }
        }
        if (1..=self.listed).contains(&now) {
            let list = &mut self.lists[side][now - 1];
            self.places[id][side] = list.len() as u32;
            list.push(id as u32);
        }
    }

    /// The windows through a square in one direction have changed.
    #[inline]
    fn change_cell(&mut self, square: usize, direction: usize, gain: [u64; 2], valued: bool) {
        let (cell, empty) = (&mut self.cells[square], self.empty[square]);
        for (side, gain) in gain.into_iter().enumerate() {
            let word = cell.missing[direction][side].wrapping_add(gain);
            cell.missing[direction][side] = word;
            if !valued || gain == 0 {
                continue;
            }
            let worth = shape_of(word)
                .map_or(0, |(missing, windows)| self.weights[side].shape(missing, windows));
            let more = worth - cell.worth[direction][side];
            cell.worth[direction][side] = worth;
            cell.promise[side] += more;
            if empty {
                self.totals[side] += more;
            }
        }
    }
}

impl Default for LiveWindows {
    /// Those of the smallest board, until a search begins.
    fn default() -> LiveWindows {
        let shape =
            RunShape { rows: 1, columns: 1, k: 1, p: 1, q: 1, exact: false, gravity: false };
        LiveWindows::new(shape, &[true], [LineWeights::DEFAULT; 2])
    }
}

/// One window that lacks so many stones, as the squares in it count them.
#[inline]
fn count_of(missing: Missing) -> u64 {
    match missing {
        1..=MOST_MISSING => 1 << (8 * (missing - 1)),
        _ => 0,
    }
}

/// The shape that a cell's word of missing stones tells of: the fewest stones that any window lacks, and how many windows lack
/// no more.
#[inline]
fn shape_of(word: u64) -> Option<(usize, usize)> {
    let missing = word.trailing_zeros() as usize / 8;
    (word != 0).then(|| (missing + 1, (word >> (8 * missing) & 0xff) as usize))
}

/// Whether a window that begins at this square is on the board.
fn window_fits(shape: RunShape, first: Square, direction: usize) -> bool {
    DIRECTIONS[direction].step(shape.grid(), first, shape.k as isize - 1).is_some()
}

/// The windows through a square and, where longer runs do not win, those that it is just beyond.
fn span(shape: RunShape, at: Square, direction: Direction) -> Span {
    let (k, beyond) = (shape.k as isize, isize::from(shape.exact));
    let (row, column) = (at.row as isize, at.column as isize);
    let (rows_after, columns_after) =
        (shape.rows as isize - 1 - row, shape.columns as isize - 1 - column);
    let (before, after) = match (direction.row, direction.column) {
        (0, _) => (column, columns_after),
        (_, 0) => (row, rows_after),
        (_, 1) => (row.min(column), rows_after.min(columns_after)),
        _ => (row.min(columns_after), rows_after.min(column)),
    };
    // The first squares of these windows, in steps from the square.
    let (lowest, highest) = ((-before).max(1 - k - beyond), (after + 1 - k).min(beyond));
    if lowest > highest {
        return Span::default();
    }
    let first =
        direction.step(shape.grid(), at, lowest).map_or(0, |first| shape.grid().index(first));
    Span { first: first as u32, windows: (highest - lowest + 1) as u16, offset: -lowest as i16 }
}
