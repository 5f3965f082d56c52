//! Which moves to try first where the end of the game is far: a small search by evaluation says, after a look whether the table knows that one of
//! them decides. Near the root a good first move saves most of the work below.

use evaluation::{Foresight, Proofs};
use game::{Game, Value};

use crate::decide::Aim;
use crate::order::Moves;
use crate::worker::Worker;

impl<G: Game, H: Proofs<G>> Worker<'_, G, H> {
    /// Puts the moves of a node in order, if the game says how; or gives one that is known to do what its side wants.
    pub(crate) fn foresee(&mut self, aim: Aim, moves: &mut Moves, ply: usize) -> Option<G::Move> {
        if moves.len() < 2 || aim.limit == 1 {
            return None;
        }
        let Foresight { plies, reply } = self.heuristics.foresight(self.game, &self.p)?;
        let wanted = self.game.to_move(&self.p) == aim.attacker;
        for nth in 0..moves.len() {
            let m = self.order.nth(moves, nth);
            let Some(undo) = self.enter(m) else { continue };
            let mover_attacks = self.game.to_move(&self.p) == aim.attacker;
            let known = self.look_up_proof(self.key().0);
            let decides = known.and_then(|entry| aim.answer(entry, mover_attacks)) == Some(wanted);
            if !decides {
                let outlook = self.outlook(plies - 1, ply + 1, -Value::INFINITY, Value::INFINITY);
                let replies = self.game.count(&self.p) as i32;
                self.order.judge(moves, nth, -outlook.raw() - reply * replies);
            }
            self.leave(m, undo);
            if decides {
                return Some(m);
            }
        }
        None
    }

    /// What the evaluation makes of the current position so many plies on, for the side to move. The sides alternate, or stones of one turn
    /// count for who makes them.
    fn outlook(&mut self, plies: u32, ply: usize, mut alpha: Value, beta: Value) -> Value {
        if let Some(value) = self.ended() {
            return value;
        }
        if plies == 0 {
            return Value::score(self.judge());
        }
        let mover = self.game.to_move(&self.p);
        let mut moves =
            self.order.open(self.game, &self.p, ply, &mut self.heuristics, |_, _| false);
        while alpha < beta
            && let Some((m, _)) = self.order.next(&mut moves)
        {
            let Some(undo) = self.enter(m) else { continue };
            let value = if self.game.to_move(&self.p) == mover {
                self.outlook(plies - 1, ply + 1, alpha, beta)
            } else {
                -self.outlook(plies - 1, ply + 1, -beta, -alpha)
            };
            self.leave(m, undo);
            alpha = alpha.max(value);
        }
        self.order.close(&moves);
        alpha
    }
}
