//! Whether a side wins a line game: what one look at all windows proves, for searches that ask nothing else.
//!
//! A window is *live* for a side if the other one has no stone in it. The *mover* places the next stone, the
//! *attacker* is the side of which the search asks whether it wins.
//!
//! Without gravity, and if more than k in a row win too, a further stone never harms its owner: whoever has a plan
//! without it can follow that plan and, if it asks for the stone that is there already, place another one anywhere.
//! Such games are *monotone* here.

use evaluation::Examination;
use game::{PositionName, Side, mix};

use super::board::Board;
use super::follow_up::{self, Columns, FollowUp};
use super::pairing;
use super::position::{Mnk, Position, Stone};
use super::shape::Shape;
use super::windows::window_promise;
use super::word::Word;
use super::word_board::WordBoard;

/// Squares that a word can hold.
const MOST: usize = 128;

/// A position and the question about it.
#[derive(Clone, Copy)]
struct View<'a, S: Shape, W: Word> {
    game: &'a Mnk<S, WordBoard<W>>,
    p: &'a Position<WordBoard<W>>,
    /// Whether the mover is the attacker.
    attacks: bool,
    mine: W,
    theirs: W,
    playable: W,
    monotone: bool,
    /// Whether every turn is one stone and a window that is full wins.
    plain: bool,
}

/// Looks at a position for [`Proofs::examine`](evaluation::Proofs::examine).
pub(super) fn examine<S: Shape, W: Word>(
    game: &Mnk<S, WordBoard<W>>,
    p: &Position<WordBoard<W>>,
    attacker: Side,
    moves: &mut Vec<Stone>,
    promise: &mut Vec<i32>,
) -> Examination {
    let (shape, mover) = (game.shape, p.turn.side());
    let single = shape.p() == 1 && p.turn.left() == 1;
    let view = View {
        game,
        p,
        attacks: mover == attacker,
        mine: p.board.of(mover),
        theirs: p.board.of(mover.other()),
        playable: p.board.playable(&game.tables, shape),
        monotone: !shape.exact() && !shape.gravity(),
        plain: single && !shape.exact(),
    };
    let settled =
        |mover_wins: bool| Examination { wins: Some(mover_wins == view.attacks), name: None };

    let Some(mut survey) = Survey::new(&view) else { return settled(true) };
    if survey.live[usize::from(!view.attacks)] == 0 {
        return Examination { wins: Some(false), name: None };
    }
    let forced = survey.replies != view.playable;
    let candidates = survey.answers_to_threats(&view);
    if candidates == W::NONE {
        return settled(false);
    }
    if view.plain && survey.has_fork(&view, candidates) {
        return settled(true);
    }
    if !forced && let Some(wins) = survey.plans(&view) {
        return Examination { wins: Some(wins), name: None };
    }
    let candidates = survey.answers_to_forks(&view, candidates);
    let candidates = if view.monotone { survey.undominated(candidates) } else { candidates };
    if candidates == W::NONE {
        return settled(false);
    }

    candidates.for_each(|square| {
        moves.push(Stone::at(square));
        promise.push(survey.promise[square % MOST].saturating_mul(WEIGHT).min(QUIET));
    });
    Examination { wins: None, name: Some(survey.name(&view)) }
}

/// As in the ranking of the classic searches.
const WEIGHT: i32 = 64;
const QUIET: i32 = 400_000;

/// What the live windows of a position say.
struct Survey<W> {
    /// How many live windows the mover has, and the other side.
    live: [usize; 2],
    /// Stones of the mover, and of the other side, in live windows of theirs.
    live_stones: [W; 2],
    /// Empty squares in live windows.
    live_empty: W,
    /// Squares on which the mover, and the other side, would complete a line.
    completing: [W; 2],
    /// Where one of the other side's lines can be stopped that would be completed in its next turn: squares of
    /// which one must be taken in this turn.
    replies: W,
    /// By square, which others the mover, and the other side, would threaten to complete a line on, after a stone
    /// there.
    partners: [[W; MOST]; 2],
    /// Squares with such others.
    builds: [W; 2],
    /// By square, how promising a stone is there.
    promise: [i32; MOST],
    /// By square, those that are part of all its live windows.
    common: [W; MOST],
    /// The empty squares of each live window of the side in question.
    needs: [W; MOST],
    /// The sum of 2^-n over these, n squares each, in units of `1 / ONE`.
    potential: u64,
}

const ONE: u64 = 1 << 40;

