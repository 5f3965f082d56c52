//! Perft: the number of leaves of the game tree at a depth, the classic test of a move generator.
//!
//! A finished game (`margin`) is one leaf at every later depth; where nothing is generated
//! (`stuck`) there are no deeper leaves; `recall` plays no part.

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
        let mut leaves = 0;
        for i in first..self.moves.len() {
            let m = self.moves[i];
            let undo = self.game.make(p, m);
            // The last ply is most of the work: a call less for each of its nodes.
            leaves += match (depth, self.game.margin(p)) {
                (_, Some(_)) => 1,
                (2, None) => self.game.count(p) as u64,
                (_, None) => self.count(p, depth - 1),
            };
            self.game.unmake(p, m, undo);
        }
        self.moves.truncate(first);
        leaves
    }
}
