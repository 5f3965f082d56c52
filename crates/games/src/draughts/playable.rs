//! What players, solvers and fronts have to know of draughts.

use game::{Family, Spec, TextError};
use play::levels::{nodes, plies};
use play::{Levels, Scores};

use super::evaluation::DraughtsEvaluation;
use super::parameters::{FAMILY, Parameters};
use super::rules::Draughts;
use super::switches::Rules;
use super::tuned::tuned_weights;
use crate::playable::{Playable, Tuned};

impl<R: Rules> Playable for Draughts<R> {
    type Heuristics = DraughtsEvaluation;

    const FAMILY: &'static Family = &FAMILY;

    fn usual_name(spec: &Spec) -> Result<String, TextError> {
        Parameters::from_spec(spec).map(|parameters| parameters.to_string())
    }

    fn levels(&self) -> Levels {
        Levels([plies(1, 350), plies(2, 20), plies(5, 0), nodes(50_000)])
    }

    /// A man is worth more than a pawn.
    fn scores(&self) -> Scores {
        Scores::Pieces { name: "men", ahead: 150 }
    }

    /// The ballots that tournaments draw have three moves.
    fn opening_plies(&self) -> usize {
        3
    }

    fn tuned(&self) -> Option<Tuned> {
        let (text, usual) = tuned_weights(self.parameters())?;
        Some(Tuned { text, usual })
    }
}