impl<W: Word> Survey<W> {
    /// Nothing if the mover completes a line in this turn.
    #[inline]
    fn new<S: Shape>(view: &View<'_, S, W>) -> Option<Survey<W>> {
        let mut survey = Survey {
            live: [0; 2],
            live_stones: [W::NONE; 2],
            live_empty: W::NONE,
            completing: [W::NONE; 2],
            replies: view.playable,
            partners: [[W::NONE; MOST]; 2],
            builds: [W::NONE; 2],
            promise: [0; MOST],
            common: [!W::NONE; MOST],
            needs: [W::NONE; MOST],
            potential: 0,
        };
        let View { game, p, mine, theirs, .. } = *view;
        let (k, left) = (game.shape.k(), p.turn.left());
        let mut shortest = usize::MAX;
        for &window in game.tables.windows() {
            let (my_stones, their_stones) = (mine & window, theirs & window);
            if my_stones != W::NONE && their_stones != W::NONE {
                continue;
            }
            let free = window & !(my_stones | their_stones);
            let missing = free.count();
            let mut worth = 0;
            if their_stones == W::NONE {
                if view.monotone && missing <= left {
                    return None;
                }
                if missing == 1 && view.completes(free, p.turn.side()) {
                    if free & view.playable != W::NONE {
                        return None;
                    }
                    survey.completing[0] |= free;
                }
                worth += survey.note(view, 0, my_stones, free, k - missing);
            }
            if my_stones == W::NONE {
                if view.monotone && missing <= game.shape.p() {
                    // The last stone of a turn must stop all of them, the first of several any of them.
                    if left == 1 {
                        survey.replies &= free;
                    } else if missing < shortest {
                        (survey.replies, shortest) = (free, missing);
                    }
                }
                if missing == 1 && view.completes(free, p.turn.side().other()) {
                    survey.completing[1] |= free;
                }
                worth += survey.note(view, 1, their_stones, free, k - missing);
            }
            survey.live_empty |= free;
            free.for_each(|square| {
                survey.promise[square % MOST] += worth;
                survey.common[square % MOST] &= free;
            });
        }
        Some(survey)
    }

    /// A live window of one side; what it promises.
    #[inline]
    fn note<S: Shape>(
        &mut self,
        view: &View<'_, S, W>,
        who: usize,
        stones: W,
        free: W,
        count: usize,
    ) -> i32 {
        let missing = view.game.shape.k() - count;
        if missing == 2 && view.plain {
            let (a, b) = (free.lowest(), free.without_lowest());
            self.partners[who][a % MOST] |= b;
            self.partners[who][b.lowest() % MOST] |= W::square(a);
            self.builds[who] |= free;
        }
        if who == view.needy() {
            if let Some(need) = self.needs.get_mut(self.live[who]) {
                *need = free;
            }
            self.potential += ONE >> missing.min(40);
        }
        self.live[who] += 1;
        self.live_stones[who] |= stones;
        // A stone promises most where it helps its own side: two or three times as much, by experiments with boards
        // from 4x7 to 4x8.
        let weight = match (who, view.attacks) {
            (0, true) => 3,
            (0, false) => 2,
            _ => 1,
        };
        window_promise(count) * weight
    }

    /// The moves after which the other side does not complete a line at once.
    fn answers_to_threats<S: Shape>(&mut self, view: &View<'_, S, W>) -> W {
        if view.monotone {
            return self.replies & self.live_empty;
        }
        if view.p.turn.left() > 1 {
            return view.playable;
        }
        let now = self.completing[1] & view.playable;
        if now != W::NONE {
            self.replies = if now.without_lowest() == W::NONE { now } else { W::NONE };
        }
        // Nor may a stone make room for such a line above it.
        self.replies & !view.below(self.completing[1])
    }

    /// Whether a stone of the mover threatens two lines at once, while the other side, after that stone, threatens
    /// none.
    fn has_fork<S: Shape>(&self, view: &View<'_, S, W>, candidates: W) -> bool {
        let ready = self.builds[0] | view.below(self.completing[0]);
        let mut squares = candidates & ready;
        while squares != W::NONE {
            let square = squares.lowest();
            if self.lines_after(view, 0, square).without_lowest() != W::NONE {
                return true;
            }
            squares = squares.without_lowest();
        }
        false
    }

    /// Where a side can complete a line at once after a stone of its own on a square.
    #[inline]
    fn lines_after<S: Shape>(&self, view: &View<'_, S, W>, who: usize, square: usize) -> W {
        let room = view.playable | view.above(W::square(square));
        (self.completing[who] | self.partners[who][square % MOST]) & room
    }

    /// Of these moves those that leave the other side no fork, or threaten something themselves. All others lose: the
    /// fork comes, and then one of its lines.
    fn answers_to_forks<S: Shape>(&self, view: &View<'_, S, W>, candidates: W) -> W {
        if !view.plain {
            return candidates;
        }
        let mut answers = !W::NONE;
        let mut forks = self.builds[1] & view.playable & !view.below(self.completing[0]);
        while forks != W::NONE {
            let square = forks.lowest();
            forks = forks.without_lowest();
            let lines = self.lines_after(view, 1, square);
            match lines.count() {
                0 | 1 => {}
                2 => answers &= lines | W::square(square),
                _ => answers &= W::square(square),
            }
        }
        candidates & (answers | self.builds[0] | view.below(self.completing[0]))
    }

