//! Proofs on the disk: a certificate or a bundle that is being written, and the list of lemmas that
//! were verified.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, bail, ensure};
use certificate::{BundleFolder, LemmaHash};
use game::quote;
use solve::LemmaFile;
use storage::Lock;

use crate::files::LockedFile;

/// Where the proof of an answer will be.
#[derive(Debug)]
pub(crate) enum NewProof {
    One(LockedFile),
    Bundle(NewBundle),
}

/// How much was written.
#[derive(Debug)]
pub(crate) struct Written {
    pub(crate) bytes: u64,
    /// `None` where it is one file.
    pub(crate) lemmas: Option<u64>,
}

impl NewProof {
    /// Makes sure, before the work begins, that its result can be written.
    pub(crate) fn begin(path: &Path, lemmas: Option<u64>) -> Result<NewProof> {
        Ok(match lemmas {
            None => NewProof::One(LockedFile::begin(path)?),
            Some(_) => NewProof::Bundle(NewBundle::begin(path)?),
        })
    }

    /// Writes a lemma.
    pub(crate) fn add(&mut self, lemma: &LemmaFile) -> Result<()> {
        match self {
            NewProof::One(_) => bail!("a certificate of one file has no lemmas"),
            NewProof::Bundle(bundle) => bundle.add(lemma),
        }
    }

    /// Writes the certificate, or the root, which is last: a bundle that has a root is whole.
    pub(crate) fn finish(self, root: &[u8]) -> Result<Written> {
        match self {
            NewProof::One(file) => {
                file.finish(root)?;
                Ok(Written { bytes: root.len() as u64, lemmas: None })
            }
            NewProof::Bundle(bundle) => bundle.finish(root),
        }
    }
}

/// A folder that fills with lemmas.
#[derive(Debug)]
pub(crate) struct NewBundle {
    path: PathBuf,
    folder: BundleFolder,
    bytes: u64,
    lemmas: u64,
    _lock: Lock,
}

impl NewBundle {
    fn begin(path: &Path) -> Result<NewBundle> {
        let cannot = || format!("cannot write {}", path.display());
        let lock = Lock::of(path).with_context(cannot)?;
        match fs::create_dir(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => made.with_context(cannot)?,
        }
        let is_empty = fs::read_dir(path).with_context(cannot)?.next().is_none();
        ensure!(
            is_empty,
            "{} is not empty; a proof with lemmas is written to a folder of its own",
            path.display()
        );
        storage::sync_folder(path).with_context(cannot)?;
        let folder = BundleFolder::new(path);
        Ok(NewBundle { path: path.to_owned(), folder, bytes: 0, lemmas: 0, _lock: lock })
    }

    fn add(&mut self, lemma: &LemmaFile) -> Result<()> {
        storage::write(&self.folder.lemma(&lemma.hash), &lemma.bytes)?;
        self.lemmas += 1;
        self.bytes += lemma.bytes.len() as u64;
        Ok(())
    }

    fn finish(self, root: &[u8]) -> Result<Written> {
        storage::write(&self.folder.root(), root)?;
        Ok(Written { bytes: self.bytes + root.len() as u64, lemmas: Some(self.lemmas) })
    }
}

impl Drop for NewBundle {
    fn drop(&mut self) {
        // A folder that nothing was written to is of no use; any other is not removed by this.
        drop(fs::remove_dir(&self.path));
    }
}

/// Lemmas that were verified, in a file that grows line by line.
///
/// ```text
/// zermelo-verified 1
/// 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
/// ```
///
/// A hash stands for the game, the position, the claim and every byte of the file, so the list
/// holds for any bundle. It is believed without a check, and so must not come from whoever made the
/// bundle.
#[derive(Debug)]
pub(crate) struct VerifiedList {
    known: HashSet<LemmaHash>,
    file: Mutex<File>,
    _lock: Lock,
}

const MAGIC: &str = "zermelo-verified 1";

impl VerifiedList {
    /// Begins a list, or goes on with one.
    pub(crate) fn open(path: &Path) -> Result<VerifiedList> {
        let cannot = || format!("cannot use {}", path.display());
        let lock = Lock::of(path)?;
        let text = match fs::read_to_string(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            read => read.with_context(cannot)?,
        };
        let (known, whole) =
            read_list(&text).with_context(|| format!("{} is no list", path.display()))?;
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(path);
        let mut file = file.with_context(cannot)?;
        // A line that was cut off by a crash is written anew.
        file.set_len(whole as u64).with_context(cannot)?;
        io::Seek::seek(&mut file, io::SeekFrom::End(0)).with_context(cannot)?;
        if whole == 0 {
            let begun = writeln!(file, "{MAGIC}").and_then(|()| storage::sync(&file));
            begun.and_then(|()| storage::sync_folder(path)).with_context(cannot)?;
        }
        Ok(VerifiedList { known, file: Mutex::new(file), _lock: lock })
    }

    /// Whether it was on the list when that was opened.
    pub(crate) fn contains(&self, hash: &LemmaHash) -> bool {
        self.known.contains(hash)
    }

    /// Writes a lemma down, at once.
    pub(crate) fn add(&self, hash: &LemmaHash) -> io::Result<()> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(format!("{hash}\n").as_bytes())?;
        storage::sync(&file)
    }
}

/// The hashes of a list, and how many bytes of it are whole.
fn read_list(text: &str) -> Result<(HashSet<LemmaHash>, usize)> {
    let (mut known, mut whole) = (HashSet::new(), 0);
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        let Some(content) = line.strip_suffix('\n') else { break };
        match (number, LemmaHash::from_hex(content)) {
            (1, _) if content == MAGIC => {}
            (1, _) => bail!("line 1 is {}; a list begins with {MAGIC}", quote(content)),
            (_, Some(hash)) => {
                known.insert(hash);
            }
            _ => bail!("line {number} is {}; a hash has 64 hexadecimal digits", quote(content)),
        }
        whole += line.len();
    }
    Ok((known, whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read_up_to_its_last_whole_line() {
        let [one, two] = [LemmaHash([1; 32]), LemmaHash([0xab; 32])];
        let text = format!("{MAGIC}\n{one}\n{two}\n");
        assert_eq!(read_list(&text).unwrap(), (HashSet::from([one, two]), text.len()));
        for length in 0..text.len() {
            let (known, whole) = read_list(&text[..length]).unwrap();
            let lines = text[..length].matches('\n').count();
            assert_eq!(known.len(), lines.saturating_sub(1));
            assert!(whole <= length && text[..whole].matches('\n').count() == lines);
        }
        for wrong in
            ["\n", "zermelo-verified 2\n", &format!("{MAGIC}\n{}\n", &one.to_string()[1..])]
        {
            assert!(read_list(wrong).is_err(), "{wrong}");
        }
    }
}
