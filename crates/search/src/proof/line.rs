//! The moves both sides would play, found again from what was proved.

use evaluation::Proofs;
use game::{Game, Recall, Side, allows, moves_of};

use super::Prover;

impl<G: Game, H: Proofs<G>> Prover<'_, G, H> {
    /// A line to the end from the current position, where the first player's margin is known: each
    /// side keeps what it has, the winner quickly and the loser slowly. What the table forgot is
    /// searched again, for as many nodes as it took so far; a line that takes more breaks off.
    pub(super) fn line(&mut self, margin: i32, best: Option<G::Move>) -> Vec<G::Move> {
        let limit_before = self.clock.node_limit;
        self.clock.node_limit = limit_before.max(self.nodes.saturating_mul(2));
        self.clock.deadline = None;
        let (mut line, mut steps) = (Vec::new(), Vec::new());
        let mut next = best.or_else(|| self.keeper(margin));
        while let Some(m) = next {
            let Some(step) = self.enter(m) else { break };
            line.push(m);
            steps.push(step);
            next = self.keeper(margin);
        }
        while let Some(step) = steps.pop() {
            self.leave(step);
        }
        self.clock.node_limit = limit_before;
        line
    }

    /// The move that keeps this margin for the side to move; none where the game is over, or should
    /// be.
    fn keeper(&mut self, margin: i32) -> Option<G::Move> {
        let recall = match self.looks_back {
            true => self.game.recall(&self.p, &self.path),
            false => Recall::Fresh,
        };
        if self.game.margin(&self.p).is_some() || matches!(recall, Recall::Over(_)) {
            return None;
        }
        let mover = self.game.to_move(&self.p);
        if margin * mover.sign() == -self.game.margin_limit() {
            return self.longest(margin);
        }
        if recall == Recall::Claim(margin) {
            return None;
        }
        let answer = self.ask(if mover == Side::First { margin } else { margin + 1 });
        let holds = answer.holds == Some(mover == Side::First);
        // Where bounds alone gave the answer, every move keeps it.
        answer.best.or_else(|| self.any_move().filter(|_| holds))
    }

    /// The move that loses most slowly where all is lost.
    fn longest(&mut self, margin: i32) -> Option<G::Move> {
        let question = if margin > 0 { margin } else { margin + 1 };
        let mut longest = None;
        for m in moves_of(self.game, &self.p) {
            let Some(step) = self.enter(m) else { continue };
            let answer = self.ask(question);
            self.leave(step);
            answer.holds?;
            if longest.is_none_or(|(plies, _)| answer.plies > plies) {
                longest = Some((answer.plies, m));
            }
        }
        longest.map(|(_, m)| m)
    }

    fn any_move(&self) -> Option<G::Move> {
        let allowed = |&m: &G::Move| allows(self.game, &self.p, &self.path, m);
        moves_of(self.game, &self.p).into_iter().find(allowed)
    }
}
