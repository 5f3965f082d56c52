//! [`Survey`]: what a side may do, if it is on the move.

use game::MoveSink;

use crate::draughts::board::{DIAGONAL, bits};
use crate::draughts::moves::Scene;
use crate::draughts::position::Move;
use crate::draughts::switches::Rules;

/// The legal moves of a side, counted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Survey {
    /// Pieces with at least one move.
    pub(super) movable: u64,
    pub(super) moves: u32,
    /// Moves that capture: all or none.
    pub(super) captures: u32,
    /// The most pieces that one of them takes.
    pub(super) longest: u32,
}

impl MoveSink<Move> for Survey {
    #[inline]
    fn push(&mut self, m: Move) {
        self.movable |= 1 << m.from();
        self.captures += 1;
        self.longest = self.longest.max(m.captured().count_ones());
    }
}

impl Survey {
    /// Looks at the side to move.
    #[inline(always)]
    pub(super) fn of<R: Rules, const WHITE: bool>(scene: &Scene<R, WHITE>) -> Survey {
        let mut survey = Survey::default();
        if scene.any_captures(&mut survey) {
            survey.moves = survey.captures;
            return survey;
        }
        let size = scene.switches().size;
        let (left, right) = scene.man_steps();
        let [leftward, rightward] = scene.man_directions();
        survey.moves = left.count_ones() + right.count_ones();
        survey.movable = size.step_back(left, leftward) | size.step_back(right, rightward);
        if scene.rested != 0 {
            survey.kings(scene);
        }
        survey
    }

    #[inline]
    fn kings<R: Rules, const WHITE: bool>(&mut self, scene: &Scene<R, WHITE>) {
        let size = scene.switches().size;
        for direction in DIAGONAL {
            let free = scene.rested & size.step_back(scene.empty, direction);
            self.movable |= free;
            if !scene.switches().flying {
                self.moves += free.count_ones();
            }
        }
        if scene.switches().flying {
            self.moves +=
                bits(scene.rested).map(|from| scene.king_targets(from).count_ones()).sum::<u32>();
        }
    }
}
