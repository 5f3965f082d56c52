//! The line of play that the playing search shows: what the table holds best, and where the game is
//! decided, moves that lead to its end in just as many plies as the value says.

use evaluation::{Proofs, Tactics};
use game::{Game, Meaning, Value, moves_of};

use crate::bounds::Depth;
use crate::table::Entry;
use crate::worker::Worker;

/// So many nodes may always be spent on a decided line, and as many as the search itself took.
const LEAST_NODES: u64 = 20_000;
/// A decided move is looked for so much deeper than the end of the game, since late moves are
/// searched less deeply.
const SPARE_DEPTH: u32 = 4;

impl<G: Game, H: Tactics<G> + Proofs<G>> Worker<'_, G, H> {
    /// The moves both sides would play after a move of this value, which took so many nodes to
    /// find.
    pub(crate) fn shown_line(&mut self, best: G::Move, value: Value, nodes: u64) -> Vec<G::Move> {
        let mut known = self.aside(u64::MAX, |worker| worker.table_line(best));
        let Some(plies) = distance(value) else { return known };
        let decided =
            self.beside(nodes.max(LEAST_NODES), |worker| worker.decided_line(best, value));
        known.truncate(plies as usize);
        if decided.len() < known.len() { known } else { decided }
    }

    /// The moves that the table holds best from the root on.
    pub(crate) fn table_line(&mut self, best: G::Move) -> Vec<G::Move> {
        let longest = self.root.depth.raw() as usize;
        self.play_line(best, |worker, ply| worker.table_move().filter(|_| ply < longest))
    }

    /// From the root on the first moves that keep what is decided, as far as they can be found.
    fn decided_line(&mut self, best: G::Move, value: Value) -> Vec<G::Move> {
        let (mut mover, mut value) = (self.game.to_move(&self.p), value);
        self.play_line(best, |worker, ply| {
            let next = worker.game.to_move(&worker.p);
            value = if next == mover { value.handed_down() } else { -value.handed_down() };
            mover = next;
            worker.decided_move(value, ply)
        })
    }

    /// A line that begins with this move and goes on with what `next` says of each position, given
    /// its ply, until it says nothing or the game is over.
    fn play_line(
        &mut self,
        first: G::Move,
        mut next: impl FnMut(&mut Self, usize) -> Option<G::Move>,
    ) -> Vec<G::Move> {
        let (mut line, mut undos) = (Vec::new(), Vec::new());
        let mut following = Some(first);
        while let Some(m) = following {
            let Some(undo) = self.enter(m) else { break };
            line.push(m);
            undos.push(undo);
            following = if self.ended().is_some() { None } else { next(self, line.len()) };
        }
        for (&m, undo) in line.iter().zip(undos).rev() {
            self.leave(m, undo);
        }
        line
    }

    /// A move that wins as fast, or loses as slowly, as the current position is known to.
    fn decided_move(&mut self, value: Value, ply: usize) -> Option<G::Move> {
        self.play.reserve(ply + 2);
        let depth = Depth::new(distance(value)? + SPARE_DEPTH);
        self.move_worth(value, depth, ply)
    }

    fn table_move(&self) -> Option<G::Move> {
        let (key, symmetry) = self.key();
        let code = self.look_up(key)?.code;
        let moves = moves_of(self.game, &self.p);
        moves
            .into_iter()
            .find(|&m| Entry::cut(self.names.code(self.game, &self.p, m, symmetry)) == code)
    }
}

/// Plies to the end of a game that is decided.
fn distance(value: Value) -> Option<u32> {
    match value.meaning() {
        Meaning::WonIn(plies) | Meaning::LostIn(plies) => Some(plies),
        _ => None,
    }
}
