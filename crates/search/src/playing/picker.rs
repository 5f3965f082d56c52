//! Which move to try next: the table's before any other is looked at; then noisy ones by the game's
//! own ranking; then quiet ones, by what the search remembers too; noisy moves that do not pay at
//! the end.

use std::cmp::Reverse;
use std::ops::Range;

use evaluation::{DOOMED, LEFT_OUT, MoveOrder, Tactics};
use game::Game;

use super::memory::{HistoryKey, Memory, PreviousMoves};

/// A point of the game's own ranking in units of the memory, so that a difference above 100 outdoes
/// what is remembered.
const RANK: i32 = 1 << 9;
/// Below every quiet move, above the doomed.
const LOSING: i32 = -1_100_000_000;
/// The first moves are picked one by one. Where they were not good enough, most others will be
/// tried too: the rest is sorted.
const PICKED: usize = 6;

#[derive(Clone, Copy, Debug)]
struct Candidate<M> {
    score: i32,
    m: M,
    noisy: bool,
    /// It is known whether it pays.
    weighed: bool,
    /// It was picked and not searched.
    left_out: bool,
}

/// The moves of one node, as places in the stack.
#[derive(Debug)]
pub(super) struct Moves {
    all: Range<usize>,
    next: usize,
    stage: Stage,
    /// Where quiet moves begin, as long as they are not ranked.
    quiet: usize,
    /// Some were left out.
    incomplete: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    TableMove,
    Unranked,
    /// Noisy moves come first: the quiet ones, from `quiet` on, are ranked once they are needed.
    Noisy,
    Ranked,
    Sorted,
}

impl Moves {
    /// Whether some were left out.
    pub(super) fn are_incomplete(&self) -> bool {
        self.incomplete
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }
}

/// A move that is picked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Picked<M> {
    pub(super) m: M,
    pub(super) noisy: bool,
    /// It loses in two plies.
    pub(super) doomed: bool,
    /// It is noisy, and does not pay.
    pub(super) losing: bool,
}

/// Where a node stands, for whoever orders its moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct OrderingPlace {
    pub(super) ply: usize,
    pub(super) previous: PreviousMoves,
}

/// The move lists of all nodes on the way to the current one.
#[derive(Debug)]
pub(crate) struct Picker<G: Game> {
    ranking: bool,
    stack: Vec<Candidate<G::Move>>,
    generated: Vec<G::Move>,
    promise: Vec<i32>,
}

impl<G: Game> Picker<G> {
    pub(super) fn new(ranking: bool) -> Picker<G> {
        Picker {
            ranking,
            stack: Vec::with_capacity(1 << 14),
            generated: Vec::with_capacity(1 << 10),
            promise: Vec::with_capacity(1 << 10),
        }
    }

    /// All moves of a node. Give them back to [`close`](Picker::close).
    #[inline]
    pub(super) fn open(
        &mut self,
        game: &G,
        p: &G::Position,
        is_table_move: impl Fn(&G::Position, G::Move) -> bool,
    ) -> Moves {
        self.generated.clear();
        game.generate(p, &mut self.generated);
        let mut moves = self.stacked();
        let listed = &mut self.stack[moves.all.clone()];
        if let Some(at) = listed.iter().position(|candidate| is_table_move(p, candidate.m)) {
            listed.swap(0, at);
            moves.stage = Stage::TableMove;
        }
        moves
    }

    /// The noisy moves of a node, and whether there are others.
    #[inline]
    pub(super) fn open_noisy(
        &mut self,
        game: &G,
        p: &G::Position,
        heuristics: &mut impl Tactics<G>,
    ) -> (Moves, bool) {
        self.generated.clear();
        let choice = heuristics.noisy_moves(game, p, &mut self.generated);
        (self.stacked(), choice)
    }

