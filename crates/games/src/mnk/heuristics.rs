//! [`Lines`]: what an engine believes about line games.
//!
//! Everything rests on *windows*: k squares in a row, all of them part of the board. A window that
//! holds stones of one side only can still become that side's line, and the more stones it holds the
//! more it is worth; a window with stones of both is dead. Word boards look at all windows whenever
//! they are asked, line boards keep count of them as stones come and go.
//!
//! That is the [classic](Evaluation::Classic) view, on which the classic searches rest. The playing search
//! sees [shapes](Evaluation::Patterns), the same on all boards, leaves out most moves and finds wins by
//! threats; it can also see them as [features](Evaluation::Features) with weights for either side.

use evaluation::features::PARTS;
use evaluation::weights::{Tunable, Visit};
use evaluation::{DOOMED, Finding, Heuristics, Linear};
use game::{Game, Side};

use super::board::Board;
use super::features::{self, COUNT, Shapes, USUAL};
use super::line_board::LineBoard;
use super::line_windows::LineWindows;
use super::live_windows::LiveWindows;
use super::patterns::{KEENNESS, Patterns};
use super::position::{Mnk, Position, Stone};
use super::shape::{RunShape, Shape};
use super::survey;
use super::turn::Turn;
use super::weights::LineWeights;
use super::word::Word;
use super::word_board::WordBoard;

/// How a position is judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Evaluation {
    /// Counts stones in windows. For the order of moves: first what completes k, then what stops the
    /// opponent from it, then what is in many and well filled windows.
    #[default]
    Classic,
    /// Looks at shapes, leaves out moves that make none, and searches for wins by threats: for the playing
    /// search.
    Patterns,
    /// The same, but what a position is worth is the sum of thirty-eight features, each with a weight.
    Features,
}

/// What an engine believes about line games.
#[derive(Clone, Debug)]
pub struct Lines {
    /// How a position is judged; not to be changed in the middle of a search.
    pub evaluation: Evaluation,
    /// What [`Evaluation::Patterns`] makes of shapes.
    pub weights: LineWeights,
    /// What [`Evaluation::Features`] makes of them.
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
    pub fn new(evaluation: Evaluation) -> Lines {
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
        self.evaluation != Evaluation::Classic
    }

