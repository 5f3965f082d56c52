//! The playing search: principal variations, a table, and guesses at which moves matter. It looks much
//! deeper than the classic searches in the same time, and so its values are opinions until they are
//! decided.
//!
//! What a game wants of it, it says in its [`Heuristics`]: noisy moves are searched beyond the horizon,
//! threats are answered a ply deeper, passing may show that a position is good enough, and quiet moves
//! that cannot help any more are left out. A game that says nothing gets none of it.
//!
//! **Invariant:** a won or lost value is never the result of a guess: what was left out counts as a score.

use game::{Game, Heuristics, Meaning, Recall, Value};

use crate::bounds::{Bound, Depth};
use crate::keys::Keys;
use crate::order::Moves;
use crate::table::Entry;
use crate::worker::Worker;

/// The first window around the value of the iteration before, in the game's own score.
const WINDOW: i32 = 32;
/// Shallower searches are too rash to be a guide.
const GUIDED_FROM: u32 = 4;

/// So many nodes may be spent on wins by threats at the root, for each depth twice as many; inside the
/// tree, for each ply of depth; and at the horizon.
const ROOT_THREATS: u64 = 200;
const INNER_THREATS: u64 = 10;
const HORIZON_THREATS: u64 = 10;

/// Below it only noisy moves are searched.
const HORIZON: Depth = Depth::new(0);

/// How a move is searched before it has shown that it deserves more: so many plies less.
fn reduction(depth: Depth, tried: usize) -> u32 {
    const FIRST_MOVES: usize = 3;
    const LATE_MOVES: usize = 10;
    if depth < Depth::new(3) || tried < FIRST_MOVES {
        return 0;
    }
    let late = tried >= LATE_MOVES && depth >= Depth::new(5);
    1 + u32::from(late) + u32::from(depth >= Depth::new(8))
}

/// Whether a position may be tested by passing: not twice in a row, which would prove nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Passing {
    Allowed,
    JustPassed,
}

/// The best value so far and its move; no move where a claim or a guess is better.
struct Best<M> {
    value: Value,
    m: Option<M>,
}

/// What became of a move.
enum Tried {
    /// A rule that looks back is against it.
    Forbidden,
    /// It is quiet, and so little cannot help.
    LeftOut(Value),
    Found(Value),
}

/// What is known of a node before its moves are tried.
struct Node {
    depth: Depth,
    ply: usize,
    alpha: Value,
    beta: Value,
    /// The side to move must answer something.
    threatened: bool,
    /// What no quiet move will exceed, if that is too little to try them.
    ceiling: Option<Value>,
}

