//! What players, solvers and fronts have to know of chess.

use game::{Family, Spec, TextError};
use play::levels::{nodes, plies};
use play::{Levels, Ratings, Scores};

use super::evaluation::{ChessEvaluation, TUNED};
use super::parameters::{FAMILY, Parameters};
use super::position::Chess;
use crate::playable::{Playable, Tuned};

impl Playable for Chess {
    type Heuristics = ChessEvaluation;

    const FAMILY: &'static Family = &FAMILY;

    fn usual_name(spec: &Spec) -> Result<String, TextError> {
        Parameters::from_spec(spec).map(|parameters| parameters.to_string())
    }

    fn levels(&self) -> Levels {
        Levels([plies(1, 120), plies(2, 40), plies(4, 0), nodes(20_000)])
    }

    fn ratings(&self) -> Ratings {
        Ratings(&[(1400, 50), (1500, 200), (1775, 1_000), (1925, 5_000), (2050, 20_000)])
    }

    fn scores(&self) -> Scores {
        Scores::Pieces { name: "pawns", ahead: 250 }
    }

    fn tuned(&self) -> Option<Tuned> {
        Some(Tuned { text: TUNED, usual: true })
    }
}
