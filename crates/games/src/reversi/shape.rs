//! [`Shape`]: board and start of a game, known at run time or when compiling.

use std::fmt::Debug;

use game::Grid;

use super::board::Board;
use super::parameters::{Parameters, Start};

/// What tells one game of Reversi from another. Rules read it through this trait, so that the same code serves any board, or
/// one whose every mask is a constant.
pub trait Shape: Copy + Eq + Debug + Send + Sync + 'static {
    /// What was chosen.
    fn parameters(&self) -> Parameters;

    /// The squares.
    fn board(&self) -> &Board;
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

impl Shape for RunShape {
    #[inline]
    fn parameters(&self) -> Parameters {
        self.parameters
    }

    #[inline]
    fn board(&self) -> &Board {
        &self.board
    }
}

/// A shape that the compiler knows: rows, columns, `start=parallel`. Other sides than 4, 6 and 8 do not compile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ConstShape<const M: usize, const N: usize, const PARALLEL: bool>;

impl<const M: usize, const N: usize, const PARALLEL: bool> Shape for ConstShape<M, N, PARALLEL> {
    #[inline]
    fn parameters(&self) -> Parameters {
        const {
            let start = if PARALLEL { Start::Parallel } else { Start::Cross };
            Parameters::new(Grid { rows: M, columns: N }, start).expect("sides are 4, 6 or 8")
        }
    }

    #[inline]
    fn board(&self) -> &Board {
        const { &Board::new(Grid { rows: M, columns: N }) }
    }
}