impl<G: Game, H: Heuristics<G>, K: Keys<G>> Worker<'_, G, H, K> {
    /// The value of the root, looked for around that of the iteration before.
    pub(crate) fn playing(&mut self, depth: Depth, guess: Value) -> Value {
        let mut width = WINDOW;
        let guess = match guess.meaning() {
            Meaning::Score(score) if depth >= Depth::new(GUIDED_FROM) => Some(score),
            _ => None,
        };
        let (mut alpha, mut beta) = match guess {
            Some(score) => (Value::score(score - width), Value::score(score + width)),
            None => (-Value::INFINITY, Value::INFINITY),
        };
        loop {
            self.guesses = 0;
            self.look_back();
            let value = self.principal(depth, 0, alpha, beta, Passing::JustPassed);
            if self.expired() || (alpha < value && value < beta) {
                return value;
            }
            width = width.saturating_mul(4);
            let open = width > 1 << 12;
            match (value.meaning(), open) {
                (Meaning::Score(score), false) if value <= alpha => {
                    alpha = Value::score(score - width);
                }
                (Meaning::Score(score), false) => beta = Value::score(score + width),
                _ if value <= alpha => alpha = -Value::INFINITY,
                _ => beta = Value::INFINITY,
            }
        }
    }

    /// The value of the current position within the window.
    fn principal(
        &mut self,
        depth: Depth,
        ply: usize,
        alpha: Value,
        beta: Value,
        passing: Passing,
    ) -> Value {
        debug_assert!(alpha < beta);
        if let Some(value) = self.ended() {
            return value;
        }
        if ply > 0 && self.is_drawn_enough(alpha, beta) {
            return Value::DRAW;
        }
        if depth.is_horizon() {
            return self.quiet(ply, alpha, beta);
        }
        if self.expired() {
            return Value::DRAW;
        }

        // What is known already. On the principal variation a line is wanted, not just a value; and a
        // table knows nothing of the moves that led here.
        let tested = beta == alpha.succ();
        let (key, symmetry) = self.key();
        let known = self.look_up(key);
        if ply > 0
            && tested
            && self.is_fresh()
            && let Some(entry) = known
            && (entry.depth >= depth || entry.settled)
            && entry.bound.settles(entry.value, alpha, beta)
        {
            self.guesses += u64::from(!entry.settled);
            return entry.value;
        }

        if let Some((m, value)) = self.forced(depth, ply) {
            let (bound, code) = (Bound::Lower, self.keys.code(self.game, m, symmetry));
            self.remember(key, Entry { value, bound, depth, settled: true, code }, 1);
            return value;
        }

        let (nodes_before, guesses_before) = (self.nodes, self.guesses);
        let threatened = self.heuristics.must_answer(self.game, &self.p);
        let mut node = Node { depth, ply, alpha, beta, threatened, ceiling: None };
        if tested && !threatened && !alpha.is_decided() && !beta.is_decided() {
            let score = self.judge();
            if passing == Passing::Allowed
                && Value::score(score) >= beta
                && let Some(value) = self.pass(&node)
            {
                return value;
            }
            let hope = self.heuristics.hope(depth.raw() as u32);
            let most = hope.map(|hope| Value::score(score.saturating_add(hope)));
            node.ceiling = most.filter(|&most| most <= alpha);
        }

        let table_code = known.map(|entry| entry.code);
        let (game, keys) = (self.game, self.keys);
        let is_table_move =
            |m| table_code.is_some_and(|code| Entry::cut(keys.code(game, m, symmetry)) == code);
        let mut moves = self.open_moves(ply, is_table_move);
        let best = self.best_of(&node, &mut moves);
        self.order.close(&moves);
        if self.expired() {
            return Value::DRAW;
        }

        let bound = Bound::of(best.value, alpha, beta);
        let settled = self.settle(best.value, bound, guesses_before);
        let code = best.m.map_or(0, |m| self.keys.code(self.game, m, symmetry));
        let entry = Entry { value: best.value, bound, depth, settled, code };
        self.remember(key, entry, self.nodes - nodes_before);
        best.value
    }

    /// Tries the moves of a node, best first, until they are used up or one is good enough.
    fn best_of(&mut self, node: &Node, moves: &mut Moves) -> Best<G::Move> {
        let mut best = Best { value: self.claim().unwrap_or(-Value::INFINITY), m: None };
        // An only move decides nothing, and a threat hides what comes after it.
        let deeper = (node.threatened || moves.len() == 1) && self.may_extend(node.ply);
        let mut tried = 0;
        while best.value < node.beta
            && let Some((m, doomed)) = self.order.next(moves)
        {
            let floor = node.alpha.max(best.value);
            let value = if doomed && self.sees_doom(node.depth) {
                -Value::won_in(2)
            } else {
                let depth = if deeper { node.depth } else { node.depth.below() };
                match self.try_to(m, depth, tried, node, floor) {
                    Tried::Forbidden => continue,
                    Tried::LeftOut(most) => {
                        self.guesses += 1;
                        best.value = best.value.max(most);
                        continue;
                    }
                    Tried::Found(value) => value,
                }
            };
            tried += 1;
            if self.expired() {
                break;
            }
            if value > best.value {
                best = Best { value, m: Some(m) };
            }
            if value >= node.beta {
                self.order.refuted(self.game, m, node.ply, self.game.to_move(&self.p));
            }
            if node.ply == 0 {
                self.root_move_done(value, floor, m);
            }
        }
        if best.m.is_none() && best.value == -Value::INFINITY {
            best.value = self.over(self.game.stuck(&self.p));
        }
        if moves.are_incomplete() {
            self.guesses += 1;
            best.value = best.value.with_hope();
            if node.ply == 0 {
                self.root.best = self.root.best.or(best.m);
            }
        }
        best
    }

    /// A win that needs no search of moves. Looks harder where there is more to save.
    fn forced(&mut self, depth: Depth, ply: usize) -> Option<(G::Move, Value)> {
        let depth = depth.raw().min(8);
        let nodes = if ply == 0 { ROOT_THREATS << depth } else { INNER_THREATS * (depth + 1) };
        let win = self.forced_win(nodes);
        if let Some((m, value)) = win
            && ply == 0
        {
            self.root_move_done(value, -Value::INFINITY, m);
        }
        win
    }

    /// The value of a move: the first with the whole window, others with as little as shows that they are
    /// no better.
    fn try_to(
        &mut self,
        m: G::Move,
        depth: Depth,
        tried: usize,
        node: &Node,
        floor: Value,
    ) -> Tried {
        let mover = self.game.to_move(&self.p);
        let first = tried == 0;
        let noisy = self.heuristics.is_noisy(self.game, &self.p, m);
        let Some(undo) = self.enter(m) else {
            return Tried::Forbidden;
        };
        let quiet = !noisy
            && !node.threatened
            && !first
            && !self.heuristics.must_answer(self.game, &self.p);
        if let Some(most) = node.ceiling.filter(|_| quiet) {
            self.leave(m, undo);
            return Tried::LeftOut(most);
        }
        let less = if quiet { reduction(node.depth, tried) } else { 0 };
        let below = |worker: &mut Self, depth, beta| {
            worker.look_back();
            worker.after_move(mover, depth, node.ply + 1, floor, beta)
        };
        let next = floor.succ();
        let mut value = Value::INFINITY;
        if !first && less > 0 {
            value = below(self, depth.less(less), next);
        }
        if !first && value > floor {
            value = below(self, depth, next);
        }
        if first || (value > floor && value < node.beta) {
            value = below(self, depth, node.beta);
        }
        self.leave(m, undo);
        Tried::Found(value)
    }

    /// The value of a move within the window; `None` if a rule that looks back forbids it.
    pub(crate) fn try_playing(
        &mut self,
        m: G::Move,
        depth: Depth,
        ply: usize,
        alpha: Value,
        beta: Value,
    ) -> Option<Value> {
        let mover = self.game.to_move(&self.p);
        let undo = self.enter(m)?;
        let value = self.after_move(mover, depth.less(1), ply + 1, alpha, beta);
        self.leave(m, undo);
        Some(value)
    }

    /// The value of the current position for the side that has just moved.
    #[inline]
    fn after_move(
        &mut self,
        mover: game::Side,
        depth: Depth,
        ply: usize,
        alpha: Value,
        beta: Value,
    ) -> Value {
        let (alpha, beta) = (alpha.handed_down(), beta.handed_down());
        let value = if G::ALTERNATES || self.game.to_move(&self.p) != mover {
            -self.principal(depth, ply, -beta, -alpha, Passing::Allowed)
        } else {
            self.principal(depth, ply, alpha, beta, Passing::Allowed)
        };
        value.backed_up()
    }

    /// If even who passes is too well off, the position is good enough (null move).
    fn pass(&mut self, node: &Node) -> Option<Value> {
        const LESS: u32 = 3;
        const LEAST: Depth = Depth::new(1);
        if node.depth < Depth::new(LESS) {
            return None;
        }
        let next = self.heuristics.passed(self.game, &self.p)?;
        let before = self.enter_instead(next);
        // One ply at least, to see a threat that quiet moves make.
        let depth = node.depth.less(LESS + node.depth.raw() as u32 / 4).max(LEAST);
        let (alpha, beta) = (node.beta.pred(), node.beta);
        let value = -self.principal(depth, node.ply + 1, -beta, -alpha, Passing::JustPassed);
        self.leave_instead(before);
        self.guesses += 1;
        // A win that begins with a pass is none.
        (value >= beta).then(|| if value.is_decided() { beta } else { value })
    }

    /// Beyond the horizon: only noisy moves, until it is quiet. Who has nothing else, or must answer a
    /// threat, cannot stand still.
    fn quiet(&mut self, ply: usize, alpha: Value, beta: Value) -> Value {
        if let Some(value) = self.stuck_here() {
            return value;
        }
        if let Some((_, value)) = self.forced_win(HORIZON_THREATS) {
            return value;
        }
        self.guesses += 1;
        let stand = self.claim().map_or(self.stand(), |claim| claim.max(self.stand()));
        if !H::QUIESCES || !self.may_extend(ply) || self.expired() {
            return stand;
        }
        let threatened = self.heuristics.must_answer(self.game, &self.p);
        let mut moves = self.open_moves(ply, |_| false);
        let (game, p, heuristics) = (self.game, &self.p, &mut self.heuristics);
        let choice = !threatened && self.order.any(&moves, |m| !heuristics.is_noisy(game, p, m));
        let mut best = if choice { stand } else { self.claim().unwrap_or(-Value::INFINITY) };
        while best < beta
            && let Some((m, _)) = self.order.next(&mut moves)
        {
            if choice && !self.heuristics.is_noisy(self.game, &self.p, m) {
                continue;
            }
            let floor = alpha.max(best);
            let Some(value) = self.try_playing(m, HORIZON, ply, floor, beta) else { continue };
            if self.expired() {
                break;
            }
            best = best.max(value);
        }
        self.order.close(&moves);
        if best == -Value::INFINITY { stand } else { best }
    }

    /// What the heuristics say of the current position.
    #[inline]
    fn stand(&mut self) -> Value {
        Value::score(self.judge())
    }

    /// Lines may become twice as long as the depth that was asked for, and a little longer.
    #[inline]
    fn may_extend(&self, ply: usize) -> bool {
        ply < 2 * self.root.depth.raw() as usize + 16
    }

    /// Whether the rules that look back have nothing to say here.
    #[inline]
    fn is_fresh(&self) -> bool {
        self.recall() == Recall::Fresh
    }

    /// The moves that the table holds best from the root on.
    pub(crate) fn table_line(&mut self, best: G::Move) -> Vec<G::Move> {
        let mut line = Vec::new();
        let mut undos = Vec::new();
        let mut next = Some(best);
        while let Some(m) = next.filter(|_| line.len() < self.root.depth.raw() as usize) {
            let Some(undo) = self.enter(m) else { break };
            line.push(m);
            undos.push(undo);
            next = if self.ended().is_some() { None } else { self.table_move() };
        }
        for (&m, undo) in line.iter().zip(undos).rev() {
            self.leave(m, undo);
        }
        line
    }

    fn table_move(&self) -> Option<G::Move> {
        let (key, symmetry) = self.key();
        let code = self.look_up(key)?.code;
        let moves = game::moves_of(self.game, &self.p);
        moves.into_iter().find(|&m| Entry::cut(self.keys.code(self.game, m, symmetry)) == code)
    }
}
