//! [`NewFile`]: a file is written beside its place, forced to the disk and then moved, so that
//! whoever reads it finds the old one or the new one, whole, whenever this program or the machine
//! stops.
//!
//! The file beside has a name of its own: the process and a number that is used once in it. Where
//! such a name is taken, by what a killed process of the same number left or by one of another
//! machine, the next number is tried. A file that is left over is never read and harms nobody.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::platform;
use crate::shown_path;

/// What is done for a file to be written, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteStep {
    /// The folder that it will be in is made.
    MakeFolder,
    /// A file beside it is made.
    Create,
    /// The file beside it is written.
    Write,
    /// The file beside it is forced to the disk.
    Sync,
    /// The file beside it gets its name.
    Move,
    /// The folder, which holds the name, is forced to the disk. The file is whole by then.
    SyncFolder,
}

impl WriteStep {
    fn failure(self) -> &'static str {
        match self {
            WriteStep::MakeFolder => "its folder cannot be made",
            WriteStep::Create => "no file can be made in its folder",
            WriteStep::Write => "it cannot be filled",
            WriteStep::Sync => "it cannot be forced to the disk",
            WriteStep::Move => "nothing can be put in its place",
            WriteStep::SyncFolder => "its folder cannot be forced to the disk",
        }
    }
}

/// Why a file was not written. What was there before is there still, unless
/// [`WriteStep::SyncFolder`] failed. Prints as one line.
#[derive(Debug)]
pub struct WriteError {
    /// The file that was to be written.
    pub path: PathBuf,
    /// What failed.
    pub step: WriteStep,
    /// What the system said.
    pub error: io::Error,
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WriteError { path, step, error } = self;
        write!(f, "cannot write {}: {}: {error}", shown_path(path), step.failure())
    }
}

// The line holds the system's own words, so there is no `source` to print them a second time.
impl std::error::Error for WriteError {}

/// Writes a new file, or over an old one, whole and durably.
///
/// # Errors
/// Names the file and what failed.
pub fn write(file: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    NewFile::create(file)?.finish(bytes)
}

/// The same, and makes the folder that it will be in.
///
/// # Errors
/// Also if the folder cannot be made.
pub fn write_in_new_folder(file: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    make_folder(file, |folder| fs::create_dir_all(folder))?;
    write(file, bytes)
}

/// The same for a file and folder that nobody but their owner may read.
///
/// # Errors
/// Also if the folder cannot be made.
pub fn write_private(file: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    make_folder(file, platform::make_private_folder)?;
    NewFile::create_as(file, platform::create_private)?.finish(bytes)
}

fn make_folder(file: &Path, make: fn(&Path) -> io::Result<()>) -> Result<(), WriteError> {
    let made = file.parent().map_or(Ok(()), make);
    made.map_err(|error| WriteError { path: file.to_owned(), step: WriteStep::MakeFolder, error })
}

/// Gives a finished file its name: forces it to the disk, moves it, and forces the folder there.
/// Both names are in one file system.
///
/// # Errors
/// Names the second file and what failed.
pub fn move_into_place(finished: &Path, file: &Path) -> Result<(), WriteError> {
    let failed = |step| move |error| WriteError { path: file.to_owned(), step, error };
    let opened = File::options().write(true).open(finished);
    opened.and_then(|opened| opened.sync_all()).map_err(failed(WriteStep::Sync))?;
    fs::rename(finished, file).map_err(failed(WriteStep::Move))?;
    sync_folder(file).map_err(failed(WriteStep::SyncFolder))
}

/// Forces what was written to an open file to the disk; to what cannot be forced, as a pipe, it
/// does nothing.
///
/// # Errors
/// If the disk did not take it.
pub fn sync(file: &File) -> io::Result<()> {
    unless_unable(file.sync_data())
}

/// Forces the name of a file, which was just made or moved, to the disk.
///
/// # Errors
/// If the folder is not there, or the disk did not take it.
pub fn sync_folder(file: &Path) -> io::Result<()> {
    unless_unable(platform::sync_names(folder_of(file)))
}

