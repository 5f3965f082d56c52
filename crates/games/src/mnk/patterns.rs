//! [`Patterns`]: how the playing search sees a line game, on boards of any kind.
//!
//! The worth of a position is that of all shapes: for every empty square and direction, what a stone there
//! would be part of. Overlapping windows tell open shapes from half-open ones, since an open line can grow
//! in several ways. The same numbers say which squares are worth a look at all.

use evaluation::{DOOMED, LEFT_OUT};
use game::{Side, Square};

use super::live_windows::LiveWindows;
use super::near::off_centre;
use super::position::Stone;
use super::shape::Shape;
use super::threats::{ThreatSearch, Win, fillable};
use super::turn::Turn;

/// Windows, the shapes they make, and the search for wins by threats.
#[derive(Clone, Debug, Default)]
pub(super) struct Patterns {
    pub(super) live: LiveWindows,
    pub(super) threats: ThreatSearch,
    scratch: Vec<i32>,
    near: Vec<bool>,
    /// What a difference of shapes counts in the order of moves.
    keenness: i32,
}

/// A move that wins.
const WINS: i32 = 1_000_000;
/// A move towards a line that can be completed in the same turn.
const REACHES: i32 = 900_000;
/// A move that stops a line which the opponent can complete in the next turn.
const STOPS: i32 = 800_000;
/// A move that may stop a line from being completed in two ways, or makes a threat first.
const ANSWERS: i32 = 600_000;
/// The most that any other move gets.
const QUIET: i32 = 400_000;
/// Makes a difference of shapes, in the usual score, outdo what a search has learnt.
pub(super) const KEENNESS: i32 = 16;

/// Turns of more stones than this are judged as they are.
const MOST_STOPS: usize = 4;
/// Less than any shapes: a line that can be completed in the next turn could not be stopped.
const UNSTOPPED: i32 = 100_000;

/// Where there are no more moves than this, all are looked at.
const ALWAYS: usize = 36;
/// So many are looked at where there are more.
const CANDIDATES: usize = 20;
/// Where more than that look alike, those are that lie so near to a stone.
const NEAR: usize = 2;
/// What a larger board has to offer beyond one of so many squares is far from everything.
const ORDINARY_BOARD: usize = 19 * 19;

impl Patterns {
    /// Of these windows, whose shapes count so much in the order of moves.
    pub(super) fn new(live: LiveWindows, keenness: i32) -> Patterns {
        let threats = ThreatSearch::new(live.squares());
        let scratch = Vec::with_capacity(live.squares());
        let near = Vec::with_capacity(live.squares());
        Patterns { live, threats, scratch, near, keenness }
    }

    /// The worth of a position for the side to move.
    ///
    /// Where turns are several stones, what the opponent threatens is stopped first: else a threat at the
    /// horizon would look like a gain, though it only costs the other side a stone.
    pub(super) fn evaluate(&mut self, turn: Turn) -> i32 {
        let p = self.live.shape().p;
        if p == 1 || p > MOST_STOPS || self.live.shape().gravity {
            return self.compare(turn.side(), turn);
        }
        let (side, other) = (turn.side(), turn.side().other());
        let (shape, squares) = (self.live.shape(), self.live.squares());
        let mut stops = [0; MOST_STOPS];
        let mut placed = 0;
        let mut next = turn;
        while placed < turn.left().min(MOST_STOPS)
            && let Some(square) = self.stop(other, p)
        {
            self.live.place(square, side);
            stops[placed] = square;
            placed += 1;
            next = next.next(shape, false, squares);
        }
        let unstopped = fillable(&self.live, other, p).is_some();
        let score = if unstopped { -UNSTOPPED } else { self.compare(side, next) };
        for &square in stops[..placed].iter().rev() {
            self.live.remove(square, side);
        }
        score
    }

    /// Where a stone stops most of the lines that a side can complete in a turn.
    fn stop(&self, attacker: Side, p: usize) -> Option<usize> {
        let stopped = |square: usize| self.live.fillable_at(square, attacker, p);
        let gaps = self.live.fillable(attacker, p).flat_map(|window| self.live.gaps(window));
        let worth = |square: usize| {
            self.live.promise(square, attacker) + self.live.promise(square, attacker.other())
        };
        gaps.max_by_key(|&square| (stopped(square), worth(square), square))
    }

