//! Plain minimax: no window, no table, no order. What everything else is compared with.

use evaluation::Proofs;
use game::{Game, Value};

use crate::bounds::Depth;
use crate::classic::Classic;

impl<G: Game, H: Proofs<G>> Classic<'_, G, H> {
    /// The value of the root.
    pub(crate) fn by_minimax(&mut self, depth: Depth, _guess: Value) -> Value {
        self.minimax(depth, 0)
    }

    /// The value of the current position.
    fn minimax(&mut self, depth: Depth, ply: usize) -> Value {
        if let Some(value) = self.cx.ended().or_else(|| self.horizon(depth)) {
            return value;
        }
        if self.cx.expired() {
            return Value::DRAW;
        }
        let game = self.cx.line.game;
        let mut best = self.cx.line.claim();
        let mover = game.to_move(&self.cx.line.p);
        let mut moves = self.open_moves(ply, |_, _| false);
        while let Some((m, _)) = self.order.next(&mut moves) {
            let Some(undo) = self.cx.line.enter(m) else { continue };
            let value = self.minimax(depth.below(), ply + 1).backed_up();
            let value = if game.to_move(&self.cx.line.p) == mover { value } else { -value };
            self.cx.line.leave(m, undo);
            if ply == 0 && !self.cx.expired() {
                self.cx.root_move_done(value, best.unwrap_or(-Value::INFINITY), m);
            }
            best = best.max(Some(value));
        }
        self.order.close(&moves);
        best.unwrap_or_else(|| self.cx.line.stuck())
    }
}
