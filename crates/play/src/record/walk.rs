//! [`Walk`]: a position that goes forward and back along the moves of a record, and [`Steps`]: the
//! same without the type of its game, so that readers and writers are compiled once for all games.

use game::{Notation, Side, TextError};
use game::{Path, allows};

/// Where a reader or writer stands in the game.
pub(in crate::record) struct Walk<'g, G: Notation> {
    pub(in crate::record) game: &'g G,
    pub(in crate::record) position: G::Position,
    path: Path,
    made: Vec<(G::Move, G::Undo)>,
    /// Moves that were read or taken back and are to be played later, the next one last.
    aside: Vec<G::Move>,
}

/// A walk, whatever the game.
pub(in crate::record) trait Steps {
    /// Moves made and not taken back.
    fn depth(&self) -> usize;

    /// Takes back all moves after the first `depth`.
    fn back_to(&mut self, depth: usize);

    /// Takes back the last move and puts it aside; false if there is none.
    fn take_aside(&mut self) -> bool;

    /// [Plays](Walk::play) the move that was put aside last, and gives its usual text. `written` is how the
    /// file has it.
    fn play_aside(&mut self, written: &str) -> Result<String, TextError>;

    fn to_move(&self) -> Side;
}

impl<'g, G: Notation> Walk<'g, G> {
    pub(in crate::record) fn new(game: &'g G, position: G::Position) -> Walk<'g, G> {
        Walk { game, position, path: Path::new(), made: Vec::new(), aside: Vec::new() }
    }

    /// Begins anew from another position; gives its text, if it is not the usual start.
    pub(in crate::record) fn begin_at(&mut self, position: G::Position) -> Option<String> {
        let usual = position == self.game.start();
        let start = (!usual).then(|| self.game.write_position(&position));
        *self = Walk::new(self.game, position);
        start
    }

    /// Keeps a legal move that is to be played later.
    pub(in crate::record) fn put_aside(&mut self, m: G::Move) {
        self.aside.push(m);
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
}

impl<G: Notation> Steps for Walk<'_, G> {
    fn depth(&self) -> usize {
        self.made.len()
    }

    fn back_to(&mut self, depth: usize) {
        while self.made.len() > depth {
            self.back();
        }
    }

    fn take_aside(&mut self) -> bool {
        let taken = self.back();
        self.aside.extend(taken);
        taken.is_some()
    }

    fn play_aside(&mut self, written: &str) -> Result<String, TextError> {
        let m = self.aside.pop().ok_or_else(|| TextError::new(written, "no move was read here"))?;
        let text = self.game.write_move(&self.position, m);
        self.play(m, written)?;
        Ok(text)
    }

    fn to_move(&self) -> Side {
        self.game.to_move(&self.position)
    }
}
