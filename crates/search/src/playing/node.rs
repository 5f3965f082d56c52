//! A node of the tree: what is known of it, what can be cut off, and its moves one after the other.

use evaluation::{Proofs, Tactics};
use game::{Game, Value};

use super::attempt::{Attempt, Tried};
use super::cuts::NEAR_ROOT;
use super::picker::{Moves, OrderingPlace, Picked, history_key};
use super::{NullMove, Playing, is_score};
use crate::bounds::{Bound, Depth};
use crate::search_line::SearchLine;
use crate::table::Entry;

/// So many nodes may be spent on wins by threats at the root, for each depth twice as many up to a
/// few thousand, since nobody looks at the clock meanwhile; inside the tree, for each ply of depth;
/// and at the horizon.
const ROOT_THREATS: u64 = 200;
const MOST_DOUBLINGS: u64 = 5;
const INNER_THREATS: u64 = 10;
pub(super) const HORIZON_THREATS: u64 = 10;
/// And near the root, where a position was found to be bad for the side to move: before it is
/// believed.
const CHECKED_THREATS: u64 = 1000;

/// The best value so far and its move; no move where a claim or a guess is better.
struct Best<M> {
    value: Value,
    m: Option<M>,
}

/// What is known of a node before its moves are tried.
pub(super) struct Node {
    pub(super) depth: Depth,
    pub(super) ply: usize,
    pub(super) alpha: Value,
    pub(super) beta: Value,
    /// Only whether it is good enough is asked.
    pub(super) tested: bool,
    /// The side to move must answer something.
    pub(super) threatened: bool,
    /// It is better off than before.
    pub(super) improves: bool,
    /// What the evaluation says, or better the table.
    pub(super) score: Option<i32>,
    /// How much deeper the table's move is searched, which alone is good enough.
    pub(super) singular: u32,
}

