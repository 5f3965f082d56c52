//! An attempt at a unit, whatever happens on the way: what every worker does besides
//! [`work`](crate::work).

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use search::Table;
use storage::WriteError;

use crate::certify::LemmaFile;
use crate::message::{Finding, Unit, UnitReport, WorkFailure};
use crate::platform;
use crate::rules::SolverRules;
use crate::work::Worked;

/// What came of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempted {
    /// What to deliver, with the processor time and the memory of this process.
    pub report: UnitReport,
    /// The files of all lemmas that it names.
    pub lemmas: Vec<LemmaFile>,
    /// What there is to say, if it failed.
    pub error: Option<String>,
}

/// Why a unit could not be worked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkFault {
    /// As the report says it.
    pub failure: WorkFailure,
    /// As people say it.
    pub why: String,
}

/// Does the work of an attempt; `None` if it was stopped. A panic is a fault of the unit and not the
/// end of the worker.
pub fn attempt(
    unit: &Unit,
    number: u32,
    work: impl FnOnce() -> Result<Option<Worked>, WorkFault>,
) -> Option<Attempted> {
    let began = (platform::thread_time(), Instant::now());
    let (worked, error) = match guarded(work) {
        Ok(None) => return None,
        Ok(Some(worked)) => (worked, None),
        Err(WorkFault { failure, why }) => (Worked::bare(Finding::Failed(failure), 0), Some(why)),
    };
    let lemmas = worked.lemmas.clone();
    let mut report = worked.report(unit, number);
    report.cpu_milliseconds = spent(began).as_millis().try_into().unwrap_or(u64::MAX);
    report.peak_bytes = platform::peak_bytes();
    Some(Attempted { report, lemmas, error })
}

/// Whether a unit can be worked at here just as it says, with a table of at most so many megabytes.
///
/// # Errors
/// Says why not.
pub fn check_unit(
    rules: &dyn SolverRules,
    unit: &Unit,
    most_megabytes: u32,
) -> Result<(), WorkFault> {
    let own = rules.version();
    if own != unit.solver {
        let why = format!("the solver has version {own}, not {}", unit.solver);
        return Err(WorkFault { failure: WorkFailure::OtherVersion, why });
    }
    let wanted = unit.table_megabytes;
    if wanted > most_megabytes || Table::largest(wanted as usize) < wanted as usize {
        let why = format!("there is no memory for a table of {wanted} MB");
        return Err(WorkFault { failure: WorkFailure::Memory, why });
    }
    Ok(())
}

/// The last checkpoint of a unit, which goes to the disk now and then.
#[derive(Debug)]
pub struct CheckpointFile {
    path: PathBuf,
    every: Duration,
    at: Instant,
    bytes: Option<Vec<u8>>,
}

impl CheckpointFile {
    /// Writes to this file, and not more often than said.
    #[must_use]
    pub fn new(path: PathBuf, every: Duration) -> CheckpointFile {
        CheckpointFile { path, every, at: Instant::now(), bytes: None }
    }

    /// Has a new one; whether it went to the disk.
    ///
    /// # Errors
    /// If it was time to write it, and it could not be written.
    pub fn keep(&mut self, bytes: &[u8]) -> Result<bool, WriteError> {
        self.bytes = Some(bytes.to_vec());
        if self.at.elapsed() < self.every { Ok(false) } else { self.write() }
    }

    /// Writes what is not on the disk yet; whether there was anything.
    ///
    /// # Errors
    /// If it could not be written; it is forgotten then.
    pub fn write(&mut self) -> Result<bool, WriteError> {
        let Some(bytes) = self.bytes.take() else { return Ok(false) };
        self.at = Instant::now();
        storage::write(&self.path, &bytes).map(|()| true)
    }
}

fn guarded<T>(work: impl FnOnce() -> Result<T, WorkFault>) -> Result<T, WorkFault> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| {
        let text = payload.downcast_ref::<&str>().map(|&text| text.to_owned());
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        let why = text.unwrap_or_else(|| "a panic without words".to_owned());
        Err(WorkFault { failure: WorkFailure::Fault, why })
    })
}

/// Processor time since then; where the system does not say, time.
fn spent((cpu, began): (Option<Duration>, Instant)) -> Duration {
    let now = platform::thread_time();
    let spent = now.zip(cpu).map(|(now, then)| now.saturating_sub(then));
    spent.unwrap_or_else(|| began.elapsed())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_fault_with_its_words() {
        let fault = |why: &str| {
            Err::<(), _>(WorkFault { failure: WorkFailure::Fault, why: why.to_owned() })
        };
        assert_eq!(guarded::<()>(|| panic!("a {} panic", 1)), fault("a 1 panic"));
        assert_eq!(guarded::<()>(|| panic!("plain")), fault("plain"));
        assert_eq!(guarded(|| Ok(7)), Ok(7));
    }

    #[test]
    fn a_checkpoint_goes_to_the_disk_when_it_is_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint");
        let mut now = CheckpointFile::new(path.clone(), Duration::ZERO);
        assert!(now.keep(b"one").unwrap());
        assert!(!now.write().unwrap(), "it is there already");
        let mut later = CheckpointFile::new(path.clone(), Duration::from_secs(3600));
        assert!(!later.keep(b"two").unwrap());
        assert_eq!(std::fs::read(&path).unwrap(), b"one");
        assert!(later.write().unwrap());
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
    }
}