/// Some file systems have no way to force a folder to the disk, and pipes are on none.
fn unless_unable(synced: io::Result<()>) -> io::Result<()> {
    use io::ErrorKind::{InvalidInput, Unsupported};
    synced.or_else(|error| match error.kind() {
        InvalidInput | Unsupported => Ok(()),
        _ => Err(error),
    })
}

fn folder_of(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// A name in the folder of a file, or of a folder, that this process gives once. Somebody else may
/// have it all the same, so make it with what fails if it is there.
#[must_use]
pub fn name_beside(file: &Path) -> PathBuf {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    file.with_file_name(format!(".zermelo-{}-{number}.part", std::process::id()))
}

/// A file that is being made beside its place. Dropped before it is finished, it leaves nothing.
#[derive(Debug)]
pub struct NewFile {
    file: PathBuf,
    beside: PathBuf,
    handle: File,
}

impl NewFile {
    /// Makes sure, before long work begins, that its result can be written.
    ///
    /// # Errors
    /// Names the file and what failed.
    pub fn create(file: &Path) -> Result<NewFile, WriteError> {
        // Nothing that somebody else has put there is written to, as what a link points to.
        NewFile::create_as(file, |beside| File::create_new(beside))
    }

    fn create_as(
        file: &Path,
        create: impl Fn(&Path) -> io::Result<File>,
    ) -> Result<NewFile, WriteError> {
        let failed = |step, error| Err(WriteError { path: file.to_owned(), step, error });
        if file.is_dir() || file.file_name().is_none() {
            return failed(WriteStep::Move, io::ErrorKind::IsADirectory.into());
        }
        loop {
            let beside = name_beside(file);
            match create(&beside) {
                Ok(handle) => return Ok(NewFile { file: file.to_owned(), beside, handle }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return failed(WriteStep::Create, error),
            }
        }
    }

    /// Whoever may read it may run it.
    ///
    /// # Errors
    /// If the file system does not know of that.
    pub fn make_executable(&self) -> Result<(), WriteError> {
        let made = platform::make_executable(&self.handle);
        made.map_err(|error| self.failed(WriteStep::Create, error))
    }

    /// Those may read and write it who may read and write the file that it replaces, if there is
    /// one.
    ///
    /// # Errors
    /// If the file system does not let us.
    pub fn keep_permissions(&self) -> Result<(), WriteError> {
        let kept = match fs::metadata(&self.file) {
            Ok(old) => self.handle.set_permissions(old.permissions()),
            Err(_) => Ok(()),
        };
        kept.map_err(|error| self.failed(WriteStep::Create, error))
    }

    /// Writes all of it, and gives it its name.
    ///
    /// # Errors
    /// Names the file and what failed.
    pub fn finish(self, bytes: &[u8]) -> Result<(), WriteError> {
        self.finish_unless(bytes, &mut |_| Ok(()))
    }

    /// The same, unless something makes a step fail before it is taken.
    fn finish_unless(
        mut self,
        bytes: &[u8],
        trouble: &mut dyn FnMut(WriteStep) -> io::Result<()>,
    ) -> Result<(), WriteError> {
        let mut step = |step, done: &mut dyn FnMut(&mut NewFile) -> io::Result<()>| {
            let done = trouble(step).and_then(|()| done(&mut self));
            done.map_err(|error| self.failed(step, error))
        };
        step(WriteStep::Write, &mut |new| new.handle.write_all(bytes))?;
        step(WriteStep::Sync, &mut |new| new.handle.sync_all())?;
        step(WriteStep::Move, &mut |new| fs::rename(&new.beside, &new.file))?;
        step(WriteStep::SyncFolder, &mut |new| sync_folder(&new.file))
    }

    fn failed(&self, step: WriteStep, error: io::Error) -> WriteError {
        WriteError { path: self.file.clone(), step, error }
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        // Once it was moved there is nothing of that name.
        drop(fs::remove_file(&self.beside));
    }
}

#[cfg(test)]
mod tests;
