//! [`LineBoard`]: any number of squares, on the heap, changed in place.

use game::{Grid, Rng, Side, Square, mix};

use super::board::Board;
use super::near::sample_near;
use super::runs::has_winning_run;
use super::shape::{RunShape, Shape};
use super::word::Word;

/// A board that keeps every stone four times: in its row, column, diagonal and antidiagonal, so that
/// in each of them a run is a run of neighbouring bits. The picture is in the [module's](super) docs.
///
/// Every line has words of its own and leaves their top bit free, so runs never cross lines.
#[derive(Debug, PartialEq, Eq)]
pub struct LineBoard {
    /// For each colour the words of all rows, columns, diagonals and antidiagonals.
    words: [Box<[u64]>; 2],
    /// One bit for each square by its number: whether there is a stone or a hole. Bits beyond the
    /// last square are set.
    taken: Box<[u64]>,
    /// Zobrist's hash of the stones.
    key: u64,
}

/// What a [`LineBoard`] works with.
#[derive(Clone, Debug)]
pub struct LineTables {
    grid: Grid,
    /// 2^40 / columns, rounded up: `square * this >> 40` is the row of any square below 62,500.
    columns_inverse: u64,
    /// A row has 2^this words.
    row_shift: u32,
    /// A column has 2^this words, and so has a diagonal of either kind.
    column_shift: u32,
    /// The words at which columns, diagonals and antidiagonals begin, after the rows.
    columns_at: usize,
    diagonals_at: usize,
    antidiagonals_at: usize,
    /// How many there are for one colour.
    words: usize,
    /// [`LineBoard::taken`] without stones.
    holes: Box<[u64]>,
    column_holes: Box<[u64]>,
    has_holes: bool,
}

/// The bit of a stone in one of its lines.
#[derive(Clone, Copy)]
struct Spot {
    word: usize,
    bit: usize,
}

impl LineTables {
    fn new(grid: Grid, active: &[bool]) -> LineTables {
        let Grid { rows, columns } = grid;
        let shift =
            |squares: usize| (squares + 1).div_ceil(64).next_power_of_two().trailing_zeros();
        let (row_shift, column_shift) = (shift(columns), shift(rows));
        let columns_at = rows << row_shift;
        let diagonals_at = columns_at + (columns << column_shift);
        let diagonals = (rows + columns - 1) << column_shift;
        let mut tables = LineTables {
            grid,
            columns_inverse: (1u64 << 40).div_ceil(columns as u64),
            row_shift,
            column_shift,
            columns_at,
            diagonals_at,
            antidiagonals_at: diagonals_at + diagonals,
            words: diagonals_at + 2 * diagonals,
            holes: vec![u64::MAX; grid.squares().div_ceil(64)].into(),
            column_holes: vec![0; diagonals_at - columns_at].into(),
            has_holes: active.contains(&false),
        };
        for (square, &active) in active.iter().enumerate() {
            let in_column = tables.spots(square)[1];
            if active {
                tables.holes[square / 64] ^= 1 << (square % 64);
            } else {
                tables.column_holes[in_column.word - columns_at] |= 1 << in_column.bit;
            }
        }
        tables
    }

    #[inline]
    pub(super) fn row_words(&self) -> usize {
        1 << self.row_shift
    }

    pub(super) fn has_holes(&self) -> bool {
        self.has_holes
    }

    /// The four bits of a square.
    fn spots(&self, square: usize) -> [Spot; 4] {
        let Square { row, column } = self.place(square);
        let spot = |from: usize, line: usize| Spot {
            word: from + (line << self.column_shift) + row / 64,
            bit: row % 64,
        };
        [
            self.spot_in_row(square),
            spot(self.columns_at, column),
            spot(self.diagonals_at, column + self.grid.rows - 1 - row),
            spot(self.antidiagonals_at, column + row),
        ]
    }

    /// The same where all lines have one word only.
    #[inline(always)]
    fn short_spots<S: Shape>(&self, shape: S, square: usize) -> [Spot; 4] {
        let Square { row, column } = self.place(square);
        let (rows, lines) = (shape.rows(), shape.rows() + shape.columns());
        let spot = |word: usize| Spot { word, bit: row };
        [
            Spot { word: row, bit: column },
            spot(column + rows),
            spot(column + (lines + rows - 1) - row),
            spot(column + row + (lines + lines - 1)),
        ]
    }

