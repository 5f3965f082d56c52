//! The playing search: principal variations, a table, and guesses at which moves matter. It looks much
//! deeper than the classic searches in the same time: its values are opinions until they are decided.
//!
//! What a game wants of it, it says in its [`Tactics`]: noisy moves are searched beyond the horizon,
//! threats are seen, passing may show that a position is good enough, and where the evaluation has
//! [margins](Tactics::MARGINS), what cannot help any more is left out. A game that says nothing gets none
//! of it; every game gets late moves searched less deeply first.
//!
//! `mod` is a node and its moves, `candidates` which of them matter at the root, `cuts` what is decided before a
//! move is tried, `quiet` what lies beyond the horizon, `picker` and `memory` the order of the moves, `reductions`
//! how late is late, `line` what is shown of it.
//!
//! **Invariant:** a won or lost value is never the result of a guess: moves are left out only beside one that
//! has a score, and guesses are scores.

mod candidates;
mod cuts;
mod line;
mod memory;
mod picker;
mod quiet;
mod reductions;
mod state;

use evaluation::{Proofs, Tactics};
use game::{Game, Meaning, Recall, Side, Value};

use self::cuts::NEAR_ROOT;
use self::memory::Lately;
use self::picker::{Moves, Picked, Place, trace};
use self::reductions::late_after;
pub(crate) use self::state::State;
use crate::bounds::{Bound, Depth};
use crate::table::Entry;
use crate::worker::Worker;

/// The first window around the value of the iteration before, in the game's own score.
const WINDOW: i32 = 20;
/// Shallower searches are too rash to be a guide.
const GUIDED_FROM: u32 = 4;

/// So many nodes may be spent on wins by threats at the root, for each depth twice as many up to a few
/// thousand, since nobody looks at the clock meanwhile; inside the tree, for each ply of depth; and at the horizon.
const ROOT_THREATS: u64 = 200;
const MOST_DOUBLINGS: u64 = 5;
const INNER_THREATS: u64 = 10;
const HORIZON_THREATS: u64 = 10;
/// And near the root, where a position was found to be bad for the side to move: before it is believed.
const CHECKED_THREATS: u64 = 1000;

/// Below it only noisy moves are searched.
const HORIZON: Depth = Depth::new(0);

/// Late moves are searched less deeply from here on.
const REDUCED_FROM: Depth = Depth::new(3);
/// Moves are left out up to here.
const LEFT_OUT_TO: Depth = Depth::new(8);
/// Quiet moves are left out up to here where the position is too bad for them to help.
const FUTILE_TO: i32 = 6;
/// So much history is worth a ply.
const HISTORY_PLY: i32 = 10_000;
/// A quiet move with so little history in a ply is left out.
const BAD_HISTORY: i32 = 5_000;

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
    /// It can hardly help: the most that it may be worth.
    LeftOut(Value),
    Found(Value),
}

/// What is known of a node before its moves are tried.
struct Node {
    depth: Depth,
    ply: usize,
    alpha: Value,
    beta: Value,
    /// Only whether it is good enough is asked.
    tested: bool,
    /// The side to move must answer something.
    threatened: bool,
    /// It is better off than before.
    improves: bool,
    /// What the evaluation says, or better the table.
    score: Option<i32>,
    /// How much deeper the table's move is searched, which alone is good enough.
    singular: u32,
}

/// A move about to be tried.
struct Attempt {
    lately: Lately,
    /// What it must exceed, and the best value so far.
    floor: Value,
    best: Value,
    /// How many were tried before.
    tried: usize,
    /// There is no other move.
    only: bool,
}

/// What is known of a move before it is tried.
#[derive(Clone, Copy)]
struct Manner {
    /// How good it has been elsewhere.
    history: i32,
    /// It must be answered.
    threatens: bool,
}

/// Whether moves may be left out: near the horizon, beside one that has a score.
#[inline]
fn may_leave_out(node: &Node, best: Value, floor: Value, tried: usize) -> bool {
    node.ply >= NEAR_ROOT
        && node.depth <= LEFT_OUT_TO
        && tried > 0
        && is_score(best)
        && is_score(floor)
}

/// Whether a value is an opinion or a draw.
#[inline]
fn is_score(value: Value) -> bool {
    matches!(value.meaning(), Meaning::Score(_))
}

