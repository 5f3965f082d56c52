//! [`Journal`]: what a match has brought so far, in a file, so that it can go on after an interruption.
//!
//! ```text
//! zermelo-match 1
//! contest what is played, in one line
//! pair 3 2 0
//! forfeit stockfish: the engine ended (signal: 9)
//! ```
//!
//! A pair is written when both its games are over: the number of the pair, and the first contestant's points in halves. Lines
//! of what it lost by breaking the rules stand before it, so that a pair whose line is whole is whole.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use game::{Expected, quote};
use storage::{Lock, LockError};
use thiserror::Error;

use crate::contest::PairResult;

const MAGIC: &str = "zermelo-match 1";

/// A file that grows by one pair after the other.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
    /// Two matches would each write what the other one has played.
    _lock: Lock,
}

/// Why a match cannot be written down.
#[derive(Debug, Error)]
pub enum JournalError {
    /// Another match writes to the file.
    #[error(transparent)]
    Locked(#[from] LockError),
    /// The file cannot be opened.
    #[error("cannot use {}: {error}", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// It is no journal, or that of another contest.
    #[error("{}: {why}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// Which line is wrong, and what would be right.
        why: Expected,
    },
    /// A pair cannot be written.
    #[error("cannot write {}: {error}", path.display())]
    Unwritten {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
}

impl Journal {
    /// Begins a journal, or goes on with one of the same contest; gives the pairs that were played.
    ///
    /// # Errors
    /// If the file is that of another contest, or none, cannot be written, or belongs
    /// to a match that is being played.
    pub fn open(path: &Path, contest: &str) -> Result<(Journal, Vec<PairResult>), JournalError> {
        let wrong = |error| JournalError::Unusable { path: path.to_owned(), error };
        let contest = contest.replace(['\n', '\r'], " ");
        let lock = Lock::of(path)?;
        let earlier = match std::fs::read_to_string(path) {
            Ok(text) => {
                let foreign = |why| JournalError::Foreign { path: path.to_owned(), why };
                Some(read(&text, &contest).map_err(foreign)?)
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => None,
            Err(e) => return Err(wrong(e)),
        };
        let (pairs, whole) = earlier.unwrap_or_default();
        let options = OpenOptions::new().create(true).truncate(false).write(true).open(path);
        let mut file = options.map_err(wrong)?;
        // A line that was cut off by a crash is written anew.
        file.set_len(whole as u64).map_err(wrong)?;
        io::Seek::seek(&mut file, io::SeekFrom::End(0)).map_err(wrong)?;
        if whole == 0 {
            writeln!(file, "{MAGIC}\ncontest {contest}").map_err(wrong)?;
            // Pairs are forced to the disk one by one, which is in vain in a file without a name.
            storage::sync(&file).and_then(|()| storage::sync_folder(path)).map_err(wrong)?;
        }
        Ok((Journal { file, path: path.to_owned(), _lock: lock }, pairs))
    }

    /// Writes down a pair, at once.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, pair: &PairResult) -> Result<(), JournalError> {
        let mut text = String::new();
        for forfeit in &pair.forfeits {
            text += &format!("forfeit {}\n", forfeit.replace(['\n', '\r'], " "));
        }
        let PairResult { number, halves: [first, second], .. } = pair;
        text += &format!("pair {number} {first} {second}\n");
        let written = self.file.write_all(text.as_bytes()).and_then(|()| storage::sync(&self.file));
        written.map_err(|error| JournalError::Unwritten { path: self.path.clone(), error })
    }
}

/// The pairs of a journal and how many bytes of it are whole.
fn read(text: &str, contest: &str) -> Result<(Vec<PairResult>, usize), Expected> {
    let (mut pairs, mut forfeits) = (Vec::<PairResult>::new(), Vec::new());
    let (mut whole, mut read) = (0, 0);
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        read += line.len();
        let Some(line) = line.strip_suffix('\n') else { break };
        let wrong = |right: &str| Err(format!("line {number} is {}; {right}", quote(line)).into());
        match (number, line.split_once(' ')) {
            (1, _) if line == MAGIC => {}
            (1, _) => return wrong(&format!("a journal begins with {MAGIC}")),
            (2, Some(("contest", found))) if found == contest => {}
            (2, _) => return wrong(&format!("this match is {}", quote(contest))),
            (_, Some(("forfeit", what))) => {
                forfeits.push(what.to_owned());
                continue;
            }
            (_, Some(("pair", rest))) => match read_pair(rest) {
                Some((number, halves)) if pairs.iter().all(|pair| pair.number != number) => {
                    pairs.push(PairResult {
                        number,
                        halves,
                        forfeits: std::mem::take(&mut forfeits),
                    });
                }
                _ => return wrong("pair NUMBER POINTS POINTS is right, each number once"),
            },
            _ => return wrong("pair or forfeit is right"),
        }
        if number > 1 {
            whole = read;
        }
    }
    Ok((pairs, whole))
}

