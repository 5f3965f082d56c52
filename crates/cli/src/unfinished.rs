//! The last unfinished game of each kind, kept after every move, so that neither leaving nor a crash loses it.

use play::Facts;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use compiled::CompiledGame;
use play::record::Record;

use crate::files;

/// Where one kind of game is kept.
#[derive(Debug)]
pub(crate) struct Unfinished {
    /// `None` where there is no home to keep anything in.
    file: Option<PathBuf>,
}

impl Unfinished {
    pub(crate) fn of(facts: &Facts) -> Unfinished {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let name: String = facts.spec.chars().map(plain).collect();
        let name = format!("{name}.{}", facts.extension);
        Unfinished { file: files::home().map(|home| home.join("unfinished").join(name)) }
    }

    /// The file, if there is a game in it.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.file.as_deref().filter(|file| file.exists())
    }

    /// Writes the game.
    pub(crate) fn keep(&self, game: &dyn CompiledGame, record: &Record) -> Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        let text = game.files().write(record)?;
        storage::write_in_new_folder(file, text.as_bytes()).context("the game cannot be kept")
    }

    /// The game is over.
    pub(crate) fn forget(&self) {
        if let Some(file) = self.file() {
            // One that stays behind only shows up again.
            let _ = fs::remove_file(file);
        }
    }
}