impl<G: Game, H: Tactics<G> + Proofs<G>> Playing<'_, G, H> {
    /// The value of the current position within the window.
    pub(super) fn search_node(
        &mut self,
        mut depth: Depth,
        ply: usize,
        alpha: Value,
        beta: Value,
        null_move: NullMove,
    ) -> Value {
        debug_assert!(alpha < beta);
        if let Some(value) = self.cx.ended() {
            return value;
        }
        self.cx.deepest = self.cx.deepest.max(ply);
        self.reserve(ply + 2);

        // Draws: a side that would have to win no longer can, or the position was there before.
        if ply > 0 && self.cx.is_drawn_enough(alpha, beta) {
            return Value::DRAW;
        }
        if ply > 0 && self.cx.line.repeats() {
            self.cx.guesses += 1;
            return Value::DRAW;
        }

        // Quiescence search.
        if depth.is_horizon() {
            return self.quiescence(ply, alpha, beta);
        }
        if self.cx.expired() {
            return Value::DRAW;
        }

        // Transposition table. On the principal variation a line is wanted, not just a value; and a
        // table knows nothing of the moves that led here.
        let tested = beta == alpha.succ();
        let without = self.plies[ply].without;
        let (key, symmetry) = self.cx.key();
        let known = self.cx.look_up(key);
        if ply > 0
            && tested
            && without.is_none()
            && self.is_fresh()
            && let Some(entry) = known
            && (entry.depth >= depth || entry.settled)
            && entry.bound.settles(entry.value, alpha, beta)
        {
            self.cx.guesses += u64::from(!entry.settled);
            return entry.value;
        }

        // Wins by threats.
        if without.is_none()
            && let Some((m, value)) = self.threat_search(depth, ply)
        {
            let (bound, code) = (Bound::Lower, self.cx.code(m, symmetry));
            self.cx.remember(key, Entry { value, bound, depth, settled: true, code }, 1);
            return value;
        }

        // Internal iterative reduction: a position that nobody has looked at is worth a cheaper
        // look first.
        if known.is_none() && ply > 0 && self.cx.has_table() && depth >= Depth::new(4) {
            depth = depth.less(1);
        }

        // Reverse futility and null-move pruning.
        let (nodes_before, guesses_before) = (self.cx.budget.nodes, self.cx.guesses);
        let mut node = self.evaluate_node(known, depth, ply, alpha, beta);
        if tested
            && without.is_none()
            && let Some(value) = self.prune_node(&node, null_move)
        {
            return value;
        }
        if self.cx.expired() {
            return Value::DRAW;
        }
        let table_code = known.map(|entry| entry.code);
        let (game, names) = (self.cx.line.game, self.cx.names);
        let is_table_move = |p: &_, m| {
            table_code.is_some_and(|code| Entry::cut(names.code(game, p, m, symmetry)) == code)
        };
        let mut moves = self.picker.open(game, &self.cx.line.p, is_table_move);
        self.cx.count_moves(ply, moves.len());
        // Mate distance: where there is a move, nothing is worth more than to win with it.
        if alpha >= Value::WON_NEXT && moves.len() > 0 {
            self.picker.close(&moves);
            return alpha;
        }
        // Singular extension and multi-cut.
        if let Some(entry) = known
            && without.is_none()
            && let Some(m) = self.picker.table_move(&moves)
        {
            match self.singular(&node, entry, m) {
                Ok(plies) => node.singular = plies,
                Err(value) => {
                    self.picker.close(&moves);
                    return value;
                }
            }
        }
        let mut best = self.best_of(&node, &mut moves);
        self.picker.close(&moves);
        if self.cx.expired() {
            return Value::DRAW;
        }
        // What was found good for the other side becomes its choice: a harder look is worth it.
        if (1..=NEAR_ROOT).contains(&ply)
            && without.is_none()
            && best.value < beta
            && is_score(best.value)
            && let Some((m, value)) = self.cx.forced_win(CHECKED_THREATS)
        {
            best = Best { value, m: Some(m) };
        }

        let bound = Bound::of(best.value, alpha, beta);
        let settled = self.cx.settle(best.value, bound, guesses_before);
        if without.is_none() {
            let code = best.m.map(|m| self.cx.code(m, symmetry));
            let code = code.or(table_code).unwrap_or(0);
            let entry = Entry { value: best.value, bound, depth, settled, code };
            self.cx.remember(key, entry, self.cx.budget.nodes - nodes_before);
        }
        best.value
    }

    /// Tries the moves of a node, best first, until they are used up or one is good enough.
    fn best_of(&mut self, node: &Node, moves: &mut Moves) -> Best<G::Move> {
        let mut best = Best { value: self.cx.line.claim().unwrap_or(-Value::INFINITY), m: None };
        let place = OrderingPlace { ply: node.ply, previous: self.previous_moves(node.ply) };
        let without = self.plies[node.ply].without;
        // An only move decides nothing.
        let only = moves.len() == 1;
        let (mut tried, mut forcing_only) = (0, false);
        while best.value < node.beta {
            if !forcing_only
                && let Some(most) = self.quiet_moves_hardly_help(node, best.value, tried)
            {
                forcing_only = true;
                self.picker.drop_idle(
                    moves,
                    self.cx.line.game,
                    &self.cx.line.p,
                    &mut self.cx.line.heuristics,
                );
                self.cx.guesses += 1;
                best.value = best.value.max(most);
                continue;
            }
            let Some(picked) = self.pick(moves, place) else { break };
            let m = picked.m;
            if without.is_some_and(|code| code == self.cx.line.game.code(m)) {
                continue;
            }
            let floor = node.alpha.max(best.value);
            let value = if picked.doomed && self.cx.sees_doom(node.depth) {
                -Value::won_in(2)
            } else {
                let attempt =
                    Attempt { previous: place.previous, floor, best: best.value, tried, only };
                match self.try_to(&picked, node, &attempt) {
                    Tried::Forbidden => continue,
                    Tried::LeftOut(most) => {
                        self.picker.leave_out(moves);
                        self.cx.guesses += 1;
                        best.value = best.value.max(most);
                        continue;
                    }
                    Tried::Found(value) => value,
                }
            };
            tried += 1;
            if self.cx.expired() {
                break;
            }
            if value > best.value {
                best = Best { value, m: Some(m) };
            }
            if value >= node.beta && !picked.noisy {
                self.learn(m, moves, node, &place);
            }
            if node.ply == 0 {
                self.cx.root_move_done(value, floor, m);
            }
        }
        if best.m.is_none() && best.value == -Value::INFINITY {
            let nothing_else = without.map(|_| node.alpha);
            best.value = nothing_else.unwrap_or_else(|| self.cx.line.stuck());
        }
        if moves.are_incomplete() {
            self.cx.guesses += 1;
            best.value = best.value.with_hope();
            if node.ply == 0 {
                self.cx.root.best = self.cx.root.best.or(best.m);
            }
        }
        best
    }

    /// A win that needs no search of moves. Looks harder where there is more to save.
    fn threat_search(&mut self, depth: Depth, ply: usize) -> Option<(G::Move, Value)> {
        let depth = depth.raw().min(8);
        let nodes = match ply {
            0 => ROOT_THREATS << depth.min(MOST_DOUBLINGS),
            _ => INNER_THREATS * (depth + 1),
        };
        let win = self.cx.forced_win(nodes);
        if let Some((m, value)) = win
            && ply == 0
        {
            self.cx.root_move_done(value, -Value::INFINITY, m);
        }
        win
    }

    /// The next move to try.
    #[inline]
    pub(super) fn pick(
        &mut self,
        moves: &mut Moves,
        place: OrderingPlace,
    ) -> Option<Picked<G::Move>> {
        let Playing { cx, picker, memory, .. } = self;
        let SearchLine { game, p, heuristics, .. } = &mut cx.line;
        picker.next(moves, game, p, heuristics, memory, place)
    }

    /// A quiet move refuted the position, and those tried before it did not.
    fn learn(&mut self, m: G::Move, moves: &Moves, node: &Node, place: &OrderingPlace) {
        let Playing { cx, memory, picker, .. } = self;
        let SearchLine { game, p, heuristics, .. } = &mut cx.line;
        let good = history_key(*game, p, heuristics, memory, m);
        memory.refuted(&good, &place.previous, node.ply, node.depth);
        for other in picker.quiet_before(moves) {
            let bad = history_key(*game, p, heuristics, memory, other);
            memory.failed(&bad, &place.previous, node.depth);
        }
    }
}