fn read_pair(text: &str) -> Option<(usize, [u8; 2])> {
    let words: Vec<&str> = text.split(' ').collect();
    let [number, first, second] = words.as_slice() else { return None };
    let halves = |word: &str| word.parse().ok().filter(|&halves: &u8| halves <= 2);
    Some((number.parse().ok()?, [halves(first)?, halves(second)?]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "zermelo-match 1\ncontest a match\npair 0 2 1\nforfeit x: fell asleep\npair 2 0 0\n";

    #[test]
    fn journals_are_read() {
        let (pairs, whole) = read(TEXT, "a match").unwrap();
        assert_eq!(whole, TEXT.len());
        assert_eq!(pairs.len(), 2);
        assert_eq!((pairs[0].number, pairs[0].halves), (0, [2, 1]));
        assert_eq!(pairs[1].forfeits, ["x: fell asleep"]);
    }

    /// A journal that ends anywhere is read up to its last whole pair.
    #[test]
    fn what_a_crash_cut_off_is_left_out() {
        for end in 0..TEXT.len() {
            let (pairs, whole) = read(&TEXT[..end], "a match").unwrap();
            assert!(whole <= end && pairs.len() <= 2);
            let (again, same) = read(&TEXT[..whole], "a match").unwrap();
            assert_eq!((again, same), (pairs, whole));
        }
    }

    #[test]
    fn strange_files_are_refused() {
        for text in [
            "something else\n",
            "zermelo-match 2\ncontest a match\n",
            "zermelo-match 1\ncontest another match\n",
            "zermelo-match 1\ncontest a match\npair 0 3 1\n",
            "zermelo-match 1\ncontest a match\npair 0 1 1\npair 0 1 1\n",
            "zermelo-match 1\ncontest a match\nhello\n",
        ] {
            assert!(read(text, "a match").is_err(), "{text}");
        }
    }

    #[test]
    fn a_journal_goes_on() {
        let path = std::env::temp_dir().join(format!("zermelo-journal-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let pair =
            |number| PairResult { number, halves: [1, 2], forfeits: vec!["two\nlines".to_owned()] };
        let (mut journal, earlier) = Journal::open(&path, "x").unwrap();
        assert!(earlier.is_empty());
        journal.add(&pair(4)).unwrap();
        let line = Journal::open(&path, "x").unwrap_err().to_string();
        assert!(line.ends_with("is in use by another program"), "{line}");
        drop(journal);
        OpenOptions::new().append(true).open(&path).unwrap().write_all(b"pair 9").unwrap();
        let (mut journal, earlier) = Journal::open(&path, "x").unwrap();
        assert_eq!((earlier.len(), earlier[0].number), (1, 4));
        journal.add(&pair(5)).unwrap();
        drop(journal);
        let (_, earlier) = Journal::open(&path, "x").unwrap();
        assert_eq!(earlier.iter().map(|pair| pair.number).collect::<Vec<_>>(), [4, 5]);
        assert!(Journal::open(&path, "y").is_err());
        std::fs::remove_file(&path).unwrap();
    }
}
