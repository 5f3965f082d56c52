//! [`WordBoard`]: one word per colour.

use game::{Grid, PositionName, Rng, Side};

use super::board::Board;
use super::runs::has_winning_run;
use super::shape::{DIRECTIONS, RunShape, Shape};
use super::symmetry::WordSymmetry;
use super::word::Word;

/// A board of as many squares as the word has bits, at most; bit `row * columns + column` is a
/// square. The picture is in the [module's](super) docs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordBoard<W> {
    stones: [W; 2],
}

/// What a [`WordBoard`] works with.
#[derive(Clone, Debug)]
pub struct WordTables<W> {
    active: W,
    /// For each square the four lines through it; none where a line is shorter than k.
    lines: Box<[[W; 4]]>,
    /// For words of 16 bits: one bit for every set of stones, whether it wins.
    wins: Box<[u64]>,
    /// For up to ten squares: the squares of every set, four bits each, the lowest first.
    lists: Box<[u64]>,
    /// Every k squares in a row without a hole.
    windows: Box<[W]>,
    has_holes: bool,
    /// The squares of the first column.
    first_column: W,
    symmetry: WordSymmetry<W>,
}

impl<W: Word> WordTables<W> {
    /// Every k squares in a row without a hole.
    pub(super) fn windows(&self) -> &[W] {
        &self.windows
    }

    /// Squares to play on.
    #[inline]
    pub(super) fn active(&self) -> W {
        self.active
    }

    #[inline]
    pub(super) fn has_holes(&self) -> bool {
        self.has_holes
    }

    /// The squares of the first column.
    #[inline]
    pub(super) fn first_column(&self) -> W {
        self.first_column
    }

    /// The smallest image of two sets under the symmetries that are kept, and which one it is.
    #[inline]
    pub(super) fn smallest_image(&self, words: [W; 2], kept: u8) -> ([W; 2], usize) {
        self.symmetry.canonical(words, kept)
    }
}

impl<W: Word> WordBoard<W> {
    /// The stones of one side.
    #[inline]
    pub(super) fn of(&self, side: Side) -> W {
        self.stones[side.index()]
    }

    /// Squares with a stone, and those next to one.
    #[inline]
    fn around<S: Shape>(&self, tables: &WordTables<W>, shape: S) -> W {
        let (stones, columns) = (self.stones[0] | self.stones[1], shape.columns());
        let (first, last) = (tables.first_column, tables.first_column.shift_up(columns - 1));
        let wide = stones | (stones & !last).shift_up(1) | (stones & !first).shift_down(1);
        wide | wide.shift_up(columns) | wide.shift_down(columns)
    }

    /// Squares where a stone may be placed.
    #[inline]
    pub(super) fn playable<S: Shape>(&self, tables: &WordTables<W>, shape: S) -> W {
        let stones = self.stones[0] | self.stones[1];
        let empty = tables.active & !stones;
        if !shape.gravity() {
            return empty;
        }
        let columns = shape.columns();
        if !tables.has_holes {
            return empty & (stones.shift_up(columns) | W::first(columns));
        }
        // Above an empty square nothing can be placed: smear empty squares upwards.
        let (mut above, mut reach) = (empty.shift_up(columns), columns);
        while reach < W::BITS {
            above |= above.shift_up(reach);
            reach *= 2;
        }
        empty & !above
    }
}

impl<W: Word> Board for WordBoard<W> {
    type Tables = WordTables<W>;
    type Undo = ();

    const CANONICAL: bool = true;

    fn tables(shape: RunShape, active: &[bool]) -> WordTables<W> {
        let grid = shape.grid();
        assert!(grid.squares() <= W::BITS, "{grid:?} does not fit a word of {} bits", W::BITS);
        let active_word = (0..grid.squares())
            .filter(|&square| active[square])
            .fold(W::NONE, |word, square| word | W::square(square));
        let lines: Box<[[W; 4]]> =
            (0..grid.squares()).map(|square| lines_through(grid, square, shape.k())).collect();
        WordTables {
            active: active_word,
            wins: win_table(shape, &lines),
            lines,
            lists: square_lists(grid),
            windows: windows(shape, active_word),
            has_holes: active.contains(&false),
            first_column: (0..grid.squares())
                .step_by(grid.columns)
                .fold(W::NONE, |word, square| word | W::square(square)),
            symmetry: WordSymmetry::new(grid),
        }
    }

    fn empty(_: &WordTables<W>) -> WordBoard<W> {
        WordBoard { stones: [W::NONE; 2] }
    }

    #[inline]
    fn stone(&self, _: &WordTables<W>, square: usize) -> Option<Side> {
        let has = |side: &Side| self.of(*side) & W::square(square) != W::NONE;
        [Side::First, Side::Second].into_iter().find(has)
    }

    #[inline]
    fn place<S: Shape>(
        &mut self,
        tables: &WordTables<W>,
        shape: S,
        square: usize,
        side: Side,
    ) -> ((), bool) {
        let stones = &mut self.stones[side.index()];
        *stones |= W::square(square);
        ((), wins(tables, shape, *stones, square))
    }

    #[inline]
    fn remove<S: Shape>(&mut self, _: &WordTables<W>, _: S, square: usize, side: Side, (): ()) {
        self.stones[side.index()] ^= W::square(square);
    }

    #[inline]
    fn would_win<S: Shape>(
        &self,
        tables: &WordTables<W>,
        shape: S,
        square: usize,
        side: Side,
    ) -> bool {
        wins(tables, shape, self.of(side) | W::square(square), square)
    }

