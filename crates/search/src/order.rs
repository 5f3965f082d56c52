//! Which move to try first: the table's, then what the game ranks high, killers, history.

use std::cmp::Reverse;
use std::hint::select_unpredictable;
use std::ops::Range;

use evaluation::{DOOMED, LEFT_OUT, Proofs};
use game::{Game, Side};

use crate::settings::Techniques;

const TABLE_MOVE: i32 = i32::MAX;
/// What a search has learnt decides between moves that the game ranks much the same.
const KILLERS: [i32; 2] = [100, 90];
#[cfg(feature = "study")]
const HISTORY_LIMIT: u32 = 1 << 14;
const HISTORY_SHARE: u32 = 1 << 8;
/// Longer lists are sorted at once; in shorter ones the best is picked when it is needed.
const SORT_ABOVE: usize = 32;

#[derive(Clone, Copy, Debug)]
struct Scored<M> {
    score: i32,
    m: M,
}

/// The moves of one node, as places in the stack.
#[derive(Debug)]
pub(crate) struct Moves {
    first: usize,
    left: Range<usize>,
    sorted: bool,
}

impl Moves {
    /// How many are left to try.
    pub(crate) fn len(&self) -> usize {
        self.left.len()
    }
}

/// The move lists of all nodes on the way to the current one, and the memory that orders them.
#[derive(Debug)]
pub(crate) struct Order<G: Game> {
    techniques: Techniques,
    stack: Vec<Scored<G::Move>>,
    generated: Vec<G::Move>,
    promise: Vec<i32>,
    /// By ply, codes of the last two moves that refuted the position before them.
    killers: Vec<[Option<u32>; 2]>,
    /// By side and slot, how much a move has refuted.
    history: [Vec<u32>; 2],
}

impl<G: Game> Order<G> {
    pub(crate) fn new(game: &G, techniques: Techniques) -> Order<G> {
        let slots = if techniques.history { game.slots() } else { 0 };
        Order {
            techniques,
            stack: Vec::with_capacity(1 << 14),
            generated: Vec::with_capacity(1 << 10),
            promise: Vec::with_capacity(1 << 10),
            killers: Vec::with_capacity(1 << 10),
            history: [vec![0; slots], vec![0; slots]],
        }
    }

    /// Generates the moves of a node. Give them back to [`close`](Order::close).
    #[inline]
    pub(crate) fn open(
        &mut self,
        game: &G,
        p: &G::Position,
        ply: usize,
        heuristics: &mut impl Proofs<G>,
        is_table_move: impl Fn(&G::Position, G::Move) -> bool,
    ) -> Moves {
        self.generate(game, p, heuristics);
        self.open_generated(game, p, ply, is_table_move)
    }

    /// The moves of a node, not yet ordered.
    #[inline]
    pub(crate) fn generate(&mut self, game: &G, p: &G::Position, heuristics: &mut impl Proofs<G>) {
        self.generated.clear();
        game.generate(p, &mut self.generated);
        self.promise.clear();
        self.promise.resize(self.generated.len(), 0);
        if self.techniques.ranking {
            heuristics.rank(game, p, &self.generated, &mut self.promise);
        }
    }

    /// Looks at a node for a search that only asks whether the attacker wins. If that is not clear,
    /// the moves to try wait for [`open_generated`](Order::open_generated).
    #[cfg(feature = "study")]
    #[inline]
    pub(crate) fn examine(
        &mut self,
        game: &G,
        p: &G::Position,
        attacker: Side,
        heuristics: &mut impl Proofs<G>,
    ) -> evaluation::Examination {
        if self.techniques.ranking && self.techniques.bounds {
            self.generated.clear();
            self.promise.clear();
            let (moves, promise) = (&mut self.generated, &mut self.promise);
            return heuristics.examine(game, p, attacker, moves, promise);
        }
        if self.techniques.bounds && !heuristics.can_win(game, p, attacker) {
            return evaluation::Examination { wins: Some(false), name: None };
        }
        self.generate(game, p, heuristics);
        evaluation::Examination::default()
    }

