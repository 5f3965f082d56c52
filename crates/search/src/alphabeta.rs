//! Alpha-beta, and `NegaScout` as the same node with null windows after the first move.

use evaluation::Proofs;
use game::{Game, Value};

use crate::bounds::{Bound, Depth};
use crate::classic::Classic;
use crate::table::Entry;

impl<G: Game, H: Proofs<G>> Classic<'_, G, H> {
    /// The value of the root by alpha-beta or, with `SCOUT`, by `NegaScout`.
    pub(crate) fn by_alpha_beta<const SCOUT: bool>(
        &mut self,
        depth: Depth,
        _guess: Value,
    ) -> Value {
        self.alpha_beta::<SCOUT>(depth, 0, -Value::INFINITY, Value::INFINITY)
    }

    /// Whether there is surely a legal move. With rules that look back nobody knows before trying.
    #[inline]
    fn can_move(&self) -> bool {
        !self.cx.line.looks_back() && self.cx.line.game.count(&self.cx.line.p) > 0
    }

    /// The value of the current position within the window, as the crate's contract says. With
    /// `SCOUT`, moves after the first are tested with a null window and searched again only if they
    /// turn out better (`NegaScout`).
    pub(crate) fn alpha_beta<const SCOUT: bool>(
        &mut self,
        depth: Depth,
        ply: usize,
        alpha: Value,
        beta: Value,
    ) -> Value {
        debug_assert!(alpha < beta);
        if let Some(value) = self.cx.ended() {
            return value;
        }

        // Who can no longer win.
        if ply > 0 && self.cx.is_drawn_enough(alpha, beta) {
            return Value::DRAW;
        }

        if let Some(value) = self.horizon(depth) {
            return value;
        }
        if self.cx.expired() {
            return Value::DRAW;
        }

        // Where there is a move, nothing is better than to win with it.
        if alpha >= Value::WON_NEXT && self.can_move() {
            return Value::WON_NEXT;
        }

        // What is known already. At the root a move is wanted, not just a value.
        let (key, symmetry) = self.cx.key();
        let known = self.cx.look_up(key);
        if ply > 0
            && let Some(entry) = known
            && let Some(value) = self.answer(entry, depth, alpha, beta)
        {
            return value;
        }

        let (nodes_before, guesses_before) = (self.cx.budget.nodes, self.cx.guesses);
        let best = self.best_of_moves::<SCOUT>(depth, ply, (alpha, beta), symmetry, known);
        if self.cx.expired() {
            return Value::DRAW;
        }

        let bound = Bound::of(best.value, alpha, beta);
        let settled = self.cx.settle(best.value, bound, guesses_before);
        let code = best.m.map_or(0, |m| self.cx.code(m, symmetry));
        let entry = Entry { value: best.value, bound, depth, settled, code };
        self.cx.remember(key, entry, self.cx.budget.nodes - nodes_before);
        best.value
    }

    /// Tries the moves of the current position, best first, until they are used up or one is good
    /// enough.
    #[inline]
    fn best_of_moves<const SCOUT: bool>(
        &mut self,
        depth: Depth,
        ply: usize,
        (alpha, beta): (Value, Value),
        symmetry: usize,
        known: Option<Entry>,
    ) -> Best<G::Move> {
        let mut best = Best { value: self.cx.line.claim().unwrap_or(-Value::INFINITY), m: None };
        let table_code = known.map(|entry| entry.code);
        let (game, names) = (self.cx.line.game, self.cx.names);
        let is_table_move = |p: &_, m| {
            table_code.is_some_and(|code| Entry::cut(names.code(game, p, m, symmetry)) == code)
        };
        let mut moves = self.open_moves(ply, is_table_move);
        let guesses_before = self.cx.guesses;
        while best.value < beta
            && let Some((m, doomed)) = self.order.next(&mut moves)
        {
            let floor = alpha.max(best.value);
            let guesses_before_move = self.cx.guesses;
            let tried = if doomed && self.cx.sees_doom(depth) {
                Some(-Value::won_in(2))
            } else if SCOUT && best.m.is_some() && beta > floor.succ() {
                self.scout(m, depth, ply, floor, beta)
            } else {
                self.try_move::<SCOUT>(m, depth, ply, floor, beta)
            };
            let Some(value) = tried else { continue };
            if self.cx.expired() {
                break;
            }
            if value > best.value {
                best = Best { value, m: Some(m) };
            }
            if value >= beta {
                self.order.refuted(game, m, ply, game.to_move(&self.cx.line.p));
                // The refutation alone proves the bound: what its siblings guessed is beside the
                // point.
                self.cx.guesses = guesses_before + (self.cx.guesses - guesses_before_move);
            }
            if ply == 0 {
                self.cx.root_move_done(value, floor, m);
            }
        }
        self.order.close(&moves);
        if best.m.is_none() && best.value == -Value::INFINITY {
            best.value = self.cx.line.stuck();
        }
        best
    }

    /// Is this move better than `floor`? If so, how good is it?
    #[inline]
    fn scout(
        &mut self,
        m: G::Move,
        depth: Depth,
        ply: usize,
        floor: Value,
        beta: Value,
    ) -> Option<Value> {
        let value = self.try_move::<true>(m, depth, ply, floor, floor.succ())?;
        if value <= floor || value >= beta {
            return Some(value);
        }
        self.try_move::<true>(m, depth, ply, value.pred(), beta)
    }

    /// The value of a move for the side to move, within the window; `None` if a rule that looks
    /// back forbids it.
    pub(crate) fn try_move<const SCOUT: bool>(
        &mut self,
        m: G::Move,
        depth: Depth,
        ply: usize,
        alpha: Value,
        beta: Value,
    ) -> Option<Value> {
        let mover = self.cx.line.game.to_move(&self.cx.line.p);
        let undo = self.cx.line.enter(m)?;
        let (alpha, beta) = (alpha.handed_down(), beta.handed_down());
        let value = if G::ALTERNATES || self.cx.line.game.to_move(&self.cx.line.p) != mover {
            -self.alpha_beta::<SCOUT>(depth.below(), ply + 1, -beta, -alpha)
        } else {
            self.alpha_beta::<SCOUT>(depth.below(), ply + 1, alpha, beta)
        };
        self.cx.line.leave(m, undo);
        Some(value.backed_up())
    }
}

/// The best move so far; no move where a claim is better, or nothing is legal.
struct Best<M> {
    value: Value,
    m: Option<M>,
}