    #[inline]
    fn key(&self) -> u64 {
        W::key(self.stones[0], self.stones[1])
    }

    #[inline]
    fn for_each_playable<S: Shape>(
        &self,
        tables: &WordTables<W>,
        shape: S,
        visit: impl FnMut(usize),
    ) {
        self.playable(tables, shape).for_each(visit);
    }

    #[inline]
    fn count_playable<S: Shape>(&self, tables: &WordTables<W>, shape: S, free: usize) -> usize {
        if shape.gravity() { self.playable(tables, shape).count() } else { free }
    }

    #[inline]
    fn sample_playable<S: Shape>(
        &self,
        tables: &WordTables<W>,
        shape: S,
        free: usize,
        rng: &mut Rng,
    ) -> Option<usize> {
        let playable = self.playable(tables, shape);
        let count = if shape.gravity() { playable.count() } else { free };
        if count == 0 {
            return None;
        }
        let below = rng.below(count);
        if W::BITS == 16
            && let Some(list) = tables.lists.get(playable.low() as usize)
        {
            return Some((list >> (4 * below) & 15) as usize);
        }
        Some(playable.select(below))
    }

    #[inline]
    fn sample_near<S: Shape>(
        &self,
        tables: &WordTables<W>,
        shape: S,
        _: usize,
        rng: &mut Rng,
    ) -> Option<usize> {
        let near = self.around(tables, shape) & self.playable(tables, shape);
        let count = near.count();
        (count > 0).then(|| near.select(rng.below(count)))
    }

    fn image(&self, tables: &WordTables<W>, symmetry: usize) -> WordBoard<W> {
        WordBoard { stones: self.stones.map(|word| tables.symmetry.image(word, symmetry)) }
    }

    #[inline]
    fn canonical(&self, tables: &WordTables<W>, kept: u8) -> (u64, usize) {
        let (stones, symmetry) = tables.symmetry.canonical(self.stones, kept);
        (W::key(stones[0], stones[1]), symmetry)
    }

    #[inline]
    fn name(&self, tables: &WordTables<W>, kept: u8) -> PositionName {
        let ([first, second], symmetry) = tables.symmetry.canonical(self.stones, kept);
        PositionName { key: W::key(first, second), check: W::check(first, second), symmetry }
    }
}

/// Whether the stone placed on a square wins.
#[inline]
fn wins<W: Word, S: Shape>(tables: &WordTables<W>, shape: S, stones: W, square: usize) -> bool {
    if W::BITS == 16 {
        let stones = stones.low() as usize;
        return tables.wins[stones / 64] >> (stones % 64) & 1 != 0;
    }
    let lines = tables.lines[square].map(|line| line & stones);
    has_winning_run(shape, lines, strides(shape.columns()))
}

/// From a square to the next in each of the [`DIRECTIONS`]. A board of one column has no
/// antidiagonals of two squares, and a stride of 0 would be its own neighbour.
#[inline]
fn strides(columns: usize) -> [usize; 4] {
    [1, columns, columns + 1, (columns - 1).max(1)]
}

fn lines_through<W: Word>(grid: Grid, square: usize, k: usize) -> [W; 4] {
    DIRECTIONS.map(|direction| {
        let line: Vec<usize> =
            direction.line(grid, grid.square(square)).map(|s| grid.index(s)).collect();
        if line.len() < k {
            return W::NONE;
        }
        line.iter().fold(W::NONE, |word, &square| word | W::square(square))
    })
}

/// One bit for each set of stones; empty where the sets are too many.
fn win_table<W: Word>(shape: RunShape, lines: &[[W; 4]]) -> Box<[u64]> {
    if W::BITS > 16 {
        return Box::default();
    }
    let mut different: Vec<[W; 4]> = Vec::new();
    for direction in 0..4 {
        let mut of_direction: Vec<W> = lines.iter().map(|of| of[direction]).collect();
        of_direction.sort_unstable();
        of_direction.dedup();
        different.extend(of_direction.into_iter().map(|line| {
            let mut alone = [W::NONE; 4];
            alone[direction] = line;
            alone
        }));
    }
    let sets = 1usize << shape.grid().squares();
    let mut table = vec![0; sets.div_ceil(64)];
    for set in 0..sets {
        let stones = W::from_low(set as u64);
        let wins = different.iter().any(|lines| {
            let lines = lines.map(|line| line & stones);
            has_winning_run(shape, lines, strides(shape.columns()))
        });
        table[set / 64] |= u64::from(wins) << (set % 64);
    }
    table.into()
}

fn windows<W: Word>(shape: RunShape, active: W) -> Box<[W]> {
    let grid = shape.grid();
    let mut windows = Vec::new();
    for direction in DIRECTIONS {
        for from in grid.iter() {
            let window = (0..shape.k() as isize).try_fold(W::NONE, |word, n| {
                let square = direction.step(grid, from, n)?;
                Some(word | W::square(grid.index(square)))
            });
            windows.extend(window.filter(|&window| window & !active == W::NONE));
        }
    }
    windows.into()
}

/// The table of [`WordTables::lists`].
fn square_lists(grid: Grid) -> Box<[u64]> {
    if grid.squares() > 10 {
        return Box::default();
    }
    (0..1u64 << grid.squares())
        .map(|set| {
            let (mut list, mut n) = (0, 0);
            set.for_each(|square| {
                list |= (square as u64) << (4 * n);
                n += 1;
            });
            list
        })
        .collect()
}
