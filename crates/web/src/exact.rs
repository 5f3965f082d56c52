//! Tables of solved games (`docs/tables.md`): what they say of a position and its moves, as the page is told. Nobody thinks for it.
//!
//! A table is read when somebody first wants to see it, and stays as long as somebody does; all games that need it share it. Which file that is follows from
//! the game's own name: no request names one.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use compiled::{CompiledGame, CompiledSession};
use game::TextError;
use serde::Serialize;
use solve::strong::{Tablebase, TablebaseError, file_name};

use crate::board::{Names, Spoken};
use crate::refusal::Refusal;
use crate::sheet::Opening;
use crate::worth::{Scale, Worth};

/// Larger files are left alone: they would be read into memory.
pub(crate) const LARGEST: u64 = 256 << 20;

/// What a table says of a position.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Exact {
    value: Worth,
    /// Until the end, if both play their best.
    plies: u16,
    /// The legal moves, the best first.
    moves: Vec<Judged>,
}

/// A move, and what the game is worth to whoever plays it; plies are counted from before the move.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Judged {
    #[serde(flatten)]
    spoken: Spoken,
    value: Worth,
    plies: u16,
}

/// All tables in a folder.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    folder: Option<PathBuf>,
    open: Mutex<HashMap<PathBuf, Weak<Tablebase>>>,
}

impl Tables {
    pub(crate) fn new(folder: Option<PathBuf>) -> Tables {
        Tables { folder, open: Mutex::default() }
    }

    /// The file for a game that begins so: one of its own, or that of the whole game.
    fn file(&self, opening: &Opening) -> Option<PathBuf> {
        let folder = self.folder.as_deref()?;
        let named = |position: &str| folder.join(file_name(&opening.game, position));
        let own = opening.position.as_deref().map(named);
        own.into_iter().chain([named("")]).find(|file| file.is_file())
    }

    /// The table for a game that begins so. Blocks.
    fn open(&self, opening: &Opening) -> Result<Arc<Tablebase>, Refusal> {
        let missing = || Refusal::conflict("there is no table of this game");
        let file = self.file(opening).ok_or_else(missing)?;
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|_, table| table.strong_count() > 0);
        if let Some(table) = open.get(&file).and_then(Weak::upgrade) {
            return Ok(table);
        }
        let table = Arc::new(read(&file, opening).map_err(|why| {
            tracing::warn!(file = %file.display(), %why, "a table is not used");
            Refusal::conflict(format!("the table of this game cannot be used: {why}"))
        })?);
        open.insert(file, Arc::downgrade(&table));
        Ok(table)
    }
}

/// Why the table of a game is not used.
#[derive(Debug, thiserror::Error)]
enum Unusable {
    #[error("it cannot be read")]
    Unreadable,
    #[error("it has more than {} MB", LARGEST >> 20)]
    TooLarge,
    #[error(transparent)]
    Table(#[from] TablebaseError),
    #[error(transparent)]
    Game(#[from] TextError),
}

/// Reads a table and makes sure that it is of this game.
fn read(file: &Path, opening: &Opening) -> Result<Tablebase, Unusable> {
    // The system's words would name the file.
    let unreadable = |_| Unusable::Unreadable;
    if fs::metadata(file).map_err(unreadable)?.len() > LARGEST {
        return Err(Unusable::TooLarge);
    }
    let table = Tablebase::read(fs::read(file).map_err(unreadable)?)?;
    catalog::open(&opening.game)?.session().look_up(&table)?;
    Ok(table)
}

/// Whether a game shows what a table says of it.
#[derive(Debug)]
pub(crate) struct Switch {
    /// Whether there is a table.
    pub(crate) is_there: bool,
    shown: Option<Arc<Tablebase>>,
}

impl Switch {
    /// Off.
    pub(crate) fn new(tables: &Tables, opening: &Opening) -> Switch {
        Switch { is_there: tables.file(opening).is_some(), shown: None }
    }

    /// Shows it, or does not any more. Blocks.
    pub(crate) fn turn(
        &mut self,
        on: bool,
        tables: &Tables,
        opening: &Opening,
    ) -> Result<(), Refusal> {
        self.shown = on.then(|| tables.open(opening)).transpose()?;
        Ok(())
    }

    pub(crate) fn turn_off(&mut self) {
        self.shown = None;
    }

    /// What the table says of a position, if that is to be seen and it knows the position.
    pub(crate) fn says(
        &self,
        game: &dyn CompiledGame,
        session: &dyn CompiledSession,
        names: &Names,
    ) -> Option<Exact> {
        let table = self.shown.as_deref()?;
        let mut solver = game.session();
        solver.set_position(&session.position()).ok()?;
        let compiled::Exact { worth, mut moves, margin_limit } = solver.look_up(table).ok()??;
        let side = session.to_move();
        moves.sort_by_key(|(_, worth)| std::cmp::Reverse(worth.rank(side)));
        let scale = Scale::of(game.facts());
        let judged = |(text, worth): (String, solve::strong::Worth)| {
            let notation = session.for_people(&text).unwrap_or_else(|_| text.clone());
            let spoken = Spoken { outline: names.outline(&text), notation };
            let value = scale.worth(worth.value(margin_limit), true);
            Judged { spoken, value, plies: worth.distance }
        };
        Some(Exact {
            value: scale.worth(worth.value(margin_limit), true),
            plies: worth.distance,
            moves: moves.into_iter().map(judged).collect(),
        })
    }
}
