//! [`Walk`]: a position that goes forward and back along the moves of a record.

use game::Notation;
use game::TextError;
use game::{Path, allows};

/// Where a reader or writer stands in the game.
pub(in crate::record) struct Walk<'g, G: Notation> {
    pub(in crate::record) game: &'g G,
    pub(in crate::record) position: G::Position,
    path: Path,
    made: Vec<(G::Move, G::Undo)>,
}

impl<'g, G: Notation> Walk<'g, G> {
    pub(in crate::record) fn new(game: &'g G, position: G::Position) -> Walk<'g, G> {
        Walk { game, position, path: Path::new(), made: Vec::new() }
    }

    /// Moves made and not taken back.
    pub(in crate::record) fn depth(&self) -> usize {
        self.made.len()
    }

    /// Plays a move that was read, unless the rules that look back forbid it. Those that end a game do
    /// not count here: a record tells what was played.
    pub(in crate::record) fn play(&mut self, m: G::Move, text: &str) -> Result<(), TextError> {
        if !allows(self.game, &self.position, &self.path, m) {
            let why = "this would repeat an earlier position, which the rules forbid";
            return Err(TextError::new(text, why));
        }
        self.path.push(self.game.path_key(&self.position));
        let undo = self.game.make(&mut self.position, m);
        self.made.push((m, undo));
        Ok(())
    }

    /// Takes back the last move.
    pub(in crate::record) fn back(&mut self) -> Option<G::Move> {
        let (m, undo) = self.made.pop()?;
        self.game.unmake(&mut self.position, m, undo);
        self.path.pop();
        Some(m)
    }

    /// Takes back all moves after the first `depth`.
    pub(in crate::record) fn back_to(&mut self, depth: usize) {
        while self.made.len() > depth {
            self.back();
        }
    }
}
