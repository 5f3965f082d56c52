//! What players, solvers and fronts have to know of Go.

use game::{Family, Path, Rng, Spec, TextError};
use play::levels::{nodes, plies};
use play::{Algorithm, Levels, Scores, adjacent_move};

use super::choice::GoEvaluation;
use super::parameters::{FAMILY, Parameters};
use super::points::PointSet;
use super::position::{Go, Move, Position};
use super::shape::Shape;
use crate::playable::{Playable, Stealing};

/// Nobody can judge a Go position without playing it out.
impl<S: PointSet, R: Shape> Playable for Go<S, R> {
    type Heuristics = GoEvaluation;

    const FAMILY: &'static Family = &FAMILY;
    const ALGORITHM: Algorithm = Algorithm::MonteCarlo;
    const PLACES_STONES: bool = true;

    fn usual_name(spec: &Spec) -> Result<String, TextError> {
        Parameters::from_spec(spec).map(|parameters| parameters.to_string())
    }

    /// The weakest count what is on the board, as people do who have just learnt the rules; the
    /// others play so many random games.
    fn levels(&self) -> Levels {
        Levels([plies(1, 10), plies(2, 10), nodes(200), nodes(4_000)])
    }

    /// Half points, of stones that may be dead and points that may be taken.
    fn scores(&self) -> Scores {
        Scores::Own { ahead: 20 }
    }

    fn opening_plies(&self) -> usize {
        2
    }

    fn opening_moves(&self, p: &Position<S>) -> Vec<Move> {
        Go::opening_moves(self, p)
    }

    /// A pass.
    fn rest(&self, p: &Position<S>, best: Move, rng: &mut Rng) -> Option<Move> {
        self.may_pass(p, best, rng).then_some(Move::PASS)
    }

    /// See [`Go::stolen_margin`].
    fn steals(&self, p: &Position<S>, path: &Path) -> Stealing {
        self.stolen_margin(p, path).map_or(Stealing::NotHere, Stealing::Assures)
    }

    fn adjacent(&self, p: &Position<S>, rng: &mut Rng) -> Option<Move> {
        adjacent_move(self, p, rng)
    }
}
