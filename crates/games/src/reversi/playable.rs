//! What players, solvers and fronts have to know of Reversi.

use game::{Family, Rng, Spec, TextError};
use play::levels::{nodes, plies};
use play::{Levels, Scores, adjacent_move};

use super::evaluation::{ReversiEvaluation, TUNED};
use super::parameters::{FAMILY, Parameters};
use super::position::{Move, Position, Reversi};
use super::shape::Shape;
use crate::playable::{Playable, Tuned};

impl<S: Shape> Playable for Reversi<S> {
    type Heuristics = ReversiEvaluation;

    const FAMILY: &'static Family = &FAMILY;
    const PLACES_STONES: bool = true;

    fn usual_name(spec: &Spec) -> Result<String, TextError> {
        Parameters::from_spec(spec).map(|parameters| parameters.to_string())
    }

    fn levels(&self) -> Levels {
        Levels([plies(1, 300), plies(2, 20), plies(4, 0), nodes(30_000)])
    }

    fn scores(&self) -> Scores {
        Scores::Own { ahead: 300 }
    }

    fn tuned(&self) -> Option<Tuned> {
        let usual_size = self.parameters().size() == Parameters::default().size();
        usual_size.then_some(Tuned { text: TUNED, usual: false })
    }

    fn adjacent(&self, p: &Position, rng: &mut Rng) -> Option<Move> {
        adjacent_move(self, p, rng)
    }
}
