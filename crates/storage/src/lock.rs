//! [`Lock`]: work that is kept in a file or folder belongs to one program at a time.

use std::fmt;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::shown_path;

/// Why work cannot be had. Prints as one line.
#[derive(Debug)]
pub enum LockError {
    /// Another program is at it.
    Busy(PathBuf),
    /// The lock beside it cannot be made.
    Failed(PathBuf, io::Error),
}

impl fmt::Display for LockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LockError::Busy(path) => {
                write!(f, "{} is in use by another program", shown_path(path))
            }
            LockError::Failed(path, error) => {
                write!(f, "cannot write {}: {error}", shown_path(path))
            }
        }
    }
}

// The line holds the system's own words, so there is no `source` to print them a second time.
impl std::error::Error for LockError {}

/// The right to work at something, by a file beside it that the system locks. It ends when this is
/// dropped or the program ends, in whatever way.
#[derive(Debug)]
pub struct Lock {
    #[cfg_attr(not(unix), expect(dead_code, reason = "held until it is dropped"))]
    file: File,
    #[cfg_attr(not(unix), expect(dead_code, reason = "the file stays where it is"))]
    beside: PathBuf,
}

impl Lock {
    /// Takes what is kept at a path, where nothing need be yet: by a file of the same name with
    /// `.lock` after it.
    ///
    /// # Errors
    /// If another program has it, or the lock cannot be made.
    pub fn of(path: &Path) -> Result<Lock, LockError> {
        // Without a slash at its end.
        let mut beside = path.components().collect::<PathBuf>().into_os_string();
        beside.push(".lock");
        Lock::take(path, PathBuf::from(beside))
    }

    /// The same, and makes the folder that it will be in.
    ///
    /// # Errors
    /// Also if the folder cannot be made.
    pub fn in_new_folder(path: &Path) -> Result<Lock, LockError> {
        let made = path.parent().map_or(Ok(()), fs::create_dir_all);
        made.map_err(|error| LockError::Failed(path.to_owned(), error))?;
        Lock::of(path)
    }

    fn take(path: &Path, beside: PathBuf) -> Result<Lock, LockError> {
        let failed = |error| LockError::Failed(path.to_owned(), error);
        loop {
            let open = File::options().create(true).truncate(false).write(true).open(&beside);
            let file = open.map_err(failed)?;
            match file.try_lock() {
                Ok(()) if is_at(&file, &beside).map_err(failed)? => {
                    return Ok(Lock { file, beside });
                }
                // It was removed by whoever had it, after we had opened it.
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(LockError::Busy(path.to_owned())),
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
        }
    }
}

/// Whether this is still the file of that name.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let ours = file.metadata()?;
    match fs::metadata(path) {
        Ok(there) => Ok((there.dev(), there.ino()) == (ours.dev(), ours.ino())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Elsewhere nobody removes it.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> io::Result<bool> {
    Ok(true)
}

#[cfg(unix)]
impl Drop for Lock {
    fn drop(&mut self) {
        // While it is ours, so that nobody's file is removed but our own. One that stays is no
        // harm.
        drop(fs::remove_file(&self.beside));
        drop(self.file.unlock());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn one_has_it_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a\u{1b}.db");
        let lock = Lock::of(&file).unwrap();
        let line = Lock::of(&file).unwrap_err().to_string();
        assert!(line.ends_with(r"a\u{1b}.db is in use by another program"), "{line}");
        drop(lock);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        let lock = Lock::in_new_folder(&folder.path().join("new/er/")).unwrap();
        assert!(Lock::of(&folder.path().join("new/er")).is_err());
        assert!(!fs::exists(folder.path().join("new/er")).unwrap());
        drop(lock);
        assert!(Lock::of(Path::new("/proc/none")).is_err());
    }

    /// However many want it, and come while another one removes the file: never two at a time.
    #[test]
    fn never_two_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("work");
        let (inside, taken) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..3000 {
                        let Ok(lock) = Lock::of(&file) else { continue };
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        taken.fetch_add(1, Ordering::Relaxed);
                        inside.fetch_sub(1, Ordering::SeqCst);
                        drop(lock);
                    }
                });
            }
        });
        assert!(taken.load(Ordering::Relaxed) > 100);
    }
}
