//! Perft: the number of leaves of the game tree at a depth, the classic test of a move generator.
//!
//! A finished game (`margin`) is one leaf at every later depth; where nothing is generated
//! (`stuck`) there are no deeper leaves; `recall` plays no part.

use std::mem::needs_drop;

use crate::rules::Game;

/// Leaves at `depth` below `p`.
pub fn perft<G: Game>(game: &G, p: &G::Position, depth: u32) -> u64 {
    Perft::new(game).count(&mut p.clone(), depth)
}

/// A counter that keeps its move list between calls, so that counting allocates nothing.
#[derive(Debug)]
pub struct Perft<'g, G: Game> {
    game: &'g G,
    moves: Vec<G::Move>,
}

impl<'g, G: Game> Perft<'g, G> {
    /// A counter for one game.
    pub fn new(game: &'g G) -> Perft<'g, G> {
        Perft { game, moves: Vec::with_capacity(4096) }
    }

    /// Leaves at `depth` below `p`, which is left as it was.
    pub fn count(&mut self, p: &mut G::Position, depth: u32) -> u64 {
        if depth == 0 || self.game.margin(p).is_some() {
            return 1;
        }
        if depth == 1 {
            return self.game.count(p) as u64;
        }
        let first = self.moves.len();
        self.game.generate(p, &mut self.moves);
        let leaves = match depth {
            2 => self.moves[first..].iter().map(|&m| self.count_after(p, m)).sum(),
            _ => (first..self.moves.len()).map(|i| self.count_below(p, self.moves[i], depth)).sum(),
        };
        self.moves.truncate(first);
        leaves
    }

    /// The same, unless `stopped` says so meanwhile, which is asked every few thousand leaves or
    /// so.
    pub fn count_until(
        &mut self,
        p: &mut G::Position,
        depth: u32,
        stopped: &dyn Fn() -> bool,
    ) -> Option<u64> {
        const ASKED_FROM: u32 = 4;
        if depth < ASKED_FROM || self.game.margin(p).is_some() {
            return (!stopped()).then(|| self.count(p, depth));
        }
        let first = self.moves.len();
        self.game.generate(p, &mut self.moves);
        let mut leaves = Some(0);
        for i in first..self.moves.len() {
            let m = self.moves[i];
            let undo = self.game.make(p, m);
            let below = self.count_until(p, depth - 1, stopped);
            self.game.unmake(p, m, undo);
            leaves = leaves.zip(below).map(|(sum, below): (u64, u64)| sum + below);
            if leaves.is_none() {
                break;
            }
        }
        self.moves.truncate(first);
        leaves
    }

    fn count_below(&mut self, p: &mut G::Position, m: G::Move, depth: u32) -> u64 {
        let undo = self.game.make(p, m);
        let leaves = self.count(p, depth - 1);
        self.game.unmake(p, m, undo);
        leaves
    }

    /// Moves after a move: most of the work. A small position is copied, which the compiler can keep in
    /// registers, rather than changed in memory and changed back.
    #[inline(always)]
    fn count_after(&self, p: &mut G::Position, m: G::Move) -> u64 {
        const SMALL: usize = 64;
        let count = |p: &G::Position| match self.game.margin(p) {
            Some(_) => 1,
            None => self.game.count(p) as u64,
        };
        if size_of::<G::Position>() <= SMALL && !needs_drop::<G::Position>() {
            let mut next = p.clone();
            drop(self.game.make(&mut next, m));
            return count(&next);
        }
        let undo = self.game.make(p, m);
        let leaves = count(p);
        self.game.unmake(p, m, undo);
        leaves
    }
}