    /// Orders the moves that were generated last.
    #[inline]
    pub(crate) fn open_generated(
        &mut self,
        game: &G,
        p: &G::Position,
        ply: usize,
        is_table_move: impl Fn(&G::Position, G::Move) -> bool,
    ) -> Moves {
        let side = game.to_move(p);
        let first = self.stack.len();
        for i in 0..self.generated.len() {
            let m = self.generated[i];
            let score = match self.promise[i] {
                DOOMED => DOOMED,
                _ if is_table_move(p, m) => TABLE_MOVE,
                LEFT_OUT => LEFT_OUT,
                promise => promise + self.memory(game, m, ply, side),
            };
            self.stack.push(Scored { score, m });
        }
        let end = self.stack.len();
        let sorted = end - first > SORT_ABOVE;
        if sorted {
            // Unstable, since the stable sort allocates.
            self.stack[first..end].sort_unstable_by_key(|scored| Reverse(scored.score));
        }
        Moves { first, left: first..end, sorted }
    }

    /// One of the moves left to try.
    #[cfg(feature = "study")]
    pub(crate) fn nth(&self, moves: &Moves, nth: usize) -> G::Move {
        self.stack[moves.left.start + nth].m
    }

    /// Scores one of the moves left to try anew, unless the table knows it.
    #[cfg(feature = "study")]
    pub(crate) fn judge(&mut self, moves: &mut Moves, nth: usize, score: i32) {
        let scored = &mut self.stack[moves.left.start + nth];
        if scored.score != TABLE_MOVE {
            scored.score = score;
        }
        moves.sorted = false;
    }

    /// The best move of those left, and whether it is doomed.
    #[inline]
    pub(crate) fn next(&mut self, moves: &mut Moves) -> Option<(G::Move, bool)> {
        let at = moves.left.next()?;
        if !moves.sorted {
            let left = &self.stack[at..moves.left.end];
            let (mut best, mut highest) = (0, left[0].score);
            for (i, scored) in left.iter().enumerate().skip(1) {
                best = select_unpredictable(scored.score > highest, i, best);
                highest = highest.max(scored.score);
            }
            self.stack.swap(at, at + best);
        }
        let Scored { score, m } = self.stack[at];
        Some((m, score == DOOMED))
    }

    /// All moves of a node in their order, those tried already first.
    #[cfg(feature = "study")]
    pub(crate) fn all(&mut self, moves: &mut Moves) -> Vec<G::Move> {
        while self.next(moves).is_some() {}
        self.stack[moves.first..moves.left.end].iter().map(|scored| scored.m).collect()
    }

    /// Forgets the moves of a node.
    #[inline]
    pub(crate) fn close(&mut self, moves: &Moves) {
        self.stack.truncate(moves.first);
    }

    /// A move was good enough to stop looking at its siblings.
    #[cfg(feature = "study")]
    #[inline]
    pub(crate) fn refuted(&mut self, game: &G, m: G::Move, ply: usize, side: Side) {
        if self.techniques.killers {
            if self.killers.len() <= ply {
                self.killers.resize(ply + 1, [None; 2]);
            }
            let code = Some(game.code(m));
            let killers = &mut self.killers[ply];
            if killers[0] != code {
                *killers = [code, killers[0]];
            }
        }
        if self.techniques.history {
            let history = &mut self.history[side.index()];
            let entry = &mut history[game.slot(m)];
            // Near the root a refutation is rare and says much.
            *entry += 1 + 256 / (ply as u32 + 1);
            if *entry > HISTORY_LIMIT {
                history.iter_mut().for_each(|h| *h /= 2);
            }
        }
    }

    #[inline]
    fn memory(&self, game: &G, m: G::Move, ply: usize, side: Side) -> i32 {
        let mut score = 0;
        if self.techniques.killers
            && let Some(killers) = self.killers.get(ply)
            && let Some(i) = killers.iter().position(|&k| k == Some(game.code(m)))
        {
            score += KILLERS[i];
        }
        if self.techniques.history {
            score += (self.history[side.index()][game.slot(m)] / HISTORY_SHARE) as i32;
        }
        score
    }
}