    #[inline]
    fn stacked(&mut self) -> Moves {
        let first = self.stack.len();
        let candidate =
            |&m| Candidate { score: 0, m, noisy: false, weighed: false, left_out: false };
        self.stack.extend(self.generated.iter().map(candidate));
        Moves {
            all: first..self.stack.len(),
            next: first,
            stage: Stage::Unranked,
            quiet: first,
            incomplete: false,
        }
    }

    /// The table's move, as long as it was not picked.
    #[inline]
    pub(super) fn table_move(&self, moves: &Moves) -> Option<G::Move> {
        (moves.stage == Stage::TableMove).then(|| self.stack[moves.next].m)
    }

    /// The best move of those left.
    #[inline]
    pub(super) fn next<H: MoveOrder<G> + Tactics<G>>(
        &mut self,
        moves: &mut Moves,
        game: &G,
        p: &G::Position,
        heuristics: &mut H,
        memory: &Memory,
        place: OrderingPlace,
    ) -> Option<Picked<G::Move>> {
        if moves.next == moves.all.end {
            return None;
        }
        if moves.stage == Stage::TableMove {
            moves.stage = Stage::Unranked;
            let candidate = &mut self.stack[moves.next];
            candidate.noisy = heuristics.is_noisy(game, p, candidate.m);
            moves.next += 1;
            let (m, noisy) = (candidate.m, candidate.noisy);
            return Some(Picked { m, noisy, doomed: false, losing: false });
        }
        if moves.stage == Stage::Unranked {
            self.split(moves, game, p, heuristics);
            self.rank(moves.next..moves.quiet, game, p, heuristics, memory, place);
        }
        loop {
            if moves.stage == Stage::Noisy && !self.has_promising(moves) {
                self.rank(moves.quiet..moves.all.end, game, p, heuristics, memory, place);
                self.keep_candidates(moves);
                moves.stage = Stage::Ranked;
            }
            if moves.next == moves.all.end {
                return None;
            }
            let best = self.best(moves);
            let candidate = &mut self.stack[best];
            if candidate.noisy && !candidate.weighed {
                candidate.weighed = true;
                if !heuristics.see_at_least(game, p, candidate.m, 0) {
                    candidate.score = LOSING + candidate.score / 2;
                    if moves.stage == Stage::Sorted {
                        self.sort(moves);
                    }
                    continue;
                }
            }
            let Candidate { score, m, noisy, .. } = *candidate;
            self.stack.swap(moves.next, best);
            moves.next += 1;
            let (doomed, losing) = (score == DOOMED, noisy && score < LOSING / 2);
            return Some(Picked { m, noisy, doomed, losing });
        }
    }

    /// Puts noisy moves first.
    fn split(
        &mut self,
        moves: &mut Moves,
        game: &G,
        p: &G::Position,
        heuristics: &mut impl Tactics<G>,
    ) {
        moves.stage = Stage::Noisy;
        moves.quiet = moves.next;
        for i in moves.next..moves.all.end {
            if heuristics.is_noisy(game, p, self.stack[i].m) {
                self.stack[i].noisy = true;
                self.stack.swap(i, moves.quiet);
                moves.quiet += 1;
            }
        }
    }

    /// Whether a noisy move is left that is not known to lose.
    fn has_promising(&self, moves: &Moves) -> bool {
        self.stack[moves.next..moves.quiet].iter().any(|candidate| candidate.score > LOSING / 2)
    }

    /// Forgets quiet moves that threaten nothing.
    pub(super) fn drop_idle(
        &mut self,
        moves: &mut Moves,
        game: &G,
        p: &G::Position,
        heuristics: &mut impl Tactics<G>,
    ) {
        let from = if moves.stage == Stage::Noisy { moves.quiet } else { moves.next };
        let mut kept = from;
        for i in from..moves.all.end {
            let m = self.stack[i].m;
            if heuristics.is_noisy(game, p, m) || heuristics.threatens(game, p, m) == Some(true) {
                self.stack.swap(kept, i);
                kept += 1;
            }
        }
        moves.all.end = kept;
    }