    /// The bit of a square in its row.
    #[inline]
    fn spot_in_row(&self, square: usize) -> Spot {
        let Square { row, column } = self.place(square);
        Spot { word: (row << self.row_shift) + column / 64, bit: column % 64 }
    }

    /// Row and column of a square, without a division.
    #[inline]
    fn place(&self, square: usize) -> Square {
        let row = ((square as u64 * self.columns_inverse) >> 40) as usize;
        Square { row, column: square - row * self.grid.columns }
    }
}

impl LineBoard {
    /// The stones in a word of the rows.
    #[inline]
    pub(super) fn row_word(&self, word: usize) -> u64 {
        self.words[0][word] | self.words[1][word]
    }

    #[inline]
    fn is_empty(&self, square: usize) -> bool {
        self.taken[square / 64] >> (square % 64) & 1 == 0
    }

    /// Where a stone in this column comes to rest, if it is not full.
    fn lowest_empty(&self, tables: &LineTables, column: usize) -> Option<usize> {
        let from = column << tables.column_shift;
        let mut row = 0;
        for hole_word in from..from + (1 << tables.column_shift) {
            let word = tables.columns_at + hole_word;
            let taken = self.words[0][word] | self.words[1][word] | tables.column_holes[hole_word];
            row += taken.trailing_ones() as usize;
            if taken != u64::MAX {
                break;
            }
        }
        (row < tables.grid.rows).then(|| row * tables.grid.columns + column)
    }

    #[inline]
    fn flip(&mut self, spots: [Spot; 4], side: Side) {
        let words = &mut self.words[side.index()];
        for Spot { word, bit } in spots {
            words[word] ^= 1 << bit;
        }
    }

    /// Counts squares up to a random number; for boards that are nearly full.
    #[cold]
    fn sample_one_by_one<S: Shape>(
        &self,
        tables: &LineTables,
        shape: S,
        free: usize,
        rng: &mut Rng,
    ) -> Option<usize> {
        let count = self.count_playable(tables, shape, free);
        if count == 0 {
            return None;
        }
        let (mut left, mut found) = (rng.below(count), None);
        self.for_each_playable(tables, shape, |square| {
            if left == 0 && found.is_none() {
                found = Some(square);
            }
            left = left.wrapping_sub(1);
        });
        found
    }

    #[inline(never)]
    fn place_long<S: Shape>(
        &mut self,
        tables: &LineTables,
        shape: S,
        square: usize,
        side: Side,
    ) -> bool {
        let spots = tables.spots(square);
        self.flip(spots, side);
        if shape.k() > MOST_SEEN {
            return spots
                .into_iter()
                .fold(false, |won, spot| won | shape.run_wins(self.long_run(spot, side)));
        }
        let words = &self.words[side.index()];
        let around = spots.map(|spot| surroundings(words, spot, shape.k()));
        has_winning_run(shape, around, [1; 4])
    }

    /// The number of stones in a row through a stone, going on beyond its word.
    fn long_run(&self, Spot { word, bit }: Spot, side: Side) -> usize {
        let words = &self.words[side.index()];
        let mut up = (words[word] >> bit).trailing_ones() as usize;
        let mut down = (words[word] << (63 - bit)).leading_ones() as usize;
        if bit + up == 64 {
            for word in &words[word + 1..] {
                up += word.trailing_ones() as usize;
                if *word != u64::MAX {
                    break;
                }
            }
        }
        if down == bit + 1 {
            for word in words[..word].iter().rev() {
                down += word.leading_ones() as usize;
                if *word != u64::MAX {
                    break;
                }
            }
        }
        up + down - 1
    }
}

/// With more in a row to win a word does not hold all that matters around a stone.
const MOST_SEEN: usize = 31;