impl<G: Game, H: Tactics<G> + Proofs<G>> Worker<'_, G, H> {
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
        self.prepare(depth);
        loop {
            self.guesses = 0;
            self.look_back();
            let value = self.principal(depth, 0, alpha, beta, Passing::JustPassed);
            if self.expired() || (alpha < value && value < beta) {
                return value;
            }
            width = width.saturating_mul(3);
            let open = width > 1 << 11;
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

    /// Makes room for lines of a search of this depth, and looks at the root.
    pub(crate) fn prepare(&mut self, depth: Depth) {
        self.play.reserve(3 * depth.raw() as usize + 32);
        self.play.plies[0].threatened = self.heuristics.must_answer(self.game, &self.p);
    }

    /// The value of the current position within the window.
    fn principal(
        &mut self,
        mut depth: Depth,
        ply: usize,
        alpha: Value,
        beta: Value,
        passing: Passing,
    ) -> Value {
        debug_assert!(alpha < beta);
        if let Some(value) = self.ended() {
            return value;
        }
        self.deepest = self.deepest.max(ply);
        self.play.reserve(ply + 2);
        if ply > 0 && self.is_drawn_enough(alpha, beta) {
            return Value::DRAW;
        }
        if ply > 0 && self.repeats() {
            self.guesses += 1;
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
        let without = self.play.plies[ply].without;
        let (key, symmetry) = self.key();
        let known = self.look_up(key);
        if ply > 0
            && tested
            && without.is_none()
            && self.is_fresh()
            && let Some(entry) = known
            && (entry.depth >= depth || entry.settled)
            && entry.bound.settles(entry.value, alpha, beta)
        {
            self.guesses += u64::from(!entry.settled);
            return entry.value;
        }

        if without.is_none()
            && let Some((m, value)) = self.forced(depth, ply)
        {
            let (bound, code) = (Bound::Lower, self.names.code(self.game, &self.p, m, symmetry));
            self.remember(key, Entry { value, bound, depth, settled: true, code }, 1);
            return value;
        }

        // A position that nobody has looked at is worth a cheaper look first.
        if known.is_none() && ply > 0 && self.has_table() && depth >= Depth::new(4) {
            depth = depth.less(1);
        }
        let (nodes_before, guesses_before) = (self.nodes, self.guesses);
        let mut node = self.survey(known, depth, ply, alpha, beta);
        if tested
            && without.is_none()
            && let Some(value) = self.cut(&node, passing)
        {
            return value;
        }
        if self.expired() {
            return Value::DRAW;
        }
        let table_code = known.map(|entry| entry.code);
        let (game, names) = (self.game, self.names);
        let is_table_move = |p: &_, m| {
            table_code.is_some_and(|code| Entry::cut(names.code(game, p, m, symmetry)) == code)
        };
        let mut moves = self.play.picker.open(game, &self.p, is_table_move);
        self.count_moves(ply, moves.len());
        // Where there is a move, nothing is worth more than to win with it.
        if alpha >= Value::WON_NEXT && moves.len() > 0 {
            self.play.picker.close(&moves);
            return alpha;
        }
        if let Some(entry) = known
            && without.is_none()
            && let Some(m) = self.play.picker.table_move(&moves)
        {
            match self.singular(&node, entry, m) {
                Ok(plies) => node.singular = plies,
                Err(value) => {
                    self.play.picker.close(&moves);
                    return value;
                }
            }
        }
        let mut best = self.best_of(&node, &mut moves);
        self.play.picker.close(&moves);
        if self.expired() {
            return Value::DRAW;
        }
        // What was found good for the other side becomes its choice: a harder look is worth it.
        if (1..=NEAR_ROOT).contains(&ply)
            && without.is_none()
            && best.value < beta
            && is_score(best.value)
            && let Some((m, value)) = self.forced_win(CHECKED_THREATS)
        {
            best = Best { value, m: Some(m) };
        }

        let bound = Bound::of(best.value, alpha, beta);
        let settled = self.settle(best.value, bound, guesses_before);
        if without.is_none() {
            let code = best.m.map(|m| self.names.code(self.game, &self.p, m, symmetry));
            let code = code.or(table_code).unwrap_or(0);
            let entry = Entry { value: best.value, bound, depth, settled, code };
            self.remember(key, entry, self.nodes - nodes_before);
        }
        best.value
    }

    /// Tries the moves of a node, best first, until they are used up or one is good enough.
    fn best_of(&mut self, node: &Node, moves: &mut Moves) -> Best<G::Move> {
        let mut best = Best { value: self.claim().unwrap_or(-Value::INFINITY), m: None };
        let place = Place { ply: node.ply, lately: self.play.lately(node.ply) };
        let without = self.play.plies[node.ply].without;
        // An only move decides nothing.
        let only = moves.len() == 1;
        let (mut tried, mut forcing_only) = (0, false);
        while best.value < node.beta {
            if !forcing_only
                && let Some(most) = self.idle_moves_hardly_help(node, best.value, tried)
            {
                forcing_only = true;
                self.play.picker.drop_idle(moves, self.game, &self.p, &mut self.heuristics);
                self.guesses += 1;
                best.value = best.value.max(most);
                continue;
            }
            let Some(picked) = self.pick(moves, place) else { break };
            let m = picked.m;
            if without.is_some_and(|code| code == self.game.code(m)) {
                continue;
            }
            let floor = node.alpha.max(best.value);
            let value = if picked.doomed && self.sees_doom(node.depth) {
                -Value::won_in(2)
            } else {
                let attempt =
                    Attempt { lately: place.lately, floor, best: best.value, tried, only };
                match self.try_to(&picked, node, &attempt) {
                    Tried::Forbidden => continue,
                    Tried::LeftOut(most) => {
                        self.play.picker.leave_out(moves);
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
            if value >= node.beta && !picked.noisy {
                self.learn(m, moves, node, &place);
            }
            if node.ply == 0 {
                self.root_move_done(value, floor, m);
            }
        }
        if best.m.is_none() && best.value == -Value::INFINITY {
            let nothing_else = without.map(|_| node.alpha);
            best.value = nothing_else.unwrap_or_else(|| self.over(self.game.stuck(&self.p)));
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
        let nodes = match ply {
            0 => ROOT_THREATS << depth.min(MOST_DOUBLINGS),
            _ => INNER_THREATS * (depth + 1),
        };
        let win = self.forced_win(nodes);
        if let Some((m, value)) = win
            && ply == 0
        {
            self.root_move_done(value, -Value::INFINITY, m);
        }
        win
    }

    /// The next move to try.
    #[inline]
    fn pick(&mut self, moves: &mut Moves, place: Place) -> Option<Picked<G::Move>> {
        let State { picker, memory, .. } = &mut self.play;
        picker.next(moves, self.game, &self.p, &mut self.heuristics, memory, place)
    }

    /// A quiet move refuted the position, and those tried before it did not.
    fn learn(&mut self, m: G::Move, moves: &Moves, node: &Node, place: &Place) {
        let State { memory, picker, .. } = &mut self.play;
        let (game, p, heuristics) = (self.game, &self.p, &mut self.heuristics);
        let good = trace(game, p, heuristics, memory, m);
        memory.refuted(&good, &place.lately, node.ply, node.depth);
        for other in picker.quiet_before(moves) {
            let bad = trace(game, p, heuristics, memory, other);
            memory.failed(&bad, &place.lately, node.depth);
        }
    }

    /// The value of a move: the first with the whole window, others with as little as shows that they are
    /// no better.
    fn try_to(&mut self, picked: &Picked<G::Move>, node: &Node, attempt: &Attempt) -> Tried {
        let &Picked { m, noisy, .. } = picked;
        let (game, p, heuristics) = (self.game, &self.p, &mut self.heuristics);
        let mover = game.to_move(p);
        let trace = trace(game, p, heuristics, &self.play.memory, m);
        let history = if noisy { 0 } else { self.play.memory.history(&trace, &attempt.lately) };
        let foreseen = heuristics.threatens(game, p, m);
        let manner = Manner { history, threatens: foreseen == Some(true) };
        if let Some(most) = self.hardly_helps(picked, node, attempt, manner) {
            return Tried::LeftOut(most);
        }
        // A threat hides what comes after it, whether it is made or answered, and an only move decides nothing.
        let hides = match foreseen {
            Some(threatens) => threatens && self.heuristics.see_at_least(self.game, &self.p, m, 0),
            None => node.threatened,
        };
        let deeper = (attempt.only || hides) && self.may_extend(node.ply);
        let Some(undo) = self.enter(m) else {
            return Tried::Forbidden;
        };
        let threatens = foreseen.unwrap_or_else(|| self.heuristics.must_answer(self.game, &self.p));
        let first = attempt.tried == 0;
        let manner = Manner { threatens, ..manner };
        let less = if first { 0 } else { self.reduction(picked, node, attempt, manner) };
        let gist = self.play.memory.wants_gists().then_some(trace.gist as u32);
        self.play.plies[node.ply].gist = gist;
        self.play.plies[node.ply + 1].threatened = threatens;

        let more = if first { node.singular } else { 0 }.max(u32::from(deeper));
        let depth = node.depth.below().more(more);
        let next = attempt.floor.succ();
        let mut value = Value::INFINITY;
        if less > 0 {
            let depth = depth.less(less).max(Depth::new(1));
            value = self.after_move(mover, depth, node.ply + 1, attempt.floor, next);
            self.look_back();
        }
        if !first && value > attempt.floor {
            value = self.after_move(mover, depth, node.ply + 1, attempt.floor, next);
            self.look_back();
        }
        if first || (value > attempt.floor && value < node.beta) {
            value = self.after_move(mover, depth, node.ply + 1, attempt.floor, node.beta);
        }
        self.leave(m, undo);
        Tried::Found(value)
    }

    /// The most that quiet moves are worth that threaten nothing, if that is too little to try any more of them.
    #[inline]
    fn idle_moves_hardly_help(&self, node: &Node, best: Value, tried: usize) -> Option<Value> {
        let margins = H::MARGINS?;
        let floor = node.alpha.max(best);
        if node.threatened || !may_leave_out(node, best, floor, tried) {
            return None;
        }
        if tried >= late_after(node.depth, node.improves) {
            return Some(best);
        }
        let plies = node.depth.raw() as i32;
        let most = Value::score(node.score? + margins.futility * (plies + 1));
        (plies <= FUTILE_TO && most <= floor).then_some(most)
    }

    /// The most that a move is worth that gives something away, if that is too little to try it.
    #[inline]
    fn hardly_helps(
        &mut self,
        picked: &Picked<G::Move>,
        node: &Node,
        attempt: &Attempt,
        manner: Manner,
    ) -> Option<Value> {
        let sacrifice = H::MARGINS?.exchange_loss;
        if !may_leave_out(node, attempt.best, attempt.floor, attempt.tried) {
            return None;
        }
        let plies = node.depth.raw() as i32;
        let gives_away = if picked.noisy {
            if !picked.losing {
                return None;
            }
            sacrifice * plies
        } else {
            if manner.threatens || node.threatened {
                return None;
            }
            if manner.history < -BAD_HISTORY * plies {
                return Some(attempt.best);
            }
            sacrifice * plies * plies / 4
        };
        let (game, p) = (self.game, &self.p);
        let pays = self.heuristics.see_at_least(game, p, picked.m, -gives_away);
        (!pays).then_some(attempt.best)
    }

    /// How many plies less deeply a move is searched at first.
    #[inline]
    fn reduction(
        &self,
        picked: &Picked<G::Move>,
        node: &Node,
        attempt: &Attempt,
        manner: Manner,
    ) -> u32 {
        if node.depth < REDUCED_FROM || picked.noisy && !picked.losing {
            return 0;
        }
        let less = self.play.reductions.get(node.depth, attempt.tried)
            + H::LATE_MOVE_REDUCTION
            + i32::from(!node.improves)
            - i32::from(!node.tested)
            - i32::from(picked.noisy || manner.threatens)
            - i32::from(node.threatened)
            - manner.history / HISTORY_PLY;
        let less = if node.ply == 0 { less / 2 } else { less };
        less.max(0) as u32
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
        let foreseen = self.heuristics.threatens(self.game, &self.p, m);
        let undo = self.enter(m)?;
        let threatens = foreseen.unwrap_or_else(|| self.heuristics.must_answer(self.game, &self.p));
        self.play.plies[ply].gist = None;
        self.play.plies[ply + 1].threatened = threatens;
        let value = self.after_move(mover, depth.less(1), ply + 1, alpha, beta);
        self.leave(m, undo);
        Some(value)
    }

    /// The value of the current position for the side that has just moved.
    #[inline]
    fn after_move(
        &mut self,
        mover: Side,
        depth: Depth,
        ply: usize,
        alpha: Value,
        beta: Value,
    ) -> Value {
        let (alpha, beta) = (alpha.handed_down(), beta.handed_down());
        let value = if G::ALTERNATES || self.game.to_move(&self.p) != mover {
            -self.principal(depth, ply, -beta, -alpha, Passing::Allowed)
        } else {
            // In the middle of a turn nothing can be judged: it is finished first.
            let unfinished = depth.is_horizon() && !H::QUIESCENCE && self.may_extend(ply);
            let depth = if unfinished { Depth::new(1) } else { depth };
            self.principal(depth, ply, alpha, beta, Passing::Allowed)
        };
        value.backed_up()
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
}
