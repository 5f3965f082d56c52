//! [`Cache`]: the games that were opened last, so that everybody who asks for one gets the same.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use compiled::CompiledGame;
use game::TextError;

/// How many are kept. Some hold tables of their board, and guests of a web table may name any size.
const MOST: usize = 32;

/// The last one used comes last. Locked for a moment only, never while a game is opened.
#[derive(Default)]
pub(crate) struct Cache(Mutex<Vec<Opened>>);

struct Opened {
    /// As somebody wrote it.
    text: String,
    game: Arc<dyn CompiledGame>,
}

impl fmt::Debug for Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Cache")
    }
}

impl Cache {
    pub(crate) fn find_or_open(
        &self,
        text: &str,
        open: impl FnOnce() -> Result<Arc<dyn CompiledGame>, TextError>,
    ) -> Result<Arc<dyn CompiledGame>, TextError> {
        if let Some(game) = self.find(|opened| opened.text == text) {
            return Ok(game);
        }
        let game = open()?;
        // Another text may mean the same game.
        let known = self.find(|opened| opened.game.facts().spec == game.facts().spec);
        let game = known.unwrap_or(game);
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.push(Opened { text: text.to_owned(), game: Arc::clone(&game) });
        if all.len() > MOST {
            all.remove(0);
        }
        Ok(game)
    }

    fn find(&self, is_it: impl Fn(&Opened) -> bool) -> Option<Arc<dyn CompiledGame>> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = all.iter().position(is_it)?;
        let found = all.remove(place);
        let game = Arc::clone(&found.game);
        all.push(found);
        Some(game)
    }
}