/// The bits around a stone that a run of k through it may have, and one more on either side. Those of the line before or after it
/// may be among them, but there is a 0 in between.
#[inline(always)]
fn surroundings(words: &[u64], Spot { word, bit }: Spot, k: usize) -> u64 {
    // Two words from the one on in which they begin; which that is cannot be guessed, so there is no branch.
    let first = word.wrapping_sub(usize::from(bit < k));
    let shift = bit.wrapping_sub(k) % 64;
    let at = |word: usize| words.get(word).copied().unwrap_or(0);
    let all = at(first) >> shift | at(first.wrapping_add(1)) << 1 << (63 - shift);
    // Bit k is the stone.
    all & u64::MAX >> (63 - 2 * k)
}

/// Whether all lines have one word only.
#[inline]
fn is_short<S: Shape>(shape: S) -> bool {
    shape.rows().max(shape.columns()) < 64
}

impl Clone for LineBoard {
    fn clone(&self) -> LineBoard {
        LineBoard { words: self.words.clone(), taken: self.taken.clone(), key: self.key }
    }

    fn clone_from(&mut self, source: &LineBoard) {
        self.words.clone_from(&source.words);
        self.taken.clone_from(&source.taken);
        self.key = source.key;
    }
}

impl Board for LineBoard {
    type Tables = LineTables;

    /// On boards this large mirror images are hardly ever met again, and finding them costs more than
    /// it brings.
    const CANONICAL: bool = false;
    /// The key before.
    type Undo = u64;

    fn tables(shape: RunShape, active: &[bool]) -> LineTables {
        LineTables::new(shape.grid(), active)
    }

    fn heap_bytes(&self) -> usize {
        size_of_val(&*self.words[0]) + size_of_val(&*self.words[1]) + size_of_val(&*self.taken)
    }

    fn empty(tables: &LineTables) -> LineBoard {
        LineBoard {
            words: [(); 2].map(|()| vec![0; tables.words].into()),
            taken: tables.holes.clone(),
            key: 0,
        }
    }

    #[inline]
    fn stone(&self, tables: &LineTables, square: usize) -> Option<Side> {
        let Spot { word, bit } = tables.spot_in_row(square);
        [Side::First, Side::Second]
            .into_iter()
            .find(|side| self.words[side.index()][word] >> bit & 1 != 0)
    }

    #[inline(always)]
    fn place<S: Shape>(
        &mut self,
        tables: &LineTables,
        shape: S,
        square: usize,
        side: Side,
    ) -> (u64, bool) {
        let undo = self.key;
        self.key ^= mix(square as u64 * 2 + side.index() as u64);
        self.taken[square / 64] |= 1 << (square % 64);
        if !is_short(shape) {
            return (undo, self.place_long(tables, shape, square, side));
        }
        let words = &mut self.words[side.index()];
        let lines = tables.short_spots(shape, square).map(|Spot { word, bit }| {
            words[word] |= 1 << bit;
            words[word]
        });
        (undo, has_winning_run(shape, lines, [1; 4]))
    }

    #[inline(always)]
    fn remove<S: Shape>(
        &mut self,
        tables: &LineTables,
        shape: S,
        square: usize,
        side: Side,
        undo: u64,
    ) {
        let spots =
            if is_short(shape) { tables.short_spots(shape, square) } else { tables.spots(square) };
        self.flip(spots, side);
        self.taken[square / 64] ^= 1 << (square % 64);
        self.key = undo;
    }

    fn would_win<S: Shape>(
        &self,
        tables: &LineTables,
        shape: S,
        square: usize,
        side: Side,
    ) -> bool {
        let words = &self.words[side.index()];
        let stone = |at: usize| words[at / 64] >> (at % 64) & 1 != 0;
        tables.spots(square).into_iter().any(|Spot { word, bit }| {
            let here = word * 64 + bit;
            let up = (here + 1..).take_while(|&at| stone(at)).count();
            let down = (0..here).rev().take_while(|&at| stone(at)).count();
            shape.run_wins(up + down + 1)
        })
    }

    #[inline]
    fn key(&self) -> u64 {
        mix(self.key)
    }

    #[inline]
    fn for_each_playable<S: Shape>(
        &self,
        tables: &LineTables,
        shape: S,
        mut visit: impl FnMut(usize),
    ) {
        if shape.gravity() {
            for column in 0..tables.grid.columns {
                if let Some(square) = self.lowest_empty(tables, column) {
                    visit(square);
                }
            }
            return;
        }
        for (n, taken) in self.taken.iter().enumerate() {
            (!taken).for_each(|bit| visit(n * 64 + bit));
        }
    }

