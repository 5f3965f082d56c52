//! [`Shape`]: board and start of a game, known at run time or when compiling.

use game::{Grid, Specialised};

use super::board::Board;
use super::parameters::{Parameters, Start};

/// Board and start of a game.
pub trait Shape: Specialised<Values = Parameters> {
    /// The squares.
    fn board(&self) -> &Board;

    /// What was chosen.
    #[inline]
    fn parameters(&self) -> Parameters {
        self.values()
    }
}

/// A shape of which nothing is known when compiling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunShape {
    parameters: Parameters,
    board: Board,
}

impl RunShape {
    /// That of these parameters.
    #[must_use]
    pub fn new(parameters: Parameters) -> RunShape {
        RunShape { parameters, board: Board::new(parameters.size()) }
    }
}

impl Specialised for RunShape {
    type Values = Parameters;
    const FIXED: Option<Parameters> = None;

    fn with(values: Parameters) -> Option<RunShape> {
        Some(RunShape::new(values))
    }

    #[inline]
    fn values(&self) -> Parameters {
        self.parameters
    }
}

impl Shape for RunShape {
    #[inline]
    fn board(&self) -> &Board {
        &self.board
    }
}

/// A shape that the compiler knows: rows, columns, `start=parallel`. Other sides than 4, 6 and 8 do not compile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ConstShape<const M: usize, const N: usize, const PARALLEL: bool>;

impl<const M: usize, const N: usize, const PARALLEL: bool> ConstShape<M, N, PARALLEL> {
    const VALUES: Parameters = {
        let start = if PARALLEL { Start::Parallel } else { Start::Cross };
        Parameters::new(Grid { rows: M, columns: N }, start).expect("sides are 4, 6 or 8")
    };
}

impl<const M: usize, const N: usize, const PARALLEL: bool> Specialised
    for ConstShape<M, N, PARALLEL>
{
    type Values = Parameters;
    const FIXED: Option<Parameters> = Some(Self::VALUES);

    fn with(values: Parameters) -> Option<Self> {
        (values == Self::VALUES).then_some(ConstShape)
    }

    #[inline]
    fn values(&self) -> Parameters {
        Self::VALUES
    }
}

impl<const M: usize, const N: usize, const PARALLEL: bool> Shape for ConstShape<M, N, PARALLEL> {
    #[inline]
    fn board(&self) -> &Board {
        const { &Board::new(Grid { rows: M, columns: N }) }
    }
}