    /// Of these moves those than which no other is surely at least as good.
    ///
    /// If all live windows of a square a hold b too, a stone on b is at least as good as one on a: let the mover,
    /// with the stone on b, play as if a and b had changed places. A line of theirs that the plan completes on b but
    /// not on a, it completes with a stone on a as well, so both are theirs in truth too; and a line of the other
    /// side that holds a would hold b.
    fn undominated(&self, candidates: W) -> W {
        let mut kept = W::NONE;
        candidates.for_each(|square| {
            let this = W::square(square);
            let mut others = self.common[square % MOST] & !this;
            let mut dominated = false;
            while others != W::NONE && !dominated {
                let other = others.lowest();
                others = others.without_lowest();
                // Of those in the same windows the first is as good as any.
                let equal = self.common[other % MOST] & this != W::NONE;
                dominated = !equal || other < square;
            }
            if !dominated {
                kept |= this;
            }
        });
        kept
    }

    /// Whether the attacker wins, if a side has a plan for the rest of the game.
    fn plans<S: Shape>(&mut self, view: &View<'_, S, W>) -> Option<bool> {
        let (shape, left) = (view.game.shape, view.p.turn.left());
        let needs = self.needs.get_mut(..self.live[view.needy()])?;
        if view.stacks() {
            if shape.p() > 1 || left > 1 {
                return None;
            }
            let caps = if shape.exact() { W::NONE } else { self.completing[1] };
            let first = view.game.tables.first_column();
            let columns = Columns { playable: view.playable, caps, first };
            return match follow_up::follow(needs, columns, shape) {
                FollowUp::Wins => Some(!view.attacks),
                FollowUp::Stops if view.attacks => Some(false),
                _ => None,
            };
        }
        if shape.gravity() {
            return None;
        }
        // Erdős and Selfridge 1973.
        let enough = if view.attacks { ONE / 2 } else { ONE };
        if shape.p() == 1 && left == 1 && self.potential < enough {
            return Some(false);
        }
        let gifts = if view.attacks { 0 } else { left };
        let stopped = left <= shape.p() && pairing::can_pair(needs, shape.p() + 1, gifts);
        stopped.then_some(false)
    }

    /// A name that all positions share in which the same matters: a stone in no live window of its own colour only
    /// keeps others out, like a hole. In a monotone game an empty square of no live window is of no use
    /// either, and it does not matter how many of them are left.
    fn name<S: Shape>(&self, view: &View<'_, S, W>) -> PositionName {
        let (game, turn) = (view.game, view.p.turn);
        let live = self.live_stones[0] | self.live_stones[1];
        let dead = match view.monotone {
            true => game.tables.active() & !(live | self.live_empty),
            false => (view.mine | view.theirs) & !live,
        };
        let words = self.live_stones.map(|stones| stones | dead);
        let words = if turn.side() == Side::First { words } else { [words[1], words[0]] };
        let ([first, second], of_grid) = game.tables.smallest_image(words, game.symmetries.kept());
        let whose = SALT + ((turn.left() as u64) << 1 | turn.side().index() as u64);
        // Names of different turns or kinds are kept apart by the check, too.
        PositionName {
            key: W::key(first, second) ^ mix(whose),
            check: W::check(first, second) ^ whose,
            symmetry: game.symmetries.number(of_grid),
        }
    }
}

/// Keeps these names apart from those of whole positions.
const SALT: u64 = 0x51_ab1e_0000;

impl<S: Shape, W: Word> View<'_, S, W> {
    /// Whether a stone on this square of a window that is full otherwise completes a line.
    #[inline]
    fn completes(&self, square: W, side: Side) -> bool {
        !self.game.shape.exact()
            || self.p.board.would_win(&self.game.tables, self.game.shape, square.lowest(), side)
    }

    /// With gravity, the squares right above these, unless holes make that a long story.
    #[inline]
    fn above(&self, squares: W) -> W {
        if !self.stacks() { W::NONE } else { squares.shift_up(self.game.shape.columns()) }
    }

    /// The squares right below these.
    #[inline]
    fn below(&self, squares: W) -> W {
        if !self.stacks() { W::NONE } else { squares.shift_down(self.game.shape.columns()) }
    }

    /// Of whose live windows the empty squares are kept: those of the attacker, but where stones are stacked of the
    /// mover.
    #[inline]
    fn needy(&self) -> usize {
        usize::from(!self.attacks && !self.stacks())
    }

    /// Whether stones stand on top of each other.
    #[inline]
    fn stacks(&self) -> bool {
        self.game.shape.gravity() && !self.game.tables.has_holes()
    }
}