    /// Where the best of those left is.
    #[inline]
    fn best(&mut self, moves: &mut Moves) -> usize {
        if moves.stage == Stage::Ranked && moves.next - moves.all.start >= PICKED {
            self.sort(moves);
            moves.stage = Stage::Sorted;
        }
        if moves.stage == Stage::Sorted {
            return moves.next;
        }
        let (mut best, mut highest) = (moves.next, self.stack[moves.next].score);
        let end = if moves.stage == Stage::Noisy { moves.quiet } else { moves.all.end };
        for (i, candidate) in self.stack[..end].iter().enumerate().skip(moves.next + 1) {
            if candidate.score > highest {
                (best, highest) = (i, candidate.score);
            }
        }
        best
    }

    /// Unstable, since the stable sort allocates.
    fn sort(&mut self, moves: &Moves) {
        let left = &mut self.stack[moves.next..moves.all.end];
        left.sort_unstable_by_key(|candidate| Reverse(candidate.score));
    }

    /// Ranks some of the moves, all of them noisy or none.
    fn rank(
        &mut self,
        range: Range<usize>,
        game: &G,
        p: &G::Position,
        heuristics: &mut impl MoveOrder<G>,
        memory: &Memory,
        place: OrderingPlace,
    ) {
        let some = &mut self.stack[range];
        self.generated.clear();
        self.generated.extend(some.iter().map(|candidate| candidate.m));
        self.promise.clear();
        self.promise.resize(some.len(), 0);
        if self.ranking {
            heuristics.rank(game, p, &self.generated, &mut self.promise);
        }
        for (candidate, &promise) in some.iter_mut().zip(&self.promise) {
            let m = candidate.m;
            candidate.score = match promise {
                DOOMED | LEFT_OUT => promise,
                _ if candidate.noisy => promise * RANK,
                _ => {
                    let key = history_key(game, p, heuristics, memory, m);
                    promise * RANK + memory.regard(&key, &place.previous, place.ply)
                }
            };
        }
    }

    /// Forgets moves that the game finds hardly worth a look, as long as there are others.
    fn keep_candidates(&mut self, moves: &mut Moves) {
        let left = moves.next..moves.all.end;
        let worthy = |candidate: &Candidate<G::Move>| candidate.score > LEFT_OUT;
        let others = moves.next > moves.all.start || self.stack[left.clone()].iter().any(worthy);
        if !others || !self.promise.contains(&LEFT_OUT) {
            return;
        }
        let mut kept = moves.next;
        for i in left {
            if self.stack[i].score != LEFT_OUT {
                self.stack.swap(kept, i);
                kept += 1;
            }
        }
        (moves.all.end, moves.incomplete) = (kept, true);
    }

    /// The move that was picked last is not searched.
    #[inline]
    pub(super) fn leave_out(&mut self, moves: &Moves) {
        self.stack[moves.next - 1].left_out = true;
    }

    /// The quiet moves that were searched before the one that was picked last.
    pub(super) fn quiet_before(&self, moves: &Moves) -> impl Iterator<Item = G::Move> + '_ {
        let picked = &self.stack[moves.all.start..moves.next - 1];
        let tried = |candidate: &&Candidate<G::Move>| !candidate.noisy && !candidate.left_out;
        picked.iter().filter(tried).map(|candidate| candidate.m)
    }

    /// Forgets the moves of a node.
    #[inline]
    pub(super) fn close(&mut self, moves: &Moves) {
        self.stack.truncate(moves.all.start);
    }
}

/// A move as the memory knows it.
#[inline]
pub(super) fn history_key<G: Game>(
    game: &G,
    p: &G::Position,
    heuristics: &mut impl MoveOrder<G>,
    memory: &Memory,
    m: G::Move,
) -> HistoryKey {
    let counter_key =
        if memory.uses_counter_keys() { heuristics.counter_move_key(game, p, m) } else { 0 };
    HistoryKey { side: game.to_move(p), slot: game.slot(m), counter_key, code: game.code(m) }
}
