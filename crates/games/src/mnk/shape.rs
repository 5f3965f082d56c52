//! [`Shape`]: the numbers of a line game, known at run time or when compiling.

use std::fmt::Debug;

use game::{Grid, Square};

/// The numbers that make a line game. Rules read them through this trait, so that the same code
/// serves any game, or one game with every number a constant.
pub trait Shape: Copy + Eq + Debug + Send + Sync + 'static {
    /// Whether the compiler knows that every turn is one stone.
    const ALTERNATES: bool;

    /// m.
    fn rows(self) -> usize;
    /// n.
    fn columns(self) -> usize;
    /// So many in a row win.
    fn k(self) -> usize;
    /// Stones in a turn.
    fn p(self) -> usize;
    /// Stones in the first turn.
    fn q(self) -> usize;
    /// Whether more than k in a row do not win.
    fn exact(self) -> bool;
    /// Whether stones fall to the lowest empty square of their column.
    fn gravity(self) -> bool;

    /// The board.
    #[inline]
    fn grid(self) -> Grid {
        Grid { rows: self.rows(), columns: self.columns() }
    }

    /// Whether a run of so many stones wins.
    #[inline]
    fn run_wins(self, length: usize) -> bool {
        if self.exact() { length == self.k() } else { length >= self.k() }
    }

    /// The same numbers as fields.
    fn to_run(self) -> RunShape {
        RunShape {
            rows: self.rows(),
            columns: self.columns(),
            k: self.k(),
            p: self.p(),
            q: self.q(),
            exact: self.exact(),
            gravity: self.gravity(),
        }
    }
}

/// A shape of which nothing is known when compiling. All numbers are 1 to 250.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RunShape {
    /// m.
    pub rows: usize,
    /// n.
    pub columns: usize,
    /// So many in a row win.
    pub k: usize,
    /// Stones in a turn.
    pub p: usize,
    /// Stones in the first turn.
    pub q: usize,
    /// Whether more than k in a row do not win.
    pub exact: bool,
    /// Whether stones fall to the lowest empty square of their column.
    pub gravity: bool,
}

impl Shape for RunShape {
    const ALTERNATES: bool = false;

    #[inline]
    fn rows(self) -> usize {
        self.rows
    }

    #[inline]
    fn columns(self) -> usize {
        self.columns
    }

    #[inline]
    fn k(self) -> usize {
        self.k
    }

    #[inline]
    fn p(self) -> usize {
        self.p
    }

    #[inline]
    fn q(self) -> usize {
        self.q
    }

    #[inline]
    fn exact(self) -> bool {
        self.exact
    }

    #[inline]
    fn gravity(self) -> bool {
        self.gravity
    }
}

/// A shape that the compiler knows: m, n, k, p, q, `win=exact`, `gravity`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ConstShape<
    const M: usize,
    const N: usize,
    const K: usize,
    const P: usize,
    const Q: usize,
    const EXACT: bool,
    const GRAVITY: bool,
>;

impl<
    const M: usize,
    const N: usize,
    const K: usize,
    const P: usize,
    const Q: usize,
    const EXACT: bool,
    const GRAVITY: bool,
> Shape for ConstShape<M, N, K, P, Q, EXACT, GRAVITY>
{
    const ALTERNATES: bool = P == 1 && Q == 1;

    #[inline]
    fn rows(self) -> usize {
        M
    }

    #[inline]
    fn columns(self) -> usize {
        N
    }

    #[inline]
    fn k(self) -> usize {
        K
    }

    #[inline]
    fn p(self) -> usize {
        P
    }

    #[inline]
    fn q(self) -> usize {
        Q
    }

    #[inline]
    fn exact(self) -> bool {
        EXACT
    }

    #[inline]
    fn gravity(self) -> bool {
        GRAVITY
    }
}

/// The four directions in which stones can be in a row, by the step to the next square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Direction {
    pub(super) row: isize,
    pub(super) column: isize,
}

/// Along the row, the column, the diagonal and the antidiagonal; squares follow each other by
/// rising row or, in the row, column.
pub(super) const DIRECTIONS: [Direction; 4] = [
    Direction { row: 0, column: 1 },
    Direction { row: 1, column: 0 },
    Direction { row: 1, column: 1 },
    Direction { row: 1, column: -1 },
];

impl Direction {
    /// The square so many steps further, if it is on the board.
    pub(super) fn step(self, grid: Grid, from: Square, steps: isize) -> Option<Square> {
        let row = from.row.checked_add_signed(self.row * steps)?;
        let column = from.column.checked_add_signed(self.column * steps)?;
        (row < grid.rows && column < grid.columns).then_some(Square { row, column })
    }

    /// All squares of the line through a square, in order.
    pub(super) fn line(self, grid: Grid, through: Square) -> impl Iterator<Item = Square> {
        let before = (1..).take_while(|&n| self.step(grid, through, -n).is_some()).count() as isize;
        (-before..).map_while(move |n| self.step(grid, through, n))
    }
}