    /// The worth of what one side has against the other, where `next` is the turn.
    fn compare(&self, side: Side, next: Turn) -> i32 {
        let stones = (next.left() * self.live.shape().p) as i32;
        let tempo = 100 + self.live.weights(next.side()).tempo.saturating_mul(stones);
        let [own, theirs] = [side, side.other()].map(|side| self.worth(side));
        let common = self.beyond_ordinary(own.min(theirs));
        let hurried = |worth: i32| (worth - common).saturating_mul(tempo) / 100 + common;
        let score = match side == next.side() {
            true => hurried(own) - theirs,
            false => own - hurried(theirs),
        };
        self.within_hopes(side, score)
    }

    /// How much of what both sides have is due to the size of the board alone. It does not count
    /// for
    /// the side to move: else a turn would seem worth more than any shape on a board of 250x250.
    fn beyond_ordinary(&self, both_have: i32) -> i32 {
        let squares = self.live.squares();
        if squares <= ORDINARY_BOARD {
            return 0;
        }
        let bare = [Side::First, Side::Second].map(|side| self.live.bare_total(side));
        let ordinary = i64::from(bare[0].min(bare[1])) * ORDINARY_BOARD as i64 / squares as i64;
        (both_have - ordinary as i32).max(0)
    }

    /// The score of a side, kept to what it can still hope for: who cannot win any more is never better off.
    pub(super) fn within_hopes(&self, side: Side, score: i32) -> i32 {
        let most = if self.live.any_live(side) { score } else { score.min(0) };
        if self.live.any_live(side.other()) { most } else { most.max(0) }
    }

    /// The worth of all that a side has.
    pub(super) fn worth(&self, side: Side) -> i32 {
        let weights = self.live.weights(side);
        let [timely, untimely] = timing(&self.live, side);
        self.live.total(side) + timely * weights.timely + untimely * weights.untimely
    }

    /// Whether the opponent would win with the next stone, and the side to move cannot.
    #[inline]
    pub(super) fn must_answer(&self, turn: Turn) -> bool {
        turn.left() == 1
            && fillable(&self.live, turn.side().other(), 1).is_some()
            && fillable(&self.live, turn.side(), 1).is_none()
    }

    /// A win by threats.
    pub(super) fn forced_win(&mut self, turn: Turn, budget: &mut u64) -> Option<(Stone, u32)> {
        let Win { square, plies } =
            self.threats.win(&mut self.live, turn.side(), turn.left(), budget)?;
        Some((Stone::at(square), plies))
    }

    /// Ranks moves, as [`MoveOrder::rank`](evaluation::MoveOrder::rank) says.
    pub(super) fn rank(&mut self, turn: Turn, moves: &[Stone], promise: &mut [i32]) {
        let (side, other) = (turn.side(), turn.side().other());
        let p = self.live.shape().p;
        let completed_by = |m: &&Stone| self.live.count_at(m.index(), other, 1) > 0;
        let threats = if turn.left() == 1 { moves.iter().filter(completed_by).count() } else { 0 };
        let pressed = self.is_pressed(turn);
        let mut urgent = false;
        for (m, promise) in moves.iter().zip(&mut *promise) {
            let square = m.index();
            let lacks = |side: Side, most: usize| {
                (1..=most.min(4)).any(|missing| self.live.count_at(square, side, missing) > 0)
            };
            let quiet = self.quiet(square, side);
            let stops = lacks(other, 1);
            *promise = if lacks(side, 1) {
                WINS
            } else if threats > 0 && !stops || self.helps_up(square, turn) {
                DOOMED
            } else if turn.left() > 1 && lacks(side, turn.left()) {
                REACHES + quiet / 8
            } else if stops || p > 1 && lacks(other, p) {
                STOPS + quiet / 8
            } else if pressed && (lacks(other, 2) || lacks(side, 2)) {
                ANSWERS + quiet / 8
            } else {
                quiet
            };
            urgent |= *promise >= ANSWERS;
        }
        self.leave_out(moves, promise, urgent);
    }

