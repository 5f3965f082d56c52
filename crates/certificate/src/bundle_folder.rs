//! [`BundleFolder`]: a bundle as files in a folder.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::bundle::{Bundle, LemmaSource};
use crate::lemma::LemmaHash;

/// A folder with the root in `root.proof`, and each lemma in a file named by its hash, in
/// hexadecimal digits, with the same ending.
#[derive(Clone, Debug)]
pub struct BundleFolder {
    folder: PathBuf,
}

/// How the name of each file ends.
const ENDING: &str = ".proof";

impl BundleFolder {
    /// In this folder.
    #[must_use]
    pub fn new(folder: &Path) -> BundleFolder {
        BundleFolder { folder: folder.to_owned() }
    }

    /// The file of the root.
    #[must_use]
    pub fn root(&self) -> PathBuf {
        self.folder.join(format!("root{ENDING}"))
    }

    /// The file of a lemma.
    #[must_use]
    pub fn lemma(&self, hash: &LemmaHash) -> PathBuf {
        self.folder.join(format!("{hash}{ENDING}"))
    }

    /// How many things in the folder are not part of the bundle, and the names of a few of them.
    ///
    /// # Errors
    /// If the folder cannot be listed.
    pub fn strangers(&self, bundle: &Bundle<'_>) -> io::Result<(u64, Vec<String>)> {
        const A_FEW: usize = 3;
        let (mut count, mut names) = (0, Vec::new());
        for entry in fs::read_dir(&self.folder)? {
            let name = entry?.file_name();
            let is_ours =
                name.to_str().and_then(|name| name.strip_suffix(ENDING)).is_some_and(|front| {
                    front == "root"
                        || LemmaHash::from_hex(front).is_some_and(|hash| bundle.contains(&hash))
                });
            if !is_ours {
                count += 1;
                if names.len() < A_FEW {
                    names.push(name.to_string_lossy().into_owned());
                }
            }
        }
        Ok((count, names))
    }
}

impl LemmaSource for BundleFolder {
    fn read(&self, hash: &LemmaHash, most: usize) -> io::Result<Vec<u8>> {
        let path = self.lemma(hash);
        // What is no file may never end, or never begin.
        if !fs::metadata(&path)?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no ordinary file"));
        }
        let mut bytes = Vec::new();
        File::open(path)?.take((most as u64).saturating_add(1)).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn name(&self, hash: Option<&LemmaHash>) -> String {
        hash.map_or_else(|| self.root(), |hash| self.lemma(hash)).display().to_string()
    }
}
