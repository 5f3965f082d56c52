//! Plain minimax: no window, no table, no order. What everything else is compared with.

use evaluation::Proofs;
use game::{Game, Value};

use crate::bounds::Depth;
use crate::worker::Worker;

impl<G: Game, H: Proofs<G>> Worker<'_, G, H> {
    /// The value of the current position.
    pub(crate) fn minimax(&mut self, depth: Depth, ply: usize) -> Value {
        if let Some(value) = self.ended().or_else(|| self.horizon(depth)) {
            return value;
        }
        if self.expired() {
            return Value::DRAW;
        }
        let mut best = self.claim();
        let mover = self.game.to_move(&self.p);
        let mut moves = self.open_moves(ply, |_, _| false);
        while let Some((m, _)) = self.order.next(&mut moves) {
            let Some(undo) = self.enter(m) else { continue };
            let value = self.minimax(depth.below(), ply + 1).backed_up();
            let value = if self.game.to_move(&self.p) == mover { value } else { -value };
            self.leave(m, undo);
            if ply == 0 && !self.expired() {
                self.root_move_done(value, best.unwrap_or(-Value::INFINITY), m);
            }
            best = best.max(Some(value));
        }
        self.order.close(&moves);
        best.unwrap_or_else(|| self.over(self.game.stuck(&self.p)))
    }
}
