//! [`Slot`]: the folder in which the client starts the program, and the files that both know.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use solve::message::LARGEST_UNIT;
use storage::WriteError;

use crate::init_data::InitData;

/// The unit, as bytes.
const UNIT: &str = "unit";
/// What came of it, as bytes.
const REPORT: &str = "report";
/// The files of all lemmas that the report names; only if there are any.
const LEMMAS: &str = "lemma";
/// How far the unit has come; the client knows nothing of it.
const CHECKPOINT: &str = "checkpoint";

// Names that the client knows.
const INIT_DATA: &str = "init_data.xml";
const LOCK: &str = "boinc_lockfile";
const FINISHED: &str = "boinc_finish_called";
const LATER: &str = "boinc_temporary_exit";
const TRICKLE_UP: &str = "trickle_up.xml";
const TRICKLE_DOWN: &str = "trickle_down";

/// No file of the client has more bytes.
const LARGEST_TEXT: u64 = 256 << 10;
/// No checkpoint has more bytes.
const LARGEST_CHECKPOINT: u64 = 64 << 20;

/// Why a slot cannot be worked in. Prints as one line.
#[derive(Debug, thiserror::Error)]
pub enum SlotError {
    /// Its unit cannot be read.
    #[error("the file of the unit, {0}, cannot be read: {1}")]
    NoUnit(PathBuf, io::Error),
    /// Its unit is none.
    #[error("{0}: {1}")]
    WrongUnit(PathBuf, solve::message::MessageError),
    /// Another process works here.
    #[error("another process works in this folder")]
    Busy,
    /// Something cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The system gives no thread.
    #[error("the system gives no thread: {0}")]
    Thread(io::Error),
    /// The thread of the unit is gone.
    #[error("the work ended by a fault of the program")]
    Broken,
}

/// See the module.
#[derive(Clone, Debug)]
pub(crate) struct Slot(PathBuf);

impl Slot {
    pub(crate) fn new(folder: &Path) -> Slot {
        Slot(folder.to_owned())
    }

    /// What the client says; `None` where there is no client.
    pub(crate) fn init_data(&self) -> Option<InitData> {
        let bytes = read_at_most(&self.0.join(INIT_DATA), LARGEST_TEXT).ok()?;
        Some(InitData::read(&String::from_utf8_lossy(&bytes)))
    }

    /// Keeps others out until the program ends. An earlier start of it may take so long to end.
    pub(crate) fn lock(&self, patience: Duration) -> Result<File, SlotError> {
        let path = self.0.join(LOCK);
        let file = File::options().create(true).truncate(false).write(true).open(&path);
        let file = file.map_err(|_| SlotError::Busy)?;
        let until = Instant::now() + patience;
        while file.try_lock().is_err() {
            if Instant::now() >= until {
                return Err(SlotError::Busy);
            }
            std::thread::sleep(Duration::from_millis(200));
        }
        Ok(file)
    }

    /// Where the unit is, and its bytes.
    pub(crate) fn unit(&self) -> Result<(PathBuf, Vec<u8>), SlotError> {
        let path = self.resolve(UNIT);
        match read_at_most(&path, LARGEST_UNIT as u64) {
            Ok(bytes) => Ok((path, bytes)),
            Err(error) => Err(SlotError::NoUnit(path, error)),
        }
    }

    pub(crate) fn checkpoint_file(&self) -> PathBuf {
        self.0.join(CHECKPOINT)
    }

    pub(crate) fn checkpoint(&self) -> Option<Vec<u8>> {
        read_at_most(&self.checkpoint_file(), LARGEST_CHECKPOINT).ok()
    }

    pub(crate) fn write_report(&self, bytes: &[u8]) -> Result<(), WriteError> {
        storage::write(&self.resolve(REPORT), bytes)
    }

    pub(crate) fn write_lemmas(&self, bytes: &[u8]) -> Result<(), WriteError> {
        storage::write(&self.resolve(LEMMAS), bytes)
    }

    /// The client takes the outputs away once the program has ended.
    pub(crate) fn finish(&self) -> Result<(), WriteError> {
        storage::write(&self.0.join(FINISHED), b"0\n")
    }

    /// The client starts the program again after some time.
    pub(crate) fn put_off(&self, seconds: u32, why: &str) {
        let _ = storage::write(&self.0.join(LATER), format!("{seconds}\n{why}\n").as_bytes());
    }

