//! How a move is tried: left out, searched less deeply, or more.

use evaluation::{Proofs, Tactics};
use game::{Game, Side, Value};

use super::cuts::NEAR_ROOT;
use super::memory::PreviousMoves;
use super::node::Node;
use super::picker::{Picked, history_key};
use super::reductions::late_after;
use super::{NullMove, Playing, is_score};
use crate::bounds::Depth;

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

/// What became of a move.
pub(super) enum Tried {
    /// A rule that looks back is against it.
    Forbidden,
    /// It can hardly help: the most that it may be worth.
    LeftOut(Value),
    Found(Value),
}

/// A move about to be tried.
pub(super) struct Attempt {
    pub(super) previous: PreviousMoves,
    /// What it must exceed, and the best value so far.
    pub(super) floor: Value,
    pub(super) best: Value,
    /// How many were tried before.
    pub(super) tried: usize,
    /// There is no other move.
    pub(super) only: bool,
}

/// What is known of a move before it is tried.
#[derive(Clone, Copy)]
struct MoveTraits {
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

impl<G: Game, H: Tactics<G> + Proofs<G>> Playing<'_, G, H> {
    /// The value of a move: the first with the whole window, others with as little as shows that
    /// they are no better.
    pub(super) fn try_to(
        &mut self,
        picked: &Picked<G::Move>,
        node: &Node,
        attempt: &Attempt,
    ) -> Tried {
        let &Picked { m, noisy, .. } = picked;
        let (game, p, heuristics) =
            (self.cx.line.game, &self.cx.line.p, &mut self.cx.line.heuristics);
        let mover = game.to_move(p);
        let key = history_key(game, p, heuristics, &self.memory, m);
        let history = if noisy { 0 } else { self.memory.history(&key, &attempt.previous) };
        let foreseen = heuristics.threatens(game, p, m);
        let traits = MoveTraits { history, threatens: foreseen == Some(true) };
        if let Some(most) = self.hardly_helps(picked, node, attempt, traits) {
            return Tried::LeftOut(most);
        }
        // Extensions: a threat hides what comes after it, whether it is made or answered, and an
        // only move decides nothing.
        let hides = match foreseen {
            Some(threatens) => threatens && self.cx.line.see_at_least(m, 0),
            None => node.threatened,
        };
        let deeper = (attempt.only || hides) && self.may_extend(node.ply);
        let Some(undo) = self.cx.line.enter(m) else {
            return Tried::Forbidden;
        };
        let threatens = foreseen.unwrap_or_else(|| self.cx.line.must_answer());
        let first = attempt.tried == 0;
        let traits = MoveTraits { threatens, ..traits };
        let less = if first { 0 } else { self.reduction(picked, node, attempt, traits) };
        let counter_key = self.memory.uses_counter_keys().then_some(key.counter_key as u32);
        self.plies[node.ply].counter_key = counter_key;
        self.plies[node.ply + 1].threatened = threatens;

        let more = if first { node.singular } else { 0 }.max(u32::from(deeper));
        let depth = node.depth.below().more(more);
        let next = attempt.floor.succ();
        let mut value = Value::INFINITY;
        // Late-move reductions: late moves are searched less deeply first.
        if less > 0 {
            let depth = depth.less(less).max(Depth::new(1));
            value = self.after_move(mover, depth, node.ply + 1, attempt.floor, next);
            self.cx.line.look_back();
        }
        // Principal variation search: all but the first move are tested with a null window, and
        // searched again only if they turn out better.
        if !first && value > attempt.floor {
            value = self.after_move(mover, depth, node.ply + 1, attempt.floor, next);
            self.cx.line.look_back();
        }
        if first || (value > attempt.floor && value < node.beta) {
            value = self.after_move(mover, depth, node.ply + 1, attempt.floor, node.beta);
        }
        self.cx.line.leave(m, undo);
        Tried::Found(value)
    }

    /// Late-move and futility pruning: the most that quiet moves are worth that threaten nothing,
    /// if that is too little to try any more of them.
    #[inline]
    pub(super) fn quiet_moves_hardly_help(
        &self,
        node: &Node,
        best: Value,
        tried: usize,
    ) -> Option<Value> {
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

    /// History and exchange pruning: the most that a move is worth that was never good elsewhere or
    /// gives something away, if that is too little to try it.
    #[inline]
    fn hardly_helps(
        &mut self,
        picked: &Picked<G::Move>,
        node: &Node,
        attempt: &Attempt,
        traits: MoveTraits,
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
            if traits.threatens || node.threatened {
                return None;
            }
            if traits.history < -BAD_HISTORY * plies {
                return Some(attempt.best);
            }
            sacrifice * plies * plies / 4
        };
        let (game, p) = (self.cx.line.game, &self.cx.line.p);
        let pays = self.cx.line.heuristics.see_at_least(game, p, picked.m, -gives_away);
        (!pays).then_some(attempt.best)
    }

    /// Late-move reduction: how many plies less deeply a move is searched at first.
    #[inline]
    fn reduction(
        &self,
        picked: &Picked<G::Move>,
        node: &Node,
        attempt: &Attempt,
        traits: MoveTraits,
    ) -> u32 {
        if node.depth < REDUCED_FROM || picked.noisy && !picked.losing {
            return 0;
        }
        let less = self.reductions.get(node.depth, attempt.tried)
            + H::LATE_MOVE_REDUCTION
            + i32::from(!node.improves)
            - i32::from(!node.tested)
            - i32::from(picked.noisy || traits.threatens)
            - i32::from(node.threatened)
            - traits.history / HISTORY_PLY;
        let less = if node.ply == 0 { less / 2 } else { less };
        less.max(0) as u32
    }

    /// The value of a move within the window; `None` if a rule that looks back forbids it.
    pub(super) fn try_move(
        &mut self,
        m: G::Move,
        depth: Depth,
        ply: usize,
        alpha: Value,
        beta: Value,
    ) -> Option<Value> {
        let mover = self.cx.line.game.to_move(&self.cx.line.p);
        let foreseen = self.cx.line.threatens(m);
        let undo = self.cx.line.enter(m)?;
        let threatens = foreseen.unwrap_or_else(|| self.cx.line.must_answer());
        self.plies[ply].counter_key = None;
        self.plies[ply + 1].threatened = threatens;
        let value = self.after_move(mover, depth.less(1), ply + 1, alpha, beta);
        self.cx.line.leave(m, undo);
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
        let value = if G::ALTERNATES || self.cx.line.game.to_move(&self.cx.line.p) != mover {
            -self.search_node(depth, ply, -beta, -alpha, NullMove::Allowed)
        } else {
            // In the middle of a turn nothing can be judged: it is finished first.
            let unfinished = depth.is_horizon() && !H::QUIESCENCE && self.may_extend(ply);
            let depth = if unfinished { Depth::new(1) } else { depth };
            self.search_node(depth, ply, alpha, beta, NullMove::Allowed)
        };
        value.backed_up()
    }
}
