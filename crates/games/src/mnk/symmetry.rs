//! Symmetries of the board, and how words are turned round without a loop over squares.

use game::{Game, Grid, PositionName, Square};

use super::board::Board;
use super::position::{Mnk, Position, Stone};
use super::shape::Shape;
use super::word::Word;

impl<S: Shape, B: Board> Mnk<S, B> {
    /// See [`Game::transform`].
    pub(super) fn image(&self, p: &Position<B>, symmetry: usize) -> Position<B> {
        if symmetry == 0 {
            return p.clone();
        }
        Position {
            board: p.board.image(&self.tables, self.symmetries.of_grid(symmetry)),
            turn: p.turn,
        }
    }

    /// See [`Game::transform_move`].
    pub(super) fn image_of_move(&self, m: Stone, symmetry: usize) -> Stone {
        let grid = self.shape.grid();
        let image = grid.transform(grid.square(m.index()), self.symmetries.of_grid(symmetry));
        Stone::at(grid.index(image))
    }

    /// The image with the smallest stones, rather than the smallest key: that takes one key instead
    /// of eight.
    #[inline]
    pub(super) fn smallest_image(&self, p: &Position<B>) -> (u64, usize) {
        if self.symmetries.len() == 1 {
            return (self.key(p), 0);
        }
        let (key, of_grid) = p.board.canonical(&self.tables, self.symmetries.kept);
        (key, self.symmetries.number(of_grid))
    }

    /// See [`Game::table_name`].
    #[inline]
    pub(super) fn name(&self, p: &Position<B>) -> PositionName {
        let name = p.board.name(&self.tables, self.symmetries.kept);
        PositionName { symmetry: self.symmetries.number(name.symmetry), ..name }
    }
}

/// Which symmetries of the grid the game has: those that keep the holes, and with gravity what is
/// down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Symmetries {
    /// Bit s: symmetry s of the grid.
    kept: u8,
}

impl Symmetries {
    pub(super) fn new<S: Shape>(shape: S, active: &[bool]) -> Symmetries {
        let grid = shape.grid();
        let keeps_holes = |symmetry: usize| {
            grid.iter().all(|square| {
                active[grid.index(square)] == active[grid.index(grid.transform(square, symmetry))]
            })
        };
        let kept = (0..grid.symmetries())
            .filter(|&symmetry| !shape.gravity() || symmetry < 2)
            .filter(|&symmetry| keeps_holes(symmetry))
            .fold(0, |kept, symmetry| kept | 1 << symmetry);
        Symmetries { kept }
    }

    /// The grid's numbers of them, as bits.
    pub(super) fn kept(self) -> u8 {
        self.kept
    }

    pub(super) fn len(self) -> usize {
        self.kept.count_ones() as usize
    }

    /// The grid's number of this game's symmetry.
    fn of_grid(self, number: usize) -> usize {
        u16::from(self.kept).select(number)
    }

    /// This game's number of a symmetry of the grid.
    #[inline]
    pub(super) fn number(self, of_grid: usize) -> usize {
        (self.kept & ((1 << of_grid) - 1)).count_ones() as usize
    }
}

/// How the words of a board are turned round: one mirror and the transposition by swapping bits at
/// the same distance, half a turn by reversing the word, everything else from these.
#[derive(Clone, Debug)]
pub(super) struct WordSymmetry<W> {
    /// Swaps that turn round columns or, if that is less work, rows.
    mirror: Box<[Swap<W>]>,
    mirrors_columns: bool,
    /// Swaps of rows with columns; none if the board is not square.
    transpose: Box<[Swap<W>]>,
    is_square: bool,
    /// Bits of the word that are not squares.
    unused: usize,
}

/// Swaps each square of `low` with the one so many bits above it.
#[derive(Clone, Copy, Debug)]
struct Swap<W> {
    low: W,
    distance: usize,
}

const COLUMNS: usize = 1;
const ROWS: usize = 2;
const TRANSPOSE: usize = 4;

