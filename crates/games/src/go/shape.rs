//! [`Shape`]: size and rules of a game, known at run time or when compiling.

use std::fmt::Debug;

use super::parameters::{Ko, Parameters, Scoring, Suicide};

/// What tells one game of Go from another. Rules read it through this trait, so that the same code serves any game, or one
/// game in which every size and every switch is a constant.
pub trait Shape: Copy + Eq + Debug + Send + Sync + 'static {
    /// What the compiler knows: everything or nothing.
    const FIXED: Option<Parameters>;

    /// What was chosen; the same as [`FIXED`](Shape::FIXED), if that is known.
    fn parameters(&self) -> Parameters;
}

/// Nothing is known when compiling.
impl Shape for Parameters {
    const FIXED: Option<Parameters> = None;

    #[inline]
    fn parameters(&self) -> Parameters {
        *self
    }
}

/// The same board for games that nobody takes at their word: the simple ko, no suicide, area. The compiler knows at least that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ForPlayouts<R>(pub(super) R);

impl<R: Shape> Shape for ForPlayouts<R> {
    const FIXED: Option<Parameters> = match R::FIXED {
        Some(parameters) => Some(for_playouts(parameters)),
        None => None,
    };

    #[inline]
    fn parameters(&self) -> Parameters {
        for_playouts(self.0.parameters())
    }
}

#[inline]
const fn for_playouts(mut parameters: Parameters) -> Parameters {
    parameters.ko = Ko::Basic;
    parameters.suicide = Suicide::No;
    parameters.scoring = Scoring::Area;
    parameters
}
