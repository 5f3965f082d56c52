//! What players, solvers and fronts have to know of line games.

use game::{Family, Path, Rng, Spec, TextError};
use play::levels::{nodes, plies};
use play::{Levels, Scores, adjacent_move};

use super::heuristics::Lines;
use super::parameters::{FAMILY, Parameters};
use super::position::{Mnk, Position, Stone};
use super::shape::Shape;
use super::windows::WindowBoard;
use crate::playable::{Playable, Stealing};

impl<S: Shape, B: WindowBoard> Playable for Mnk<S, B> {
    type Heuristics = Lines;

    const FAMILY: &'static Family = &FAMILY;
    const PLACES_STONES: bool = true;

    fn usual_name(spec: &Spec) -> Result<String, TextError> {
        Parameters::from_spec(spec).map(|parameters| parameters.to_string())
    }

    fn levels(&self) -> Levels {
        line_levels(self.shape().p(), self.shape().gravity())
    }

    fn scores(&self) -> Scores {
        Scores::Own { ahead: 300 }
    }

    fn warning(&self) -> Option<String> {
        self.parameters().warning()
    }

    fn opening_plies(&self) -> usize {
        3
    }

    fn opening_moves(&self, p: &Position<B>) -> Vec<Stone> {
        self.central_moves(p)
    }

    fn steals(&self, p: &Position<B>, _: &Path) -> Stealing {
        if self.can_steal(p) { Stealing::Assures(0) } else { Stealing::NotHere }
    }

    fn adjacent(&self, p: &Position<B>, rng: &mut Rng) -> Option<Stone> {
        adjacent_move(self, p, rng)
    }
}

/// With several stones a turn a ply is less, and with gravity what a square out of reach will bring
/// counts much.
fn line_levels(stones: usize, gravity: bool) -> Levels {
    Levels(match (stones, gravity) {
        (1, false) => [plies(1, 400), plies(1, 200), nodes(5_000), nodes(60_000)],
        (1, true) => [plies(1, 900), plies(2, 700), nodes(5_000), nodes(60_000)],
        // Nodes of large boards are slow, and hard is to be quick.
        _ => [plies(1, 900), plies(1, 60), plies(2, 40), nodes(20_000)],
    })
}