    /// Leaves a message for the server.
    pub(crate) fn write_trickle(&self, variety: &str, text: &str) -> Result<(), WriteError> {
        let message = format!("<variety>{variety}</variety>\n{text}");
        storage::write(&self.0.join(TRICKLE_UP), message.as_bytes())
    }

    /// Takes the messages of the server.
    pub(crate) fn take_trickles(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(&self.0) else { return Vec::new() };
        let is_ours = |name: &std::ffi::OsStr| name.to_string_lossy().starts_with(TRICKLE_DOWN);
        let mut files: Vec<PathBuf> = entries
            .filter_map(|entry| entry.ok().filter(|entry| is_ours(&entry.file_name())))
            .map(|entry| entry.path())
            .collect();
        files.sort();
        let take = |file: PathBuf| {
            let bytes = read_at_most(&file, LARGEST_TEXT).unwrap_or_default();
            let _ = fs::remove_file(&file);
            String::from_utf8_lossy(&bytes).into_owned()
        };
        files.into_iter().map(take).collect()
    }

    /// Where a file with this name really is: the client leaves a small text that says so.
    fn resolve(&self, name: &str) -> PathBuf {
        let path = self.0.join(name);
        let link = read_at_most(&path, LARGEST_TEXT).ok().and_then(|bytes| {
            let text = String::from_utf8(bytes).ok()?;
            let (target, _) =
                text.trim().strip_prefix("<soft_link>")?.split_once("</soft_link>")?;
            Some(self.0.join(target.trim()))
        });
        link.unwrap_or(path)
    }
}

/// A whole file, if it has at most so many bytes.
fn read_at_most(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 <= most {
        true => Ok(bytes),
        false => Err(io::Error::new(io::ErrorKind::InvalidData, "it is too large")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn soft_links_lead_elsewhere_and_other_files_do_not() {
        let folder = tempfile::tempdir().unwrap();
        let (slot, project) = (folder.path().join("slots/0"), folder.path().join("projects"));
        fs::create_dir_all(&slot).unwrap();
        fs::create_dir_all(&project).unwrap();
        fs::write(project.join("wu_7"), b"bytes").unwrap();
        fs::write(slot.join("unit"), "<soft_link>../../projects/wu_7</soft_link>\n").unwrap();
        let links = "<soft_link>../../projects/wu_7_0_0</soft_link>\n";
        fs::write(slot.join("report"), links).unwrap();
        let slot = Slot::new(&slot);
        assert_eq!(slot.unit().unwrap().1, b"bytes");
        slot.write_report(b"found").unwrap();
        assert_eq!(fs::read(project.join("wu_7_0_0")).unwrap(), b"found");
        assert_eq!(fs::read_to_string(slot.0.join("report")).unwrap(), links);
        fs::write(slot.0.join("unit"), b"<soft_link>").unwrap();
        assert_eq!(slot.unit().unwrap().1, b"<soft_link>");
        fs::write(slot.0.join("unit"), vec![0; LARGEST_UNIT + 1]).unwrap();
        assert!(slot.unit().unwrap_err().to_string().ends_with("cannot be read: it is too large"));
    }

    #[test]
    fn messages_of_the_server_are_taken_once() {
        let folder = tempfile::tempdir().unwrap();
        let slot = Slot::new(folder.path());
        fs::write(folder.path().join("trickle_down_2"), "two").unwrap();
        fs::write(folder.path().join("trickle_down_1"), "one").unwrap();
        fs::write(folder.path().join("other"), "three").unwrap();
        assert_eq!(slot.take_trickles(), ["one", "two"]);
        assert_eq!(slot.take_trickles(), Vec::<String>::new());
    }

    #[test]
    fn a_slot_is_for_one_process() {
        let folder = tempfile::tempdir().unwrap();
        let slot = Slot::new(folder.path());
        let held = slot.lock(Duration::ZERO).unwrap();
        assert!(matches!(slot.lock(Duration::ZERO), Err(SlotError::Busy)));
        let again = File::options().write(true).open(folder.path().join(LOCK)).unwrap();
        assert!(again.try_lock().is_err());
        drop(held);
        assert!(again.try_lock().is_ok());
    }
}
