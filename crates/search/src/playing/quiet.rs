//! Beyond the horizon: noisy moves only, until it is quiet.

use evaluation::{Proofs, Tactics};
use game::{Game, Value};

use super::node::HORIZON_THREATS;
use super::picker::{Moves, OrderingPlace};
use super::{HORIZON, Playing, is_score};
use crate::bounds::Bound;
use crate::table::Entry;

impl<G: Game, H: Tactics<G> + Proofs<G>> Playing<'_, G, H> {
    /// The value of the current position when only noisy moves are made. Who has nothing else, or
    /// must answer a threat, cannot stand still.
    pub(super) fn quiescence(&mut self, ply: usize, alpha: Value, beta: Value) -> Value {
        if let Some((_, value)) = self.cx.forced_win(HORIZON_THREATS) {
            return value;
        }
        if !H::QUIESCENCE || !self.may_extend(ply) || self.cx.expired() {
            return self.cx.line.stuck_here().unwrap_or_else(|| self.stand());
        }
        let (key, _) = self.cx.key();
        let known = self.cx.look_up(key);
        if beta == alpha.succ()
            && self.is_fresh()
            && let Some(entry) = known
            && entry.bound.settles(entry.value, alpha, beta)
        {
            self.cx.guesses += u64::from(!entry.settled);
            return entry.value;
        }

        let (nodes_before, guesses_before) = (self.cx.budget.nodes, self.cx.guesses);
        let threatened = self.plies[ply].threatened;
        let value = if threatened {
            self.answer_all(ply, alpha, beta)
        } else {
            self.noisy_only(ply, alpha, beta)
        };
        if self.cx.expired() {
            return Value::DRAW;
        }
        let bound = Bound::of(value, alpha, beta);
        let settled = self.cx.settle(value, bound, guesses_before);
        let code = known.map_or(0, |entry| entry.code);
        let entry = Entry { value, bound, depth: HORIZON, settled, code };
        self.cx.remember(key, entry, self.cx.budget.nodes - nodes_before);
        value
    }

    /// Stands still, or makes a noisy move that may bring enough.
    fn noisy_only(&mut self, ply: usize, alpha: Value, beta: Value) -> Value {
        let stand = self.stand();
        if stand >= beta && H::MARGINS.is_some() {
            return stand;
        }
        let (mut moves, choice) = self.picker.open_noisy(
            self.cx.line.game,
            &self.cx.line.p,
            &mut self.cx.line.heuristics,
        );
        let stuck = moves.len() == 0 && !choice;
        let best = match (stuck, choice) {
            (true, _) => self.cx.line.claim().unwrap_or_else(|| self.cx.line.stuck()),
            (_, true) => stand,
            (_, false) => self.cx.line.claim().unwrap_or(-Value::INFINITY),
        };
        let best = self.best_noisy(&mut moves, best, choice.then_some(stand), ply, alpha, beta);
        self.picker.close(&moves);
        if best == -Value::INFINITY { stand } else { best }
    }

    /// The best of these moves; those are left out that would not bring what is missing.
    fn best_noisy(
        &mut self,
        moves: &mut Moves,
        mut best: Value,
        stand: Option<Value>,
        ply: usize,
        alpha: Value,
        beta: Value,
    ) -> Value {
        let place = OrderingPlace { ply, previous: self.previous_moves(ply) };
        while best < beta
            && let Some(picked) = self.pick(moves, place)
        {
            let floor = alpha.max(best);
            if let (Some(margins), Some(stand)) = (H::MARGINS, stand)
                && is_score(floor)
                && is_score(best)
            {
                if picked.losing {
                    break;
                }
                let least = floor.raw() - stand.raw() - margins.delta;
                if least > 0 && !self.cx.line.see_at_least(picked.m, least) {
                    best = best.max(Value::score(stand.raw() + least - 1).min(floor));
                    continue;
                }
            }
            let Some(value) = self.try_move(picked.m, HORIZON, ply, floor, beta) else {
                continue;
            };
            if self.cx.expired() {
                break;
            }
            best = best.max(value);
        }
        best
    }

    /// Every move that may answer a threat; once one is found, noisy ones only.
    fn answer_all(&mut self, ply: usize, alpha: Value, beta: Value) -> Value {
        let mut best = self.cx.line.claim().unwrap_or(-Value::INFINITY);
        let mut moves = self.picker.open(self.cx.line.game, &self.cx.line.p, |_, _| false);
        let place = OrderingPlace { ply, previous: self.previous_moves(ply) };
        let mut tried = false;
        while best < beta
            && let Some(picked) = self.pick(&mut moves, place)
        {
            if tried && is_score(best) && (!picked.noisy || picked.losing) {
                self.cx.guesses += 1;
                continue;
            }
            let floor = alpha.max(best);
            let Some(value) = self.try_move(picked.m, HORIZON, ply, floor, beta) else {
                continue;
            };
            if self.cx.expired() {
                break;
            }
            tried = true;
            best = best.max(value);
        }
        self.picker.close(&moves);
        if best == -Value::INFINITY { self.cx.line.stuck() } else { best }
    }

    /// What the heuristics say of the current position, or more by claiming it.
    #[inline]
    fn stand(&mut self) -> Value {
        self.cx.guesses += 1;
        let score = Value::score(self.cx.judge());
        self.cx.line.claim().map_or(score, |claim| claim.max(score))
    }
}
