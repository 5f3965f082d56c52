//! [`Shape`]: the numbers of a line game, known at run time or when compiling.

use game::{Grid, Specialised, Square};

/// The numbers that make a line game, one by one.
pub trait Shape: Specialised<Values = RunShape> {
    /// Whether the compiler knows that every turn is one stone.
    const ALTERNATES: bool = match Self::FIXED {
        Some(RunShape { p, q, .. }) => p == 1 && q == 1,
        None => false,
    };

    /// m.
    #[inline]
    fn rows(self) -> usize {
        self.values().rows
    }

    /// n.
    #[inline]
    fn columns(self) -> usize {
        self.values().columns
    }

    /// So many in a row win.
    #[inline]
    fn k(self) -> usize {
        self.values().k
    }

    /// Stones in a turn.
    #[inline]
    fn p(self) -> usize {
        self.values().p
    }

    /// Stones in the first turn.
    #[inline]
    fn q(self) -> usize {
        self.values().q
    }

    /// Whether more than k in a row do not win.
    #[inline]
    fn exact(self) -> bool {
        self.values().exact
    }

    /// Whether stones fall to the lowest empty square of their column.
    #[inline]
    fn gravity(self) -> bool {
        self.values().gravity
    }

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
}

impl<S: Specialised<Values = RunShape>> Shape for S {}

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

impl Specialised for RunShape {
    type Values = RunShape;
    const FIXED: Option<RunShape> = None;

    fn with(values: RunShape) -> Option<RunShape> {
        Some(values)
    }

    #[inline]
    fn values(&self) -> RunShape {
        *self
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
> ConstShape<M, N, K, P, Q, EXACT, GRAVITY>
{
    const VALUES: RunShape =
        RunShape { rows: M, columns: N, k: K, p: P, q: Q, exact: EXACT, gravity: GRAVITY };
}

impl<
    const M: usize,
    const N: usize,
    const K: usize,
    const P: usize,
    const Q: usize,
    const EXACT: bool,
    const GRAVITY: bool,
> Specialised for ConstShape<M, N, K, P, Q, EXACT, GRAVITY>
{
    type Values = RunShape;
    const FIXED: Option<RunShape> = Some(Self::VALUES);

    fn with(values: RunShape) -> Option<Self> {
        (values == Self::VALUES).then_some(ConstShape)
    }

    #[inline]
    fn values(&self) -> RunShape {
        Self::VALUES
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