    /// Whether the opponent's next stone may leave two squares that each complete a line.
    fn is_pressed(&self, turn: Turn) -> bool {
        let other = turn.side().other();
        let opens = |&window: &u32| {
            self.live.gaps(window as usize).any(|square| self.live.is_open_at(square, other, 2))
        };
        let single = self.live.shape().p == 1 && turn.left() == 1 && !self.live.shape().gravity;
        single && self.live.lacking(other, 2).iter().any(opens)
    }

    /// What a stone on a square is worth, by the shapes of both sides.
    #[inline]
    fn quiet(&self, square: usize, side: Side) -> i32 {
        let [own, theirs] = [side, side.other()].map(|side| self.live.promise(square, side));
        (self.keenness * (own + own / 2 + theirs)).min(QUIET)
    }

    /// Whether a stone puts a square within the opponent's reach that completes a line.
    #[inline]
    fn helps_up(&self, square: usize, turn: Turn) -> bool {
        let shape = self.live.shape();
        if !shape.gravity || turn.left() > 1 {
            return false;
        }
        let above = (square + shape.columns..self.live.squares()).step_by(shape.columns);
        let next = above.into_iter().find(|&above| self.live.is_empty(above));
        next.is_some_and(|above| self.live.count_at(above, turn.side().other(), 1) > 0)
    }

    /// Marks moves that are not worth a look: all quiet ones where something is urgent, and where there are
    /// many, all but the best.
    fn leave_out(&mut self, moves: &[Stone], promise: &mut [i32], urgent: bool) {
        let least = if urgent {
            ANSWERS
        } else if promise.len() > ALWAYS {
            self.scratch.clear();
            self.scratch.extend_from_slice(promise);
            *self.scratch.select_nth_unstable_by_key(CANDIDATES, |&rank| -rank.max(-QUIET)).1
        } else {
            return;
        };
        // On a board with few stones most squares look alike, and better than those beside a stone
        // at the
        // edge: then what is near counts.
        let crowded = !urgent && promise.iter().filter(|&&rank| rank >= least).count() > ALWAYS;
        if crowded {
            self.mark_near();
        }
        for (m, promise) in moves.iter().zip(promise) {
            let stays = match crowded {
                true => *promise > least || self.near[m.index()],
                false => *promise >= least,
            };
            if !stays && *promise != DOOMED {
                *promise = LEFT_OUT;
            }
        }
    }

    /// The squares near a stone or, if there is none, near the centre.
    fn mark_near(&mut self) {
        let grid = self.live.shape().grid();
        self.near.clear();
        self.near.resize(grid.squares(), false);
        let mut bare = true;
        for square in (0..grid.squares()).filter(|&square| self.live.stone(square).is_some()) {
            let Square { row, column } = grid.square(square);
            let around =
                |at: usize, size: usize| at.saturating_sub(NEAR)..(at + NEAR + 1).min(size);
            for row in around(row, grid.rows) {
                for column in around(column, grid.columns) {
                    self.near[grid.index(Square { row, column })] = true;
                }
            }
            bare = false;
        }
        if bare {
            let central = |(near, at): (&mut bool, _)| *near = off_centre(grid, at) == 0;
            self.near.iter_mut().zip(grid.iter()).for_each(central);
        }
    }
}

/// With gravity and single stones: the squares out of reach that complete a line of a side and come at the right time, and
/// those that do not. If both sides fill the columns in turn, the first player gets the odd rows.
pub(super) fn timing(live: &LiveWindows, side: Side) -> [i32; 2] {
    let shape = live.shape();
    let mut counts = [0; 2];
    if !shape.gravity || shape.p != 1 {
        return counts;
    }
    for &window in live.lacking(side, 1) {
        let window = window as usize;
        if !live.is_ready(window) {
            let row = live.gaps(window).next().map_or(0, |square| square / shape.columns);
            counts[usize::from(row % 2 != side.index())] += 1;
        }
    }
    counts
}
