//! The line of play that the playing search shows: what the table holds best, and where the game is
//! decided, moves that lead to its end in just as many plies as the value says.

use evaluation::{Proofs, Tactics};
use game::{Game, Meaning, Value, moves_of};

use super::Playing;
use crate::bounds::Depth;
use crate::deepening::move_worth;
use crate::root_search::{aside, beyond_limit};
use crate::table::Entry;

/// So many nodes may always be spent on a decided line, and as many as the search itself took.
const LEAST_NODES: u64 = 20_000;
/// A decided move is looked for so much deeper than the end of the game, since late moves are
/// searched less deeply.
const SPARE_DEPTH: u32 = 4;

impl<G: Game, H: Tactics<G> + Proofs<G>> Playing<'_, G, H> {
    /// The moves both sides would play after a move of this value, which took so many nodes to
    /// find.
    pub(super) fn shown_line(&mut self, best: G::Move, value: Value, nodes: u64) -> Vec<G::Move> {
        let mut known = aside(self, u64::MAX, |search| search.table_line(best));
        let Some(plies) = distance(value) else { return known };
        let decided =
            beyond_limit(self, nodes.max(LEAST_NODES), |search| search.decided_line(best, value));
        known.truncate(plies as usize);
        if decided.len() < known.len() { known } else { decided }
    }

    /// The moves that the table holds best from the root on.
    pub(super) fn table_line(&mut self, best: G::Move) -> Vec<G::Move> {
        let longest = self.cx.root.depth.raw() as usize;
        self.play_line(best, |search, ply| search.table_move().filter(|_| ply < longest))
    }

    /// From the root on the first moves that keep what is decided, as far as they can be found.
    fn decided_line(&mut self, best: G::Move, value: Value) -> Vec<G::Move> {
        let (mut mover, mut value) = (self.cx.line.game.to_move(&self.cx.line.p), value);
        self.play_line(best, |search, ply| {
            let line = &search.cx.line;
            let next = line.game.to_move(&line.p);
            value = if next == mover { value.handed_down() } else { -value.handed_down() };
            mover = next;
            search.decided_move(value, ply)
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
            let Some(undo) = self.cx.line.enter(m) else { break };
            line.push(m);
            undos.push(undo);
            following = if self.cx.ended().is_some() { None } else { next(self, line.len()) };
        }
        for (&m, undo) in line.iter().zip(undos).rev() {
            self.cx.line.leave(m, undo);
        }
        line
    }

    /// A move that wins as fast, or loses as slowly, as the current position is known to.
    fn decided_move(&mut self, value: Value, ply: usize) -> Option<G::Move> {
        self.reserve(ply + 2);
        let depth = Depth::new(distance(value)? + SPARE_DEPTH);
        move_worth(self, value, depth, ply)
    }

    fn table_move(&self) -> Option<G::Move> {
        let (key, symmetry) = self.cx.key();
        let code = self.cx.look_up(key)?.code;
        let moves = moves_of(self.cx.line.game, &self.cx.line.p);
        moves.into_iter().find(|&m| Entry::cut(self.cx.code(m, symmetry)) == code)
    }
}

/// Plies to the end of a game that is decided.
fn distance(value: Value) -> Option<u32> {
    match value.meaning() {
        Meaning::WonIn(plies) | Meaning::LostIn(plies) => Some(plies),
        _ => None,
    }
}
