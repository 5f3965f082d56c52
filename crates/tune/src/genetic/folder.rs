//! [`Folder`]: where the generations of a session are kept, one file each.
//!
//! **Invariant:** a file of a generation is whole or not there, as [`storage`] writes it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use storage::Lock;

use super::population::Population;

/// A session's folder.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// At that place, whether or not it is there.
    #[must_use]
    pub fn at(path: &Path) -> Folder {
        Folder { path: path.to_owned() }
    }

    /// Takes the folder for a session that is about to run. It is the caller's as long as the lock is.
    ///
    /// # Errors
    /// In one line, if another session runs there, or the folder cannot be made.
    pub fn lock(&self) -> Result<Lock, String> {
        Lock::in_new_folder(&self.path).map_err(|e| e.to_string())
    }

    /// The file of a generation.
    #[must_use]
    pub fn file(&self, generation: u64) -> PathBuf {
        self.path.join(format!("generation-{generation:06}.population"))
    }

    /// The numbers of all generations that are there, in order.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn generations(&self) -> Result<Vec<u64>, String> {
        let cannot = |e: io::Error| format!("cannot read {}: {e}", self.path.display());
        let entries = match fs::read_dir(&self.path) {
            Ok(entries) => entries,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(e) => return Err(cannot(e)),
        };
        let mut numbers = Vec::new();
        for entry in entries {
            let name = entry.map_err(cannot)?.file_name();
            let number: Option<u64> = name.to_str().and_then(|name| {
                name.strip_prefix("generation-")?.strip_suffix(".population")?.parse().ok()
            });
            numbers.extend(number);
        }
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// The last generation.
    ///
    /// # Errors
    /// If there is none, or its file is damaged; then the one before it is offered.
    pub fn last(&self) -> Result<Population, String> {
        let mut generations = self.generations()?;
        let Some(last) = generations.pop() else {
            return Err(format!("{} holds no generation to go on with", self.path.display()));
        };
        load(&self.file(last)).map_err(|why| {
            let whole = generations.iter().rev().find(|&&number| load(&self.file(number)).is_ok());
            match whole {
                Some(&before) => {
                    format!(
                        "{why}; --resume {} would go on with the one before it",
                        self.file(before).display()
                    )
                }
                None => format!("{why}; there is none before it"),
            }
        })
    }

    /// Writes a generation; those after it, if there are any, belong to another course of events and go.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self, population: &Population) -> Result<(), String> {
        let file = self.file(population.generation);
        let written = storage::write_in_new_folder(&file, population.text().as_bytes());
        written.map_err(|e| e.to_string())
    }

    /// Removes the generations after one.
    ///
    /// # Errors
    /// If one of them cannot be removed.
    pub fn forget_after(&self, generation: u64) -> Result<(), String> {
        for number in self.generations()?.into_iter().filter(|&number| number > generation).rev() {
            let file = self.file(number);
            fs::remove_file(&file).map_err(|e| format!("cannot remove {}: {e}", file.display()))?;
        }
        Ok(())
    }
}

/// The generation in a file.
///
/// # Errors
/// Names the file and what is wrong with it.
pub fn load(file: &Path) -> Result<Population, String> {
    let text =
        fs::read_to_string(file).map_err(|e| format!("cannot read {}: {e}", file.display()))?;
    Population::read(&text).map_err(|why| format!("{}: {why}", file.display()))
}