    /// Looks at the whole board.
    fn begin_patterns<S: Shape, B: Board>(&mut self, game: &Mnk<S, B>, p: &Position<B>) {
        self.viewer = p.turn.side();
        let (weights, keenness) = match self.evaluation {
            Evaluation::Features => {
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
            Evaluation::Features => {
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
        Lines::new(Evaluation::default())
    }
}

/// A move that wins.
const WINS: i32 = 1_000_000;
/// A move towards a line that can be completed in the same turn.
const REACHES: i32 = 900_000;
/// A move that stops a line which the opponent can complete in the next turn.
const STOPS: i32 = 800_000;
/// The most that any other move gets.
const QUIET: i32 = 400_000;

/// The worth of a window with so many stones of one side only.
#[inline]
pub(super) fn window_score(stones: usize) -> i32 {
    match stones {
        0 => 0,
        n => 1 << (2 * (n - 1).min(6)),
    }
}

/// How much a window with so many stones of one side only promises to a further stone in it.
#[inline]
pub(super) fn window_promise(stones: usize) -> i32 {
    [1, 3, 9, 27, 81, 243][stones.min(5)]
}

/// A window that the mover can still complete counts so much more than one that only the opponent
/// can.
const OWN: i32 = 2;
/// Makes the smallest difference of promises outdo most of what a search has learnt: on solved boards
/// from 4x4 to 6x6 that took 35 to 96 per cent fewer nodes than a weight of 1.
const WEIGHT: i32 = 64;

impl<S: Shape, W: Word> Heuristics<Mnk<S, WordBoard<W>>> for Lines {
    fn begin(&mut self, game: &Mnk<S, WordBoard<W>>, p: &Position<WordBoard<W>>) {
        if self.sees_patterns() {
            self.begin_patterns(game, p);
        }
    }

    #[inline]
    fn pushed(&mut self, game: &Mnk<S, WordBoard<W>>, p: &Position<WordBoard<W>>, m: Stone) {
        if self.sees_patterns() {
            self.push_pattern(game, p, m);
        }
    }

    #[inline]
    fn popped(&mut self, _: &Mnk<S, WordBoard<W>>, p: &Position<WordBoard<W>>, m: Stone) {
        if self.sees_patterns() {
            self.pop_pattern(p, m);
        }
    }

    fn evaluate(&mut self, game: &Mnk<S, WordBoard<W>>, p: &Position<WordBoard<W>>) -> i32 {
        if self.sees_patterns() {
            return self.judge_patterns(p.turn);
        }
        let (mine, theirs) = seen_by_mover(p);
        let mut score = 0;
        for &window in game.tables.windows() {
            match ((mine & window).count(), (theirs & window).count()) {
                (n, 0) => score += window_score(n),
                (0, n) => score -= window_score(n),
                _ => {}
            }
        }
        score
    }

    #[inline]
    fn can_win(
        &mut self,
        game: &Mnk<S, WordBoard<W>>,
        p: &Position<WordBoard<W>>,
        side: Side,
    ) -> bool {
        if self.sees_patterns() {
            return self.patterns.live.any_live(side);
        }
        let theirs = p.board.of(side.other());
        game.tables.windows().iter().any(|&window| window & theirs == W::NONE)
    }

    fn rank(
        &mut self,
        game: &Mnk<S, WordBoard<W>>,
        p: &Position<WordBoard<W>>,
        moves: &[Stone],
        promise: &mut [i32],
    ) {
        if self.sees_patterns() {
            return self.patterns.rank(p.turn, moves, promise);
        }
        let mut outlook = Outlook::new(game, p);
        if game.shape.exact() {
            outlook.keep_true_wins(game, p);
        }
        let playable = moves.iter().fold(W::NONE, |set, m| set | W::square(m.index()));
        let threats = if p.turn.left() == 1 { outlook.stops & playable } else { W::NONE };
        for (m, promise) in moves.iter().zip(promise) {
            *promise = outlook.promise(m.index(), threats);
        }
    }

    #[inline]
    fn must_answer(&mut self, _: &Mnk<S, WordBoard<W>>, p: &Position<WordBoard<W>>) -> bool {
        self.sees_patterns() && self.patterns.must_answer(p.turn)
    }

    fn forced_win(
        &mut self,
        _: &Mnk<S, WordBoard<W>>,
        p: &Position<WordBoard<W>>,
        budget: &mut u64,
    ) -> Option<(Stone, u32)> {
        if self.sees_patterns() { self.patterns.forced_win(p.turn, budget) } else { None }
    }

    #[inline]
    fn examine(
        &mut self,
        game: &Mnk<S, WordBoard<W>>,
        p: &Position<WordBoard<W>>,
        attacker: Side,
        moves: &mut Vec<Stone>,
        promise: &mut Vec<i32>,
    ) -> Finding {
        survey::examine(game, p, attacker, moves, promise)
    }

    #[inline]
    fn is_argued_out(
        &self,
        game: &Mnk<S, WordBoard<W>>,
        p: &Position<WordBoard<W>>,
        side: Side,
    ) -> bool {
        game.can_steal(p) && side == Side::Second
    }
}

/// What the windows say about every square, for the side to move.
struct Outlook<W> {
    /// Squares that complete a line.
    wins: W,
    /// Squares of lines that can be completed in this turn.
    reaches: W,
    /// Squares on which the opponent would complete a line.
    stops: W,
    /// Squares of lines that the opponent can complete in one turn.
    hinders: W,
    quiet: [i32; 128],
}

impl<W: Word> Outlook<W> {
    #[inline]
    fn new<S: Shape>(game: &Mnk<S, WordBoard<W>>, p: &Position<WordBoard<W>>) -> Outlook<W> {
        let (mine, theirs) = seen_by_mover(p);
        let (k, left) = (game.shape.k(), p.turn.left());
        let mut outlook = Outlook {
            wins: W::NONE,
            reaches: W::NONE,
            stops: W::NONE,
            hinders: W::NONE,
            quiet: [0; 128],
        };
        for &window in game.tables.windows() {
            let (my_stones, their_stones) = (mine & window, theirs & window);
            if my_stones != W::NONE && their_stones != W::NONE {
                continue;
            }
            let empty = window & !(my_stones | their_stones);
            let (my_count, their_count) = (my_stones.count(), their_stones.count());
            if their_count == 0 && k - my_count <= left {
                outlook.reaches |= empty;
                if k - my_count == 1 {
                    outlook.wins |= empty;
                }
            }
            if my_count == 0 && k - their_count <= game.shape.p() {
                outlook.hinders |= empty;
                if k - their_count == 1 {
                    outlook.stops |= empty;
                }
            }
            let mut promise = 0;
            if their_count == 0 {
                promise += OWN * window_promise(my_count);
            }
            if my_count == 0 {
                promise += window_promise(their_count);
            }
            empty.for_each(|square| outlook.quiet[square & 127] += promise);
        }
        outlook
    }

    /// A window that is full but for one square does not win if it becomes part of an overline.
    #[cold]
    fn keep_true_wins<S: Shape>(
        &mut self,
        game: &Mnk<S, WordBoard<W>>,
        p: &Position<WordBoard<W>>,
    ) {
        let true_wins = |candidates: W, side: Side| {
            let mut wins = W::NONE;
            candidates.for_each(|square| {
                if p.board.would_win(&game.tables, game.shape, square, side) {
                    wins |= W::square(square);
                }
            });
            wins
        };
        let (wins, stops) =
            (true_wins(self.wins, p.turn.side()), true_wins(self.stops, p.turn.side().other()));
        self.reaches &= !(self.wins & !wins);
        self.hinders &= !(self.stops & !stops);
        (self.wins, self.stops) = (wins, stops);
    }

    /// The rank of a stone on this square. `threats` are the squares on which the opponent, if next to
    /// move, can win at once: a stone elsewhere, or on one of several, loses.
    #[inline]
    fn promise(&self, index: usize, threats: W) -> i32 {
        let square = W::square(index);
        let quiet = (self.quiet[index & 127] * WEIGHT).min(QUIET);
        if (self.wins | self.reaches | self.hinders | threats) & square == W::NONE {
            if threats == W::NONE { quiet } else { DOOMED }
        } else if self.wins & square != W::NONE {
            WINS
        } else if threats & !square != W::NONE {
            DOOMED
        } else if self.reaches & square != W::NONE {
            REACHES + quiet / 8
        } else if self.stops & square != W::NONE {
            STOPS + quiet / 8
        } else {
            QUIET + quiet / 8
        }
    }
}

#[inline]
fn seen_by_mover<W: Word>(p: &Position<WordBoard<W>>) -> (W, W) {
    (p.board.of(p.turn.side()), p.board.of(p.turn.side().other()))
}

impl<S: Shape> Heuristics<Mnk<S, LineBoard>> for Lines {
    fn begin(&mut self, game: &Mnk<S, LineBoard>, p: &Position<LineBoard>) {
        if self.sees_patterns() {
            return self.begin_patterns(game, p);
        }
        self.windows = LineWindows::new(game.shape.to_run(), &game.active);
        for square in 0..game.slots() {
            if let Some(side) = p.board.stone(&game.tables, square) {
                self.windows.place(square, side);
            }
        }
    }

    #[inline]
    fn pushed(&mut self, game: &Mnk<S, LineBoard>, p: &Position<LineBoard>, m: Stone) {
        if self.sees_patterns() {
            return self.push_pattern(game, p, m);
        }
        if let Some(side) = p.board.stone(&game.tables, m.index()) {
            self.windows.place(m.index(), side);
        }
    }

    #[inline]
    fn popped(&mut self, _: &Mnk<S, LineBoard>, p: &Position<LineBoard>, m: Stone) {
        if self.sees_patterns() {
            return self.pop_pattern(p, m);
        }
        self.windows.remove(m.index(), p.turn.side());
    }

    #[inline]
    fn evaluate(&mut self, _: &Mnk<S, LineBoard>, p: &Position<LineBoard>) -> i32 {
        if self.sees_patterns() {
            return self.judge_patterns(p.turn);
        }
        self.windows.score() * p.turn.side().sign()
    }

    #[inline]
    fn can_win(&mut self, _: &Mnk<S, LineBoard>, _: &Position<LineBoard>, side: Side) -> bool {
        if self.sees_patterns() {
            return self.patterns.live.any_live(side);
        }
        self.windows.are_open(side)
    }

    fn rank(
        &mut self,
        game: &Mnk<S, LineBoard>,
        p: &Position<LineBoard>,
        moves: &[Stone],
        promise: &mut [i32],
    ) {
        if self.sees_patterns() {
            return self.patterns.rank(p.turn, moves, promise);
        }
        let (side, other) = (p.turn.side(), p.turn.side().other());
        let completes = |square: usize, side: Side| {
            self.windows.completes(square, side)
                && (!game.shape.exact()
                    || p.board.would_win(&game.tables, game.shape, square, side))
        };
        let threats = if p.turn.left() == 1 {
            moves.iter().filter(|m| completes(m.index(), other)).count()
        } else {
            0
        };
        for (m, promise) in moves.iter().zip(promise) {
            let square = m.index();
            let [own, theirs] = [side, other].map(|side| self.windows.promise(square, side));
            let quiet =
                own.saturating_mul(OWN).saturating_add(theirs).saturating_mul(WEIGHT).min(QUIET);
            let stops = completes(square, other);
            *promise = if completes(square, side) {
                WINS
            } else if threats > usize::from(stops) {
                DOOMED
            } else if stops {
                STOPS + quiet / 8
            } else {
                quiet
            };
        }
    }

    #[inline]
    fn must_answer(&mut self, _: &Mnk<S, LineBoard>, p: &Position<LineBoard>) -> bool {
        self.sees_patterns() && self.patterns.must_answer(p.turn)
    }

    fn forced_win(
        &mut self,
        _: &Mnk<S, LineBoard>,
        p: &Position<LineBoard>,
        budget: &mut u64,
    ) -> Option<(Stone, u32)> {
        if self.sees_patterns() { self.patterns.forced_win(p.turn, budget) } else { None }
    }

    #[inline]
    fn is_argued_out(&self, game: &Mnk<S, LineBoard>, p: &Position<LineBoard>, side: Side) -> bool {
        game.can_steal(p) && side == Side::Second
    }
}

/// The worth of windows is fixed, that of shapes is not.
impl Tunable for Lines {
    const NAMES: &'static [&'static str] = &["patterns", "classic", "features"];

    fn named(name: &str) -> Option<Lines> {
        match name {
            "patterns" => Some(Lines::new(Evaluation::Patterns)),
            "classic" => Some(Lines::new(Evaluation::Classic)),
            "features" => Some(Lines::new(Evaluation::Features)),
            _ => None,
        }
    }

    fn name(&self) -> &'static str {
        match self.evaluation {
            Evaluation::Patterns => "patterns",
            Evaluation::Classic => "classic",
            Evaluation::Features => "features",
        }
    }

    fn each_weight(&mut self, visit: &mut Visit<'_>) {
        match self.evaluation {
            Evaluation::Patterns => self.weights.each(visit),
            Evaluation::Features => {
                self.features.each::<Mnk<RunShape, WordBoard<u32>>>(visit);
            }
            Evaluation::Classic => {}
        }
    }
}
