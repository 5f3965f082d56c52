//! [`Booked`]: a player with a book.

use std::fmt;
use std::sync::Arc;

use game::Rng;
use play::{Choice, Info, Player, PlayerError, Session, Stop, Task, Turn};

use super::Book;

/// Plays from a book as long as it can, then asks another player.
pub struct Booked {
    book: Arc<Book>,
    rng: Rng,
    inner: Box<dyn Player>,
}

impl Booked {
    /// Which of the book's moves are drawn depends on the seed alone.
    #[must_use]
    pub fn new(book: Arc<Book>, inner: Box<dyn Player>, seed: u64) -> Booked {
        Booked { book, rng: Rng::new(seed), inner }
    }
}

impl Player for Booked {
    fn choose(
        &mut self,
        session: &dyn Session,
        task: &Task,
        stop: &Stop,
        tell: &mut (dyn FnMut(&Info) + Send),
    ) -> Result<Choice, PlayerError> {
        match self.book.choose(session, &mut self.rng) {
            Some(text) => Ok(Choice { turn: Turn::Play(text), analysis: None }),
            None => self.inner.choose(session, task, stop, tell),
        }
    }
}

impl fmt::Debug for Booked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Booked").field("positions", &self.book.len()).finish_non_exhaustive()
    }
}