    #[inline]
    fn count_playable<S: Shape>(&self, tables: &LineTables, shape: S, free: usize) -> usize {
        if !shape.gravity() {
            return free;
        }
        let mut count = 0;
        self.for_each_playable(tables, shape, |_| count += 1);
        count
    }

    #[inline]
    fn sample_playable<S: Shape>(
        &self,
        tables: &LineTables,
        shape: S,
        free: usize,
        rng: &mut Rng,
    ) -> Option<usize> {
        // A guess that is refused leaves the chances of the others equal, whenever we give up. Two
        // guesses at once, from the halves of one random number, mean fewer surprises for the
        // processor; a half favours no square by more than squares / 2^32.
        const GUESSES: usize = 8;
        for _ in 0..GUESSES {
            if shape.gravity() {
                let column = rng.below(shape.columns());
                if let Some(square) = self.lowest_empty(tables, column) {
                    return Some(square);
                }
            } else {
                let (random, squares) = (rng.next_u64(), shape.grid().squares() as u64);
                let one = (((random >> 32) * squares) >> 32) as usize;
                let other = (((random & 0xffff_ffff) * squares) >> 32) as usize;
                let (one_is_empty, other_is_empty) = (self.is_empty(one), self.is_empty(other));
                if one_is_empty | other_is_empty {
                    return Some(if one_is_empty { one } else { other });
                }
            }
        }
        self.sample_one_by_one(tables, shape, free, rng)
    }

    #[inline]
    fn sample_near<S: Shape>(
        &self,
        tables: &LineTables,
        shape: S,
        free: usize,
        rng: &mut Rng,
    ) -> Option<usize> {
        sample_near(self, tables, shape, free, rng)
    }

    fn image(&self, tables: &LineTables, symmetry: usize) -> LineBoard {
        let grid = tables.grid;
        let mut image = LineBoard::empty(tables);
        for square in grid.iter() {
            if let Some(side) = self.stone(tables, grid.index(square)) {
                let to = grid.index(grid.transform(square, symmetry));
                image.flip(tables.spots(to), side);
                image.taken[to / 64] |= 1 << (to % 64);
                image.key ^= mix(to as u64 * 2 + side.index() as u64);
            }
        }
        image
    }

    fn canonical(&self, tables: &LineTables, kept: u8) -> (u64, usize) {
        (0..8)
            .filter(|symmetry| kept >> symmetry & 1 != 0)
            .map(|symmetry| (self.image(tables, symmetry).key(), symmetry))
            .min()
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is seen around a stone is what walking along its lines finds, over the borders of words and lines, too.
    #[test]
    fn long_lines_are_seen_whole() {
        let mut rng = Rng::new(3);
        for (rows, columns) in [(3, 250), (250, 3), (70, 130), (64, 64), (1, 128)] {
            for (k, exact) in
                [(2, false), (2, true), (5, true), (30, true), (31, true), (32, true), (31, false)]
            {
                let shape = RunShape { rows, columns, k, p: 1, q: 1, exact, gravity: false };
                let tables = LineTables::new(shape.grid(), &vec![true; rows * columns]);
                let mut board = LineBoard::empty(&tables);
                let (mut squares, mut wins) = ((0..rows * columns).collect::<Vec<_>>(), 0);
                // Rows and columns in order make long runs, with gaps that are filled at last.
                let gap = |square: &usize| (square * 7 + square / columns).is_multiple_of(k + 3);
                rng.shuffle(&mut squares);
                squares.sort_by_key(gap);
                for square in squares {
                    let expected = board.would_win(&tables, shape, square, Side::First);
                    let (_, won) = board.place(&tables, shape, square, Side::First);
                    // Runs that were there before count no more than the stone's own.
                    if exact || wins == 0 {
                        assert_eq!(won, expected, "{rows}x{columns} k={k} {exact} {square}");
                    }
                    wins += usize::from(won);
                }
                assert!(wins > 0 || k > 2, "{rows}x{columns} k={k}");
            }
        }
    }
}
