//! [`WorkFolder`]: what a worker must not forget: its leases, how far it has come, and reports that
//! nobody has taken yet.
//!
//! Each attempt has files named after it: `1.1.7-0.lease`, `.checkpoint` and `.report`. What is
//! damaged is removed: the server gives the unit to somebody else.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use solve::message::{Unit, UnitId};
use storage::{Lock, LockError, WriteError};

use crate::wire::{self, DeliverRequest, UnitIdText, UnitJson};

/// A unit that this worker has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) unit: Unit,
    pub(super) attempt: u32,
    /// How long the server waits for a word.
    pub(super) seconds: u64,
}

/// Which attempt at which unit.
pub(super) type Key = (UnitId, u32);

impl Held {
    pub(super) fn key(&self) -> Key {
        (self.unit.id, self.attempt)
    }
}

#[derive(Serialize, Deserialize)]
struct LeaseFile {
    unit: UnitJson,
    attempt: u32,
    seconds: u64,
}

/// Where a worker keeps what it must not forget.
#[derive(Debug)]
pub(super) struct WorkFolder {
    path: PathBuf,
    _lock: Lock,
}

/// Why there is no such folder. Prints as one line.
#[derive(Debug, thiserror::Error)]
pub enum WorkFolderError {
    /// Another worker has it.
    #[error(transparent)]
    NotOurs(#[from] LockError),
    /// It cannot be made or read.
    #[error("{0}: {1}")]
    Failed(PathBuf, io::Error),
}

/// A file of this name in the folder makes the worker pause.
const PAUSE: &str = "pause";

impl WorkFolder {
    /// Takes the folder, and makes it if there is none.
    pub(super) fn open(path: &Path) -> Result<WorkFolder, WorkFolderError> {
        let failed = |error| WorkFolderError::Failed(path.to_owned(), error);
        storage::make_private_folder(path).map_err(failed)?;
        let lock = Lock::of(&path.join("worker"))?;
        Ok(WorkFolder { path: path.to_owned(), _lock: lock })
    }

    /// Whether somebody wants the worker to pause.
    pub(super) fn is_paused(&self) -> bool {
        self.path.join(PAUSE).exists()
    }

    /// What was under way when the worker ended, and what was not delivered.
    pub(super) fn find(&self) -> io::Result<(Vec<Held>, Vec<DeliverRequest>)> {
        let (mut held, mut reports) = (Vec::new(), Vec::new());
        let mut names: Vec<_> = fs::read_dir(&self.path)?
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .collect();
        names.sort();
        for name in names {
            let file = self.path.join(&name);
            let read = match name.rsplit_once('.') {
                Some((stem, "lease")) if !self.path.join(format!("{stem}.report")).exists() => {
                    read_lease(&file).map(|lease| held.push(lease)).is_some()
                }
                Some((_, "report")) => {
                    let bytes = fs::read(&file).unwrap_or_default();
                    wire::read(&bytes).ok().map(|report| reports.push(report)).is_some()
                }
                _ => true,
            };
            if !read {
                tracing::warn!(file = %file.display(), "a damaged file is removed");
                fs::remove_file(&file)?;
            }
        }
        Ok((held, reports))
    }

    pub(super) fn keep_lease(&self, held: &Held) -> Result<(), WriteError> {
        let &Held { ref unit, attempt, seconds } = held;
        let file = LeaseFile { unit: unit.into(), attempt, seconds };
        let bytes = serde_json::to_vec(&file).unwrap_or_default();
        storage::write(&self.file(held.key(), "lease"), &bytes)
    }

    pub(super) fn checkpoint_file(&self, key: Key) -> PathBuf {
        self.file(key, "checkpoint")
    }

    pub(super) fn checkpoint(&self, key: Key) -> Option<Vec<u8>> {
        fs::read(self.checkpoint_file(key)).ok()
    }

    pub(super) fn keep_report(&self, request: &DeliverRequest) -> Result<(), WriteError> {
        let bytes = serde_json::to_vec(request).unwrap_or_default();
        storage::write(&self.file(key_of(request), "report"), &bytes)
    }

    /// Nothing is left to be done for this attempt. The report goes last: as long as it is there,
    /// the lease does not count.
    pub(super) fn forget(&self, key: Key) {
        for kind in ["checkpoint", "lease", "report"] {
            let _ = fs::remove_file(self.file(key, kind));
        }
    }

    fn file(&self, (unit, attempt): Key, kind: &str) -> PathBuf {
        self.path.join(format!("{}-{attempt}.{kind}", UnitIdText(unit)))
    }
}

pub(super) fn key_of(request: &DeliverRequest) -> Key {
    (request.report.unit.0, request.report.attempt)
}

fn read_lease(file: &Path) -> Option<Held> {
    let LeaseFile { unit, attempt, seconds } = wire::read(&fs::read(file).ok()?).ok()?;
    Some(Held { unit: (&unit).try_into().ok()?, attempt, seconds })
}
