//! [`Shape`]: size and rules of a game, known at run time or when compiling.

use game::Specialised;

use super::parameters::{Ko, Parameters, Scoring, Suicide};

/// Size and rules of a game.
pub trait Shape: Specialised<Values = Parameters> {
    /// What was chosen.
    #[inline(always)]
    fn parameters(&self) -> Parameters {
        self.values()
    }
}

impl<S: Specialised<Values = Parameters>> Shape for S {}

/// Nothing is known when compiling.
impl Specialised for Parameters {
    type Values = Parameters;
    const FIXED: Option<Parameters> = None;

    fn with(values: Parameters) -> Option<Parameters> {
        Some(values)
    }

    #[inline]
    fn values(&self) -> Parameters {
        *self
    }
}

/// The same board for games that nobody takes at their word: the simple ko, no suicide, area. The compiler knows at least that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ForPlayouts<R>(pub(super) R);

impl<R: Shape> Specialised for ForPlayouts<R> {
    type Values = Parameters;
    const FIXED: Option<Parameters> = match R::FIXED {
        Some(parameters) => Some(for_playouts(parameters)),
        None => None,
    };

    fn with(values: Parameters) -> Option<Self> {
        (values == for_playouts(values)).then(|| R::with(values)).flatten().map(ForPlayouts)
    }

    #[inline]
    fn values(&self) -> Parameters {
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
