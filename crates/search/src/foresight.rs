//! Which moves to try first where the end of the game is far: a small search by evaluation says,
//! after a look whether the table knows that one of them decides. Near the root a good first move
//! saves most of the work below.

use evaluation::{Foresight, Proofs};
use game::{Game, Value};

use crate::decide::{Aim, Decider};
use crate::order::Moves;
use crate::search_line::SearchLine;

impl<G: Game, H: Proofs<G>> Decider<'_, G, H> {
    /// Puts the moves of a node in order, if the game says how; or gives one that is known to do
    /// what its side wants.
    pub(crate) fn foresee(&mut self, aim: Aim, moves: &mut Moves, ply: usize) -> Option<G::Move> {
        if moves.len() < 2 || aim.limit == 1 {
            return None;
        }
        let Foresight { plies, reply } =
            self.cx.line.heuristics.foresight(self.cx.line.game, &self.cx.line.p)?;
        let wanted = self.cx.line.game.to_move(&self.cx.line.p) == aim.attacker;
        for nth in 0..moves.len() {
            let m = self.order.nth(moves, nth);
            let Some(undo) = self.cx.line.enter(m) else { continue };
            let mover_attacks = self.cx.line.game.to_move(&self.cx.line.p) == aim.attacker;
            let known = self.look_up_proof(self.cx.name());
            let decides = known.and_then(|entry| aim.answer(entry, mover_attacks)) == Some(wanted);
            if !decides {
                let outlook = self.outlook(plies - 1, ply + 1, -Value::INFINITY, Value::INFINITY);
                let replies = self.cx.line.game.count(&self.cx.line.p) as i32;
                self.order.judge(moves, nth, -outlook.raw() - reply * replies);
            }
            self.cx.line.leave(m, undo);
            if decides {
                return Some(m);
            }
        }
        None
    }

    /// What the evaluation makes of the current position so many plies on, for the side to move.
    /// The sides alternate, or stones of one turn count for who makes them.
    fn outlook(&mut self, plies: u32, ply: usize, mut alpha: Value, beta: Value) -> Value {
        if let Some(value) = self.cx.ended() {
            return value;
        }
        if plies == 0 {
            return Value::score(self.cx.judge());
        }
        let mover = self.cx.line.game.to_move(&self.cx.line.p);
        let SearchLine { game, p, heuristics, .. } = &mut self.cx.line;
        let mut moves = self.order.open(game, p, ply, heuristics, |_, _| false);
        while alpha < beta
            && let Some((m, _)) = self.order.next(&mut moves)
        {
            let Some(undo) = self.cx.line.enter(m) else { continue };
            let value = if self.cx.line.game.to_move(&self.cx.line.p) == mover {
                self.outlook(plies - 1, ply + 1, alpha, beta)
            } else {
                -self.outlook(plies - 1, ply + 1, -beta, -alpha)
            };
            self.cx.line.leave(m, undo);
            alpha = alpha.max(value);
        }
        self.order.close(&moves);
        alpha
    }
}
