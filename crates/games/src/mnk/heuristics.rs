//! [`Lines`]: what an engine believes about line games.
//!
//! Everything rests on *windows*: k squares in a row, all of them part of the board. A window that
//! holds stones of one side only can still become that side's line, and the more stones it holds
//! the more it is worth; a window with stones of both is dead.
//!
//! That is the [classic](LineEvaluation::Classic) view, on which the classic searches rest. The
//! playing search sees [shapes](LineEvaluation::Patterns), the same on all boards, leaves out most
//! moves and finds wins by threats; it can also see them as [features](LineEvaluation::Features)
//! with weights for either side.

use evaluation::features::PARTS;
use evaluation::weights::{Tunable, Visit};
use evaluation::{
    Evaluation, Examination, Linear, MoveOrder, Playouts, Proofs, Tactics, examine_by_rank,
};
use game::Side;

use super::board::Board;
use super::features::{self, COUNT, Shapes, USUAL};
use super::line_windows::LineWindows;
use super::live_windows::LiveWindows;
use super::patterns::{KEENNESS, Patterns};
use super::position::{Mnk, Position, Stone};
use super::shape::{RunShape, Shape};
use super::turn::Turn;
use super::weights::LineWeights;
use super::windows::WindowBoard;
use super::word_board::WordBoard;

/// How a position is judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LineEvaluation {
    /// Counts stones in windows. For the order of moves: first what completes k, then what stops
    /// the opponent from it, then what is in many and well filled windows.
    #[default]
    Classic,
    /// Looks at shapes, leaves out moves that make none, and searches for wins by threats: for the
    /// playing search.
    Patterns,
    /// The same, but what a position is worth is the sum of thirty-eight features, each with a
    /// weight.
    Features,
}

/// What an engine believes about line games.
#[derive(Clone, Debug)]
pub struct Lines {
    /// How a position is judged; not to be changed in the middle of a search.
    pub evaluation: LineEvaluation,
    /// What [`LineEvaluation::Patterns`] makes of shapes.
    pub weights: LineWeights,
    /// What [`LineEvaluation::Features`] makes of them.
    pub features: Linear<Shapes, COUNT>,
    /// Who sees them: who moves where a search begins.
    viewer: Side,
    /// Follows the moves on a [`LineBoard`] if the evaluation is classic.
    windows: LineWindows,
    /// Follows the moves if it is not.
    patterns: Patterns,
}

impl Lines {
    /// With this evaluation and its usual weights.
    #[must_use]
    pub fn new(evaluation: LineEvaluation) -> Lines {
        Lines {
            evaluation,
            weights: LineWeights::DEFAULT,
            features: Linear::new(USUAL),
            viewer: Side::First,
            windows: LineWindows::default(),
            patterns: Patterns::default(),
        }
    }

    #[inline]
    fn sees_patterns(&self) -> bool {
        self.evaluation != LineEvaluation::Classic
    }

    /// Looks at the whole board.
    fn begin_patterns<S: Shape, B: Board>(&mut self, game: &Mnk<S, B>, p: &Position<B>) {
        self.viewer = p.turn.side();
        let (weights, keenness) = match self.evaluation {
            LineEvaluation::Features => {
                (features::by_side(&self.features.weights, self.viewer), KEENNESS / PARTS)
            }
            _ => ([self.weights; 2], KEENNESS),
        };
        self.patterns = Patterns::new(LiveWindows::of(game, p, weights), keenness);
    }

    /// What shapes say of a position.
    #[inline]
    fn judge_patterns(&mut self, turn: Turn) -> i32 {
        match self.evaluation {
            LineEvaluation::Features => {
                features::evaluate(&self.patterns, &self.features.weights, self.viewer, turn)
            }
            _ => self.patterns.evaluate(turn),
        }
    }

    /// A stone was placed. Whose it is follows from the board, not from the turn.
    fn push_pattern<S: Shape, B: Board>(&mut self, game: &Mnk<S, B>, p: &Position<B>, m: Stone) {
        if let Some(side) = p.board.stone(&game.tables, m.index()) {
            self.patterns.live.place(m.index(), side);
        }
    }

    fn pop_pattern<B: Board>(&mut self, p: &Position<B>, m: Stone) {
        self.patterns.live.remove(m.index(), p.turn.side());
    }
}