impl<W: Word> WordSymmetry<W> {
    pub(super) fn new(grid: Grid) -> WordSymmetry<W> {
        let mirrors_columns = grid.columns <= grid.rows;
        let mirror = if mirrors_columns { COLUMNS } else { ROWS };
        let is_square = grid.rows == grid.columns;
        WordSymmetry {
            mirror: swaps(grid, |square| grid.transform(square, mirror)),
            mirrors_columns,
            transpose: if is_square {
                swaps(grid, |square| grid.transform(square, TRANSPOSE))
            } else {
                Box::default()
            },
            is_square,
            unused: W::BITS - grid.squares(),
        }
    }

    /// The image of a set of squares under a symmetry of the grid.
    #[inline]
    pub(super) fn image(&self, word: W, symmetry: usize) -> W {
        let (mirrored, other) = if self.mirrors_columns {
            (symmetry & COLUMNS != 0, symmetry & ROWS != 0)
        } else {
            (symmetry & ROWS != 0, symmetry & COLUMNS != 0)
        };
        let mut word = word;
        if mirrored != other {
            word = apply(&self.mirror, word);
        }
        if other {
            word = self.half_turn(word);
        }
        if symmetry & TRANSPOSE != 0 {
            word = apply(&self.transpose, word);
        }
        word
    }

    /// The smallest image of two sets under the symmetries that are kept, and which one it is.
    #[inline]
    pub(super) fn canonical(&self, words: [W; 2], kept: u8) -> ([W; 2], usize) {
        let mut best = (words, 0);
        self.smallest_of_four(words, 0, kept, &mut best);
        if self.is_square && kept >> TRANSPOSE != 0 {
            let transposed = words.map(|word| apply(&self.transpose, word));
            self.smallest_of_four(transposed, TRANSPOSE, kept, &mut best);
        }
        best
    }

    /// Considers the mirror images of `words`, which is itself the image under `transposed`. There
    /// rows and columns have swapped roles.
    #[inline]
    fn smallest_of_four(
        &self,
        words: [W; 2],
        transposed: usize,
        kept: u8,
        best: &mut ([W; 2], usize),
    ) {
        let mut consider = |words: [W; 2], symmetry: usize| {
            if kept >> symmetry & 1 != 0 && words < best.0 {
                *best = (words, symmetry);
            }
        };
        let (mirror, other) = if self.mirrors_columns == (transposed == 0) {
            (COLUMNS, ROWS)
        } else {
            (ROWS, COLUMNS)
        };
        let mirrored = words.map(|word| apply(&self.mirror, word));
        consider(words, transposed);
        consider(mirrored, transposed | mirror);
        consider(mirrored.map(|word| self.half_turn(word)), transposed | other);
        consider(words.map(|word| self.half_turn(word)), transposed | COLUMNS | ROWS);
    }

    #[inline]
    fn half_turn(&self, word: W) -> W {
        word.reversed().shift_down(self.unused)
    }
}

#[inline]
fn apply<W: Word>(swaps: &[Swap<W>], mut word: W) -> W {
    for &Swap { low, distance } in swaps {
        let differ = (word ^ word.shift_down(distance)) & low;
        word ^= differ | differ.shift_up(distance);
    }
    word
}

/// The swaps that make up a map of squares which is its own inverse, one for each distance.
fn swaps<W: Word>(grid: Grid, map: impl Fn(Square) -> Square) -> Box<[Swap<W>]> {
    let mut swaps: Vec<Swap<W>> = Vec::new();
    for square in grid.iter() {
        let (from, to) = (grid.index(square), grid.index(map(square)));
        if from >= to {
            continue;
        }
        let (low, distance) = (W::square(from), to - from);
        match swaps.iter_mut().find(|swap| swap.distance == distance) {
            Some(swap) => swap.low |= low,
            None => swaps.push(Swap { low, distance }),
        }
    }
    swaps.into()
}
