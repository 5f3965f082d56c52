//! Strategy stealing with a pass, before the first stone.
//!
//! Suppose that without komi the start were worth less than 0 to Black. Then Black's pass is worth
//! less, too, so White has an answer to it. That answer is no pass, for a second one ends the game
//! at 0. So it is a stone, after which Black is where White would be had Black begun with that
//! stone: worth more than 0 to the side that placed it. Then Black could have placed it, and the
//! start were worth more than 0.
//!
//! It takes colours that are treated alike, and a pass that leaves no trace but the other side's
//! turn. The trace is the empty board, now with either side to move:
//!
//! - Without suicide it never comes back, since a stone stays where it was placed.
//! - With suicide it may, and is forbidden by positional superko before the pass as after it; by
//!   situational superko, or for the end by repetition under a basic ko, the pass makes a
//!   difference.
//!
//! Dead stones that random games decide are not the same for both colours. Komi is taken off at the
//! end, but not where a basic ko ends the game at 0.

use game::{Game, Path};

use super::parameters::{Dead, Ko, Parameters, Scoring, Suicide};
use super::points::PointSet;
use super::position::{Go, Position};
use super::shape::Shape;

impl<S: PointSet, R: Shape> Go<S, R> {
    /// The margin that the first player is sure of before the first move, as it could pass and have
    /// what the second player has; `None` where that is no argument.
    #[must_use]
    pub fn stolen_margin(&self, p: &Position<S>, path: &Path) -> Option<i32> {
        let Parameters { ko, suicide, scoring, komi, .. } = self.parameters();
        let same_colours = match scoring {
            Scoring::Area | Scoring::Territory(Dead::Stay) => true,
            Scoring::Territory(Dead::Playout) => false,
        };
        let no_trace = suicide == Suicide::No || ko == Ko::Positional;
        let is_start = *p == self.start() && path.is_empty();
        (same_colours && no_trace && is_start).then(|| match ko {
            Ko::Positional | Ko::Situational => -komi.halves(),
            // What komi adds to nothing by repetition is not sure.
            Ko::Basic => (-komi.halves()).min(0),
        })
    }
}