impl Default for Lines {
    fn default() -> Lines {
        Lines::new(LineEvaluation::default())
    }
}

impl<S: Shape, B: WindowBoard> Evaluation<Mnk<S, B>> for Lines {
    fn begin(&mut self, game: &Mnk<S, B>, p: &Position<B>) {
        if self.sees_patterns() {
            self.begin_patterns(game, p);
        } else {
            B::begin_windows(game, p, &mut self.windows);
        }
    }

    #[inline]
    fn pushed(&mut self, game: &Mnk<S, B>, p: &Position<B>, m: Stone) {
        if self.sees_patterns() {
            self.push_pattern(game, p, m);
        } else {
            B::stone_placed(game, p, &mut self.windows, m);
        }
    }

    #[inline]
    fn popped(&mut self, _: &Mnk<S, B>, p: &Position<B>, m: Stone) {
        if self.sees_patterns() {
            self.pop_pattern(p, m);
        } else {
            B::stone_removed(p, &mut self.windows, m);
        }
    }

    #[inline]
    fn evaluate(&mut self, game: &Mnk<S, B>, p: &Position<B>) -> i32 {
        if self.sees_patterns() {
            return self.judge_patterns(p.turn);
        }
        B::window_balance(game, p, &self.windows)
    }

    fn outlook(&self, score: i32) -> Option<i32> {
        Some(score.unsigned_abs().saturating_add(1).ilog2() as i32 * score.signum())
    }
}

impl<S: Shape, B: WindowBoard> MoveOrder<Mnk<S, B>> for Lines {
    fn rank(&mut self, game: &Mnk<S, B>, p: &Position<B>, moves: &[Stone], promise: &mut [i32]) {
        if self.sees_patterns() {
            return self.patterns.rank(p.turn, moves, promise);
        }
        B::rank_by_windows(game, p, &self.windows, moves, promise);
    }
}

impl<S: Shape, B: WindowBoard> Tactics<Mnk<S, B>> for Lines {
    #[inline]
    fn must_answer(&mut self, _: &Mnk<S, B>, p: &Position<B>) -> bool {
        self.sees_patterns() && self.patterns.must_answer(p.turn)
    }
}

impl<S: Shape, B: WindowBoard> Proofs<Mnk<S, B>> for Lines {
    #[inline]
    fn can_win(&mut self, game: &Mnk<S, B>, p: &Position<B>, side: Side) -> bool {
        if self.sees_patterns() {
            return self.patterns.live.any_live(side);
        }
        B::has_window(game, p, &self.windows, side)
    }

    fn forced_win(
        &mut self,
        _: &Mnk<S, B>,
        p: &Position<B>,
        budget: &mut u64,
    ) -> Option<(Stone, u32)> {
        if self.sees_patterns() { self.patterns.forced_win(p.turn, budget) } else { None }
    }

    #[inline]
    fn examine(
        &mut self,
        game: &Mnk<S, B>,
        p: &Position<B>,
        attacker: Side,
        moves: &mut Vec<Stone>,
        promise: &mut Vec<i32>,
    ) -> Examination {
        B::survey(game, p, attacker, moves, promise)
            .unwrap_or_else(|| examine_by_rank(self, game, p, attacker, moves, promise))
    }
}

impl<S: Shape, B: WindowBoard> Playouts<Mnk<S, B>> for Lines {}

/// The worth of windows is fixed, that of shapes is not.
impl Tunable for Lines {
    const NAMES: &'static [&'static str] = &["patterns", "classic", "features"];

    fn named(name: &str) -> Option<Lines> {
        match name {
            "patterns" => Some(Lines::new(LineEvaluation::Patterns)),
            "classic" => Some(Lines::new(LineEvaluation::Classic)),
            "features" => Some(Lines::new(LineEvaluation::Features)),
            _ => None,
        }
    }

    fn name(&self) -> &'static str {
        match self.evaluation {
            LineEvaluation::Patterns => "patterns",
            LineEvaluation::Classic => "classic",
            LineEvaluation::Features => "features",
        }
    }

    fn each_weight(&mut self, visit: &mut Visit<'_>) {
        match self.evaluation {
            LineEvaluation::Patterns => self.weights.each(visit),
            LineEvaluation::Features => {
                self.features.each::<Mnk<RunShape, WordBoard<u32>>>(visit);
            }
            LineEvaluation::Classic => {}
        }
    }
}
