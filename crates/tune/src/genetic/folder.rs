//! [`Folder`]: where the generations of a session are kept, one file each.
//!
//! **Invariant:** a file of a generation is whole or not there, as [`storage`] writes it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use storage::{Lock, LockError};

use super::population::Population;
use crate::error::TuneError;

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
    /// If another session runs there, or the folder cannot be made.
    pub fn lock(&self) -> Result<Lock, LockError> {
        Lock::in_new_folder(&self.path)
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
    pub fn generations(&self) -> Result<Vec<u64>, TuneError> {
        let cannot = |error| TuneError::File { doing: "read", path: self.path.clone(), error };
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
    pub fn last(&self) -> Result<Population, TuneError> {
        let mut generations = self.generations()?;
        let Some(last) = generations.pop() else {
            return Err(TuneError::NoGeneration(self.path.clone()));
        };
        load(&self.file(last)).map_err(|why| {
            let mut files = generations.iter().rev().map(|&number| self.file(number));
            let before = files.find(|file| load(file).is_ok());
            TuneError::LastGeneration { why: Box::new(why), before }
        })
    }

    /// Writes a generation; those after it, if there are any, belong to another course of events and go.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self, population: &Population) -> Result<(), TuneError> {
        let file = self.file(population.generation);
        Ok(storage::write_in_new_folder(&file, population.text().as_bytes())?)
    }

    /// Removes the generations after one.
    ///
    /// # Errors
    /// If one of them cannot be removed.
    pub fn forget_after(&self, generation: u64) -> Result<(), TuneError> {
        for number in self.generations()?.into_iter().filter(|&number| number > generation).rev() {
            let file = self.file(number);
            fs::remove_file(&file).map_err(|error| TuneError::File {
                doing: "remove",
                path: file,
                error,
            })?;
        }
        Ok(())
    }
}

/// The generation in a file.
///
/// # Errors
/// Names the file and what is wrong with it.
pub fn load(file: &Path) -> Result<Population, TuneError> {
    let path = || file.to_owned();
    let text = fs::read_to_string(file).map_err(|error| TuneError::File {
        doing: "read",
        path: path(),
        error,
    })?;
    Population::read(&text).map_err(|why| TuneError::Damaged { path: path(), why })
}
